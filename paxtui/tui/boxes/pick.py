"""A short list to pick one line from: by letter, by Enter, by the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Key
from textual.widgets.option_list import Option

from paxtui.tui.stage.prose import Keys, Prose, Rows
from paxtui.tui.stage.screen import PaxOverlay

LETTERS = "abcdefghijklmnoprstuvwxyz"


def room(columns: int) -> int:
    """Cells that a line of the box has, after its letter, on a screen of so many columns."""
    return columns * 96 // 100 - 9


class PickScreen(PaxOverlay[int | None]):
    """Answers with the number of the line picked.

    Args:
        title: what is picked.
        lines: the lines.
        now: the line that holds now.
        enters: what a letter or Enter does, in a word or two.
        more: what is said below the list of the line under the cursor, for each line, where there is more to say; in
            several lines, if need be.
    """

    TOPIC = "pick"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="pick.close", tooltip="Leave everything as it is"),
    ]

    def __init__(
        self, title: str, lines: Sequence[str], now: int = 0, more: Sequence[str] = (), enters: str = "takes it"
    ) -> None:
        super().__init__()
        self._enters = enters
        self._title, self._lines, self._now, self._more = title, list(lines), now, list(more)

    def compose(self) -> ComposeResult:
        """Title and lines."""
        look = self.look
        with Vertical(classes="box -more" if self._more else "box"):
            yield Prose(self._title, classes="title")
            rows = []
            for n, line in enumerate(self._lines):
                text = Text(no_wrap=True, overflow="ellipsis")
                text.append(f"{LETTERS[n] if n < len(LETTERS) else ' '} ", look.key)
                text.append(look.palette.text(line))
                text.truncate(max(20, room(self.app.size.width) + 2), overflow="ellipsis")
                rows.append(Option(text, id=str(n)))
            yield Rows(*rows, id="pick")
            if self._more:
                yield Prose(id="pick-more")
            yield Keys(self.keyed(f"a letter or Enter {self._enters} · {{pick.close}} leaves it"))

    def on_mount(self) -> None:
        """The line that holds now is under the cursor."""
        said = [line for text in self._more for line in text.splitlines()]
        longest = max((len(line) for line in (self._title, *self._lines, *said)), default=0)
        width = max(48, min(longest + 10, self.app.size.width * 96 // 100))
        self.query_one(".box").styles.width = width
        if self._more:  # as much room for all as the longest wants, so that the list stands still
            most = max(sum(-(-len(line) // (width - 8)) for line in text.splitlines()) for text in self._more)
            self.query_one("#pick-more").styles.height = 1 + most
        rows = self.query_one(Rows)
        self.set_focus(rows)
        if self._lines:
            rows.highlighted = self._now

    @on(Rows.OptionHighlighted)
    def _told(self, event: Rows.OptionHighlighted) -> None:
        """What more there is to say of the line under the cursor."""
        if self._more:
            self.query_one("#pick-more", Prose).update(self.look.palette.text(self._more[event.option_index]))

    @on(Rows.OptionSelected)
    def _selected(self, event: Rows.OptionSelected) -> None:
        self.dismiss(event.option_index)

    def on_key(self, event: Key) -> None:
        """A letter picks its line."""
        if event.character and event.character in LETTERS[: len(self._lines)]:
            event.stop()
            self.dismiss(LETTERS.index(event.character))

    def action_close(self) -> None:
        """Leave everything as it is."""
        self.dismiss(None)
