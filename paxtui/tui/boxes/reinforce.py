"""Units are called to a place: which of all that can come, and what they would be worth there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Resize

from paxtui.tui.boxes.tick import TickScreen
from paxtui.tui.stage.prose import Keys, Prose, Rows

AROUND = 14
"""Rows of the box that are not the list's."""


class ReinforceScreen(TickScreen):
    """A list to tick. Enter with nothing ticked takes the line under the cursor.

    Args:
        title: what is asked.
        lines: the units.
        worth: what some of them would be worth, in words, by their numbers.
    """

    TOPIC = "reinforce"

    def __init__(self, title: str, lines: Sequence[str], worth: Callable[[frozenset[int]], str]) -> None:
        super().__init__(title, lines)
        self._worth = worth

    def compose(self) -> ComposeResult:
        """Title, lines, and what they are worth."""
        with Vertical(classes="box"):
            yield Prose(self.asked, classes="title")
            yield Rows(id="tick")
            yield Prose(id="worth")
            keys = "{tick.tick} or a letter ticks · Enter calls them · {tick.close} nobody"
            yield Keys(self.keyed(keys))

    def _answer(self) -> frozenset[int]:
        """What Enter takes."""
        return frozenset(self.ticked) or frozenset(() if self.row is None else (self.row,))

    def on_resize(self, event: Resize) -> None:
        """The list takes what room there is, and scrolls in it."""
        self.query_one(Rows).styles.max_height = max(4, event.size.height * 9 // 10 - AROUND)

    @on(Rows.OptionHighlighted)
    def _say(self) -> None:
        """What is chosen is worth something else now."""
        self.query_one("#worth", Prose).update(self.look.signs(Text(self._worth(self._answer()))))
