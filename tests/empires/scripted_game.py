"""An exercise at any position, played by typed orders, with chosen dice."""

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
class ScriptedGame:
    """A game that tests play with typed orders; `events` are all events since its start."""

    tables: Tables
    state: State
    events: list[Event] = field(default_factory=list)

    def act(self, seat: str, text: str, *dice: int) -> list[Event]:
        """Carry out an order with chosen dice; all of them must be used."""
        play = decide_action(self.tables, self.state, seat, parse_action(text), Dice("driven", 0, dice))
        assert not play.dice.queue_left, "a die that was set did not fall"
        self.state = play.state
        self.events += play.events
        return play.events

    def acts(self, *orders: str) -> None:
        """Carry out orders of the form "power: order"."""
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
        """Let all Powers choose `done` until a step begins."""
        for _ in range(100):
            if self.state.cursor.step == step:
                return
            self.act(waiting_powers(self.tables, self.state)[0], "done")
        raise AssertionError(f"there is no step {step}")

    def until_question(self, *kinds: str) -> None:
        """Let all Powers choose `done` until a question of one of the kinds is open."""
        for _ in range(20):
            if self.open_question and self.open_question[1] in kinds:
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
    def open_question(self) -> tuple[str, str] | None:
        """The open question: its Power and its kind."""
        question = self.state.questions[-1] if self.state.questions else None
        return (question.power, question.kind) if question else None

    def events_of(self, kind: type[Event]) -> list[Any]:
        """The events of a kind so far."""
        return [event for event in self.events if isinstance(event, kind)]


def start_game(tables: Tables, *relations: Relation, **changes: Any) -> ScriptedGame:
    """Start an exercise with other relations, if given, and other changes of its state."""
    state = starting_state(tables)
    if relations:
        state = replace(state, relations=relations)
    play = Transaction(tables, replace(state, **changes), Dice(""))
    run_sequence(play)
    return ScriptedGame(tables, play.state)


def war(a: str, b: str, order: int = 1, since: int = 21661) -> Relation:
    """A war."""
    return Relation(kind="war", a=a, b=b, since=since, order=order)


def alliance(a: str, b: str) -> Relation:
    """An alliance."""
    return Relation(kind="alliance", a=a, b=b, since=21660)
