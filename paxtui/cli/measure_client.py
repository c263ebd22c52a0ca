"""The client as a player meets it: from the command to the first finished frame, on a pseudo-terminal.

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
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

COLUMNS, ROWS = 160, 50
TITLE = b"PAX BRITANNICA"
QUIET = 0.15
"""Seconds without output after which a frame is finished."""
PATIENCE = 20.0
"""Seconds after which a client that shows nothing is given up."""
RUNS = 5


class NoTerminal(Exception):
    """The client showed no frame; the text says what it showed instead."""


class Frame(NamedTuple):
    """`ms` from the command to the last byte of the first finished frame; `rss_mb` of the client then."""

    ms: float
    rss_mb: float


def measure_client(game: Path) -> dict[str, float]:
    """Median time of the first frame and memory after it, of several runs after one that warms the caches.

    Raises: NoTerminal.
    """
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory) / "bench.jsonl"
        shutil.copyfile(game, copy)
        command = [sys.executable, "-m", "paxtui.cli.main", "play", str(copy)]
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
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LC_ALL": "C.UTF-8",
        "PAXTUI_HOME": str(home),
    }
    if environment.pop("PYTHONDONTWRITEBYTECODE", ""):
        # a warm cache holds the compiled modules too, as every installation does; here they must go elsewhere
        environment["PYTHONPYCACHEPREFIX"] = str(home / "compiled")
    for name in ("COLUMNS", "LINES", "NO_COLOR"):
        environment.pop(name, None)
    start = perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        try:
            os.execvpe(command[0], command, environment)
        finally:
            os._exit(127)
    try:
        shown = _until_quiet(terminal, start)
        return Frame(shown * 1000, rss_mb(pid))
    finally:
        _end(pid, terminal)


def _until_quiet(terminal: int, start: float) -> float:
    """Seconds from `start` to the last byte before the output, with the title in it, goes quiet.

    Raises: NoTerminal.
    """
    seen = b""
    last = start
    while perf_counter() - start < PATIENCE:
        ready, _, _ = select.select([terminal], [], [], QUIET)
        if ready:
            try:
                data = os.read(terminal, 1 << 16)
            except OSError:
                break  # the client has ended
            if not data:
                break
            seen += data
            last = perf_counter()
        elif TITLE in seen:
            return last - start
    raise NoTerminal(seen[-300:].decode("utf-8", "replace") or "it showed nothing")


def rss_mb(pid: int) -> float:
    """Resident memory of a process in millions of bytes, its children not counted."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024 / 1e6
    out = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return int(out.stdout) * 1024 / 1e6


def _end(pid: int, terminal: int) -> None:
    """End the client that was started here."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            break
        limit = perf_counter() + 1
        while perf_counter() < limit:
            # the client may want to write its farewell: nobody reads it, so make room
            if select.select([terminal], [], [], 0.01)[0]:
                with suppress(OSError):
                    os.read(terminal, 1 << 16)
            if os.waitpid(pid, os.WNOHANG)[0]:
                os.close(terminal)
                return
    os.close(terminal)
