"""Table talk: what everybody at a kept table has said, and a line to say something in."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.pax.words.spoken import power_name
from paxtui.pax.words.table_talk import LONGEST, Spoken
from paxtui.table.desk.read_talk import mark_heard
from paxtui.table.seated import Change
from paxtui.table.session import Session
from paxtui.tui.stage.playing import PlayingOverlay
from paxtui.tui.stage.prose import Prose
from paxtui.tui.writing.look import Look

MOST = 300
"""Lines that are shown, the newest ones."""


class TalkScreen(PlayingOverlay[None]):
    """The talk of the table.

    Args: the open game; its seat speaks.
    """

    TOPIC = "talk"
    STAYS: ClassVar[bool] = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="talk.close", tooltip="Back to the map"),
        Binding("pageup", "scroll(-1)", "Earlier", id="talk.up", tooltip="What was said before", priority=True),
        Binding("pagedown", "scroll(1)", "Later", id="talk.down", tooltip="What was said after", priority=True),
    ]

    def compose(self) -> ComposeResult:
        """What was said, and the line to say something in."""
        with Vertical(classes="box", id="talk-box"):
            yield Prose("Table talk", classes="title")
            with VerticalScroll(id="talk-page", can_focus=False):
                yield Prose(id="talk-text")
            yield Input(id="talk-line", max_length=LONGEST, compact=True, placeholder="say something to everybody")
            told = "Enter says it to everybody · {talk.up} {talk.down} scroll · {talk.close} back"
            yield Prose(self.keyed(told), classes="note")

    def on_mount(self) -> None:
        """Show what was said, the newest at the bottom."""
        line = self.query_one(Input)
        line.display = self.session.talks
        if line.display:
            self.set_focus(line)
        self._fill()

    def session_changed(self, change: Change) -> None:
        """Something may have been said."""
        self._fill()

    def restyle(self) -> None:
        """Other colours."""
        self._fill()

    def _fill(self) -> None:
        text = Text("\n").join(said(self.session, self.look, line) for line in self.session.talk[-MOST:])
        if not text.plain:
            text = Text("Nobody has said anything yet. Everybody here reads what is said.", self.look.faint)
        self.query_one("#talk-text", Prose).update(text)
        mark_heard(self.session)
        self.query_one("#talk-page", VerticalScroll).scroll_end(animate=False)

    @on(Input.Submitted)
    def _say(self, event: Input.Submitted) -> None:
        """Enter: say it; what could not be said stays in the line."""
        event.stop()
        if not event.value.strip():
            return
        try:
            self.session.say(event.value)
        except Refusal as refusal:
            self.notify(refusal.message, title="Not said", severity="warning")
        except OSError as error:
            self.notify(f"{error.strerror or error} Nobody has heard it.", severity="error")
        else:
            self.query_one(Input).value = ""

    def action_scroll(self, step: int) -> None:
        """A page up or down."""
        page = self.query_one("#talk-page", VerticalScroll)
        page.scroll_relative(y=step * max(1, page.size.height - 2), animate=False)

    def action_close(self) -> None:
        """Back to the map."""
        self.dismiss(None)


def said(session: Session, look: Look, line: Spoken) -> Text:
    """A line of table talk: when, who, and his words."""
    text = Text(f"{line.time[11:16]} " if line.time else "", look.faint)
    text.append(look.palette.text(speaker(session, line)), f"{_ink(session, look, line)} bold")
    text.append(" ")
    return text.append(look.palette.text(line.text))


def speaker(session: Session, line: Spoken) -> str:
    """Who has said a line: the Power, and what its player is called."""
    seat = power_name(session.tables, line.seat) if line.seat in session.tables.powers else line.seat.title()
    return f"{seat} ({line.name}):" if line.name else f"{seat}:"


def _ink(session: Session, look: Look, line: Spoken) -> str:
    return look.faint if line.seat == SPECTATOR else look.power(session.tables, line.seat)[1]
