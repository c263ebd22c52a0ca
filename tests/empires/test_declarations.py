"""Declarations of war and calls to allies (4.2, 4.3)."""

from __future__ import annotations

from msgspec.structs import replace
from pytest import mark

from paxtui.games.empires.board import is_allied, is_at_war
from paxtui.games.empires.decider import waiting_powers
from paxtui.games.empires.events.base import Revealed, SealedUp
from paxtui.games.empires.events.politics import AllianceBroken, CompetitiveRolled
from paxtui.games.empires.game import EmpiresGame
from paxtui.games.empires.position import seat_view, visible_event
from paxtui.games.empires.state import Relation
from paxtui.session.tables.exercises import load_exercise
from tests.empires.scripted_game import ScriptedGame, alliance, start_game, war

TABLES = load_exercise("cabinet-1805")
FRIENDS = alliance("austria", "prussia")
FREE = Relation(kind="broken_alliance", a="france", b="austria", since=1, until=1)
"""A fact that means nothing: a position without war and alliance."""


def declared(game: ScriptedGame, **declarations: str) -> None:
    """All Powers write their declarations, `none` where nothing is said."""
    for power in game.state.powers:
        game.act(power, f"declare war on {declarations.get(power, 'none')}")


@mark.eia("4.2")
def test_declarations_are_hidden_and_revealed_together() -> None:
    game = start_game(TABLES, FREE)
    game.act("france", "declare war on prussia")
    assert seat_view(game.state, "france").sealed[0].words == ("prussia",)
    assert seat_view(game.state, "austria").sealed[0].words == ()
    raw = EmpiresGame(TABLES).encode_event(game.events_of(SealedUp)[0])
    shown = visible_event(raw, "austria")
    assert shown is not None and "words" not in shown["sealed"]
    assert not is_at_war(game.state, "france", "prussia")
    game.acts("austria: done", "prussia: done")
    assert game.events_of(Revealed)
    assert is_at_war(game.state, "france", "prussia")


@mark.eia("4.2.1", "4.2.1.1")
def test_a_war_on_a_power_costs_three_points_and_one_on_an_ally_five() -> None:
    game = start_game(TABLES, FREE)
    declared(game, france="prussia")
    assert game.points("france", "prussia") == [7, 10]
    game = start_game(TABLES, FRIENDS)
    declared(game, austria="prussia")
    assert game.points("austria", "prussia") == [5, 10]
    assert not is_allied(game.state, "austria", "prussia")


@mark.eia("4.2.2.1")
def test_no_declaration_of_war_on_a_power_with_forces_in_the_same_area() -> None:
    game = start_game(TABLES, FREE)
    assert game.refused("france", "declare war on austria") == "forces_there"


@mark.eia("4.2.2.2")
def test_a_power_that_is_invaded_declares_no_more_wars() -> None:
    game = start_game(TABLES, war("france", "austria"))
    assert game.refused("austria", "declare war on prussia") == "invaded"
    assert game.refused("austria", "declare war on france") == "at_war"
    inside = replace(game.state.corps["f1"], where="vienna", inside=True)
    game.state = replace(game.state, corps={**game.state.corps, "f1": inside})
    game.act("austria", "declare war on prussia")  # a besieged corps does not count


@mark.eia("4.2.2.3")
def test_a_minor_country_that_cannot_be_reached_is_left_alone() -> None:
    corps = {}
    game = start_game(TABLES, FREE, corps=corps)
    assert game.refused("prussia", "declare war on bavaria") == "out_of_reach"
    start_game(TABLES, FREE).act("prussia", "declare war on bavaria")


@mark.eia("4.2.2.4")
def test_an_enforced_peace_forbids_a_declaration() -> None:
    bound = Relation(kind="enforced_peace", a="prussia", b="france", since=21650, until=21662)
    game = start_game(TABLES, bound)
    assert game.refused("prussia", "declare war on france") == "enforced_peace"
    start_game(TABLES, replace(bound, until=21661)).act("prussia", "declare war on france")


@mark.eia("4.2.3")
def test_war_on_a_power_is_war_on_its_minor_countries_which_have_none_of_their_own() -> None:
    bavaria = replace(TABLES.exercise.minors[0], status="free", controller="prussia")
    game = start_game(TABLES, FREE, minors={"bavaria": bavaria})
    assert game.refused("france", "declare war on bavaria") == "controlled"
    declared(game, france="prussia")
    assert is_at_war(game.state, "france", "bavaria")
    assert game.points("france") == [7]


@mark.eia("4.3.1.1", "4.3.2")
def test_the_defender_calls_first_and_the_aggressor_only_after_it() -> None:
    game = start_game(TABLES, FRIENDS, alliance("france", "austria"), corps={})
    declared(game, france="prussia")
    assert waiting_powers(TABLES, game.state) == ("prussia",)
    assert game.refused("france", "call austria against prussia") == "not_your_step"
    game.act("prussia", "done")
    assert game.state.cursor.step != "calls", "the defender has not tried, so the aggressor may not"


def called(game: ScriptedGame) -> ScriptedGame:
    """France attacks Prussia, which calls Austria."""
    declared(game, france="prussia")
    game.act("prussia", "call austria against france")
    return game


@mark.eia("4.3", "4.3.2")
def test_a_called_ally_joins_the_war_and_pays_for_it() -> None:
    game = called(start_game(TABLES, FRIENDS, corps={}))
    assert game.open_question == ("austria", "call")
    game.act("austria", "answer join")
    assert is_at_war(game.state, "austria", "france")
    assert game.points("austria", "prussia", "france") == [7, 10, 7]
    assert len(game.state.politics.declared) == 1, "no further calls come of it"


@mark.eia("4.3.1.3")
def test_refusing_a_defender_costs_the_ally_and_refusing_an_aggressor_costs_both() -> None:
    game = called(start_game(TABLES, FRIENDS, corps={}))
    game.act("austria", "answer refuse")
    assert game.points("austria", "prussia") == [8, 10]
    assert not is_allied(game.state, "austria", "prussia")
    game = start_game(TABLES, alliance("france", "austria"), corps={})
    declared(game, france="prussia")
    game.acts("prussia: call prussia against france", "prussia: done", "france: call austria against prussia")
    game.act("austria", "answer refuse")
    assert game.points("austria", "france") == [8, 5]


@mark.eia("4.3.1.2")
def test_powers_that_declare_war_on_each_other_call_no_allies() -> None:
    game = start_game(TABLES, FRIENDS, corps={})
    declared(game, france="prussia", prussia="france")
    assert game.state.cursor.step == "peace"
    assert game.points("france", "prussia") == [7, 7]


@mark.eia("4.3.1.4")
def test_an_ally_bound_by_peace_is_not_called_and_one_hindered_otherwise_must_break() -> None:
    bound = Relation(kind="enforced_peace", a="austria", b="france", since=21650, until=21670)
    game = start_game(TABLES, FRIENDS, bound, corps={})
    declared(game, france="prussia")
    assert game.refused("prussia", "call austria against france") == "no_ally"
    corps = replace(TABLES.exercise.corps[2], where="alsace")
    game = called(start_game(TABLES, FRIENDS, corps={"a1": corps}))
    assert game.state.questions[-1].choices == ("refuse",)


@mark.eia("4.3")
def test_several_defenders_call_in_the_order_of_competing_dice() -> None:
    game = start_game(TABLES, FRIENDS, corps={})
    game.act("austria", "done")
    game.act("prussia", "done")
    game.act("france", "declare war on austria,prussia", 3, 3, 2, 5)
    assert waiting_powers(TABLES, game.state) == ("prussia",), "a tie was rolled again"
    assert game.events_of(CompetitiveRolled)[0].order == ("prussia", "austria")


@mark.eia("4.2.1.1")
def test_allies_that_attack_each_other_both_break_the_alliance() -> None:
    game = start_game(TABLES, FRIENDS)
    declared(game, austria="prussia", prussia="austria")
    assert game.points("austria", "prussia") == [5, 5]
    assert len(game.events_of(AllianceBroken)) == 1
