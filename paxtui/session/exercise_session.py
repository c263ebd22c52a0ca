"""`ExerciseSession`: a game of Empires in Arms at a keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from paxtui.bots.empires.registry import EmpiresBots
from paxtui.engine.game import Undo
from paxtui.engine.log import Line
from paxtui.engine.notes import describe_table_note
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant, is_seating_note, occupant_label, occupants_label, seat_occupants
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.empires.calendar import LAND, turn_of
from paxtui.games.empires.decider import menu_actions
from paxtui.games.empires.events.base import Answered, Event, MonthBegan, QuestionPosed
from paxtui.games.empires.game import POSITION_KNOWN
from paxtui.games.empires.narration import describe_answer
from paxtui.games.empires.orders import (
    Action,
    ChooseLosses,
    Declare,
    Demobilize,
    Done,
    LiftSiege,
    OfferPeace,
    PickChit,
    RemoveDepot,
    Retire,
    Scuttle,
    Sue,
    action_text,
)
from paxtui.games.empires.reports import battle_pages
from paxtui.games.empires.state import State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.warnings import OrderWarning, find_warning
from paxtui.session.bot_runner import BotRunner
from paxtui.session.exercise_menus import MenuEntry, group_menu
from paxtui.session.game_host import GameHost, SeatViews

SECRET_ORDERS = (Declare, OfferPeace, Sue, PickChit)
"""Acts that are written in secret."""
LAST_ORDERS = (ChooseLosses, Demobilize, LiftSiege, RemoveDepot, Retire, Scuttle)
"""Acts at the end of a menu: they give something up, or are seldom wanted."""

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
    leave_hint = "Each act is saved. You can continue from the start screen at any time."

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
        return next(iter(self._host.waiting_persons), SPECTATOR)

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
        """Whether the screen must be hidden from the other players at this keyboard.

        That is so in a land exercise, where corps lie face down. In other exercises it is so while a player writes a
        secret order, or a secret order is not yet revealed.
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
        """The legal orders of the seat: `done` first, what gives something up last; none in the past."""
        return tuple(action_text(action) for action in self._offers())

    @property
    def menu(self) -> tuple[MenuEntry, ...]:
        """The same orders as a menu, with those of one piece in a group."""
        return group_menu(self.tables, self.state, self._offers())

    def _offers(self) -> list[Action]:
        if self.at is not None or self.replay:
            return []
        return sorted(self._menu_actions(), key=lambda act: (not isinstance(act, Done), isinstance(act, LAST_ORDERS)))

    def _menu_actions(self) -> tuple[Action, ...]:
        return menu_actions(self.tables, self.table.state_for(self.seat), self.seat)

    def battles(self) -> tuple[tuple[str, ...], ...]:
        """Return each battle up to the displayed line as a page of lines, the last one first."""
        return battle_pages(self.tables, self.events())

    def events(self) -> Iterator[tuple[int, Event]]:
        """Yield the events that the seat knows and that are not taken back, each with its month."""
        turn = turn_of(self.tables.exercise.first)
        last = None if self.at is None else self.table.known(self.seat).log_line(self.at)
        for line in self.table.game.effective_lines(last):
            for event in self.table.visible_events(self.seat, line.n):
                turn = event.turn if isinstance(event, MonthBegan) else turn
                yield turn, event

    def act(self, asked: str | Action) -> None:
        """Carry out an order of the seat, and let the bots move. Raises: Refusal, OSError; then nothing has changed."""
        if self.replay:
            raise Refusal("replay", (), "This is a replay. It is read-only.")
        if self.at is not None:
            raise Refusal("history", (), "You are looking at an earlier position. Return to the present first.")
        self._host.act(self.seat, asked)
        BotRunner(self._host).run()

    def warning(self, *orders: str) -> OrderWarning | None:
        """Return what orders of a campaign give up or risk; None if nothing, or if they will be refused."""
        if not self.tables.exercise.complete or self.at is not None or self.seat not in self.waiting:
            return None
        try:
            acts = [self.table.rules.parse_order(order, self.state) for order in orders]
            return find_warning(self.tables, self.state, self.seat, acts)
        except Refusal:
            return None  # the order itself is refused, with its reason

    def undo(self) -> None:
        """Undo the last act of a person, with the moves of bots after it. Raises: Refusal, OSError."""
        if self.replay:
            raise Refusal("replay", (), "This is a replay. It is read-only.")
        persons = [line.n for line in self.table.game.effective_lines() if self._is_person(line.seat)]
        if not persons:
            raise Refusal("nothing_to_undo", (), "There is nothing to undo.")
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
        """Yield what happened up to the displayed line, as the seat may know it: number of the line, and its text."""
        rules, known = self.table.rules, self.table.known(self.seat)
        describe, question = rules.narrator(self.state), None
        for line in known.lines:
            if self.at is not None and line.n > self.at:
                return
            if line.kind == "note" and (text := self._note_text(line)):
                yield line.n, text
            elif line.kind not in ("act", "note"):
                yield line.n, f"Acts after line {line.target} are undone." if line.kind == "undo" else line.kind
            for raw in line.events:
                if raw["type"] == POSITION_KNOWN:  # a whole position, with no words
                    continue
                event = rules.decode_event(raw)
                if isinstance(event, QuestionPosed):  # its answer repeats it
                    question = event.question
                    continue
                if isinstance(event, Answered) and question is not None:
                    yield line.n, describe_answer(self.tables, question, event)
                    question = None
                elif text := describe(event):
                    yield line.n, text

    def _note_text(self, line: Line) -> str:
        """Return a note of the log in a sentence; "" for a note without words."""
        rules = self.table.rules
        if is_seating_note(line.action):
            told = occupants_label(rules, seat_occupants([line]), _bots_label)
            return f"Who sits where: {told}." if told else ""
        note = describe_table_note(rules, line)
        return note.text if note else ""

    def close(self) -> None:
        """Close the file."""
        self._host.close()


def _bots_label(occupant: SeatOccupant, seats: int) -> str:
    """Describe an occupant; a bot by its name in Empires in Arms: "hard bots"."""
    name = EmpiresBots().name_of(occupant)
    return f"{name} bot{'s' if seats > 1 else ''}" if name else occupant_label(occupant, seats)
