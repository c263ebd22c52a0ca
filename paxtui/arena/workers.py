"""Games in processes of their own: as many at a time as there are jobs, each read back as soon as it is over.

A worker that dies costs its game: it is begun once more by a new worker, and if that dies too it is told as lost.

Where it can be, a worker is forked: it has the rules and tables from the start, which takes a process that begins anew
longer than two games of caretakers. A process with threads is not forked, for they may hold locks.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

import msgspec
from msgspec.structs import replace

from paxtui.arena.contest import play
from paxtui.arena.match import Match, Outcome, failed
from paxtui.table.tables import load_tables

GARBAGE = 10_000, 20, 50
"""How many new objects, and how many rounds among the younger ones, the collector of garbage waits for."""

ATTEMPTS = 2
"""How often a game is begun whose worker dies."""


class Worker:
    """A process that plays one game after another.

    Args: the workers that there are already: one that is forked lets go of their ends, so that each hears when whoever
        gives it work is gone.

    Attributes:
        process: it.
        match: what it plays now, None where it waits for work.
        attempt: how often that has been begun.
    """

    def __init__(self, others: Sequence[Worker] = ()) -> None:
        if may_fork():
            forking = get_context("fork")
            self.connection, theirs = forking.Pipe()
            shut = (self.connection, *(other.connection for other in others))
            self.process: BaseProcess = forking.Process(target=serve, args=(theirs, shut), daemon=True)
        else:
            spawning = get_context("spawn")
            self.connection, theirs = spawning.Pipe()
            self.process = spawning.Process(target=serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.match: Match | None = None
        self.attempt = 0

    def give(self, match: Match, attempt: int) -> None:
        """Let it play a game."""
        self.match, self.attempt = match, attempt
        with suppress(OSError):  # one that has died already is found out by its sentinel
            self.connection.send_bytes(msgspec.json.encode(match))

    def end(self) -> None:
        """End it, whatever it is doing."""
        self.connection.close()
        self.process.terminate()
        self.process.join()


def may_fork() -> bool:
    """Whether this process can be forked: on Linux, where it has no second thread."""
    return sys.platform == "linux" and threading.active_count() == 1


def serve(connection: Connection, shut: Sequence[Connection] = ()) -> None:
    """What a worker does: play what it is sent and send back what came of it, until nobody listens any more.

    Args: where work comes in; what it has been left by a fork, and is none of its business.
    """
    for left in shut:
        left.close()
    tables = {}
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            match = msgspec.json.decode(connection.recv_bytes(), type=Match)
            if match.tables not in tables:
                tables[match.tables] = load_tables(Path(match.tables) if match.tables else None)
                gc.set_threshold(*GARBAGE)
                gc.freeze()  # rules and tables stay: the collector need not go through them again and again
            connection.send_bytes(msgspec.json.encode(play(tables[match.tables], match)))


def played(matches: Sequence[Match], jobs: int) -> Iterator[Outcome]:
    """Play games in so many processes; their outcomes as they come in, in no order.

    A game whose worker dies is begun once more, and lost when that happens again.
    """
    todo = deque((match, 1) for match in matches)
    workers: list[Worker] = []
    try:
        while todo or any(worker.match for worker in workers):
            while todo and len(workers) < jobs:
                workers.append(Worker(workers))
            for worker in workers:
                if worker.match is None and todo:
                    worker.give(*todo.popleft())
            busy = [worker for worker in workers if worker.match is not None]
            ready = wait([one for worker in busy for one in (worker.connection, worker.process.sentinel)])
            for worker in busy:
                if worker.connection in ready or worker.process.sentinel in ready:
                    outcome = _take(worker)
                    if outcome is not None:
                        if todo:  # before anybody looks at the outcome: a worker that waits is a core that does nothing
                            worker.give(*todo.popleft())
                        yield outcome
                        continue
                    workers.remove(worker)
                    again = _lost(worker)
                    if isinstance(again, Outcome):
                        yield again
                    else:
                        todo.appendleft(again)
    finally:
        for worker in workers:
            worker.end()


def _take(worker: Worker) -> Outcome | None:
    """What a worker has sent; None where it has died instead."""
    try:
        if not worker.connection.poll():
            return None
        outcome = msgspec.json.decode(worker.connection.recv_bytes(), type=Outcome)
    except (EOFError, OSError):
        return None
    worker.match = None
    return replace(outcome, attempts=worker.attempt)


def _lost(worker: Worker) -> Outcome | tuple[Match, int]:
    """The game of a worker that has died: to be begun again, or told as lost."""
    match, attempt = worker.match, worker.attempt
    assert match is not None
    worker.end()
    if attempt < ATTEMPTS:
        return match, attempt + 1
    return failed(match, f"the worker died (exit code {worker.process.exitcode})", attempt)
