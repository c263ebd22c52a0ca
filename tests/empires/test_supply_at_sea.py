"""Supply across the sea: ports, invasion depots, besieged ports (EIA 7.4.3, 7.4.4)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.games.empires.events.land import Foraged
from paxtui.games.empires.supply_lines import invasion_depots, is_supplied_from_sea, valid_chain
from paxtui.games.empires.tables import Border
from tests.empires.land import DECEMBER, PORTS, WAYS, Piece, coast, corps, depot, fleet, guard
from tests.empires.scripted_game import ScriptedGame, alliance, war

PAIR = (depot("brest", "france"), depot("ancona", "france"))
IN_PORT = fleet("f1", "france", "brest", "port")


def linked(*pieces: Piece, **changes: Any) -> bool:
    """Whether sea supply reaches the hills behind Ancona, whose own source is cut out by making it Austrian land."""
    areas = tuple(replace(area, owner="austria") if area.id == "ancona" else area for area in PORTS)
    areas = changes.pop("areas", areas)
    game = coast(*pieces, areas=areas, control={"ancona": "france"}, **changes)
    return "ancona" in valid_chain(game.tables, game.state, "france")


@pytest.mark.eia("7.4.3.1")
def test_depots_in_two_ports_are_linked_where_a_fleet_lies_in_the_port_that_traces_to_a_source() -> None:
    assert linked(*PAIR, IN_PORT)
    assert not linked(*PAIR)
    assert not linked(PAIR[1], IN_PORT)
    assert not linked(*PAIR, fleet("f1", "france", "brest", "blockade"))
    assert not linked(*PAIR, fleet("f1", "france", "ancona", "port")), "Ancona itself traces to no source"


@pytest.mark.eia("7.4.3.2")
def test_only_a_blockade_cuts_sea_supply() -> None:
    assert linked(*PAIR, IN_PORT, fleet("a1", "austria", "biscay"), fleet("a2", "austria", "adriatic"))
    for port in ("brest", "ancona"):
        assert not linked(*PAIR, IN_PORT, fleet("a1", "austria", port, "blockade"))


@pytest.mark.eia("7.4.3.3")
def test_it_passes_straits_with_leave_and_no_ice_in_winter() -> None:
    ways = (
        *(way for way in WAYS if {way.a, way.b} != {"biscay", "adriatic"}),
        Border(a="biscay", b="straits"),
        Border(a="straits", b="adriatic"),
    )
    assert not linked(*PAIR, IN_PORT, ways=ways)
    assert linked(*PAIR, IN_PORT, ways=ways, access=(("austria", "france"),))
    iced = tuple(
        replace(area, winter=True)
        if area.id == "biscay"
        else replace(area, owner="austria")
        if area.id == "ancona"
        else area
        for area in PORTS
    )
    assert linked(*PAIR, IN_PORT, areas=iced)
    assert not linked(*PAIR, IN_PORT, areas=iced, turn=DECEMBER)


def shut_in(*pieces: Piece, depots: tuple[Piece, ...] = (depot("ancona", "france", inside=True),)) -> ScriptedGame:
    """A French garrison besieged in Ancona, in France's movement step."""
    game = coast(
        guard("ancona", "france", 2), corps("m", "austria", "ancona"), depot("brest", "france"), *depots, *pieces
    )
    game.state = replace(game.state, campaign=replace(game.state.campaign, sieges={"ancona": "austria"}))
    game.act("france", "done")
    return game


@pytest.mark.eia("7.4.3.4.1", "7.4.2.1.2")
def test_a_besieged_port_lives_on_sea_supply_at_half_a_point() -> None:
    game = shut_in(IN_PORT)
    game.act("france", "done")
    assert game.state.accounts["france"].money == 19
    assert not game.events_of(Foraged)


@pytest.mark.eia("7.4.3.4.1", "7.4.5")
def test_without_a_depot_in_it_the_city_lives_on_what_it_has() -> None:
    game = shut_in(IN_PORT, depots=())
    game.act("france", "done", 1)
    assert game.events_of(Foraged)
    assert game.state.accounts["france"].money == 20


@pytest.mark.eia("7.4.2.1.2", "7.4.4")
def test_a_besieged_port_on_an_invasion_depot_costs_a_point() -> None:
    game = shut_in(fleet("f2", "france", "adriatic"), depots=(depot("f2", "france"),))
    game.act("france", "done")
    assert game.state.accounts["france"].money == 19
    assert not game.events_of(Foraged)


@pytest.mark.eia("7.4.3.4.4")
def test_a_depot_in_a_port_city_is_lost_with_the_last_sea_supply_source() -> None:
    game = shut_in(fleet("a1", "austria", "ancona", "blockade"), IN_PORT)
    game.act("france", "done", 1)
    assert [one.where for one in game.state.depots] == ["brest"]


@pytest.mark.eia("7.4.3.4.3")
def test_a_depot_comes_out_when_the_siege_is_over_and_destroys_an_enemys() -> None:
    pieces = (guard("ancona", "france", 2), depot("ancona", "france", inside=True), depot("ancona", "austria"))
    game = coast(*pieces, depot("brest", "france"), IN_PORT, at="movement")
    game.act("france", "done")
    assert {(one.power, one.inside) for one in game.state.depots if one.where == "ancona"} == {("france", False)}


@pytest.mark.eia("7.4.3.4.5")
def test_a_depot_goes_with_the_forces_in_the_city() -> None:
    game = coast(depot("ancona", "france", inside=True), depot("brest", "france"), IN_PORT, at="movement")
    game.act("france", "done")
    assert [one.where for one in game.state.depots] == ["brest"]


@pytest.mark.eia("7.4.4")
def test_a_depot_on_a_fleet_supplies_the_shores_around_it_at_the_price_of_one_area() -> None:
    pieces = (depot("brest", "france"), depot("f2", "france"), fleet("f2", "france", "adriatic"))
    game = coast(*pieces, corps("i", "france", "island"), corps("j", "france", "hills"), at="movement")
    chain = valid_chain(game.tables, game.state, "france")
    shores = [
        area
        for area in ("island", "trieste", "ancona", "hills")
        if is_supplied_from_sea(game.tables, game.state, "france", area, chain)
    ]
    assert shores == ["island", "trieste", "ancona"]
    game.act("france", "done", 1)
    assert game.state.accounts["france"].money == 19
    assert [event.corps for event in game.events_of(Foraged)] == ["j"]


@pytest.mark.eia("7.4.4.1", "7.4.4.6")
def test_it_needs_an_open_port_of_a_valid_chain_and_leave_for_straits() -> None:
    pieces = (depot("brest", "france"), depot("f2", "france"))
    at_sea = fleet("f2", "france", "adriatic")

    def works(*more: Piece, **changes: Any) -> bool:
        game = coast(*pieces, *more, **changes)
        chain = valid_chain(game.tables, game.state, "france")
        return bool(invasion_depots(game.tables, game.state, "france", chain))

    assert works(at_sea)
    assert not works(at_sea, fleet("a1", "austria", "brest", "blockade"))
    assert not works(at_sea, control={"brest": "austria"})
    in_straits = fleet("f2", "france", "straits")
    ways = (*WAYS, Border(a="biscay", b="straits"))
    assert not works(in_straits, ways=ways)
    assert works(in_straits, ways=ways, access=(("austria", "france"),))


@pytest.mark.eia("7.4.4.2")
def test_it_is_lost_when_the_fleet_moves() -> None:
    game = coast(depot("brest", "france"), fleet("f2", "france", "adriatic"))
    game.act("france", "depot f2")
    gone = replace(game.state.fleets["f2"], where="biscay")
    game.state = replace(game.state, fleets={"f2": gone})
    game.act("france", "done")
    assert [one.where for one in game.state.depots] == ["brest"]


@pytest.mark.eia("7.4.4.3")
def test_it_is_no_link_of_a_chain() -> None:
    game = coast(
        depot("brest", "france"), depot("f2", "france"), fleet("f2", "france", "adriatic"), depot("island", "france")
    )
    assert valid_chain(game.tables, game.state, "france") == {"brest": 1}


@pytest.mark.eia("7.4.4.4")
def test_a_sea_area_holds_one() -> None:
    game = coast(
        depot("brest", "france"),
        depot("f2", "france"),
        fleet("f2", "france", "adriatic"),
        fleet("f3", "france", "adriatic"),
    )
    assert game.refused("france", "depot f3") == "depot_there"


@pytest.mark.eia("7.4.4.5")
def test_no_depot_on_a_fleet_beyond_the_ice_in_winter() -> None:
    iced = tuple(replace(area, winter=True) if area.id == "adriatic" else area for area in PORTS)
    pieces = (depot("brest", "france"), fleet("f2", "france", "adriatic"))
    coast(*pieces, areas=iced).act("france", "depot f2")
    assert coast(*pieces, areas=iced, turn=DECEMBER).refused("france", "depot f2") == "no_chain"


@pytest.mark.eia("7.4.3.1")
def test_fleet_of_an_ally_carries_sea_supply() -> None:
    ally = fleet("g1", "great_britain", "brest", "port")
    assert not linked(*PAIR, ally)
    assert linked(*PAIR, ally, relations=(alliance("france", "great_britain"), war("austria", "france")))
