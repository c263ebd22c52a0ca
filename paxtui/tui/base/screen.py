"""Base classes of screens and dialogs, and widgets for plain text.

Textual would parse a Treaty named `[/]` or a dispatch with `[@click=app.quit]` as markup. The widgets of this module,
and `BaseApp.notify`, never parse markup. Use a `rich.text.Text` for colours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import ClassVar, TypeVar

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text
from textual import getters
from textual.await_complete import AwaitComplete
from textual.containers import Vertical, VerticalScroll
from textual.geometry import Size
from textual.strip import Strip
from textual.visual import VisualType
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from paxtui.tui.base.app import BaseApp
from paxtui.tui.base.keymap import bindings_of
from paxtui.tui.formatting.look import Look
from paxtui.tui.rendering.compositor import (
    ROWS_PER_STEP,
    DimmingModalScreen,
    RenderingScreen,
    prepare_dialog,
    scrollbar_cells,
)
from paxtui.tui.rendering.text_widgets import LazyText, QuickVisual, SelectableText


class PlainText(Static):
    """A text without markup."""

    def __init__(self, content: VisualType = "", *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(content, id=id, classes=classes, markup=False)


KEY_SEPARATOR = " · "
"""Separator between two keys."""


class KeyRows:
    """Keys and what they do, in rows that wrap only between two keys."""

    def __init__(self, keys: str) -> None:
        self._keys = keys

    def __str__(self) -> str:
        return self._keys

    def rows(self, width: int) -> list[str]:
        """Return the rows. Args: their width in cells."""
        rows: list[str] = []
        for item in self._keys.split(KEY_SEPARATOR):
            longer = f"{rows[-1]}{KEY_SEPARATOR}{item}" if rows else item
            if rows and cell_len(longer.rpartition("\n")[2]) > width:
                rows.append(item)
            else:
                rows[-1:] = [longer]
        return rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text("\n".join(self.rows(options.max_width)))


class KeyHints(PlainText):
    """The key hints below a box."""

    def __init__(self, keys: str, *, id: str | None = None) -> None:
        super().__init__(KeyRows(keys), id=id, classes="note")


def set_border_title(widget: Widget, title: str, subtitle: str = "") -> None:
    """Set the titles of the upper and lower border of a widget as plain text."""
    widget.border_title, widget.border_subtitle = Text(title), Text(subtitle)


class TextPanel(PlainText, SelectableText):
    """A text whose size comes from the style sheet: a change moves nothing, an equal text costs nothing."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        # links are clickable but keep the game's colours, without underline
        self.auto_links = False
        self.text = Text()

    def show(self, text: Text) -> None:
        if text != self.text:
            self.text = text
            self.update(text, layout=False)

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Show a text. Its lines are wrapped only if one is too long."""
        super().update(LazyText.of(content) if isinstance(content, Text) else content, layout=layout)

    def render_line(self, y: int) -> Strip:
        starts = self.visual.starts if isinstance(self.visual, QuickVisual) else ()
        return self.with_offsets(super().render_line(y), starts[y] if y < len(starts) else (0, y))

    def forget(self) -> None:
        """Redraw with the next text even if it is equal; its colours may differ."""
        self.text = Text()


class ChoiceList(OptionList):
    """A list of plain-text choices."""

    def __init__(self, *lines: Option, id: str | None = None) -> None:
        super().__init__(*lines, id=id, markup=False)

    @property
    def chosen_id(self) -> str:
        """The id of the highlighted row; "" if there is none."""
        return (self.highlighted_option.id if self.highlighted_option else None) or ""

    def refill(self, options: Iterable[Option | None], row: int | None) -> None:
        """Replace the rows, and highlight a row or the last one before it; None for none. An option None is a line."""
        self.clear_options()
        self.add_options(options)
        self.highlighted = min(row, self.option_count - 1) if row is not None and self.option_count else None

    def _size_updated(self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True) -> bool:
        """Note a new size. Textual would draw the scrollbar again after each layout."""
        return size != self.outer_size and super()._size_updated(size, virtual_size, container_size, layout)

    def on_resize(self) -> None:
        """Measure the rows now, and scroll to the highlighted one.

        Textual measures them while it draws, which changes the layout and needs two frames. A row that is highlighted
        before the list has a size is not scrolled to.
        """

        def measure() -> None:
            was_required, cells = self._layout_required, scrollbar_cells(self)
            with suppress(KeyError):  # a list that is removed has no styles
                self._update_lines()
                if scrollbar_cells(self) == cells:  # the number of rows alone moves nothing
                    self._layout_required = was_required
                self.scroll_to_highlight()

        self.call_next(measure)

    def action_page_up(self) -> None:
        """Move one page up; ignored before the list is laid out, when it has no rows."""
        page: Callable[[], object] = super().action_page_up
        with suppress(KeyError, IndexError):
            page()

    def action_page_down(self) -> None:
        """Move one page down; ignored before the list is laid out."""
        page: Callable[[], object] = super().action_page_down
        with suppress(KeyError, IndexError):
            page()


Result = TypeVar("Result")
Value = TypeVar("Value")


def next_in_circle(values: Sequence[Value], value: Value, step: int = 1) -> Value:
    """Return the value some steps after another one; after the last one comes the first, also after an unknown one."""
    return values[(values.index(value) + step) % len(values)] if value in values else values[0]


MESSAGE_ROWS = 7
"""Rows reserved for messages."""
HIGH = 32
"""Minimum screen rows for a box to leave the region card and the key hints visible."""
_NAMED = re.compile(r"{([a-z_.]+)}")
"""A binding id in a text about keys."""


class BaseScreen(RenderingScreen[Result]):
    """A screen of the program."""

    app = getters.app(BaseApp)
    TOPIC: ClassVar[str] = ""
    """Its help page (`data/help.toml`); without one, its own docstring is shown."""

    @property
    def look(self) -> Look:
        """Return the colours and signs of the settings."""
        return self.app.look

    def on_mount(self) -> None:
        """Redraw when the settings change."""
        self.watch(self.app, "settings", self.restyle, init=False)

    @property
    def is_open(self) -> bool:
        """Whether the screen is not closed. The widgets of a closed screen are removed some time before it unmounts."""
        return self in self.app.screen_stack

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close the screen with a result. Ignored if it is closed already."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def action_close(self) -> None:
        """Close the screen without a result."""
        self.dismiss(None)

    def format_keys(self, text: str) -> str:
        """Replace each `{choice.default}` in a text by the current key of that binding."""
        own = {b.id: b.key for b in bindings_of(type(self))}
        return _NAMED.sub(lambda named: self.app.key_of(named[1], own[named[1]]), text)

    def topics(self) -> tuple[str, ...]:
        """Return the help pages, first that of the focused widget."""
        return (self.TOPIC,) if self.TOPIC else ()

    def end_session(self) -> str:
        """Stop the bots of this screen's game, if it has one; return why the game cannot go on in its file, or ""."""
        return ""

    def words(self) -> str:
        """Return the content for copying: its texts and the highlighted lines of its lists."""
        parts = [str(w.content).strip() for w in self.query(PlainText) if w.display]
        for rows in self.query(ChoiceList):
            if rows.highlighted is not None:
                parts.append(str(rows.get_option_at_index(rows.highlighted).prompt))
        return "\n".join(part for part in parts if part)


class ModalDialog(DimmingModalScreen[Result], BaseScreen[Result]):
    """A dialog over another screen. Messages leave its title visible."""

    VERTICAL_BREAKPOINTS: list[tuple[int, str]] | None = [(0, "-low"), (HIGH, "-high")]
    _has_opened = False

    def on_screen_resume(self) -> None:
        """Close messages about the screen below when the dialog opens."""
        if self._has_opened:
            return
        self._has_opened = True
        self.app.forget_older_messages()
        # remaining messages are shown once, over this screen
        for below in self.app.screen_stack[:-1]:
            for rack in below.query("ToastRack"):
                rack.display = False
        if self.app.has_messages:
            self.call_after_refresh(self.make_room_for_messages)

    def make_room_for_messages(self) -> None:
        """Position messages above or below the box, otherwise under its title."""
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


def prepare_dialogs(screen: BaseScreen[None]) -> Iterator[str]:
    """Prepare the first dialog over a screen in steps, and yield their names."""
    app = screen.app
    widgets = (Vertical(), VerticalScroll(), PlainText(), KeyHints(""), ChoiceList())
    for rows in prepare_dialog(app, screen, ModalDialog(), widgets):
        app.sheet.learn_styles(rows[-ROWS_PER_STEP:], app.console, app.depth)
        yield "dialogs"
