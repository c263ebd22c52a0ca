"""What rivals are likely to take next: for each Area the chance that it is gone before the next turn."""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.bots.worth import offends
from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.status import at, established
from paxtui.pax.board.tables import Tables
from paxtui.pax.expansion.placement import problems
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, PROTECTORATE

A_COLONY = 32
"""Pounds that a Protectorate costs with the armies that win it."""
SURE, UNLIKELY = 0.5, 0.05
"""Chance that a rival takes what it has money for, and what it has not."""


def sought(tables: Tables, state: State, power: str) -> dict[str, float]:
    """The chance for each Area that some rival takes Control of it soon, by what each can reach and pay.

    Args: the tables; the position; the Power that wants it itself.
    """
    left: dict[str, float] = {}
    for rival in state.players:
        if rival == power:
            continue
        wanted = sorted(_open_to(tables, state, rival), reverse=True)
        money = state.powers[rival].record.get("22") or state.powers[rival].treasury
        for n, (_, area) in enumerate(wanted):
            chance = SURE if n < money // A_COLONY else UNLIKELY
            left[area] = left.get(area, 1.0) * (1.0 - chance)
    return {area: 1.0 - chance for area, chance in left.items()}


def _open_to(tables: Tables, state: State, rival: str) -> Iterator[tuple[float, str]]:
    """Areas that a rival might take, each with what draws it there."""
    for area in linked_areas(tables, state, rival):
        own = established(state, area, rival)
        if own is not None and own.marker in CONTROL:
            continue
        if problems(tables, state, rival, area, PROTECTORATE):
            continue
        row = tables.areas[area]
        draw = 4.0 * row.value - 10 - 2.0 * row.strength
        if offends(tables, state, rival, area):
            draw -= 6
        if at(state, area).unrest:
            draw -= 4
        if draw > 0:
            yield draw, area
