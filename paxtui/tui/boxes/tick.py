"""A list in which several lines are ticked: Space or a letter ticks, Enter takes what is ticked, Esc leaves it all."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Key
from textual.widgets.option_list import Option

from paxtui.tui.boxes.pick import LETTERS
from paxtui.tui.stage.prose import Prose, Rows
from paxtui.tui.stage.screen import PaxOverlay

TICKED, OPEN = "[x]", "[ ]"


class TickScreen(PaxOverlay[frozenset[int] | None]):
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
            yield Prose("Space or a letter ticks · Enter takes what is ticked · Esc leaves it", classes="note")

    def on_mount(self) -> None:
        """Nothing is changed yet."""
        self._fill(0)
        self.set_focus(self.query_one(Rows))

    def _fill(self, row: int) -> None:
        rows, look = self.query_one(Rows), self.look
        rows.clear_options()
        for n, line in enumerate(self._lines):
            text = Text(no_wrap=True, overflow="ellipsis")
            text.append(f"{LETTERS[n] if n < len(LETTERS) else ' '} ", look.key)
            text.append(f"{TICKED if n in self.ticked else OPEN} ", look.key if n in self.ticked else "")
            text.append(look.palette.text(line))
            rows.add_option(Option(text, id=str(n)))
        rows.highlighted = row if self._lines else None

    def _tick(self, row: int) -> None:
        self.ticked ^= {row}
        self._fill(row)

    def on_key(self, event: Key) -> None:
        """A letter ticks its line."""
        if event.character and event.character in LETTERS[: len(self._lines)]:
            event.stop()
            self._tick(LETTERS.index(event.character))

    def action_tick(self) -> None:
        """Tick the line under the cursor, or take its tick away."""
        row = self.query_one(Rows).highlighted
        if row is not None:
            self._tick(row)

    @on(Rows.OptionSelected)
    def _selected(self, event: Rows.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._answer())

    def _answer(self) -> frozenset[int]:
        """What Enter takes."""
        return frozenset(self.ticked)

    def action_close(self) -> None:
        """Leave everything as it was."""
        self.dismiss(None)
