"""Attacks: where they must be declared, who joins, who leaves, who retires into the city (EIA 7.3.7, 7.3.8, 7.5.1)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.games.empires.events.land import AttackDeclared, BattleBegan, MoversOrdered
from tests.empires.land import Piece, at_movement, corps, depot, field, guard, tables
from tests.empires.scripted_game import ScriptedGame, alliance, war

WARS = (war("austria", "france"),)


def supplied_movement(*pieces: Piece, **changes: Any) -> ScriptedGame:
    """A position in France's movement step with a depot for its corps."""
    return at_movement(*pieces, depot("alsace", "france"), **changes)


def three(**changes: Any) -> Any:
    """The tables with Prussia as a third Power, whose land Baden is."""
    made = tables(powers=("france", "austria", "prussia"), prizes={}, minors=(), **changes)
    return replace(made, cells={**made.cells, "depots.prussia": next(iter(made.cells.values()))})


def turn_of(game: ScriptedGame, power: str, step: str) -> ScriptedGame:
    """The game when a Power's step comes."""
    for _ in range(30):
        if game.state.cursor.step == step and power in game.state.cursor.powers:
            return game
        game.act(game.state.cursor.powers[0], "done")
    raise AssertionError("it does not come")


@pytest.mark.eia("7.3.7.1", "7.5.1")
def test_corps_in_the_area_of_an_enemy_corps_must_attack_it() -> None:
    game = supplied_movement(corps("i", "france", "baden"), corps("m", "austria", "wurttemberg", 20))
    game.acts("france: march i to wurttemberg")
    game.act("france", "done")
    assert [event.attack.area for event in game.events_of(AttackDeclared)] == ["wurttemberg"]
    assert game.events_of(BattleBegan)
    apart = supplied_movement(corps("i", "france", "baden"), corps("m", "austria", "wurttemberg"))
    apart.act("france", "done")
    assert not apart.events_of(AttackDeclared)


@pytest.mark.eia("7.3.7.2")
def test_irregulars_and_depot_garrisons_are_attacked_by_corps_that_stop_there() -> None:
    pieces = (corps("c", "austria", "wurttemberg", 1, kind="cossack"), corps("i", "france", "baden"))
    game = supplied_movement(*pieces)
    game.acts("france: march i to wurttemberg,ansbach", "france: done")
    assert not game.events_of(AttackDeclared), "it has only passed"
    stops = supplied_movement(*pieces)
    stops.acts("france: march i to wurttemberg", "france: done")
    assert stops.events_of(AttackDeclared)
    assert stops.open_question == ("austria", "retire")
    stops.act("austria", "answer stay")
    assert "c" not in stops.state.corps
    guarded = supplied_movement(
        corps("i", "france", "baden"), depot("black_forest", "austria"), guard("black_forest", "austria", of_depot=True)
    )
    guarded.acts("france: march i to black_forest", "austria: answer keep", "france: done")
    assert guarded.events_of(AttackDeclared)
    assert not guarded.state.garrisons


@pytest.mark.eia("7.5.1")
def test_forces_in_cities_and_guerrillas_are_not_attacked() -> None:
    game = supplied_movement(
        corps("i", "france", "wurttemberg"),
        corps("m", "austria", "wurttemberg", inside=True),
        corps("g", "austria", "wurttemberg", 1, kind="guerrilla"),
    )
    game.act("france", "done")
    assert not game.events_of(AttackDeclared)


@pytest.mark.eia("7.5.1.1")
def test_attacked_forces_may_go_into_a_friendly_or_vacant_city() -> None:
    game = supplied_movement(corps("i", "france", "baden"), corps("m", "austria", "wurttemberg", 3))
    game.acts("france: march i to wurttemberg", "france: done")
    assert game.open_question == ("austria", "retire")
    game.act("austria", "answer retire")
    assert game.state.corps["m"].inside
    assert not game.events_of(BattleBegan)


@pytest.mark.eia("7.5.1.1.2")
def test_forces_that_retired_into_a_city_may_be_besieged() -> None:
    for answer, sieges in (("yes", {"wurttemberg": "france"}), ("no", {})):
        game = supplied_movement(corps("i", "france", "baden"), corps("m", "austria", "wurttemberg", 3))
        game.acts("france: march i to wurttemberg", "france: done", "austria: answer retire")
        assert game.open_question == ("france", "besiege")
        game.act("france", f"answer {answer}")
        assert game.state.campaign.sieges == sieges


@pytest.mark.eia("7.5.1.1.3", "7.5.1.1.4")
def test_a_corps_retires_whole_and_the_others_are_attacked() -> None:
    game = supplied_movement(
        corps("i", "france", "baden"), corps("m", "austria", "wurttemberg", 4), corps("n", "austria", "wurttemberg", 6)
    )
    game.acts("france: march i to wurttemberg", "france: done")
    assert game.state.questions[-1].about[0] == "m", "n does not fit: the city holds five"
    game.act("austria", "answer retire")
    battle = game.events_of(BattleBegan)[0].battle
    assert battle.defender.corps == ("n",)


@pytest.mark.eia("7.5.1.1.1")
def test_several_defenders_retire_only_if_all_agree() -> None:
    pieces = (
        corps("i", "france", "baden"),
        corps("m", "austria", "ansbach", 3),
        corps("p", "prussia", "ansbach", 3),
        depot("alsace", "france"),
    )
    wars = (*WARS, war("prussia", "france", 2))
    for answers, inside in ((("yes", "yes"), 2), (("yes", "no"), 0)):
        leave = (("bavaria", "france"), ("baden", "france"))
        game = field(*pieces, on=three(), relations=wars, at="movement", access=leave)
        game.acts("france: march i to wurttemberg,ansbach", "france: done")
        assert game.open_question == ("austria", "retire_together")
        game.acts(f"austria: answer {answers[0]}", f"prussia: answer {answers[1]}")
        assert sum(one.inside for one in game.state.corps.values()) == inside
        assert bool(game.events_of(BattleBegan)) == (not inside)


@pytest.mark.eia("7.5.1.3")
def test_the_attacker_chooses_the_order_and_may_garrison_a_vacant_city() -> None:
    game = supplied_movement(
        corps("i", "france", "baden"),
        corps("ii", "france", "augsburg"),
        corps("c", "austria", "wurttemberg", 1, kind="cossack"),
        corps("d", "austria", "tyrol", 1, kind="cossack"),
        corps("big", "austria", "vienna"),
        depot("augsburg", "france"),
    )
    game.acts("france: march i to wurttemberg", "france: march ii to tyrol", "france: done")
    assert game.open_question == ("france", "next_combat")
    game.acts("france: answer tyrol", "austria: answer stay")
    assert game.open_question == ("france", "occupy")
    game.act("france", "answer ii:1")
    assert game.state.control["tyrol"] == "france"


@pytest.mark.eia("7.3.8.1")
def test_allies_agree_on_their_order_of_movement_or_roll() -> None:
    pieces = (corps("i", "france", "baden"), corps("p", "prussia", "alsace"), depot("alsace", "france"))
    base = {
        "on": three(order="campaign"),
        "relations": (*WARS, alliance("france", "prussia"), war("prussia", "austria", 2)),
    }
    game = field(*pieces, combined=(("france", "prussia"),), **base)
    together = _to_combined(game)
    together.acts("france: answer prussia", "prussia: answer prussia")
    assert together.events_of(MoversOrdered)[0].order == ("prussia", "france")
    assert together.refused("france", "march i to wurttemberg") == "not_your_step"
    other = _to_combined(field(*pieces, combined=(("france", "prussia"),), **base))
    other.act("france", "answer france")
    other.act("prussia", "answer prussia", 2, 5)
    assert other.events_of(MoversOrdered)[0].order == ("prussia", "france")


def _to_combined(game: ScriptedGame) -> ScriptedGame:
    """The movement step of two allies who move together."""
    for _ in range(20):
        if game.open_question:
            return game
        cursor = game.state.cursor
        if cursor.step == "announce":
            game.act(cursor.powers[0], "announce first")
        else:
            seat = next(one for one in cursor.powers if one not in cursor.done)
            game.act(seat, "done")
    raise AssertionError("there is no question")


@pytest.mark.eia("7.3.8.2")
def test_all_enemy_field_forces_in_the_area_are_attacked() -> None:
    game = supplied_movement(
        corps("i", "france", "wurttemberg"),
        corps("ii", "france", "munich"),
        corps("m", "austria", "wurttemberg", 20),
        corps("n", "austria", "munich", 20),
        depot("munich", "france"),
    )
    game.act("france", "done")
    assert {event.attack.area for event in game.events_of(AttackDeclared)} == {"wurttemberg", "munich"}


@pytest.mark.eia("7.3.8.3")
def test_power_in_the_area_of_its_attacked_ally_may_declare_war_and_defend() -> None:
    pieces = (
        corps("i", "france", "baden"),
        corps("m", "austria", "swabia", 20),
        corps("p", "prussia", "swabia", 20),
        depot("alsace", "france"),
    )
    ground = {"on": three(), "relations": (*WARS, alliance("austria", "prussia")), "at": "movement"}
    leave = (("baden", "france"), ("bavaria", "france"), ("bavaria", "prussia"))
    game = field(*pieces, **ground, access=leave)
    game.acts("france: march i to black_forest,swabia", "france: done")
    assert game.open_question == ("prussia", "join_defence")
    before = game.points("prussia")
    game.act("prussia", "answer yes")
    assert game.points("prussia")[0] == before[0] - 3
    assert game.events_of(AttackDeclared)[-1].attack.defenders == ("austria", "prussia")
    assert game.events_of(BattleBegan)[0].battle.defender.corps == ("m", "p")


@pytest.mark.eia("7.3.8.4", "7.3.8.7")
def test_power_that_is_not_at_war_with_the_attacker_leaves_the_area() -> None:
    pieces = (
        corps("i", "france", "baden"),
        corps("m", "austria", "swabia", 20),
        corps("p", "prussia", "swabia", 20),
        depot("alsace", "france"),
        guard("swabia", "prussia"),
    )
    leave = (("baden", "france"), ("bavaria", "france"), ("bavaria", "prussia"), ("baden", "prussia"))
    game = field(*pieces, on=three(), relations=WARS, at="movement", access=leave)
    game.acts("france: march i to black_forest,swabia", "france: done")
    assert game.open_question == ("prussia", "leave_area"), "the owner chooses"
    game.act("prussia", "answer vorarlberg" if "vorarlberg" in game.state.questions[-1].choices else "answer augsburg")
    assert game.state.corps["p"].where in ("vorarlberg", "augsburg")
    assert game.events_of(BattleBegan)[0].battle.defender.corps == ("m",)
    assert any(one.power == "prussia" for one in game.state.garrisons), "garrisons stay"


@pytest.mark.eia("7.3.8.5", "7.3.8.6")
def test_the_later_ally_keeps_out_of_attacks_on_others_or_leaves() -> None:
    pieces = (
        corps("i", "france", "baden"),
        corps("p", "prussia", "wurttemberg"),
        corps("q", "prussia", "swabia"),
        corps("m", "austria", "swabia", 20),
        depot("alsace", "france"),
        depot("baden", "prussia"),
    )
    leave = tuple((holder, guest) for holder in ("baden", "bavaria") for guest in ("france", "prussia"))
    game = field(
        *pieces,
        on=three(order="campaign"),
        relations=(*WARS, alliance("france", "prussia")),
        combined=(("france", "prussia"),),
        access=leave,
    )
    _to_combined(game).acts("france: answer france", "prussia: answer france")
    game.acts("france: march i to black_forest,swabia", "france: done")
    assert game.refused("prussia", "march p to swabia") == "ally_attacks"
    game.act("prussia", "done")
    assert game.open_question == ("prussia", "leave_area")
    assert set(game.state.questions[-1].choices) < set(game.tables.ways["swabia"]), "not away from its supply source"
    game.act("prussia", "answer black_forest")
    assert game.state.corps["q"].where == "black_forest"
