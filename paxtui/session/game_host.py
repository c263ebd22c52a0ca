"""A running game: `GameHost` carries out acts of seats; `SeatViews` returns only what a seat may see.

Every log line is stored before its act takes effect. A failed act raises `Refusal` and changes nothing. Both reach the
rules through `paxtui.engine.game.Game` alone. `paxtui.session.hosts` opens and creates games of every kind.

`SeatLog` is the log of one seat: a complete log with its own numbers and hash chain. It begins with the start position
as the seat may know it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypedDict

import msgspec
from msgspec.structs import replace

from paxtui import __version__
from paxtui.engine.clock import ClockNote, clock_state, make_clock_note
from paxtui.engine.dice import commitment
from paxtui.engine.fair_dice import DiceNote
from paxtui.engine.free_text import clean_text
from paxtui.engine.game import Game, Redo, Undo
from paxtui.engine.game_log import GameLog
from paxtui.engine.log import (
    ActionReason,
    Header,
    Line,
    Parsed,
    digest,
    encode_header,
    encode_line,
    parse,
    redact_header,
)
from paxtui.engine.projection import Projection
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import PERSON, SeatOccupant, make_fallback_note, make_seating_note, seat_occupants
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.upcast import Raw
from paxtui.engine.verify import Difference
from paxtui.session.games import load_game
from paxtui.session.storage.interface import FILES, Storage, StoredLog, read_seed, write_seed
from paxtui.session.storage.log_store import save_log
from paxtui.session.verification import differences, is_seat_log, latest_time


class SeatViews:
    """Queries of a game. Line numbers are the seat's own; those of the arbiter are the numbers of the log.

    Attributes:
        game: the log, for reading.
    """

    def __init__(self, game: GameLog[Any]) -> None:
        self.game = game
        self._known: dict[str, Projection] = {}
        self._sitters = dict(self.rules.first_occupants(game.header))
        self._seated_until = 1

    @property
    def rules(self) -> Game[Any]:
        """The rules of the game with its tables."""
        return self.game.rules

    @property
    def tables(self) -> Any:
        """The tables of the game."""
        return self.rules.tables

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of players, in order."""
        return tuple(self.game.header.seats)

    @property
    def state(self) -> Any:
        """The complete position, secrets included."""
        return self.game.state

    @property
    def moment(self) -> tuple[int, str]:
        """Turn and Phase of the position."""
        return self.moment_of(self.state)

    def moment_of(self, state: Any) -> tuple[int, str]:
        """Return turn and Phase of a position of this game."""
        phase = self.rules.phase(state)
        return phase.turn, phase.id

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.rules.is_over(self.state)

    @property
    def version(self) -> int:
        """Number of the last line of the log."""
        return self.game.version

    def check_seat(self, seat: str) -> None:
        """Accept a seat, SPECTATOR or ARBITER. Raises: Refusal `unknown_seat`."""
        if seat not in self.game.header.seats and seat not in (ARBITER, SPECTATOR):
            there_are = f"the seats are {', '.join(self.seats)}, {SPECTATOR} and {ARBITER}"
            raise Refusal("unknown_seat", (), f"There is no seat {seat!r}; {there_are}.")

    def known(self, seat: str) -> Projection:
        """Return the log of a seat, with the seat's own numbers. Raises: Refusal `unknown_seat`."""
        known = self._known.get(seat)
        if known is None:
            self.check_seat(seat)
            known = self._known[seat] = Projection(seat, self.rules.seat_event)
        if known.followed < self.version:
            for line in self.game.lines_after(known.followed):
                known.follow(line)
        return known

    def occupant(self, seat: str) -> SeatOccupant:
        """Return the occupant of a seat."""
        return self.occupants().get(seat, PERSON)

    def occupants(self) -> Mapping[str, SeatOccupant]:
        """Return the occupants of the seats that the log assigns."""
        if self._seated_until < self.version:
            self._sitters = seat_occupants(self.game.lines_after(self._seated_until), self._sitters)
            self._seated_until = self.version
        return self._sitters

    def version_for(self, seat: str) -> int:
        """Return the number of a seat's last line; the arbiter has all lines. Raises: Refusal `unknown_seat`."""
        return self.known(seat).version

    def log_line(self, seat: str, number: int) -> int:
        """Return the log number of a seat's line, or of the last following line that is hidden from the seat.

        Raises: Refusal `unknown_seat`, `no_such_line`.
        """
        known = self.known(seat)
        if not 1 <= number <= known.version:
            message = f"The log has lines 1 to {known.version}, and no line {number}."
            raise Refusal("no_such_line", (), message, line=number)
        return known.log_line(number)

    # --- positions ------------------------------------------------------------------------------------------------

    def view(self, seat: str, at: int | None = None) -> Raw:
        """Return the game as a seat sees it, now or after a line.

        Raises: Refusal `unknown_seat`, `no_such_line`.
        """
        version = self.version_for(seat) if at is None else at
        return self.rules.seat_view(self._position(seat, at), seat, version)

    def state_for(self, seat: str, at: int | None = None) -> Any:
        """Return the position as a seat may know it, now or after a line; it contains nothing else.

        Raises: Refusal `unknown_seat`, `no_such_line`.
        """
        self.check_seat(seat)
        return self.rules.seat_state(self._position(seat, at), seat)

    def pending_known(self, seat: str) -> list[Raw]:
        """Return the pending choices of all seats that a seat knows of; both sides know a private offer."""
        return [one.raw for one in self.rules.pending(self.state_for(seat), ARBITER)]

    def _position(self, seat: str, at: int | None) -> Any:
        return self.state if at is None else self.game.seek(self.log_line(seat, at))

    # --- lines ----------------------------------------------------------------------------------------------------

    def header_for(self, seat: str) -> Header:
        """Return the header for a seat."""
        return redact_header(self.game.header, seat)

    def lines_for(self, seat: str) -> tuple[Line, ...]:
        """Return the log lines of a seat. Raises: Refusal `unknown_seat`."""
        return tuple(self.known(seat).lines)

    def visible_events(self, seat: str, n: int) -> tuple[Any, ...]:
        """Return the events of line `n` of the log (its own number) as a seat may know them.

        Raises: Refusal `no_such_line`.
        """
        seen = (self.rules.visible_event(event, seat) for event in self.game.events(n))
        return tuple(event for event in seen if event is not None)

    def is_private(self, n: int) -> bool:
        """Whether line `n` of the log, from 2 on, is known to some seats only: an act, or a message."""
        line = self.game.line(n)
        if line.kind != "note":
            return bool(self.rules.between(line.events))
        return isinstance(line.action, dict) and self.rules.seat_event(line.action, SPECTATOR) is None

    def reason(self, seat: str, n: int) -> str:
        """Return the reason for line `n` of the log if the seat may know it; "" for none.

        Sealed reasons are known to others only after the game.
        """
        line = self.game.line(n)
        if line.why is None:
            return ""
        return line.why.text if not line.why.sealed or seat in (ARBITER, line.seat) or self.is_over else ""

    def undo_requests(self, seat: str) -> dict[int, tuple[str, ...]]:
        """Return the open undo requests: target position and requesting seat. Raises: Refusal `unknown_seat`."""
        known = self.known(seat)
        return {known.position(n): seats for n, seats in self.game.undo_requests().items()}


Clock = Callable[[], str]
DiceKind = Literal["plain", "fair"]
"""Source of the dice: a seed in the log, or a committed seed and a word of each seat."""
OrderInput = Any
"""An order: text in the notation, a structured action as builtins, or an action of the game."""


def utc_now() -> str:
    """Return the time for the log, ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def empty_clock() -> str:
    """Return no time, for logs that must be reproducible."""
    return ""


class GameSettings(TypedDict, total=False):
    """What `GameHost.create` needs to know about a new game of any kind; all have defaults.

    Attributes:
        path: the log file; without it the game is in memory only.
        game_id: id of the game, a new one by default.
        undo: "free" lets a seat take back anything (solo and hot-seat games).
        dice: "fair" dice combine the seed, of which the log holds only a commitment, with a word of each seat.
        clock: returns the time for each line.
        storage: where the log is stored.
    """

    path: Path | None
    game_id: str
    undo: Literal["strict", "free"]
    dice: DiceKind
    clock: Clock
    storage: Storage


def read_or_lock(path: Path, write: bool, storage: Storage) -> tuple[Parsed, StoredLog | None]:
    """Return a log, and its open file if `write`. Raises: FileNotFoundError, OSError, FileLocked, BrokenLog."""
    if not write:
        return parse(storage.read(path)), None
    store = storage.open_log(path)
    return Parsed(store.header, store.lines, store.notice, store.log, store.tip), store


class GameHost(SeatViews):
    """A running game of any kind; a context manager. `paxtui.session.hosts` creates it.

    Args:
        rules: the rules with their tables.
        parsed: the log.
        store: its file, or None for a game in memory.
        clock: returns the time for each line.
        seed: of fair dice, if it is known.

    Attributes:
        game: the log, for reading.
        store: the log file, or None.
        notice: a message for the player about the file, usually empty.
        moves_rivals: whether this process moves the bots.
    """

    moves_rivals = True

    def __init__(self, rules: Game[Any], parsed: Parsed, store: StoredLog | None, clock: Clock, seed: str = "") -> None:
        self._memory = bytearray(b"" if store else parsed.raw)
        sink = store.append if store else self._memory.extend
        super().__init__(GameLog(rules, parsed.header, parsed.lines, sink=sink, seed=seed, tip=parsed.tip))
        self.store = store
        self.notice = parsed.notice
        self._clock = clock

    @classmethod
    def create(
        cls,
        rules: Game[Any],
        seats: Sequence[str] | None,
        seed: str,
        options: Mapping[str, Any] | None = None,
        *,
        tables: Mapping[str, Any] | None = None,
        path: Path | None = None,
        game_id: str = "",
        undo: Literal["strict", "free"] = "strict",
        dice: DiceKind = "plain",
        clock: Clock = utc_now,
        storage: Storage = FILES,
    ) -> Self:
        """Create a game at its start. Nothing is rolled.

        Args:
            rules: the rules with their tables.
            seats: the seats; None for those of the scenario.
            seed: of the dice; stored in the log, or for fair dice in a file beside it.
            options: by name; missing ones have their default.
            tables: the tables that replace shipped ones, as texts by name, for the log.
            path, game_id, undo, dice, clock, storage: as in `GameSettings`.

        Raises:
            Refusal: seats or options do not make a game.
            FileExistsError, FileLocked, OSError: the file cannot be made.
        """
        start = rules.new_game(seats, options or {})
        header = Header(
            program=f"paxtui {__version__}",
            game=game_id or secrets.token_hex(6),
            edition=start.edition,
            options=start.options,
            seats=start.seats,
            seed="" if dice == "fair" else seed,
            commitment=commitment(seed) if dice == "fair" else "",
            tables=dict(tables or {}),
            start=rules.encode_state(start.state),
            undo=undo,
            created=clock(),
            rules=rules.rules_number,
            dice=dice,
            rulebook=rules.rulebook,
        )
        if path is not None and dice == "fair":
            write_seed(path, seed, storage)
        store = None if path is None else storage.create_log(path, header)
        data = encode_header(header)
        return cls(rules, Parsed(header, (), "", data, digest(data)), store, clock, seed)

    @classmethod
    def open(cls, path: Path, *, write: bool = True, clock: Clock = utc_now) -> Self:
        """Open the game of a log. `paxtui.session.hosts.open_game` selects the class of its game.

        Args:
            path: the log.
            write: continue in the file, which stays locked; otherwise continue in memory only.
            clock: returns the time for each line.

        Raises:
            FileNotFoundError, OSError, FileLocked, BrokenLog, TableError: the log cannot be used.
        """
        return cls.of_log(*read_or_lock(path, write, FILES), path, clock, FILES)

    @classmethod
    def of_log(cls, parsed: Parsed, store: StoredLog | None, path: Path, clock: Clock, storage: Storage) -> Self:
        """Continue the game of a log, in memory or in its open file, which an error closes.

        Raises: BrokenLog, TableError.
        """
        try:
            seed = read_seed(path, storage) if parsed.header.dice == "fair" else ""
            rules = load_game(parsed.header)
            if is_seat_log(parsed.header, parsed.lines):
                rules = rules.seat_game()
            host = cls(rules, parsed, store, clock, seed)
            host.check_position()
        except BaseException:
            if store is not None:
                store.close()
            raise
        return host

    def check_position(self) -> None:
        """Check that the game of a log can be continued. Raises: BrokenLog."""

    def copy(self, parsed: Parsed) -> Self:
        """Return the game of another log with these rules, in memory and without times. Raises: BrokenLog."""
        return type(self)(self.rules, parsed, None, empty_clock)

    # --- reading --------------------------------------------------------------------------------------------------

    @property
    def waiting(self) -> tuple[str, ...]:
        """The seats that must act."""
        return self.rules.waiting_seats(self.state)

    @property
    def waiting_persons(self) -> tuple[str, ...]:
        """The seats of persons that must act."""
        return tuple(seat for seat in self.waiting if not self.occupant(seat).is_automatic)

    def pending(self, seat: str = ARBITER) -> list[Raw]:
        """Return the pending choices of a seat; all of them for the arbiter."""
        return [one.raw for one in self.rules.pending(self.state, seat)]

    def legal_orders(self, seat: str, full: bool = False) -> Sequence[str]:
        """Return what a seat may do now, as orders in the notation; `full` for more than a menu shows.

        Raises: Refusal `unknown_seat`.
        """
        return self.rules.legal_orders(self.state_for(seat), seat, full)

    def verify(self) -> list[Difference]:
        """Return the differences that the verification of the log finds, in line order; empty for a sound log."""
        return differences(self.game)

    # --- acting ---------------------------------------------------------------------------------------------------

    def act(self, seat: str, asked: OrderInput, auto: bool = False, why: str = "") -> tuple[Line, tuple[Any, ...]]:
        """Carry out an act of a seat.

        Args:
            seat: the seat.
            asked: a text, a structured action, or an action; undo and redo included.
            auto: play the automatic Phases, as a line of the arbiter, when no seat must act any more.
            why: the reason that the log keeps beside the act, "" for none.

        Returns:
            The line of the act and all following events, the automatic ones included, as the seat may know them.

        Raises:
            Refusal: nothing has changed.
            OSError: the file could not be written; nothing has changed.
        """
        order = self.read(asked)
        if isinstance(order, Undo):
            return self.undo(seat, order.to), ()
        if isinstance(order, Redo):
            return self.redo(seat), ()
        line = self.game.act(seat, order, self._now(), self._reason_for_log(seat, why) if why else None)
        events = self.visible_events(seat, line.n)
        self.after_act()
        if auto and seat != ARBITER:
            events += self.advance(seat)
        return line, events

    def is_message(self, order: Any) -> bool:
        """Return whether an order only sends a message, which never conflicts with acts of others."""
        return False

    @property
    def ready_seats(self) -> tuple[str, ...]:
        """The seats that are ready, in a game that has this."""
        return ()

    def tasks(self, seat: str) -> tuple[str, ...]:
        """Return the pending tasks of a seat in sentences, the most urgent first."""
        return tuple(f"You are asked {prompt.text}." for prompt in self.rules.pending(self.state_for(seat), seat))

    def after_act(self) -> None:
        """Do what a game has due after each act; nothing in most games."""

    def _reason_for_log(self, seat: str, why: str) -> Callable[[Sequence[Any]], ActionReason]:
        """Return the reason for the log, sealed if the seat knows or does something secret."""
        rules, state = self.rules, self.state
        hidden = rules.seat_state(state, seat) != rules.seat_state(state, SPECTATOR)

        def is_open(event: Any) -> bool:
            seen = rules.visible_event(event, SPECTATOR)
            return seen is event or seen == event

        return lambda events: ActionReason(clean_text(why), hidden or not all(map(is_open, events)))

    def play(self, seat: str, asked: OrderInput) -> tuple[Any, ...]:
        """Carry out an act and the automatic Phases after it; return all events. Raises: as `act`."""
        return self.act(seat, asked, auto=True)[1]

    def advance(self, seat: str = ARBITER) -> tuple[Any, ...]:
        """Play the automatic Phases until a seat must act; do nothing if one must, or if the game is over.

        Returns: the events, as `seat` may know them.
        """
        action = self.rules.automatic_action(self.state)
        if action is None:
            return ()
        line = self.game.act(ARBITER, action, self._now())
        self.after_act()
        return self.visible_events(seat, line.n)

    def take_defaults(self, late: Sequence[str] = ()) -> None:
        """Act for seats whose time is over: the default of each. Args: `late`: the seats; none for all waiting ones.

        Raises: Refusal, OSError.
        """
        action = self.rules.automatic_action(self.state, force=True)
        if action is not None:
            self.act(ARBITER, action)
            return
        for seat in late or self.waiting:
            if seat in self.waiting:
                self.act(seat, self.rules.default_action(self.state, seat))

    def read(self, asked: OrderInput) -> Any:
        """Parse an order. Raises: Refusal for an invalid one."""
        if isinstance(asked, str):
            return self.rules.parse_order(asked, self.state)
        if not isinstance(asked, Mapping):
            return asked
        kind = asked.get("type")
        if kind == "undo":
            to = asked.get("to")
            if to is not None and (not isinstance(to, int) or isinstance(to, bool)):
                raise Refusal("bad_action", (), "An undo needs the number of a line.")
            return Undo(to)
        return Redo() if kind == "redo" else self.rules.decode_order(asked)

    def undo(self, seat: str, to: int | None = None) -> Line:
        """Undo, or ask the others for consent (a line of kind `note`); the arbiter needs no consent, and bots agree.

        Args: the seat; the line whose position is restored, by the seat's own number.
        Raises: Refusal.
        """
        known = self.known(seat) if seat in self.seats else None
        if to is not None and known is not None:
            to = self.log_line(seat, to)
        line = self.game.undo(seat, to, force=seat == ARBITER, time=self._now(), known=known)
        if line.kind == "note" and to is not None and not self.occupant(seat).is_automatic:
            line = self._let_bots_agree(seat, to, line)
        with suppress(OSError):  # the undo is done anyway; `verify` counts the dice itself
            self.game.note_passed_dice(self._now())
        return line

    def _let_bots_agree(self, seat: str, to: int, request: Line) -> Line:
        """Let the bots agree to an undo. Args: the seat that asks; the target; the line of its request.

        Returns: the line of the undo, or the request if persons must agree too.
        """
        try:
            self.game.undo(seat, to, time=self._now())
        except Refusal as waits:
            for bot in waits.detail.get("missing", ()):
                if self.occupant(bot).is_automatic:
                    request = self.game.undo(bot, to, time=self._now())
        return request

    def redo(self, seat: str) -> Line:
        """Redo the last undo. Raises: Refusal."""
        return self.game.redo(seat, self._now())

    def seat(self, occupants: Mapping[str, SeatOccupant]) -> Line:
        """Assign occupants to seats; seats that are not named keep theirs.

        Returns: the line of the assignment; more may follow.

        Raises:
            Refusal: `unknown_seat`, `bad_sitter`; nothing has changed.
            OSError: the file could not be written; nothing has changed.
        """
        return self.game.note(ARBITER, make_seating_note(self.seats, occupants), self._now())

    def dice_note(self, note: DiceNote, seat: str = ARBITER) -> Line:
        """Add a note about fair dice, of the arbiter or of a seat. Raises: Refusal, OSError."""
        return self.game.dice_note(seat, note, self._now())

    def announce(self, note: ClockNote) -> None:
        """Add a note of the arbiter about time: clock, pause, timeout. Raises: Refusal, OSError."""
        content = make_clock_note(self.seats, self.rules.phases, note, clock_state(self.game.lines))
        self.game.note(ARBITER, content, self._now())

    def reveal_seed(self) -> Line:
        """Publish the seed of a finished game. Raises: Refusal, OSError."""
        return self.game.reveal_seed(self._now())

    def log_bot_fallback(self, seat: str, bot: str, why: str) -> None:
        """Log that another bot acts for a bot, and why. Raises: OSError."""
        self.game.note(ARBITER, make_fallback_note(self.seats, seat, bot, why), self._now())

    # --- keeping --------------------------------------------------------------------------------------------------

    @property
    def trouble(self) -> str:
        """Return why the game cannot continue in its file, in words; empty if it can. Reads the disk."""
        return "" if self.store is None else self.store.trouble

    def log(self) -> bytes:
        """Return the complete log in the file format."""
        return bytes(self._memory) if self.store is None else self.store.log

    def save_as(self, path: Path) -> None:
        """Write the log atomically to another file. A file of the same game is replaced.

        Raises:
            Refusal: `exists`, if the file exists and is no log of this game.
            StorageError: the path is no replaceable file, or another program has it open.
            OSError: it cannot be written.
        """
        save_log(path, self.log(), self.game.header.game)

    def _now(self) -> str:
        """Return the time for the next line, never earlier than that of the last one."""
        time = self._clock()
        if not time:
            return time
        timed = (self.game.line(n).time for n in range(self.version, 1, -1))
        return latest_time(time, next(filter(None, timed), self.game.header.created))

    def close(self) -> None:
        """Close the file. Closing twice does nothing."""
        if self.store is not None:
            self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


TIP = 16
"""Size of a hash, in bytes."""


class SeatLog:
    """The log of a seat; it grows with that of the game.

    Args:
        table: the game.
        seat: a player's seat, or the spectators'.

    Attributes:
        header: its first line, newline included.

    Raises:
        Refusal: `unknown_seat`.
    """

    def __init__(self, table: SeatViews, seat: str) -> None:
        self._table = table
        self.seat = seat
        start = msgspec.to_builtins(table.state_for(seat, 1))
        self.header = encode_header(replace(table.header_for(seat), start=start))
        self._has_closing_events = table.rules.seat_game() is not table.rules
        self._tips = bytearray(bytes.fromhex(digest(self.header)))
        self._count = 0
        self._reached = 0, ""  # how many lines `at` has passed, and the latest time among them

    @property
    def version(self) -> int:
        """The number of the last line."""
        self._grow()
        return self._count + 1

    def after(self, number: int, until: int | None = None) -> bytes:
        """Return the lines after line `number`, and up to line `until` if given, in the log format."""
        self._grow()
        last = self._count + 1 if until is None else min(until, self._count + 1)
        return b"".join(self._encode(n) for n in range(number + 1, last + 1))

    def at(self, time: str) -> int:
        """Return the last line written at a time or before it. Args: the time, ISO 8601 in UTC."""
        self._grow()
        lines = self._table.known(self.seat).lines
        count, latest = self._reached
        if latest > time:
            count, latest = 0, ""
        while count < self._count and max(lines[count].time, latest) <= time:
            latest = max(lines[count].time, latest)
            count += 1
        self._reached = count, latest
        return count + 1

    def holds(self, number: int, tip: str) -> bool:
        """Whether a client that has the lines up to `number`, the last one with this hash, can continue."""
        self._grow()
        return 1 <= number <= self._count + 1 and self._tip(number) == tip

    def whole(self) -> bytes:
        """Return the header and all lines."""
        return self.header + self.after(1)

    def _tip(self, number: int) -> str:
        """Return the hash of a line. Only hashes are stored here; the lines come from the projection."""
        return self._tips[(number - 1) * TIP : number * TIP].hex()

    def _grow(self) -> None:
        for _ in self._table.known(self.seat).lines[self._count :]:
            self._tips += bytes.fromhex(digest(self._encode(self._count + 2)))
            self._count += 1

    def _encode(self, number: int) -> bytes:
        """Encode a line with the hash of the one before and the events that close it."""
        table, known = self._table, self._table.known(self.seat)
        line = known.lines[number - 2]
        if line.kind == "act" and self._has_closing_events:
            after = table.game.seek(known.log_line(number))
            line = replace(line, events=(*line.events, *table.rules.closing_events(after, self.seat)))
        return encode_line(replace(line, prev=self._tip(number - 1)))
