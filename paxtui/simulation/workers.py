"""Games on a dask cluster that is there already: one at a time on each of its workers, read back as soon as it is over.

Every game is given to a worker by name, so that it is known who has it: a worker that dies, with its node or alone,
costs its game, which is begun once more elsewhere, and lost when that happens again. dask (the extra `cluster`) is
imported here and by nothing else, when a run wants it.

Games in processes of their own: as many at a time as there are jobs, each read back as soon as it is over.

A worker that dies costs its game: it is begun once more by a new worker, and if that dies too it is told as lost.

Where it can be, a worker is forked: it has the rules and tables from the start, which takes a process that begins anew
longer than two games of caretakers. A process with threads is not forked, for they may hold locks.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui import __version__
from paxtui.session.storage.extras import install_command
from paxtui.session.tables.loader import load_tables, replaced_tables
from paxtui.simulation.match import Match, Outcome, failed_outcome, play_match

if TYPE_CHECKING:
    from distributed import Client, Future


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
            self.process: BaseProcess = forking.Process(target=serve_matches, args=(theirs, shut), daemon=True)
        else:
            spawning = get_context("spawn")
            self.connection, theirs = spawning.Pipe()
            self.process = spawning.Process(target=serve_matches, args=(theirs,), daemon=True)
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


def serve_matches(connection: Connection, shut: Sequence[Connection] = ()) -> None:
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
            connection.send_bytes(msgspec.json.encode(play_match(tables[match.tables], match)))


def play_all(matches: Sequence[Match], jobs: int) -> Iterator[Outcome]:
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
                    outcome = _receive(worker)
                    if outcome is not None:
                        if todo:  # before anybody looks at the outcome: a worker that waits is a core that does nothing
                            worker.give(*todo.popleft())
                        yield outcome
                        continue
                    workers.remove(worker)
                    again = _lost_match(worker)
                    if isinstance(again, Outcome):
                        yield again
                    else:
                        todo.appendleft(again)
    finally:
        for worker in workers:
            worker.end()


def _receive(worker: Worker) -> Outcome | None:
    """What a worker has sent; None where it has died instead."""
    try:
        if not worker.connection.poll():
            return None
        outcome = msgspec.json.decode(worker.connection.recv_bytes(), type=Outcome)
    except (EOFError, OSError):
        return None
    worker.match = None
    return replace(outcome, attempts=worker.attempt)


def _lost_match(worker: Worker) -> Outcome | tuple[Match, int]:
    """The game of a worker that has died: to be begun again, or told as lost."""
    match, attempt = worker.match, worker.attempt
    assert match is not None
    worker.end()
    if attempt < ATTEMPTS:
        return match, attempt + 1
    return failed_outcome(match, f"the worker died (exit code {worker.process.exitcode})", attempt)


SCHEME = "dask://"
PORT = 8786
"""Where a dask scheduler listens, if nothing else is said."""
CONNECT_S = 10.0
"""Seconds for which a scheduler that does not answer is called."""
NO_WORKER_S = 60.0
"""Seconds for which a run waits for a worker when there is none."""
POLL_S = 0.5
"""Seconds after which it is looked whether workers have come or gone."""

WireResult = tuple[bytes, bytes]
"""What comes back from a node: an outcome, and the log of the game."""


class ClusterError(Exception):
    """A cluster cannot be used; the text says why."""


class AssignedMatch(NamedTuple):
    """A game that a worker has: how often it was begun, and what will come back."""

    match: Match
    attempt: int
    future: Future[WireResult]


def scheduler_address(text: str) -> str:
    """The address of a scheduler from `dask://HOST[:PORT]`. Raises: Unreachable."""
    host, _, port = text.removeprefix(SCHEME).partition(":")
    if not text.startswith(SCHEME) or not host or "/" in host or (port and not port.isdecimal()):
        raise ClusterError(f"--executor takes {SCHEME}HOST or {SCHEME}HOST:PORT, not {text!r}")
    return f"tcp://{host}:{port or PORT}"


def play_on_cluster(matches: Sequence[Match], executor: str) -> Iterator[Outcome]:
    """Play games on a cluster; their outcomes as they come in, in no order.

    Args: the games; `dask://HOST[:PORT]`.
    Raises: Unreachable: no such cluster, no paxtui of this version there, or nobody left to play.
    """
    where = scheduler_address(executor)
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(f"--executor needs dask: {install_command('cluster')}") from None
    try:
        client = Client(where, timeout=CONNECT_S)
    except (OSError, TimeoutError) as error:
        raise ClusterError(f"no dask scheduler answers at {where}: {error}") from None
    try:
        _check_workers(client, where)
        yield from _assign_matches(client, matches, where)
    finally:
        client.close()


def _check_workers(client: Client, where: str) -> None:
    """Whether its workers have this paxtui. Raises: Unreachable."""
    try:
        found = client.run(worker_version)
    except Exception as error:  # whatever a worker without paxtui makes of it
        raise ClusterError(f"the workers of {where} have no paxtui that plays: {error}") from None
    other = sorted({str(one) for one in found.values()} - {__version__})
    if other:
        raise ClusterError(f"workers of {where} have paxtui {', '.join(other)}, not {__version__}")


def _assign_matches(client: Client, matches: Sequence[Match], where: str) -> Iterator[Outcome]:
    """Give each worker a game after the other."""
    from distributed import wait

    tables: dict[str, dict[str, str]] = {}
    todo = deque((match, 1) for match in matches)
    given: dict[str, AssignedMatch] = {}
    seen = monotonic()
    while todo or given:
        there = _current_workers(client, where)
        for worker in [one for one in given if one not in there]:
            match, attempt, _ = given.pop(worker)
            if attempt < ATTEMPTS:
                todo.appendleft((match, attempt + 1))
            else:
                yield failed_outcome(match, f"the worker died ({worker})", attempt)
        for worker in there:
            if worker not in given and todo:
                match, attempt = todo.popleft()
                if match.tables not in tables:
                    tables[match.tables] = replaced_tables(Path(match.tables) if match.tables else None)
                raw = msgspec.json.encode(match)
                future = client.submit(
                    play_on_worker, raw, tables[match.tables], workers=[worker], allow_other_workers=False, pure=False
                )
                given[worker] = AssignedMatch(match, attempt, future)
        if there:
            seen = monotonic()
        elif monotonic() - seen > NO_WORKER_S:
            raise ClusterError(f"{where} has had no worker for {NO_WORKER_S:.0f} seconds")
        if not given:
            sleep(POLL_S)
            continue
        try:
            wait([one.future for one in given.values()], timeout=POLL_S, return_when="FIRST_COMPLETED")
        except TimeoutError:
            continue
        for worker in [one for one, it in given.items() if it.future.done()]:
            match, attempt, future = given.pop(worker)
            yield _receive_outcome(match, attempt, future)


def _current_workers(client: Client, where: str) -> tuple[str, ...]:
    """The workers that there are now. Raises: Unreachable."""
    try:
        return tuple(client.ncores())
    except (OSError, ValueError) as error:
        raise ClusterError(f"the dask scheduler at {where} is gone: {error}") from None


def _receive_outcome(match: Match, attempt: int, future: Future[WireResult]) -> Outcome:
    """What a worker has sent; its log is kept where the run wants it."""
    try:
        raw, log = future.result()
    except Exception as error:  # what the node could not play, or not send
        return failed_outcome(match, f"{type(error).__name__}: {error}", attempt)
    if match.file:
        Path(match.file).write_bytes(log)
    return replace(msgspec.json.decode(raw, type=Outcome), file=match.file, attempts=attempt)


# --- on the node ------------------------------------------------------------------------------------------------------


def worker_version() -> str:
    """The paxtui of a worker."""
    return __version__


def play_on_worker(raw: bytes, tables: Mapping[str, str]) -> WireResult:
    """Play a game, and send back its outcome and its log.

    Args: the `Match` as JSON; the texts of tables that replace shipped ones, by name.
    """
    match = msgspec.json.decode(raw, type=Match)
    with TemporaryDirectory(prefix="paxtui-") as directory:
        here = Path(directory)
        log, own = here / "game.jsonl", here / "tables"
        own.mkdir()
        for name, text in tables.items():
            (own / name).write_text(text, encoding="utf-8")
        outcome = play_match(
            load_tables(own if tables else None),
            replace(match, file=str(log) if match.file else "", tables=str(own) if tables else ""),
        )
        return msgspec.json.encode(outcome), log.read_bytes() if log.exists() else b""
