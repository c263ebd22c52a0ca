"""Coaling Rights: the Sea and Cape Zones in which the fleets of a Power can be kept supplied.

Rules: WMV-021 to WMV-026, WMV-028, WMV-029, SUP-007, SUP-019, SUP-025 (R-WMV-04, R-WMV-05, R-SUP-01)
"""

from __future__ import annotations

from paxtui.pax.board.neighbours import board
from paxtui.pax.board.status import at
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, INFLUENCE
from paxtui.pax.state.war import War
from paxtui.pax.war.alliances import allies


def gives(state: State, war: War, power: str, area: str) -> bool:
    """Whether an Area gives Coaling Rights to the Alliance of a Power.

    A marker of the Alliance that the enemy has not conquered, an Area it has conquered, or one volunteered to it.

    Rules: WMV-022 to WMV-026, SUP-007 (R-WMV-04, R-WMV-05)
    """
    side = war.side_of(power)
    conqueror = war.conqueror(area)
    if conqueror:
        return conqueror == side
    own = allies(war, power)
    if any(m.power in own and m.established and m.marker in (*CONTROL, INFLUENCE) for m in at(state, area).markers):
        return True
    return any(c.area == area and c.to == side for c in war.coaling)


def rights(tables: Tables, state: State, war: War, power: str) -> frozenset[str]:
    """The Sea and Cape Zones in which a Power has Coaling Rights.

    Rules: WMV-021 to WMV-026, WMV-028, WMV-029
    """
    map_ = board(tables, state)
    found = set(map_.zones_of.get(HOME + power, ()))
    for area in tables.areas:
        if gives(state, war, power, area):
            found.update(map_.zones_of[area])
    found.update(cape.id for cape in tables.capes.values() if found.intersection(cape.adjacent))
    return frozenset(found)
