"""The last page of the tutorial: what was learned, and the ways on."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets.option_list import Option

from paxtui.tui.learning.lesson import Lesson
from paxtui.tui.stage.prose import Keys, Prose, Rows
from paxtui.tui.stage.screen import PaxOverlay


class EndOfTutorial(PaxOverlay[str | None]):
    """The last page: what to try next."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="ways.close", tooltip="Back to the game of the tutorial"),
    ]

    def __init__(self, lesson: Lesson) -> None:
        super().__init__()
        self._lesson = lesson

    def compose(self) -> ComposeResult:
        """What was learned, and the ways on."""
        with Vertical(classes="box"):
            yield Prose(self._lesson.title, classes="title")
            yield Prose(self.look.palette.text(self._lesson.farewell.strip()))
            yield Prose()
            yield Rows(*(Option(way.title, id=way.id) for way in self._lesson.ways), id="ways")
            yield Prose(id="way")
            yield Keys(self.keyed("Enter chooses · {ways.close} back to the board"))

    def on_mount(self) -> None:
        """The first way is under the cursor."""
        rows = self.query_one(Rows)
        rows.highlighted = 0
        self.set_focus(rows)

    @on(Rows.OptionHighlighted)
    def _highlighted(self, event: Rows.OptionHighlighted) -> None:
        way = self._lesson.ways[event.option_index]
        self.query_one("#way", Prose).update(self.look.palette.text(way.text))

    @on(Rows.OptionSelected)
    def _selected(self, event: Rows.OptionSelected) -> None:
        self.dismiss(event.option_id)

    def action_close(self) -> None:
        """Stay."""
        self.dismiss(None)
