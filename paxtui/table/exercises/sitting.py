"""An exercise as it is played at one keyboard: the one door through which screen and plain mode go."""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.empires.history.event import Event
from paxtui.empires.history.time_events import MonthBegan
from paxtui.empires.narration.narrate import tell
from paxtui.empires.narration.reports import battle_pages
from paxtui.empires.orders.action import Action, Done
from paxtui.empires.orders.actions_land import PickChit
from paxtui.empires.orders.actions_politics import Declare, OfferPeace, Sue
from paxtui.empires.orders.actions_sea import Scuttle
from paxtui.empires.orders.notation import text_of
from paxtui.empires.position.view import visible
from paxtui.empires.state.model import State
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.calendar import turn_of
from paxtui.empires.time.order_of_powers import LAND
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.table.exercises.desk import Desk
from paxtui.table.exercises.menus import Entry, grouped

WRITTEN = (Declare, OfferPeace, Sue, PickChit)
"""Acts that are written down in secret."""


class Sitting:
    """An exercise at a keyboard.

    Attributes:
        desk: the exercise.
        at: the line whose position is looked at, None for the present.
        replay: whether it is only looked at.
    """

    def __init__(self, desk: Desk, replay: bool = False) -> None:
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
        """Who sits at the keyboard: the first person that is waited for; at the end, and before it, a spectator."""
        if self.replay:
            return ARBITER
        found = (one for one in self.desk.waiting if one not in self.desk.bots)
        return next(found, SPECTATOR)

    @property
    def persons(self) -> tuple[str, ...]:
        """The Powers that people play."""
        return tuple(power for power in self.desk.state.powers if power not in self.desk.bots)

    @property
    def hides(self) -> bool:
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
        return any(isinstance(action, WRITTEN) for action in self.desk.menu(self.seat))

    @property
    def version(self) -> int:
        """The number of the last line that the seat has."""
        return self.desk.known(self.seat).version

    @property
    def state(self) -> State:
        """The position that is looked at, as the seat may know it."""
        return self.desk.state_for(self.seat, self.at)

    @property
    def acts(self) -> tuple[str, ...]:
        """What the seat may do now, as it is typed: `done` first, what destroys its own last; nothing in the past."""
        return tuple(text_of(action) for action in self._offers())

    @property
    def menu(self) -> tuple[Entry, ...]:
        """The same acts as a short list, with those of one piece in a group."""
        return grouped(self.tables, self.state, self._offers())

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
                known = visible(raw, self.seat)
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
        """Look at the position after a line of the seat's; the last one, or None, is the present."""
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
                text = tell(self.tables, self.desk.event(raw))
                if text:
                    yield line.n, text

    def close(self) -> None:
        """Let go of the file."""
        self.desk.close()
