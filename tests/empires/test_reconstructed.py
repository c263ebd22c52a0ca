"""Rules that the text lacks and a campaign plays: losses by their owner, the guard, calls, retreats, sieges."""

from __future__ import annotations

from typing import TypeVar

import pytest
from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.games.empires.battle.sides import EVEN, FOOT, HORSE, WEAKEST, plan_losses
from paxtui.games.empires.battle.siege import breach_modifier, breach_needed
from paxtui.games.empires.decider import decide_action
from paxtui.games.empires.events.base import Event
from paxtui.games.empires.events.campaign import (
    AssaultFought,
    AssaultOver,
    BreachRolled,
    CasualtiesOwed,
    FieldLeft,
    GuardRolled,
    SortieDecided,
    SupportRolled,
    TrivialFought,
)
from paxtui.games.empires.events.land import BattleBegan, Quartered, Retreated, RoundFought
from paxtui.games.empires.orders import Answer
from paxtui.games.empires.pieces import Factors
from tests.empires.land import SEPTEMBER, Piece, corps, depot, field, guard, leader, tables
from tests.empires.scripted_game import ScriptedGame

ALL_RULES = tables(complete=True)


def met(*pieces: Piece) -> ScriptedGame:
    """French corps beside Austrian ones in the Black Forest, when chits are picked."""
    game = field(*pieces, depot("alsace", "france"), at="movement", on=ALL_RULES)
    game.act("france", "done")
    assert game.state.campaign.battle is not None
    return game


def fought(game: ScriptedGame, attacker: str, defender: str, *dice: int) -> ScriptedGame:
    """The same after both chits are picked, with the dice that fall then."""
    game.act("france", f"chit {attacker}")
    game.act("austria", f"chit {defender}", *dice)
    return game


E = TypeVar("E", bound=Event)


def last(game: ScriptedGame, kind: type[E]) -> E:
    """The last event of a kind."""
    return next(one for one in reversed(game.events) if isinstance(one, kind))


def stormed(game: ScriptedGame, *dice: int) -> None:
    """An assault with these dice; the rest do not fall when it ends earlier."""
    play = decide_action(game.tables, game.state, "france", Answer("yes"), Dice("stormed", 0, dice))
    game.state = play.state
    game.events += play.events


@pytest.mark.eia("7.5.2.9.2")
def test_choices_of_losses() -> None:
    units = [("a", Factors(infantry=6, cavalry=2)), ("b", Factors(infantry=2, militia=1))]
    assert plan_losses(units, 3, FOOT) == {"a": Factors(infantry=4, cavalry=2), "b": Factors(infantry=2)}
    assert plan_losses(units, 3, HORSE) == {"a": Factors(infantry=6), "b": Factors(infantry=2)}
    assert plan_losses(units, 3, WEAKEST) == {"a": Factors(infantry=6, cavalry=2), "b": Factors()}
    assert plan_losses(units, 4, EVEN)["b"].total == 2
    assert plan_losses(units, 50, FOOT) == {"a": Factors(), "b": Factors()}


@pytest.mark.eia("7.5.2.9.2")
def test_the_owner_chooses_the_losses_of_a_round() -> None:
    mixed = Factors(infantry=16, cavalry=4)
    game = met(
        corps("i", "france", "black_forest", factors=mixed), corps("m", "austria", "black_forest", factors=mixed)
    )
    fought(game, "assault", "defend", 6, 6)
    owed = last(game, CasualtiesOwed)
    assert owed.attacker and owed.defender
    assert game.open_question == ("france", "casualties")
    game.act("france", "answer horse")
    assert game.state.corps["i"].factors == Factors(infantry=16 - max(0, owed.attacker - 4), cavalry=4 - owed.attacker)
    assert game.open_question == ("austria", "casualties")


@pytest.mark.eia("7.5.2.8")
def test_a_committed_guard_adds_to_the_die_and_loses_factors() -> None:
    old = Factors(infantry=10, guard=6)
    game = met(corps("i", "france", "black_forest", factors=old), corps("m", "austria", "black_forest", 16))
    fought(game, "assault", "defend")
    assert game.open_question == ("france", "guard")
    game.act("france", "answer two", 5, 3, 3)
    assert last(game, GuardRolled).losses == 3
    assert game.state.corps["i"].factors.guard == 3
    first = next(one for one in game.events if isinstance(one, RoundFought))
    assert first.attacker.modifier - first.defender.modifier == 2
    assert not any(one.kind == "guard" and one.power == "france" for one in game.state.questions)


@pytest.mark.eia("7.5.2.11")
def test_a_leader_calls_a_corps_of_an_adjacent_area() -> None:
    game = met(
        corps("i", "france", "black_forest", 15),
        corps("ii", "france", "baden", 8),
        corps("m", "austria", "black_forest", 15),
        leader("ney", "france", "i", strategic=5, tactical=3),
    )
    fought(game, "probe", "defend", 1, 1)
    while (game.open_question or ("", ""))[1] == "casualties":
        game.act(game.waiting[0], "answer foot")
    assert game.open_question == ("france", "call_corps")
    assert game.state.questions[-1].choices == ("none", "ii")
    game.act("france", "answer ii", 3, 3, 3)
    rolled = last(game, SupportRolled)
    assert (rolled.needed, rolled.arrived) == (3, True)
    assert game.state.corps["ii"].where == "black_forest"
    battle = game.state.campaign.battle
    assert battle is None or "ii" in battle.attacker.corps


@pytest.mark.eia("7.5.2.10.3")
def test_side_that_leaves_the_field_chooses_its_retreat() -> None:
    game = met(corps("i", "france", "black_forest", 20), corps("m", "austria", "black_forest", 20))
    fought(game, "probe", "defend", 1, 1, 1, 1, 1, 1)
    game.acts("france: answer fight", "austria: answer leave")
    assert (last(game, FieldLeft).side, last(game, FieldLeft).beaten) == ("defender", False)
    assert game.open_question == ("austria", "field_retreat")
    first, *_, choice = game.state.questions[-1].choices
    game.act("austria", f"answer {choice}")
    assert last(game, Retreated).to == choice != first


@pytest.mark.eia("7.5.3")
def test_a_depot_garrison_without_a_corps_fights_a_trivial_combat() -> None:
    game = field(
        corps("i", "france", "black_forest", 10),
        guard("black_forest", "austria", 10, of_depot=True),
        depot("black_forest", "austria"),
        depot("alsace", "france"),
        at="movement",
        on=ALL_RULES,
    )
    game.act("france", "done", 6, 6)
    trivial = last(game, TrivialFought)
    assert trivial.defender.losses
    assert game.state.corps["i"].factors.total == 10 - trivial.defender.losses
    assert not [one for one in game.state.garrisons if one.of_depot]


def besieged(*inside: Piece, months: int = 0) -> ScriptedGame:
    """A French corps that besieges Ulm, when it is asked for an assault."""
    game = field(
        corps("i", "france", "swabia", 20),
        *inside,
        depot("alsace", "france"),
        depot("baden", "france"),
        at="movement",
        on=ALL_RULES,
        turn=SEPTEMBER + months,
    )
    game.act("france", "besiege i")
    game.act("france", "done")
    return game


@pytest.mark.eia("7.5.4.1")
def test_a_breach_needs_the_supply_value_of_the_city_and_three() -> None:
    game = besieged(guard("swabia", "austria", 3))
    assert game.open_question == ("france", "assault")
    assert breach_needed(game.tables, "swabia") == 5
    assert breach_modifier(game.state, "france", "swabia") == 1
    game.act("france", "answer yes", 3)
    assert not last(game, BreachRolled).breached
    assert "swabia" in game.state.campaign.sieges
    assert not game.state.questions


@pytest.mark.eia("7.5.4.1")
def test_each_month_of_a_siege_up_to_two_adds_one_to_the_roll() -> None:
    state = besieged(guard("swabia", "austria", 3)).state
    for months, modifier in ((0, 1), (1, 2), (2, 3), (3, 3)):
        campaign = replace(state.campaign, besieged_since={"swabia": state.turn - months})
        assert breach_modifier(replace(state, campaign=campaign), "france", "swabia") == modifier


@pytest.mark.eia("7.5.4.1")
def test_a_stormed_city_is_lost_with_all_in_it_and_garrisoned_anew() -> None:
    game = besieged(guard("swabia", "austria", 1), corps("m", "austria", "swabia", 1, inside=True))
    stormed(game, 6, 6, 1, 6, 1, 6, 1)
    assert last(game, AssaultFought)
    assert last(game, AssaultOver).taken_by == "france"
    assert "m" not in game.state.corps
    assert game.open_question == ("france", "occupy")
    game.act("france", "answer i:2")
    assert [one.power for one in game.state.garrisons if one.where == "swabia"] == ["france"]


@pytest.mark.eia("7.5.4.1")
def test_an_assault_can_be_beaten_off() -> None:
    game = besieged(guard("swabia", "austria", 10))
    stormed(game, 6, *(1, 6) * 3)
    assert last(game, AssaultOver).taken_by == ""
    assert game.state.corps["i"].factors.total < 20
    assert "swabia" in game.state.campaign.sieges


@pytest.mark.eia("7.5.4.2")
def test_besieged_corps_attack_their_besiegers_and_return_into_the_city() -> None:
    game = besieged(corps("m", "austria", "swabia", 6, inside=True), guard("swabia", "austria", 1))
    game.act("france", "answer no")
    for _ in range(12):
        if game.state.questions and (game.open_question or ("", ""))[1] == "sortie":
            break
        powers = game.state.cursor.powers
        game.act(powers[0], "done", *((1,) if game.state.cursor.step == "movement" else ()))
    assert game.open_question == ("austria", "sortie")
    game.act("austria", "answer yes")
    assert last(game, SortieDecided).attacks
    assert not last(game, Quartered).inside
    assert last(game, BattleBegan).battle.attacker.corps == ("m",)


@pytest.mark.eia("7.5.2.9.2")
def test_a_question_offers_only_what_differs() -> None:
    game = met(corps("i", "france", "black_forest", 16), corps("m", "austria", "black_forest", 16))
    fought(game, "assault", "defend", 4, 4, 4, 4, 4, 4)
    assert game.open_question is None or game.open_question[1] != "casualties"
