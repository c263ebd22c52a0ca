"""Where the Victory Points of a player came from, by the lines of his record sheets.

Rules: VIC-006, VIC-009, VIC-011, VIC-015, VIC-016, VIC-018, VIC-020
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.state.model import State
from paxtui.pax.statistics.course import Bonus, Sources
from paxtui.pax.turn import bonuses, final_record


def sources(tables: Tables, state: State, seat: str, won: Mapping[int, Iterable[ev.Event]]) -> Sources:
    """Where a seat's Victory Points came from.

    Before the end of the game Section VI is as it would be if the game ended now without a Great War.

    Args: the tables; the position; the seat; what has happened in each Game Turn.
    """
    power = state.powers[seat]
    lines = power.record if state.result else dict(final_record.section_six(tables, state, seat))
    treasury = sum(sheet.get("24") or 0 for sheet in (*power.past.values(), power.record))
    why = [
        Bonus(turn, e.amount, e.reason)
        for turn, events in won.items()
        for e in events
        if isinstance(e, ev.VictoryPointsChanged) and e.power == seat and "VIC-006" not in e.rules
    ]
    why += [Bonus(0, points, text) for _, points, text in bonuses.current(tables, state, seat)]
    return Sources(
        treasury=treasury,
        bonuses=(lines.get("27") or 0) - treasury,
        ending=lines.get("28") or 0,
        income=lines.get("29") or 0,
        penalty=lines.get("30") or 0,
        why=tuple(why),
    )
