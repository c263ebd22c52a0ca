"""Playing pieces: how many a Power has, and how many are free.

Army and Naval Units of one strength are the two sides of one piece, and so are Interest and Influence (round) and
Protectorate and Possession (hexagonal).

Rules: SET-039, SET-042, SET-046, R-SET-07, R-SET-08
"""

from __future__ import annotations

from collections import Counter

from paxtui.pax.model import State
from paxtui.pax.tables import Tables

UNLIMITED = 999
"""What is free where the option counter_limits = unlimited lifts the limits."""

_KNOWN: dict[int, tuple[object, object, object, dict[str, Counter[str]]]] = {}


def used(tables: Tables, state: State) -> dict[str, Counter[str]]:
    """Pieces on the map by Power and pool. Counted once for each set of maps."""
    known = _KNOWN.get(id(tables))
    if known and known[0] is state.areas and known[1] is state.homes and known[2] is state.sea_zones:
        return known[3]
    counts: dict[str, Counter[str]] = {p: Counter() for p in tables.powers}
    for here in state.areas.values():
        # a marker being upgraded within its pool is one piece turned over
        for power, pool in {(m.power, tables.markers[m.marker].pool) for m in here.markers}:
            if power in counts:
                counts[power][pool] += 1
        for unit in here.units:
            if unit.power in counts:
                counts[unit.power][str(unit.strength)] += 1
    for units in state.homes.values():
        for unit in units:
            counts[unit.power][str(unit.strength)] += 1
    for fleets in state.sea_zones.values():
        for power in fleets:
            counts[power]["merchant_fleet"] += 1
    _KNOWN[id(tables)] = (state.areas, state.homes, state.sea_zones, counts)
    return counts


def limit(tables: Tables, power: str, pool: str) -> int:
    """Pieces of a Power in a pool: round, hexagon, dominion, state, 10, 3, 1 or merchant_fleet."""
    pieces = tables.counters[power]
    named = {"10": pieces.tens, "3": pieces.threes, "1": pieces.ones}
    return named[pool] if pool in named else int(getattr(pieces, pool))


def free(tables: Tables, state: State, power: str, pool: str) -> int:
    """Pieces of a pool that are not on the map.

    Rules: SET-039, SET-042, SET-046
    """
    if state.options.get("counter_limits") == "unlimited":
        return UNLIMITED
    return max(0, limit(tables, power, pool) - used(tables, state)[power][pool])
