"""Exercises: `ExerciseHost` runs one, `ExerciseSession` is its session at a keyboard; menus grouped by piece."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from paxtui import __version__
from paxtui.bots.empires.player import choose_action
from paxtui.engine.dice import Dice
from paxtui.engine.game_log import GameLog
from paxtui.engine.log import BrokenLog, Header, Line, Parsed, digest, encode_header
from paxtui.engine.projection import Projection
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.upcast import Raw
from paxtui.engine.verify import Difference
from paxtui.games.empires.calendar import LAND, turn_of
from paxtui.games.empires.decider import legal_actions, menu_actions, run_sequence, waiting_powers
from paxtui.games.empires.events.base import Event, MonthBegan
from paxtui.games.empires.game import EDITION, RULEBOOK, RULES_NUMBER, EmpiresGame
from paxtui.games.empires.land.movement import cheapest_routes
from paxtui.games.empires.narration import describe_event
from paxtui.games.empires.naval.fleets import place_name, place_of_fleet, step_points
from paxtui.games.empires.naval.sailing import find_route
from paxtui.games.empires.orders import (
    ACTION_FORMS,
    Action,
    Declare,
    Done,
    ForceMarch,
    March,
    OfferPeace,
    PickChit,
    PlaceShips,
    Sail,
    Scuttle,
    Sue,
    TransferShips,
    action_text,
    parse_action,
)
from paxtui.games.empires.position import seat_view, starting_state, visible_event
from paxtui.games.empires.reports import battle_pages, movement_text
from paxtui.games.empires.state import State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction
from paxtui.session.storage.log_store import LogStore, read_log, save_log
from paxtui.session.tables.exercises import load_exercise

ExerciseOrderInput = str | Mapping[str, Any] | Action
"""An order: text in the notation, an action as builtins, or an action."""


class ExerciseHost:
    """A running exercise. Create it with `ExerciseHost.new` or `ExerciseHost.open`; a context manager.

    Attributes:
        tables: the tables of the exercise.
        game: the kernel's game, for reading.
        store: the log file, or None.
        notice: a message for the player about the file, usually empty.
    """

    def __init__(self, parsed: Parsed, store: LogStore | None, clock: Callable[[], str]) -> None:
        if parsed.header.rulebook != RULEBOOK:
            raise BrokenLog(1, "it is no exercise of Empires in Arms")
        self.tables = load_exercise(str(parsed.header.options.get("exercise", "")))
        self._rules = EmpiresGame(self.tables)
        self._memory = bytearray(b"" if store else parsed.raw)
        sink = store.append if store else self._memory.extend
        self.game: GameLog[State] = GameLog.load(self._rules, parsed.header, parsed.lines, sink=sink, tip=parsed.tip)
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
    ) -> ExerciseHost:
        """An exercise at its start.

        Args:
            exercise: its name.
            seed: of the dice.
            path: where the log goes; without it the game is in memory only.
            game_id: id of the game, a fresh one by default.
            free_undo: whether a seat may take back anything.
            bots: seats that play themselves.
            clock: gives the time for each line.

        Raises: TableError, FileExistsError, FileLocked, OSError.
        """
        tables = load_exercise(exercise)
        begun = Transaction(tables, starting_state(tables), Dice(""))
        run_sequence(begun)
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
        store = None if path is None else LogStore.create(path, header)
        data = encode_header(header)
        return cls(Parsed(header, (), "", data, digest(data)), store, clock)

    @classmethod
    def open(cls, path: Path, *, write: bool = True, clock: Callable[[], str] = str) -> ExerciseHost:
        """Open the exercise of a log; without `write` it continues in memory only.

        Raises: FileNotFoundError, OSError, FileLocked, BrokenLog, TableError.
        """
        if not write:
            return cls(read_log(path), None, clock)
        store = LogStore.open(path)
        try:
            return cls(Parsed(store.header, store.lines, store.notice, store.log, store.tip), store, clock)
        except BaseException:
            store.close()
            raise

    # --- reading --------------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The complete position, secrets included."""
        return self.game.state

    @property
    def version(self) -> int:
        """Number of the last line of the log."""
        return self.game.version

    @property
    def waiting(self) -> tuple[str, ...]:
        """The Powers that must act."""
        return waiting_powers(self.tables, self.state)

    @property
    def bots(self) -> tuple[str, ...]:
        """The seats of bots."""
        return tuple(self.game.header.options.get("bots", ()))

    def move_bots(self) -> None:
        """Run the bots until a person must act. Raises: OSError."""
        while (seat := next((one for one in self.waiting if one in self.bots), None)) is not None:
            self.act(seat, choose_action(self.tables, seat_view(self.state, seat), seat))

    def check_seat(self, seat: str) -> None:
        """Raise Refusal `unknown_seat` for an unknown seat."""
        seats = (*self.state.powers, SPECTATOR, ARBITER)
        if seat not in seats:
            raise Refusal("unknown_seat", (), f"There is no seat '{seat}'; there are {', '.join(seats)}.")

    def known(self, seat: str) -> Projection:
        """Return the log of a seat. Raises: Refusal `unknown_seat`."""
        self.check_seat(seat)
        known = self._known.setdefault(seat, Projection(seat, visible_event))
        for line in self.game.lines_after(known.followed):
            known.follow(line)
        return known

    def state_for(self, seat: str, at: int | None = None) -> State:
        """Return the position as a seat may know it, now or after one of its lines. Raises: Refusal."""
        known = self.known(seat)
        if at is not None and not 1 <= at <= known.version:
            raise Refusal("no_such_line", (), f"The log has lines 1 to {known.version}, and no line {at}.", line=at)
        return seat_view(self.state if at is None else self.game.seek(known.log_line(at)), seat)

    def legal(self, seat: str) -> tuple[Action, ...]:
        """Return every act offered to a seat now. Raises: Refusal `unknown_seat`."""
        self.check_seat(seat)
        return legal_actions(self.tables, seat_view(self.state, seat), seat)

    def menu(self, seat: str) -> tuple[Action, ...]:
        """Return the acts that a menu shows to a seat. Raises: Refusal `unknown_seat`."""
        self.check_seat(seat)
        return menu_actions(self.tables, seat_view(self.state, seat), seat)

    def verify(self) -> list[Difference]:
        """Return the differences that the verification of the log finds; empty for a sound log."""
        return self.game.verify()

    # --- acting ---------------------------------------------------------------------------------------------------

    def act(self, seat: str, asked: ExerciseOrderInput) -> Line:
        """Carry out an act, `undo` and `redo` included. Raises: Refusal, OSError; then nothing has changed."""
        self.check_seat(seat)
        if asked in ("undo", {"type": "undo"}):
            return self.undo(seat)
        if asked in ("redo", {"type": "redo"}):
            return self.game.redo(seat, self._clock())
        return self.game.act(seat, self.read(asked), self._clock())

    def undo(self, seat: str, to: int | None = None) -> Line:
        """Undo to the position after a line of the seat, or ask the others for consent. Raises: Refusal."""
        known = self.known(seat)
        line = None if to is None else known.log_line(to)
        return self.game.undo(seat, line, force=seat == ARBITER, time=self._clock(), known=known)

    def read(self, asked: ExerciseOrderInput) -> Action:
        """Parse an order. Raises: Refusal."""
        if isinstance(asked, str):
            return parse_action(asked)
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
        """Return the complete log in the file format."""
        return bytes(self._memory) if self.store is None else self.store.log

    def save_as(self, path: Path) -> None:
        """Write the log to another file. Raises: Refusal, OSError."""
        save_log(path, self.log(), self.game.header.game)

    def close(self) -> None:
        """Close the file. Closing twice does nothing."""
        if self.store is not None:
            self.store.close()

    def __enter__(self) -> ExerciseHost:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


MOST_UNGROUPED = 10
"""Orders that a menu lists one by one; a longer menu has groups."""

PIECE_FIELDS = ("corps", "fleets")
"""Fields that name a piece; all acts of one piece stand in one group."""

PIECE_FIELD_OF: dict[type[Action], str] = {PlaceShips: "fleet", TransferShips: "giver"}
"""Fields by which orders are grouped that do not name their piece first."""


class MenuEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a menu.

    Attributes:
        label: as it is shown.
        order: the order that it gives, "" for a group.
        goals: the entries of a group.
    """

    label: str
    order: str = ""
    goals: tuple[MenuEntry, ...] = ()


def group_menu(tables: Tables, state: State, acts: Iterable[Action]) -> tuple[MenuEntry, ...]:
    """Return a menu of some acts: one by one if they are few, else with those of one piece in a group."""
    acts = tuple(acts)
    if len(acts) <= MOST_UNGROUPED:
        return tuple(MenuEntry(label=action_text(one), order=action_text(one)) for one in acts)
    groups: dict[str, list[Action]] = {}
    for act in acts:
        groups.setdefault(_key(act), []).append(act)
    return tuple(_entry(tables, state, key, found) for key, found in groups.items())


def _entry(tables: Tables, state: State, key: str, acts: list[Action]) -> MenuEntry:
    if len(acts) == 1:
        return MenuEntry(label=action_text(acts[0]), order=action_text(acts[0]))
    goals = tuple(MenuEntry(label=goal_text(tables, state, one), order=action_text(one)) for one in acts)
    verbs = list(dict.fromkeys(_verb(one) for one in acts))
    piece = f"{key}{_whereabouts(tables, state, acts[0])}"
    return MenuEntry(label=f"{piece}: {', '.join(verbs)}" if verbs != [key] else f"{key} ...", goals=goals)


def _verb(act: Action) -> str:
    return ACTION_FORMS[type(act)].partition("{")[0].strip()


def _key(act: Action) -> str:
    """Return by what an act is grouped: its corps or fleets, else the first field of several, else its verb."""
    fields = re.findall(r"\{(\w+)\}", ACTION_FORMS[type(act)])
    piece = PIECE_FIELD_OF.get(type(act), fields[0] if fields else "")
    if piece in PIECE_FIELDS or len(fields) > 1:
        value = getattr(act, piece)
        return ",".join(value) if isinstance(value, tuple) else str(value)
    return _verb(act)


def _whereabouts(tables: Tables, state: State, act: Action) -> str:
    """Return where the piece of an act stands, in brackets; "" if it has none on the map."""
    if isinstance(act, Sail):
        return f" ({place_name(tables, place_of_fleet(state.fleets[act.fleets[0]]))})"
    name = getattr(act, "corps", "")
    corps = state.corps.get(name) if isinstance(name, str) else None
    return f" ({tables.name(corps.where)}, {movement_text(corps)})" if corps is not None and corps.where else ""


def goal_text(tables: Tables, state: State, act: Action) -> str:
    """Return an act of a group: for marches and voyages the goal, the points it costs and the areas on the way."""
    if isinstance(act, March | ForceMarch) and act.path:
        route = cheapest_routes(tables, state, state.corps[act.corps]).get(act.path[-1])
        points = _points(route.cost) if route and route.path == act.path else ""
        return f"{_verb(act)} to {_route_text([tables.name(one) for one in act.path], points)}"
    if isinstance(act, Sail) and act.route:
        fleets = tuple(state.fleets[one] for one in act.fleets)
        start = place_of_fleet(fleets[0])
        route_ = find_route(tables, state, fleets, start, act.route)
        points_ = sum(step_points(tables, a, b) for a, b in zip((start, *route_), route_, strict=False))
        return f"sail to {_route_text([place_name(tables, one) for one in route_], _points(points_))}"
    return action_text(act)


def _route_text(names: list[str], points: str) -> str:
    way = f"by {', '.join(names[:-1])}" if names[1:] else ""
    return " · ".join(part for part in (names[-1], points, way) if part)


def _points(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


SECRET_ORDERS = (Declare, OfferPeace, Sue, PickChit)
"""Acts that are written in secret."""


class ExerciseSession:
    """An exercise at a keyboard.

    Attributes:
        desk: the exercise.
        at: the displayed line, None for the present.
        replay: whether it is read-only.
    """

    def __init__(self, desk: ExerciseHost, replay: bool = False) -> None:
        self.desk = desk
        self.at: int | None = None
        self.replay = replay
        self._told: dict[int, tuple[str, ...]] = {}
        if not replay:
            desk.move_bots()

    @property
    def tables(self) -> Tables:
        """The tables of the exercise."""
        return self.desk.tables

    @property
    def seat(self) -> str:
        """The seat at the keyboard: the first person who must act; before and after the game a spectator."""
        if self.replay:
            return ARBITER
        found = (one for one in self.desk.waiting if one not in self.desk.bots)
        return next(found, SPECTATOR)

    @property
    def persons(self) -> tuple[str, ...]:
        """The Powers of persons."""
        return tuple(power for power in self.desk.state.powers if power not in self.desk.bots)

    @property
    def has_secrets_here(self) -> bool:
        """Whether who sits here now must not be watched by the others at the keyboard, or may not watch them.

        That is so in a land exercise, where corps lie face down; and in any other from the first paper that one of
        them writes in secret, or is asked to, until all lie open.
        """
        state, persons = self.desk.state, self.persons
        if self.replay or state.result is not None or len(persons) < 2:
            return False
        if LAND in self.tables.exercise.phases or any(paper.power in persons for paper in state.sealed):
            return True
        if state.questions:
            return state.questions[-1].secret
        return any(isinstance(action, SECRET_ORDERS) for action in self.desk.menu(self.seat))

    @property
    def version(self) -> int:
        """The number of the last line that the seat has."""
        return self.desk.known(self.seat).version

    @property
    def state(self) -> State:
        """The displayed position, as the seat may know it."""
        return self.desk.state_for(self.seat, self.at)

    @property
    def acts(self) -> tuple[str, ...]:
        """What the seat may do now, as it is typed: `done` first, what destroys its own last; nothing in the past."""
        return tuple(action_text(action) for action in self._offers())

    @property
    def menu(self) -> tuple[MenuEntry, ...]:
        """The same acts as a short list, with those of one piece in a group."""
        return group_menu(self.tables, self.state, self._offers())

    def _offers(self) -> list[Action]:
        if self.at is not None or self.replay:
            return []
        return sorted(self.desk.menu(self.seat), key=lambda act: (not isinstance(act, Done), isinstance(act, Scuttle)))

    def battles(self) -> tuple[tuple[str, ...], ...]:
        """Return every battle up to the moment that is looked at as a page of lines, the last one first."""
        return battle_pages(self.tables, self._events())

    def _events(self) -> Iterator[tuple[int, Event]]:
        """Yield the events that the seat knows and that are not taken back, each with its month."""
        turn = turn_of(self.tables.exercise.first)
        last = None if self.at is None else self.desk.known(self.seat).log_line(self.at)
        for line in self.desk.game.effective_lines(last):
            for raw in line.events:
                known = visible_event(raw, self.seat)
                if known is not None:
                    event = self.desk.event(known)
                    turn = event.turn if isinstance(event, MonthBegan) else turn
                    yield turn, event

    def act(self, asked: str | Action) -> None:
        """Let the seat act, and the bots after it. Raises: Refusal, OSError; then nothing has changed."""
        if self.replay:
            raise Refusal("replay", (), "This is a replay: nothing is written.")
        if self.at is not None:
            raise Refusal("history", (), "You are looking at the past: return to the present first.")
        self.desk.act(self.seat, asked)
        self.desk.move_bots()

    def undo(self) -> None:
        """Take back the last act of a person, with what bots did after it. Raises: Refusal, OSError."""
        if self.replay:
            raise Refusal("replay", (), "This is a replay: nothing is written.")
        persons = [line.n for line in self.desk.game.effective_lines() if line.seat not in self.desk.bots]
        if not persons:
            raise Refusal("nothing_to_undo", (), "There is nothing to take back.")
        self.desk.game.undo(ARBITER, persons[-1] - 1, force=True)
        self.at = None

    def look_at(self, line: int | None) -> None:
        """Display the position after a line of the seat; None or the last line is the present."""
        self.at = None if line is None or line >= self.version else max(1, line)

    def log(self) -> Iterator[tuple[int, str]]:
        """What has happened up to the moment that is looked at, as the seat may know it: number of the line, words."""
        known = self.desk.known(self.seat)
        for line in known.lines:
            if self.at is not None and line.n > self.at:
                return
            if line.kind != "act":
                yield line.n, f"({line.seat} takes back to line {line.target})" if line.kind == "undo" else line.kind
            for raw in line.events:
                text = describe_event(self.tables, self.desk.event(raw))
                if text:
                    yield line.n, text

    def close(self) -> None:
        """Close the file."""
        self.desk.close()
