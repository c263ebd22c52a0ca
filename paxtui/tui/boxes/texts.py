"""Small screens over the others: a text to read, and a curtain."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll

from paxtui.tui.stage.prose import Prose
from paxtui.tui.stage.screen import PaxOverlay
from paxtui.tui.swift.type_ahead import SeenFirst


class TextScreen(PaxOverlay[None]):
    """A text in a box; any of the leaving keys closes it."""

    TOPIC = "text"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,space,question_mark", "close", "Close", id="text.close", tooltip="Back to the game"),
    ]

    def __init__(self, title: str, text: Text | str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """Title and text."""
        with Vertical(classes="box"):
            yield Prose(self._title, classes="title")
            with VerticalScroll():
                yield Prose(self._text)

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)


class CurtainScreen(SeenFirst, PaxOverlay[None]):
    """A blank screen between two players at one keyboard."""

    TOPIC = "curtain"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space", "lift", "Lift the curtain", id="curtain.lift", tooltip="Show the game"),
    ]

    def __init__(self, name: str) -> None:
        super().__init__()
        self._who = name

    def compose(self) -> ComposeResult:
        """Who should sit down."""
        yield Prose(f"{self._who}, sit down.\n\nEnter lifts the curtain.", classes="title")

    def action_lift(self) -> None:
        """Show the game."""
        self.dismiss(None)
