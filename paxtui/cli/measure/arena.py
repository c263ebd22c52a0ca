"""Measures of games without a screen: how long one takes, what a worker holds, what a second one saves."""

from __future__ import annotations

import os
from statistics import median
from time import perf_counter

from paxtui.arena.contest import play
from paxtui.arena.match import Match
from paxtui.arena.workers import Worker, played
from paxtui.cli.measure.client import rss_mb
from paxtui.pax.board.tables import Tables
from paxtui.pax.position.setup import seats_for

RUNS = 5
GAMES = 100
"""Games of the comparison of one worker with two: so many that what it takes to start them is little beside."""
EIGHT = dict.fromkeys(seats_for(8), "caretaker")
BELGIUM = {"belgium": "yes"}


def match(number: int) -> Match:
    """A game of eight caretakers."""
    return Match(number=number, seed=f"bench-{number}", bots=EIGHT, options=BELGIUM)


def measure_arena(tables: Tables) -> dict[str, float]:
    """Seconds of a game of eight caretakers, memory of a worker, and the gain of a second one."""
    found = {"caretaker_game_s": median(_timed(tables, number) for number in range(1, RUNS + 1))}
    found["worker_rss_mb"] = _memory()
    if (os.cpu_count() or 1) > 1:
        one, two = (_taken(jobs) for jobs in (1, 2))
        found["simulate_speedup_2_jobs"] = one / two
    return found


def _timed(tables: Tables, number: int) -> float:
    began = perf_counter()
    outcome = play(tables, match(number))
    assert outcome.turn == len(tables.turns), outcome.error
    return perf_counter() - began


def _memory() -> float:
    """What a worker holds after ten games."""
    worker = Worker()
    try:
        for number in range(1, 2 * RUNS + 1):
            worker.give(match(number), 1)
            worker.connection.recv_bytes()
        return rss_mb(worker.process.pid or 0)
    finally:
        worker.end()


def _taken(jobs: int) -> float:
    """Seconds of a run, its workers started and ended."""
    began = perf_counter()
    for _ in played([match(number) for number in range(1, GAMES + 1)], jobs):
        pass
    return perf_counter() - began
