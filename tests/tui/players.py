"""People at one keyboard of the real program: they press keys, wait for lines of the log, and change seats."""

from __future__ import annotations

import time
from pathlib import Path

from paxtui.games.pax.game import PaxGame
from paxtui.session.pax_host import PaxHost
from tests.tui.terminal import Terminal
from tests.waiting import PATIENCE

COMBAT_RESULT = "Combat Results Table"
"""Words of the dialog with the result of a combat."""


def acts_and_events(table: PaxHost) -> list[tuple[str, object, object]]:
    """Return seat, act and events of each act, decoded by the current rules."""
    decode = PaxGame(table.tables).decode_action
    acts = [line for line in table.game.lines if line.kind == "act"]
    return [(line.seat, decode(line.action), table.game.events(line.n)) for line in acts]


class Players:
    """Several people at one keyboard."""

    def __init__(self, screen: Terminal, log: Path) -> None:
        self.screen, self.log = screen, log

    def lines(self) -> int:
        """Return the number of lines of the log on disk."""
        return self.log.read_bytes().count(b"\n")

    def keys(self, *keys: str, wanted: str, gone: str = "") -> None:
        """Press keys and wait for a text."""
        self.screen.press(*keys)
        self.screen.wait(wanted, gone=gone)

    def act(self, *keys: str) -> None:
        """Press keys that write a line of the log, and close the curtain if it appears."""
        before = self.lines()
        self.screen.press(*keys)
        end = time.monotonic() + PATIENCE
        while self.lines() == before:
            self.screen.read(0.01)
            assert time.monotonic() < end, self.screen.text
        self.lift()

    def lift(self) -> None:
        """Close the combat result and the curtain, if they are shown."""
        self.screen.still()
        if COMBAT_RESULT in self.screen.text:
            self.screen.read_card()
            self.screen.press(" ")
            self.screen.still()
        if "it is your turn." in self.screen.text:
            self.screen.read_card()
            self.screen.press(" ")
            self.screen.wait("line", gone="it is your turn.")
        self.screen.look()

    def sit(self, seat: str, name: str) -> None:
        """Change to another seat."""
        self.screen.press(":")
        self.screen.wait("order:")
        self.screen.type(f"seat {seat}\r")
        # the curtain may appear, perhaps late
        end = time.monotonic() + PATIENCE
        while f"{name} ·" not in self.screen.text or "it is your turn." in self.screen.text:
            self.screen.read(0.02)
            if "it is your turn." in self.screen.text:
                self.lift()
            assert time.monotonic() < end, self.screen.text

    def article(self, words: str, text: str) -> None:
        """Add an article in the editor; its wording appears while it is typed."""
        self.screen.press("a")
        self.screen.type(words)
        self.screen.wait(text)
        self.screen.press("Enter")
        self.screen.wait("add an article")
