"""The chat of a game, in a file beside its log."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

import msgspec

from paxtui.engine.free_text import ChatLine, clean_chat
from paxtui.engine.refusal import Refusal
from paxtui.session.storage.interface import FILES, Storage

BURST_LINES, BURST_WINDOW_S = 6, 12.0
"""Chat lines that a person may send within an interval, and the interval in seconds."""

KEPT_LINES = 2000
"""Chat lines kept in memory and sent to new clients; the file keeps all."""


class TalkLog:
    """The chat of one game, stored in a file beside its log.

    Args:
        path: the file; it may be missing.
        clock: monotonic seconds, for the rate limit.
        storage: where it is stored.

    Attributes:
        lines: the last lines, newest last.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic, storage: Storage = FILES) -> None:
        self._path, self._clock, self._storage = path, clock, storage
        self._chat_times: dict[str, deque[float]] = {}
        found, whole = _read_lines(path, storage)
        self.lines: deque[ChatLine] = deque(found, KEPT_LINES)
        self._torn = b"" if whole else b"\n"

    def after(self, number: int, until: str = "") -> tuple[ChatLine, ...]:
        """Return the lines after line `number`, up to the given time ("" for all)."""
        return tuple(line for line in self.lines if line.n > number and (not until or line.time <= until))

    def append(self, who: str, seat: str, name: str, text: str, now: str) -> ChatLine:
        """Append a chat line.

        Args:
            who: the subject of the rate limit: a player, or a seat of the host.
            seat: the sending seat.
            name: the sender's name.
            text: the text.
            now: the time, ISO 8601 in UTC.

        Raises: Refusal `empty`, `too_long`, `too_fast`; OSError if it cannot be stored; then it is not sent.
        """
        words = clean_chat(text)
        lately = self._chat_times.setdefault(who, deque(maxlen=BURST_LINES))
        at = self._clock()
        if len(lately) == BURST_LINES and at - lately[0] < BURST_WINDOW_S:
            raise Refusal("too_fast", (), "Too many requests. Wait a few seconds.")
        line = ChatLine(self.lines[-1].n + 1 if self.lines else 1, now, seat, name, words)
        self._storage.append(self._path, self._torn + msgspec.json.encode(line) + b"\n")
        self._torn = b""
        lately.append(at)
        self.lines.append(line)
        return line


def _read_lines(path: Path, storage: Storage) -> tuple[list[ChatLine], bool]:
    """Return the lines of a file, and whether it ends with a complete line; an incomplete one was never sent."""
    try:
        data = storage.read(path)
    except FileNotFoundError:
        return [], True
    found: list[ChatLine] = []
    for piece in data.splitlines():
        try:
            found.append(msgspec.json.decode(piece, type=ChatLine))
        except (msgspec.MsgspecError, ValueError):
            continue
    return found, not data or data.endswith(b"\n")
