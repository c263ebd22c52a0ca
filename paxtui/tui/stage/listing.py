"""Boxes around a list: its lines are made anew when something changes, and the cursor stays where it is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from rich.text import Text
from textual.widgets.option_list import Option

from paxtui.tui.stage.prose import Rows
from paxtui.tui.stage.screen import PaxOverlay, Result


class ListBox(PaxOverlay[Result]):
    """A box with one list, which has the keyboard; it can be left without an answer."""

    first = 0
    """The line under the cursor at first."""

    def on_mount(self) -> None:
        """Fill the list."""
        self.fill(self.first)
        self.set_focus(self.query_one(Rows))

    @abstractmethod
    def lines(self) -> Iterable[Text]:
        """The lines of the list as they are now."""

    def fill(self, row: int) -> None:
        """Make the lines anew. Args: the line under the cursor then."""
        rows = self.query_one(Rows)
        rows.clear_options()
        rows.add_options(Option(line, id=str(n)) for n, line in enumerate(self.lines()))
        rows.highlighted = row if rows.option_count else None

    @property
    def row(self) -> int | None:
        """The line under the cursor; None in an empty list."""
        return self.query_one(Rows).highlighted

    def action_close(self) -> None:
        """Leave everything as it is."""
        self.dismiss(None)
