"""The screen of orders ahead: what a seat has left, why it waits, and what became of it."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.text.display import power_name
from paxtui.session.orders_ahead import SeatOrders, describe_last_outcomes, describe_line, parse_ahead_line
from paxtui.session.session import LeaveOrders, Session, SessionChange
from paxtui.tui.base.dialogs import InputDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.playing import SessionDialog
from paxtui.tui.base.screen import ChoiceList, PlainText

HINT = "movement: place influence siam if britain places control in egypt"
STANDING_HINT = "garrison, ready, default losses, lose A1 in tunis"


class OrdersAheadScreen(SessionDialog[None]):
    """The orders ahead of one seat."""

    TOPIC = "orders_ahead"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("ahead.close", "escape,q", "close", "Close", "Back to the map"),
        bind("ahead.add", "a", "add(False)", "Add", "Add an order"),
        bind("ahead.standing", "s", "add(True)", "Standing order", "Add an order or answer that stays"),
        bind("ahead.delete", "d,delete", "delete", "Delete", "Delete the order"),
        bind("ahead.earlier", "plus", "move(-1)", "Earlier", "Carry it out before the order above"),
        bind("ahead.later", "minus", "move(1)", "Later", "Carry it out after the order below"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._seat = session.seat
        self._orders = SeatOrders()

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="ahead-box"):
            yield PlainText(classes="title", id="ahead-title")
            yield ChoiceList(id="ahead-list")
            yield PlainText(id="ahead-why")
            yield PlainText(id="ahead-outcomes")
            keys = "{ahead.add} add · {ahead.standing} standing order · Enter change · {ahead.delete} delete · "
            keys += "{ahead.earlier} {ahead.later} order · {ahead.close} back"
            yield PlainText(self.format_keys(keys), classes="note")

    def on_mount(self) -> None:
        self.set_focus(self.query_one(ChoiceList))
        self._fill()

    def session_changed(self, change: SessionChange) -> None:
        self._fill()

    def _fill(self) -> None:
        session, look = self.session, self.look
        self._orders = session.orders_ahead or SeatOrders()
        title = f"Orders ahead · {power_name(session.tables, self._seat)} · only you see them"
        self.query_one("#ahead-title", PlainText).update(look.palette.text(title))
        rows = self.query_one(ChoiceList)
        options = []
        for line in self._orders.lines:
            stays = "stays  " if line.standing else "       "
            options.append(Option(look.line((stays, look.faint), (line.text, look.alarm if line.why else ""))))
        rows.refill(options, rows.highlighted or 0)
        if not options:
            empty = "No orders. An order is carried out when it is legal in its Phase, also while you are away."
            self.query_one("#ahead-why", PlainText).update(Text(empty, look.faint))
        outcomes = describe_last_outcomes(session.tables, self._orders)
        self.query_one("#ahead-outcomes", PlainText).update(look.signs(Text("\n".join(outcomes), look.faint)))

    @on(ChoiceList.OptionHighlighted)
    def _highlighted(self, event: ChoiceList.OptionHighlighted) -> None:
        if event.option_index < len(self._orders.lines):
            line = self._orders.lines[event.option_index]
            self.query_one("#ahead-why", PlainText).update(self.look.signs(Text(describe_line(line))))

    # --- changes ----------------------------------------------------------------------------------------------------

    def _lines(self) -> list[tuple[str, bool]]:
        return [(line.text, line.standing) for line in self._orders.lines]

    def _ask(self, title: str, text: str, standing: bool, at: int) -> None:
        """Ask for an order. Args: the title; the text so far; whether it is standing; its row, -1 for a new one."""

        def find_error(words: str) -> str:
            try:
                if words.strip():
                    parse_ahead_line(self.session.tables, self.session.powers(), words.strip(), standing)
            except Refusal as refusal:
                return refusal.message
            return ""

        def given(words: str) -> None:
            if words:
                new, lines = (words, standing), self._lines()
                self._send([*lines, new] if at < 0 else [*lines[:at], new, *lines[at + 1 :]])

        hint = STANDING_HINT if standing else HINT
        self.app.ask(InputDialog(title, text, find_error, hint), given)

    def _send(self, lines: list[tuple[str, bool]]) -> None:
        self.session.submit(LeaveOrders(self._orders.version, tuple(lines)), self._sent)

    def _sent(self, failure: Exception | None) -> None:
        if failure is not None:
            self.notify_failure(failure, "Not changed")
        if self.is_attached:
            self._fill()

    def action_add(self, standing: bool) -> None:
        self._ask("A standing order" if standing else "An order ahead", "", standing, -1)

    @on(ChoiceList.OptionSelected)
    def _change(self, event: ChoiceList.OptionSelected) -> None:
        line = self._orders.lines[event.option_index]
        self._ask("Change the order", line.text, line.standing, event.option_index)

    def action_delete(self) -> None:
        at = self.query_one(ChoiceList).highlighted
        if at is not None and self._orders.lines:
            lines = self._lines()
            del lines[at]
            self._send(lines)

    def action_move(self, by: int) -> None:
        rows = self.query_one(ChoiceList)
        at, lines = rows.highlighted, self._lines()
        if at is not None and lines and 0 <= at + by < len(lines):
            lines[at], lines[at + by] = lines[at + by], lines[at]
            rows.highlighted = at + by
            self._send(lines)
