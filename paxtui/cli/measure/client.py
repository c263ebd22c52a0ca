"""The client as a player meets it: a pseudo-terminal of its own, keys written into it, frames read out of it.

Nothing answers the terminal's queries; Linux and macOS.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import perf_counter
from types import TracebackType
from typing import NamedTuple

COLUMNS, ROWS = 160, 50
TITLE = b"PAX BRITANNICA"
QUIET = 0.15
"""Seconds without output after which the first frame is finished."""
UNTOLD = 'reports = "none"\nremind = false\ndice = "log"\ntitle = false\n'
"""Settings of a player whom nothing is told unasked: each key finds the map, no page before it."""
PATIENCE = 20.0
"""Seconds after which a client that shows nothing is given up."""
RUNS = 5
ESCAPE = "5"
"""Milliseconds after which an escape byte is a lone Esc."""


class NoTerminal(Exception):
    """The client showed no frame; the text says what it showed instead."""


class Frame(NamedTuple):
    """`ms` from the command to the last byte of the first finished frame; `rss_mb` of the client then."""

    ms: float
    rss_mb: float


class Burst(NamedTuple):
    """What the client wrote before it went quiet: `data`, and when its last byte came."""

    data: bytes
    last: float


class Client:
    """A command on a pseudo-terminal of 160x50. A context manager: the command ends with it.

    Args: the command; the player's directory.
    """

    def __init__(self, command: list[str], home: Path) -> None:
        environment = {
            **os.environ,
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LC_ALL": "C.UTF-8",
            "PAXTUI_HOME": str(home),
            "ESCDELAY": ESCAPE,
        }
        if environment.pop("PYTHONDONTWRITEBYTECODE", ""):
            # a warm cache holds the compiled modules too, as every installation does; here they must go elsewhere
            environment["PYTHONPYCACHEPREFIX"] = str(home / "compiled")
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            environment.pop(name, None)
        settings = home / "settings.toml"
        if not settings.exists():
            settings.write_text(UNTOLD, encoding="utf-8")
        self.start = perf_counter()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            try:
                os.execvpe(command[0], command, environment)
            finally:
                os._exit(127)

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def press(self, data: bytes) -> float:
        """Write a key's bytes; the moment just before."""
        now = perf_counter()
        os.write(self.terminal, data)
        return now

    def burst(self, quiet: float, patience: float, wanted: bytes = b"") -> Burst:
        """What is written until it stays quiet for `quiet` seconds, with `wanted` in it.

        Args: seconds of silence that end a burst; seconds to wait for its first byte, or for what is wanted.

        Raises: NoTerminal: the client has ended, or has not shown what is wanted.
        """
        seen = bytearray()
        begun = last = perf_counter()
        while True:
            found = bool(seen) and wanted in seen
            left = quiet if found else begun + patience - perf_counter()
            if select.select([self.terminal], [], [], max(0.0, left))[0]:
                try:
                    data = os.read(self.terminal, 1 << 16)
                except OSError:
                    data = b""
                if not data:
                    raise NoTerminal(seen[-300:].decode("utf-8", "replace") or "it has ended")
                seen += data
                last = perf_counter()
            elif found or not wanted:
                return Burst(bytes(seen), last)
            else:
                raise NoTerminal(seen[-300:].decode("utf-8", "replace") or "it showed nothing")

    def until(self, moment: float) -> Iterator[Burst]:
        """What is written before a moment, piece by piece as it comes. Raises: NoTerminal: the client has ended."""
        while (left := moment - perf_counter()) > 0:
            if select.select([self.terminal], [], [], left)[0]:
                try:
                    data = os.read(self.terminal, 1 << 16)
                except OSError as error:
                    raise NoTerminal("it has ended") from error
                yield Burst(data, perf_counter())

    def first_frame(self) -> Frame:
        """The first finished frame. Raises: NoTerminal."""
        shown = self.burst(QUIET, PATIENCE, TITLE).last - self.start
        return Frame(shown * 1000, rss_mb(self.pid))

    def end(self) -> None:
        """End the command that was started here."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                break
            limit = perf_counter() + 1
            while perf_counter() < limit:
                # the client may want to write its farewell: nobody reads it, so make room
                if select.select([self.terminal], [], [], 0.01)[0]:
                    with suppress(OSError):
                        os.read(self.terminal, 1 << 16)
                if os.waitpid(self.pid, os.WNOHANG)[0]:
                    os.close(self.terminal)
                    return
        os.close(self.terminal)


def play_command(game: Path) -> list[str]:
    """The command that plays a game."""
    return [sys.executable, "-m", "paxtui.cli.main", "play", str(game)]


def measure_client(game: Path) -> dict[str, float]:
    """Median time of the first frame and memory after it, of several runs after one that warms the caches.

    Raises: NoTerminal.
    """
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory) / "bench.jsonl"
        shutil.copyfile(game, copy)
        command = play_command(copy)
        first_frame(command, Path(directory))
        frames = [first_frame(command, Path(directory)) for _ in range(RUNS)]
    return {
        "first_frame_ms": median(f.ms for f in frames),
        "client_rss_mb": median(f.rss_mb for f in frames),
    }


def first_frame(command: list[str], home: Path) -> Frame:
    """Run a command on a pseudo-terminal until its first frame is finished, then end it.

    Raises: NoTerminal.
    """
    with Client(command, home) as client:
        return client.first_frame()


def rss_mb(pid: int) -> float:
    """Resident memory of a process in millions of bytes, its children not counted."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024 / 1e6
    out = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return int(out.stdout) * 1024 / 1e6
