"""The authority over one running game: its seats act through it, and only what a seat may see leaves it.

A table holds a game and, where it has a file, the store that keeps every line before it counts. Everything that
can go wrong with an act is a `Refusal`, and then nothing has changed.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from paxtui import __version__
from paxtui.engine.dice import commitment
from paxtui.engine.fair_dice import DiceNote
from paxtui.engine.game import Game
from paxtui.engine.log import BrokenLog, Header, Line, Parsed, Why, digest, encode_header
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.upcast import Raw
from paxtui.engine.verify import Difference
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.legal import legal
from paxtui.pax.menus.forecast import Forecast, forecast
from paxtui.pax.menus.menu import Menu
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders import clock_notes, dispatches, seating, stand_in
from paxtui.pax.orders.clock_notes import ClockNote
from paxtui.pax.orders.dispatches import Dispatch
from paxtui.pax.orders.notation import Redo, Undo, parse
from paxtui.pax.orders.seating import Sitter
from paxtui.pax.orders.structured import decode, decode_dispatch
from paxtui.pax.play.secrecy import state_seen
from paxtui.pax.position.known_names import unknown_name
from paxtui.pax.position.setup import new_game
from paxtui.pax.position.view import pending
from paxtui.pax.rules_of_play import RULES_NUMBER, PaxRules
from paxtui.pax.sequence import waiting
from paxtui.pax.state.options import in_texts
from paxtui.pax.words.free_text import clean
from paxtui.table.disk.seeds import keep_seed, kept_seed
from paxtui.table.disk.store import Store, read, save
from paxtui.table.letters import SealedLetters
from paxtui.table.seats_eyes import SeatsEyes
from paxtui.table.tables import load_tables_from_header, replaced_tables
from paxtui.table.verification import differences, not_before

Clock = Callable[[], str]
Order = ac.Action | Undo | Redo | Dispatch
Dice = Literal["plain", "fair"]
"""Where the dice of a game come from: a seed in its log, or a promised one and a word of each seat."""
Asked = str | Mapping[str, Any] | Order
"""What a seat hands in: a text of the notation, a structured action as builtins, or an action."""


def utc_now() -> str:
    """The time for the log, ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def no_clock() -> str:
    """For logs that are to be the same whenever they are made."""
    return ""


class Table(SeatsEyes):
    """One running game. Made by `Table.new` or `Table.open`; a context manager.

    Attributes:
        tables: the tables of the game.
        game: the kernel's game, for reading.
        store: the file it is kept in, or None.
        notice: what a player should know about the file as it was opened, in words; mostly empty.
        moves_rivals: whether the seats that play themselves are moved here.
    """

    moves_rivals = True

    def __init__(self, tables: Tables, parsed: Parsed, store: Store | None, clock: Clock, seed: str = "") -> None:
        rules = PaxRules(tables)
        self._memory = bytearray(b"" if store else parsed.raw)
        sink = store.append if store else self._memory.extend
        super().__init__(tables, Game.load(rules, parsed.header, parsed.lines, sink=sink, seed=seed, tip=parsed.tip))
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
        dice: Dice = "plain",
        clock: Clock = utc_now,
    ) -> Table:
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
            options=in_texts(state.options),
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
            keep_seed(path, seed)
        store = None if path is None else Store.create(path, header)
        data = encode_header(header)
        return cls(tables, Parsed(header, (), "", data, digest(data)), store, clock, seed)

    @classmethod
    def open(cls, path: Path, *, write: bool = True, clock: Clock = utc_now) -> Table:
        """The game of a log.

        Args:
            path: the log.
            write: go on with the file, which is locked meanwhile; without it the game goes on in memory only.
            clock: gives the time for each line.

        Raises:
            FileNotFoundError, OSError, Locked, BrokenLog, TableError: the log cannot be used.
        """
        if not write:
            return cls._of(read(path), None, clock, path)
        store = Store.open(path)
        try:
            return cls._of(Parsed(store.header, store.lines, store.notice, store.log, store.tip), store, clock, path)
        except BaseException:
            store.close()
            raise

    @classmethod
    def _of(cls, parsed: Parsed, store: Store | None, clock: Clock, path: Path) -> Table:
        tables = load_tables_from_header({name: str(text) for name, text in parsed.header.tables.items()})
        table = cls(tables, parsed, store, clock, kept_seed(path) if parsed.header.dice == "fair" else "")
        unknown = unknown_name(tables, table.state)
        if unknown:
            raise BrokenLog(table.version, f"the position after it cannot be played: {unknown}")
        return table

    # --- reading --------------------------------------------------------------------------------------------------

    @property
    def waiting(self) -> tuple[str, ...]:
        """Seats the game waits for."""
        return waiting(self.tables, self.state)

    def pending(self, seat: str = ARBITER) -> list[Raw]:
        """The choices that wait for a seat; all of them for the arbiter."""
        return pending(self.state, seat)

    def legal(self, seat: str) -> Menu:
        """Every action open to a seat now. Raises: Refusal `unknown_seat`."""
        return legal(self.tables, self.state, seat)

    def forecast(self, seat: str, asked: Asked) -> Forecast:
        """What a declaration of War, or the answer to a call, would bring about, as far as the seat may know.

        Raises: Refusal `no_forecast` for other orders, or as the order.
        """
        order = self.read(asked)
        if not isinstance(order, ac.Action):
            raise Refusal("no_forecast", (), "Only what concerns a declaration of War can be foretold.")
        return forecast(self.tables, state_seen(self.tables, self.state, seat), seat, order)

    def verify(self) -> list[Difference]:
        """What of the log is not accounted for today, the first line first; empty where everything is."""
        return differences(self.game)

    # --- acting ---------------------------------------------------------------------------------------------------

    def act(self, seat: str, asked: Asked, auto: bool = False, why: str = "") -> tuple[Line, tuple[ev.Event, ...]]:
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
        line = self.game.act(seat, order, self._now(), self._reasoned(seat, why) if why else None)
        events = self.events_seen(seat, line.n)
        self._letters.open_due(self.state, self._now())
        if auto and seat != ARBITER:
            events += self.advance(seat)
        return line, events

    def _reasoned(self, seat: str, why: str) -> Callable[[Sequence[ev.Event]], Why]:
        """The reason for an act as the log keeps it: sealed where the seat knows, or does, what not all may know."""
        hidden = state_seen(self.tables, self.state, seat) != state_seen(self.tables, self.state, SPECTATOR)
        return lambda events: Why(clean(why), hidden or any(event.only for event in events))

    def play(self, seat: str, asked: Asked) -> tuple[ev.Event, ...]:
        """Let a seat act and play on what is automatic; all events. Raises: as `act`."""
        return self.act(seat, asked, auto=True)[1]

    def advance(self, seat: str = ARBITER) -> tuple[ev.Event, ...]:
        """Play what is automatic until a seat is waited for; nothing where one is, or where the game is over.

        Returns: what happened, as `seat` may know it.
        """
        if self.state.result is not None or self.waiting:
            return ()
        line = self.game.act(ARBITER, ac.Advance(), self._now())
        self._letters.open_due(self.state, self._now())
        return self.events_seen(seat, line.n)

    def read(self, asked: Asked) -> Order:
        """The action that is asked for. Raises: Refusal for words that make none."""
        if isinstance(asked, str):
            return parse(self.tables, asked, self.state)
        if isinstance(asked, ac.Action | Undo | Redo | Dispatch):
            return asked
        kind = asked.get("type")
        if kind == "undo":
            to = asked.get("to")
            if to is not None and (not isinstance(to, int) or isinstance(to, bool)):
                raise Refusal("bad_action", (), "An undo goes to the number of a line.")
            return Undo(to)
        if kind == "dispatch":
            return decode_dispatch(self.tables, dict(asked))
        return Redo() if kind == "redo" else decode(self.tables, dict(asked))

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
            self.game.tell_passed(self._now())
        return line

    def redo(self, seat: str) -> Line:
        """Bring back what the last undo took back. Raises: Refusal."""
        return self.game.redo(seat, self._now())

    def dispatch(self, seat: str, to: Sequence[str], text: str, opens: int = 0) -> Line:
        """Send a note to the seats of some Powers, or to everybody; no undo takes it back.

        Args:
            seat: who writes; the arbiter may too.
            to: Powers; none for a proclamation.
            text: at most `paxtui.pax.orders.dispatches.LONGEST` characters; control characters are dropped.
            opens: Game Turn until which it is sealed, 0 for an open one.

        Raises:
            Refusal: nothing was sent.
            OSError: the file could not be written; nothing was sent.
        """
        said = dispatches.content(self.tables, self.state, seat, Dispatch(tuple(to), text, opens))
        return self.game.note(seat, said, self._now())

    def seat(self, sitters: Mapping[str, Sitter]) -> Line:
        """Say who sits where from now on; the seats that are not named keep whom they have.

        Returns: the line that says so; another may follow, by which seats are abandoned or have players again.

        Raises:
            Refusal: `unknown_seat`, `bad_sitter`; nothing has changed.
            OSError: the file could not be written; nothing has changed.
        """
        line = self.game.note(ARBITER, seating.content(self.state, sitters), self._now())
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
                if seat in known and known[seat].leaves_it != lifted and (seat in self.state.abandoned) == lifted
            )
            if seats and self.state.result is None:
                self.game.act(ARBITER, ac.Abandon(seats, lifted), self._now())

    def dice_note(self, note: DiceNote, seat: str = ARBITER) -> Line:
        """Say something about fair dice: their arbiter, or a seat its word. Raises: Refusal, OSError."""
        return self.game.dice_note(seat, note, self._now())

    def announce(self, note: ClockNote) -> Line:
        """Say something about time, as the arbiter: clock, pause, time that is over. Raises: Refusal, OSError."""
        said = clock_notes.content(self.state, note, clock_notes.timing(self.game.lines))
        return self.game.note(ARBITER, said, self._now())

    def tell_seed(self) -> Line:
        """Tell the seed of a game that is over. Raises: Refusal, OSError."""
        return self.game.tell_seed(self._now())

    def stand_in(self, seat: str, bot: str, why: str) -> Line:
        """Say that the caretaker acts for a bot, and why. Raises: OSError, when the file could not be written."""
        return self.game.note(ARBITER, stand_in.content(self.state, seat, bot, why), self._now())

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
        save(path, self.log(), self.game.header.game)

    def _now(self) -> str:
        """The time for the next line, never earlier than that of the last one."""
        time = self._clock()
        if not time:
            return time
        timed = (self.game.line(n).time for n in range(self.version, 1, -1))
        return not_before(time, next(filter(None, timed), self.game.header.created))

    def close(self) -> None:
        """Let go of the file. Closing twice does nothing."""
        if self.store is not None:
            self.store.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

