"""Questions before orders that give something up, on the screen and in plain mode, and the order of the menu."""

from __future__ import annotations

import io

import pytest
from msgspec.structs import replace

from paxtui.bots.empires.registry import EmpiresBots
from paxtui.cli.exercise_repl import run_exercise_repl
from paxtui.games.empires.decider import menu_actions
from paxtui.games.empires.orders import Done, Forage, RemoveDepot, parse_action
from paxtui.games.empires.pieces import Campaign, Factors
from paxtui.games.empires.position import seat_view, starting_state
from paxtui.games.empires.warnings import find_warning, siege_warnings
from paxtui.session.exercise_menus import act_label, group_menu, march_stacks
from paxtui.session.exercise_session import ExerciseSession
from paxtui.session.game_host import empty_clock
from paxtui.session.hosts import new_game
from tests.empires.hosting import host_exercise
from tests.empires.land import CAMPAIGN, DECEMBER, ULM, Piece, corps, depot, field, guard, leader, met

BEFORE_ULM = (corps("iv", "france", "ulm"), guard("ulm", "austria", 3), depot("ulm", "france"))


def marching(*pieces: Piece, **changes: object) -> list[str]:
    """What France is asked at the end of its marches about sieges."""
    game = field(*pieces, on=ULM, at="movement", **changes)
    return [*siege_warnings(CAMPAIGN, seat_view(game.state, "france"), "france")]


def test_a_city_before_which_corps_stand_without_a_siege_is_recalled() -> None:
    """Rules: EIA 7.3.7.1"""
    told = marching(*BEFORE_ULM)
    assert told == ["Ulm: 1 corps of yours, but no siege of the city and its 3 enemy factors."]
    assert not marching(*BEFORE_ULM, campaign=Campaign(sieges={"ulm": "france"}))
    assert not marching(*BEFORE_ULM, corps("m", "austria", "ulm")), "they fight first"
    assert not marching(corps("iv", "france", "ulm"), guard("ulm", "france", 3))


def test_end_of_marches_is_confirmed_with_the_sieges() -> None:
    game = field(*BEFORE_ULM, on=ULM, at="movement")
    warning = find_warning(CAMPAIGN, game.state, "france", [Done()])
    assert warning is not None and warning.question == "End the marches?"
    game.act("france", "besiege iv")
    assert find_warning(CAMPAIGN, game.state, "france", [Done()]) is None


def test_the_removal_of_a_depot_names_the_corps_that_lose_their_supply() -> None:
    """Rules: EIA 7.4.2.1"""
    state = seat_view(starting_state(CAMPAIGN), "france")
    area = next(one.where for one in state.depots if one.power == "france")
    assert find_warning(CAMPAIGN, state, "france", [RemoveDepot(area)]).lines[0].endswith(" is removed.")
    alone = field(corps("iv", "france", "alsace"), depot("alsace", "france"), on=ULM, at="depots").state
    lines = find_warning(CAMPAIGN, alone, "france", [RemoveDepot("alsace")]).lines
    assert lines[1] == "Out of supply without it where they stand: IV Corps."
    spare = replace(alone, corps={})
    assert len(find_warning(CAMPAIGN, spare, "france", [RemoveDepot("alsace")]).lines) == 1


@pytest.mark.parametrize(
    ("order", "line"),
    [
        ("demobilize iv", "IV Corps: all factors leave the map for good."),
        ("demobilize alsace infantry=2", "the garrison of Strasbourg: 2 factors leave the map for good."),
        ("retire napoleon", "Napoleon leaves the map."),
        ("lift siege ulm", "The siege of Ulm ends."),
    ],
)
def test_removal_from_the_map_is_confirmed(order: str, line: str) -> None:
    """Rules: EIA 5.2.4, 5.3"""
    state = starting_state(CAMPAIGN)
    warning = find_warning(CAMPAIGN, state, "france", [parse_action(order)])
    assert warning is not None and warning.lines == (line,)


def campaign_session() -> ExerciseSession:
    sitting = ExerciseSession(host_exercise("ulm-1805", "1", bots=("austria", "russia")))
    while sitting.state.cursor.step != "depots":
        sitting.act("done")
    return sitting


def test_acts_that_remove_come_after_those_that_place() -> None:
    removes = [isinstance(parse_action(act), RemoveDepot) for act in campaign_session().acts]
    assert any(removes) and removes == sorted(removes)


def test_plain_mode_previews_the_losses_of_an_order_and_requires_it_again() -> None:
    sitting, out = campaign_session(), io.StringIO()
    order = next(act for act in sitting.acts if act.startswith("remove depot"))
    run_exercise_repl(sitting, [order], out)
    assert " is removed." in out.getvalue() and f"Remove the depot? Then type: {order}!" in out.getvalue()
    assert order in sitting.acts
    run_exercise_repl(sitting, [f"{order}!"], out)
    assert order not in sitting.acts


def test_many_answers_about_losses_are_listed_with_a_group_of_single_factors() -> None:
    """Rules: EIA 7.5.2.9.2"""
    pieces = (corps(f"{n}", "france", "black_forest", factors=Factors(infantry=6, cavalry=4)) for n in range(4))
    foe = corps("m", "austria", "black_forest", factors=Factors(infantry=20, cavalry=4))
    game = field(*pieces, foe, depot("alsace", "france"), on=ULM, at="movement")
    game.acts("france: done", "france: chit assault")
    game.act("austria", "chit defend", 6, 6)
    entries = group_menu(ULM, game.state, menu_actions(ULM, game.state, "france"))
    assert [entry.order for entry in entries[:-1]] == [
        f"answer {choice}" for choice in game.state.questions[-1].choices if ":" not in choice
    ]
    assert entries[-1].label == "Factor by factor" and len(entries[-1].goals) == 8


def test_possible_losses_and_savings_of_foraging_are_shown() -> None:
    """Rules: EIA 7.4.1.1, 7.4.2.1"""
    depots = (depot("alsace", "france"), depot("black_forest", "france"))
    game = field(corps("iv", "france", "black_forest", 9, moved=3), *depots, on=ULM, at="movement", turn=DECEMBER)
    assert act_label(CAMPAIGN, game.state, Forage("iv")) == (
        "IV Corps: end the march and forage: loses about 2.5 of 9, saves $1"
    )
    far = field(corps("iv", "france", "munich", 9), on=ULM, at="movement", turn=DECEMBER)
    assert "saves" not in act_label(CAMPAIGN, far.state, Forage("iv"))


def test_chits_have_descriptions_and_withdrawal_its_chance() -> None:
    """Rules: EIA 7.5.2.1, 7.5.2.5"""
    mack = leader("mack", "austria", "m", strategic=2, tactical=2)
    game = met(corps("i", "france", "black_forest", 9), corps("m", "austria", "black_forest", 9), mack)
    labels = [entry.label for entry in group_menu(ULM, game.state, menu_actions(ULM, game.state, "austria"))]
    assert "withdraw: escapes with at most 2 or 3, else weak" in labels and max(map(len, labels)) <= 48


def test_bots_are_named_by_their_level() -> None:
    for level in ("steady", "hard"):
        seated = dict.fromkeys(("austria", "russia"), EmpiresBots().parse_name(level))
        table = new_game("empires", "1", scenario="ulm-1805", clock=empty_clock, occupants=seated)
        sitting = ExerciseSession(table)
        assert next(iter(sitting.log()))[1] == f"Who sits where: Austria, Russia: {level} bots."


def test_besieged_corps_are_no_stack_to_march_with() -> None:
    inside = corps("m", "austria", "ulm", inside=True)
    game = field(inside, corps("n", "austria", "vienna"), corps("i", "france", "ulm"), on=ULM)
    besieged = replace(game.state, campaign=replace(game.state.campaign, sieges={"ulm": "france"}))
    assert march_stacks(game.state, "austria") == (("m",), ("n",))
    assert march_stacks(besieged, "austria") == (("n",),)
