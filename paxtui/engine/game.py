"""`Game`: the one interface through which everything above the rules reaches a game.

A game is pure: it reads no file, clock or global random. `GameLog` keeps its log, `session.game_host.GameHost` runs it.

To add a game:

1. Write its package in `games/`: state, actions, events and a class that implements `Game`. Give it its own `rulebook`.
2. Write its bots in `bots/`, with the methods of `paxtui.engine.bots.BotPlayer`.
3. Add a subclass of `GameKind` to `session/games.py`: how its tables are read, its scenarios and its bots.
4. Add a way to play it on a terminal to `PLAYERS` in `cli/play.py`. Protocol, `new`, `show` and `verify` need nothing.

`tests/session/test_game_contract.py` and `tests/session/test_hosts.py` then test each of its scenarios. A game that can
do more than `GameHost` subclasses it, see `session/hosts.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.log import Header, Line
from paxtui.engine.seating import SeatOccupant
from paxtui.engine.upcast import Raw

S = TypeVar("S")

Narrator = Callable[[Any], str]
"""Describes one event after another in a sentence each; "" for an event that needs none."""


class Decision(NamedTuple, Generic[S]):
    """The result of an action: its events (msgspec structs) and the state after them."""

    events: Sequence[Any]
    state: S


class Undo(msgspec.Struct, frozen=True):
    """Undo the own last action, or (`to`) return to the position after that line. The log does it, not the rules."""

    to: int | None = None


class Redo(msgspec.Struct, frozen=True):
    """Restore what the last undo removed."""


class NewGame(NamedTuple, Generic[S]):
    """The start of a game, as its header stores it.

    Attributes:
        state: the position.
        seats: what each seat plays, in the order of the seats.
        options: all options by name.
        edition: the edition of the rules.
    """

    state: S
    seats: dict[str, list[str]]
    options: dict[str, Any]
    edition: str


class Phase(NamedTuple):
    """Where a game is in its sequence of play.

    Attributes:
        id: the Phase, one of `Game.phases`; "" between two.
        name: the same for players.
        turn: number of the turn or month.
        step: the part of the Phase for which a time limit runs; "" for the whole.
        is_open: whether all seats act at once.
        year: the calendar year.
    """

    id: str
    name: str
    turn: int
    step: str = ""
    is_open: bool = False
    year: int = 0


class Prompt(NamedTuple):
    """A question that waits for an answer.

    Attributes:
        id: its id in the position.
        seat: the seat that answers.
        text: what is asked, in words that follow the name of the seat. `legal_orders` has the answers.
        raw: the question as the protocol shows it.
    """

    id: str
    seat: str
    text: str
    raw: Raw


class GameResult(NamedTuple):
    """The end of a game.

    Attributes:
        reason: why it ended, in a few words.
        ranks: seat -> rank, 1 for the winners.
        scores: seat -> points.
    """

    reason: str
    ranks: Mapping[str, int]
    scores: Mapping[str, float]

    @property
    def winners(self) -> tuple[str, ...]:
        """The seats with the first rank."""
        return tuple(seat for seat, rank in self.ranks.items() if rank == 1)


class Game(Protocol[S]):
    """The rules of one game with its tables. Raw values are builtins that JSON can represent.

    Attributes:
        rulebook: name of the rules in headers of logs.
        rules_number: version of the rules; each log names the number under which it began.
        tables: the static data of the game.
        phases: the Phases that may have a time limit, in order.
    """

    rulebook: str
    rules_number: int
    phases: tuple[str, ...]

    @property
    def tables(self) -> Any: ...

    def begin(self, header: Header) -> S:
        """Compute the start state of a game with this header.

        Raises:
            Refusal: no game with this header exists; or ValueError.
        """

    def note(self, state: S, line: Line, lines: Sequence[Line]) -> Any:
        """Compute the content of a note as if its seat wrote it now, after `lines`. Never called for undo requests.

        Raises:
            Refusal: the seat may not write it; or ValueError.
        """

    def decide(self, state: S, seat: str, action: Any, dice: Dice) -> Decision[S]:
        """Compute the result of `action` without changing anything.

        Raises:
            Refusal: the seat may not do it.
        """

    def evolve(self, state: S, event: Any) -> S:
        """Compute the state after `event`. Total: it checks no rules, rolls no dice and does not change `state`."""

    def encode_state(self, state: S) -> Any:
        """Encode `state` as builtins."""

    def decode_state(self, raw: Any) -> S:
        """Decode the result of `encode_state`."""

    def encode_action(self, action: Any) -> Any:
        """Encode an action as builtins."""

    def decode_action(self, raw: Any) -> Any:
        """Decode the result of `encode_action`."""

    def encode_event(self, event: Any) -> Raw:
        """Encode an event as a dict with its ``type``, and ``v`` above version 1."""

    def decode_event(self, raw: Raw) -> Any:
        """Decode the result of `encode_event`, of this or an older version (upcasters run first)."""

    def reveals(self, event: Any) -> bool:
        """Whether the event showed a seat hidden information."""

    def between(self, events: Sequence[Raw]) -> frozenset[str]:
        """The only seats that see a line with these raw events; empty if every seat sees part of it.

        Such private acts of other seats neither block an undo nor are lost by it.
        """

    def is_over(self, state: S) -> bool:
        """Whether the game is over."""

    def new_game(self, seats: Sequence[str] | None, options: Mapping[str, Any]) -> NewGame[S]:
        """Compute the start of a game. Args: the seats, None for those of the scenario; options that differ.

        Raises:
            Refusal: no game has these seats and options.
        """

    def first_occupants(self, header: Header) -> Mapping[str, SeatOccupant]:
        """Return the occupants of seats that the header itself names, as old logs do."""

    def phase(self, state: S) -> Phase:
        """Return where the game is."""

    def waiting_seats(self, state: S) -> tuple[str, ...]:
        """Return the seats that play waits for."""

    def pending(self, state: S, seat: str) -> Sequence[Prompt]:
        """Return the questions that wait for an answer of `seat`; all of them for the arbiter."""

    def legal_orders(self, state: S, seat: str, full: bool = False) -> Sequence[str]:
        """Return what `seat` may do now, as orders in the notation.

        Args:
            state: the position; that of `seat_state` is enough.
            full: every legal order; otherwise what a menu shows.
        """

    def default_action(self, state: S, seat: str) -> Any:
        """Return what is done for a seat whose time is over, or None if the seat need not act.

        It can be refused where the seat owes more; then `automatic_action` with `force` continues.
        """

    def automatic_action(self, state: S, force: bool = False) -> Any:
        """Return the arbiter's action that continues play, or None if there is none.

        Args:
            force: take the defaults of all seats that play waits for.
        """

    def result(self, state: S) -> GameResult | None:
        """Return the result; None while the game continues."""

    def parse_order(self, text: str, state: S) -> Any:
        """Parse an order of the notation: an action, `Undo`, `Redo`, or a message.

        Raises:
            Refusal: the text is no order.
        """

    def decode_order(self, raw: Mapping[str, Any]) -> Any:
        """Decode a structured action of a client, in which names may be spelt freely.

        Raises:
            Refusal: `bad_action`.
        """

    def format_order(self, action: Any) -> str:
        """Format an action in the notation; `parse_order` of it returns the same action."""

    def find_seat(self, text: str) -> str:
        """Return the seat that a player names, by its id or name.

        Raises:
            Refusal: it names none.
        """

    def seat_name(self, seat: str) -> str:
        """Return the name of a seat for players; "" for an unknown one."""

    def phase_name(self, phase: str) -> str:
        """Return the name of a Phase for players."""

    def narrator(self, state: S) -> Narrator:
        """Return a narrator for the events after a position."""

    def describe_position(self, state: S) -> Sequence[str]:
        """Describe a position, one fact per line."""

    def seat_state(self, state: S, seat: str) -> S:
        """Return the position as `seat` may know it."""

    def seat_view(self, state: S, seat: str, version: int) -> Raw:
        """Return the position as `seat` may know it, as builtins for clients. Args: `version`: the seat's last line."""

    def seat_event(self, raw: Raw, seat: str) -> Raw | None:
        """Return what `seat` may know of a raw event, or of the content of a note; None for nothing."""

    def visible_event(self, event: Any, seat: str) -> Any:
        """Return what `seat` may know of an event; None for nothing."""

    def closing_events(self, state: S, seat: str) -> Sequence[Raw]:
        """Return the raw events that end each act in the log of a seat.

        None, if the visible events lead from position to position. Args: the position after the act; the seat.
        """

    def seat_game(self) -> Game[S]:
        """Return the game that reads the log of a seat; the game itself if there are no closing events."""

    def encode_position(self, state: S) -> Raw:
        """Encode the whole position."""

    def encode_progress(self, state: S) -> Raw:
        """Encode what each answer about the state of play has beside version, `waiting` and `pending`."""

    def encode_legal(self, state: S, seat: str) -> Raw:
        """Encode what `seat` may do: `texts`, and how they are put together."""

    def schema(self) -> Raw:
        """Return the JSON Schema of all actions and events: `action` and `event`, with their parts in `$defs`."""
