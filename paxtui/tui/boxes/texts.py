"""A small screen over the others: a text to read."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll

from paxtui.tui.stage.prose import Prose
from paxtui.tui.stage.screen import PaxOverlay


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
