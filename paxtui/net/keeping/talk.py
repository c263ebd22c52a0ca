"""What is said at a table: kept in a file beside the log, told to everybody there, and never faster than it is read."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.pax.words.table_talk import Spoken, worded
from paxtui.table.disk.files import append_private, read_regular

AT_ONCE, SECONDS = 6, 12.0
"""Lines that one person may say within so many seconds."""

KEPT = 2000
"""Lines of a table that are remembered, and given to whoever comes; the file keeps all."""


class Talk:
    """The talk of one table.

    Args:
        path: its file; it need not be there yet.
        clock: seconds that only go up, for how fast somebody talks.

    Attributes:
        lines: what has been said, the newest last.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path, self._clock = path, clock
        self._said: dict[str, deque[float]] = {}
        found, whole = _kept(path)
        self.lines: deque[Spoken] = deque(found, KEPT)
        self._torn = b"" if whole else b"\n"

    def after(self, number: int, until: str = "") -> tuple[Spoken, ...]:
        """The lines after line `number`. Args: it; the time of the last line that is wanted, "" for all."""
        return tuple(line for line in self.lines if line.n > number and (not until or line.time <= until))

    def say(self, who: str, seat: str, name: str, text: str, now: str) -> Spoken:
        """Say something.

        Args:
            who: whose haste is looked at: a player, or a seat of whoever keeps the table.
            seat: the seat it comes from.
            name: what he is called.
            text: his words.
            now: the time, ISO 8601 in UTC.

        Raises: Refusal `empty`, `too_long`, `too_fast`; OSError when it cannot be kept: then nobody has heard it.
        """
        words = worded(text)
        lately = self._said.setdefault(who, deque(maxlen=AT_ONCE))
        at = self._clock()
        if len(lately) == AT_ONCE and at - lately[0] < SECONDS:
            raise Refusal("too_fast", (), "That is faster than anybody reads: wait some seconds.")
        line = Spoken(self.lines[-1].n + 1 if self.lines else 1, now, seat, name, words)
        append_private(self._path, self._torn + msgspec.json.encode(line) + b"\n")
        self._torn = b""
        lately.append(at)
        self.lines.append(line)
        return line


def _kept(path: Path) -> tuple[list[Spoken], bool]:
    """The lines of a file, and whether it ends with a whole one: half a line at its end was told to nobody."""
    try:
        data = read_regular(path)
    except FileNotFoundError:
        return [], True
    found: list[Spoken] = []
    for piece in data.splitlines():
        try:
            found.append(msgspec.json.decode(piece, type=Spoken))
        except (msgspec.MsgspecError, ValueError):
            continue
    return found, not data or data.endswith(b"\n")
