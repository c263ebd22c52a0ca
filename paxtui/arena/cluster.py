"""Games on a dask cluster that is there already: one at a time on each of its workers, read back as soon as it is over.

Every game is given to a worker by name, so that it is known who has it: a worker that dies, with its node or alone,
costs its game, which is begun once more elsewhere, and lost when that happens again. dask (the extra `cluster`) is
imported here and by nothing else, when a run wants it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui import __version__
from paxtui.arena.contest import play
from paxtui.arena.match import Match, Outcome, failed
from paxtui.arena.workers import ATTEMPTS
from paxtui.table.disk.extras import adding
from paxtui.table.tables import load_tables, replaced_tables

if TYPE_CHECKING:
    from distributed import Client, Future

SCHEME = "dask://"
PORT = 8786
"""Where a dask scheduler listens, if nothing else is said."""
PATIENCE = 10.0
"""Seconds for which a scheduler that does not answer is called."""
ALONE = 60.0
"""Seconds for which a run waits for a worker when there is none."""
PULSE = 0.5
"""Seconds after which it is looked whether workers have come or gone."""

Sent = tuple[bytes, bytes]
"""What comes back from a node: an outcome, and the log of the game."""


class Unreachable(Exception):
    """A cluster cannot be used; the text says why."""


class Given(NamedTuple):
    """A game that a worker has: how often it was begun, and what will come back."""

    match: Match
    attempt: int
    future: Future[Sent]


def address(text: str) -> str:
    """The address of a scheduler from `dask://HOST[:PORT]`. Raises: Unreachable."""
    host, _, port = text.removeprefix(SCHEME).partition(":")
    if not text.startswith(SCHEME) or not host or "/" in host or (port and not port.isdecimal()):
        raise Unreachable(f"--executor takes {SCHEME}HOST or {SCHEME}HOST:PORT, not {text!r}")
    return f"tcp://{host}:{port or PORT}"


def played_on(matches: Sequence[Match], executor: str) -> Iterator[Outcome]:
    """Play games on a cluster; their outcomes as they come in, in no order.

    Args: the games; `dask://HOST[:PORT]`.
    Raises: Unreachable: no such cluster, no paxtui of this version there, or nobody left to play.
    """
    where = address(executor)
    try:
        from distributed import Client
    except ImportError:
        raise Unreachable(f"--executor needs dask: {adding('cluster')}") from None
    try:
        client = Client(where, timeout=PATIENCE)
    except (OSError, TimeoutError) as error:
        raise Unreachable(f"no dask scheduler answers at {where}: {error}") from None
    try:
        _check(client, where)
        yield from _spread(client, matches, where)
    finally:
        client.close()


def _check(client: Client, where: str) -> None:
    """Whether its workers have this paxtui. Raises: Unreachable."""
    try:
        found = client.run(version)
    except Exception as error:  # whatever a worker without paxtui makes of it
        raise Unreachable(f"the workers of {where} have no paxtui that plays: {error}") from None
    other = sorted({str(one) for one in found.values()} - {__version__})
    if other:
        raise Unreachable(f"workers of {where} have paxtui {', '.join(other)}, not {__version__}")


def _spread(client: Client, matches: Sequence[Match], where: str) -> Iterator[Outcome]:
    """Give each worker a game after the other."""
    from distributed import wait

    tables: dict[str, dict[str, str]] = {}
    todo = deque((match, 1) for match in matches)
    given: dict[str, Given] = {}
    seen = monotonic()
    while todo or given:
        there = _workers(client, where)
        for worker in [one for one in given if one not in there]:
            match, attempt, _ = given.pop(worker)
            if attempt < ATTEMPTS:
                todo.appendleft((match, attempt + 1))
            else:
                yield failed(match, f"the worker died ({worker})", attempt)
        for worker in there:
            if worker not in given and todo:
                match, attempt = todo.popleft()
                if match.tables not in tables:
                    tables[match.tables] = replaced_tables(Path(match.tables) if match.tables else None)
                raw = msgspec.json.encode(match)
                future = client.submit(
                    play_there, raw, tables[match.tables], workers=[worker], allow_other_workers=False, pure=False
                )
                given[worker] = Given(match, attempt, future)
        if there:
            seen = monotonic()
        elif monotonic() - seen > ALONE:
            raise Unreachable(f"{where} has had no worker for {ALONE:.0f} seconds")
        if not given:
            sleep(PULSE)
            continue
        try:
            wait([one.future for one in given.values()], timeout=PULSE, return_when="FIRST_COMPLETED")
        except TimeoutError:
            continue
        for worker in [one for one, it in given.items() if it.future.done()]:
            match, attempt, future = given.pop(worker)
            yield _taken(match, attempt, future)


def _workers(client: Client, where: str) -> tuple[str, ...]:
    """The workers that there are now. Raises: Unreachable."""
    try:
        return tuple(client.ncores())
    except (OSError, ValueError) as error:
        raise Unreachable(f"the dask scheduler at {where} is gone: {error}") from None


def _taken(match: Match, attempt: int, future: Future[Sent]) -> Outcome:
    """What a worker has sent; its log is kept where the run wants it."""
    try:
        raw, log = future.result()
    except Exception as error:  # what the node could not play, or not send
        return failed(match, f"{type(error).__name__}: {error}", attempt)
    if match.file:
        Path(match.file).write_bytes(log)
    return replace(msgspec.json.decode(raw, type=Outcome), file=match.file, attempts=attempt)


# --- on the node ------------------------------------------------------------------------------------------------------


def version() -> str:
    """The paxtui of a worker."""
    return __version__


def play_there(raw: bytes, tables: Mapping[str, str]) -> Sent:
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
        outcome = play(
            load_tables(own if tables else None),
            replace(match, file=str(log) if match.file else "", tables=str(own) if tables else ""),
        )
        return msgspec.json.encode(outcome), log.read_bytes() if log.exists() else b""
