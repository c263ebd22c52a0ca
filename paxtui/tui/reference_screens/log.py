"""The full log as a list. Enter on a line shows the world at that moment."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input
from textual.widgets.option_list import Option

from paxtui.session.game_viewer import LogEntry
from paxtui.session.session import Session
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import ChoiceList, KeyHints, ModalDialog, PlainText, next_in_circle
from paxtui.tui.formatting.look import colour_powers
from paxtui.tui.panes.side_panes import HEADING_KINDS, LINE_KINDS, LogFilter, bot_reason, filter_log
from paxtui.tui.reference_screens.reference import RulesScreen
from paxtui.tui.rendering.text_widgets import LazyText

MAX_LINES = 2000
"""Maximum number of lines in the list; older lines are omitted."""


class LogScreen(ModalDialog[int | None]):
    """The full log with search and filters. Its result is the chosen line."""

    TOPIC = "log_screen"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("log.close", "escape", "close", "Close", "Back to the map"),
        bind("log.search", "slash", "search", "Search", "Search the lines"),
        bind("log.seat", "s", "seat", "Seat", "Only one seat; press again for the next seat"),
        bind("log.kind", "k", "kind(1)", "Kind", "Only one kind of lines; press again for the next kind"),
        bind("log.kind_back", "K", "kind(-1)", "Previous kind", "Previous kind of lines"),
        bind("log.place", "p", "place", "Place", "Only lines about the place under the cursor"),
        bind("log.rules", "question_mark", "rules", "Rules", "Rules of the line"),
    ]

    def __init__(self, session: Session, place: str = "") -> None:
        super().__init__()
        self._session, self._place = session, place
        self._filter = LogFilter()
        self._entries: list[LogEntry] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="log-box"):
            yield PlainText(classes="title", id="log-title")
            yield Input(placeholder="words to search for", id="log-words", compact=True)
            yield ChoiceList(id="log-lines")
            yield PlainText(id="log-why")
            keys = (
                "Enter show the position · {log.search} search · {log.seat} seat · {log.kind} kind · "
                "{log.place} place · {log.rules} rules · {log.close} back"
            )
            yield KeyHints(self.format_keys(keys))

    def on_mount(self) -> None:
        """List all lines, with the cursor at the moment shown."""
        self._fill("")
        self.set_focus(self.query_one(ChoiceList))

    def _fill(self, words: str) -> None:
        log = self._session.view.log()
        self._entries = filter_log(log, self._filter, words)[-MAX_LINES:]
        look = self.look
        signs = self._session.line_signs
        options = []
        for entry in self._entries:
            text = LazyText(no_wrap=True, overflow="ellipsis")
            text.append(f"{entry.line:>5}", look.faint)
            text.append(signs.get(entry.line, " "), look.key)
            text.append(look.palette.text(entry.text), "bold" if entry.kind in HEADING_KINDS else "")
            colour_powers(self._session.tables, look, text)
            options.append(Option(text))
        last = max((n for n, entry in enumerate(self._entries) if entry.line <= self._session.line), default=None)
        self.query_one(ChoiceList).refill(options, last)
        title = f"The log · {self._filter.describe(self._session)}"
        self.query_one("#log-title", PlainText).update(look.palette.text(title))

    @on(ChoiceList.OptionHighlighted)
    def _show_details(self, event: ChoiceList.OptionHighlighted) -> None:
        """Show the full text of the selected line, and the reason if it is visible."""
        entry, look = self._entries[event.option_index], self.look
        text = colour_powers(self._session.tables, look, Text(look.palette.text(entry.text)))
        why = bot_reason(self._session, look, entry)
        text.append(look.palette.text(f"\n{why}") if why else "", look.faint)
        self.query_one("#log-why", PlainText).update(text)

    def action_seat(self) -> None:
        """Show only the acts of the next seat; after the last seat all acts."""
        seats = ("", *self._session.live.players)
        self._set_filter(self._filter._replace(seat=next_in_circle(seats, self._filter.seat)))

    def action_kind(self, step: int) -> None:
        self._set_filter(self._filter._replace(kind=(self._filter.kind + step) % len(LINE_KINDS)))

    def action_place(self) -> None:
        self._set_filter(self._filter._replace(place="" if self._filter.place else self._place))

    def _set_filter(self, log_filter: LogFilter) -> None:
        self._filter = log_filter
        self._fill(self.query_one(Input).value)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._fill(event.value)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.set_focus(self.query_one(ChoiceList))

    @on(ChoiceList.OptionSelected)
    def _selected(self, event: ChoiceList.OptionSelected) -> None:
        self.dismiss(self._entries[event.option_index].line)

    def action_search(self) -> None:
        self.set_focus(self.query_one(Input))

    def action_rules(self) -> None:
        row = self.query_one(ChoiceList).highlighted
        if row is not None and self._entries[row].rules:
            self.app.push_screen(RulesScreen(" ".join(self._entries[row].rules)))
