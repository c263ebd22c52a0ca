"""What a Status marker is worth in pounds, counted to the end of the game.

A pound left in the Treasury buys the same Victory Points in every turn, and line 29 counts the colonial income twice
at the end. So a marker is worth what it will bring in the turns to come, less its maintenance, and twice its gross
income: whatever costs less than that is a good buy.
"""

from __future__ import annotations

from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.neighbours import area_type
from paxtui.pax.board.status import at, is_chinese
from paxtui.pax.board.tables import Tables
from paxtui.pax.expansion.placement import highest
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, FULL, LEVEL, POSSESSION, PROTECTORATE

GARRISON = 1
"""Pounds a turn for the smallest garrison."""
OTTOMAN = "ottoman"
DENIED = 0.2
"""Pounds that a pound of trade is worth when it does not fall to one rival."""


def years_left(tables: Tables, state: State) -> int:
    """Administrative Phases still to come."""
    return len(tables.turns) - state.turn


def worth(tables: Tables, state: State, power: str, area: str, marker: str) -> float:
    """Pounds that `marker` in `area` will bring the Power until the end; 0 for no marker."""
    if not marker:
        return 0.0
    kind = tables.markers[marker]
    value = tables.areas[area].value
    if kind.control:
        others = sum(
            1 for m in at(state, area).markers if m.power != power and m.established and m.marker in CONTROL
        )
        value = max(0, value - others)
    gross = value * kind.multiplier
    keep = kind.maintenance + (GARRISON if kind.control and not kind.only_for else 0)
    total = years_left(tables, state) * (gross - keep) + 2.0 * gross
    return total + (bonus(tables, state, power, area) if kind.control else 0.0)


def trade(tables: Tables, state: State, power: str, years: int) -> float:
    """Pounds that what a Power holds brings it until the end, over its keep. Args: `years` as of `years_left`."""
    total = 0.0
    for area, here in state.areas.items():
        for m in here.markers:
            if m.power == power and m.established:
                kind = tables.markers[m.marker]
                gross = tables.areas[area].value * kind.multiplier
                total += max(0.0, years * (gross - kind.maintenance) + 2.0 * gross)
    return total


def pounds_a_point(tables: Tables, power: str) -> float:
    """Pounds that one Victory Point costs the Power's player."""
    row = tables.powers[power]
    row = tables.powers[row.seat] if row.seat else row
    return row.vp_pounds / row.vp_points if row.vp_points else 0.0


def bonus(tables: Tables, state: State, power: str, area: str) -> float:
    """Pounds that Control of the Area is worth beyond its trade: bonuses that it brings nearer or that it keeps."""
    total = 0.0
    price = pounds_a_point(tables, power)
    for row in tables.bonuses_at_end:
        lost = row.per_area_lost
        if lost is not None and lost.by == power and area in lost.areas:
            total -= row.points * price
        gain = row.when
        if gain is not None and gain.by == power and area in gain.areas and row.power == power:
            held = sum(
                1
                for other in gain.areas
                if any(m.power == power and m.marker in CONTROL for m in at(state, other).markers)
            )
            if held < gain.at_least or (held == gain.at_least and highest_level(state, area, power) >= 3):
                total += row.points * price / gain.at_least
    return total


def highest_level(state: State, area: str, power: str) -> int:
    """Place on the ladder of the Power's highest marker in the Area."""
    own = highest(state, area, power)
    return LEVEL[own.marker] if own else 0


def offends(tables: Tables, state: State, power: str, area: str) -> bool:
    """Whether Control of the Area would make enemies: a rival's claim, a cause of war, the Sultan's armies."""
    here = at(state, area)
    if any(m.power != power and LEVEL[m.marker] >= LEVEL["influence"] for m in here.markers):
        return True
    if area_type(tables, state, area) == OTTOMAN:
        return True
    return any(
        cause.holder not in ("", power)
        and cause.holder in state.players
        and area in cause.areas
        and area not in cause.start_holders_exempt_in
        for cause in tables.causes
    )


def resentment(tables: Tables, state: State, area: str, marker: str) -> int:
    """Points of Chinese Resentment that the marker would raise now."""
    kind = is_chinese(tables, state, area)
    if not kind:
        return 0
    row = tables.resentment[marker]
    return row.placed_in_empire if kind == "empire" else row.placed_in_vassal


def possession_gain(tables: Tables, state: State, power: str, area: str) -> float:
    """Pounds for which a Possession over its own Protectorate keeps the Interests of rivals out."""
    here = at(state, area)
    if here.unrest or any(m.power != power for m in here.markers):
        return 0.0
    step = worth(tables, state, power, area, POSSESSION) - worth(tables, state, power, area, PROTECTORATE)
    rivals = len(state.players) - 1
    return step + DENIED * rivals * tables.areas[area].value * years_left(tables, state)


def reach_of(tables: Tables, state: State, power: str) -> float:
    """What the Power's Merchant Fleets and Areas open to its trade, to compare places for a fleet."""
    total = 0.0
    for area in linked_areas(tables, state, power):
        own = highest(state, area, power)
        if own is not None:
            total += max(0.0, worth(tables, state, power, area, own.marker))
        elif not any(m.established and m.marker in FULL for m in at(state, area).markers):
            crowd = sum(1 for m in at(state, area).markers if m.marker in CONTROL)
            total += tables.areas[area].value * (1.0 if not crowd else 0.4)
    return total
