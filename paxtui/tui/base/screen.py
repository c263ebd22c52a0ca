"""The screens of the program: what each of them knows of the app, its colours and its help.

The one place where texts are put on the screen: they are shown as they are, and nothing in them is markup.

A Treaty may be called `[/]` and a dispatch say `[@click=app.quit]`: Textual would take both for commands of its own in
whatever is handed over as a plain string. The widgets here never do, and every screen shows its texts by them; so do
the messages of the app (`PlayersApp.notify`). Where colours are wanted, a `rich.text.Text` carries them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar, TypeVar

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text
from textual import getters
from textual.await_complete import AwaitComplete
from textual.binding import Binding
from textual.visual import VisualType
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from paxtui.tui.base.app import BaseApp
from paxtui.tui.formatting.look import Look
from paxtui.tui.rendering.compositor import DimmingModalScreen, RenderingScreen


class PlainText(Static):
    """A text as it is."""

    def __init__(self, content: VisualType = "", *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(content, id=id, classes=classes, markup=False)


KEY_SEPARATOR = " · "
"""What stands between two keys."""


class KeyRows:
    """Keys and what they do, in rows that end between two of them and never inside one, as far as the room goes."""

    def __init__(self, told: str) -> None:
        self._told = told

    def __str__(self) -> str:
        return self._told

    def rows(self, width: int) -> list[str]:
        """The rows. Args: cells of each."""
        rows: list[str] = []
        for item in self._told.split(KEY_SEPARATOR):
            longer = f"{rows[-1]}{KEY_SEPARATOR}{item}" if rows else item
            if rows and cell_len(longer.rpartition("\n")[2]) > width:
                rows.append(item)
            else:
                rows[-1:] = [longer]
        return rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text("\n".join(self.rows(options.max_width)))


class KeyHints(PlainText):
    """The keys of a box and what they do, below it."""

    def __init__(self, told: str, *, id: str | None = None) -> None:
        super().__init__(KeyRows(told), id=id, classes="note")


def set_border_title(widget: Widget, title: str) -> None:
    """Write a title on a widget's edge."""
    widget.border_title = Text(title)


class TextPanel(PlainText):
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


class ChoiceList(OptionList):
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


Result = TypeVar("Result")
MESSAGE_ROWS = 7
"""Rows that messages need."""
HIGH = 32
"""Rows from which on a box leaves the card of the place and the keys below free."""
_NAMED = re.compile(r"{([a-z_.]+)}")
"""The id of a binding in a text about keys."""


class BaseScreen(RenderingScreen[Result]):
    """A screen of the program."""

    app = getters.app(BaseApp)
    TOPIC: ClassVar[str] = ""
    """Its page of the help (`data/help.toml`); a screen without one speaks by its own description."""

    @property
    def look(self) -> Look:
        """Colours and signs of the settings."""
        return self.app.look

    def on_mount(self) -> None:
        """Be drawn anew when the settings change."""
        self.watch(self.app, "settings", self.restyle, init=False)

    def restyle(self) -> None:
        """The settings have changed: other colours, other signs."""

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close the screen with an answer. One that has been closed already stays so, and nothing else is."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def format_keys(self, told: str) -> str:
        """A text about the keys of this screen: `{choice.default}` in it becomes the key that the binding has now."""
        bound = (b for kind in type(self).__mro__ for b in vars(kind).get("BINDINGS", ()) if isinstance(b, Binding))
        own = {b.id: b.key for b in bound}
        return _NAMED.sub(lambda named: self.app.key_of(named[1], own[named[1]]), told)

    def topics(self) -> tuple[str, ...]:
        """Pages of the help that belong here, first that of what has focus."""
        return (self.TOPIC,) if self.TOPIC else ()

    def end_session(self) -> str:
        """Stop the bots of this screen's game, if it has one; return why the game cannot go on in its file, or ""."""
        return ""

    def words(self) -> str:
        """What the screen says, to be copied: its texts, and the lines under the cursor of its lists."""
        parts = [str(w.content).strip() for w in self.query(PlainText) if w.display]
        for rows in self.query(ChoiceList):
            if rows.highlighted is not None:
                parts.append(str(rows.get_option_at_index(rows.highlighted).prompt))
        return "\n".join(part for part in parts if part)


class ModalDialog(DimmingModalScreen[Result], BaseScreen[Result]):
    """A screen of the program that lies over another one. Messages stand where they leave its title free."""

    VERTICAL_BREAKPOINTS: list[tuple[int, str]] | None = [(0, "-low"), (HIGH, "-high")]

    def on_mount(self) -> None:
        """Messages about what the screen below showed go."""
        self.app.forget_older_messages()
        # those that stay are shown once, over this screen
        for below in self.app.screen_stack[:-1]:
            for rack in below.query("ToastRack"):
                rack.display = False
        self.call_after_refresh(self.make_room_for_messages)

    def make_room_for_messages(self) -> None:
        """Put messages above the box or below it, or else under its title."""
        titles, boxes = self.query(".title"), self.query(".box")
        if not titles or not boxes:
            return
        title, box = titles.first().region, boxes.first().region
        row = title.bottom
        if box.y > MESSAGE_ROWS:
            row = 1
        elif self.size.height - box.bottom > MESSAGE_ROWS:
            row = box.bottom
        for rack in self.query("ToastRack"):
            rack.styles.margin = (row, 0, 0, 0)
