"""Run the real program on a pseudo-terminal: type keys and wait for texts on the screen."""

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


CARD_S = 0.25
"""Seconds to wait before the first key on a card or curtain; earlier keys are discarded."""


IMMEDIATE_PROGRAM = """
import sys
from paxtui.tui.rendering import key_queue
key_queue.MIN_VISIBLE_S = -1.0
from paxtui.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
"""The program without the delay in which dialogs discard keys."""


def save_quiet_settings(home: Path) -> None:
    """Save settings without reports, reminders and dice panel, so that no page comes between two keys."""
    (home / "settings.toml").write_text('reports = "none"\nremind = false\ndice = "log"\n', encoding="utf-8")


def end_child(child: pexpect.spawn) -> None:
    """End a program, by SIGKILL if necessary. Pexpect waits only a tenth of a second for that."""
    try:
        child.close(force=True)
    except pexpect.ExceptionPexpect:
        child.wait()


class Terminal:
    """A running paxtui and its screen of `columns` by `rows` cells.

    `attentive`: dialogs accept keys at once; the test waits for the screen before each key. The usual delay is tested
    in `test_type_ahead`. `more`: environment variables.
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
        for name in ("COLUMNS", "LINES", "NO_COLOR"):  # may be set by the environment of the tests
            env.pop(name, None)
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.unread = bytearray()
        self.written = bytearray()
        self.mark = 0
        self.rows: list[str] = []
        self.busy_count = 0
        self.attentive = attentive
        program = ["-c", IMMEDIATE_PROGRAM] if attentive else ["-m", "paxtui.cli.main"]
        self.child = pexpect.spawn(
            sys.executable, [*program, *words], env=env, dimensions=(rows, columns), timeout=PATIENCE
        )
        self.child.delaybeforesend = None  # keys come as fast as they are typed

    def look(self) -> None:
        """Wait longer than the 150 ms in which a new dialog discards keys."""
        end = time.monotonic() + (0.0 if self.attentive else 0.4)
        while time.monotonic() < end:
            self.read(0.02)

    def read(self, seconds: float = 0.02) -> None:
        """Read what the program has written."""
        try:
            while True:
                data = self.child.read_nonblocking(262144, timeout=seconds)
                self.unread += data
                self.written += data
        except (pexpect.TIMEOUT, pexpect.EOF):
            pass

    def still(self, seconds: float = 0.15) -> None:
        """Wait until the program has written nothing and slept for `seconds`.

        Waiting for a processor on a busy machine is not sleep; `/proc` tells the difference, if it exists.

        Raises: AssertionError with the screen: the program does not become idle.
        """
        end = time.monotonic() + PATIENCE
        since, looks, seen = time.monotonic(), 0, (-1, (0, 0))
        while time.monotonic() - since < seconds or looks < 10:  # on a busy machine the checks are rare
            self.read(0.01)
            now, looks = (len(self.written), self.activity()), looks + 1
            if now != seen:
                since, looks, seen = time.monotonic(), 0, now
            assert time.monotonic() < end, f"the program does not become idle; the screen:\n{self.text}"

    def activity(self) -> tuple[int, int]:
        """Return the CPU ticks of the program, and how often one of its threads was seen running or runnable."""
        stat = Path(f"/proc/{self.child.pid}/stat")
        if not stat.exists():
            return 0, 0
        ticks = [int(n) for n in stat.read_text().rpartition(")")[2].split()[11:13]]
        for thread in stat.parent.glob("task/*/stat"):
            if thread.read_text().rpartition(")")[2].split()[0] != "S":
                self.busy_count += 1
                break
        return sum(ticks), self.busy_count

    @property
    def text(self) -> str:
        """The screen as text. Slow: output since the last call is interpreted now."""
        self.stream.feed(bytes(self.unread))
        self.unread.clear()
        self.mark = 0
        height, width = self.screen.lines, range(self.screen.columns)
        if len(self.rows) != height:
            self.rows = [""] * height
            self.screen.dirty.update(range(height))
        for y in self.screen.dirty & {*range(height)}:  # usually one or two rows have changed
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
        """Wait for output that matches, after the previous match; return the first group.

        Faster than `wait`: it searches the bytes without interpreting them.

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
        """Discard the output so far without interpreting it; return its length in bytes."""
        self.unread.clear()
        self.mark = 0
        return len(self.written)

    def drawn_again(self) -> None:
        """Redraw the whole screen, and discard earlier output."""
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
        """Click a cell, counted from 0, in the encoding of terminals (SGR); buttons 64 and 65 scroll."""
        for end in "M" if button >= 64 else "Mm":
            self.child.send(f"\x1b[<{button};{column + 1};{row + 1}{end}")
            self.read(0.005)

    def find(self, text: str) -> tuple[int, int]:
        """Return column and row of a text on the screen.

        Raises: AssertionError: the text is missing.
        """
        for row, line in enumerate(self.text.splitlines()):
            if text in line:
                return line.index(text), row
        raise AssertionError(f"{text!r} is not on the screen:\n{self.text}")

    def read_card(self) -> None:
        """Wait until a new card accepts keys."""
        time.sleep(0.0 if self.attentive else CARD_S)

    def close(self) -> None:
        """End the program."""
        end_child(self.child)
