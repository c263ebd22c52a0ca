"""The naval reinforcement step (5.1)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.games.empires.events.sea import FleetRemoved
from paxtui.games.empires.pieces import Fleet, ShipsDue
from paxtui.games.empires.state import Minor
from tests.empires.conversation import Conversation
from tests.empires.land import corps
from tests.empires.sea import SUMMER, Sea, fleet, nelson, only

FRANCE = [("france",)]


def _due(ships: int, *counters: str, nation: str = "france", turn: int = SUMMER) -> ShipsDue:
    """French ships and counters of thirty ships at most."""
    made = tuple(replace(fleet(name, "toulon", 0), nation="" if nation == "france" else nation) for name in counters)
    return ShipsDue(turn=turn, power="france", nation=nation, ships=ships, fleets=made)


def _yard(*fleets: Fleet, due: tuple[ShipsDue, ...] = (), **more: Any) -> Sea:
    return Sea(*fleets, step="navy", groups=FRANCE, shipyard=due, **more)


@pytest.mark.eia("5.1")
def test_spain_comes_first_and_britain_last() -> None:
    game = Conversation("channel-1805")
    seats = []
    while game.standing["step"] == "navy":
        seats += game.standing["waiting"]
        game.done()
    assert seats == ["spain", "france", "great_britain"]


@pytest.mark.eia("5.1.1", "5.1.1a")
def test_a_new_counter_comes_to_a_home_port_with_a_ship_at_least() -> None:
    sea = _yard(due=(_due(4, "fr9"),), access=(("spain", "france"),))
    assert sea.refused("france", "launch fr9 at cadiz ships 2") == ("no_base", ("EIA 5.1.1",))
    assert sea.refused("france", "launch fr9 at brest") == ("empty", ("EIA 5.1.1",))
    assert sea.refused("france", "launch fr9 at brest ships 5") == ("not_due", ("EIA 5.1.2",))
    sea.act("france", "launch fr9 at brest ships 3")
    assert (sea.place("fr9"), sea.state.fleets["fr9"].ships) == ("brest", 3)
    assert sea.state.shipyard[0].ships == 1
    assert sea.state.shipyard[0].fleets == ()


@pytest.mark.eia("5.1.1", "5.1.1a")
def test_new_counter_comes_to_a_fleet_that_gives_it_ships() -> None:
    sea = _yard(fleet("fr1", "atlantic", 8), due=(_due(4, "fr9"),))
    assert sea.refused("france", "launch fr9 at atlantic ships 2")[0] == "no_base"  # new ships do not come at sea
    sea.act("france", "launch fr9 at atlantic ships 2 from fr1")
    assert (sea.state.fleets["fr9"].ships, sea.state.fleets["fr1"].ships) == (2, 6)


@pytest.mark.eia("5.1.2")
def test_ships_come_to_fleets_in_home_ports_whether_blockaded_or_not() -> None:
    sea = _yard(fleet("fr1", "brest"), fleet("fr2", "atlantic"), fleet("gb1", "off_brest"), due=(_due(4),))
    assert sea.refused("france", "commission 1 ships into fr2") == ("no_base", ("EIA 5.1.2",))
    sea.act("france", "commission 3 ships into fr1")
    assert sea.state.fleets["fr1"].ships == 13
    assert sea.refused("france", "commission 2 ships into fr1")[0] == "not_due"


@pytest.mark.eia("5.1.2")
def test_a_port_that_is_lost_builds_nothing_and_a_conquered_minor_does() -> None:
    lost = _yard(fleet("fr1", "brest"), due=(_due(4),), control={"brest": "great_britain"}, wars=())
    assert lost.refused("france", "commission 1 ships into fr1")[0] == "no_base"
    minors = (Minor(id="portugal", status="conquered", controller="france"),)
    conquered = _yard(fleet("fr1", "lisbon"), due=(_due(4),), minors=minors)
    conquered.act("france", "commission 1 ships into fr1")
    free = _yard(
        fleet("fr1", "lisbon"), due=(_due(4),), minors=(Minor(id="portugal", status="free", controller="france"),)
    )
    assert free.refused("france", "commission 1 ships into fr1")[0] == "no_base"


@pytest.mark.eia("5.1.2a")
def test_no_fleet_holds_more_than_its_counter() -> None:
    sea = _yard(fleet("fr1", "brest", 8, most=10), fleet("fr2", "brest", 5), due=(_due(4),))
    assert sea.refused("france", "commission 3 ships into fr1") == ("full", ("EIA 5.1.2",))
    assert sea.refused("france", "shift 3 ships from fr2 to fr1")[0] == "full"
    sea.act("france", "commission 2 ships into fr1")


@pytest.mark.eia("5.1.2b")
def test_unplaced_ships_remain_available_but_not_before_their_month() -> None:
    late = _yard(fleet("fr1", "brest"), due=(_due(4, turn=SUMMER - 2),))
    late.act("france", "commission 4 ships into fr1")
    early = _yard(fleet("fr1", "brest"), due=(_due(4, turn=SUMMER + 1),))
    assert early.refused("france", "commission 1 ships into fr1")[0] == "not_due"


@pytest.mark.eia("5.1.2c")
def test_ships_of_a_free_state_come_to_its_own_ports() -> None:
    due = (_due(3, nation="holland"),)
    at_home = _yard(fleet("du1", "texel"), due=due)
    at_home.act("france", "commission 3 ships into du1")
    abroad = _yard(fleet("du1", "brest"), fleet("fr1", "texel"), due=due)
    assert abroad.refused("france", "commission 3 ships into du1")[0] == "no_base"
    assert abroad.refused("france", "commission 3 ships into fr1")[0] == "no_base"


@pytest.mark.eia("5.1.3")
def test_ships_pass_between_fleets_that_lie_together() -> None:
    sea = _yard(fleet("fr1", "brest", 8), fleet("fr2", "brest", 5), fleet("fr3", "toulon"))
    assert sea.refused("france", "shift 2 ships from fr1 to fr3") == ("apart", ("EIA 5.1.3",))
    assert sea.refused("france", "shift 9 ships from fr1 to fr2")[0] == "no_ships"
    sea.act("france", "shift 2 ships from fr1 to fr2")
    assert (sea.state.fleets["fr1"].ships, sea.state.fleets["fr2"].ships) == (6, 7)


@pytest.mark.eia("5.1.3a")
def test_nations_keep_their_ships() -> None:
    sea = _yard(fleet("fr1", "texel"), fleet("du1", "texel"))
    assert sea.refused("france", "shift 1 ships from du1 to fr1") == ("foreign", ("EIA 5.1.3",))


@pytest.mark.eia("5.1.3b", "6.3.6")
def test_an_emptied_counter_leaves_the_map_for_nothing() -> None:
    sea = _yard(fleet("fr1", "brest", 8), fleet("fr2", "brest", 5))
    events = sea.act("france", "shift 5 ships from fr2 to fr1")
    assert only(events, FleetRemoved).why == "emptied"
    assert (set(sea.state.fleets), sea.state.fleets["fr1"].ships, sea.points("france")) == ({"fr1"}, 13, 0)


@pytest.mark.eia("5.1.4", "5.1.4.1")
def test_scuttled_fleet_is_removed_and_costs_a_point_if_it_had_ships() -> None:
    sea = _yard(fleet("fr1", "brest", 8), fleet("fr2", "brest", 0))
    sea.act("france", "scuttle fr2")
    assert sea.refused("france", "scuttle fr2")[0] == "no_fleet"
    assert sea.points("france") == 0
    sea.act("france", "scuttle fr1")
    assert (sea.state.fleets, sea.points("france")) == ({}, -1)


@pytest.mark.eia("5.1.4")
def test_no_fleet_with_a_corps_or_an_admiral_is_scuttled() -> None:
    sea = _yard(fleet("fr1", "brest", cargo=("ney",)), troops=[corps("ney", "france", "", 10)])
    assert sea.refused("france", "scuttle fr1")[0] == "aboard"
    british = Sea(
        fleet("gb1", "cork"), fleet("gb2", "cork"), step="navy", groups=[("great_britain",)], leaders=[nelson("gb1")]
    )
    british.act("great_britain", "scuttle gb1")
    assert british.state.leaders["nelson"].where == "gb2"
    assert british.refused("great_britain", "scuttle gb2")[0] == "aboard"


@pytest.mark.eia("5.1.4.2")
def test_a_fleet_of_a_minor_country_is_not_scuttled_here() -> None:
    assert _yard(fleet("du1", "texel")).refused("france", "scuttle du1") == ("minor_fleet", ("EIA 5.1.4.2",))


@pytest.mark.eia("5.1.4.3")
def test_what_was_scuttled_does_not_come_back_without_being_bought() -> None:
    sea = _yard(fleet("fr1", "brest"), due=(_due(3),))
    sea.act("france", "scuttle fr1")
    code, rules = sea.refused("france", "launch fr1 at brest ships 1")
    assert (code, "EIA 5.1.4.3" in rules) == ("not_due", True)
    assert "commission 3 ships into fr1" not in sea.menu("france")
