"""Map each line of a log to a position and compute the states of positions.

After an undo the game continues from an earlier position, so positions form a tree (`paxtui.engine.positions`). An undo
selects another node; nothing is computed backwards. Private acts of other seats are carried over into that position.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any, Generic

from paxtui.engine.game import Game, S
from paxtui.engine.lines import Lines
from paxtui.engine.log import BrokenLog, Header, Line
from paxtui.engine.positions import START, Positions, TakenBack

# A snapshot is stored after this many lines or events. This bounds the work of `seek`,
# whether the lines are many or long.
SNAPSHOT_LINES = 200
SNAPSHOT_EVENTS = 1000

# Count of cached recent states: undo, redo and replay move between close positions.
RECENT = 16

# Count of lines whose decoded events are cached.
DECODED = 2048


class Timeline(Generic[S]):
    """The lines of one game and the state after each of them.

    Attributes:
        lines: all lines after the header; the first is line 2. Do not modify.
        positions: the positions of these lines. Do not modify.

    Args:
        header: line 1; its `start` is the first state.
        lines: existing lines.

    Raises:
        BrokenLog: a line contradicts those before it.
    """

    def __init__(self, rules: Game[S], header: Header, lines: Iterable[Line] = ()) -> None:
        self._rules = rules
        if header.rulebook != rules.rulebook:
            raise BrokenLog(1, f"it is a game by the rules '{header.rulebook}', and these are '{rules.rulebook}'")
        self.lines = Lines()
        self.positions = Positions()
        # Counts of lines and events since the last snapshot, by position; 0 and 0 mark a snapshot.
        self._since_lines, self._since_events = array("I", [0, 0]), array("I", [0, 0])
        self._events: dict[int, tuple[Any, ...]] = {}
        self._private: dict[int, frozenset[str]] = {}  # private line -> the only seats that see it
        self._recent: dict[int, S] = {}
        try:
            self._kept: dict[int, S] = {START: rules.decode_state(header.start)}
        except Exception as error:  # a foreign or damaged position can raise anything in the decoder
            raise BrokenLog(1, f"its position cannot be read ({error})") from error
        for line in lines:
            self.append(line)

    @property
    def version(self) -> int:
        """The number of the last line."""
        return len(self.lines) + 1

    @property
    def position(self) -> int:
        """The current position."""
        return self.positions.now

    @property
    def undone(self) -> tuple[TakenBack, ...]:
        """The undos that can be redone, oldest first."""
        return self.positions.undone

    def line(self, n: int) -> Line:
        """Line `n`, 2 or more."""
        return self.lines[n - 2]

    def position_of(self, n: int) -> int:
        """The position after line `n`.

        Raises:
            IndexError: there is no such line.
        """
        return self.positions.after(n)

    def in_force(self, position: int | None = None) -> tuple[int, ...]:
        """The acts in force at a position (default: the current one), in order."""
        return self.positions.in_force(self.position if position is None else position)

    def between(self, n: int) -> frozenset[str]:
        """The only seats that see line `n`; empty if every seat sees part of it."""
        return self._private.get(n, frozenset())

    def append(self, line: Line, state: S | None = None, events: tuple[Any, ...] | None = None) -> None:
        """Add the next line, of any kind.

        Args:
            state: the state after it, if already computed.
            events: its events, if already decoded.

        Raises:
            BrokenLog: the line contradicts those before it; nothing was added.
        """
        act = line.kind == "act"
        # A line with dice is never private: every seat notices the missing numbers.
        private: frozenset[str] = frozenset() if line.dice or line.queue else self._rules.between(line.events)
        position = self.positions.follow(line, public=act and not private)
        self.lines.append(line)
        number = self.version
        if private:
            self._private[number] = private
        acts = happened = 0
        if position == number:  # a new position; other lines lead to an existing one
            adds = self.positions.adds(position)
            parent = self.positions.parent(position)
            acts = self._since_lines[parent] + len(adds)
            happened = self._since_events[parent] + sum([len(self.line(n).events) for n in adds])
            if acts >= SNAPSHOT_LINES or happened >= SNAPSHOT_EVENTS:
                acts = happened = 0
        self._since_lines.append(acts)
        self._since_events.append(happened)
        if events is not None:
            self._remember(line.n, events)
        if state is not None:
            self._cache(position, state)

    def events(self, n: int) -> tuple[Any, ...]:
        """The events of line `n`, decoded and cached.

        Raises:
            BrokenLog: an event does not belong to this game.
        """
        found = self._events.get(n)
        if found is None:
            found = decode_events(self._rules, self.line(n))
            self._remember(n, found)
        return found

    def _remember(self, n: int, events: tuple[Any, ...]) -> None:
        self._events[n] = events
        if len(self._events) > DECODED:
            del self._events[next(iter(self._events))]

    def _is_snapshot(self, position: int) -> bool:
        return not (self._since_lines[position] or self._since_events[position])

    def state_at(self, position: int) -> S:
        """Compute the state at a position from the nearest cached one.

        Raises:
            BrokenLog: an event on the path cannot be read.
        """
        path: list[int] = []
        node = position
        while node not in self._kept and node not in self._recent:
            path.append(node)
            node = self.positions.parent(node)
        state = self._kept[node] if node in self._kept else self._recent[node]
        for node in reversed(path):
            for n in self.positions.adds(node):
                state = self._apply_line(state, n)
            if self._is_snapshot(node):
                self._kept[node] = state
        self._cache(position, state)
        return state

    def _apply_line(self, state: S, n: int) -> S:
        events, evolve = self.events(n), self._rules.evolve
        try:
            for event in events:
                state = evolve(state, event)
        except Exception as error:  # an event with unknown names can raise anything
            raise BrokenLog(n, "its events do not fit the position before it") from error
        return state

    def _cache(self, position: int, state: S) -> None:
        """Cache a state: permanently if a snapshot is due, otherwise as a recent state."""
        if self._is_snapshot(position):
            self._kept[position] = state
            return
        self._recent.pop(position, None)
        self._recent[position] = state
        if len(self._recent) > RECENT:
            del self._recent[next(iter(self._recent))]


def decode_events(rules: Game[S], line: Line) -> tuple[Any, ...]:
    """Decode the events of a line.

    Raises:
        BrokenLog: an event does not belong to this game.
    """
    try:
        return tuple(rules.decode_event(raw) for raw in line.events)
    except Exception as error:  # a damaged event can raise anything in the decoders
        raise BrokenLog(line.n, f"one of its events cannot be read ({error})") from error
