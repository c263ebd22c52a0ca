"""Besieged cities live on what they have (EIA 7.4.5)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.games.empires.events.land import Foraged
from tests.empires.land import Piece, corps, field, guard, leader, power_at, tables
from tests.empires.scripted_game import ScriptedGame, war


def shut_in(*pieces: Piece, until: str = "movement") -> ScriptedGame:
    """Austrians in Munich, besieged by the French; the Austrian step before supply."""
    game = field(corps("i", "france", "munich"), *pieces)
    game.state = replace(game.state, campaign=replace(game.state.campaign, sieges={"munich": "france"}))
    for _ in range(10):
        if game.state.cursor.powers == ("austria",) and game.state.cursor.step == until:
            return game
        dice = (1,) if game.state.cursor.step == "movement" else ()
        game.act(game.state.cursor.powers[0], "done", *dice)
    raise AssertionError("Austria does not come")


@pytest.mark.eia("7.4.5")
def test_the_supply_value_of_the_city_counts_and_no_other_modifier() -> None:
    game = shut_in(guard("munich", "austria", 4))
    game.act("austria", "done", 5)
    roll = game.events_of(Foraged)[-1]
    assert (roll.value, roll.die, roll.modifiers, roll.loss) == (3, 5, (), 2)
    assert [one.factors.total for one in game.state.garrisons] == [2]


@pytest.mark.eia("7.4.5.1")
def test_five_to_nine_factors_add_one_whether_in_a_corps_or_not() -> None:
    game = shut_in(guard("munich", "austria", 2), corps("m", "austria", "munich", 3, inside=True))
    game.act("austria", "done", 3)
    roll = game.events_of(Foraged)[-1]
    assert (dict(roll.modifiers), roll.loss) == ({"factors in the city": 1}, 1)


@pytest.mark.eia("7.4.5.2")
def test_with_the_last_factor_leaders_are_taken_and_the_city_can_be_garrisoned() -> None:
    game = shut_in(corps("m", "austria", "munich", 2, inside=True), leader("mack", "austria", "m"))
    game.act("austria", "done", 6)
    assert "m" not in game.state.corps
    assert (game.state.leaders["mack"].where, game.state.leaders["mack"].captor) == ("", "france")
    assert game.open_question == ("france", "occupy")
    game.act("france", "answer i:2")
    assert [(one.where, one.power, one.factors.total) for one in game.state.garrisons] == [("munich", "france", 2)]
    assert not game.state.campaign.sieges


@pytest.mark.eia("7.4.5.2a")
def test_an_unbesieged_corps_in_a_city_forages_on_the_area() -> None:
    game = field(corps("m", "austria", "vienna", inside=True))
    power_at(game, "austria", "movement").act("austria", "forage m", 1)
    assert game.events_of(Foraged)[0].value == 5


@pytest.mark.eia("7.4.5.3")
def test_besieger_has_no_unused_movement_points() -> None:
    game = field(corps("i", "france", "augsburg"), guard("munich", "austria"), at="movement")
    game.acts("france: march i to munich", "france: besiege i")
    game.act("france", "forage i", 2)
    assert "unused movement points" not in dict(game.events_of(Foraged)[0].modifiers)


@pytest.mark.eia("7.4.5")
def test_the_besieged_neither_forage_nor_pay() -> None:
    game = shut_in(corps("m", "austria", "munich", 4, inside=True))
    assert game.refused("austria", "forage m") == "besieged"
    game.act("austria", "done", 1)
    assert game.state.accounts["austria"].money == 20


@pytest.mark.eia("7.4.5.1")
def test_a_city_with_two_powers_is_rolled_for_once() -> None:
    three = tables(powers=("france", "austria", "prussia"), prizes={}, minors=())
    three = replace(three, cells={**three.cells, "depots.prussia": next(iter(three.cells.values()))})
    wars = (war("austria", "france"), war("france", "prussia"))
    pieces = (corps("i", "france", "munich"), guard("munich", "austria", 3), guard("munich", "prussia", 3))
    game = field(*pieces, on=three, relations=wars)
    game.state = replace(game.state, campaign=replace(game.state.campaign, sieges={"munich": "france"}))
    power_at(game, "austria", "movement")
    game.act("austria", "done", 5)
    for power in game.waiting:
        game.act(power, "done")
    rolls = [event for event in game.events_of(Foraged) if not event.corps]
    assert [(dict(one.modifiers), one.loss) for one in rolls] == [({"factors in the city": 1}, 3)]
    assert sorted(one.factors.total for one in game.state.garrisons) == [1, 2]


@pytest.mark.eia("7.4.5.2", "7.4.1.3.3")
def test_the_leader_of_a_corps_that_hunger_takes_goes_to_another_corps_of_the_city() -> None:
    starving = (corps(name, "austria", "munich", factors, inside=True) for name, factors in (("m", 1), ("n", 4)))
    game = shut_in(*starving, leader("mack", "austria", "m"))
    game.act("austria", "done", 4)
    assert set(game.state.corps) == {"i", "n"}
    assert (game.state.leaders["mack"].where, game.state.leaders["mack"].captor) == ("n", "")
