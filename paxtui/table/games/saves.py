"""The games in a folder, as a list of games shows them: of each file only its two ends are read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO

import msgspec

from paxtui.engine.log import FIRST_RULEBOOK, BrokenLog, decode_header
from paxtui.engine.upcast import Raw
from paxtui.table.disk.files import StoreError, open_regular
from paxtui.table.disk.links import Link, link
from paxtui.table.disk.store import SUFFIX

_BLOCK = 64 * 1024
_LONGEST = 16 * 1024 * 1024
"""Bytes of a header, every table of the game in it, and of a line."""


class Summary(msgspec.Struct, frozen=True):
    """What a list of games shows of one file, read from its header and its last line.

    Attributes:
        path: the file.
        game: id of the game.
        edition: edition of the rules.
        program: what wrote it.
        created: when it began.
        seats: seat -> Powers.
        options: the options chosen.
        version: number of the last sound line.
        time: when that line was written, empty for the header alone.
        rulebook: by which rules it is played.
        error: why the file cannot be used, empty when it can; the rest is then empty.
    """

    path: Path
    game: str = ""
    edition: str = ""
    program: str = ""
    created: str = ""
    seats: dict[str, list[str]] = {}
    options: Raw = {}
    version: int = 0
    time: str = ""
    rulebook: str = FIRST_RULEBOOK
    error: str = ""

    @property
    def is_exercise(self) -> bool:
        """Whether it is an exercise of Empires in Arms."""
        return self.rulebook != FIRST_RULEBOOK


def list_games(directory: Path) -> list[Summary]:
    """The games in a folder, by name; of each file only the header and the last line are read.

    A file that is no log is listed with its error. A folder that is not there holds no games.
    """
    if not directory.is_dir():
        return []
    return [_summary(path) for path in sorted(directory.glob("*" + SUFFIX))]


def latest_first(games: list[Summary]) -> list[Summary]:
    """Games in the order in which one looks for them: the one played last comes first, broken ones at the end."""
    return sorted(games, key=lambda game: (bool(game.error), -played(game).timestamp(), game.path.name))


def played(game: Summary) -> datetime:
    """When a game was last played, in the time of this place."""
    try:
        return datetime.fromisoformat(game.time or game.created).astimezone()
    except ValueError:
        with suppress(OSError):
            return datetime.fromtimestamp(game.path.stat().st_mtime).astimezone()
        return datetime.fromtimestamp(0).astimezone()


def backwards(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of an open log after its header, the last one first; what was not written to its end is left out.

    Raises: OSError.
    """
    header = len(file.readline(_LONGEST))
    size = file.seek(0, os.SEEK_END)
    return (line for line in _lines_backwards(file, size, header) if line.endswith(b"\n"))


def _summary(path: Path) -> Summary:
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            first = file.readline(_LONGEST)
            if not first.endswith(b"\n"):
                raise BrokenLog(1, "the header was not written to its end")
            header = decode_header(first)
            size = file.seek(0, os.SEEK_END)
            last = _last_link(path, _lines_backwards(file, size, len(first)))
    except (OSError, BrokenLog) as error:
        return Summary(path, error=str(error))
    return Summary(
        path=path,
        game=header.game,
        edition=header.edition,
        program=header.program,
        created=header.created,
        seats=header.seats,
        options=header.options,
        version=last.n,
        time=last.time,
        rulebook=header.rulebook,
    )


def _last_link(path: Path, lines: Iterator[bytes]) -> Link:
    """The last line that was written to its end.

    Raises:
        StoreError: it cannot be read.
    """
    for line in lines:
        if line.endswith(b"\n"):
            try:
                return link(line)
            except (ValueError, RecursionError) as error:
                raise StoreError(path, f"the end of {path} cannot be read ({error})") from error
    return Link(1)


def _lines_backwards(file: IO[bytes], end: int, stop: int) -> Iterator[bytes]:
    """The lines between the offsets `stop` and `end` from the last one on, newlines included; none that is too long."""
    rest = b""
    while end > stop and len(rest) <= _LONGEST:
        start = max(stop, end - _BLOCK)
        file.seek(start)
        rest = file.read(end - start) + rest
        end = start
        pieces = _split(rest)
        # The first piece may have begun before this block.
        rest = pieces.pop(0) if start > stop else b""
        yield from reversed(pieces)


def _split(data: bytes) -> list[bytes]:
    """`data` in lines with their newlines, the last one without where it has none."""
    pieces = data.split(b"\n")
    return [piece + b"\n" for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])
