"""The order sheet of a mail game: the orders of a seat, their effects, and the map after them.

`OrderForm` edits the plain text form line by line and preserves comments. The screen saves the file after each
change. `OrderInputDialog` shows the errors or effects of an order during typing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.binding import BindingType
from textual.widgets import Input
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.mail.forms import HEADER_KEYS, strip_comment
from paxtui.games.pax.narration.labels import describe_question
from paxtui.games.pax.narration.narrator import BAD, ReportLine
from paxtui.games.pax.preview.order_form import FormLine, FormPreview, preview_form, preview_line
from paxtui.games.pax.text.display import phase_name, power_name
from paxtui.mail.reports import SeatPosition
from paxtui.session.storage.files import replace_file
from paxtui.tui.base.dialogs import InputDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import ChoiceList, PlainText, set_border_title
from paxtui.tui.diplomacy.comparison import MapListScreen, area_changes
from paxtui.tui.formatting.look import format_pounds, wrap_hanging
from paxtui.tui.widgets.map_scene import build_scene


class OrderInputDialog(InputDialog):
    """Answers with the typed line, or with nothing if cancelled.

    Args: the prompt; the initial text; a function that returns the comment on a line, and whether the line is valid.
    """

    TOPIC = "order_sheet"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("ask.close", "escape", "close", "Close", "Leave it unchanged"),
    ]

    def __init__(self, title: str, value: str, says: Callable[[str], Text]) -> None:
        super().__init__(title, value, hint="place protectorate tunis if britain places protectorate egypt")
        self._describe_line = says

    def on_mount(self) -> None:
        super().on_mount()
        self._tell(self.query_one(Input).value)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._tell(event.value)

    def _tell(self, line: str) -> None:
        self.query_one("#ask-wrong", PlainText).update(self._describe_line(line) if line.strip() else Text(""))


INSTRUCTIONS_HEADING = "standing:"


class OrderForm:
    """An editable order form. Args: its text."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._before: list[list[str]] = []

    @property
    def text(self) -> str:
        return "\n".join(self._lines).rstrip() + "\n"

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the numbers, from 1, of the lines with orders: no comments, no header, no headings."""
        return tuple(n for n, line in enumerate(self._lines, 1) if self._is_order_line(line))

    def line(self, number: int) -> str:
        return self._lines[number - 1].strip()

    def _is_order_line(self, line: str) -> bool:
        order = strip_comment(line).strip().casefold()
        name, colon, value = order.partition(":")
        if not order or (colon and name.strip() in HEADER_KEYS):
            return False
        return not (colon and name.strip() in ("standing", "orders") and not value.strip())

    # --- changes ----------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        self._before.append(list(self._lines))

    def undo(self) -> bool:
        """Undo the last change. Returns: whether there was one."""
        if not self._before:
            return False
        self._lines = self._before.pop()
        return True

    def change(self, number: int, text: str) -> None:
        """Replace a line."""
        self._keep()
        self._lines[number - 1] = text

    def add(self, text: str, after: int = 0) -> int:
        """Insert an order. Args: the order; the line above it, 0 for the last order. Returns: its line."""
        self._keep()
        heading = self._heading()
        orders = [n for n in self.numbers if not heading or n < heading]
        at = after if after in orders else orders[-1] if orders else heading - 1 if heading else len(self._lines)
        if not orders and heading:
            self._lines.insert(at, "")
        self._lines.insert(at, text)
        return at + 1

    def instruct(self, text: str) -> int:
        """Append a standing instruction. Returns: its line."""
        self._keep()
        if not self._heading():
            self._lines += ["", INSTRUCTIONS_HEADING]
        self._lines.append(text)
        return len(self._lines)

    def delete(self, number: int) -> None:
        """Delete a line."""
        self._keep()
        del self._lines[number - 1]

    def move(self, number: int, by: int) -> int:
        """Swap a line with the one above (-1) or below (1). Returns: its new line."""
        here = self.numbers
        at = here.index(number) + by
        if not 0 <= at < len(here) or self._instructs(number) != self._instructs(here[at]):
            return number
        self._keep()
        one, other = number - 1, here[at] - 1
        self._lines[one], self._lines[other] = self._lines[other], self._lines[one]
        return here[at]

    def _heading(self) -> int:
        """Return the line of the heading of standing instructions, 0 if there is none."""
        lines = [strip_comment(line).strip().casefold() for line in self._lines]
        return lines.index(INSTRUCTIONS_HEADING) + 1 if INSTRUCTIONS_HEADING in lines else 0

    def _instructs(self, number: int) -> bool:
        heading = self._heading()
        return bool(heading) and number > heading


SubmitForm = Callable[[str], str]
"""Submits the form and returns the result as a sentence. Raises: Refusal, OSError."""

NEW_ORDER, NEW_INSTRUCTION = "A new order", "A new standing instruction"
CONDITIONAL_NOTE = "Tested as if all conditions above were met. If one is not met, this can still be carried out."
"""Comment on an order that may fail because an earlier order is conditional."""


class OrderSheetScreen(MapListScreen[None]):
    """The order sheet.

    Args: the tables; the position as the seat knows it; the file of the form; a function that submits the form, None
        if it cannot be submitted here.
    """

    TOPIC = "order_sheet"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("sheet.close", "escape,q", "close", "Leave", "Leave; the form is saved"),
        bind("sheet.add", "n", "add", "New order", "Write a new order below this one"),
        bind("sheet.instruct", "i", "instruct", "Instruction", "Write a new standing instruction"),
        bind("sheet.delete", "x,delete", "delete", "Delete", "Delete the line"),
        bind("sheet.up", "K,shift+up", "move(-1)", "Up", "Move the order up"),
        bind("sheet.down", "J,shift+down", "move(1)", "Down", "Move the order down"),
        bind("sheet.undo", "u", "undo", "Undo", "Undo the last change"),
        bind("sheet.hand_in", "h", "hand_in", "Hand in", "Hand the form in"),
        bind("sheet.turn", "tab", "turn", "Before and after", "The map before and after"),
    ]

    def __init__(self, tables: Tables, position: SeatPosition, path: Path, hand_in: SubmitForm | None = None) -> None:
        super().__init__()
        self._tables, self._position, self._path, self._hand_in = tables, position, path, hand_in
        self.form = OrderForm(path.read_text("utf-8") if path.exists() else "")
        self._sheet = self._tried(self.form.text)

    def _tried(self, text: str) -> FormPreview:
        return preview_form(self._tables, self._position.state, self._position.seat, text)

    # --- display ------------------------------------------------------------------------------------------

    def begin(self) -> None:
        self._fill(0)

    def write(self) -> None:
        """Write the seat, the remaining money, the warnings and the keys."""
        look, tables, found = self.look, self._tables, self._position
        year = tables.turns[found.state.turn - 1].year
        where = f"{year}: {phase_name(found.state.phase)}, stop {found.stop}"
        out = Text(f"{power_name(tables, found.seat)}, {where}", "bold")
        before, after = (s.powers[found.seat].treasury for s in (found.state, self._sheet.state))
        out.append(f"\n{format_pounds(before)} to spend, {format_pounds(after)} left", "" if after >= 0 else look.alarm)
        if not self.form.numbers:
            out.append(f"\n{self.format_keys('No orders yet. {sheet.add} adds one.')}", look.faint)
        for choice in found.state.choices:
            if choice.seat == found.seat:
                asked = Text(f"You are asked ({choice.id}): {describe_question(tables, choice)}", look.key)
                out.append("\n")
                out.append_text(wrap_hanging(asked, self.room, 2))
        self.question_panel.update(look.signs(out))
        keys = (
            "Enter edit · {sheet.add} new order · {sheet.instruct} instruction · {sheet.up} {sheet.down} reorder · "
            f"{{sheet.delete}} delete · {{sheet.undo}} undo · {self.turns}"
        )
        hand_in = " · {sheet.hand_in} hand in" if self._hand_in else ""
        self.show_keys(f"{keys}{hand_in} · {{sheet.close}} leave")

    def _fill(self, row: int) -> None:
        """Evaluate the form again and list its lines. Args: the line to select."""
        self._sheet = self._tried(self.form.text)
        self.rows.refill((Option(self._row(line), id=str(n)) for n, line in enumerate(self._sheet.lines)), row)
        self.write()
        self._show()

    def _row(self, line: FormLine) -> Text:
        """Return a line of the form with a sign for its result, and its price."""
        look = self.look
        out = Text(no_wrap=True, overflow="ellipsis")
        if line.why:
            out.append("✗ ", look.alarm)
        elif line.standing:
            out.append("· ", look.faint)
        else:
            depends = line.condition or line.waits
            out.append("? " if depends else "✓ ", look.key if depends else look.good)
        out.append(line.text, look.faint if line.standing else "")
        if line.price:
            out.append(f"  {format_pounds(line.price)}", look.faint)
        return look.signs(out)

    @on(ChoiceList.OptionHighlighted)
    def _row_highlighted(self) -> None:
        self._show()

    def _here(self) -> FormLine | None:
        at = self.rows.highlighted
        return self._sheet.lines[at] if at is not None and at < len(self._sheet.lines) else None

    def _show(self) -> None:
        """Show the effects of the selected line, the warnings, and the changes by all orders."""
        look, line, position = self.look, self._here(), self._position
        out = Text()
        if line is not None:
            out.append_text(self._about(line))
        if self._sheet.warnings:
            out.append("\nAll of it\n", "bold")
            out.append_text(look.bullets(self._sheet.warnings, self.room))
        if self._sheet.areas:
            out.append("\n")
            out.append_text(area_changes(self._tables, look, position.state, self._sheet.state, self._sheet.areas))
        out.rstrip()
        self.effects_panel.update(look.signs(out))
        self.map_turned()

    def _about(self, line: FormLine) -> Text:
        lines: list[ReportLine] = []
        if line.why:
            lines.append(ReportLine(line.why + (f" [{' '.join(line.rules)}]" if line.rules else ""), tone=BAD))
            before = [other for other in self._sheet.lines if other.number < line.number]
            if line.order is not None and any(other.condition for other in before):
                lines.append(ReportLine(CONDITIONAL_NOTE))
        if line.condition:
            lines.append(ReportLine(f"Only if {line.condition}."))
        if line.waits:
            lines.append(ReportLine(line.waits))
        if not line.why:
            lines += preview_line(self._tables, self._position.seat, line, self._sheet.state)
        return self.look.bullets(lines, self.room)

    def map_turned(self) -> None:
        """Switch between the present map and the map after the orders."""
        found, line = self._position, self._here()
        at = line.area if line is not None else ""
        if at not in (*self._tables.areas, *self._tables.sea_zones):
            at = "" if self.map.cursor else HOME + found.seat
        set_border_title(self.map, "As it is" if self.before else "After these orders")
        state = found.state if self.before else self._sheet.state
        drawn = build_scene(self._tables, state, at or self.map.cursor, found.seat)
        changed = {area: replace(drawn.marks[area], highlight=True) for area in self._sheet.areas}
        self.map.scene = replace(drawn, marks={**drawn.marks, **changed})

    # --- writing ------------------------------------------------------------------------------------------------------

    def _keep(self, row: int) -> None:
        """Save the file and list the lines again."""
        try:
            replace_file(self._path, self.form.text.encode(), 0o600)
        except OSError as error:
            self.notify(f"{self._path} cannot be written: {error}", severity="error", timeout=10)
        self._fill(row)

    def _row_of(self, number: int) -> int:
        return next((n for n, at in enumerate(self.form.numbers) if at == number), 0)

    def _ask(self, title: str, value: str, put: Callable[[OrderForm, str], int]) -> None:
        """Ask for a line, and show its effects during typing.

        Args: the prompt; the initial text; a function that puts the line into a form and returns its number.
        """

        def describe_line(text: str) -> Text:
            trial = OrderForm(self.form.text)
            number = put(trial, text)
            line = next((line for line in self._tried(trial.text).lines if line.number == number), None)
            if line is None:
                return Text("")
            about = self._about(line)
            if line.price:
                about.append(f"It {'costs' if line.price > 0 else 'brings'} {format_pounds(abs(line.price))}.\n")
            about.rstrip()
            return self.look.signs(about) if about.plain else Text("It is legal.", self.look.good)

        def answered(text: str) -> None:
            if text:
                self._keep(self._row_of(put(self.form, text)))

        self.app.ask(OrderInputDialog(title, value, describe_line), answered)

    @on(ChoiceList.OptionSelected)
    def _edit(self, event: ChoiceList.OptionSelected) -> None:
        event.stop()
        line = self._here()
        if line is not None:
            number = line.number

            def put(form: OrderForm, text: str) -> int:
                form.change(number, text)
                return number

            self._ask(f"Line {number}", self.form.line(number), put)

    def action_add(self) -> None:
        line = self._here()
        after = line.number if line is not None else 0
        self._ask(NEW_ORDER, "", lambda form, text: form.add(text, after))

    def action_instruct(self) -> None:
        self._ask(NEW_INSTRUCTION, "", lambda form, text: form.instruct(text))

    def action_delete(self) -> None:
        line = self._here()
        if line is not None:
            self.form.delete(line.number)
            self._keep(self.rows.highlighted or 0)

    def action_move(self, by: int) -> None:
        line = self._here()
        if line is not None:
            self._keep(self._row_of(self.form.move(line.number, by)))

    def action_undo(self) -> None:
        if self.form.undo():
            self._keep(self.rows.highlighted or 0)
        else:
            self.notify("There is nothing to undo.", timeout=3)

    def action_hand_in(self) -> None:
        if self._hand_in is None:
            self.notify(f"Send the file {self._path}: it cannot be handed in from here.", timeout=6)
            return
        try:
            answer = self._hand_in(self.form.text)
        except (Refusal, OSError) as problem:
            text = str(problem)
            self.notify(text, title="Not handed in", severity="warning", timeout=10)
        else:
            self.notify(f"{answer}{self._impossible_lines()}", timeout=6)

    def _impossible_lines(self) -> str:
        """Return a sentence that names the lines marked as impossible; "" if there are none."""
        found = [line.text for line in self._sheet.lines if line.why]
        if not found:
            return ""
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        return f" Marked as impossible: {found[0]}{more}."
