"""Play games in parallel, in local processes or on an existing dask cluster.

A game whose worker dies is started once more by another worker, and then reported as lost. Local workers are forked
if possible, because loading the rules and tables is slow; a process with threads is not forked, because of locks.
dask (the extra `cluster`) is imported only for runs on a cluster.
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
from multiprocessing.context import ForkContext, SpawnContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui import __version__
from paxtui.session.storage.extras import install_command
from paxtui.session.tables.loader import replaced_tables
from paxtui.simulation.match import Match, Outcome, failed_outcome, load_game_kind, play_match

if TYPE_CHECKING:
    from distributed import Client, Future


GARBAGE = 10_000, 20, 50
"""Thresholds of the garbage collector."""

ATTEMPTS = 2
"""Maximum number of attempts for a game whose worker dies."""


class Worker:
    """A process that plays one game after another.

    Args: the existing workers: a fork closes their pipes, so that each of them notices the end of the parent.

    Attributes:
        process: the process.
        match: its current game, None while idle.
        attempt: number of the attempt.
    """

    def __init__(self, others: Sequence[Worker] = ()) -> None:
        forks = may_fork()
        context: ForkContext | SpawnContext = get_context("fork") if forks else get_context("spawn")
        self.connection, theirs = context.Pipe()
        shut = (self.connection, *(other.connection for other in others)) if forks else ()
        self.process: BaseProcess = context.Process(target=serve_matches, args=(theirs, shut), daemon=True)
        self.process.start()
        theirs.close()
        self.match: Match | None = None
        self.attempt = 0

    def give(self, match: Match, attempt: int) -> None:
        """Send a game."""
        self.match, self.attempt = match, attempt
        with suppress(OSError):  # the sentinel detects a dead worker
            self.connection.send_bytes(msgspec.json.encode(match))

    def end(self) -> None:
        """Kill the process."""
        self.connection.close()
        self.process.terminate()
        self.process.join()


def may_fork() -> bool:
    """Whether this process can be forked: on Linux, without other threads."""
    return sys.platform == "linux" and threading.active_count() == 1


def serve_matches(connection: Connection, shut: Sequence[Connection] = ()) -> None:
    """Run a worker: play the received games and send their outcomes, until the pipe is closed.

    Args: the pipe; inherited pipes to close.
    """
    for left in shut:
        left.close()
    loaded = set()
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            match = msgspec.json.decode(connection.recv_bytes(), type=Match)
            kind = (match.game, match.scenario, match.tables)
            if kind not in loaded:
                loaded.add(kind)
                load_game_kind(match.game, match.scenario, match.tables)
                gc.set_threshold(*GARBAGE)
                gc.freeze()  # rules and tables are permanent: the garbage collector need not scan them
            connection.send_bytes(msgspec.json.encode(play_match(match)))


def play_all(matches: Sequence[Match], jobs: int) -> Iterator[Outcome]:
    """Play games in a number of processes; yield their outcomes in order of completion.

    A game whose worker dies is started once more, and then reported as lost.
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
                        if todo:  # before the outcome is processed: an idle worker wastes a core
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
    """Return the outcome from a worker; None if it has died."""
    try:
        if not worker.connection.poll():
            return None
        outcome = msgspec.json.decode(worker.connection.recv_bytes(), type=Outcome)
    except (EOFError, OSError):
        return None
    worker.match = None
    return replace(outcome, attempts=worker.attempt)


def _lost_match(worker: Worker) -> Outcome | tuple[Match, int]:
    """Handle the game of a dead worker: start it again, or report it as lost."""
    match, attempt = worker.match, worker.attempt
    assert match is not None
    worker.end()
    if attempt < ATTEMPTS:
        return match, attempt + 1
    return failed_outcome(match, f"the worker died (exit code {worker.process.exitcode})", attempt)


SCHEME = "dask://"
PORT = 8786
"""Default port of a dask scheduler."""
CONNECT_S = 10.0
"""Timeout to connect to a scheduler, in seconds."""
NO_WORKER_S = 60.0
"""Time that a run waits for a worker when there is none, in seconds."""
POLL_S = 0.5
"""Interval of checks for new and lost workers, in seconds."""

WireResult = tuple[bytes, bytes]
"""The result from a node: an outcome, and the log of the game."""


class ClusterError(Exception):
    """A cluster cannot be used; the text gives the reason."""


class AssignedMatch(NamedTuple):
    """A game assigned to a worker: number of the attempt, and the future of the result."""

    match: Match
    attempt: int
    future: Future[WireResult]


def scheduler_address(text: str) -> str:
    """Return the address of a scheduler from `dask://HOST[:PORT]`. Raises: ClusterError."""
    host, _, port = text.removeprefix(SCHEME).partition(":")
    if not text.startswith(SCHEME) or not host or "/" in host or (port and not port.isdecimal()):
        raise ClusterError(f"--executor takes {SCHEME}HOST or {SCHEME}HOST:PORT, not {text!r}")
    return f"tcp://{host}:{port or PORT}"


def play_on_cluster(matches: Sequence[Match], executor: str) -> Iterator[Outcome]:
    """Play games on a cluster; yield their outcomes in order of completion.

    Args: the games; `dask://HOST[:PORT]`.
    Raises: ClusterError: no such cluster, another version of paxtui there, or no worker left.
    """
    where = scheduler_address(executor)
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(f"--executor needs dask: {install_command('cluster')}") from None
    try:
        client = Client(where, timeout=CONNECT_S)
    except (OSError, TimeoutError) as error:
        raise ClusterError(f"no answer from a dask scheduler at {where}: {error}") from None
    try:
        _check_workers(client, where)
        yield from _assign_matches(client, matches, where)
    finally:
        client.close()


def _check_workers(client: Client, where: str) -> None:
    """Check that the workers have this version of paxtui. Raises: ClusterError."""
    try:
        found = client.run(worker_version)
    except Exception as error:  # a worker without paxtui can raise any error
        raise ClusterError(f"paxtui does not run on the workers of {where}: {error}") from None
    other = sorted({str(one) for one in found.values()} - {__version__})
    if other:
        raise ClusterError(f"workers of {where} have paxtui {', '.join(other)}, not {__version__}")


def _assign_matches(client: Client, matches: Sequence[Match], where: str) -> Iterator[Outcome]:
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
    """Return the workers of the cluster. Raises: ClusterError."""
    try:
        return tuple(client.ncores())
    except (OSError, ValueError) as error:
        raise ClusterError(f"lost the dask scheduler at {where}: {error}") from None


def _receive_outcome(match: Match, attempt: int, future: Future[WireResult]) -> Outcome:
    """Return the outcome from a worker, and save its log."""
    try:
        raw, log = future.result()
    except Exception as error:  # the node could not play the game or send the result
        return failed_outcome(match, f"{type(error).__name__}: {error}", attempt)
    if match.file:
        Path(match.file).write_bytes(log)
    return replace(msgspec.json.decode(raw, type=Outcome), file=match.file, attempts=attempt)


# --- on the node ------------------------------------------------------------------------------------------------------


def worker_version() -> str:
    """Return the version of paxtui on a worker."""
    return __version__


def play_on_worker(raw: bytes, tables: Mapping[str, str]) -> WireResult:
    """Play a game, and return its outcome and its log.

    Args: the `Match` as JSON; the texts of tables that replace shipped ones, by name.
    """
    match = msgspec.json.decode(raw, type=Match)
    with TemporaryDirectory(prefix="paxtui-") as directory:
        here = Path(directory)
        log, own = here / "game.jsonl", here / "tables"
        own.mkdir()
        for name, text in tables.items():
            (own / name).write_text(text, encoding="utf-8")
        local = replace(match, file=str(log) if match.file else "", tables=str(own) if tables else "")
        outcome = play_match(local)
        return msgspec.json.encode(outcome), log.read_bytes() if log.exists() else b""
