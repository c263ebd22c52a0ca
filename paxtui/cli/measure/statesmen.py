"""Measures of a game of seven statesmen: the processor's time for all of it, for a turn's orders, and for an answer."""

from __future__ import annotations

from time import process_time

from paxtui.arena.contest import begin
from paxtui.arena.match import Match
from paxtui.bots.act import Act
from paxtui.engine.seats import ARBITER
from paxtui.pax.board.tables import Tables
from paxtui.pax.orders.actions import Advance
from paxtui.pax.position.setup import seats_for
from paxtui.table.authority import Table
from paxtui.table.rivals import Rivals

SEATS = seats_for(7)
MOST_ROUNDS = 2_000


class Timed(Rivals):
    """Seats that play themselves, with what thinking has taken.

    Attributes:
        movements: seconds of the processor for each turn's orders. answers: for each time that questions were answered.
    """

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.movements: list[float] = []
        self.answers: list[float] = []

    def _orders(self, seat: str) -> list[Act]:
        state = self._table.state
        asked = any(choice.seat == seat for choice in state.choices)
        began = process_time()
        acts = super()._orders(seat)
        took = process_time() - began
        if asked:
            self.answers.append(took / max(1, len(acts)))
        elif state.phase == "movement":
            self.movements.append(took)
        return acts


def measure_statesmen(tables: Tables, level: str = "normal") -> dict[str, float]:
    """Seconds of a game of seven statesmen of a level, and of their thinking, at the 95th percentile."""
    bots = dict.fromkeys(SEATS, f"statesman:{level}")
    began = process_time()
    table = begin(tables, Match(number=1, seed="bench-1", bots=bots))
    rivals = Timed(table)
    for _ in range(MOST_ROUNDS):
        if table.state.result is not None:
            break
        before = table.version
        table.advance()
        rivals.go_on()
        if table.version == before:
            table.act(ARBITER, Advance(force=True))
    return {
        "statesman_game_s": process_time() - began,
        "statesman_movement_s_p95": _p95(rivals.movements),
        "statesman_answer_ms_p95": 1000 * _p95(rivals.answers),
    }


def _p95(seconds: list[float]) -> float:
    return sorted(seconds)[int(0.95 * (len(seconds) - 1))] if seconds else 0.0
