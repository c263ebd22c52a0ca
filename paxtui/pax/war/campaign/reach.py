"""What the Armies of a Power could reach, given time: whatever stands in the way, and wherever fleets find coal.

Rules: SUP-016, SUP-017, WEN-040, WEN-052, WEN-053 (R-SUP-03, R-WEN-04, R-WEN-05)
"""

from __future__ import annotations

from paxtui.pax.board.neighbours import board
from paxtui.pax.board.remembered import MadeOf, remembered
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY
from paxtui.pax.state.war import War
from paxtui.pax.war import empire
from paxtui.pax.war.campaign import ways
from paxtui.pax.war.campaign.lines import sailed
from paxtui.pax.war.campaign.maneuver import may_enter, open_area


def _reach_of(tables: Tables, state: State, war: War, power: str) -> MadeOf:
    return (power,), (tables, state.areas, state.homes, state.at_sea, state.sea_zones, war, board(tables, state))


@remembered(most=64, by=_reach_of)
def reach(tables: Tables, state: State, war: War, power: str) -> frozenset[str]:
    """The places that some Army Unit of a Power could come to in a War, where they stand now among them.

    Overland through Areas that it may enter, and through Sea and Cape Zones that its own Merchant Fleets serve. The
    Armies of an Empire keep to its own Areas.

    Rules: SUP-017, REB-014 (R-SUP-03)
    """
    map_, seas, sea = board(tables, state), ways.seas(tables, state, war, power), sailed(tables, state, power)
    imperial = power in empire.EMPIRES
    land = empire.roams(tables, state, war) if imperial else enterable(tables, state, war)
    found = set(armies(tables, state).get(power, ()))
    todo = list(found)
    while todo:
        place = todo.pop()
        if place in seas:
            beside = (*seas[place], *map_.coast_of.get(place, ()))
        else:
            beside = (*map_.routes.get(place, ()), *map_.zones_of.get(place, ()))
        for other in beside:
            if other in found:
                continue
            home = other.startswith(HOME) and may_enter(tables, state, war, power, other)
            if home or other in sea or other in land:
                found.add(other)
                todo.append(other)
    return frozenset(found)


def _areas_of(tables: Tables, state: State, war: War) -> MadeOf:
    return (), (tables, state.areas, war)


@remembered(most=8, by=_areas_of)
def enterable(tables: Tables, state: State, war: War) -> frozenset[str]:
    """The Areas that Armies may enter in a War.

    Rules: WMV-015, WMV-032 (R-WMV-02)
    """
    return frozenset(area for area in state.areas if open_area(tables, state, war, area))


def _units_of(tables: Tables, state: State) -> MadeOf:
    return (), (state.areas, state.homes, state.at_sea)


@remembered(most=8, by=_units_of)
def armies(tables: Tables, state: State) -> dict[str, tuple[str, ...]]:
    """Where each Power has Army Units, at home and at sea too."""
    places = (
        *((area, here.units) for area, here in state.areas.items()),
        *state.at_sea.items(),
        *((HOME + country, units) for country, units in state.homes.items()),
    )
    found: dict[str, list[str]] = {}
    for place, units in places:
        for power in {u.power for u in units if u.kind == ARMY}:
            found.setdefault(power, []).append(place)
    return {power: tuple(where) for power, where in found.items()}


def could_reach(tables: Tables, state: State, war: War, side: int, place: str) -> bool:
    """Whether the Armies of some Power of an Alliance could come to a place.

    Rules: SUP-016, SUP-017 (R-SUP-03)
    """
    return any(place in reach(tables, state, war, power) for power in war.alliance(side))
