"""One running exercise: its seats act through it, and only what a seat may see leaves it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from paxtui import __version__
from paxtui.bots.exercises import choose
from paxtui.empires.history.event import Event
from paxtui.empires.legal import legal, menu
from paxtui.empires.orders.action import Action
from paxtui.empires.orders.notation import parse
from paxtui.empires.play.play import Play
from paxtui.empires.position.start import start
from paxtui.empires.position.view import seen, visible
from paxtui.empires.rules_of_play import EDITION, RULEBOOK, RULES_NUMBER, EmpiresRules
from paxtui.empires.sequence import go_on, waiting
from paxtui.empires.state.model import State
from paxtui.engine.dice import Dice
from paxtui.engine.game import Game
from paxtui.engine.log import BrokenLog, Header, Line, Parsed, digest, encode_header
from paxtui.engine.projection import Projection
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.upcast import Raw
from paxtui.engine.verify import Difference
from paxtui.table.disk.store import Store, read, save
from paxtui.table.exercises.reader import load_exercise

Asked = str | Mapping[str, Any] | Action
"""What a seat hands in: a text of the notation, an action as builtins, or an action."""


class Desk:
    """A running exercise. Made by `Desk.new` or `Desk.open`; a context manager.

    Attributes:
        tables: the tables of the exercise.
        game: the kernel's game, for reading.
        store: the file it is kept in, or None.
        notice: what a player should know about the file as it was opened; mostly empty.
    """

    def __init__(self, parsed: Parsed, store: Store | None, clock: Callable[[], str]) -> None:
        if parsed.header.rulebook != RULEBOOK:
            raise BrokenLog(1, "it is no exercise of Empires in Arms")
        self.tables = load_exercise(str(parsed.header.options.get("exercise", "")))
        self._rules = EmpiresRules(self.tables)
        self._memory = bytearray(b"" if store else parsed.raw)
        sink = store.append if store else self._memory.extend
        self.game: Game[State] = Game.load(self._rules, parsed.header, parsed.lines, sink=sink, tip=parsed.tip)
        self.store = store
        self.notice = parsed.notice
        self._clock = clock
        self._known: dict[str, Projection] = {}

    @classmethod
    def new(
        cls,
        exercise: str,
        seed: str,
        *,
        path: Path | None = None,
        game_id: str = "",
        free_undo: bool = False,
        bots: tuple[str, ...] = (),
        clock: Callable[[], str] = str,
    ) -> Desk:
        """An exercise at its start.

        Args:
            exercise: its name.
            seed: of the dice.
            path: where the log goes; without it the game is in memory only.
            game_id: id of the game, a fresh one by default.
            free_undo: whether a seat may take back anything.
            bots: seats that play themselves.
            clock: gives the time for each line.

        Raises: TableError, FileExistsError, Locked, OSError.
        """
        tables = load_exercise(exercise)
        begun = Play(tables, start(tables), Dice(""))
        go_on(begun)
        header = Header(
            program=f"paxtui {__version__}",
            game=game_id or secrets.token_hex(6),
            edition=EDITION,
            options={"exercise": exercise, **({"bots": list(bots)} if bots else {})},
            seats={power: [power] for power in begun.state.powers},
            seed=seed,
            start=msgspec.to_builtins(begun.state),
            undo="free" if free_undo else "strict",
            created=clock(),
            rules=RULES_NUMBER,
            rulebook=RULEBOOK,
        )
        store = None if path is None else Store.create(path, header)
        data = encode_header(header)
        return cls(Parsed(header, (), "", data, digest(data)), store, clock)

    @classmethod
    def open(cls, path: Path, *, write: bool = True, clock: Callable[[], str] = str) -> Desk:
        """The exercise of a log; without `write` it goes on in memory only.

        Raises: FileNotFoundError, OSError, Locked, BrokenLog, TableError.
        """
        if not write:
            return cls(read(path), None, clock)
        store = Store.open(path)
        try:
            return cls(Parsed(store.header, store.lines, store.notice, store.log, store.tip), store, clock)
        except BaseException:
            store.close()
            raise

    # --- reading --------------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The position now, with everything in it."""
        return self.game.state

    @property
    def version(self) -> int:
        """Number of the last line of the log."""
        return self.game.version

    @property
    def waiting(self) -> tuple[str, ...]:
        """The Powers that play waits for."""
        return waiting(self.tables, self.state)

    @property
    def bots(self) -> tuple[str, ...]:
        """Seats that play themselves."""
        return tuple(self.game.header.options.get("bots", ()))

    def move_bots(self) -> None:
        """Let the seats that play themselves act, until a person is waited for. Raises: OSError."""
        while (seat := next((one for one in self.waiting if one in self.bots), None)) is not None:
            self.act(seat, choose(self.tables, seen(self.state, seat), seat))

    def check_seat(self, seat: str) -> None:
        """Raises: Refusal `unknown_seat`."""
        seats = (*self.state.powers, SPECTATOR, ARBITER)
        if seat not in seats:
            raise Refusal("unknown_seat", (), f"There is no seat '{seat}'; there are {', '.join(seats)}.")

    def known(self, seat: str) -> Projection:
        """The log as a seat has it. Raises: Refusal `unknown_seat`."""
        self.check_seat(seat)
        known = self._known.setdefault(seat, Projection(seat, visible))
        for line in self.game.lines_after(known.followed):
            known.follow(line)
        return known

    def state_for(self, seat: str, at: int | None = None) -> State:
        """The position as a seat may know it, now or after a line of its own. Raises: Refusal."""
        known = self.known(seat)
        if at is not None and not 1 <= at <= known.version:
            raise Refusal("no_such_line", (), f"The log has lines 1 to {known.version}, and no line {at}.", line=at)
        return seen(self.state if at is None else self.game.seek(known.log_line(at)), seat)

    def legal(self, seat: str) -> tuple[Action, ...]:
        """Every act that is offered to a seat now. Raises: Refusal `unknown_seat`."""
        self.check_seat(seat)
        return legal(self.tables, seen(self.state, seat), seat)

    def menu(self, seat: str) -> tuple[Action, ...]:
        """Return the acts that a menu shows to a seat. Raises: Refusal `unknown_seat`."""
        self.check_seat(seat)
        return menu(self.tables, seen(self.state, seat), seat)

    def verify(self) -> list[Difference]:
        """What of the log is not accounted for today; empty where everything is."""
        return self.game.verify()

    # --- acting ---------------------------------------------------------------------------------------------------

    def act(self, seat: str, asked: Asked) -> Line:
        """Let a seat act, `undo` and `redo` among its words. Raises: Refusal, OSError; then nothing has changed."""
        self.check_seat(seat)
        if asked in ("undo", {"type": "undo"}):
            return self.undo(seat)
        if asked in ("redo", {"type": "redo"}):
            return self.game.redo(seat, self._clock())
        return self.game.act(seat, self.read(asked), self._clock())

    def undo(self, seat: str, to: int | None = None) -> Line:
        """Take back, or ask the others to agree; to the position after a line of the seat's. Raises: Refusal."""
        known = self.known(seat)
        line = None if to is None else known.log_line(to)
        return self.game.undo(seat, line, force=seat == ARBITER, time=self._clock(), known=known)

    def read(self, asked: Asked) -> Action:
        """The action that is asked for. Raises: Refusal."""
        if isinstance(asked, str):
            return parse(asked)
        if isinstance(asked, Action):
            return asked
        try:
            return self._rules.decode_action(dict(asked))
        except msgspec.ValidationError as error:
            raise Refusal("bad_action", (), f"This is no action: {error}.") from None

    def event(self, raw: Raw) -> Event:
        """A raw event of a line, as a seat has it."""
        return self._rules.decode_event(raw)

    # --- keeping --------------------------------------------------------------------------------------------------

    def log(self) -> bytes:
        """The whole log as it stands in a file."""
        return bytes(self._memory) if self.store is None else self.store.log

    def save_as(self, path: Path) -> None:
        """Write the log to another file. Raises: Refusal, OSError."""
        save(path, self.log(), self.game.header.game)

    def close(self) -> None:
        """Let go of the file. Closing twice does nothing."""
        if self.store is not None:
            self.store.close()

    def __enter__(self) -> Desk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
