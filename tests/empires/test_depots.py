"""The depot step: what depots cost and where they go (EIA 7.2)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.games.empires.state import Minor
from tests.empires.land import corps, depot, field, guard, power_at, tables
from tests.empires.scripted_game import ScriptedGame, alliance, war


def places(game: ScriptedGame, power: str) -> set[str]:
    """Where a Power has depots."""
    return {one.where for one in game.state.depots if one.power == power}


@pytest.mark.eia("7.2")
def test_every_depot_costs_a_point_even_one_removed_in_the_same_step() -> None:
    game = field(depot("alsace", "france"), money=2)
    game.acts("france: remove depot alsace", "france: depot alsace")
    assert game.state.accounts["france"].money == 1
    game.acts("france: remove depot alsace", "france: depot alsace")
    assert game.state.accounts["france"].money == 0
    assert game.refused("france", "depot franconia") == "no_money"


@pytest.mark.eia("7.2a")
def test_the_garrison_of_a_removed_depot_goes_into_the_city_as_far_as_there_is_room() -> None:
    game = field(depot("alsace", "france"), guard("alsace", "france", 4, of_depot=True), guard("alsace", "france", 13))
    game.act("france", "remove depot alsace")
    assert [(one.of_depot, one.factors.total) for one in game.state.garrisons] == [(False, 15)]


@pytest.mark.eia("7.2a")
def test_without_a_city_the_garrison_of_a_removed_depot_is_lost() -> None:
    game = field(depot("black_forest", "france"), guard("black_forest", "france", 4, of_depot=True))
    game.act("france", "remove depot black_forest")
    assert not game.state.garrisons


@pytest.mark.eia("7.2b")
def test_there_are_no_more_depots_than_counters() -> None:
    there = [depot(area, "france") for area in ("alsace", "baden", "wurttemberg", "franconia", "ansbach", "munich")]
    game = field(*there)
    assert game.refused("france", "depot upper_palatinate") == "no_depot"
    game.acts("france: remove depot munich", "france: depot upper_palatinate")


@pytest.mark.eia("7.2c")
def test_no_depot_in_the_area_of_an_enemy_corps_without_an_own_corps() -> None:
    foe = corps("mack", "austria", "franconia")
    assert field(foe).refused("france", "depot franconia") == "enemy_there"
    field(foe, corps("i", "france", "franconia")).act("france", "depot franconia")
    cossack = corps("platov", "austria", "franconia", 1, kind="cossack")
    assert field(cossack).refused("france", "depot franconia") == "enemy_there"


@pytest.mark.eia("7.2d")
def test_an_area_holds_one_depot() -> None:
    game = field(depot("alsace", "france"))
    assert game.refused("france", "depot alsace") == "depot_there"


@pytest.mark.eia("7.2.1")
def test_a_depot_goes_with_a_friendly_unbesieged_city_at_home() -> None:
    game = field(corps("i", "france", "black_forest"))
    game.act("france", "depot alsace")
    assert places(game, "france") == {"alsace"}
    assert game.refused("france", "depot black_forest") == "no_chain", "no city there"
    held = field(control={"alsace": "austria"})
    assert held.refused("france", "depot alsace") == "no_chain"


@pytest.mark.eia("7.2.1")
def test_a_depot_is_not_placed_with_a_besieged_city() -> None:
    game = field(guard("alsace", "france"), corps("mack", "austria", "alsace"), corps("i", "france", "alsace"))
    game.state = replace(game.state, campaign=replace(game.state.campaign, sieges={"alsace": "austria"}))
    assert game.refused("france", "depot alsace") == "no_chain"


@pytest.mark.eia("7.2.3")
def test_a_depot_continues_a_chain_within_two_unblocked_areas() -> None:
    game = field(depot("ansbach", "france"), corps("i", "france", "budweis"))
    game.act("france", "depot budweis")
    far = field(depot("franconia", "france"), corps("i", "france", "prague"))
    assert far.refused("france", "depot prague") == "no_chain"
    foe = corps("mack", "austria", "pilsen")
    shut = field(depot("ansbach", "france"), corps("i", "france", "prague"), foe)
    assert shut.refused("france", "depot prague") == "no_chain"


@pytest.mark.eia("7.2.3")
def test_a_depot_of_this_month_carries_no_other() -> None:
    game = field(depot("alsace", "france"), corps("i", "france", "vorarlberg"), corps("ii", "france", "tyrol"))
    game.state = replace(game.state, depots=(depot("swabia", "france", since=game.state.turn),))
    assert game.refused("france", "depot tyrol") == "no_chain"
    game.state = replace(game.state, depots=(depot("swabia", "france", since=game.state.turn - 1),))
    game.act("france", "depot tyrol")


@pytest.mark.eia("7.2.3.3.1")
def test_abroad_a_depot_needs_war_access_or_an_alliance() -> None:
    neutral = tables(minors=(Minor(id="bavaria"), Minor(id="baden", status="free", controller="france")))
    game = field(depot("wurttemberg", "france"), corps("i", "france", "ansbach"), on=neutral)
    assert game.refused("france", "depot ansbach") == "neutral"
    at_war = field(
        depot("wurttemberg", "france"),
        corps("i", "france", "ansbach"),
        on=neutral,
        relations=(war("austria", "france"), war("france", "bavaria", 2)),
    )
    at_war.act("france", "depot ansbach")


@pytest.mark.eia("7.2.3.3.1")
def test_in_the_land_of_a_power_a_depot_needs_its_leave() -> None:
    three = tables(
        powers=("france", "austria", "prussia"), prizes={}, minors=(Minor(id="baden", controller="prussia"),)
    )
    pieces = (depot("alsace", "france"), corps("i", "france", "wurttemberg"))
    cell = next(iter(three.cells.values()))
    three = replace(three, cells={**three.cells, "depots.prussia": cell})
    game = field(*pieces, on=three)
    assert game.refused("france", "depot wurttemberg") == "no_access"
    field(*pieces, on=three, access=(("prussia", "france"),)).act("france", "depot wurttemberg")
    field(*pieces, on=three, relations=(alliance("france", "prussia"),)).act("france", "depot wurttemberg")


@pytest.mark.eia("7.2.3.3.2")
def test_outside_its_territory_a_power_needs_a_corps_there() -> None:
    game = field(depot("munich", "france"))
    assert game.refused("france", "depot tyrol") == "no_corps"
    field(depot("munich", "france"), corps("i", "france", "tyrol")).act("france", "depot tyrol")


@pytest.mark.eia("7.2")
def test_the_second_power_has_its_own_step() -> None:
    game = power_at(field(money=3), "austria", "depots")
    game.act("austria", "depot vienna")
    assert game.state.accounts["austria"].money == 2
    assert game.refused("france", "depot alsace") == "not_your_step"
