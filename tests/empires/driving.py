"""An exercise at any position, driven by typed orders, with dice set by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.empires.decider import decide_action, run_sequence, waiting_powers
from paxtui.games.empires.events.base import Event
from paxtui.games.empires.orders import parse_action
from paxtui.games.empires.position import starting_state
from paxtui.games.empires.state import Relation, State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction


@dataclass
class Driven:
    """A position that goes on by orders; `told` is everything that has happened."""

    tables: Tables
    state: State
    told: list[Event] = field(default_factory=list)

    def act(self, seat: str, text: str, *dice: int) -> list[Event]:
        """An act that must not be refused; the dice that are to fall."""
        play = decide_action(self.tables, self.state, seat, parse_action(text), Dice("driven", 0, dice))
        assert not play.dice.queue_left, "a die that was set did not fall"
        self.state = play.state
        self.told += play.events
        return play.events

    def acts(self, *orders: str) -> None:
        """Acts as "power: order", one after the other."""
        for order in orders:
            seat, _, text = order.partition(": ")
            self.act(seat, text)

    def refused(self, seat: str, text: str) -> str:
        """The code with which an order is refused."""
        try:
            decide_action(self.tables, self.state, seat, parse_action(text), Dice("driven"))
        except Refusal as refusal:
            return refusal.code
        raise AssertionError(f"{text} is not refused")

    def until(self, step: str) -> None:
        """Everybody is done until a step comes."""
        for _ in range(100):
            if self.state.cursor.step == step:
                return
            self.act(waiting_powers(self.tables, self.state)[0], "done")
        raise AssertionError(f"there is no step {step}")

    def until_asked(self, *kinds: str) -> None:
        """Everybody is done until something is asked."""
        for _ in range(20):
            if self.asked and self.asked[1] in kinds:
                return
            self.act(self.waiting[0], "done")
        raise AssertionError(f"no question of the kinds {kinds}")

    @property
    def waiting(self) -> tuple[str, ...]:
        """The Powers that play waits for."""
        return waiting_powers(self.tables, self.state)

    def points(self, *powers: str) -> list[int]:
        """The political points of some Powers."""
        return [self.state.accounts[power].points for power in powers]

    @property
    def asked(self) -> tuple[str, str] | None:
        """The open question: its Power and its kind."""
        question = self.state.questions[-1] if self.state.questions else None
        return (question.power, question.kind) if question else None

    def happened(self, kind: type[Event]) -> list[Any]:
        """The events of a kind so far."""
        return [event for event in self.told if isinstance(event, kind)]


def begun(tables: Tables, *relations: Relation, **changes: Any) -> Driven:
    """An exercise at its start, with other relations where some are given, and other changes."""
    state = starting_state(tables)
    if relations:
        state = replace(state, relations=relations)
    play = Transaction(tables, replace(state, **changes), Dice(""))
    run_sequence(play)
    return Driven(tables, play.state)


def war(a: str, b: str, order: int = 1, since: int = 21661) -> Relation:
    """A war."""
    return Relation(kind="war", a=a, b=b, since=since, order=order)


def alliance(a: str, b: str) -> Relation:
    """An alliance."""
    return Relation(kind="alliance", a=a, b=b, since=21660)
