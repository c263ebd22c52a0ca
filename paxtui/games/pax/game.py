"""Pax Britannica for the engine: `paxtui.engine.timeline.Rules` bound to one set of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.log import Header, Line
from paxtui.engine.seats import SPECTATOR
from paxtui.engine.timeline import Decision
from paxtui.engine.upcast import Raw
from paxtui.games.pax import visibility
from paxtui.games.pax.actions import actions, clock, dispatches, seats
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.decide import decide_with_state
from paxtui.games.pax.events import events
from paxtui.games.pax.events.encoding import UPCASTERS, stamp_position, upcast_action, upcast_position
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.position.reader import find_unknown_name
from paxtui.games.pax.position.setup import start_position
from paxtui.games.pax.sequence import waiting_seats
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.options import OPTION_VALUES, options_from_texts

RULES_NUMBER = 3
"""Number of the rules of play. Each log names the number under which it began.

Raise it by one with each change after which the same action at the same position gives other events or another
refusal, or after which a game begins differently. Once between two releases is enough. `verify` then treats different
events in games with an older number as information, not as a fault.

1: games of version 0.1.0 and before, whose logs name no number.
2: garrisons, Codominions, settlements and Congresses by Decisions 33 to 56 (version 0.2.0).
3: wars, treaties and Congresses by Decisions 57 to 77 (version 0.3.0).
"""


# Struct by tag: converting to a union of so many structs takes fifty times as long.
_EVENTS: dict[object, Any] = {kind.__struct_config__.tag: kind for kind in get_args(events.AnyEvent)}
_ACTIONS: dict[object, Any] = {kind.__struct_config__.tag: kind for kind in get_args(actions.AnyAction)}


def _kind_of(raw: Any, kinds: dict[object, Any], union: Any) -> Any:
    """Return the struct for the tag of `raw`; without a known tag the whole union, for its better error message."""
    tag = raw.get("type") if isinstance(raw, dict) else None
    return kinds.get(tag, union) if isinstance(tag, str) else union


class PaxRules:
    """The rules of one game. Raw values are builtins that JSON can represent.

    Args:
        tables: the tables of the game.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def begin(self, header: Header) -> State:
        """Return the position at which a game with this header begins.

        Missing options have their default. Games of earlier rules numbers may name options that no longer exist.

        Raises:
            Refusal, ValueError: no game has these options and seats.
        """
        earlier = header.rules < RULES_NUMBER
        options = options_from_texts(
            {n: value for n, value in header.options.items() if n in OPTION_VALUES or not earlier}
        )
        state = start_position(self.tables, tuple(header.seats), options)
        seats = {seat: list(powers_of(self.tables, state, seat)) for seat in state.players}
        if header.seats != seats:
            raise ValueError("the seats do not act for the Powers that it says")
        if header.edition != options.edition:
            raise ValueError("its edition is not the one of its options")
        named = header.start.get("options") if isinstance(header.start, dict) else None
        if not isinstance(named, dict) or set(named) != set(header.options):
            raise ValueError("the options it names are not those of its start")
        return state

    def note(self, state: State, line: Line, lines: Sequence[Line]) -> Any:
        """Return the content that a note (dispatch, opened letter, seating, clock) has if it is written here.

        Raises:
            Refusal, ValueError: the note is not allowed here.
        """
        if seats.is_seating_note(line.action):
            return seats.rewrite_seating_note(state, line)
        if seats.is_fallback_note(line.action):
            return seats.rewrite_fallback_note(state, line)
        if clock.is_clock_note(line.action):
            said = clock.rewrite_clock_note(state, line, lines)
            early = set(said.get("seats", ())) - set(waiting_seats(self.tables, state))
            if early:
                raise ValueError(f"it says that the time is over for {', '.join(sorted(early))}, who is not waited for")
            return said
        return dispatches.rewrite_dispatch_note(self.tables, state, line, lines)

    def decide(self, state: State, seat: str, action: Any, dice: Dice) -> Decision[State]:
        """Return the events and the position that `action` leads to.

        Raises:
            Refusal: nothing has changed.
        """
        play = decide_with_state(self.tables, state, seat, action, dice)
        return Decision(play.events, play.state)

    def evolve(self, state: State, event: Any) -> State:
        """Return the state after `event`."""
        return evolve(state, event)

    def encode_state(self, state: State) -> Any:
        """Return `state` as builtins."""
        return stamp_position(msgspec.to_builtins(state))

    def decode_state(self, raw: Any) -> State:
        """Return the state that `encode_state` encoded.

        Raises:
            ValueError: it is malformed, or names something that the tables do not contain.
        """
        state = msgspec.convert(upcast_position(raw), type=State)
        unknown = find_unknown_name(self.tables, state)
        if unknown:
            raise ValueError(unknown)
        return state

    def encode_action(self, action: Any) -> Any:
        """Return an action as builtins with its `type`."""
        return msgspec.to_builtins(action)

    def decode_action(self, raw: Any) -> actions.AnyAction:
        """Return the action that `encode_action` encoded.

        Raises:
            msgspec.ValidationError: it is malformed.
        """
        action: actions.AnyAction = msgspec.convert(upcast_action(raw), type=_kind_of(raw, _ACTIONS, actions.AnyAction))
        return action

    def encode_event(self, event: Any) -> Raw:
        """Return an event as builtins with its `type`, and `v` above version 1."""
        raw: Raw = msgspec.to_builtins(event)
        return UPCASTERS.stamp(raw)

    def decode_event(self, raw: Raw) -> events.Event:
        """Return the event that `encode_event` encoded, in this or an older version.

        Raises:
            msgspec.ValidationError: it is malformed.
        """
        current = UPCASTERS.apply(raw)
        if "v" in current:
            current = {name: value for name, value in current.items() if name != "v"}
        event: events.Event = msgspec.convert(current, type=_kind_of(current, _EVENTS, events.AnyEvent))
        if event.others is not None:
            visibility.visible_event(event, SPECTATOR)  # check that outsiders can decode their version
        return event

    def reveals(self, event: Any) -> bool:
        """Return whether the event reveals hidden information."""
        return isinstance(event, visibility.REVEALING_EVENTS)

    def between(self, events: Sequence[Raw]) -> frozenset[str]:
        """Return the seats that alone see a line with these raw events."""
        return visibility.private_seats(events)

    def over(self, state: State) -> bool:
        """Return whether the game is over."""
        return state.result is not None
