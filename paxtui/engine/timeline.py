"""Where each line of a log leaves the game: positions, and the states that belong to them.

Positions form a tree, since after an undo the game goes on from an earlier one (`paxtui.engine.positions`). So
nothing is ever recomputed backwards: an undo is a look at another node. Acts between some seats only are taken back
by nobody else: they are carried over into the position to which an undo leads.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from paxtui.engine.dice import Dice
from paxtui.engine.lines import Lines, share_texts
from paxtui.engine.log import FIRST_RULEBOOK, BrokenLog, Header, Line
from paxtui.engine.positions import START, Positions, TakenBack
from paxtui.engine.upcast import Raw

S = TypeVar("S")

Between = Callable[[Sequence[Raw]], frozenset[str]]

# A state is kept whenever this much has happened since the last kept one. It bounds what `seek` has
# to fold, whether the lines are many or long.
SNAPSHOT_LINES = 200
SNAPSHOT_EVENTS = 1000

# States of the last few positions looked at: undoing, redoing and scrubbing stay near each other.
RECENT = 16


# Lines whose decoded events are kept.
DECODED = 2048


class Decision(NamedTuple, Generic[S]):
    """What an action comes to: its events, structs of msgspec, and the state to which they lead."""

    events: Sequence[Any]
    state: S


class Rules(Protocol[S]):
    """A game, as the kernel needs it. Everything raw is builtins that JSON can carry.

    What is not the first rulebook has its name in an attribute `rulebook`, and plays only logs that name it.
    """

    def begin(self, header: Header) -> S:
        """The state at which a game with this header begins today; raises `Refusal` or `ValueError` when none does."""

    def note(self, state: S, line: Line, lines: Sequence[Line]) -> Any:
        """What a note would say if its seat wrote it today, after some lines. Requests for an undo do not come here.

        Raises `Refusal` or `ValueError` when the seat may not.
        """

    def decide(self, state: S, seat: str, action: Any, dice: Dice) -> Decision[S]:
        """What `action` comes to; raises `Refusal` when the seat may not do it. Changes nothing."""

    def evolve(self, state: S, event: Any) -> S:
        """The state after `event`: total, without rules and dice; `state` itself is not changed."""

    def encode_state(self, state: S) -> Any:
        """`state` as builtins."""

    def decode_state(self, raw: Any) -> S:
        """The state that `encode_state` gave."""

    def encode_action(self, action: Any) -> Any:
        """An action as builtins."""

    def decode_action(self, raw: Any) -> Any:
        """The action that `encode_action` gave."""

    def encode_event(self, event: Any) -> Raw:
        """An event as a dict with its ``type``, and ``v`` beyond version 1."""

    def decode_event(self, raw: Raw) -> Any:
        """The event that `encode_event` gave, now or in an older version (upcasters come first)."""

    def reveals(self, event: Any) -> bool:
        """Whether the event shows somebody what was hidden from them, so that it cannot be unseen."""

    def between(self, events: Sequence[Raw]) -> frozenset[str]:
        """The seats that alone know of a line with these raw events; empty where anybody else sees any of it.

        The acts of others that are between them neither stand in the way of an undo nor are lost by it.
        """

    def over(self, state: S) -> bool:
        """Whether the game is over."""


class Timeline(Generic[S]):
    """The lines of one game and the state after each of them.

    Args:
        rules: the game.
        header: line 1; its `start` is the state there.
        lines: the lines that are there already.

    Raises:
        BrokenLog: a line contradicts those before it.
    """

    def __init__(self, rules: Rules[S], header: Header, lines: Iterable[Line] = ()) -> None:
        self._rules = rules
        rulebook = getattr(rules, "rulebook", FIRST_RULEBOOK)
        if header.rulebook != rulebook:
            raise BrokenLog(1, f"it is a game by the rules '{header.rulebook}', and these are '{rulebook}'")
        # A game without secrets need not say so.
        self._between: Between = getattr(rules, "between", _everybody)
        self._lines = Lines()
        self._positions = Positions()
        # Lines and events since the last kept state, for each position by its number; 0 and 0 mark a kept one.
        self._since_lines, self._since_events = array("I", [0, 0]), array("I", [0, 0])
        self._events: dict[int, tuple[Any, ...]] = {}
        self._private: dict[int, frozenset[str]] = {}  # who alone knows of a line, by those that not all know of
        self._recent: dict[int, S] = {}
        try:
            self._kept: dict[int, S] = {START: rules.decode_state(header.start)}
        except Exception as error:  # whatever a foreign or damaged position does to the game's decoder
            raise BrokenLog(1, f"its position cannot be read ({error})") from error
        for line in lines:
            self.append(line)

    @property
    def lines(self) -> Sequence[Line]:
        """All lines after the header; the first is line 2. Not to be changed."""
        return self._lines

    @property
    def version(self) -> int:
        """The number of the last line."""
        return len(self._lines) + 1

    @property
    def position(self) -> int:
        """The position that holds now."""
        return self._positions.now

    @property
    def positions(self) -> Positions:
        """All positions, for reading."""
        return self._positions

    @property
    def undone(self) -> tuple[TakenBack, ...]:
        """What was taken back and can be brought back, the last one last."""
        return self._positions.undone

    def line(self, n: int) -> Line:
        """Line `n`, 2 or more."""
        return self._lines[n - 2]

    def position_of(self, n: int) -> int:
        """The position after line `n`.

        Raises:
            IndexError: there is no such line.
        """
        return self._positions.after(n)

    def in_force(self, position: int | None = None) -> tuple[int, ...]:
        """The acts in force at a position (the present when left out), in order."""
        return self._positions.in_force(self.position if position is None else position)

    def between(self, n: int) -> frozenset[str]:
        """The seats that alone know of line `n`; empty where anybody else sees any of it."""
        return self._private.get(n, frozenset())

    def append(self, line: Line, state: S | None = None, events: tuple[Any, ...] | None = None) -> None:
        """Add the next line.

        Args:
            line: of any kind.
            state: the state after it, where the caller has it already.
            events: its events, where they are decoded already.

        Raises:
            BrokenLog: the line contradicts those before it; nothing was added.
        """
        act = line.kind == "act"
        # Numbers that were drawn are missing for everybody afterwards.
        private: frozenset[str] = frozenset() if line.dice or line.queue else self._between(line.events)
        position = self._positions.follow(line, public=act and not private)
        self._lines.append(line)
        if private:
            self._private[self.version] = private
        acts = happened = 0
        if position == self.version:  # a new position; others lead back to one that is known
            adds = self._positions.adds(position)
            parent = self._positions.parent(position)
            acts = self._since_lines[parent] + len(adds)
            happened = self._since_events[parent] + sum(len(self.line(n).events) for n in adds)
            if acts >= SNAPSHOT_LINES or happened >= SNAPSHOT_EVENTS:
                acts = happened = 0
        self._since_lines.append(acts)
        self._since_events.append(happened)
        for raw in (line.action, *line.events):
            share_texts(raw)
        if events is not None:
            self._remember(line.n, events)
        if state is not None:
            self._keep(position, state)

    def events(self, n: int) -> tuple[Any, ...]:
        """The events of line `n`, decoded once and then remembered.

        Raises:
            BrokenLog: one of them is no event of this game.
        """
        found = self._events.get(n)
        if found is None:
            found = decode_events(self._rules, self.line(n))
            self._remember(n, found)
        return found

    def _remember(self, n: int, events: tuple[Any, ...]) -> None:
        """Keep decoded events for a while."""
        self._events[n] = events
        if len(self._events) > DECODED:
            del self._events[next(iter(self._events))]

    def _is_snapshot(self, position: int) -> bool:
        """Whether the state at a position is kept for good."""
        return not (self._since_lines[position] or self._since_events[position])

    def state_at(self, position: int) -> S:
        """The state at a position, from the nearest one that is kept.

        Raises:
            BrokenLog: an event on the way cannot be read.
        """
        path: list[int] = []
        node = position
        while node not in self._kept and node not in self._recent:
            path.append(node)
            node = self._positions.parent(node)
        state = self._kept[node] if node in self._kept else self._recent[node]
        for node in reversed(path):
            for n in self._positions.adds(node):
                state = self._after(state, n)
            if self._is_snapshot(node):
                self._kept[node] = state
        self._keep(position, state)
        return state

    def _after(self, state: S, n: int) -> S:
        """The state after the events of line `n`. Raises: BrokenLog."""
        events, evolve = self.events(n), self._rules.evolve
        try:
            for event in events:
                state = evolve(state, event)
        except Exception as error:  # whatever an event does that names what is not there
            raise BrokenLog(n, "its events do not fit the position before it") from error
        return state

    def _keep(self, position: int, state: S) -> None:
        """Remember a state: for good where a snapshot is due, else for a while."""
        if self._is_snapshot(position):
            self._kept[position] = state
            return
        self._recent.pop(position, None)
        self._recent[position] = state
        if len(self._recent) > RECENT:
            del self._recent[next(iter(self._recent))]


def is_over(rules: Rules[S], state: S) -> bool:
    """Whether a game is over; one whose rules know of no end never is."""
    over: Callable[[S], bool] | None = getattr(rules, "over", None)
    return over is not None and over(state)


def _everybody(events: Sequence[Raw]) -> frozenset[str]:
    """Nothing is between some seats only."""
    return frozenset()


def decode_events(rules: Rules[S], line: Line) -> tuple[Any, ...]:
    """The events of a line.

    Raises:
        BrokenLog: one of them is no event of this game.
    """
    try:
        return tuple(rules.decode_event(raw) for raw in line.events)
    except Exception as error:  # whatever a damaged event does to the game's own decoders
        raise BrokenLog(line.n, f"one of its events cannot be read ({error})") from error
