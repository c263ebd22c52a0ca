"""The Administrative Record Sheet as a screen. It explains each line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget

from paxtui.games.pax.reports import explanations
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.turn import administration, victory
from paxtui.session.session import Session
from paxtui.tui.base.dialogs import ListDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import PlainText, next_in_circle
from paxtui.tui.panes.side_panes import SECTIONS, TOTAL_LINES, line_label
from paxtui.tui.reference_screens.reference import RulesScreen

COLUMN_HEADS = f" {'':<18}    {'':<21}{'turn':>8}{'now':>7}{'change':>7}"
"""Headings of the columns: the turn's recorded sheet, the current position, the difference."""


class RecordScreen(ListDialog[None]):
    """The sheet of one Power: recorded column, current column, and the arithmetic of the selected line."""

    TOPIC = "sheet"
    hint_text = "↑↓ a line · {record.previous} {record.next} another Power · {record.rules} rules · {record.close} back"
    box_id, list_id, detail_id = "record-box", "record-lines", "record-words"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("record.close", "escape,q,e", "close", "Close", "Back to the map"),
        bind("record.next", "right", "power(1)", "Next Power", "Sheet of the next Power"),
        bind("record.previous", "left", "power(-1)", "Previous Power", "Sheet of the previous Power"),
        bind("record.rules", "question_mark", "rules", "Rules", "Rules of the selected line"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._power = session.power if session.power in session.state.powers else session.seat

    def heading(self) -> str:
        name = power_name(self._session.tables, self._power)
        year = self._session.tables.turns[self._session.state.turn - 1].year
        return self.look.palette.text(f"Administrative Record · {name} · {year}")

    def head(self) -> Iterable[Widget]:
        return [PlainText(Text(COLUMN_HEADS, no_wrap=True), classes="note", id="record-heads")]

    def detail_panel(self) -> Widget:
        return VerticalScroll(PlainText(id=self.detail_id), id="record-why", can_focus=False)

    def _figures(self) -> tuple[dict[str, int | None], dict[str, int]]:
        """Return the recorded column of the turn and the column of the position."""
        tables, state = self._session.tables, self._session.state
        now = dict(administration.sheet_lines(tables, state, self._power))
        now["22"] = administration.forecast_net_income(tables, state, self._power)
        if self._power in state.players:
            now |= victory.final_lines(tables, state, self._power)
        return dict(state.powers[self._power].record), now

    def fill(self, row: int | None) -> None:
        super().fill(row)
        self.query_one(".title", PlainText).update(self.heading())

    def lines(self) -> Iterable[Text]:
        look = self.look
        turn, now = self._figures()
        for line in self._session.tables.record:
            old, new = turn.get(line), now.get(line)
            text = Text(no_wrap=True)
            text.append(f"{SECTIONS.get(line, ''):<18}", look.faint)
            text.append(f"{line}  ", look.key)
            text.append(f"{line_label(self._session.tables, line):<21}", "bold" if line in TOTAL_LINES else "")
            text.append(f"{'' if old is None else old:>8}")
            changed = old is not None and new is not None and old != new
            text.append(f"{'' if new is None else new:>7}", look.key if changed else look.faint)
            text.append(f"{new - old:>+7}" if changed and new is not None and old is not None else " " * 7, look.key)
            yield text

    def detail(self, row: int) -> Text:
        line = list(self._session.tables.record)[row]
        tables, state = self._session.tables, self._session.state
        words = explanations.explain_line(tables, state, self._power, line)
        text = Text()
        text.append(f"Line {line}: {tables.record[line].what}\n", "bold")
        return text.append("\n".join(words))

    def action_power(self, step: int) -> None:
        self._power = next_in_circle(list(self._session.state.powers), self._power, step)
        self.fill(self.row)

    def action_rules(self) -> None:
        line = list(self._session.tables.record)[self.row or 0]
        rules = self._session.tables.record[line].rules
        self.app.push_screen(RulesScreen(" ".join(rules) or f"line {line}"))
