"""Where each Unit retreats to: a line for each, and the places it may go to in turn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from paxtui.engine.refusal import Refusal
from paxtui.pax.narration.choice_narration import question
from paxtui.pax.orders.actions import Choose
from paxtui.pax.play.choices import default_of, options_of
from paxtui.pax.reports.war import shelter
from paxtui.pax.state.questions import Pending, WarRetreat
from paxtui.pax.words.spoken import place_name
from paxtui.table.session import Session
from paxtui.tui.stage.listing import ListBox
from paxtui.tui.stage.prose import Keys, Prose, Rows


class RetreatScreen(ListBox[Choose | None]):
    """Units that have to leave a place: Left and Right choose where the one under the cursor goes, Enter sends all.

    Args: the open game; the choice, a `WarRetreat`.
    """

    TOPIC = "retreat"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Later", id="retreat.close", tooltip="Answer later"),
        Binding("right,space", "turn(1)", "Next place", id="retreat.next", tooltip="Another place for this Unit"),
        Binding("left", "turn(-1)", "Place before", id="retreat.before", tooltip="The place before for this Unit"),
        Binding("a", "all", "All there", id="retreat.all", tooltip="All Units that can go where this one goes"),
    ]

    def __init__(self, session: Session, choice: Pending) -> None:
        super().__init__()
        self._session, self._choice = session, choice
        assert isinstance(choice.about, WarRetreat)
        self._units = choice.about.units
        self._places = {name: [text for text in options_of(choice) if text.split()[0] == name] for name in self._units}
        left = list(default_of(choice))
        self._sent: list[str] = []
        for name in self._units:
            text = next((t for t in left if t.split()[0] == name), self._places[name][0])
            if text in left:
                left.remove(text)
            self._sent.append(text)

    def compose(self) -> ComposeResult:
        """The question, and a line for each Unit."""
        with Vertical(classes="box"):
            yield Prose(question(self._session.tables, self._choice), classes="title")
            yield Rows(id="units")
            yield Prose(id="barred")
            where = "{retreat.before} {retreat.next} where to · {retreat.all} all there"
            yield Keys(self.keyed(f"{where} · Enter sends them · {{retreat.close}} later"))

    def lines(self) -> Iterable[Text]:
        """Where each Unit goes; below the list, what would bar it."""
        s = self._session
        told = shelter.hungry(s.tables, s.live, self._choice, tuple(self._sent))
        barred = self.query_one("#barred", Prose)
        barred.display = isinstance(told, Refusal)
        barred.update(Text(told.message if isinstance(told, Refusal) else "", self.look.alarm))
        return [self._line(name, text, told) for name, text in zip(self._units, self._sent, strict=True)]

    def _line(self, name: str, text: str, told: frozenset[str] | Refusal) -> Text:
        """A Unit, where it goes, and whether it will be in supply there."""
        s, look = self._session, self.look
        end = shelter.end_of(s.tables, text)
        several = self._places[name]
        out = Text(f"{name:<4}→ {place_name(s.tables, end)}   ")
        if not isinstance(told, Refusal):
            out.append("! out of supply" if end in told else "in supply", look.alarm if end in told else look.good)
        out.append(f"   {several.index(text) + 1} of {len(several)}", look.faint)
        return look.signs(out)

    def action_turn(self, step: int) -> None:
        """Another place for the Unit under the cursor."""
        row = self.row
        if row is not None:
            several = self._places[self._units[row]]
            self._sent[row] = several[(several.index(self._sent[row]) + step) % len(several)]
            self.fill(row)

    def action_all(self) -> None:
        """All Units that can go where this one goes."""
        row = self.row
        if row is None:
            return
        tables = self._session.tables
        wanted = shelter.end_of(tables, self._sent[row])
        for n, name in enumerate(self._units):
            self._sent[n] = next((t for t in self._places[name] if shelter.end_of(tables, t) == wanted), self._sent[n])
        self.fill(row)

    @on(Rows.OptionSelected)
    def _selected(self, event: Rows.OptionSelected) -> None:
        event.stop()
        self.dismiss(Choose(self._choice.id, tuple(self._sent)))
