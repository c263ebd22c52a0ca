"""`PaxGame`: Pax Britannica as a game of the engine, bound to one set of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.game import Decision, GameResult, Narrator, NewGame, Phase, Prompt
from paxtui.engine.log import FIRST_RULEBOOK, Header, Line
from paxtui.engine.notes import rewrite_note
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.upcast import Raw
from paxtui.games.pax import visibility
from paxtui.games.pax.actions import actions, dispatches
from paxtui.games.pax.actions.notation import Order, format_order, parse_order
from paxtui.games.pax.actions.structured import decode_action, decode_dispatch
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.decide import decide
from paxtui.games.pax.events import events
from paxtui.games.pax.events.encoding import UPCASTERS, stamp_position, upcast_action, upcast_position
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.narration.labels import question_summary
from paxtui.games.pax.narration.narrator import Narrator as PaxNarrator
from paxtui.games.pax.position.reader import find_unknown_name
from paxtui.games.pax.position.setup import new_game, seats_for, start_position
from paxtui.games.pax.position.view import pending_for_seat, position_summary, view_for_seat
from paxtui.games.pax.position.writer import dump_position
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.sequence import OPEN, waiting_seats
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.options import OPTION_VALUES, options_from_texts, options_to_texts
from paxtui.games.pax.state.phases import PHASES
from paxtui.games.pax.text.display import PaxNames, phase_name
from paxtui.games.pax.text.parsing import name_index
from paxtui.games.pax.transaction import default_answer

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


class PaxGame(PaxNames):
    """One game of Pax Britannica. `paxtui.engine.game.Game` describes its methods."""

    rulebook = FIRST_RULEBOOK
    rules_number = RULES_NUMBER
    phases: tuple[str, ...] = PHASES

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
        content = rewrite_note(self, state, state.players, line, lines)
        return content if content is not None else dispatches.rewrite_dispatch_note(self.tables, state, line, lines)

    def decide(self, state: State, seat: str, action: Any, dice: Dice) -> Decision[State]:
        play = decide(self.tables, state, seat, action, dice)
        return Decision(play.events, play.state)

    def evolve(self, state: State, event: Any) -> State:
        return evolve(state, event)

    def encode_state(self, state: State) -> Any:
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
        return msgspec.to_builtins(action)

    def decode_action(self, raw: Any) -> actions.AnyAction:
        """Return the action that `encode_action` encoded.

        Raises:
            msgspec.ValidationError: it is malformed.
        """
        action: actions.AnyAction = msgspec.convert(upcast_action(raw), type=_kind_of(raw, _ACTIONS, actions.AnyAction))
        return action

    def encode_event(self, event: Any) -> Raw:
        raw: Raw = msgspec.to_builtins(event)
        return UPCASTERS.stamp(raw)

    def decode_event(self, raw: Raw) -> events.Event:
        current = UPCASTERS.apply(raw)
        if "v" in current:
            current = {name: value for name, value in current.items() if name != "v"}
        event: events.Event = msgspec.convert(current, type=_kind_of(current, _EVENTS, events.AnyEvent))
        if event.others is not None:
            visibility.visible_event(event, SPECTATOR)  # check that outsiders can decode their version
        return event

    def reveals(self, event: Any) -> bool:
        return isinstance(event, visibility.REVEALING_EVENTS)

    def between(self, events: Sequence[Raw]) -> frozenset[str]:
        return visibility.private_seats(events)

    def is_over(self, state: State) -> bool:
        return state.result is not None

    def new_game(self, seats: Sequence[str] | None, options: Mapping[str, Any]) -> NewGame[State]:
        """Return the 1880 start. Nothing is rolled and nothing advances.

        Raises:
            Refusal: no game has these Powers and options.
        """
        state = new_game(self.tables, seats_for(7) if seats is None else seats, options)
        powers = {seat: list(powers_of(self.tables, state, seat)) for seat in state.players}
        return NewGame(state, powers, options_to_texts(state.options), state.options.edition)

    def first_occupants(self, header: Header) -> Mapping[str, SeatOccupant]:
        """Return nobody: notes in the log name the occupants."""
        return {}

    def phase(self, state: State) -> Phase:
        """Return the Phase; a Phase in which all seats act at once has one time limit."""
        year = self.tables.turns[state.turn - 1].year
        return Phase(state.phase, phase_name(state.phase), state.turn, is_open=state.phase in OPEN, year=year)

    def waiting_seats(self, state: State) -> tuple[str, ...]:
        return waiting_seats(self.tables, state)

    def pending(self, state: State, seat: str) -> tuple[Prompt, ...]:
        choices = (choice for choice in state.choices if seat in (ARBITER, choice.seat))
        return tuple(
            Prompt(raw["id"], raw["seat"], question_summary(self.tables, choice), raw)
            for choice, raw in zip(choices, pending_for_seat(state, seat), strict=True)
        )

    def legal_orders(self, state: State, seat: str, full: bool = False) -> tuple[str, ...]:
        """Return what a seat may do now, each move with one unit."""
        return tuple(legal_actions(self.tables, state, seat).texts())

    def default_action(self, state: State, seat: str) -> actions.AnyAction | None:
        """Return the default answer to the first choice of a seat, else that it is ready, with its garrisons before."""
        choice = next((choice for choice in state.choices if choice.seat == seat and choice.about.pressing), None)
        if choice is not None:
            return actions.Choose(choice.id, default_answer(choice))
        if seat not in self.waiting_seats(state):
            return None
        if state.phase not in OPEN:
            return actions.Pass()
        owes = isinstance(run_trial(self.tables, state, seat, actions.Ready()), Refusal)
        return actions.Garrison() if owes else actions.Ready()

    def automatic_action(self, state: State, force: bool = False) -> actions.Advance | None:
        """Return `Advance`; None when the game is over, or when a seat must act and defaults are not taken."""
        if state.result is not None or (not force and self.waiting_seats(state)):
            return None
        return actions.Advance(force=force)

    def result(self, state: State) -> GameResult | None:
        found = state.result
        return None if found is None else GameResult(found.reason, found.ranks, found.totals)

    def parse_order(self, text: str, state: State) -> Order:
        return parse_order(self.tables, text)

    def decode_order(self, raw: Mapping[str, Any]) -> Order:
        decode = decode_dispatch if raw.get("type") == "dispatch" else decode_action
        return decode(self.tables, dict(raw))

    def format_order(self, action: Order | actions.Action) -> str:
        return format_order(self.tables, action)

    def find_seat(self, text: str) -> str:
        return name_index(self.tables).powers.find(text)

    def narrator(self, state: State) -> Narrator:
        return PaxNarrator(self.tables, state).tell

    def describe_position(self, state: State) -> list[str]:
        return position_summary(self.tables, state).split("\n")

    def seat_state(self, state: State, seat: str) -> State:
        return visibility.visible_state(self.tables, state, seat)

    def seat_view(self, state: State, seat: str, version: int) -> Raw:
        return view_for_seat(self.tables, state, seat, version)

    def seat_event(self, raw: Raw, seat: str) -> Raw | None:
        return visibility.visible_raw(raw, seat)

    def visible_event(self, event: events.Event, seat: str) -> events.Event | None:
        return visibility.visible_event(event, seat)

    def closing_events(self, state: State, seat: str) -> tuple[Raw, ...]:
        """Return none: `others` of each event says how a seat that may not know it continues."""
        return ()

    def seat_game(self) -> PaxGame:
        return self

    def encode_position(self, state: State) -> Raw:
        """Encode the whole position, in the form of a patch."""
        return dump_position(state)

    def encode_progress(self, state: State) -> Raw:
        """Return nothing: answers about Pax Britannica have no further keys."""
        return {}

    def encode_legal(self, state: State, seat: str) -> Raw:
        """Return the menu of a seat: `texts`, and the grammars `moves` and `pays`."""
        menu = legal_actions(self.tables, state, seat)
        return {"texts": list(menu.texts()), **menu.grammar()}

    def schema(self) -> Raw:
        (action, event), parts = msgspec.json.schema_components(
            (actions.AnyAction, events.AnyEvent), ref_template="#/$defs/{name}"
        )
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "action": action,
            "event": event,
            "$defs": parts,
        }
