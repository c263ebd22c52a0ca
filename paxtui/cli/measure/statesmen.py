"""Measures of a game of seven statesmen: the processor's time for all of it, for a turn's orders, and for an answer."""

from __future__ import annotations

from time import process_time

from paxtui.arena.contest import begin
from paxtui.arena.match import Match
from paxtui.engine.seats import ARBITER
from paxtui.pax.board.tables import Tables
from paxtui.pax.orders.actions import Advance
from paxtui.pax.position.setup import seats_for
from paxtui.table.rivals import Rivals, after
from paxtui.table.thinking import Question, think

SEATS = seats_for(7)
MOST_ROUNDS = 2_000


def measure_statesmen(tables: Tables, level: str = "normal") -> dict[str, float]:
    """Seconds of a game of seven statesmen of a level, and of their thinking, at the 95th percentile."""
    movements: list[float] = []
    answers: list[float] = []
    began = process_time()
    table = begin(tables, Match(number=1, seed="bench-1", bots=dict.fromkeys(SEATS, f"statesman:{level}")))
    rivals = Rivals(table)
    for _ in range(MOST_ROUNDS):
        if table.state.result is not None:
            break
        before = table.version
        table.advance()
        course = rivals.course()
        step = next(course, None)
        while step is not None:
            if not isinstance(step, Question):
                step = after(course, None)
                continue
            asked = any(choice.seat == step.seat for choice in table.state.choices)
            since = process_time()
            thought = think(tables, step)
            took = process_time() - since
            if asked:
                answers.append(took / max(1, len(thought.acts)))
            elif table.state.phase == "movement":
                movements.append(took)
            step = after(course, thought)
        if table.version == before:
            table.act(ARBITER, Advance(force=True))
    return {
        "statesman_game_s": process_time() - began,
        "statesman_movement_s_p95": _p95(movements),
        "statesman_answer_ms_p95": 1000 * _p95(answers),
    }


def _p95(seconds: list[float]) -> float:
    return sorted(seconds)[int(0.95 * (len(seconds) - 1))] if seconds else 0.0
