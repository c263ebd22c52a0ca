"""Which acts are in force after each line of a log.

A *position* is named by the line that led to it first (1 is the start): an act, which adds itself to those in force,
or an undo or redo that left some later acts in force (`Line.kept`), such as what others have agreed in private.
Notes, and undos that keep nothing, lead to a position that is there already. Positions form a tree; nothing is ever
recomputed backwards.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

from paxtui.engine.log import BrokenLog, Line, check_line

START = 1
"""The position at the start: no act is in force."""


class TakenBack(NamedTuple):
    """What a redo would bring back: the undo's line, the acts it took back, and the position before it."""

    line: int
    acts: frozenset[int]
    before: int


class PositionPath(NamedTuple):
    """How a position is written into a log: a position that is there already, and the acts that come on top."""

    base: int
    kept: tuple[int, ...]


class Positions:
    """The positions of one log, line by line.

    Args:
        checks: whether undos and redos are checked, and `undone` is known; False for a log that was checked before.
    """

    def __init__(self, checks: bool = True) -> None:
        self._checks = checks
        self._at = array("I", [0, START])
        self._parent = array("I", [0, 0])  # by position; 0 for lines that made none
        self._adds: dict[int, tuple[int, ...]] = {START: ()}  # where it is more than the line of the position
        self._undone: list[TakenBack] = []

    @property
    def version(self) -> int:
        """The number of the last line."""
        return len(self._at) - 1

    @property
    def now(self) -> int:
        """The position that holds now."""
        return self._at[-1]

    @property
    def undone(self) -> tuple[TakenBack, ...]:
        """What was taken back and can still be brought back, the last one last."""
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
        """The position that this one was made from; of the start there is none."""
        return self._parent[position]

    def adds(self, position: int) -> tuple[int, ...]:
        """The acts that this position has on top of its parent's, in order."""
        return self._adds.get(position) or (() if position == START else (position,))

    def in_force(self, position: int) -> tuple[int, ...]:
        """The acts in force at a position, in the order of the log."""
        parts: list[tuple[int, ...]] = []
        while position != START:
            parts.append(self.adds(position))
            position = self._parent[position]
        return tuple(n for part in reversed(parts) for n in part)

    def way_to(self, acts: tuple[int, ...], position: int) -> PositionPath:
        """The last position on the way to `position` from which `acts` are reached by adding the rest of them."""
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
        """Add the next line; the position after it.

        Args:
            line: of any kind.
            public: of an act, whether it ends what can be brought back.

        Raises:
            BrokenLog: the line contradicts those before it; nothing was added.
        """
        n = self.version + 1
        check_line(line, n)
        if line.kind == "act":
            self._make(n, self.now, (n,))
            if public:
                self._undone.clear()
            self._at.append(n)
        elif line.kind == "note":
            self._at.append(self.now)
        else:
            self._go(n, line)
        return self.now

    def _go(self, n: int, line: Line) -> None:
        """Follow an undo or a redo."""
        base, before = self._at[line.target], self.now
        was = self.in_force(before)
        acts = (*self.in_force(base), *line.kept)
        if not self._checks:
            pass
        elif line.kind == "undo":
            taken = frozenset(was) - set(acts)
            if not taken or not set(acts) <= set(was):
                raise BrokenLog(n, f"it takes the game back to line {line.target}, which is not on the way to here")
            self._undone.append(TakenBack(n, taken, before))
        else:
            back = [u for u in self._undone if u.acts.isdisjoint(was) and u.acts | set(was) == set(acts)]
            if not back:
                raise BrokenLog(n, f"it brings back line {line.target}, which was not the last one taken back")
            self._undone.remove(back[-1])
        if line.kept:
            if list(acts) != sorted(acts):
                raise BrokenLog(n, "what it keeps is not in the order of the log")
            self._make(n, base, line.kept)
        self._at.append(n if line.kept else base)

    def _make(self, position: int, parent: int, adds: tuple[int, ...]) -> None:
        """Make the position of a new line."""
        self._parent.extend([0] * (position - len(self._parent)))
        self._parent.append(parent)
        if adds != (position,):
            self._adds[position] = adds
