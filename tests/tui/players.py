"""People at one keyboard of the real program: they press keys, wait for lines of the log, and hand the seat on."""

from __future__ import annotations

import time
from pathlib import Path

from tests.tui.terminal import Terminal
from tests.waiting import PATIENCE

FOUGHT = "Combat Results Table"
"""Words of the box that says what a fight came to."""


class Players:
    """Several people at one keyboard."""

    def __init__(self, screen: Terminal, log: Path) -> None:
        self.screen, self.log = screen, log

    def lines(self) -> int:
        """Lines of the log on the disk."""
        return self.log.read_bytes().count(b"\n")

    def keys(self, *keys: str, wanted: str, gone: str = "") -> None:
        """Press keys and wait for a text."""
        self.screen.press(*keys)
        self.screen.wait(wanted, gone=gone)

    def act(self, *keys: str) -> None:
        """Press keys that make a line of the log, and lift the curtain if it falls."""
        before = self.lines()
        self.screen.press(*keys)
        end = time.monotonic() + PATIENCE
        while self.lines() == before:
            self.screen.read(0.01)
            assert time.monotonic() < end, self.screen.text
        self.lift()

    def lift(self) -> None:
        """Whoever has fought looks at the dice; whoever is named sits down, if the curtain has fallen."""
        self.screen.still()
        if FOUGHT in self.screen.text:
            self.screen.read_card()
            self.screen.press(" ")
            self.screen.still()
        if "it is your turn." in self.screen.text:
            self.screen.read_card()
            self.screen.press(" ")
            self.screen.wait("line", gone="it is your turn.")
        self.screen.look()

    def sit(self, seat: str, name: str) -> None:
        """Somebody else sits down."""
        self.screen.press(":")
        self.screen.wait("order:")
        self.screen.type(f"seat {seat}\r")
        # the curtain falls, or does not; it may come late
        end = time.monotonic() + PATIENCE
        while f"{name} ·" not in self.screen.text or "it is your turn." in self.screen.text:
            self.screen.read(0.02)
            if "it is your turn." in self.screen.text:
                self.lift()
            assert time.monotonic() < end, self.screen.text

    def article(self, words: str, said: str) -> None:
        """An article in the editor; its wording in English comes while it is typed."""
        self.screen.press("a")
        self.screen.type(words)
        self.screen.wait(said)
        self.screen.press("Enter")
        self.screen.wait("add an article")
