"""The exercises as a game of the engine: `paxtui.engine.timeline.Rules` for the tables of one exercise."""

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
"""Name of these rules in the header of a log."""

RULES_NUMBER = 2
"""Version of the rules. Raise it with every change after which the same action has other events."""

EDITION = "exercises"


class EmpiresRules:
    """The rules of one exercise. Raw values are builtins that JSON can carry.

    Args: the tables of the exercise.
    """

    rulebook = RULEBOOK

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def begin(self, header: Header) -> State:
        """Return the position at the start of a game with this header, with its first phase begun.

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
        """Refuse a note: exercises have none. Raises: ValueError."""
        raise ValueError("an exercise has no notes")

    def decide(self, state: State, seat: str, action: Any, dice: Dice) -> Decision[State]:
        """Decide `action`. Raises: Refusal; the position is then unchanged."""
        play = decide_action(self.tables, state, seat, action, dice)
        return Decision(play.events, play.state)

    def evolve(self, state: State, event: Any) -> State:
        """Return the state after `event`."""
        return evolve(state, event)

    def encode_state(self, state: State) -> Any:
        """Return `state` as builtins."""
        return msgspec.to_builtins(state)

    def decode_state(self, raw: Any) -> State:
        """Decode a state from `encode_state`. Raises: ValueError."""
        return msgspec.convert(raw, type=State)

    def encode_action(self, action: Any) -> Any:
        """Return an action as builtins with its `type`."""
        return msgspec.to_builtins(action)

    def decode_action(self, raw: Any) -> Action:
        """Decode an action from `encode_action`. Raises: msgspec.ValidationError."""
        action: Action = msgspec.convert(raw, type=_struct_for(raw, ACTIONS_BY_TAG))
        return action

    def encode_event(self, event: Any) -> Raw:
        """Return an event as builtins with its `type`."""
        raw: Raw = msgspec.to_builtins(event)
        return raw

    def decode_event(self, raw: Raw) -> Event:
        """Decode an event from `encode_event`. Raises: msgspec.ValidationError."""
        event: Event = msgspec.convert(raw, type=_struct_for(raw, EVENTS_BY_TAG))
        return event

    def reveals(self, event: Any) -> bool:
        """Return whether the event reveals hidden information."""
        return isinstance(event, Revealed)

    def between(self, events: Sequence[Raw]) -> frozenset[str]:
        """Return no seats: every seat sees at least that an action was taken."""
        return frozenset()

    def over(self, state: State) -> bool:
        """Return whether the exercise is over."""
        return state.result is not None


def _struct_for(raw: Any, kinds: Any) -> Any:
    """Return the struct of raw builtins, by their `type`. Raises: msgspec.ValidationError."""
    tag = raw.get("type") if isinstance(raw, dict) else None
    found = kinds.get(tag) if isinstance(tag, str) else None
    if found is None:
        raise msgspec.ValidationError(f"there is no {tag!r}")
    return found
