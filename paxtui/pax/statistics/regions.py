"""The balance of every region: who controls its Areas, and what they are worth."""

from __future__ import annotations

from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.statistics.course import Holder, Region


def regions(tables: Tables, first: State, now: State) -> tuple[Region, ...]:
    """Every region in the order of the table. Args: the tables; the position at the start; the position now."""
    names: dict[str, list[str]] = {}
    for area in tables.areas.values():
        names.setdefault(area.region, []).append(area.id)
    return tuple(
        Region(
            name,
            tuple(Holder(area, holders(now, area), holders(first, area)) for area in areas),
            _values(tables, now, areas),
            _values(tables, first, areas),
        )
        for name, areas in names.items()
    )


def holders(state: State, area: str) -> tuple[str, ...]:
    """The Powers with established Control of an Area."""
    here = state.areas.get(area)
    return tuple(m.power for m in here.markers if m.established and m.marker in CONTROL) if here else ()


def _values(tables: Tables, state: State, areas: list[str]) -> dict[str, int]:
    """Economic Values under Control by Power, the greatest sum first."""
    sums: dict[str, int] = {}
    for area in areas:
        for power in holders(state, area):
            sums[power] = sums.get(power, 0) + tables.areas[area].value
    return dict(sorted(sums.items(), key=lambda row: -row[1]))
