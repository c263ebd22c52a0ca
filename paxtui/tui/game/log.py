"""The whole log as a list: Enter on a line shows the world at that moment."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from paxtui.table.session import LogEntry, Session
from paxtui.tui.panes.log_list import LOUD
from paxtui.tui.player.look import Look
from paxtui.tui.swift.overlay import Overlay
from paxtui.tui.swift.rows import Row


class LogScreen(Overlay[int | None]):
    """Everything that happened, to read and to search; answers with the line chosen.

    Args:
        session: the open game.
        look: colours.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="log.close", tooltip="Back to the map"),
        Binding("slash", "search", "Search", id="log.search", tooltip="Only lines with these words"),
        Binding("question_mark", "rules", "Rules", id="log.rules", tooltip="The rules behind the line"),
    ]

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session, self._look = session, look
        self._entries: list[LogEntry] = []

    def compose(self) -> ComposeResult:
        """Search line, list, keys."""
        with Vertical(classes="box", id="log-box"):
            yield Static("The log", classes="title")
            yield Input(placeholder="words to search for", id="log-words")
            yield OptionList(id="log-lines")
            yield Static("Enter shows the world after the line · / search · ? its rules · Esc back", classes="note")

    def on_mount(self) -> None:
        """Show everything, at the line looked at."""
        self._fill("")
        self.set_focus(self.query_one(OptionList))

    def _fill(self, words: str) -> None:
        wanted = words.casefold().split()
        # headings stay, so that every line found has its turn and Phase above it
        log = self._session.log()
        found = [e for e in log if e.kind in LOUD or all(w in e.text.casefold() for w in wanted)]
        if wanted:
            after = [*found[1:], None]
            found = [e for e, n in zip(found, after, strict=True) if e.kind not in LOUD or (n and n.kind not in LOUD)]
        self._entries = found[-2000:]
        rows = self.query_one(OptionList)
        rows.clear_options()
        options = []
        for n, entry in enumerate(self._entries):
            text = Row(no_wrap=True, overflow="ellipsis")
            text.append(f"{entry.line:>5} ", self._look.faint)
            text.append(self._look.palette.text(entry.text), "bold" if entry.kind in LOUD else "")
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
        self.set_focus(self.query_one(OptionList))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._entries[event.option_index].line)

    def action_search(self) -> None:
        """Search."""
        self.set_focus(self.query_one(Input))

    def action_rules(self) -> None:
        """The rules behind the line."""
        from paxtui.tui.reading.rules import RulesScreen

        row = self.query_one(OptionList).highlighted
        if row is not None and self._entries[row].rules:
            self.app.push_screen(RulesScreen(" ".join(self._entries[row].rules)))

    def action_close(self) -> None:
        """Back to the map."""
        self.dismiss(None)
