"""What a fight came to, before the keyboard goes on to somebody else: who has ordered it sees its dice first."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll

from paxtui.tui.stage.prose import Prose
from paxtui.tui.stage.screen import PaxOverlay
from paxtui.tui.swift.type_ahead import SeenFirst


class FoughtScreen(SeenFirst, PaxOverlay[None]):
    """The dice of a fight; the keyboard goes on when it is closed.

    Args: what the dice said; whose keyboard it is next, "" where the seat stays.
    """

    TOPIC = "fought"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter,escape,q,c,x", "close", "Go on", id="fought.close", tooltip="The next player sits down"),
    ]

    def __init__(self, said: Text, after: str) -> None:
        super().__init__()
        self._said, self._after = said, after

    def compose(self) -> ComposeResult:
        """What the dice said, and what comes next."""
        with Vertical(classes="box"):
            with VerticalScroll():
                yield Prose(self._said)
            goes = f"on to {self._after}" if self._after else "the game goes on"
            yield Prose(f"{self.keyed('{fought.close}')}: {goes}", classes="note")

    def action_close(self) -> None:
        """Go on."""
        self.dismiss(None)
