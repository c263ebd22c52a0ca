"""Alliances, minor countries, free states and combined movement (4.5 to 4.9)."""

from __future__ import annotations

from msgspec.structs import replace
from pytest import mark

from paxtui.games.empires.board import is_allied, is_at_war
from paxtui.games.empires.calendar import LAND, NAVAL, movement_sequence
from paxtui.games.empires.events.politics import MinorRolled
from paxtui.games.empires.pieces import Fleet
from paxtui.games.empires.state import Minor, Relation
from paxtui.games.empires.tables import Area
from paxtui.session.tables.exercises import load_exercise
from tests.empires.scripted_game import ScriptedGame, alliance, start_game, war

TABLES = load_exercise("cabinet-1805")
FREE = Relation(kind="broken_alliance", a="france", b="austria", since=1, until=1)
FRIENDS = alliance("austria", "prussia")
HOME = {corps.id: corps for corps in TABLES.exercise.corps if corps.id != "f1"}
"""Every corps but the one that stands in foreign land."""


@mark.eia("4.5")
def test_alliance_needs_both_powers_and_brings_each_the_points_of_the_exercise() -> None:
    game = start_game(TABLES, FREE)
    game.until("alliances")
    game.act("france", "ally with prussia")
    assert not is_allied(game.state, "france", "prussia")
    game.act("prussia", "ally with france")
    assert is_allied(game.state, "france", "prussia")
    assert game.points("france", "prussia", "austria") == [11, 11, 10]


@mark.eia("4.5.1", "4.5.2", "4.5.3")
def test_allies_enemies_and_breakers_of_an_alliance_this_year_cannot_ally() -> None:
    broken = Relation(kind="broken_alliance", a="france", b="prussia", since=21651, until=21662)
    game = start_game(TABLES, FRIENDS, war("france", "austria"), broken)
    game.until("alliances")
    assert game.refused("austria", "ally with prussia") == "allied"
    assert game.refused("austria", "ally with france") == "at_war"
    assert game.refused("france", "ally with prussia") == "too_soon"
    game.state = replace(game.state, turn=21663)
    game.act("france", "ally with prussia")


@mark.eia("4.7")
def test_breaking_an_alliance_costs_two_points_and_is_no_war() -> None:
    game = start_game(TABLES, FRIENDS)
    game.until("breaking")
    assert game.refused("austria", "break with france") == "no_alliance"
    game.act("austria", "break with prussia")
    assert game.points("austria", "prussia") == [8, 10]
    assert not is_allied(game.state, "austria", "prussia") and not is_at_war(game.state, "austria", "prussia")
    broken = next(one for one in game.state.relations if one.kind == "broken_alliance")
    assert broken.until - broken.since == 11


def attacked(game: ScriptedGame, *attackers: str) -> ScriptedGame:
    """Some declare war on Bavaria, and the Minor Country Control Step has come."""
    for power in game.state.powers:
        game.act(power, f"declare war on {'bavaria' if power in attackers else 'none'}")
    game.until_question("run_minor", "stand")
    return game


@mark.eia("4.6", "4.2.1.2")
def test_minor_country_without_a_willing_controller_costs_its_attacker_nothing() -> None:
    game = attacked(start_game(TABLES, FREE), "france")
    assert game.open_question == ("austria", "run_minor")
    game.acts("austria: answer no", "prussia: answer no")
    assert game.points("france", "austria", "prussia") == [10, 10, 10]
    assert not game.state.minors["bavaria"].controller


@mark.eia("4.6.2", "4.6.2.1", "4.6.2.2", "4.6.2.3", "4.6.3.1", "4.2.1.2")
def test_highest_modified_die_wins_control_at_a_point_per_district() -> None:
    tables = replace(TABLES, exercise=replace(TABLES.exercise, dominant=("prussia",)))
    game = attacked(start_game(tables, war("france", "austria")), "france")
    game.act("austria", "answer yes")
    game.act("prussia", "answer yes", 3, 2)
    assert game.events_of(MinorRolled)[0].totals == {"austria": 3 - 1 + 2, "prussia": 2 + 1}
    bavaria = game.state.minors["bavaria"]
    assert (bavaria.controller, bavaria.status) == ("austria", "free")
    assert game.points("france", "austria") == [8, 12]
    assert game.state.corps["b1"].power == "austria"


@mark.eia("4.6.2")
def test_a_tie_is_rolled_again_without_modifiers() -> None:
    game = attacked(start_game(TABLES, FREE), "france")
    game.act("austria", "answer yes")
    game.act("prussia", "answer yes", 4, 3, 2, 6)
    assert game.state.minors["bavaria"].controller == "prussia"


@mark.eia("4.6")
def test_allies_of_an_attacker_may_control_only_if_no_other_power_is_willing() -> None:
    game = attacked(start_game(TABLES, FRIENDS), "austria")
    assert game.open_question == ("france", "run_minor")
    game.act("france", "answer no")
    assert game.open_question == ("prussia", "run_minor")
    game = attacked(start_game(TABLES, FRIENDS), "austria")
    game.act("france", "answer yes", 1)
    assert game.state.minors["bavaria"].controller == "france"


@mark.eia("4.6.3.2", "4.6.3.3", "4.6.3.4")
def test_the_corps_of_a_free_state_is_set_up_in_its_country() -> None:
    game = attacked(start_game(TABLES, FREE), "france")
    game.act("austria", "answer yes")
    game.act("prussia", "answer no", 5)
    assert game.open_question == ("austria", "set_up")
    assert game.refused("austria", "answer vienna") == "no_choice"
    game.act("austria", "answer bavaria")
    assert game.state.corps["b1"].where == "bavaria"
    assert game.state.corps["b1"].factors.infantry == 4


@mark.eia("4.6.3.5")
def test_fleet_of_a_free_state_is_set_up_in_a_port_or_adjacent_to_one() -> None:
    sea = Area(id="adriatic", name="Adriatic", sea=True)
    areas = tuple(
        replace(one, port=True, coast="adriatic") if one.id == "bavaria" else one for one in TABLES.exercise.areas
    )
    fleet = Fleet(id="b9", power="bavaria", nation="bavaria", where="", ships=6)
    exercise = replace(TABLES.exercise, areas=(*areas, sea), corps=TABLES.exercise.corps[:4], fleets=(fleet,))
    game = attacked(start_game(replace(TABLES, exercise=exercise), FREE), "france")
    game.act("austria", "answer yes")
    game.act("prussia", "answer no", 5)
    assert game.state.questions[-1].choices == ("bavaria", "adriatic")
    game.act("austria", "answer bavaria")
    assert (game.state.fleets["b9"].box, game.state.fleets["b9"].ships) == ("port", 6)


def ran_by_austria(game: ScriptedGame) -> ScriptedGame:
    """France and Prussia have declared war on Bavaria, and Austria runs it."""
    attacked(game, "france", "prussia")
    game.act("austria", "answer yes", 5)
    game.act("austria", "answer bavaria")
    return game


@mark.eia("4.6.4", "4.6.4.1")
def test_an_attacker_backs_down_in_secret_and_has_paid_all_the_same() -> None:
    game = ran_by_austria(start_game(TABLES, FREE))
    assert game.open_question == ("france", "stand")
    game.act("france", "answer back_down")
    assert is_at_war(game.state, "france", "bavaria"), "not known yet"
    game.act("prussia", "answer back_down")
    assert not is_at_war(game.state, "france", "bavaria") and not is_at_war(game.state, "prussia", "bavaria")
    assert game.points("france", "prussia", "austria") == [8, 8, 12]
    assert game.state.minors["bavaria"].controller == "austria"


@mark.eia("4.6.4")
def test_attackers_bound_to_peace_with_each_other_must_both_back_down() -> None:
    pair = (("france", "prussia"), ("prussia", "france"))
    bound = [Relation(kind="enforced_peace", a=a, b=b, since=21655, until=21672) for a, b in pair]
    game = ran_by_austria(start_game(TABLES, *bound))
    assert game.open_question is None or game.open_question[1] != "stand"
    assert not is_at_war(game.state, "france", "bavaria") and not is_at_war(game.state, "prussia", "bavaria")
    assert game.points("france", "prussia") == [8, 8]


@mark.eia("4.6.4.2", "4.6.4.2.1", "4.6.4.2.2", "4.6.4.2.3")
def test_attackers_that_do_not_back_down_are_at_war_and_their_alliances_end() -> None:
    game = ran_by_austria(start_game(TABLES, alliance("france", "prussia")))
    game.acts("france: answer stand", "prussia: answer stand")
    assert is_at_war(game.state, "france", "prussia")
    assert not is_allied(game.state, "france", "prussia")
    assert game.points("france", "prussia") == [10 - 2 - 3 - 2, 10 - 2 - 3 - 2]
    assert not game.state.politics.declared


@mark.eia("4.6.5", "4.6.5.1")
def test_controller_declares_war_on_several_attackers_for_the_price_of_one() -> None:
    game = ran_by_austria(start_game(TABLES, FRIENDS, corps=HOME))
    game.acts("france: answer stand", "prussia: answer stand")
    assert game.open_question == ("austria", "support")
    game.act("austria", "answer france+prussia")
    assert is_at_war(game.state, "austria", "france") and is_at_war(game.state, "austria", "prussia")
    assert game.points("austria") == [10 + 2 - 3 - 2]
    assert not is_allied(game.state, "austria", "prussia")


@mark.eia("4.6.5.2")
def test_controller_without_a_declaration_is_not_at_war() -> None:
    game = ran_by_austria(start_game(TABLES, FREE, corps=HOME))
    game.acts("france: answer stand", "prussia: answer stand", "austria: answer none")
    assert is_at_war(game.state, "france", "bavaria") and not is_at_war(game.state, "france", "austria")


@mark.eia("4.8")
def test_a_conquered_country_with_forces_becomes_a_free_state_for_good() -> None:
    bavaria = Minor(id="bavaria", status="conquered", controller="france")
    game = start_game(TABLES, FREE, minors={"bavaria": bavaria})
    game.until("free_states")
    assert game.refused("austria", "free bavaria") == "not_your_step"
    game.act("france", "free bavaria")
    assert game.state.minors["bavaria"].status == "free"
    exercise = replace(TABLES.exercise, corps=TABLES.exercise.corps[:4])
    game = start_game(replace(TABLES, exercise=exercise), FREE, minors={"bavaria": bavaria})
    while game.state.cursor.step != "declarations" or game.state.turn == 21662:
        assert game.state.cursor.step != "free_states", "it can have no corps"
        game.act(game.waiting[0], "done")


@mark.eia("4.9")
def test_combined_allies_move_when_the_last_of_them_does() -> None:
    game = start_game(TABLES, FRIENDS)
    game.until("combined")
    game.act("austria", "combine with prussia")
    assert not game.state.combined
    game.act("prussia", "combine with austria")
    assert game.state.combined == (("austria", "prussia"),)
    assert movement_sequence(TABLES, game.state, LAND) == (("france",), ("austria", "prussia"))
    far = replace(game.state, powers=("russia", "austria", "prussia"), combined=(("russia", "prussia"),))
    assert movement_sequence(TABLES, far, NAVAL) == (("austria",), ("russia", "prussia"))
    game = start_game(TABLES, FRIENDS)
    game.until("combined")
    assert game.refused("austria", "combine with france") == "no_alliance"
