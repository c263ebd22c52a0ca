"""Pax Britannica as the kernel knows it: `paxtui.engine.timeline.Rules` bound to one set of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.upcast import Upcasters
from paxtui.pax.board.tables import Tables
from paxtui.pax.decide import decide
from paxtui.pax.history import events as ev
from paxtui.pax.history.evolve import evolve
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import secrecy
from paxtui.pax.state.model import State

UPCASTERS = Upcasters()
"""Steps that bring events of older logs into the form of today, in the order of the releases. None so far."""


# The struct of each tag: converting to a union of so many kinds takes fifty times as long.
_EVENTS: dict[object, Any] = {kind.__struct_config__.tag: kind for kind in get_args(ev.AnyEvent)}
_ACTIONS: dict[object, Any] = {kind.__struct_config__.tag: kind for kind in get_args(ac.AnyAction)}


def _kind_of(raw: Any, kinds: dict[object, Any], union: Any) -> Any:
    """The struct that `raw` is, by its tag; the whole union, with its better complaint, where it has none."""
    tag = raw.get("type") if isinstance(raw, dict) else None
    return kinds.get(tag, union) if isinstance(tag, str) else union


class PaxRules:
    """The rules of one game. Everything raw is builtins that JSON can carry.

    Args: the tables of the game, for its whole life.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def decide(self, state: State, seat: str, action: Any, dice: Dice) -> Sequence[Any]:
        """The events of `action`. Raises: Refusal, and then nothing has happened."""
        return decide(self.tables, state, seat, action, dice)

    def evolve(self, state: State, event: Any) -> State:
        """The state after `event`."""
        return evolve(state, event)

    def encode_state(self, state: State) -> Any:
        """`state` as builtins."""
        return msgspec.to_builtins(state)

    def decode_state(self, raw: Any) -> State:
        """The state that `encode_state` gave. Raises: msgspec.ValidationError."""
        return msgspec.convert(raw, type=State)

    def encode_action(self, action: Any) -> Any:
        """An action as builtins with its `type`."""
        return msgspec.to_builtins(action)

    def decode_action(self, raw: Any) -> ac.AnyAction:
        """The action that `encode_action` gave. Raises: msgspec.ValidationError."""
        action: ac.AnyAction = msgspec.convert(raw, type=_kind_of(raw, _ACTIONS, ac.AnyAction))
        return action

    def encode_event(self, event: Any) -> dict[str, Any]:
        """An event as builtins with its `type`, and `v` beyond version 1."""
        raw: dict[str, Any] = msgspec.to_builtins(event)
        return UPCASTERS.stamp(raw)

    def decode_event(self, raw: dict[str, Any]) -> ev.AnyEvent:
        """The event that `encode_event` gave, now or in an older version. Raises: msgspec.ValidationError."""
        current = UPCASTERS.apply(raw)
        if "v" in current:
            current = {name: value for name, value in current.items() if name != "v"}
        event: ev.AnyEvent = msgspec.convert(current, type=_kind_of(current, _EVENTS, ev.AnyEvent))
        return event

    def reveals(self, event: Any) -> bool:
        """Whether the event shows what was hidden."""
        return isinstance(event, secrecy.REVELATIONS)

    def between(self, events: Sequence[dict[str, Any]]) -> frozenset[str]:
        """The seats that alone know of a line with these raw events."""
        return secrecy.between_whom(events)
