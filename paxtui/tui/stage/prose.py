"""The one place where texts are put on the screen: they are shown as they are, and nothing in them is markup.

A Treaty may be called `[/]` and a dispatch say `[@click=app.quit]`: Textual would take both for commands of its own in
whatever is handed over as a plain string. The widgets here never do, and every screen shows its texts by them; so do
the messages of the app (`PlayersApp.notify`). Where colours are wanted, a `rich.text.Text` carries them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text
from textual.visual import VisualType
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option


class Prose(Static):
    """A text as it is."""

    def __init__(self, content: VisualType = "", *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(content, id=id, classes=classes, markup=False)


BETWEEN = " · "
"""What stands between two keys."""


class Listed:
    """Keys and what they do, in rows that end between two of them and never inside one, as far as the room goes."""

    def __init__(self, told: str) -> None:
        self._told = told

    def __str__(self) -> str:
        return self._told

    def rows(self, width: int) -> list[str]:
        """The rows. Args: cells of each."""
        rows: list[str] = []
        for item in self._told.split(BETWEEN):
            longer = f"{rows[-1]}{BETWEEN}{item}" if rows else item
            if rows and cell_len(longer.rpartition("\n")[2]) > width:
                rows.append(item)
            else:
                rows[-1:] = [longer]
        return rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text("\n".join(self.rows(options.max_width)))


class Keys(Prose):
    """The keys of a box and what they do, below it."""

    def __init__(self, told: str, *, id: str | None = None) -> None:
        super().__init__(Listed(told), id=id, classes="note")


def entitle(widget: Widget, title: str) -> None:
    """Write a title on a widget's edge."""
    widget.border_title = Text(title)


class Panel(Prose):
    """A text whose room is given by the style sheet: to show another one moves nothing, the same one costs nothing."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        # a click does something here and there, but the colours are the game's and nothing is underlined
        self.auto_links = False
        self.text = Text()

    def show(self, text: Text) -> None:
        """Show a text."""
        if text != self.text:
            self.text = text
            self.update(text, layout=False)

    def forget(self) -> None:
        """What is shown next is drawn anew, whatever it is: in other colours a text may be the same."""
        self.text = Text()


class Rows(OptionList):
    """A list to choose a line from, whose lines are shown as they are."""

    def __init__(self, *lines: Option, id: str | None = None) -> None:
        super().__init__(*lines, id=id, markup=False)

    def action_page_up(self) -> None:
        """One page up; not in a list that has just been filled anew, or has no room at all, and knows no rows yet."""
        page: Callable[[], object] = super().action_page_up
        with suppress(KeyError, IndexError):
            page()

    def action_page_down(self) -> None:
        """One page down; as above."""
        page: Callable[[], object] = super().action_page_down
        with suppress(KeyError, IndexError):
            page()
