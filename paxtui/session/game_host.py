"""A running game: `GameHost` carries out acts of seats; `SeatViews` returns only what a seat may see.

Every log line is stored before its act takes effect. A failed act raises `Refusal` and changes nothing.

`SealedLetters` opens dispatches when their Game Turn comes. `SeatLog` is the log of one seat: a complete log with its
own numbers and hash chain. It begins with the start position as the seat may know it.

Rules: TRE-011
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui import __version__
from paxtui.engine import clock, seating
from paxtui.engine.clock import ClockNote
from paxtui.engine.dice import commitment
from paxtui.engine.fair_dice import DiceNote
from paxtui.engine.free_text import clean_text
from paxtui.engine.game import Redo, Undo
from paxtui.engine.game_log import GameLog
from paxtui.engine.log import (
    ActionReason,
    BrokenLog,
    Header,
    Line,
    Parsed,
    digest,
    encode_header,
    encode_line,
    redact_header,
)
from paxtui.engine.projection import Projection
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import PERSON, SeatOccupant, seat_occupants
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.upcast import Raw
from paxtui.engine.verify import Difference
from paxtui.games.pax.actions import actions, dispatches
from paxtui.games.pax.actions.dispatches import Dispatch, Letter
from paxtui.games.pax.actions.notation import parse_order
from paxtui.games.pax.actions.structured import decode_action, decode_dispatch
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.game import RULES_NUMBER, PaxGame
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.menus.menu import Menu
from paxtui.games.pax.position.reader import find_unknown_name
from paxtui.games.pax.position.setup import new_game
from paxtui.games.pax.position.view import check_seat, pending_for_seat, view_for_seat
from paxtui.games.pax.preview.dry_run import WarForecast, forecast_war
from paxtui.games.pax.sequence import waiting_seats
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.options import options_to_texts
from paxtui.games.pax.visibility import private_seats, visible_event, visible_raw, visible_state
from paxtui.session.storage.files import read_seed, write_seed
from paxtui.session.storage.log_store import LogStore, read_log, save_log
from paxtui.session.tables.loader import load_tables_from_header, replaced_tables
from paxtui.session.verification import differences, latest_time


class SeatViews:
    """Queries of a game. Line numbers are the seat's own; those of the arbiter are the numbers of the log.

    Attributes:
        tables: the tables of the game.
        game: the kernel's game, for reading.
    """

    def __init__(self, tables: Tables, game: GameLog[State]) -> None:
        self.tables = tables
        self.game = game
        self._known: dict[str, Projection] = {}
        self._sitters: dict[str, SeatOccupant] = {}
        self._seated_until = 1

    @property
    def state(self) -> State:
        """The complete position, secrets included."""
        return self.game.state

    @property
    def version(self) -> int:
        """Number of the last line of the log."""
        return self.game.version

    def known(self, seat: str) -> Projection:
        """Return the log of a seat, with the seat's own numbers. Raises: Refusal `unknown_seat`."""
        known = self._known.get(seat)
        if known is None:
            check_seat(self.state, seat)
            known = self._known[seat] = Projection(seat, visible_raw)
        if known.followed < self.version:
            for line in self.game.lines_after(known.followed):
                known.follow(line)
        return known

    def occupant(self, seat: str) -> SeatOccupant:
        """Return the occupant of a seat."""
        return self.sitters().get(seat, PERSON)

    def sitters(self) -> Mapping[str, SeatOccupant]:
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
        return view_for_seat(self.tables, self._position(seat, at), seat, version)

    def state_for(self, seat: str, at: int | None = None) -> State:
        """Return the position as a seat may know it, now or after a line; it contains nothing else.

        Raises: Refusal `unknown_seat`, `no_such_line`.
        """
        check_seat(self.state, seat)
        return visible_state(self.tables, self._position(seat, at), seat)

    def pending_known(self, seat: str) -> list[Raw]:
        """Return the pending choices of all seats that a seat knows of; both sides know a private offer."""
        return pending_for_seat(visible_state(self.tables, self.state, seat), ARBITER)

    def _position(self, seat: str, at: int | None) -> State:
        return self.state if at is None else self.game.seek(self.log_line(seat, at))

    # --- lines ----------------------------------------------------------------------------------------------------

    def header_for(self, seat: str) -> Header:
        """Return the header for a seat."""
        return redact_header(self.game.header, seat)

    def lines_for(self, seat: str) -> tuple[Line, ...]:
        """Return the log lines of a seat. Raises: Refusal `unknown_seat`."""
        return tuple(self.known(seat).lines)

    def visible_events(self, seat: str, n: int) -> tuple[events.Event, ...]:
        """Return the events of line `n` of the log (its own number) as a seat may know them.

        Raises: Refusal `no_such_line`.
        """
        seen = (visible_event(event, seat) for event in self.game.events(n))
        return tuple(event for event in seen if event is not None)

    def is_private(self, n: int) -> bool:
        """Whether line `n` of the log, from 2 on, is known to some seats only: an act, or a dispatch."""
        line = self.game.line(n)
        return dispatches.is_private_note(line.action) if line.kind == "note" else bool(private_seats(line.events))

    def reason(self, seat: str, n: int) -> str:
        """Return the reason for line `n` of the log if the seat may know it; "" for none.

        The reason for rejecting a draft is known to all its parties; other sealed reasons only after the game.
        """
        line = self.game.line(n)
        if line.why is None:
            return ""
        open_ = not line.why.sealed or seat in (ARBITER, line.seat) or self.state.result is not None
        return line.why.text if open_ or self._sees_rejection(seat, line) else ""

    def objection(self, seat: str, id_: str) -> str:
        """Return the stated reason for rejecting a draft; "" if there is none, or the seat may not know it."""
        lines = reversed(self.game.effective_lines())
        n = next((line.n for line in lines if id_ in self._rejected_draft(line)), 0)
        return self.reason(seat, n) if n else ""

    def _rejected_draft(self, line: Line) -> tuple[str, ...]:
        """Return the draft that a line rejects, or none."""
        said_no = (
            e for e in self.game.events(line.n) if isinstance(e, events.TreatyRejected) and e.reason == "rejected"
        )
        return tuple(e.id for e in said_no)

    def _sees_rejection(self, seat: str, line: Line) -> bool:
        """Whether a line rejects a draft to which a seat is a party."""
        ids = self._rejected_draft(line)
        parties = {power for treaty in self.state.treaties if treaty.id in ids for power in treaty.parties}
        return seat in self.state.players and not parties.isdisjoint(powers_of(self.tables, self.state, seat))

    def dispatches(self, seat: str) -> tuple[Letter, ...]:
        """Return the dispatches that a seat sent or received, in order. Raises: Refusal `unknown_seat`."""
        return dispatches.list_letters(self.known(seat).lines, seat)

    def undo_requests(self, seat: str) -> dict[int, tuple[str, ...]]:
        """Return the open undo requests: target position and requesting seat. Raises: Refusal `unknown_seat`."""
        known = self.known(seat)
        return {known.position(n): seats for n, seats in self.game.undo_requests().items()}


class SealedLetters:
    """The sealed dispatches of one game."""

    def __init__(self, game: GameLog[State]) -> None:
        self._game = game
        self._shut: dict[int, Line] = {}
        self._searched = 1

    def open_due(self, state: State, time: str) -> None:
        """Open each dispatch that is due at a position; an undo does not seal it again.

        Args: the position now; the time for the log.
        """
        for line in self._game.lines_after(self._searched):
            said = line.action
            if dispatches.is_sealed_letter(said):
                self._shut[line.n] = line
            elif line.kind == "note" and isinstance(said, dict) and said.get("type") == dispatches.LETTER:
                self._shut.pop(said.get("line", 0), None)
        self._searched = self._game.version
        for n, line in self._shut.items():
            if dispatches.is_letter_due(state, line.action):
                # A failed write is retried after the next act.
                with suppress(OSError):
                    self._game.note(line.seat, dispatches.make_opening_note(n, line.seat, line.action), time)


class PendingReplies(NamedTuple):
    """Which seats owe a reply.

    Attributes:
        pairs: the seat that owes it, and the writer.
        searched: the last log line that was searched.
    """

    pairs: dict[tuple[str, str], None]
    searched: int


class UnansweredDispatches:
    """The dispatches of one game that wait for a reply. Public ones need none."""

    def __init__(self, game: GameLog[State], before: PendingReplies | None = None) -> None:
        self._game = game
        self._waiting, self._searched = before or PendingReplies({}, 1)

    @property
    def now(self) -> PendingReplies:
        """The state to continue from when the game is opened again."""
        return PendingReplies(self._waiting, self._searched)

    def writers(self, seat: str) -> tuple[str, ...]:
        """Return the seats that wrote to a seat since it last wrote to them, sealed dispatches excluded."""
        for line in self._game.lines_after(self._searched):
            said = line.action
            if (
                line.kind == "note"
                and said.get("type") == dispatches.DISPATCH
                and not dispatches.is_sealed_letter(said)
            ):
                for to in said.get("to", ()):
                    self._waiting[to, line.seat] = None
                    self._waiting.pop((line.seat, to), None)
        self._searched = self._game.version
        return tuple(writer for to, writer in self._waiting if to == seat)

    def dismiss(self, seat: str, writer: str) -> None:
        """Record that a seat was asked for a reply and gives none."""
        self._waiting.pop((seat, writer), None)


Clock = Callable[[], str]
Order = actions.Action | Undo | Redo | Dispatch
DiceKind = Literal["plain", "fair"]
"""Source of the dice: a seed in the log, or a committed seed and a word of each seat."""
OrderInput = str | Mapping[str, Any] | Order
"""An order: text in the notation, a structured action as builtins, or an action."""


def utc_now() -> str:
    """Return the time for the log, ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def empty_clock() -> str:
    """Return no time, for logs that must be reproducible."""
    return ""


class GameHost(SeatViews):
    """A running game. Create it with `GameHost.new` or `GameHost.open`; a context manager.

    Attributes:
        tables: the tables of the game.
        game: the kernel's game, for reading.
        store: the log file, or None.
        notice: a message for the player about the file, usually empty.
        moves_rivals: whether this process moves the bots.
    """

    moves_rivals = True

    def __init__(self, tables: Tables, parsed: Parsed, store: LogStore | None, clock: Clock, seed: str = "") -> None:
        rules = PaxGame(tables)
        self._memory = bytearray(b"" if store else parsed.raw)
        sink = store.append if store else self._memory.extend
        super().__init__(tables, GameLog.load(rules, parsed.header, parsed.lines, sink=sink, seed=seed, tip=parsed.tip))
        self.store = store
        self.notice = parsed.notice
        self._rules = rules
        self._clock = clock
        self._letters = SealedLetters(self.game)

    @classmethod
    def new(
        cls,
        tables: Tables,
        powers: Sequence[str],
        seed: str,
        options: Mapping[str, str] | None = None,
        *,
        path: Path | None = None,
        tables_dir: Path | None = None,
        game_id: str = "",
        undo: Literal["strict", "free"] = "strict",
        dice: DiceKind = "plain",
        clock: Clock = utc_now,
    ) -> GameHost:
        """Create a game at the 1880 start. Nothing is rolled and nothing advances.

        Args:
            tables: those that `tables_dir` (a directory of replacements, or None) gave.
            powers: the seats.
            seed: of the dice; stored in the log, or for fair dice in a file beside it.
            options: by name; missing ones have their default.
            path: the log file; without it the game is in memory only.
            game_id: id of the game, a new one by default.
            undo: "free" lets a seat take back anything (solo and hot-seat games).
            dice: "fair" dice combine the seed, of which the log holds only a commitment, with a word of each seat.
            clock: returns the time for each line.

        Raises:
            Refusal: powers or options do not make a game.
            FileExistsError, FileLocked, OSError: the file cannot be made.
        """
        state = new_game(tables, powers, options or {})
        rules = PaxGame(tables)
        header = Header(
            program=f"paxtui {__version__}",
            game=game_id or secrets.token_hex(6),
            edition=state.options.edition,
            options=options_to_texts(state.options),
            seats={seat: list(powers_of(tables, state, seat)) for seat in state.players},
            seed="" if dice == "fair" else seed,
            commitment=commitment(seed) if dice == "fair" else "",
            tables=replaced_tables(tables_dir),
            start=rules.encode_state(state),
            undo=undo,
            created=clock(),
            rules=RULES_NUMBER,
            dice=dice,
        )
        if path is not None and dice == "fair":
            write_seed(path, seed)
        store = None if path is None else LogStore.create(path, header)
        data = encode_header(header)
        return cls(tables, Parsed(header, (), "", data, digest(data)), store, clock, seed)

    @classmethod
    def open(cls, path: Path, *, write: bool = True, clock: Clock = utc_now) -> GameHost:
        """Open the game of a log.

        Args:
            path: the log.
            write: continue in the file, which stays locked; otherwise continue in memory only.
            clock: returns the time for each line.

        Raises:
            FileNotFoundError, OSError, FileLocked, BrokenLog, TableError: the log cannot be used.
        """
        if not write:
            return cls._of(read_log(path), None, clock, path)
        store = LogStore.open(path)
        try:
            return cls._of(Parsed(store.header, store.lines, store.notice, store.log, store.tip), store, clock, path)
        except BaseException:
            store.close()
            raise

    @classmethod
    def _of(cls, parsed: Parsed, store: LogStore | None, clock: Clock, path: Path) -> GameHost:
        tables = load_tables_from_header({name: str(text) for name, text in parsed.header.tables.items()})
        table = cls(tables, parsed, store, clock, read_seed(path) if parsed.header.dice == "fair" else "")
        unknown = find_unknown_name(tables, table.state)
        if unknown:
            raise BrokenLog(table.version, f"the position after it cannot be played: {unknown}")
        return table

    # --- reading --------------------------------------------------------------------------------------------------

    @property
    def waiting(self) -> tuple[str, ...]:
        """Return the seats that must act."""
        return waiting_seats(self.tables, self.state)

    def pending(self, seat: str = ARBITER) -> list[Raw]:
        """Return the pending choices of a seat; all of them for the arbiter."""
        return pending_for_seat(self.state, seat)

    def legal(self, seat: str) -> Menu:
        """Return every legal action of a seat. Raises: Refusal `unknown_seat`."""
        return legal_actions(self.tables, self.state, seat)

    def forecast(self, seat: str, asked: OrderInput) -> WarForecast:
        """Return the effects of a declaration of War, or of the answer to a call, as far as the seat may know.

        Raises: Refusal `no_forecast` for other orders, or as the order.
        """
        order = self.read(asked)
        if not isinstance(order, actions.Action):
            raise Refusal("no_forecast", (), "Only what concerns a declaration of War can be foretold.")
        return forecast_war(self.tables, visible_state(self.tables, self.state, seat), seat, order)

    def verify(self) -> list[Difference]:
        """Return the differences that the verification of the log finds, in line order; empty for a sound log."""
        return differences(self.game)

    # --- acting ---------------------------------------------------------------------------------------------------

    def act(
        self, seat: str, asked: OrderInput, auto: bool = False, why: str = ""
    ) -> tuple[Line, tuple[events.Event, ...]]:
        """Carry out an act of a seat.

        Args:
            seat: the seat.
            asked: a text, a structured action, or an action; undo, redo and dispatches included.
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
        if isinstance(order, Dispatch):
            return self.dispatch(seat, order.to, order.text, order.opens), ()
        line = self.game.act(seat, order, self._now(), self._reason_for_log(seat, why) if why else None)
        events = self.visible_events(seat, line.n)
        self._letters.open_due(self.state, self._now())
        if auto and seat != ARBITER:
            events += self.advance(seat)
        return line, events

    def _reason_for_log(self, seat: str, why: str) -> Callable[[Sequence[events.Event]], ActionReason]:
        """Return the reason for the log, sealed if the seat knows or does something secret."""
        hidden = visible_state(self.tables, self.state, seat) != visible_state(self.tables, self.state, SPECTATOR)
        return lambda events: ActionReason(clean_text(why), hidden or any(event.only for event in events))

    def play(self, seat: str, asked: OrderInput) -> tuple[events.Event, ...]:
        """Carry out an act and the automatic Phases after it; return all events. Raises: as `act`."""
        return self.act(seat, asked, auto=True)[1]

    def advance(self, seat: str = ARBITER) -> tuple[events.Event, ...]:
        """Play the automatic Phases until a seat must act; do nothing if one must, or if the game is over.

        Returns: the events, as `seat` may know them.
        """
        if self.state.result is not None or self.waiting:
            return ()
        line = self.game.act(ARBITER, actions.Advance(), self._now())
        self._letters.open_due(self.state, self._now())
        return self.visible_events(seat, line.n)

    def read(self, asked: OrderInput) -> Order:
        """Parse an order. Raises: Refusal for an invalid one."""
        if isinstance(asked, str):
            return parse_order(self.tables, asked, self.state)
        if isinstance(asked, actions.Action | Undo | Redo | Dispatch):
            return asked
        kind = asked.get("type")
        if kind == "undo":
            to = asked.get("to")
            if to is not None and (not isinstance(to, int) or isinstance(to, bool)):
                raise Refusal("bad_action", (), "An undo goes to the number of a line.")
            return Undo(to)
        if kind == "dispatch":
            return decode_dispatch(self.tables, dict(asked))
        return Redo() if kind == "redo" else decode_action(self.tables, dict(asked))

    def undo(self, seat: str, to: int | None = None) -> Line:
        """Undo, or ask the others for consent (a line of kind `note`); the arbiter needs no consent.

        Args: the seat; the line whose position is restored, by the seat's own number.
        Raises: Refusal.
        """
        known = self.known(seat) if seat in self.state.players else None
        if to is not None and known is not None:
            to = self.log_line(seat, to)
        line = self.game.undo(seat, to, force=seat == ARBITER, time=self._now(), known=known)
        with suppress(OSError):  # the undo is done anyway; `verify` counts the dice itself
            self.game.note_passed_dice(self._now())
        return line

    def redo(self, seat: str) -> Line:
        """Redo the last undo. Raises: Refusal."""
        return self.game.redo(seat, self._now())

    def dispatch(self, seat: str, to: Sequence[str], text: str, opens: int = 0) -> Line:
        """Send a dispatch to the seats of some Powers, or to all; an undo does not remove it.

        Args:
            seat: the sender; the arbiter may send too.
            to: Powers; none for a proclamation.
            text: at most `paxtui.games.pax.actions.dispatches.MAX_DISPATCH_LENGTH` characters; control characters are
            dropped.
            opens: Game Turn until which it is sealed, 0 for an open one.

        Raises:
            Refusal: nothing was sent.
            OSError: the file could not be written; nothing was sent.
        """
        said = dispatches.make_dispatch_note(self.tables, self.state, seat, Dispatch(tuple(to), text, opens))
        return self.game.note(seat, said, self._now())

    def seat(self, sitters: Mapping[str, SeatOccupant]) -> Line:
        """Assign occupants to seats; seats that are not named keep theirs.

        Returns: the line of the assignment; a second one may follow for abandoned seats.

        Raises:
            Refusal: `unknown_seat`, `bad_sitter`; nothing has changed.
            OSError: the file could not be written; nothing has changed.
        """
        line = self.game.note(ARBITER, seating.make_seating_note(self.state.players, sitters), self._now())
        self.keep_abandoned()
        return line

    def keep_abandoned(self) -> None:
        """Update the abandoned seats in the position from the occupants: an undo may have reverted them.

        Rules: ORD-001, ORD-036
        """
        known = self.sitters()
        for lifted in (False, True):
            seats = tuple(
                seat
                for seat in self.state.players
                if seat in known and known[seat].is_abandoned != lifted and (seat in self.state.abandoned) == lifted
            )
            if seats and self.state.result is None:
                self.game.act(ARBITER, actions.Abandon(seats, lifted), self._now())

    def dice_note(self, note: DiceNote, seat: str = ARBITER) -> Line:
        """Add a note about fair dice, of the arbiter or of a seat. Raises: Refusal, OSError."""
        return self.game.dice_note(seat, note, self._now())

    def announce(self, note: ClockNote) -> Line:
        """Add a note of the arbiter about time: clock, pause, timeout. Raises: Refusal, OSError."""
        said = clock.make_clock_note(self.state.players, self._rules.phases, note, clock.clock_state(self.game.lines))
        return self.game.note(ARBITER, said, self._now())

    def reveal_seed(self) -> Line:
        """Publish the seed of a finished game. Raises: Refusal, OSError."""
        return self.game.reveal_seed(self._now())

    def log_bot_fallback(self, seat: str, bot: str, why: str) -> Line:
        """Log that the caretaker acts for a bot, and why. Raises: OSError."""
        return self.game.note(ARBITER, seating.make_fallback_note(self.state.players, seat, bot, why), self._now())

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

    def __enter__(self) -> GameHost:
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
        lines = self._table.known(self.seat).lines
        return b"".join(encode_line(replace(lines[n - 2], prev=self._tip(n - 1))) for n in range(number + 1, last + 1))

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
        """Process the lines added to the game's log."""
        for line in self._table.known(self.seat).lines[self._count :]:
            data = encode_line(replace(line, prev=self._tip(self._count + 1)))
            self._tips += bytes.fromhex(digest(data))
            self._count += 1
