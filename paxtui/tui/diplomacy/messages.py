"""The dispatches screen and the chat screen."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input
from textual.widgets.option_list import Option

from paxtui.engine.free_text import MAX_CHAT_LENGTH, ChatLine
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.games.pax.actions.dispatches import MAX_DISPATCH_LENGTH, Letter
from paxtui.games.pax.text.display import power_name
from paxtui.session.player_news import last_read_dispatch, mark_dispatches_read, mark_talk_read
from paxtui.session.session import SendChat, Session, SessionChange
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.playing import SessionDialog
from paxtui.tui.base.screen import ChoiceList, PlainText
from paxtui.tui.formatting.look import Look


class DispatchScreen(SessionDialog[None]):
    """Dispatches of one seat."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("dispatches.close", "escape,q", "close", "Close", "Back to the map, or out of the line"),
        bind("dispatches.write", "n", "write", "Write", "Write to one seat or several"),
        bind("dispatches.proclaim", "p", "proclaim", "Proclaim", "Send a message to everybody"),
        bind("dispatches.reply", "r", "reply", "Reply", "Reply to the sender"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._letters: list[Letter] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="dispatch-box"):
            yield PlainText(classes="title", id="dispatch-title")
            yield ChoiceList(id="dispatch-list")
            with VerticalScroll(id="dispatch-page", can_focus=False):
                yield PlainText(id="dispatch-text")
            yield Input(id="dispatch-line", max_length=MAX_DISPATCH_LENGTH + 200, compact=True, select_on_focus=False)
            write = "{dispatches.write} write · {dispatches.reply} reply · {dispatches.proclaim} proclaim"
            yield PlainText(self.format_keys(write + " · {dispatches.close} back"), classes="note", id="dispatch-note")

    def on_mount(self) -> None:
        """Show the messages, the newest selected."""
        self.query_one(Input).display = False
        self._fill()
        self.set_focus(self.query_one(ChoiceList))

    def on_screen_resume(self) -> None:
        """Note that the selected message is read: it was selected before the screen opened."""
        row = self.query_one(ChoiceList).highlighted
        if row is not None:
            mark_dispatches_read(self.session, self._letters[row].line)

    def session_changed(self, change: SessionChange) -> None:
        self._fill()

    def _fill(self) -> None:
        session, look = self.session, self.look
        name = power_name(session.tables, session.seat)
        self.query_one("#dispatch-title", PlainText).update(look.palette.text(f"Dispatches · {name}"))
        self._letters = list(session.view.dispatches())
        seen = last_read_dispatch(session)
        new = [letter.line > seen and letter.sender != session.seat for letter in self._letters]
        options = (Option(self._row(letter, is_new)) for letter, is_new in zip(self._letters, new, strict=True))
        self.query_one(ChoiceList).refill(options, new.index(True) if True in new else len(new) - 1)
        if not self._letters:
            text = "No dispatches yet. Dispatches are not binding and cannot be undone."
            self.query_one("#dispatch-text", PlainText).update(Text(text, look.faint))

    def _row(self, letter: Letter, is_new: bool) -> Text:
        look, tables = self.look, self.session.tables
        text = look.line(("* " if is_new else "  ", look.key), look.power(tables, letter.sender, long=False))
        text.append(" to ", look.faint)
        for power in letter.to:
            text.append_text(look.text(look.power(tables, power, long=False), " "))
        if not letter.to:
            text.append("everybody ", look.faint)
        text.append(look.palette.text("sealed" if letter.sealed else letter.text), "bold" if is_new else "")
        text.truncate(min(100, self.app.size.width * 96 // 100) - 7, overflow="ellipsis")
        return text

    @on(ChoiceList.OptionHighlighted)
    def _read(self, event: ChoiceList.OptionHighlighted) -> None:
        session, look = self.session, self.look
        letter = self._letters[event.option_index]
        to = ", ".join(power_name(session.tables, p) for p in letter.to) or "everybody"
        text = Text(f"{power_name(session.tables, letter.sender)} to {to}", "bold")
        if letter.opens:
            year = session.tables.turns[letter.opens - 1].year
            text.append(f" · sealed until {year}", look.faint)
        text.append("\n" + (letter.text or "The letter opens when its year begins."))
        self.query_one("#dispatch-text", PlainText).update(text)
        if self.is_open:
            mark_dispatches_read(session, letter.line)

    # --- writing ------------------------------------------------------------------------------------------------

    def action_write(self) -> None:
        """Open the input line: Powers, a colon, the text."""
        self._open("", "france, italy: your words     (france sealed 1888: ... opens in that year)")

    def action_proclaim(self) -> None:
        self._open("all: ", "all: your words")

    def action_reply(self) -> None:
        row = self.query_one(ChoiceList).highlighted
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
            order = self.session.parse(f"dispatch {text}")
        except Refusal as refusal:
            self._sent(refusal)
        else:
            self.session.submit(order, self._sent)

    def _sent(self, failure: Exception | None) -> None:
        """Close the input line after success; keep its text on failure."""
        if failure is not None:
            self.notify_failure(failure, "Not sent")
        elif self.is_attached:
            self.action_close()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable key bindings while the input line has focus."""
        return not (isinstance(self.focused, Input) and action != "close")

    def action_close(self) -> None:
        """Leave the input line, or close the screen."""
        line = self.query_one(Input)
        if line.display:
            line.display = False
            self.set_focus(self.query_one(ChoiceList))
        else:
            self.dismiss(None)


MAX_CHAT_LINES = 300
"""Maximum number of lines shown, the newest ones."""


class ChatScreen(SessionDialog[None]):
    """The chat."""

    TOPIC = "talk"
    STAYS: ClassVar[bool] = True
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("talk.close", "escape", "close", "Close", "Back to the map"),
        bind("talk.up", "pageup", "scroll(-1)", "Earlier", "Earlier messages", priority=True),
        bind("talk.down", "pagedown", "scroll(1)", "Later", "Later messages", priority=True),
    ]

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="talk-box"):
            yield PlainText("Chat", classes="title")
            with VerticalScroll(id="talk-page", can_focus=False):
                yield PlainText(id="talk-text")
            yield Input(id="talk-line", max_length=MAX_CHAT_LENGTH, compact=True, placeholder="message to everybody")
            keys = "Enter send · {talk.up} {talk.down} scroll · {talk.close} back"
            yield PlainText(self.format_keys(keys), classes="note")

    def on_mount(self) -> None:
        """Show the messages, the newest at the bottom."""
        line = self.query_one(Input)
        line.display = self.session.chat.can_write
        if line.display:
            self.set_focus(line)
        self._fill()

    def session_changed(self, change: SessionChange) -> None:
        self._fill()

    def restyle(self) -> None:
        self._fill()

    def _fill(self) -> None:
        text = Text("\n").join(
            chat_line(self.session, self.look, line) for line in self.session.chat.lines[-MAX_CHAT_LINES:]
        )
        if not text.plain:
            text = Text("No messages yet. All players can read the chat.", self.look.faint)
        self.query_one("#talk-text", PlainText).update(text)
        mark_talk_read(self.session)
        self.query_one("#talk-page", VerticalScroll).scroll_end(animate=False)

    @on(Input.Submitted)
    def _send_message(self, event: Input.Submitted) -> None:
        """Send the line; keep its text on failure."""
        event.stop()
        if not event.value.strip():
            return
        self.session.submit(SendChat(event.value), self._sent)

    def _sent(self, failure: Exception | None) -> None:
        if failure is not None:
            self.notify_failure(failure, "Not sent")
        elif self.is_attached:
            self.query_one(Input).value = ""

    def action_scroll(self, step: int) -> None:
        page = self.query_one("#talk-page", VerticalScroll)
        page.scroll_relative(y=step * max(1, page.size.height - 2), animate=False)


def chat_line(session: Session, look: Look, line: ChatLine) -> Text:
    """Return a chat line: time, speaker, text."""
    tables = session.tables
    seat = power_name(tables, line.seat) if line.seat in tables.powers else line.seat.title()
    speaker = f"{seat} ({line.name}):" if line.name else f"{seat}:"
    ink = look.faint if line.seat == SPECTATOR else look.power(tables, line.seat)[1]
    time = (f"{line.time[11:16]} " if line.time else "", look.faint)
    return look.text(time, (speaker, f"{ink} bold"), f" {line.text}")
