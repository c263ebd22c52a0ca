"""What a rule works with while an act is decided: the tables, the position so far, dice, and what has happened."""

from __future__ import annotations

from typing import NoReturn

from paxtui.empires.history.asking_events import Asked
from paxtui.empires.history.event import Event
from paxtui.empires.history.events import evolve
from paxtui.empires.history.ledger_events import Posted
from paxtui.empires.play.secrecy import sealed_event
from paxtui.empires.state.ledger import What
from paxtui.empires.state.model import State
from paxtui.empires.state.questions import Question
from paxtui.empires.tables.tables import Tables
from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal


class Play:
    """One act while it is decided.

    Attributes:
        tables: those of the exercise.
        state: the position after the events so far.
        dice: where dice come from.
        events: what has happened.
    """

    def __init__(self, tables: Tables, state: State, dice: Dice) -> None:
        self.tables = tables
        self.state = state
        self.dice = dice
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Let something happen; what it tells about corps face down is for their owner only."""
        event = sealed_event(self.state, event)
        self.events.append(event)
        self.state = evolve(self.state, event)

    def roll(self) -> int:
        """One die."""
        return self.dice.roll()

    def post(self, power: str, what: What, amount: int, reason: str, *rules: str) -> None:
        """Change an account, for a reason; nothing happens where the amount is 0."""
        if amount:
            self.emit(Posted(power=power, what=what, amount=amount, reason=reason, rules=rules))

    def points(self, power: str, amount: int, reason: str, *rules: str) -> None:
        """Change the political points of a Power; a minor country has none."""
        if power in self.state.powers:
            self.post(power, "points", amount, reason, *rules)

    def ask(
        self,
        kind: str,
        power: str,
        choices: tuple[str, ...],
        *about: str,
        rules: tuple[str, ...] = (),
        secret: bool = False,
    ) -> None:
        """Ask a Power something; it is answered before anything else goes on.

        Args: what it is about; who is asked; what may be answered; ids of what it concerns; sections; whether the
            answer stays hidden until the rules reveal it.
        """
        asked = Question(kind=kind, power=power, choices=choices, about=about, rules=rules, secret=secret)
        self.emit(Asked(question=asked, rules=rules))


def refuse(code: str, message: str, *rules: str) -> NoReturn:
    """Refuse what is asked for. Raises: Refusal, always.

    Args: the code; a sentence; the sections that forbid it, as "EIA 6.3.1".
    """
    raise Refusal(code, rules, message)
