"""Measure play by mail, games of bots without a screen, and the thinking time of statesmen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from paxtui.cli.mail.pages import report_pages
from paxtui.engine.bots import BotRequest
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Adjudicate, Advance, SubmittedForm
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.position.setup import seats_for
from paxtui.mail.audit import audit_game
from paxtui.mail.game_directory import GameDirectory
from paxtui.mail.gamemaster import GamemasterService
from paxtui.mail.submissions import now_utc
from paxtui.session.bot_process import compute_response
from paxtui.session.bot_runner import next_step
from paxtui.session.pax_bot_runner import PaxBotRunner
from paxtui.session.pax_host import PaxHost
from paxtui.simulation.match import Match, begin_match, play_match
from paxtui.simulation.workers import Worker, play_all
from tools.bench.screen import rss_mb

GAME_RUNS = 5
GAMES = 100
"""Games of the comparison of one worker with two: so many that what it takes to start them is little beside."""
EIGHT = dict.fromkeys(seats_for(8), "caretaker")
BELGIUM = {"belgium": "yes"}


def caretaker_match(number: int) -> Match:
    """A game of eight caretakers."""
    return Match(number=number, seed=f"bench-{number}", bots=EIGHT, options=BELGIUM)


def measure_arena(tables: Tables) -> dict[str, float]:
    """Seconds of a game of eight caretakers, memory of a worker, and the gain of a second one."""
    found = {"caretaker_game_s": median(_game_time(tables, number) for number in range(1, GAME_RUNS + 1))}
    found["worker_rss_mb"] = _worker_memory()
    if (os.cpu_count() or 1) > 1:
        one, two = (_batch_time(jobs) for jobs in (1, 2))
        found["simulate_speedup_2_jobs"] = one / two
    return found


def _game_time(tables: Tables, number: int) -> float:
    began = perf_counter()
    outcome = play_match(caretaker_match(number))
    assert outcome.turn == len(tables.turns), outcome.error
    return perf_counter() - began


def _worker_memory() -> float:
    """What a worker holds after ten games."""
    worker = Worker()
    try:
        for number in range(1, 2 * GAME_RUNS + 1):
            worker.give(caretaker_match(number), 1)
            worker.connection.recv_bytes()
        return rss_mb(worker.process.pid or 0)
    finally:
        worker.end()


def _batch_time(jobs: int) -> float:
    """Seconds of a run, its workers started and ended."""
    began = perf_counter()
    for _ in play_all([caretaker_match(number) for number in range(1, GAMES + 1)], jobs):
        pass
    return perf_counter() - began


STATESMEN_SEATS = seats_for(7)
STATESMEN_TURNS = 10
MOST_ROUNDS = 2_000


def measure_statesmen(level: str = "normal") -> dict[str, float]:
    """Seconds of a game of seven statesmen of a level, and of their thinking, at the 95th percentile."""
    movements: list[float] = []
    answers: list[float] = []
    began = process_time()
    table = begin_match(Match(number=1, seed="bench-1", bots=dict.fromkeys(STATESMEN_SEATS, f"statesman:{level}")))
    assert isinstance(table, PaxHost)
    rivals = PaxBotRunner(table)
    for _ in range(MOST_ROUNDS):
        if table.state.result is not None or table.state.turn > STATESMEN_TURNS:
            break
        before = table.version
        table.advance()
        course = rivals.course()
        step = next(course, None)
        while step is not None and table.state.turn <= STATESMEN_TURNS:
            if not isinstance(step, BotRequest):
                step = next_step(course, None)
                continue
            asked = any(choice.seat == step.seat for choice in table.state.choices)
            since = process_time()
            thought = compute_response(table.rules, step)
            took = process_time() - since
            if asked:
                answers.append(took / max(1, len(thought.acts)))
            elif table.state.phase == "movement":
                movements.append(took)
            step = next_step(course, thought)
        if table.version == before:
            table.act(ARBITER, Advance(force=True))
    return {
        "statesman_game_s": process_time() - began,
        "statesman_movement_s_p95": _p95(movements),
        "statesman_answer_ms_p95": 1000 * _p95(answers),
    }


def _p95(seconds: list[float]) -> float:
    return sorted(seconds)[int(0.95 * (len(seconds) - 1))] if seconds else 0.0


MAIL_SEATS = 8
STOPS = 3
"""Stops that are played, by caretakers, before the reports are made."""
PROVED = 1_000
"""Stops at most of the game that is proved: it is over before."""
ORDERS = 40
"""Orders with conditions on each form."""


def measure_mail(tables: Tables) -> dict[str, float]:
    """`postal_report_s`, `postal_adjudicate_s` and `postal_audit_s`, in seconds."""
    return {**_time_reports(tables), **_time_adjudication(tables), **_time_audit(tables)}


@contextmanager
def _new_game(tables: Tables) -> Iterator[GamemasterService]:
    """The desk of a game of eight that has just begun."""
    with TemporaryDirectory() as root:
        yield GamemasterService.begin(
            GameDirectory.made(Path(root) / "bench"),
            tables,
            seats_for(MAIL_SEATS),
            seed="bench",
            options={"belgium": "yes"},
        )


def _next_stop(desk: GamemasterService) -> None:
    """Let the deadline pass: caretakers write all forms."""
    desk.extend(now_utc().isoformat())
    desk.adjudicate()


def _time_reports(tables: Tables) -> dict[str, float]:
    """All reports of a turn of eight seats, in plain text, Markdown and HTML with maps."""
    with _new_game(tables) as desk:
        for _ in range(STOPS):
            _next_stop(desk)
        began = perf_counter()
        GamemasterService(desk.folder, draw=report_pages).reports(desk.terms.stop)
        return {"postal_report_s": perf_counter() - began}


def _time_adjudication(tables: Tables) -> dict[str, float]:
    """All forms of a turn opened, each with forty orders that hang on those of others."""
    seats = seats_for(MAIL_SEATS)
    with PaxHost.new(tables, seats, "bench", {"belgium": "yes"}) as table:
        table.act(ARBITER, Adjudicate())
        sheets = tuple(SubmittedForm(seat, _conditional_form(seats, n)) for n, seat in enumerate(seats))
        began = perf_counter()
        table.act(ARBITER, Adjudicate(sheets))
        return {"postal_adjudicate_s": perf_counter() - began}


def _conditional_form(seats: tuple[str, ...], n: int) -> str:
    """Forty orders of a seat, on conditions that speak of its neighbours in the list."""
    lines = []
    for number in range(ORDERS):
        other, third = seats[(n + 1 + number) % MAIL_SEATS], seats[(n + 3 + number) % MAIL_SEATS]
        others = [name for name in (other, third) if name != seats[n]]
        wanted = " or ".join(f"{name} builds {'A1' if number % 2 else 'N1'}" for name in others)
        lines.append(f"build {'A1' if number % 3 else 'N1'} {'unless' if number % 7 == 6 else 'if'} {wanted}")
    return "\n".join(["build A1", *lines[1:]])


def _time_audit(tables: Tables) -> dict[str, float]:
    """A whole game proved, from its beginning to its end."""
    with _new_game(tables) as desk:
        while not desk.terms.over and desk.terms.stop < PROVED:
            _next_stop(desk)
        began = perf_counter()
        found = audit_game(desk)
        assert found.fault is None, found.fault
        return {"postal_audit_s": perf_counter() - began}
