"""Report pages, and the result of a fight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.narration.narrator import ReportPage
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import KEY_SEPARATOR, KeyRows, ModalDialog, PlainText
from paxtui.tui.formatting.reports import line_targets, report_text
from paxtui.tui.rendering.key_queue import DebouncedScreen

MAX_PAGE_WIDTH = 100
"""Maximum page width in cells."""
OTHER_ROWS = 7
"""Rows of the dialog outside the page: frame, title, and two for the keys."""
MIN_ROWS, MAX_ROWS = 14, 50
"""Minimum rows of the box."""


class ReportScreen(DebouncedScreen, ModalDialog[str | None]):
    """Pages to read; returns the place that the player follows from a line.

    Args:
        tables: the tables of the game.
        pages: at least one.
        who: the name of the seat that reads them, "" for a watcher.
        first: the page to show first, from 0.
        again: the id and the default key of the binding that shows the pages again.
    """

    TOPIC = "report"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("report.next", "enter,space", "next", "Go on", "Next page; after the last one, the game"),
        bind("report.back", "left,backspace", "leaf(-1)", "Previous page", "Previous page"),
        bind("report.on", "right", "leaf(1)", "Next page", "Next page"),
        bind("report.close", "escape,q", "close", "Close", "Close the report"),
        bind("report.advice", "g", "advice", "Advice", "Close the report and ask a bot for advice", show=False),
        bind("report.down", "down", "scroll(1)", "Down", "One line down", show=False),
        bind("report.up", "up", "scroll(-1)", "Up", "One line up", show=False),
    ]

    def __init__(
        self,
        tables: Tables,
        pages: Sequence[ReportPage],
        who: str,
        first: int = 0,
        again: tuple[str, str] = ("game.since", "w"),
    ) -> None:
        super().__init__()
        self._tables, self._pages, self._who = tables, pages, who
        self.number, self._again = first, again
        self.is_advice_requested = False

    @property
    def page(self) -> ReportPage:
        return self._pages[self.number]

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="report-box"):
            yield PlainText(classes="title", id="report-title")
            with VerticalScroll(id="report-page"):
                yield PlainText(id="report-text")
            yield PlainText(classes="note", id="report-keys")

    def on_mount(self) -> None:
        self.fill()

    def on_resize(self) -> None:
        self.fill()

    def restyle(self) -> None:
        self.fill()

    def fill(self) -> None:
        count = len(self._pages)
        where = f" · page {self.number + 1} of {count}" if count > 1 else ""
        who = f" · {self._who}" if self._who else ""
        title = f"{self.page.title}{who}{where}"
        self.query_one("#report-title", PlainText).update(self.look.palette.text(title))
        width = min(MAX_PAGE_WIDTH, self.app.size.width - 2) - 8
        texts = [report_text(self._tables, self.look, page, width) for page in self._pages]
        # as high as the longest page wants it, so that leafing moves nothing
        tallest = max(text.plain.count("\n") + 1 for text in texts) + OTHER_ROWS
        most = self.app.size.height * 95 // 100
        self.query_one("#report-box").styles.height = min(max(tallest, MIN_ROWS), most, MAX_ROWS)
        self.query_one("#report-text", PlainText).update(texts[self.number])
        self.query_one("#report-keys", PlainText).update(self._keys())
        self.query_one("#report-page", VerticalScroll).scroll_home(animate=False)

    def _keys(self) -> KeyRows:
        key, parts = self.app.key_of, []
        if line_targets(self.page):
            parts.append("letter show the place")
        parts.append(f"{key('report.next', 'enter')} {'next page' if self._more else 'go on'}")
        if self.number:
            parts.append(f"{key('report.back', 'left')} previous page")
        parts += [f"{key('report.close', 'escape')} close", f"{key(*self._again)} show this again later"]
        return KeyRows(self.look.palette.text(KEY_SEPARATOR.join(parts)))

    @property
    def _more(self) -> bool:
        return self.number + 1 < len(self._pages)

    # --- keys -----------------------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        place = line_targets(self.page).get(event.character or "")
        if place:
            event.stop()
            self.dismiss(place)

    def action_next(self) -> None:
        """Show the rest of a long page, then the next page; after the last one, close."""
        text = self.query_one("#report-page", VerticalScroll)
        if text.scroll_y < text.max_scroll_y:
            text.scroll_page_down(animate=False)
        elif self._more:
            self.action_leaf(1)
        else:
            self.dismiss(None)

    def action_leaf(self, step: int) -> None:
        """Show another page; it is debounced again."""
        number = self.number + step
        if 0 <= number < len(self._pages):
            self.number = number
            self.app.expect_frame()
            self.fill()

    def action_scroll(self, step: int) -> None:
        self.query_one("#report-page", VerticalScroll).scroll_relative(y=step, animate=False)

    def action_advice(self) -> None:
        self.is_advice_requested = True
        self.dismiss(None)


class CombatResultDialog(DebouncedScreen, ModalDialog[None]):
    """The die rolls of a fight, shown before the handover.

    Args: the results; the next local seat, "" if it stays the same.
    """

    TOPIC = "fought"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("fought.close", "space,enter,escape,q,c,x", "close", "Go on", "Pass the keyboard to the next player"),
    ]

    def __init__(self, text: Text, after: str) -> None:
        super().__init__()
        self._text, self._after = text, after

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            with VerticalScroll():
                yield PlainText(self._text)
            goes = f"continue with {self._after}" if self._after else "the game goes on"
            yield PlainText(f"{self.format_keys('{fought.close}')} {goes}", classes="note")
