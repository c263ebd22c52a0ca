"""The whole log as a list: Enter on a line shows the world at that moment."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input
from textual.widgets.option_list import Option

from paxtui.table.session import LogEntry, Session
from paxtui.tui.panes.log import LOUD
from paxtui.tui.reading.reading import RulesScreen
from paxtui.tui.stage.prose import Prose, Rows
from paxtui.tui.stage.screen import PaxOverlay
from paxtui.tui.swift.rows import Row

MOST = 2000
"""Lines of the list, the newest ones."""


class LogScreen(PaxOverlay[int | None]):
    """Everything that happened, to read and to search; answers with the line chosen.

    Args: the open game.
    """

    TOPIC = "log_screen"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="log.close", tooltip="Back to the map"),
        Binding("slash", "search", "Search", id="log.search", tooltip="Only lines with these words"),
        Binding("question_mark", "rules", "Rules", id="log.rules", tooltip="The rules behind the line"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._entries: list[LogEntry] = []

    def compose(self) -> ComposeResult:
        """Search line, list, keys."""
        with Vertical(classes="box", id="log-box"):
            yield Prose("The log", classes="title")
            yield Input(placeholder="words to search for", id="log-words")
            yield Rows(id="log-lines")
            yield Prose("Enter shows the world after the line · / search · ? its rules · Esc back", classes="note")

    def on_mount(self) -> None:
        """Show everything, at the line looked at."""
        self._fill("")
        self.set_focus(self.query_one(Rows))

    def _fill(self, words: str) -> None:
        wanted = words.casefold().split()
        # headings stay, so that every line found has its turn and Phase above it
        log = self._session.log()
        found = [e for e in log if e.kind in LOUD or all(w in e.text.casefold() for w in wanted)]
        if wanted:
            after = [*found[1:], None]
            found = [e for e, n in zip(found, after, strict=True) if e.kind not in LOUD or (n and n.kind not in LOUD)]
        self._entries = found[-MOST:]
        rows, look = self.query_one(Rows), self.look
        rows.clear_options()
        options = []
        for n, entry in enumerate(self._entries):
            text = Row(no_wrap=True, overflow="ellipsis")
            text.append(f"{entry.line:>5} ", look.faint)
            text.append(look.palette.text(entry.text), "bold" if entry.kind in LOUD else "")
            options.append(Option(text, id=str(n)))
        rows.add_options(options)
        before = [n for n, e in enumerate(self._entries) if e.line <= self._session.line]
        if before:
            rows.highlighted = before[-1]

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._fill(event.value)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.set_focus(self.query_one(Rows))

    @on(Rows.OptionSelected)
    def _selected(self, event: Rows.OptionSelected) -> None:
        self.dismiss(self._entries[event.option_index].line)

    def action_search(self) -> None:
        """Search."""
        self.set_focus(self.query_one(Input))

    def action_rules(self) -> None:
        """The rules behind the line."""
        row = self.query_one(Rows).highlighted
        if row is not None and self._entries[row].rules:
            self.app.push_screen(RulesScreen(" ".join(self._entries[row].rules)))

    def action_close(self) -> None:
        """Back to the map."""
        self.dismiss(None)
