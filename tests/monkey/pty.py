"""The real program on a pseudo-terminal, and what a monkey finds there: tracebacks, dead screens, no way out."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.monkey.desk import Fault, Result
from tests.monkey.typing import Burst, Key, Pasted, Sized, Stroke
from tests.monkey.visits import VISITS
from tests.tui.terminal import KEYS, Terminal

CODES = {
    **{name.lower(): code for name, code in KEYS.items()},
    "pageup": "\x1b[5~", "pagedown": "\x1b[6~", "delete": "\x1b[3~", "shift+tab": "\x1b[Z", "backspace": "\x7f",
    "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS", "f5": "\x1b[15~", "f6": "\x1b[17~", "f7": "\x1b[18~",
    "f8": "\x1b[19~", "f9": "\x1b[20~", "f11": "\x1b[23~", "f12": "\x1b[24~",
}  # fmt: skip
PATIENCE = 60.0
"""Seconds in which the program must have left, or shown something."""


def code(stroke: Stroke) -> str:
    """What a terminal sends for a stroke."""
    if isinstance(stroke, Pasted):
        return f"\x1b[200~{stroke.text.replace(chr(27), '')}\x1b[201~"
    assert isinstance(stroke, Key)
    if stroke.name.startswith("ctrl+"):
        return chr(ord(stroke.name[-1]) - ord("a") + 1)
    return CODES.get(stroke.name) or stroke.letter or ""


def visit(name: str, bursts: Sequence[Burst]) -> Result:
    """Type at the program, then leave it. Args: the name of the visit; what is typed. Raises: Fault."""
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
                screen.read(0.01)
                if not screen.child.isalive():
                    break
            _leave(screen)
        finally:
            screen.close()
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


def _leave(screen: Terminal) -> None:
    """Look at what is there, then leave. Raises: Fault where that does not go, or goes with a mistake."""
    if screen.child.isalive():
        time.sleep(0.5)
        screen.drawn_again()
        try:
            _content(screen)
        except Fault:
            if screen.child.isalive():
                raise
    end = time.monotonic() + PATIENCE
    while screen.child.isalive():
        if time.monotonic() > end:
            raise Fault(f"ctrl+q does not leave; the screen:\n{screen.text}")
        screen.press("ctrl+q")
        screen.read(0.5)
    screen.child.close()
    if screen.child.exitstatus != 0:
        raise Fault(f"it left with {screen.child.exitstatus}, signal {screen.child.signalstatus}:\n{screen.text}")
