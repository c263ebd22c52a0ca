"""Compute which acts are in force after each line of a log.

The name of a *position* is the first line that led to it (1 is the start): an act, or an undo or redo that keeps later
acts in force (`Line.kept`), such as private agreements of other seats. Notes, and undos that keep no acts, lead to an
existing position. Positions form a tree; nothing is computed backwards.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

from paxtui.engine.log import BrokenLog, Line, check_line

START = 1
"""The start position: no act is in force."""


class TakenBack(NamedTuple):
    """A possible redo: the line of the undo, the acts it took back, and the position before it."""

    line: int
    acts: frozenset[int]
    before: int


class PositionPath(NamedTuple):
    """A position as the log stores it: an existing position, and the acts to add to it."""

    base: int
    kept: tuple[int, ...]


class Positions:
    """The positions of one log, line by line.

    Args:
        checks: whether to check undos and redos and to compute `undone`. False for a log that is already checked.
    """

    def __init__(self, checks: bool = True) -> None:
        self._checks = checks
        self._at = array("I", [0, START])
        self._parent = array("I", [0, 0])  # by position; 0 for lines that created none
        self._adds: dict[int, tuple[int, ...]] = {START: ()}  # only if it differs from the line of the position
        self._undone: list[TakenBack] = []
        self._last_in_force: tuple[int, tuple[int, ...]] = START, ()  # most questions are about a position soon after

    @property
    def version(self) -> int:
        """The number of the last line."""
        return len(self._at) - 1

    @property
    def now(self) -> int:
        """The current position."""
        return self._at[-1]

    @property
    def undone(self) -> tuple[TakenBack, ...]:
        """The undos that can be redone, oldest first."""
        return tuple(self._undone)

    def after(self, n: int) -> int:
        """The position after line `n`.

        Raises:
            IndexError: there is no such line.
        """
        if not 1 <= n <= self.version:
            raise IndexError(f"there is no line {n}; the log has lines 1 to {self.version}")
        return self._at[n]

    def parent(self, position: int) -> int:
        """The parent of a position; the start has none."""
        return self._parent[position]

    def adds(self, position: int) -> tuple[int, ...]:
        """The acts that a position adds to those of its parent, in order."""
        return self._adds.get(position) or (() if position == START else (position,))

    def in_force(self, position: int) -> tuple[int, ...]:
        """The acts in force at a position, in the order of the log."""
        last, known = self._last_in_force
        parts: list[tuple[int, ...]] = []
        node = position
        while node not in (START, last):
            parts.append(self.adds(node))
            node = self._parent[node]
        found = (known if node == last else ()) + tuple(n for part in reversed(parts) for n in part)
        self._last_in_force = position, found
        return found

    def path_to(self, acts: tuple[int, ...], position: int) -> PositionPath:
        """Find the last position on the path to `position` from which adding the rest gives `acts`."""
        path = [position]
        while path[-1] != START:
            path.append(self._parent[path[-1]])
        base, count = START, 0
        for node in reversed(path):
            added = self.adds(node)
            if acts[count : count + len(added)] != added:
                break
            base, count = node, count + len(added)
        return PositionPath(base, acts[count:])

    def follow(self, line: Line, public: bool = True) -> int:
        """Add the next line, of any kind, and return the position after it.

        Args:
            public: whether this act makes redo impossible.

        Raises:
            BrokenLog: the line contradicts those before it; nothing was added.
        """
        n = self.version + 1
        check_line(line, n)
        if line.kind == "act":
            self._create(n, self.now, (n,))
            if public:
                self._undone.clear()
            self._at.append(n)
        elif line.kind == "note":
            self._at.append(self.now)
        else:
            self._add_undo(n, line)
        return self.now

    def _add_undo(self, n: int, line: Line) -> None:
        base, before = self._at[line.target], self.now
        was = self.in_force(before)
        acts = (*self.in_force(base), *line.kept)
        if not self._checks:
            pass
        elif line.kind == "undo":
            taken = frozenset(was) - set(acts)
            if not taken or not set(acts) <= set(was):
                raise BrokenLog(n, f"it undoes to line {line.target}, which is not before it")
            self._undone.append(TakenBack(n, taken, before))
        else:
            back = [u for u in self._undone if u.acts.isdisjoint(was) and u.acts | set(was) == set(acts)]
            if not back:
                raise BrokenLog(n, f"it brings back line {line.target}, which was not the last one taken back")
            self._undone.remove(back[-1])
        if line.kept:
            if list(acts) != sorted(acts):
                raise BrokenLog(n, "what it keeps is not in the order of the log")
            self._create(n, base, line.kept)
        self._at.append(n if line.kept else base)

    def _create(self, position: int, parent: int, adds: tuple[int, ...]) -> None:
        self._parent.extend([0] * (position - len(self._parent)))
        self._parent.append(parent)
        if adds != (position,):
            self._adds[position] = adds
