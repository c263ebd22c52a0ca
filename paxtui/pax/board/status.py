"""Who holds what in an Area, and for how much: reading Status markers.

Rules: SET-045, SET-048, SET-076, SET-082, COD-001, COD-005
"""

from __future__ import annotations

from paxtui.pax.board.neighbours import area_type
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, CONTROL, INFLUENCE, INTEREST, LEVEL, AreaState, Marker, Unit

EMPTY = AreaState()


def at(state: State, area: str) -> AreaState:
    """What is in an Area."""
    return state.areas.get(area, EMPTY)


def established(state: State, area: str, power: str) -> Marker | None:
    """The Power's established marker: its Status in the Area (SET-082)."""
    for m in at(state, area).markers:
        if m.power == power and m.established:
            return m
    return None


def unestablished(state: State, area: str, power: str) -> Marker | None:
    """The Power's marker that is not yet established."""
    for m in at(state, area).markers:
        if m.power == power and not m.established:
            return m
    return None


def controls(state: State, area: str, power: str) -> bool:
    """Whether the Power Controls the Area: an established Protectorate or higher (SET-048)."""
    for m in at(state, area).markers:  # noqa: SIM110 (asked too often for a generator)
        if m.power == power and m.established and m.marker in CONTROL:
            return True
    return False


def controllers(state: State, area: str) -> tuple[str, ...]:
    """Powers with an established Control marker there."""
    return tuple(m.power for m in at(state, area).markers if m.established and m.marker in CONTROL)


def influence_holders(state: State, area: str) -> tuple[str, ...]:
    """Powers with an established Influence there."""
    return tuple(m.power for m in at(state, area).markers if m.established and m.marker == INFLUENCE)


def interest_holders(state: State, area: str) -> tuple[str, ...]:
    """Powers with an established Interest there."""
    return tuple(m.power for m in at(state, area).markers if m.established and m.marker == INTEREST)


def opposing(state: State, area: str, power: str) -> tuple[Marker, ...]:
    """Established Control markers of other Powers, fellow members of a Codominion left out.

    Rules: STA-012, STA-013, R-STA-02
    """
    here = at(state, area)
    fellows = here.codominion if power in here.codominion else ()
    return tuple(
        m
        for m in here.markers
        if m.established and m.marker in CONTROL and m.power != power and m.power not in fellows
    )


def level(marker: Marker | None) -> int:
    """Place on the ladder of Status, 0 for none."""
    return LEVEL[marker.marker] if marker else 0


def effective_value(tables: Tables, state: State, area: str) -> int:
    """Economic Value in pounds that Control markers earn on: one less for each after the first, never below 0.

    Rules: ADM-023, COD-009, SET-006
    """
    markers = sum(1 for m in at(state, area).markers if m.established and m.marker in CONTROL)
    return max(0, tables.areas[area].value - max(0, markers - 1))


def is_chinese(tables: Tables, state: State, area: str) -> str:
    """"empire", "vassal" or "" for the Chinese Resentment Summary."""
    kind = area_type(tables, state, area)
    return {"chinese_empire": "empire", "chinese_vassal": "vassal"}.get(kind, "")


def seat_of(tables: Tables, state: State, power: str) -> str:
    """The seat that plays a Power: its own, or Germany's for Austria-Hungary; "" for a Minor Power (SET-002)."""
    if power in state.players:
        return power
    seat = tables.powers[power].seat if power in tables.powers else ""
    return seat if seat in state.players else ""


def abandoned(tables: Tables, state: State, power: str) -> bool:
    """Whether nobody plays a Great Power any more, so that it follows the General Orders.

    Rules: ORD-036, ORD-046
    """
    return bool(state.abandoned) and seat_of(tables, state, power) in state.abandoned


def powers_of(tables: Tables, state: State, seat: str) -> tuple[str, ...]:
    """Powers a seat may act for, its own first."""
    played = state.players
    return (seat, *[p for p in state.powers if p not in played and seat_of(tables, state, p) == seat])


def units_line(units: tuple[Unit, ...]) -> str:
    """Units in one short text, armies first, heavy ones first: "A10 A3 N3"; two of a kind as "2A1"."""
    counts: dict[tuple[int, int], int] = {}
    for unit in units:
        key = (0 if unit.kind == ARMY else 1, -unit.strength)
        counts[key] = counts.get(key, 0) + 1
    names = {key: f"{'N' if key[0] else 'A'}{-key[1]}" for key in counts}
    return " ".join(names[key] if n == 1 else f"{n}{names[key]}" for key, n in sorted(counts.items()))
