"""`ExerciseSession`: an exercise of Empires in Arms at a keyboard; menus grouped by piece."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import msgspec

from paxtui.engine.game import Undo
from paxtui.engine.notes import describe_table_note
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.empires.board import can_force_march, points_left
from paxtui.games.empires.calendar import LAND, turn_of
from paxtui.games.empires.decider import is_legal, menu_actions
from paxtui.games.empires.events.base import Event, MonthBegan
from paxtui.games.empires.land.movement import all_paths, cheapest_routes, path_cost
from paxtui.games.empires.narration import answer_text
from paxtui.games.empires.naval.fleets import place_name, place_of_fleet, step_points
from paxtui.games.empires.naval.sailing import find_route
from paxtui.games.empires.orders import (
    ACTION_FORMS,
    Action,
    Answer,
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
)
from paxtui.games.empires.reports import battle_pages, movement_text
from paxtui.games.empires.state import State
from paxtui.games.empires.tables import Tables
from paxtui.session.bot_runner import BotRunner
from paxtui.session.game_host import GameHost, SeatViews

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
        return tuple(MenuEntry(label=_act_label(tables, state, one), order=action_text(one)) for one in acts)
    groups: dict[str, list[Action]] = {}
    for act in acts:
        groups.setdefault(_key(act), []).append(act)
    return tuple(_entry(tables, state, key, found) for key, found in groups.items())


def _act_label(tables: Tables, state: State, act: Action) -> str:
    """Return an act as a line of a menu; an answer with what it means."""
    meaning = (
        answer_text(tables, state.questions[-1], act.choice) if isinstance(act, Answer) and state.questions else ""
    )
    return f"{action_text(act)}: {meaning}" if meaning else action_text(act)


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


MOST_WAYS = 8
"""Ways to one area that are offered."""


def reachable_areas(tables: Tables, state: State, corps: str) -> dict[str, str]:
    """Return the areas that a corps can still reach, each with its points; "f" marks a force march."""
    counter = state.corps[corps]
    points = points_left(counter)
    found = {area: str(route.cost) for area, route in cheapest_routes(tables, state, counter, points).items()}
    if can_force_march(counter.kind) and not counter.forced:
        for area, route in cheapest_routes(tables, state, counter, points + 1).items():
            found.setdefault(area, f"{route.cost}f")
    return found


def march_entries(tables: Tables, state: State, seat: str, corps: str, area: str) -> tuple[MenuEntry, ...]:
    """Return the legal ways of a corps to an area, the cheapest first, then force marches."""
    counter = state.corps[corps]
    points = points_left(counter)
    entries: list[MenuEntry] = []
    for order, least, most in ((March, 0, points), (ForceMarch, points + 1, points + 1)):
        ways = [path for path in all_paths(tables, state, counter, most) if path[-1] == area]
        ways = [path for path in ways if path_cost(tables, state, counter, path) >= least]
        ways.sort(key=lambda path: (path_cost(tables, state, counter, path), len(path), path))
        for path in ways:
            action = order(corps, path)
            if len(entries) < MOST_WAYS and is_legal(tables, state, seat, action):
                cost = _points(path_cost(tables, state, counter, path))
                label = f"{_verb(action)}: {_route_text([tables.name(one) for one in path], cost)}"
                entries.append(MenuEntry(label=label, order=action_text(action)))
    return tuple(entries)


def _route_text(names: list[str], points: str) -> str:
    way = f"by {', '.join(names[:-1])}" if names[1:] else ""
    return " · ".join(part for part in (names[-1], points, way) if part)


def _points(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


SECRET_ORDERS = (Declare, OfferPeace, Sue, PickChit)
"""Acts that are written in secret."""


BEGIN = "begin"
"""The order that lets a game on a server begin."""

OrderCallback = Callable[[Exception | None], None]
"""Called with the failure of an order (Refusal, OSError), or with None after success."""


class ExerciseSession:
    """An exercise at a keyboard.

    Args:
        table: the exercise.
        replay: whether it is read-only.

    Attributes:
        table: the exercise.
        at: the displayed line, None for the present.
        replay: whether it is read-only.
        leave_hint: what happens to the game when the player leaves.
    """

    table: SeatViews
    leave_hint = "Every act is saved: you can go on from the start screen at any time."

    def __init__(self, table: GameHost, replay: bool = False) -> None:
        self.table = self._host = table
        self.at: int | None = None
        self.replay = replay
        self._listeners: list[Callable[[], None]] = []
        if not replay:
            BotRunner(table).run()

    @property
    def tables(self) -> Tables:
        """The tables of the exercise."""
        tables: Tables = self.table.tables
        return tables

    @property
    def seat(self) -> str:
        """The seat at the keyboard: the first person who must act; before and after the game a spectator."""
        if self.replay:
            return ARBITER
        return next((seat for seat in self._host.waiting if self._is_person(seat)), SPECTATOR)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The seats that must act now."""
        return self.table.rules.waiting_seats(self.table.state)

    @property
    def persons(self) -> tuple[str, ...]:
        """The Powers of persons."""
        return tuple(filter(self._is_person, self.table.seats))

    def _is_person(self, seat: str) -> bool:
        return not self.table.occupant(seat).is_automatic

    @property
    def has_secrets_here(self) -> bool:
        """Whether who sits here now must not be watched by the others at the keyboard, or may not watch them.

        That is so in a land exercise, where corps lie face down; and in any other from the first paper that one of
        them writes in secret, or is asked to, until all lie open.
        """
        state: State = self.table.state
        persons = self.persons
        if self.replay or state.result is not None or len(persons) < 2:
            return False
        if LAND in self.tables.exercise.phases or any(paper.power in persons for paper in state.sealed):
            return True
        if state.questions:
            return state.questions[-1].secret
        return any(isinstance(action, SECRET_ORDERS) for action in self._menu_actions())

    @property
    def version(self) -> int:
        """The number of the last line that the seat has."""
        return self.table.known(self.seat).version

    @property
    def state(self) -> State:
        """The displayed position, as the seat may know it."""
        state: State = self.table.state_for(self.seat, self.at)
        return state

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
        return sorted(self._menu_actions(), key=lambda act: (not isinstance(act, Done), isinstance(act, Scuttle)))

    def _menu_actions(self) -> tuple[Action, ...]:
        return menu_actions(self.tables, self.table.state_for(self.seat), self.seat)

    def battles(self) -> tuple[tuple[str, ...], ...]:
        """Return every battle up to the moment that is looked at as a page of lines, the last one first."""
        return battle_pages(self.tables, self._events())

    def _events(self) -> Iterator[tuple[int, Event]]:
        """Yield the events that the seat knows and that are not taken back, each with its month."""
        turn = turn_of(self.tables.exercise.first)
        last = None if self.at is None else self.table.known(self.seat).log_line(self.at)
        for line in self.table.game.effective_lines(last):
            for event in self.table.visible_events(self.seat, line.n):
                turn = event.turn if isinstance(event, MonthBegan) else turn
                yield turn, event

    def act(self, asked: str | Action) -> None:
        """Let the seat act, and the bots after it. Raises: Refusal, OSError; then nothing has changed."""
        if self.replay:
            raise Refusal("replay", (), "This is a replay: nothing is written.")
        if self.at is not None:
            raise Refusal("history", (), "You are looking at the past: return to the present first.")
        self._host.act(self.seat, asked)
        BotRunner(self._host).run()

    def undo(self) -> None:
        """Take back the last act of a person, with what bots did after it. Raises: Refusal, OSError."""
        if self.replay:
            raise Refusal("replay", (), "This is a replay: nothing is written.")
        persons = [line.n for line in self.table.game.effective_lines() if self._is_person(line.seat)]
        if not persons:
            raise Refusal("nothing_to_undo", (), "There is nothing to take back.")
        self._host.undo(ARBITER, persons[-1] - 1)
        self.at = None

    def submit(self, order: str | Action | Undo, done: OrderCallback) -> None:
        """Carry out an order or an undo, and call `done` with its failure, or with None."""
        try:
            if isinstance(order, Undo):
                self.undo()
            else:
                self.act(order)
        except (Refusal, OSError) as error:
            done(error)
        else:
            done(None)

    def describe_failure(self, error: OSError) -> str:
        """Describe why an order failed."""
        return str(error.strerror or error)

    @property
    def is_answer_pending(self) -> bool:
        """Whether a submitted order waits for the answer of a server."""
        return False

    def begin_notice(self) -> str:
        """Return why the game has not begun, in a sentence; "" if it has."""
        return ""

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after acts of others; return a function that ends this."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def _notify(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def look_at(self, line: int | None) -> None:
        """Display the position after a line of the seat; None or the last line is the present."""
        self.at = None if line is None or line >= self.version else max(1, line)

    def log(self) -> Iterator[tuple[int, str]]:
        """What has happened up to the moment that is looked at, as the seat may know it: number of the line, words."""
        rules, known = self.table.rules, self.table.known(self.seat)
        describe = rules.narrator(self.state)
        for line in known.lines:
            if self.at is not None and line.n > self.at:
                return
            if line.kind == "note":
                told = describe_table_note(rules, line)
                if told is not None and told.text:
                    yield line.n, told.text
            elif line.kind != "act":
                yield line.n, f"({line.seat} takes back to line {line.target})" if line.kind == "undo" else line.kind
            for raw in line.events:
                text = describe(rules.decode_event(raw))
                if text:
                    yield line.n, text

    def close(self) -> None:
        """Close the file."""
        self._host.close()
