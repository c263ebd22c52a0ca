"""Where each line of a log leaves the game: positions, and the states that belong to them.

A *position* is named by the `act` line that led to it (1 is the start). Positions form a tree, since
after an undo the game goes on from an earlier one; notes, undos and redos lead to a position that
is there already. So nothing is ever recomputed backwards: an undo is a look at another node.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from paxtui.engine.dice import Dice
from paxtui.engine.log import BrokenLog, Header, Line, check_line

S = TypeVar("S")

# A state is kept whenever this much has happened since the last kept one. It bounds what `seek` has
# to fold, whether the lines are many or long.
SNAPSHOT_LINES = 200
SNAPSHOT_EVENTS = 1000

# States of the last few positions looked at: undoing, redoing and scrubbing stay near each other.
RECENT = 16


class Rules(Protocol[S]):
    """A game, as the kernel needs it. Everything raw is builtins that JSON can carry."""

    def decide(self, state: S, seat: str, action: Any, dice: Dice) -> Sequence[Any]:
        """The events of `action`; raises `Refusal` when the seat may not do it. Changes nothing."""

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

    def encode_event(self, event: Any) -> dict[str, Any]:
        """An event as a dict with its ``type``, and ``v`` beyond version 1."""

    def decode_event(self, raw: dict[str, Any]) -> Any:
        """The event that `encode_event` gave, now or in an older version (upcasters come first)."""

    def reveals(self, event: Any) -> bool:
        """Whether the event shows somebody what was hidden from them, so that it cannot be unseen."""


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
        self._lines: list[Line] = []
        self._at = [0, 1]
        self._parent: dict[int, int] = {}
        # Lines and events since the last kept state, of each position; (0, 0) marks a kept one.
        self._since: dict[int, tuple[int, int]] = {1: (0, 0)}
        self._undone: list[tuple[int, int]] = []
        self._events: dict[int, tuple[Any, ...]] = {}
        self._recent: dict[int, S] = {}
        try:
            self._kept: dict[int, S] = {1: rules.decode_state(header.start)}
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
        return self._at[-1]

    @property
    def undone(self) -> tuple[int, int] | None:
        """What a redo would reverse: the undo's line number and the position before it."""
        return self._undone[-1] if self._undone else None

    def line(self, n: int) -> Line:
        """Line `n`, 2 or more."""
        return self._lines[n - 2]

    def position_of(self, n: int) -> int:
        """The position after line `n`.

        Raises:
            IndexError: there is no such line.
        """
        if not 1 <= n <= self.version:
            raise IndexError(f"there is no line {n}; the log has lines 1 to {self.version}")
        return self._at[n]

    def parent(self, position: int) -> int:
        """The position before the act that led to `position` (2 or more)."""
        return self._parent[position]

    def since(self, position: int, now: int | None = None) -> tuple[int, ...] | None:
        """The act lines that lead from `position` to `now` (the present when left out), in order.

        Returns:
            None when `position` is not on the way to `now`.
        """
        node = self.position if now is None else now
        path: list[int] = []
        while node > position:
            path.append(node)
            node = self._parent[node]
        return tuple(reversed(path)) if node == position else None

    def append(self, line: Line, state: S | None = None) -> None:
        """Add the next line.

        Args:
            line: of any kind.
            state: the state after it, where the caller has it already.

        Raises:
            BrokenLog: the line contradicts those before it; nothing was added.
        """
        n = self.version + 1
        check_line(line, n)
        before = self.position
        if line.kind == "act":
            self._parent[n] = before
            lines, events = self._since[before]
            lines, events = lines + 1, events + len(line.events)
            full = lines >= SNAPSHOT_LINES or events >= SNAPSHOT_EVENTS
            self._since[n] = (0, 0) if full else (lines, events)
            self._undone.clear()
            after = n
            if state is not None:
                self._keep(n, state)
        elif line.kind == "undo":
            after = self._at[line.target]
            if after == before or self.since(after) is None:
                raise BrokenLog(n, f"it takes the game back to line {line.target}, which is not on the way to here")
            self._undone.append((n, before))
        elif line.kind == "redo":
            if not self._undone or self._undone[-1][1] != self._at[line.target]:
                raise BrokenLog(n, f"it brings back line {line.target}, which was not the last one taken back")
            after = self._undone.pop()[1]
        else:
            after = before
        self._lines.append(line)
        self._at.append(after)

    def events(self, n: int) -> tuple[Any, ...]:
        """The events of line `n`, decoded once and then remembered.

        Raises:
            BrokenLog: one of them is no event of this game.
        """
        found = self._events.get(n)
        if found is None:
            found = self._events[n] = decode_events(self._rules, self.line(n))
        return found

    def state_at(self, position: int) -> S:
        """The state at a position, from the nearest one that is kept.

        Raises:
            BrokenLog: an event on the way cannot be read.
        """
        path: list[int] = []
        node = position
        while node not in self._kept and node not in self._recent:
            path.append(node)
            node = self._parent[node]
        state = self._kept[node] if node in self._kept else self._recent[node]
        evolve = self._rules.evolve
        for node in reversed(path):
            for event in self.events(node):
                state = evolve(state, event)
            if self._since[node] == (0, 0):
                self._kept[node] = state
        self._keep(position, state)
        return state

    def _keep(self, position: int, state: S) -> None:
        """Remember a state: for good where a snapshot is due, else for a while."""
        if self._since[position] == (0, 0):
            self._kept[position] = state
            return
        self._recent.pop(position, None)
        self._recent[position] = state
        if len(self._recent) > RECENT:
            del self._recent[next(iter(self._recent))]


def decode_events(rules: Rules[S], line: Line) -> tuple[Any, ...]:
    """The events of a line.

    Raises:
        BrokenLog: one of them is no event of this game.
    """
    try:
        return tuple(rules.decode_event(raw) for raw in line.events)
    except Exception as error:  # whatever a damaged event does to the game's own decoders
        raise BrokenLog(line.n, f"one of its events cannot be read ({error})") from error
