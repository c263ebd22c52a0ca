"""Playing pieces: how many a Power has, and how many are free.

Army and Naval Units of one strength are the two sides of one piece, and so are Interest and Influence (round) and
Protectorate and Possession (hexagonal).

Rules: SET-039, SET-042, SET-046, R-SET-07, R-SET-08
"""

from __future__ import annotations

from collections import Counter

import msgspec

from paxtui.pax.board.carried import changes
from paxtui.pax.board.status import EMPTY
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import Marker, Unit

UNLIMITED = 999
"""What is free where the option counter_limits = unlimited lifts the limits."""

_Counts = dict[str, Counter[str]]
_KNOWN: dict[int, tuple[Tables, State, _Counts]] = {}


def used(tables: Tables, state: State) -> _Counts:
    """Pieces on the map by Power and pool. The last count is carried on by what has changed since; not to be kept."""
    known = _KNOWN.pop(id(tables), None)  # a position that cannot be counted leaves no half count behind
    if known is None or known[0] is not tables:
        empty: _Counts = {p: Counter() for p in tables.powers}
        known = (tables, msgspec.structs.replace(state, areas={}, homes={}, sea_zones={}, at_sea={}, wars=()), empty)
    _, before, counts = known
    if before.areas is not state.areas:
        for old, new in changes(before.areas, state.areas):
            then, now = old or EMPTY, new or EMPTY
            if then.markers is not now.markers:
                _count_markers(tables, counts, then.markers, -1)
                _count_markers(tables, counts, now.markers, 1)
            if then.units is not now.units:
                _count_units(counts, then.units, -1)
                _count_units(counts, now.units, 1)
    if before.homes is not state.homes:
        for left, there in changes(before.homes, state.homes):
            _count_units(counts, left or (), -1)
            _count_units(counts, there or (), 1)
    if before.at_sea is not state.at_sea:
        for left, there in changes(before.at_sea, state.at_sea):
            _count_units(counts, left or (), -1)
            _count_units(counts, there or (), 1)
    if before.wars is not state.wars:
        for wars, sign in ((before.wars, -1), (state.wars, 1)):
            for prisoner in (p for war in wars for p in war.surrendered):
                if prisoner.power in counts:
                    counts[prisoner.power][str(prisoner.strength)] += sign
    if before.sea_zones is not state.sea_zones:
        for zones, sign in ((before.sea_zones, -1), (state.sea_zones, 1)):
            for fleets in zones.values():
                for power in fleets:
                    counts[power]["merchant_fleet"] += sign
    _KNOWN[id(tables)] = (tables, state, counts)
    return counts


def _count_markers(tables: Tables, counts: _Counts, markers: tuple[Marker, ...], sign: int) -> None:
    # a marker being upgraded within its pool is one piece turned over
    for power, pool in {(m.power, tables.markers[m.marker].pool) for m in markers}:
        if power in counts:
            counts[power][pool] += sign


def _count_units(counts: _Counts, units: tuple[Unit, ...], sign: int) -> None:
    for unit in units:
        if unit.power in counts:
            counts[unit.power][str(unit.strength)] += sign


def limit(tables: Tables, power: str, pool: str) -> int:
    """Pieces of a Power in a pool: round, hexagon, dominion, state, 10, 3, 1 or merchant_fleet."""
    pieces = tables.counters[power]
    named = {"10": pieces.tens, "3": pieces.threes, "1": pieces.ones}
    return named[pool] if pool in named else int(getattr(pieces, pool))


def free(tables: Tables, state: State, power: str, pool: str) -> int:
    """Pieces of a pool that are not on the map.

    Rules: SET-039, SET-042, SET-046
    """
    if state.options.counter_limits == "unlimited":
        return UNLIMITED
    return max(0, limit(tables, power, pool) - used(tables, state)[power][pool])


def limits_note(tables: Tables) -> str:
    """What is said behind a limit of pieces that is ours, not the printed game's."""
    return " (reconstructed limits)" if "counters" in tables.reconstructed else ""
