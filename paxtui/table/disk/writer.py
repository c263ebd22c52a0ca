"""Lines of a log that are on their way to the disk while the program goes on: written one after the other, in order.

None counts before it is on the disk. Once one has failed, none that was handed in after it is written.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import NamedTuple

Write = Callable[[bytes, int], bool]
"""Writes a line at a place of the file and returns when it is on the disk: whether the file still has its name."""


class NotReached(OSError):
    """A line was not written, because one before it could not be."""


class Sent(NamedTuple):
    """A line on its way: its bytes, its number, and what will come of it."""

    data: bytes
    number: int
    written: Future[bool]


class Writer:
    """Writes lines in a thread of its own.

    Args:
        write: writes one.
        patience: seconds for which whoever hands one in waits for the disk.
    """

    def __init__(self, write: Write, patience: float) -> None:
        self._write, self._patience = write, patience
        self._thread = ThreadPoolExecutor(1, "log")
        self._sent: deque[Sent] = deque()
        self._failed = False

    @property
    def sent(self) -> int:
        """How many lines are on their way."""
        return len(self._sent)

    @property
    def bytes_sent(self) -> int:
        """How many bytes they have."""
        return sum(len(line.data) for line in self._sent)

    @property
    def last(self) -> Sent | None:
        """The last of them; None where there is none."""
        return self._sent[-1] if self._sent else None

    def send(self, data: bytes, number: int, at: int) -> None:
        """Hand a line in, and wait for the disk for a moment. Args: the line; its number; its place in the file."""
        line = Sent(data, number, self._thread.submit(self._one, data, at))
        self._sent.append(line)
        wait((line.written,), self._patience)

    def arrived(self) -> Sent | None:
        """The first line, where it is known what has come of it: it is on its way no more. None where it is not."""
        return self._sent.popleft() if self._sent and self._sent[0].written.done() else None

    def wait(self) -> None:
        """Wait until all is known, however long the disk takes."""
        wait([line.written for line in self._sent])

    def give_up(self) -> None:
        """A line has failed: what was handed in after it will not be written, and is forgotten."""
        self.wait()
        self._sent.clear()
        self._failed = False

    def close(self) -> None:
        """Wait for the end and let go of the thread."""
        self._thread.shutdown()

    def _one(self, data: bytes, at: int) -> bool:
        if self._failed:
            raise NotReached("a line before it could not be written")
        try:
            return self._write(data, at)
        except BaseException:
            self._failed = True
            raise
