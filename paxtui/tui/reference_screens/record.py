"""The Administrative Record Sheet as a screen. It explains each line."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Resize
from textual.widgets.option_list import Option

from paxtui.games.pax.reports import explanations
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.turn import administration, victory
from paxtui.session.session import Session
from paxtui.tui.base.screen import ChoiceList, KeyHints, ModalDialog, PlainText
from paxtui.tui.panes.side_panes import SECTIONS, TOTAL_LINES, line_label
from paxtui.tui.reference_screens.reference import RulesScreen

COLUMN_HEADS = f" {'':<18}    {'':<21}{'turn':>8}{'now':>7}{'change':>7}"
"""Headings of the columns: the turn's recorded sheet, the current position, the difference."""


class RecordScreen(ModalDialog[None]):
    """The sheet of one Power: recorded column, current column, and the arithmetic of the selected line.

    Args:
        session: the open game, at the moment shown.
    """

    TOPIC = "sheet"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,e", "close", "Close", id="record.close", tooltip="Back to the map"),
        Binding("right", "power(1)", "Next Power", id="record.next", tooltip="The sheet of the next Power"),
        Binding("left", "power(-1)", "Previous Power", id="record.previous", tooltip="The sheet of the Power before"),
        Binding("question_mark", "rules", "Rules", id="record.rules", tooltip="The rules of the line chosen"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._power = session.power if session.power in session.state.powers else session.seat

    def compose(self) -> ComposeResult:
        """Yield title, lines and explanation."""
        with Vertical(classes="box", id="record-box"):
            yield PlainText(classes="title", id="record-title")
            yield PlainText(Text(COLUMN_HEADS, no_wrap=True), classes="note", id="record-heads")
            yield ChoiceList(id="record-lines")
            with VerticalScroll(id="record-why", can_focus=False):
                yield PlainText(id="record-words")
            lines = "↑↓ a line · {record.previous} {record.next} another Power"
            yield KeyHints(self.format_keys(lines + " · {record.rules} its rules · {record.close} back"))

    def on_resize(self, event: Resize) -> None:
        """Give most rows of a small screen to the lines."""
        self.set_class(event.size.height < 32, "small")

    def on_mount(self) -> None:
        """Show the sheet."""
        self._fill(0)
        self.set_focus(self.query_one(ChoiceList))

    def _figures(self) -> tuple[dict[str, int | None], dict[str, int]]:
        """Return the recorded column of the turn and the column of the position."""
        tables, state = self._session.tables, self._session.state
        now = dict(administration.sheet_lines(tables, state, self._power))
        now["22"] = administration.forecast_net_income(tables, state, self._power)
        if self._power in state.players:
            now |= victory.final_lines(tables, state, self._power)
        return dict(state.powers[self._power].record), now

    def _fill(self, row: int) -> None:
        look = self.look
        name = power_name(self._session.tables, self._power)
        year = self._session.tables.turns[self._session.state.turn - 1].year
        self.query_one("#record-title", PlainText).update(look.palette.text(f"Administrative Record · {name} · {year}"))
        turn, now = self._figures()
        rows = self.query_one(ChoiceList)
        rows.clear_options()
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
            rows.add_option(Option(text, id=line))
        rows.highlighted = row

    @on(ChoiceList.OptionHighlighted)
    def _explain(self, event: ChoiceList.OptionHighlighted) -> None:
        line = event.option_id or "01"
        tables, state = self._session.tables, self._session.state
        words = explanations.explain_line(tables, state, self._power, line)
        text = Text()
        text.append(f"Line {line}: {tables.record[line].what}\n", "bold")
        text.append("\n".join(words))
        self.query_one("#record-words", PlainText).update(text)

    def action_power(self, step: int) -> None:
        """Show the sheet of another Power."""
        powers = list(self._session.state.powers)
        self._power = powers[(powers.index(self._power) + step) % len(powers)]
        self._fill(self.query_one(ChoiceList).highlighted or 0)

    def action_rules(self) -> None:
        """Open the rules of the selected line."""
        row = self.query_one(ChoiceList).highlighted or 0
        line = list(self._session.tables.record)[row]
        rules = self._session.tables.record[line].rules
        self.app.push_screen(RulesScreen(" ".join(rules) or f"line {line}"))

    def action_close(self) -> None:
        """Return to the map."""
        self.dismiss(None)
