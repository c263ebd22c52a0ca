"""`EmpiresGame`: an exercise of Empires in Arms as a game of the engine."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.game import Decision, GameResult, Narrator, NewGame, Phase, Prompt, Redo, Undo
from paxtui.engine.log import Header, Line
from paxtui.engine.notes import rewrite_note
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SEATING_NOTE, SeatOccupant, visible_seating
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw
from paxtui.games.empires.calendar import PHASES
from paxtui.games.empires.decider import (
    current_step,
    decide_action,
    legal_actions,
    menu_actions,
    run_sequence,
    waiting_powers,
)
from paxtui.games.empires.events.base import Event, Revealed
from paxtui.games.empires.events.registry import EVENTS_BY_TAG
from paxtui.games.empires.narration import (
    describe_event,
    describe_question,
    piece_lines,
    position_heading,
    posting_lines,
    record_lines,
    unpublished_number_lines,
)
from paxtui.games.empires.orders import ACTION_FORMS, ACTIONS_BY_TAG, Action, Done, action_text, parse_action
from paxtui.games.empires.position import seat_view, starting_state, visible_event
from paxtui.games.empires.state import State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction

RULEBOOK = "empires"
"""Name of these rules in the header of a log."""

RULES_NUMBER = 2
"""Version of the rules. Raise it with every change after which the same action has other events."""

EDITION = "exercises"

POSITION_KNOWN = "position_known"
"""Type of the event that ends each act in the log of a seat. No other log has it."""


class EmpiresGame:
    """One exercise; the methods are those of `paxtui.engine.game.Game`."""

    rulebook = RULEBOOK
    rules_number = RULES_NUMBER
    phases: tuple[str, ...] = PHASES

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def begin(self, header: Header) -> State:
        """Return the position at the start of a game with this header, with its first phase begun.

        Raises: ValueError, when no exercise has these seats.
        """
        start = self.new_game(None, {})
        if header.seats != start.seats:
            raise ValueError("the seats are not the Powers of the exercise")
        if header.options.get("exercise") != self.tables.exercise.id or set(header.options) - {"exercise", "bots"}:
            raise ValueError("its options are not those of the exercise")
        if set(header.options.get("bots", ())) - set(start.seats):
            raise ValueError("a bot sits where there is no seat")
        return start.state

    def note(self, state: State, line: Line, lines: Sequence[Line]) -> Any:
        """Return the content that a note about seats or the clock has if it is written here.

        Raises: Refusal, ValueError: the note is not allowed here.
        """
        told = rewrite_note(self, state, state.powers, line, lines)
        if told is None:
            raise ValueError("an exercise has no such note")
        return told

    def decide(self, state: State, seat: str, action: Any, dice: Dice) -> Decision[State]:
        """Decide `action`. Raises: Refusal; the position is then unchanged."""
        play = decide_action(self.tables, state, seat, action, dice)
        return Decision(play.events, play.state)

    def evolve(self, state: State, event: Event) -> State:
        """Return the state after `event`."""
        return event.evolve(state)

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

    def is_over(self, state: State) -> bool:
        """Return whether the exercise is over."""
        return state.result is not None

    # --- play -----------------------------------------------------------------------------------------------------

    def new_game(self, seats: Sequence[str] | None, options: Mapping[str, Any]) -> NewGame[State]:
        """Return the start of the exercise, with its first phase begun.

        Raises: Refusal `powers` or `unknown_option`: the seats are those of the exercise, and it has no options.
        """
        play = Transaction(self.tables, starting_state(self.tables), Dice(""))
        run_sequence(play)
        powers = play.state.powers
        if seats is not None and set(seats) != set(powers):
            raise Refusal("powers", (), f"The Powers of this exercise are {', '.join(powers)}.", powers=list(powers))
        if unknown := set(options) - {"exercise"}:
            raise Refusal("unknown_option", (), f"An exercise has no option {min(unknown)!r}.")
        return NewGame(play.state, {one: [one] for one in powers}, {"exercise": self.tables.exercise.id}, EDITION)

    def first_occupants(self, header: Header) -> Mapping[str, SeatOccupant]:
        """Return the bots that the options of an old log name; today notes in the log name them."""
        return {seat: SeatOccupant(by="bot", level="steady") for seat in header.options.get("bots", ())}

    def phase(self, state: State) -> Phase:
        """Return the phase; a time limit runs for a step, or for a question."""
        cursor, actors = state.cursor, current_step(state).actors(self.tables, state) if state.cursor.slots else ()
        step = f"{cursor.step} {len(cursor.slots)}"
        name = f"{cursor.phase} phase, {cursor.step.replace('_', ' ')}"
        is_open = not state.questions and len(actors) > 1
        return Phase(cursor.phase, name, state.turn, step, is_open, year=state.turn // 12)

    def waiting_seats(self, state: State) -> tuple[str, ...]:
        """Return the Powers that must act."""
        return waiting_powers(self.tables, state)

    def pending(self, state: State, seat: str) -> tuple[Prompt, ...]:
        """Return the questions to a Power, all of them for the arbiter."""
        return tuple(
            Prompt(f"{one.kind} {number}", one.power, describe_question(self.tables, one), msgspec.to_builtins(one))
            for number, one in enumerate(state.questions)
            if seat in (ARBITER, one.power)
        )

    def legal_orders(self, state: State, seat: str, full: bool = False) -> tuple[str, ...]:
        """Return what a Power may do now; `full` adds all marches and numbers of factors."""
        find = legal_actions if full else menu_actions
        return tuple(action_text(action) for action in find(self.tables, state, seat))

    def default_action(self, state: State, seat: str) -> Action | None:
        """Return `Done` if the Power may end its step, else its last legal action; None if it need not act."""
        found = menu_actions(self.tables, state, seat)
        return next((one for one in found if isinstance(one, Done)), found[-1] if found else None)

    def automatic_action(self, state: State, force: bool = False) -> None:
        """Return None: automatic steps belong to the action before them."""

    def result(self, state: State) -> GameResult | None:
        """Return the winners, and the political points of all Powers."""
        if state.result is None:
            return None
        winners = state.result.winners
        ranks = {power: 1 if power in winners else len(winners) + 1 for power in state.powers}
        return GameResult(state.result.reason, ranks, {one: state.accounts[one].points for one in state.powers})

    # --- words ----------------------------------------------------------------------------------------------------

    def parse_order(self, text: str, state: State) -> Action | Undo | Redo:
        """Parse an order. Raises: Refusal `bad_order`."""
        word, _, line = text.strip().casefold().partition(" ")
        if word == "undo" and (not line or line.isdecimal()):
            return Undo(int(line) if line else None)
        return Redo() if (word, line) == ("redo", "") else parse_action(self._replace_names(text))

    def _replace_names(self, text: str) -> str:
        """Return an order with ids for the names of areas and corps: "IV Corps", "Sankt Pölten"."""
        return self._names.sub(lambda found: self._ids[found[0].casefold()], text)

    @cached_property
    def _ids(self) -> dict[str, str]:
        """The ids of areas and corps by their names in small letters."""
        areas = self.tables.exercise.areas
        names = {name.casefold(): area.id for area in areas for name in (area.name, area.city) if name}
        names |= {name.casefold(): corps for corps, name in self.tables.corps_names.items()}
        return names | {id_: id_ for id_ in (*(area.id for area in areas), *self.tables.corps_names)}

    @cached_property
    def _names(self) -> re.Pattern[str]:
        """What matches a name of `_ids`, the longest one first."""
        names = sorted(self._ids, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", re.IGNORECASE)

    def decode_order(self, raw: Mapping[str, Any]) -> Action:
        """Decode a structured action of a client. Raises: Refusal `bad_action`."""
        try:
            return self.decode_action(dict(raw))
        except msgspec.ValidationError as error:
            raise Refusal("bad_action", (), f"This is not an action: {error}.") from None

    def format_order(self, action: Any) -> str:
        """Return an action as it is typed."""
        return action_text(action)

    def find_seat(self, text: str) -> str:
        """Return the Power that a player names, by its id or name. Raises: Refusal `unknown_seat`."""
        powers, wanted = self.tables.exercise.powers, text.strip().casefold()
        for power in powers:
            if wanted in (power, self.tables.name(power).casefold()):
                return power
        raise Refusal("unknown_seat", (), f"There is no Power '{text}' here; there are {', '.join(powers)}.")

    def seat_name(self, seat: str) -> str:
        """Return the name of a Power; "" for an unknown one."""
        return self.tables.name(seat) if seat in self.tables.exercise.powers else ""

    def phase_name(self, phase: str) -> str:
        """Return the name of a phase."""
        return phase.title()

    def narrator(self, state: State) -> Narrator:
        """Return a narrator; each event names all it is about."""
        return partial(describe_event, self.tables)

    def describe_position(self, state: State) -> list[str]:
        """Describe a position: heading, record, pieces, political points, and the numbers that are ours."""
        tables = self.tables
        return [
            position_heading(tables, state),
            *record_lines(tables, state),
            *piece_lines(tables, state),
            "political points:",
            *(f"  {line}" for line in posting_lines(tables, state)),
            "numbers of ours:",
            *(f"  {line}" for line in unpublished_number_lines(tables)),
        ]

    # --- what a seat may know -------------------------------------------------------------------------------------

    def seat_state(self, state: State, seat: str) -> State:
        """Return the position without papers and face-down corps of others."""
        return seat_view(state, seat)

    def seat_view(self, state: State, seat: str, version: int) -> Raw:
        """Return the same as builtins."""
        return {**msgspec.to_builtins(seat_view(state, seat)), "version": version, "seat": seat}

    def seat_event(self, raw: Raw, seat: str) -> Raw | None:
        """Return what a seat may know of a raw event or note."""
        if raw.get("type") == SEATING_NOTE:
            return visible_seating(raw, seat)
        return visible_event(raw, seat)

    def visible_event(self, event: Event, seat: str) -> Event | None:
        """Return what a seat may know of an event."""
        raw = visible_event(self.encode_event(event), seat)
        return None if raw is None else self.decode_event(raw)

    def closing_events(self, state: State, seat: str) -> tuple[Raw, ...]:
        """Return the position as the seat knows it: events about hidden corps and papers do not lead to it."""
        return ({"type": POSITION_KNOWN, "state": msgspec.to_builtins(seat_view(state, seat))},)

    def seat_game(self) -> EmpiresSeatGame:
        """Return the game of the log of a seat."""
        return EmpiresSeatGame(self.tables)

    # --- the protocol ---------------------------------------------------------------------------------------------

    def encode_position(self, state: State) -> Raw:
        """Encode the whole position."""
        raw: Raw = msgspec.to_builtins(state)
        return raw

    def encode_progress(self, state: State) -> Raw:
        """Return the exercise, the place in the sequence of play, and the result."""
        return {
            "game": RULEBOOK,
            "exercise": state.exercise,
            "phase": state.cursor.phase,
            "step": state.cursor.step,
            "result": msgspec.to_builtins(state.result),
        }

    def encode_legal(self, state: State, seat: str) -> Raw:
        """Return every legal action of a Power as text and structured, and the forms of all actions."""
        found = legal_actions(self.tables, seat_view(state, seat), seat)
        return {
            "texts": [action_text(action) for action in found],
            "actions": [msgspec.to_builtins(action) for action in found],
            "forms": list(ACTION_FORMS.values()),
        }

    def schema(self) -> Raw:
        """Return the JSON Schema of all actions and events."""
        kinds = (*ACTIONS_BY_TAG.values(), *EVENTS_BY_TAG.values())
        shapes, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "action": {"anyOf": list(shapes[: len(ACTIONS_BY_TAG)])},
            "event": {"anyOf": list(shapes[len(ACTIONS_BY_TAG) :])},
            "$defs": parts,
        }


class PositionKnown(Event, frozen=True, tag=POSITION_KNOWN):
    """The position as a seat knows it after an act."""

    state: State


class EmpiresSeatGame(EmpiresGame):
    """An exercise as the log of a seat tells it: each act ends with the position that the seat then knows."""

    def evolve(self, state: State, event: Any) -> State:
        """Return the state that ends the act; other events are only described."""
        return event.state if isinstance(event, PositionKnown) else state

    def decode_event(self, raw: Raw) -> Event:
        """Decode an event from `encode_event`. Raises: msgspec.ValidationError."""
        if raw.get("type") == POSITION_KNOWN:
            return msgspec.convert(raw, type=PositionKnown)
        return super().decode_event(raw)

    def narrator(self, state: State) -> Narrator:
        """Return a narrator that is silent about positions."""
        tell = super().narrator(state)
        return lambda event: "" if isinstance(event, PositionKnown) else tell(event)


def _struct_for(raw: Any, kinds: Any) -> Any:
    """Return the struct of raw builtins, by their `type`. Raises: msgspec.ValidationError."""
    tag = raw.get("type") if isinstance(raw, dict) else None
    found = kinds.get(tag) if isinstance(tag, str) else None
    if found is None:
        raise msgspec.ValidationError(f"there is no {tag!r}")
    return found
