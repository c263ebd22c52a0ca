"""Units are called to a place: which of all that can come, and what they would be worth there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from paxtui.tui.boxes.tick import TickScreen
from paxtui.tui.stage.prose import Prose, Rows


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
            yield Prose(self.keyed(keys), classes="note")

    def _answer(self) -> frozenset[int]:
        """What Enter takes."""
        return frozenset(self.ticked) or frozenset(() if self.row is None else (self.row,))

    @on(Rows.OptionHighlighted)
    def _say(self) -> None:
        """What is chosen is worth something else now."""
        self.query_one("#worth", Prose).update(self.look.signs(Text(self._worth(self._answer()))))
