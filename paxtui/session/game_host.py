"""The authority over one running game: its seats act through it, and only what a seat may see leaves it.

A table holds a game and, where it has a file, the store that keeps every line before it counts. Everything that
can go wrong with an act is a `Refusal`, and then nothing has changed.

A running game as its seats may see it: whatever leaves the authority for a player goes through here.

Sealed letters: their text goes out as a line of its own when their Game Turn has come.

The log of one seat, as it may leave the authority: a whole log by itself, with its own numbers and its own chain.

It begins with the position at the start as the seat may know it. Whoever folds it has at each line what the seat may
know then; so it is all that a player needs, to look at a game and to take it home.

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
from paxtui.engine.dice import commitment
from paxtui.engine.fair_dice import DiceNote
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
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.upcast import Raw
from paxtui.engine.verify import Difference
from paxtui.games.pax.actions import actions, clock, dispatches, seats
from paxtui.games.pax.actions.clock import ClockNote
from paxtui.games.pax.actions.dispatches import Dispatch, Letter
from paxtui.games.pax.actions.notation import Redo, Undo, parse_order
from paxtui.games.pax.actions.seats import PERSON, SeatOccupant, seat_occupants
from paxtui.games.pax.actions.structured import decode_action, decode_dispatch
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.game import RULES_NUMBER, PaxRules
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.menus.menu import Menu
from paxtui.games.pax.position.reader import find_unknown_name
from paxtui.games.pax.position.setup import new_game
from paxtui.games.pax.position.view import check_seat, pending_for_seat, view_for_seat
from paxtui.games.pax.preview.dry_run import WarForecast, forecast_war
from paxtui.games.pax.sequence import waiting_seats
from paxtui.games.pax.state.model import State, options_to_texts
from paxtui.games.pax.text.free_text import clean_text
from paxtui.games.pax.visibility import private_seats, visible_event, visible_raw, visible_state
from paxtui.session.storage.files import read_seed, write_seed
from paxtui.session.storage.log_store import LogStore, read_log, save_log
from paxtui.session.tables.loader import load_tables_from_header, replaced_tables
from paxtui.session.verification import differences, latest_time


class SeatViews:
    """The reading half of a table. Numbers of lines are the seat's own; the arbiter's are those of the log.

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
        """The position now, with everything in it."""
        return self.game.state

    @property
    def version(self) -> int:
        """Number of the last line of the log."""
        return self.game.version

    def known(self, seat: str) -> Projection:
        """The log as a seat has it, with the seat's own numbers. Raises: Refusal `unknown_seat`."""
        known = self._known.get(seat)
        if known is None:
            check_seat(self.state, seat)
            known = self._known[seat] = Projection(seat, visible_raw)
        if known.followed < self.version:
            for line in self.game.lines_after(known.followed):
                known.follow(line)
        return known

    def occupant(self, seat: str) -> SeatOccupant:
        """Who sits at a seat."""
        return self.sitters().get(seat, PERSON)

    def sitters(self) -> Mapping[str, SeatOccupant]:
        """Who sits at the seats that any line says something about."""
        if self._seated_until < self.version:
            self._sitters = seat_occupants(self.game.lines_after(self._seated_until), self._sitters)
            self._seated_until = self.version
        return self._sitters

    def version_for(self, seat: str) -> int:
        """Number of the last line that a seat has; the arbiter has all. Raises: Refusal `unknown_seat`."""
        return self.known(seat).version

    def log_line(self, seat: str, number: int) -> int:
        """The log's number of a seat's line, or of the last one after it that the seat does not have.

        Raises: Refusal `unknown_seat`, `no_such_line`.
        """
        known = self.known(seat)
        if not 1 <= number <= known.version:
            message = f"The log has lines 1 to {known.version}, and no line {number}."
            raise Refusal("no_such_line", (), message, line=number)
        return known.log_line(number)

    # --- positions ------------------------------------------------------------------------------------------------

    def view(self, seat: str, at: int | None = None) -> Raw:
        """The game as a seat sees it, now or after a line.

        Raises: Refusal `unknown_seat`, `no_such_line`.
        """
        version = self.version_for(seat) if at is None else at
        return view_for_seat(self.tables, self._position(seat, at), seat, version)

    def state_for(self, seat: str, at: int | None = None) -> State:
        """The position as a seat may know it, now or after a line: nothing else is in it.

        Raises: Refusal `unknown_seat`, `no_such_line`.
        """
        check_seat(self.state, seat)
        return visible_state(self.tables, self._position(seat, at), seat)

    def pending_known(self, seat: str) -> list[Raw]:
        """All choices that wait for anybody, as far as a seat knows of them; of a private offer both sides do."""
        return pending_for_seat(visible_state(self.tables, self.state, seat), ARBITER)

    def _position(self, seat: str, at: int | None) -> State:
        return self.state if at is None else self.game.seek(self.log_line(seat, at))

    # --- lines ----------------------------------------------------------------------------------------------------

    def header_for(self, seat: str) -> Header:
        """The header as a seat may have it."""
        return redact_header(self.game.header, seat)

    def lines_for(self, seat: str) -> tuple[Line, ...]:
        """The lines of the log as a seat may have them. Raises: Refusal `unknown_seat`."""
        return tuple(self.known(seat).lines)

    def visible_events(self, seat: str, n: int) -> tuple[events.Event, ...]:
        """The events of line `n` of the log (its own number) as a seat may know them.

        Raises: Refusal `no_such_line`.
        """
        seen = (visible_event(event, seat) for event in self.game.events(n))
        return tuple(event for event in seen if event is not None)

    def is_private(self, n: int) -> bool:
        """Whether line `n` of the log, from 2 on, is between some seats only: an act, or a dispatch."""
        line = self.game.line(n)
        return dispatches.is_private_note(line.action) if line.kind == "note" else bool(private_seats(line.events))

    def reason(self, seat: str, n: int) -> str:
        """Why line `n` of the log was done, as far as a seat may know: "" where nothing is said, or all is not over.

        Why a draft is turned down is said to all its parties.
        """
        line = self.game.line(n)
        if line.why is None:
            return ""
        open_ = not line.why.sealed or seat in (ARBITER, line.seat) or self.state.result is not None
        return line.why.text if open_ or self._sees_rejection(seat, line) else ""

    def objection(self, seat: str, id_: str) -> str:
        """Why a draft was turned down, in the words of who did it; "" where that is not said, or not to this seat."""
        lines = reversed(self.game.effective_lines())
        n = next((line.n for line in lines if id_ in self._rejected_draft(line)), 0)
        return self.reason(seat, n) if n else ""

    def _rejected_draft(self, line: Line) -> tuple[str, ...]:
        """The draft that a line turns down, none for any other line."""
        said_no = (
            e for e in self.game.events(line.n) if isinstance(e, events.TreatyRejected) and e.reason == "rejected"
        )
        return tuple(e.id for e in said_no)

    def _sees_rejection(self, seat: str, line: Line) -> bool:
        """Whether a line turns down a draft to which a seat is a party."""
        ids = self._rejected_draft(line)
        parties = {power for treaty in self.state.treaties if treaty.id in ids for power in treaty.parties}
        return seat in self.state.players and not parties.isdisjoint(powers_of(self.tables, self.state, seat))

    def dispatches(self, seat: str) -> tuple[Letter, ...]:
        """The dispatches that a seat has sent or been sent, in order. Raises: Refusal `unknown_seat`."""
        return dispatches.list_letters(self.known(seat).lines, seat)

    def undo_requests(self, seat: str) -> dict[int, tuple[str, ...]]:
        """Open requests for an undo: the position asked for, and who asks for it. Raises: Refusal `unknown_seat`."""
        known = self.known(seat)
        return {known.position(n): seats for n, seats in self.game.undo_requests().items()}


class SealedLetters:
    """The letters of one game that nobody has opened yet."""

    def __init__(self, game: GameLog[State]) -> None:
        self._game = game
        self._shut: dict[int, Line] = {}
        self._searched = 1

    def open_due(self, state: State, time: str) -> None:
        """Open every letter that is due at a position; an opened one stays so, whatever is taken back.

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
                # What cannot be written now is written after the next act.
                with suppress(OSError):
                    self._game.note(line.seat, dispatches.make_opening_note(n, line.seat, line.action), time)


class PendingReplies(NamedTuple):
    """Whose word is waited for.

    Attributes:
        pairs: whose, and who waits.
        searched: the last line of the log that was looked at.
    """

    pairs: dict[tuple[str, str], None]
    searched: int


class UnansweredDispatches:
    """The dispatches of one game that wait for a word of those they were sent to. Public ones wait for nobody."""

    def __init__(self, game: GameLog[State], before: PendingReplies | None = None) -> None:
        self._game = game
        self._waiting, self._searched = before or PendingReplies({}, 1)

    @property
    def now(self) -> PendingReplies:
        """What has been found out, for when the same game is opened again."""
        return PendingReplies(self._waiting, self._searched)

    def writers(self, seat: str) -> tuple[str, ...]:
        """The seats that have written to a seat since it last wrote to them; what is sealed waits for no word."""
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
        """A seat has been asked for its word, and has none to say."""
        self._waiting.pop((seat, writer), None)


Clock = Callable[[], str]
Order = actions.Action | Undo | Redo | Dispatch
DiceKind = Literal["plain", "fair"]
"""Where the dice of a game come from: a seed in its log, or a promised one and a word of each seat."""
OrderInput = str | Mapping[str, Any] | Order
"""What a seat hands in: a text of the notation, a structured action as builtins, or an action."""


def utc_now() -> str:
    """The time for the log, ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def empty_clock() -> str:
    """For logs that are to be the same whenever they are made."""
    return ""


class GameHost(SeatViews):
    """One running game. Made by `Table.new` or `Table.open`; a context manager.

    Attributes:
        tables: the tables of the game.
        game: the kernel's game, for reading.
        store: the file it is kept in, or None.
        notice: what a player should know about the file as it was opened, in words; mostly empty.
        moves_rivals: whether the seats that play themselves are moved here.
    """

    moves_rivals = True

    def __init__(self, tables: Tables, parsed: Parsed, store: LogStore | None, clock: Clock, seed: str = "") -> None:
        rules = PaxRules(tables)
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
        """A new game at the 1880 start. Nothing is rolled and nothing advances.

        Args:
            tables: those that `tables_dir` (a directory of replacements, or None) gave.
            powers: the seats.
            seed: of the dice; it stands in the log, but for fair dice: then in a file beside it.
            options: by name; what is left out has its default.
            path: where the log goes, line by line; without it the game is in memory only.
            game_id: id of the game, a fresh one by default.
            undo: "free" lets a seat take back anything (solo and hot-seat games that want it).
            dice: "fair" ones are made of the seed, which the log promises only, and a word of each seat.
            clock: gives the time for each line.

        Raises:
            Refusal: powers or options do not make a game.
            FileExistsError, Locked, OSError: the file cannot be made.
        """
        state = new_game(tables, powers, options or {})
        rules = PaxRules(tables)
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
        """The game of a log.

        Args:
            path: the log.
            write: go on with the file, which is locked meanwhile; without it the game goes on in memory only.
            clock: gives the time for each line.

        Raises:
            FileNotFoundError, OSError, Locked, BrokenLog, TableError: the log cannot be used.
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
        """Seats the game waits for."""
        return waiting_seats(self.tables, self.state)

    def pending(self, seat: str = ARBITER) -> list[Raw]:
        """The choices that wait for a seat; all of them for the arbiter."""
        return pending_for_seat(self.state, seat)

    def legal(self, seat: str) -> Menu:
        """Every action open to a seat now. Raises: Refusal `unknown_seat`."""
        return legal_actions(self.tables, self.state, seat)

    def forecast(self, seat: str, asked: OrderInput) -> WarForecast:
        """What a declaration of War, or the answer to a call, would bring about, as far as the seat may know.

        Raises: Refusal `no_forecast` for other orders, or as the order.
        """
        order = self.read(asked)
        if not isinstance(order, actions.Action):
            raise Refusal("no_forecast", (), "Only what concerns a declaration of War can be foretold.")
        return forecast_war(self.tables, visible_state(self.tables, self.state, seat), seat, order)

    def verify(self) -> list[Difference]:
        """What of the log is not accounted for today, the first line first; empty where everything is."""
        return differences(self.game)

    # --- acting ---------------------------------------------------------------------------------------------------

    def act(
        self, seat: str, asked: OrderInput, auto: bool = False, why: str = ""
    ) -> tuple[Line, tuple[events.Event, ...]]:
        """Let a seat act.

        Args:
            seat: who.
            asked: a text, a structured action, or an action; undo, redo and dispatches among them.
            auto: play on what is automatic, in a line of the arbiter's, when nobody is waited for any more.
            why: the reason that the log keeps beside the act, "" for none.

        Returns:
            The line that the act made and all events that followed, those of the automatic part included, as the
            seat may know them.

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
        """The reason for an act as the log keeps it: sealed where the seat knows, or does, what not all may know."""
        hidden = visible_state(self.tables, self.state, seat) != visible_state(self.tables, self.state, SPECTATOR)
        return lambda events: ActionReason(clean_text(why), hidden or any(event.only for event in events))

    def play(self, seat: str, asked: OrderInput) -> tuple[events.Event, ...]:
        """Let a seat act and play on what is automatic; all events. Raises: as `act`."""
        return self.act(seat, asked, auto=True)[1]

    def advance(self, seat: str = ARBITER) -> tuple[events.Event, ...]:
        """Play what is automatic until a seat is waited for; nothing where one is, or where the game is over.

        Returns: what happened, as `seat` may know it.
        """
        if self.state.result is not None or self.waiting:
            return ()
        line = self.game.act(ARBITER, actions.Advance(), self._now())
        self._letters.open_due(self.state, self._now())
        return self.visible_events(seat, line.n)

    def read(self, asked: OrderInput) -> Order:
        """The action that is asked for. Raises: Refusal for words that make none."""
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
        """Take back, or ask the others to agree (a line of kind `note`); the arbiter needs nobody's consent.

        Args: the seat; the line whose position is to hold again, by the seat's own number.
        Raises: Refusal.
        """
        known = self.known(seat) if seat in self.state.players else None
        if to is not None and known is not None:
            to = self.log_line(seat, to)
        line = self.game.undo(seat, to, force=seat == ARBITER, time=self._now(), known=known)
        with suppress(OSError):  # it is done all the same; `verify` counts the dice itself
            self.game.note_passed_dice(self._now())
        return line

    def redo(self, seat: str) -> Line:
        """Bring back what the last undo took back. Raises: Refusal."""
        return self.game.redo(seat, self._now())

    def dispatch(self, seat: str, to: Sequence[str], text: str, opens: int = 0) -> Line:
        """Send a note to the seats of some Powers, or to everybody; no undo takes it back.

        Args:
            seat: who writes; the arbiter may too.
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
        """Say who sits where from now on; the seats that are not named keep whom they have.

        Returns: the line that says so; another may follow, by which seats are abandoned or have players again.

        Raises:
            Refusal: `unknown_seat`, `bad_sitter`; nothing has changed.
            OSError: the file could not be written; nothing has changed.
        """
        line = self.game.note(ARBITER, seats.make_seating_note(self.state, sitters), self._now())
        self.keep_abandoned()
        return line

    def keep_abandoned(self) -> None:
        """Have the position say which seats are abandoned, as they are sat at: an undo may have taken that back.

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
        """Say something about fair dice: their arbiter, or a seat its word. Raises: Refusal, OSError."""
        return self.game.dice_note(seat, note, self._now())

    def announce(self, note: ClockNote) -> Line:
        """Say something about time, as the arbiter: clock, pause, time that is over. Raises: Refusal, OSError."""
        said = clock.make_clock_note(self.state, note, clock.clock_state(self.game.lines))
        return self.game.note(ARBITER, said, self._now())

    def reveal_seed(self) -> Line:
        """Tell the seed of a game that is over. Raises: Refusal, OSError."""
        return self.game.reveal_seed(self._now())

    def log_bot_fallback(self, seat: str, bot: str, why: str) -> Line:
        """Say that the caretaker acts for a bot, and why. Raises: OSError, when the file could not be written."""
        return self.game.note(ARBITER, seats.make_fallback_note(self.state, seat, bot, why), self._now())

    # --- keeping --------------------------------------------------------------------------------------------------

    @property
    def trouble(self) -> str:
        """Why the game cannot go on in its file, in words; empty as long as all of it is there. Looks at the disk."""
        return "" if self.store is None else self.store.trouble

    def log(self) -> bytes:
        """The whole log as it stands in a file."""
        return bytes(self._memory) if self.store is None else self.store.log

    def save_as(self, path: Path) -> None:
        """Write the log to another file, whole or not at all. A file of the same game is replaced.

        Raises:
            Refusal: `exists`, when the file is there and is no log of this game.
            StoreError: the name leads to something that may not be replaced, or another program has it open.
            OSError: it cannot be written.
        """
        save_log(path, self.log(), self.game.header.game)

    def _now(self) -> str:
        """The time for the next line, never earlier than that of the last one."""
        time = self._clock()
        if not time:
            return time
        timed = (self.game.line(n).time for n in range(self.version, 1, -1))
        return latest_time(time, next(filter(None, timed), self.game.header.created))

    def close(self) -> None:
        """Let go of the file. Closing twice does nothing."""
        if self.store is not None:
            self.store.close()

    def __enter__(self) -> GameHost:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


TIP = 16
"""Bytes of a hash."""


class SeatLog:
    """The log of a seat; it grows with that of the table.

    Args:
        table: the game.
        seat: a player's, or the spectators'.

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
        """The lines after line `number`, and up to line `until` where that is said, as bytes of a log."""
        self._grow()
        last = self._count + 1 if until is None else min(until, self._count + 1)
        lines = self._table.known(self.seat).lines
        return b"".join(encode_line(replace(lines[n - 2], prev=self._tip(n - 1))) for n in range(number + 1, last + 1))

    def at(self, time: str) -> int:
        """The last line that was written at a time or before it. Args: the time, ISO 8601 in UTC."""
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
        """Whether somebody who has all lines up to line `number`, the last one with this hash, can go on from there."""
        self._grow()
        return 1 <= number <= self._count + 1 and self._tip(number) == tip

    def whole(self) -> bytes:
        """The header and all lines."""
        return self.header + self.after(1)

    def _tip(self, number: int) -> str:
        """The hash of a line. Only hashes are kept here: the lines are those of the projection."""
        return self._tips[(number - 1) * TIP : number * TIP].hex()

    def _grow(self) -> None:
        """Take account of what has been added to the table's log."""
        for line in self._table.known(self.seat).lines[self._count :]:
            data = encode_line(replace(line, prev=self._tip(self._count + 1)))
            self._tips += bytes.fromhex(digest(data))
            self._count += 1
