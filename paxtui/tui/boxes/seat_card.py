"""What stands between two players at one keyboard: a card at an open table, a curtain where somebody has secrets.

Space sits down, and not Enter: of all keys it is the one that is held down, and whoever holds it is still the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from paxtui.tui.stage.prose import Prose
from paxtui.tui.stage.screen import PaxOverlay
from paxtui.tui.swift.type_ahead import SeenFirst


class SeatCard(SeenFirst, PaxOverlay[None]):
    """Who is to sit down, in which Phase, and what waits for him.

    Args: his Power; the Phase; what waits, a line each.
    """

    TOPIC = "seat_card"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,escape", "sit", "Sit down", id="card.sit", tooltip="Take the keyboard"),
    ]

    def __init__(self, name: str, phase: str, waits: Sequence[str]) -> None:
        super().__init__()
        self._who, self._phase, self._waits = name, phase, waits

    def compose(self) -> ComposeResult:
        """Who should sit down, and why."""
        look = self.look
        with Vertical(classes="box"):
            yield Prose(f"{self._who}, sit down.", classes="title")
            yield Prose(self._phase)
            lines = [f"! {what}" for what in self._waits] or ["Nothing waits for you but your own plans."]
            yield Prose(look.signs(Text("\n".join(lines), look.alarm if self._waits else "")))
            yield Prose(self.keyed("\n{card.sit} sits down"), classes="note")

    def action_sit(self) -> None:
        """Take the keyboard."""
        self.dismiss(None)


class CurtainScreen(SeenFirst, PaxOverlay[None]):
    """A blank screen between two players at one keyboard.

    Args: the Power of the next one; what everybody may know of what is asked of it, "" for nothing.
    """

    TOPIC = "curtain"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,escape", "lift", "Lift the curtain", id="curtain.lift", tooltip="Show the game"),
    ]

    def __init__(self, name: str, asks: str = "") -> None:
        super().__init__()
        self._who, self._asks = name, asks

    def compose(self) -> ComposeResult:
        """Who should sit down."""
        asks = f"{self._asks}\n\n" if self._asks else ""
        told = f"{self._who}, sit down.\n\n{asks}" + self.keyed("{curtain.lift} lifts the curtain.")
        yield Prose(told, classes="title")

    def action_lift(self) -> None:
        """Show the game."""
        self.dismiss(None)
