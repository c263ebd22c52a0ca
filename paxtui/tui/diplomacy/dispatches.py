"""Dispatches: what was written to this seat and by it, unread ones marked, and a line to write another."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.pax.orders.dispatches import LONGEST, Letter
from paxtui.pax.words.spoken import power_name
from paxtui.table.desk.read_dispatches import mark_read, read_until
from paxtui.table.seated import Change
from paxtui.table.session import Session
from paxtui.tui.stage.playing import PlayingOverlay
from paxtui.tui.stage.prose import Prose, Rows


class DispatchScreen(PlayingOverlay[None]):
    """Letters of one seat.

    Args: the open game; its seat reads and writes.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="dispatches.close", tooltip="Back to the map, or out of the line"),
        Binding("n", "write", "Write", id="dispatches.write", tooltip="Write to one seat or several"),
        Binding("p", "proclaim", "Proclaim", id="dispatches.proclaim", tooltip="Say something to everybody"),
        Binding("r", "reply", "Reply", id="dispatches.reply", tooltip="Answer whoever wrote this"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._letters: list[Letter] = []

    def compose(self) -> ComposeResult:
        """List, text, line to write in."""
        with Vertical(classes="box", id="dispatch-box"):
            yield Prose(classes="title", id="dispatch-title")
            yield Rows(id="dispatch-list")
            with VerticalScroll(id="dispatch-page", can_focus=False):
                yield Prose(id="dispatch-text")
            yield Input(id="dispatch-line", max_length=LONGEST + 200, compact=True, select_on_focus=False)
            write = "{dispatches.write} write · {dispatches.reply} reply · {dispatches.proclaim} proclaim"
            yield Prose(self.keyed(write + " · {dispatches.close} back"), classes="note", id="dispatch-note")

    def on_mount(self) -> None:
        """Show the letters, the newest under the cursor."""
        self.query_one(Input).display = False
        self._fill()
        self.set_focus(self.query_one(Rows))

    def session_changed(self, change: Change) -> None:
        """Something has been sent, or has come."""
        self._fill()

    def _fill(self) -> None:
        session, look = self.session, self.look
        name = power_name(session.tables, session.seat)
        self.query_one("#dispatch-title", Prose).update(look.palette.text(f"Dispatches · {name}"))
        self._letters = list(session.dispatches())
        seen = read_until(session)
        rows = self.query_one(Rows)
        rows.clear_options()
        for n, letter in enumerate(self._letters):
            new = letter.line > seen and letter.sender != session.seat
            text = Text(no_wrap=True, overflow="ellipsis")
            text.append("* " if new else "  ", look.key)
            text.append(*look.power(session.tables, letter.sender, long=False))
            text.append(" to ", look.faint)
            for power in letter.to:
                text.append(*look.power(session.tables, power, long=False))
                text.append(" ")
            if not letter.to:
                text.append("everybody ", look.faint)
            words = letter.text if not letter.sealed else "sealed"
            text.append(look.palette.text(words), "bold" if new else "")
            text.truncate(min(100, self.app.size.width * 96 // 100) - 7, overflow="ellipsis")
            rows.add_option(Option(text, id=str(n)))
        if self._letters:
            new_ones = [n for n, d in enumerate(self._letters) if d.line > seen and d.sender != session.seat]
            rows.highlighted = new_ones[0] if new_ones else len(self._letters) - 1
        else:
            self.query_one("#dispatch-text", Prose).update(
                Text("Nobody has written yet. Words bind nobody, and no undo takes them back.", look.faint)
            )

    @on(Rows.OptionHighlighted)
    def _read(self, event: Rows.OptionHighlighted) -> None:
        session, look = self.session, self.look
        letter = self._letters[event.option_index]
        to = ", ".join(power_name(session.tables, p) for p in letter.to) or "everybody"
        text = Text(f"{power_name(session.tables, letter.sender)} to {to}", "bold")
        if letter.opens:
            year = session.tables.turns[letter.opens - 1].year
            text.append(f" · sealed until {year}", look.faint)
        text.append("\n" + (letter.text or "The letter opens when its year begins."))
        self.query_one("#dispatch-text", Prose).update(text)
        mark_read(session, letter.line)

    # --- writing ------------------------------------------------------------------------------------------------

    def action_write(self) -> None:
        """Open the line: Powers, a colon, the words."""
        self._open("", "france, italy: your words     (france sealed 1888: ... opens in that year)")

    def action_proclaim(self) -> None:
        """Open the line for everybody."""
        self._open("all: ", "all: your words")

    def action_reply(self) -> None:
        """Open the line for whoever wrote the letter under the cursor, and whoever else it went to."""
        row = self.query_one(Rows).highlighted
        if row is None:
            return
        letter = self._letters[row]
        to = [p for p in (letter.sender, *letter.to) if p != self.session.seat]
        self._open(f"{', '.join(dict.fromkeys(to)) or 'all'}: ", "")

    def _open(self, value: str, hint: str) -> None:
        line = self.query_one(Input)
        line.value, line.placeholder, line.display = value, hint, True
        line.cursor_position = len(value)
        self.set_focus(line)

    @on(Input.Submitted)
    def _send(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        if not text:
            self.action_close()
            return
        try:
            self.session.send(f"dispatch {text}")
        except Refusal as refusal:
            self.notify(refusal.message, title="Not sent", severity="warning")
            return
        except OSError as error:
            self.notify(f"The log could not be written: {error}. Nothing was sent.", severity="error")
            return
        self.action_close()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """In the line every key is a letter."""
        return not (isinstance(self.focused, Input) and action != "close")

    def action_close(self) -> None:
        """Out of the line first, then back to the map."""
        line = self.query_one(Input)
        if line.display:
            line.display = False
            self.set_focus(self.query_one(Rows))
        else:
            self.dismiss(None)
