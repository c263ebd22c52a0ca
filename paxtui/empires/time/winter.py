"""Which months are winter. The section that says so (9.1) is missing in the text: the months are cells of the exercise.

Rules: EIA 6.2.1.4
"""

from __future__ import annotations

from paxtui.empires.tables.tables import Tables

FROM, TO = "winter.from", "winter.to"
"""The first and the last winter month, 1 for January."""


def is_winter(tables: Tables, turn: int) -> bool:
    """Whether a month is one of winter, see `State.turn`; never, where the exercise has no winter."""
    if FROM not in tables.cells or TO not in tables.cells:
        return False
    first, last, month = tables.number(FROM), tables.number(TO), turn % 12 + 1
    return first <= month <= last if first <= last else month >= first or month <= last
