"""Status markers, holdings, seats of Powers, and playing pieces.

Army and Naval Units of one strength are two sides of one piece. So are Interest and Influence (round), and Protectorate
and Possession (hexagonal).

Rules: SET-039, SET-042, SET-045, SET-046, SET-048, SET-076, SET-082, COD-001, COD-005, R-SET-07, R-SET-08
"""

from __future__ import annotations

from collections import Counter, defaultdict

import msgspec

from paxtui.games.pax.board.adjacency import area_type
from paxtui.games.pax.board.caching import cached, changed_values, first_alike
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import EMPTY_AREA, State
from paxtui.games.pax.state.pieces import ARMY, CONTROL, INFLUENCE, INTEREST, LEVEL, AreaState, Marker, Unit


def _are_markers_alike(then: AreaState, here: AreaState) -> bool:
    return then.markers is here.markers and then.type == here.type


marked_areas = first_alike(4, _are_markers_alike)
"""Return the first of recent Areas with the same markers and types, by which to cache what depends only on these."""


def area_state(state: State, area: str) -> AreaState:
    """Return the contents of an Area."""
    return state.areas.get(area, EMPTY_AREA)


def established(state: State, area: str, power: str) -> Marker | None:
    """Return the Power's established marker: its Status in the Area (SET-082)."""
    for m in state.areas.get(area, EMPTY_AREA).markers:
        if m.power == power and m.established:
            return m
    return None


def unestablished(state: State, area: str, power: str) -> Marker | None:
    """Return the Power's unestablished marker."""
    for m in area_state(state, area).markers:
        if m.power == power and not m.established:
            return m
    return None


def controls(state: State, area: str, power: str) -> bool:
    """Return whether the Power Controls the Area: an established Protectorate or higher (SET-048)."""
    for m in state.areas.get(area, EMPTY_AREA).markers:
        if m.power == power and m.established and m.marker in CONTROL:
            return True
    return False


def controllers(state: State, area: str) -> tuple[str, ...]:
    """Return the Powers with an established Control marker."""
    here = state.areas.get(area)
    if here is None or not here.markers:  # most Areas, most of the game
        return ()
    return tuple([m.power for m in here.markers if m.established and m.marker in CONTROL])


@cached(most=8, by=lambda state: ((), (marked_areas(state.areas),)))
def controlled_areas(state: State) -> dict[str, tuple[str, ...]]:
    """Return the Areas under Control with their controllers, in map order. Do not change the result."""
    return {area: held for area in state.areas if (held := controllers(state, area))}


def influence_holders(state: State, area: str) -> tuple[str, ...]:
    """Return the Powers with an established Influence."""
    here = state.areas.get(area)
    if here is None or not here.markers:
        return ()
    return tuple([m.power for m in here.markers if m.established and m.marker == INFLUENCE])


def interest_holders(state: State, area: str) -> tuple[str, ...]:
    """Return the Powers with an established Interest."""
    return tuple(m.power for m in area_state(state, area).markers if m.established and m.marker == INTEREST)


def opposing(state: State, area: str, power: str) -> tuple[Marker, ...]:
    """Return the established Control markers of other Powers, except fellow members of a Codominion.

    Rules: STA-012, STA-013, R-STA-02
    """
    here = area_state(state, area)
    if not here.markers:
        return ()
    fellows = here.codominion if power in here.codominion else ()
    return tuple(
        m for m in here.markers if m.established and m.marker in CONTROL and m.power != power and m.power not in fellows
    )


def level(marker: Marker | None) -> int:
    """Return the place on the ladder of Status, 0 for none."""
    return LEVEL[marker.marker] if marker else 0


def effective_value(tables: Tables, state: State, area: str) -> int:
    """Return the Economic Value in pounds for Control markers: one less for each after the first, at least 0.

    Rules: ADM-023, COD-009, SET-006
    """
    markers = sum(1 for m in area_state(state, area).markers if m.established and m.marker in CONTROL)
    return max(0, tables.areas[area].value - max(0, markers - 1))


def is_chinese(tables: Tables, state: State, area: str) -> str:
    """Return "empire", "vassal" or "" for the Chinese Resentment Summary."""
    kind = area_type(tables, state, area)
    return {"chinese_empire": "empire", "chinese_vassal": "vassal"}.get(kind, "")


def seat_of(tables: Tables, state: State, power: str) -> str:
    """Return the seat of a Power: its own, or Germany's for Austria-Hungary; "" for a Minor Power (SET-002)."""
    if power in state.players:
        return power
    seat = tables.powers[power].seat if power in tables.powers else ""
    return seat if seat in state.players else ""


def is_abandoned(tables: Tables, state: State, power: str) -> bool:
    """Return whether a Great Power has no player, so that it follows the General Orders. Rules: ORD-036, ORD-046."""
    return bool(state.abandoned) and seat_of(tables, state, power) in state.abandoned


def powers_of(tables: Tables, state: State, seat: str) -> tuple[str, ...]:
    """Return the Powers that a seat may act for, its own first."""
    played = state.players
    return (seat, *[p for p in state.powers if p not in played and seat_of(tables, state, p) == seat])


def units_line(units: tuple[Unit, ...]) -> str:
    """Format units, armies and heavy units first: "A10 A3 N3"; two of a kind as "2A1"."""
    counts: dict[tuple[int, int], int] = {}
    for unit in units:
        key = (0 if unit.kind == ARMY else 1, -unit.strength)
        counts[key] = counts.get(key, 0) + 1
    names = {key: f"{'N' if key[0] else 'A'}{-key[1]}" for key in counts}
    return " ".join(names[key] if n == 1 else f"{n}{names[key]}" for key, n in sorted(counts.items()))


def holdings(state: State, power: str) -> list[tuple[str, str]]:
    """Return a Power's established markers as (area, kind), in map order. Do not change the result."""
    return _established_markers(state.areas).get(power, [])


@cached(most=8, by=lambda areas: ((), (areas,)))
def _established_markers(areas: dict[str, AreaState]) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, here in areas.items():
        if here.markers:
            for m in here.markers:
                if m.established:
                    found[m.power].append((name, m.marker))
    return found


UNLIMITED = 999
"""Number of free pieces with the option counter_limits = unlimited."""

_Counts = dict[str, Counter[str]]
_KNOWN_COUNTS: dict[int, tuple[Tables, State, _Counts]] = {}


def used_pieces(tables: Tables, state: State) -> _Counts:
    """Count the pieces on the map by Power and pool. The next call updates the result; do not keep it."""
    known = _KNOWN_COUNTS.get(id(tables))
    if known is not None and known[1] is state and known[0] is tables:
        return known[2]
    _KNOWN_COUNTS.pop(id(tables), None)  # a position that cannot be counted leaves no half count behind
    if known is None or known[0] is not tables:
        empty: _Counts = {p: Counter() for p in tables.powers}
        known = (tables, msgspec.structs.replace(state, areas={}, homes={}, sea_zones={}, at_sea={}, wars=()), empty)
    _, before, counts = known
    if before.areas is not state.areas:
        for old, new in changed_values(before.areas, state.areas):
            then, now = old or EMPTY_AREA, new or EMPTY_AREA
            if then.markers is not now.markers:
                _count_markers(tables, counts, then.markers, -1)
                _count_markers(tables, counts, now.markers, 1)
            if then.units is not now.units:
                _count_units(counts, then.units, -1)
                _count_units(counts, now.units, 1)
    if before.homes is not state.homes:
        for left, there in changed_values(before.homes, state.homes):
            _count_units(counts, left or (), -1)
            _count_units(counts, there or (), 1)
    if before.at_sea is not state.at_sea:
        for left, there in changed_values(before.at_sea, state.at_sea):
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
    _KNOWN_COUNTS[id(tables)] = (tables, state, counts)
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


_POOL_COLUMNS = {"10": "tens", "3": "threes", "1": "ones"}
"""Columns of the table of counters whose names are not those of the pools."""


def piece_limit(tables: Tables, power: str, pool: str) -> int:
    """Return a Power's number of pieces in a pool: round, hexagon, dominion, state, 10, 3, 1 or merchant_fleet."""
    return int(getattr(tables.counters[power], _POOL_COLUMNS.get(pool, pool)))


def free_pieces(tables: Tables, state: State, power: str, pool: str) -> int:
    """Return the number of pieces of a pool that are not on the map. Rules: SET-039, SET-042, SET-046."""
    if state.options.counter_limits == "unlimited":
        return UNLIMITED
    return max(0, piece_limit(tables, power, pool) - used_pieces(tables, state)[power][pool])


def limits_note(tables: Tables) -> str:
    """Return the note behind a reconstructed limit of pieces."""
    return " (reconstructed limits)" if "counters" in tables.reconstructed else ""
