"""The exercises as the kernel knows them: `paxtui.engine.timeline.Rules` bound to the tables of one exercise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.log import Header, Line
from paxtui.engine.timeline import Decision
from paxtui.engine.upcast import Raw
from paxtui.games.empires.decider import decide_action, run_sequence
from paxtui.games.empires.events.base import Event, Revealed
from paxtui.games.empires.events.registry import EVENTS_BY_TAG, evolve
from paxtui.games.empires.orders import ACTIONS_BY_TAG, Action
from paxtui.games.empires.position import starting_state
from paxtui.games.empires.state import State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction

RULEBOOK = "empires"
"""The name of these rules in the header of a log."""

RULES_NUMBER = 2
"""The number of the rules; raised with every change after which the same act has other events."""

EDITION = "exercises"


class EmpiresRules:
    """The rules of one exercise. Everything raw is builtins that JSON can carry.

    Args: the tables of the exercise.
    """

    rulebook = RULEBOOK

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def begin(self, header: Header) -> State:
        """The position at which a game with this header begins, its first phase begun.

        Raises: ValueError, when no exercise has these seats.
        """
        play = Transaction(self.tables, starting_state(self.tables), Dice(""))
        if header.seats != {power: [power] for power in play.state.powers}:
            raise ValueError("the seats are not the Powers of the exercise")
        if header.options.get("exercise") != self.tables.exercise.id or set(header.options) - {"exercise", "bots"}:
            raise ValueError("its options are not those of the exercise")
        if set(header.options.get("bots", ())) - set(play.state.powers):
            raise ValueError("a bot sits where there is no seat")
        run_sequence(play)
        return play.state

    def note(self, state: State, line: Line, lines: Sequence[Line]) -> Any:
        """No notes are written in an exercise. Raises: ValueError."""
        raise ValueError("an exercise has no notes")

    def decide(self, state: State, seat: str, action: Any, dice: Dice) -> Decision[State]:
        """What `action` comes to. Raises: Refusal, and then nothing has happened."""
        play = decide_action(self.tables, state, seat, action, dice)
        return Decision(play.events, play.state)

    def evolve(self, state: State, event: Any) -> State:
        """The state after `event`."""
        return evolve(state, event)

    def encode_state(self, state: State) -> Any:
        """`state` as builtins."""
        return msgspec.to_builtins(state)

    def decode_state(self, raw: Any) -> State:
        """The state that `encode_state` gave. Raises: ValueError."""
        return msgspec.convert(raw, type=State)

    def encode_action(self, action: Any) -> Any:
        """An action as builtins with its `type`."""
        return msgspec.to_builtins(action)

    def decode_action(self, raw: Any) -> Action:
        """The action that `encode_action` gave. Raises: msgspec.ValidationError."""
        action: Action = msgspec.convert(raw, type=_struct_for(raw, ACTIONS_BY_TAG))
        return action

    def encode_event(self, event: Any) -> Raw:
        """An event as builtins with its `type`."""
        raw: Raw = msgspec.to_builtins(event)
        return raw

    def decode_event(self, raw: Raw) -> Event:
        """The event that `encode_event` gave. Raises: msgspec.ValidationError."""
        event: Event = msgspec.convert(raw, type=_struct_for(raw, EVENTS_BY_TAG))
        return event

    def reveals(self, event: Any) -> bool:
        """Whether the event shows what was hidden."""
        return isinstance(event, Revealed)

    def between(self, events: Sequence[Raw]) -> frozenset[str]:
        """Everybody sees at least that something was done."""
        return frozenset()

    def over(self, state: State) -> bool:
        """Whether the exercise is over."""
        return state.result is not None


def _struct_for(raw: Any, kinds: Any) -> Any:
    """The struct of raw builtins, by their `type`. Raises: msgspec.ValidationError."""
    tag = raw.get("type") if isinstance(raw, dict) else None
    found = kinds.get(tag) if isinstance(tag, str) else None
    if found is None:
        raise msgspec.ValidationError(f"there is no {tag!r}")
    return found
