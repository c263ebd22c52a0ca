"""A list in which several lines are ticked: Space or a letter ticks, Enter takes what is ticked, Esc leaves it all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Key

from paxtui.tui.boxes.pick import LETTERS
from paxtui.tui.stage.listing import ListBox
from paxtui.tui.stage.prose import Keys, Prose, Rows

TICKED, OPEN = "[x]", "[ ]"


class TickScreen(ListBox[frozenset[int] | None]):
    """Answers with the numbers of the lines ticked.

    Args:
        title: what is asked.
        lines: the lines.
        ticked: the numbers of those that are ticked already.
    """

    TOPIC = "tick"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="tick.close", tooltip="Leave everything as it was"),
        Binding("space", "tick", "Tick", id="tick.tick", tooltip="Tick the line, or take the tick away"),
    ]

    def __init__(self, title: str, lines: Sequence[str], ticked: Collection[int] = ()) -> None:
        super().__init__()
        self.asked, self._lines, self.ticked = title, list(lines), set(ticked)

    def compose(self) -> ComposeResult:
        """Title and lines."""
        with Vertical(classes="box"):
            yield Prose(self.asked, classes="title")
            yield Rows(id="tick")
            keys = "{tick.tick} or a letter ticks · Enter takes what is ticked · {tick.close} leaves it"
            yield Keys(self.keyed(keys))

    def lines(self) -> Iterable[Text]:
        """The lines, each with its letter and its tick."""
        look = self.look
        for n, line in enumerate(self._lines):
            text = Text(no_wrap=True, overflow="ellipsis")
            text.append(f"{LETTERS[n] if n < len(LETTERS) else ' '} ", look.key)
            text.append(f"{TICKED if n in self.ticked else OPEN} ", look.key if n in self.ticked else "")
            text.append(look.palette.text(line))
            yield text

    def _tick(self, row: int) -> None:
        self.ticked ^= {row}
        self.fill(row)

    def on_key(self, event: Key) -> None:
        """A letter ticks its line."""
        if event.character and event.character in LETTERS[: len(self._lines)]:
            event.stop()
            self._tick(LETTERS.index(event.character))

    def action_tick(self) -> None:
        """Tick the line under the cursor, or take its tick away."""
        if self.row is not None:
            self._tick(self.row)

    @on(Rows.OptionSelected)
    def _selected(self, event: Rows.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._answer())

    def _answer(self) -> frozenset[int]:
        """What Enter takes."""
        return frozenset(self.ticked)
