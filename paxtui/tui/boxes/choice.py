"""The answer to a pending choice: a list of its options."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from paxtui.pax.narration.choice_narration import option, question
from paxtui.pax.orders.actions import Choose
from paxtui.pax.play.choices import default_of, options_of
from paxtui.pax.reports.combat import Odds, odds_at, odds_said
from paxtui.pax.state.questions import Combine, FightOrDecline, Pending, Retreat
from paxtui.pax.words.spoken import all_of
from paxtui.table.reference.rule_links import load_orders
from paxtui.table.session import Session
from paxtui.tui.reading.reading import RulesScreen
from paxtui.tui.stage.listing import ListBox
from paxtui.tui.stage.prose import Keys, Prose, Rows
from paxtui.tui.war.follows import follows

FACES = 6
"""Sides of a die."""
ROOM = 80
"""Cells of a line of the box."""


class ChoiceScreen(ListBox[Choose | None]):
    """A pending choice: Space marks where several may be named, Enter answers.

    Args: the open game; the choice.
    """

    TOPIC = "choice"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Later", id="choice.close", tooltip="Answer later"),
        Binding("space", "mark", "Mark", id="choice.mark", tooltip="Mark or unmark this option"),
        Binding("d", "default", "Default", id="choice.default", tooltip="Take the default"),
        Binding("A", "everywhere", "Attack on", id="choice.everywhere", tooltip="Attack, here and wherever it is won"),
        Binding("question_mark", "rules", "Rules", id="choice.rules", tooltip="The rules of the question"),
    ]

    def __init__(self, session: Session, choice: Pending) -> None:
        super().__init__()
        self._session, self._choice = session, choice
        alone = isinstance(choice.about, Retreat) and len(choice.about.units) == 1
        self._several = choice.about.several and not alone
        self._options = list(options_of(choice))
        self.first = self._first()
        self._marked: set[int] = set()
        self.onward = False
        """Whether the answer goes for all fights that are won in any case."""
        if self._several:
            left = list(default_of(choice))
            for i, text in enumerate(self._options):
                if text in left:
                    left.remove(text)
                    self._marked.add(i)

    def compose(self) -> ComposeResult:
        """The question and its options."""
        c = self._choice
        with Vertical(classes="box"):
            yield Prose(question(self._session.tables, c), classes="title")
            odds = self._odds()
            if odds is not None:
                yield Prose(odds_said(odds), classes="note")
            yield Rows(id="options")
            yield Prose(id="follows")
            keys = "{choice.mark} ticks · Enter takes what is ticked" if self._several else "Enter answers"
            default = all_of([self._said(text) for text in default_of(c)]) or "nothing"
            if self._sure():
                yield Keys(self.keyed("{choice.everywhere} attack here, and wherever it is won in any case"))
            before = self.keyed(f"{keys} · {{choice.default}} default")
            after = self.keyed("{choice.rules} rules · {choice.close} later")
            yield Keys(f"{before} ({default}) · {after}")

    def _said(self, text: str) -> str:
        """An option as it is read out."""
        return option(self._session.tables, self._choice, text)

    def _odds(self) -> Odds | None:
        """The odds of the fight that is asked about; None where none is."""
        s, c = self._session, self._choice
        if not c.area or not isinstance(c.about, FightOrDecline | Combine):
            return None
        return odds_at(s.tables, s.live, c.area, (c.power,))

    def _first(self) -> int:
        """The line under the cursor at first: never a fight that cannot be won."""
        odds = self._odds()
        if odds is None or odds.wins:
            return 0
        return next((n for n, text in enumerate(self._options) if text.startswith("decline")), 0)

    def lines(self) -> Iterable[Text]:
        """The options, ticked or not where several may be."""
        for i, text in enumerate(self._options):
            mark = ("[x] " if i in self._marked else "[ ] ") if self._several else ""
            yield Text(mark + self._said(text))

    @on(Rows.OptionHighlighted)
    def _told(self, event: Rows.OptionHighlighted) -> None:
        """What the answer under the cursor would bring about, where that can be told."""
        told = follows(self._session, self.look, self._choice, self._options[event.option_index], ROOM)
        panel = self.query_one("#follows", Prose)
        panel.display = bool(told.plain)
        panel.update(told)

    def _answer(self, *answer: str) -> None:
        self.dismiss(Choose(self._choice.id, answer))

    def action_mark(self) -> None:
        """Mark or unmark."""
        if self.row is not None and self._several:
            self._marked ^= {self.row}
            self.fill(self.row)

    @on(Rows.OptionSelected)
    def _selected(self, event: Rows.OptionSelected) -> None:
        if self._several and self._marked:
            self._answer(*(self._options[i] for i in sorted(self._marked)))
        else:
            self._answer(self._options[event.option_index])

    def action_default(self) -> None:
        """Take the default."""
        self._answer(*default_of(self._choice))

    def _sure(self) -> bool:
        """Whether this is a fight, and another one waits that is won in any case."""
        fight = isinstance(self._choice.about, FightOrDecline)
        return fight and sure_fight(self._session, self._choice.id) is not None

    def action_everywhere(self) -> None:
        """Attack here and wherever it is won in any case."""
        if self._sure():
            self.onward = True
            self._answer(attack_of(self._choice))

    def action_rules(self) -> None:
        """The rules of the question: those of this one, then those of its kind."""
        kind = load_orders()[1].get(self._choice.kind)
        self.app.push_screen(RulesScreen(" ".join((*self._choice.rules, *(kind.rules if kind else ())))))


def attack_of(choice: Pending) -> str:
    """The option of a fight that is to fight it."""
    return next(text for text in options_of(choice) if not text.startswith("decline"))


def sure_fight(session: Session, but: str = "") -> Pending | None:
    """A fight that waits for the seat and is won whatever the die shows; None where none is. `but`: one left out."""
    for choice in session.live.choices:
        if choice.seat == session.seat and choice.id != but and isinstance(choice.about, FightOrDecline):
            found = odds_at(session.tables, session.live, choice.area, (choice.power,))
            if found is not None and found.wins == FACES:
                return choice
    return None


def is_unresisted(session: Session, choice: Pending) -> bool:
    """Whether a choice of the seat is a fight in an Area of strength 0 in which no other Power has a stake."""
    if choice.seat != session.seat or not isinstance(choice.about, FightOrDecline):
        return False
    here = session.live.areas[choice.area]
    others = any(u.power != choice.power for u in here.units) or any(m.power != choice.power for m in here.markers)
    return not others and not odds_at(session.tables, session.live, choice.area, (choice.power,)).table
