"""A log as one seat may have it: its own lines, its own numbers.

A line of which the seat may see nothing is left out, and the rest is numbered without a gap, so that what is hidden
cannot be counted. The seed's count and the queue stay behind, and so do the hashes: by guessing, a hash of a hidden
line gives the line away. Another seat's action is left out as well; what others may know of it is in its events.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from operator import is_
from typing import Any

from paxtui.engine.lines import Lines
from paxtui.engine.log import UNDO_REQUEST, Line, Visible
from paxtui.engine.positions import Positions
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw


class Projection:
    """The log of a game as one seat has it; it grows line by line.

    Where the seat stands is told by the acts in force that it sees, and by nothing else: whatever is hidden between
    them changes neither a number nor the target of an undo.

    Args:
        seat: who reads it. The arbiter has every line as it is.
        visible: gives what a seat may see of a raw event or a note's content, None for nothing.
    """

    def __init__(self, seat: str, visible: Visible) -> None:
        self.seat = seat
        self._visible = visible
        self._lines = Lines()
        self._positions = Positions(checks=False)  # the log was checked when it was loaded
        # The seat's number of the last line it has, after each line of the log.
        self._count = array("I", [0, 1])
        # What the seat sees in force is a path in a tree of acts: place 0 is the start, each other one adds an act.
        # Each act makes one place when it comes; `_child` has those that an undo has made besides.
        self._child: dict[tuple[int, int], int] = {}
        self._made_by = array("I", [0, 0])  # the place that a line of the log has made, 0 for none
        self._parent = array("I", [0])  # the place from which each place was made
        self._place_at = array("I", [0, 0])
        self._number_of = array("I", [1])  # the seat's number of the line that led to a place first, 0 for none
        self._own_number = array("I", [0, 0])  # the seat's number of an act of the log that it sees, 0 for none

    @property
    def lines(self) -> Sequence[Line]:
        """The lines the seat has; the first is line 2. Not to be changed."""
        return self._lines

    @property
    def version(self) -> int:
        """The number of the seat's last line."""
        return len(self._lines) + 1

    @property
    def followed(self) -> int:
        """The number of the last line of the log that was taken account of."""
        return len(self._count) - 1

    def number(self, n: int) -> int:
        """The seat's number of line `n` of the log, or of the last one before it that the seat has."""
        return self._count[n]

    def position(self, n: int) -> int:
        """The seat's number of the position after line `n` of the log: of the line that led there first."""
        return n if self.seat == ARBITER else self._number_of[self._place_at[n]]

    def log_line(self, number: int) -> int:
        """The last line of the log by which the seat has no more than `number` lines.

        Raises:
            IndexError: the seat has no such line.
        """
        if not 1 <= number <= self.version:
            raise IndexError(f"there is no line {number}")
        low, high = 1, self.followed
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._count[middle] <= number else (low, middle - 1)
        return low

    def follow(self, line: Line) -> None:
        """Take account of the next line of the log.

        Raises:
            BrokenLog: it contradicts those before it.
        """
        self._positions.follow(line, public=False)
        if self.seat == ARBITER:
            self._lines.append(line)
            self._count.append(line.n)
            return
        self._made_by.append(0)
        self._own_number.append(0)
        if line.kind == "act":
            self._act(line)
        elif line.kind == "note":
            said = self._note(line)
            if said is not None:
                self._show(line, action=said)
            self._place_at.append(self._place_at[-1])
        else:
            self._go(line)
        self._count.append(self.version)

    def _act(self, line: Line) -> None:
        events = tuple(seen for raw in line.events if (seen := self._visible(raw, self.seat)) is not None)
        if len(events) == len(line.events) and all(map(is_, events, line.events)):
            events = line.events  # one tuple for all seats
        place = self._place_at[-1]
        if events or line.seat == self.seat:
            self._show(line, action=line.action if line.seat == self.seat else None, events=events)
            self._own_number[line.n] = self.version
            place = self._step(place, line.n)
            self._number_of[place] = self.version
        self._place_at.append(place)

    def _go(self, line: Line) -> None:
        """An undo or a redo: shown where it changes what the seat sees, with the nearest position it knows."""
        acts = [n for n in self._positions.in_force(self._positions.now) if self._own_number[n]]
        place = known = 0
        count = 0
        for i, n in enumerate(acts, start=1):
            place = self._step(place, n)
            if self._number_of[place]:
                known, count = place, i
        if place != self._place_at[-1]:
            kept = tuple(self._own_number[n] for n in acts[count:])
            action = line.action if line.seat == self.seat else None
            self._show(line, action=action, target=self._number_of[known], kept=kept)
            self._number_of[place] = self._number_of[place] or self.version
        self._place_at.append(place)

    def _step(self, place: int, act: int) -> int:
        """The place one act further; it is made when there is none."""
        made = self._made_by[act]
        if made and self._parent[made] == place:
            return made
        known = self._child.get((place, act))
        if known is not None:
            return known
        new = len(self._parent)
        self._parent.append(place)
        self._number_of.append(0)
        if made:
            self._child[place, act] = new
        else:
            self._made_by[act] = new
        return new

    def _show(self, line: Line, **seen: Any) -> None:
        self._lines.append(Line(n=self.version + 1, time=line.time, seat=line.seat, kind=line.kind, **seen))

    def _note(self, line: Line) -> Any:
        """What the seat may read of a note; a request for an undo is for everybody, in the seat's own numbers."""
        said = line.action
        if not isinstance(said, dict):
            return said if line.seat == self.seat else None
        if said.get("type") == UNDO_REQUEST:
            to = said.get("to")
            return {**said, "to": self.position(to) if isinstance(to, int) and 0 < to < line.n else 1}
        about = said.get("line")
        if isinstance(about, int):  # a line that the note is about
            said = {**said, "line": self.number(about) if 0 < about < line.n else 1}
        return said if line.seat == self.seat else self._visible(said, self.seat)


def redact(lines: Iterable[Line], seat: str, visible: Visible) -> tuple[Line, ...]:
    """The lines that may leave the authority for `seat`, numbered for that seat.

    Args:
        lines: the whole log from line 2 on.
        seat: who will read it. The arbiter gets every line as it is.
        visible: gives what a seat may see of a raw event or a note's content, None for nothing.
    """
    projection = Projection(seat, visible)
    for line in lines:
        projection.follow(line)
    return tuple(projection.lines)


def encode_events(line: Line) -> list[Raw]:
    """The events of a line as another program reads them, each with its `type` and `rules`."""
    return [{"type": raw.get("type", ""), "rules": list(raw.get("rules", ())), **raw} for raw in line.events]


def encode_lines(lines: Sequence[Line]) -> Raw:
    """Lines as another program reads them, whatever game they are of: all their events, and each line by itself."""
    return {
        "events": [event for line in lines for event in encode_events(line)],
        "lines": [
            {
                "n": line.n,
                "seat": line.seat,
                "kind": line.kind,
                "action": line.action,
                "target": line.target or None,
                **({"kept": list(line.kept)} if line.kept else {}),
                "events": encode_events(line),
            }
            for line in lines
        ],
    }
