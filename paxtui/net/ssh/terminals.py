"""A pseudo-terminal between a connection and the program that a player sees."""

from __future__ import annotations

import asyncio
import fcntl
import os
import struct
import termios
import tty
from contextlib import suppress

COLUMNS, ROWS = (20, 500), (5, 200)
"""The least and the most of a terminal that a program is told of."""

RESET = b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?2004l\x1b[?1004l\x1b[?25h\x1b[?1049l\x1b[0m"
"""No mouse, no pasting in brackets, the cursor and the first screen back: for a program that had no time for it."""


class Terminal:
    """A pseudo-terminal: what is typed goes in, what is drawn comes out.

    Attributes:
        name: of its other end, for the program.
    """

    def __init__(self, columns: int, rows: int) -> None:
        """Open one of a size. Raises: OSError."""
        self._end, other = os.openpty()
        self._other = other
        self.name = os.ttyname(other)
        tty.setraw(other)  # nothing typed before the program listens is echoed
        self.resize(columns, rows)
        os.set_blocking(self._end, False)

    def resize(self, columns: int, rows: int) -> None:
        """Tell the program another size; what makes no sense is put right."""
        wide, high = min(max(columns, COLUMNS[0]), COLUMNS[1]), min(max(rows, ROWS[0]), ROWS[1])
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", high, wide, 0, 0))

    def handed_over(self) -> None:
        """The program has its end: when that one closes it, reading here ends."""
        if self._other >= 0:
            os.close(self._other)
            self._other = -1

    async def read(self) -> bytes:
        """What is drawn; nothing when the program has ended."""
        while True:
            try:
                return os.read(self._end, 65536)
            except BlockingIOError:
                await self._ready(reading=True)
            except OSError:
                return b""

    async def write(self, data: bytes) -> None:
        """Type something. Raises: OSError when the program has ended."""
        while data:
            try:
                data = data[os.write(self._end, data) :]
            except BlockingIOError:
                await self._ready(reading=False)

    async def _ready(self, *, reading: bool) -> None:
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        watch, forget = (loop.add_reader, loop.remove_reader) if reading else (loop.add_writer, loop.remove_writer)
        watch(self._end, lambda: None if ready.done() else ready.set_result(None))
        try:
            await ready
        finally:
            forget(self._end)

    def close(self) -> None:
        """Hang up: the program meets the end of its terminal."""
        self.handed_over()
        with suppress(OSError):
            os.close(self._end)
