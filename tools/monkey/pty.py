"""Type at the real program on a pseudo-terminal; find tracebacks, empty screens and a program that does not end."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from paxtui.cli.hosting.admin import is_running
from paxtui.cli.hosting.launcher import ServerLauncher
from tests.tui.terminal import KEYS, Terminal
from tools.monkey.in_process import Fault, Result
from tools.monkey.typing import Burst, Key, Pasted, Sized, Stroke
from tools.monkey.visits import VISITS

CODES = {
    **{name.lower(): code for name, code in KEYS.items()},
    "pageup": "\x1b[5~", "pagedown": "\x1b[6~", "delete": "\x1b[3~", "shift+tab": "\x1b[Z", "backspace": "\x7f",
    "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS", "f5": "\x1b[15~", "f6": "\x1b[17~", "f7": "\x1b[18~",
    "f8": "\x1b[19~", "f9": "\x1b[20~", "f11": "\x1b[23~", "f12": "\x1b[24~",
}  # fmt: skip
GARBAGE = (b"\xe9", b"\x80", b"\xff\xfe", b"\xc3", b"\xf0\x9f", b"\x1b[200~Tunis \xff\xe9 for Italy\x1b[201~")
"""Invalid UTF-8: a key of a Latin-1 terminal, half a character, a pasted file."""

ENDS = {"ctrl+q": 0, "SIGTERM": 128 + signal.SIGTERM, "SIGHUP": 128 + signal.SIGHUP, "closed": 128 + signal.SIGHUP}
"""Ways to end a visit, with the expected exit code."""

RESTORED = b"\x1b[?1049l"
"""Written by the program when it restores the terminal."""

PATIENCE = 60.0
"""Timeout for the end of the program, and for content on its screen, in seconds."""


def code(stroke: Stroke) -> str:
    """Return what a terminal sends for a stroke."""
    if isinstance(stroke, Pasted):
        return f"\x1b[200~{stroke.text.replace(chr(27), '')}\x1b[201~"
    assert isinstance(stroke, Key)
    if stroke.name.startswith("ctrl+"):
        return chr(ord(stroke.name[-1]) - ord("a") + 1)
    return CODES.get(stroke.name) or stroke.letter or ""


def visit(name: str, bursts: Sequence[Burst], seed: str = "", end: str = "", garbage: float = 0.1) -> Result:
    """Type at the program, with bytes in between that are no keys, then end it.

    Args:
        name: of the visit.
        bursts: what is typed.
        seed: of the bytes that are no keys, and of the end.
        end: one of `ENDS`; drawn by the seed if empty.
        garbage: how often a burst is followed by bytes that are no keys.

    Raises: Fault.
    """
    random = Random(seed)
    end = end or random.choice(tuple(ENDS))
    first = next(begin for what, begin, _ in VISITS if what == name)
    result = Result()
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        path = first(home)
        screen = Terminal(home, *(("play", str(path)) if path else ()), columns=100, rows=30)
        try:
            _content(screen)
            for burst in bursts:
                time.sleep(min(burst.pause, 0.05))
                for stroke in burst.strokes:
                    if isinstance(stroke, Sized):
                        screen.child.setwinsize(stroke.rows, stroke.columns)
                        screen.screen.resize(stroke.rows, stroke.columns)
                    else:
                        screen.child.send(code(stroke))
                    result.heard.append(stroke)
                if random.random() < garbage:
                    screen.child.send(random.choice(GARBAGE))
                screen.read(0.01)
                if not screen.child.isalive():
                    break
            _leave(screen, end)
        except Fault as fault:
            reports = [report.read_text() for report in home.rglob("crash-*.txt")]
            raise Fault("\n".join([str(fault), *reports])) from None
        finally:
            screen.close()
            server = ServerLauncher(home / "house")
            if is_running(server.data_directory):  # *Host this game* starts one that outlives the program
                server.close()
        if list(home.rglob("crash-*.txt")):
            raise Fault(next(home.rglob("crash-*.txt")).read_text())
    return result


def _content(screen: Terminal) -> None:
    """Wait for something on the screen. Raises: Fault."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        screen.read(0.1)
        if any(char.isalnum() for char in screen.text):
            return
    raise Fault("a screen without content")


def _leave(screen: Terminal, how: str) -> None:
    """End the program and check that it ends as it should. Raises: Fault."""
    alive = screen.child.isalive()  # a burst may have left the program
    if alive:
        time.sleep(0.5)
        screen.drawn_again()
        try:
            _content(screen)
        except Fault:
            if screen.child.isalive():
                raise
    deadline = time.monotonic() + PATIENCE
    signalled = False
    while screen.child.isalive():
        if time.monotonic() > deadline:
            raise Fault(f"{how} does not end it; the screen:\n{screen.text}")
        if how == "ctrl+q":
            screen.press("ctrl+q")
        elif not signalled:
            signalled = True
            if how == "closed":
                screen.child.ptyproc.fileobj.close()
            else:
                os.kill(screen.child.pid, signal.Signals[how])
        if how == "closed":
            time.sleep(0.1)
        else:
            screen.read(0.5)
    if how != "closed" or not signalled:
        screen.read(0.1)
        if RESTORED not in screen.written:
            raise Fault(f"after {how} the terminal is not as it was")
        screen.child.close()
    code = screen.child.exitstatus
    if code is None:  # ended by the signal itself while it was leaving: as a shell counts it
        code = 128 + (screen.child.signalstatus or 0)
    if code != (ENDS[how] if signalled else 0):
        raise Fault(f"{how}: exit code {code}, signal {screen.child.signalstatus}:\n{screen.text}")
