"""The real program on a pseudo-terminal: type keys, wait for what the screen shows."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

import pexpect
import pyte

from tests.waiting import PATIENCE

KEYS = {
    "Enter": "\r",
    "Escape": "\x1b",
    "Tab": "\t",
    "Up": "\x1b[A",
    "Down": "\x1b[B",
    "Right": "\x1b[C",
    "Left": "\x1b[D",
    "Home": "\x1b[H",
    "End": "\x1b[F",
    "F1": "\x1bOP",
    "F10": "\x1b[21~",
    "ctrl+l": "\x0c",
    "ctrl+r": "\x12",
    "ctrl+q": "\x11",
}


LOOK = 0.25
"""Seconds for which one looks at a card or a curtain; a key pressed much sooner is not heard."""


ATTENTIVE = """
import sys
from paxtui.tui.rendering import key_queue
key_queue.MIN_VISIBLE_S = -1.0
from paxtui.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
"""The program for players who are quick to see: a key counts as soon as what it answers has been drawn."""


def quiet(home: Path) -> None:
    """Settings of a player whom nothing is told unasked, so that no page comes between two keys."""
    (home / "settings.toml").write_text('reports = "none"\nremind = false\ndice = "log"\n', encoding="utf-8")


def end_child(child: pexpect.spawn) -> None:
    """End a program, by SIGKILL if it does not leave. Pexpect waits only a tenth of a second for that."""
    try:
        child.close(force=True)
    except pexpect.ExceptionPexpect:
        child.wait()


class Terminal:
    """paxtui with its screen, `columns` by `rows` cells; `more` of its environment.

    `attentive`: what comes unasked need not be looked at for a while before a key is heard. Whoever reads the screen
    before each key types none too early; how long the program waits is tested elsewhere (`test_type_ahead`).
    """

    attentive = False

    def __init__(
        self, home: Path, *words: str, columns: int = 160, rows: int = 50, attentive: bool = False, **more: str
    ) -> None:
        env = {
            **os.environ,
            "PAXTUI_HOME": str(home),
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LC_ALL": "C.UTF-8",
            "ESCDELAY": "20",
            **more,
        }
        for name in ("COLUMNS", "LINES", "NO_COLOR"):  # what another test has left there
            env.pop(name, None)
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.unread = bytearray()
        self.written = bytearray()
        self.mark = 0
        self.rows: list[str] = []
        self.at_work = 0
        self.attentive = attentive
        program = ["-c", ATTENTIVE] if attentive else ["-m", "paxtui.cli.main"]
        self.child = pexpect.spawn(
            sys.executable, [*program, *words], env=env, dimensions=(rows, columns), timeout=PATIENCE
        )
        self.child.delaybeforesend = None  # keys come as fast as they are typed

    def look(self) -> None:
        """Look at what must be seen before the next key is heard (150 ms), with time to spare."""
        end = time.monotonic() + (0.0 if self.attentive else 0.4)
        while time.monotonic() < end:
            self.read(0.02)

    def read(self, seconds: float = 0.02) -> None:
        """Take in what the program has written."""
        try:
            while True:
                data = self.child.read_nonblocking(262144, timeout=seconds)
                self.unread += data
                self.written += data
        except (pexpect.TIMEOUT, pexpect.EOF):
            pass

    def still(self, seconds: float = 0.15) -> None:
        """Wait until the program has nothing left to do: for so many seconds it writes nothing and sleeps.

        That a busy machine lets it wait for a processor is no sleep: where the system tells (`/proc`), it is asked.

        Raises: AssertionError with the screen: it goes on and on.
        """
        end = time.monotonic() + PATIENCE
        since, looks, seen = time.monotonic(), 0, (-1, (0, 0))
        while time.monotonic() - since < seconds or looks < 10:  # who has to wait for a processor looks seldom
            self.read(0.01)
            now, looks = (len(self.written), self.worked()), looks + 1
            if now != seen:
                since, looks, seen = time.monotonic(), 0, now
            assert time.monotonic() < end, f"it does not come to rest; the screen:\n{self.text}"

    def worked(self) -> tuple[int, int]:
        """Ticks that the program has worked, and how often it was seen at work: of its threads one runs or wants to."""
        stat = Path(f"/proc/{self.child.pid}/stat")
        if not stat.exists():
            return 0, 0
        ticks = [int(n) for n in stat.read_text().rpartition(")")[2].split()[11:13]]
        for thread in stat.parent.glob("task/*/stat"):
            if thread.read_text().rpartition(")")[2].split()[0] != "S":
                self.at_work += 1
                break
        return sum(ticks), self.at_work

    @property
    def text(self) -> str:
        """The screen as text. Slow: what has been written since the last look is played out now."""
        self.stream.feed(bytes(self.unread))
        self.unread.clear()
        self.mark = 0
        height, width = self.screen.lines, range(self.screen.columns)
        if len(self.rows) != height:
            self.rows = [""] * height
            self.screen.dirty.update(range(height))
        for y in self.screen.dirty & {*range(height)}:  # most looks find a row or two changed
            line = self.screen.buffer[y]
            self.rows[y] = "".join([line[x].data for x in width]).rstrip()
        self.screen.dirty.clear()
        return "\n".join(self.rows)

    def wait(self, *wanted: str, seconds: float = PATIENCE, gone: str = "") -> None:
        """Wait until the screen shows all of `wanted`, and no longer `gone`.

        Raises: AssertionError with the screen.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read()
            text = self.text
            if all(w in text for w in wanted) and not (gone and gone in text):
                return
        raise AssertionError(f"waited for {wanted} (gone: {gone!r}) in vain; the screen:\n{self.text}")

    def wait_output(self, pattern: str, seconds: float = PATIENCE) -> str:
        """Wait until the program writes something that matches after the last such wait; the first group.

        Quicker than `wait`: the bytes are searched, the screen is not played out.

        Raises: AssertionError with the screen.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = re.search(pattern.encode(), self.unread[self.mark :])
            if found:
                self.mark += found.end()
                return (found.group(1) if found.groups() else found.group()).decode()
            self.read(0.01)
        raise AssertionError(f"waited for {pattern!r} in vain; the screen:\n{self.text}")

    def wait_written(self, begun: int, words: str, seconds: float = PATIENCE) -> None:
        """Wait until the program has written some words in one style after its first `begun` bytes.

        Raises: AssertionError with the screen.
        """
        end = time.monotonic() + seconds
        while words.encode() not in self.written[begun:]:
            assert time.monotonic() < end, f"waited for {words!r} in vain; the screen:\n{self.text}"
            self.read(0.01)

    def forget(self) -> int:
        """What has been written so far need not be played out: only what comes is waited for. How many bytes it was."""
        self.unread.clear()
        self.mark = 0
        return len(self.written)

    def drawn_again(self) -> None:
        """Have the whole screen drawn again; what has been written before need not be played out."""
        self.read()
        self.forget()
        self.press("ctrl+l")

    def press(self, *keys: str) -> None:
        """Press keys: names of KEYS, or characters."""
        for key in keys:
            self.child.send(KEYS.get(key, key))
            self.read(0.005)

    def type(self, text: str) -> None:
        """Type a text."""
        self.child.send(text)
        self.read(0.005)

    def click(self, column: int, row: int, button: int = 0) -> None:
        """Press and let go of a mouse button over a cell, from 0, as a terminal reports it (SGR); 64 and 65 scroll."""
        for end in "M" if button >= 64 else "Mm":
            self.child.send(f"\x1b[<{button};{column + 1};{row + 1}{end}")
            self.read(0.005)

    def find(self, text: str) -> tuple[int, int]:
        """Column and row of a text on the screen.

        Raises: AssertionError: it is not there.
        """
        for row, line in enumerate(self.text.splitlines()):
            if text in line:
                return line.index(text), row
        raise AssertionError(f"{text!r} is not on the screen:\n{self.text}")

    def read_card(self) -> None:
        """Look at a card for as long as it must have been in sight before it hears a key."""
        time.sleep(0.0 if self.attentive else LOOK)

    def close(self) -> None:
        """End the program."""
        end_child(self.child)
