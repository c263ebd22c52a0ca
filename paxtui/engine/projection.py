"""Project a log to what one seat may see: its own lines with its own numbers.

Lines hidden from the seat are left out and the rest is numbered without gaps, so hidden lines cannot be counted. Dice
counts, queues and hashes are removed, because a seat could guess a hidden line and check its hash. Actions of other
seats are removed too; their events show what the seat may know.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import is_
from typing import Any

from paxtui.engine.lines import Lines
from paxtui.engine.log import UNDO_REQUEST, Line, Visible
from paxtui.engine.positions import Positions
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw


class Projection:
    """The log of a game as one seat sees it; it grows line by line.

    The seat's position depends only on the visible acts in force. Hidden acts change no number and no undo target.

    Args:
        seat: the reader. The arbiter gets every line unchanged.
        visible: returns the visible part of a raw event or of a note's content, or None.

    Attributes:
        lines: the lines that the seat sees; the first is line 2. Do not modify.
    """

    def __init__(self, seat: str, visible: Visible) -> None:
        self.seat = seat
        self._visible = visible
        self.lines = Lines()
        self._positions = Positions(checks=False)  # the log was checked when it was loaded
        # The seat's number of its last visible line, after each line of the log.
        self._count = array("I", [0, 1])
        # The visible acts in force form a path in a tree: place 0 is the start, each other place adds one act.
        # Each act creates one place; `_child` holds the places that undos created.
        self._child: dict[tuple[int, int], int] = {}
        self._made_by = array("I", [0, 0])  # the place created by each line of the log, 0 for none
        self._parent = array("I", [0])  # the parent of each place
        self._place_at = array("I", [0, 0])
        self._number_of = array("I", [1])  # the seat's number of the first line that led to each place, 0 for none
        self._own_number = array("I", [0, 0])  # the seat's number of each visible act of the log, 0 for none

    @property
    def version(self) -> int:
        """The number of the seat's last line."""
        return len(self.lines) + 1

    @property
    def followed(self) -> int:
        """The number of the last processed line of the log."""
        return len(self._count) - 1

    def number(self, n: int) -> int:
        """The seat's number of line `n` of the log, or of the last visible line before it."""
        return self._count[n]

    def position(self, n: int) -> int:
        """The seat's number of the first line that led to the position after line `n` of the log."""
        return n if self.seat == ARBITER else self._number_of[self._place_at[n]]

    def log_line(self, number: int) -> int:
        """The last line of the log up to which the seat has at most `number` lines.

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
        """Add the next line of the log.

        Raises:
            BrokenLog: it contradicts those before it.
        """
        self._positions.follow(line, public=False)
        if self.seat == ARBITER:
            self.lines.append(line)
            self._count.append(line.n)
            return
        self._made_by.append(0)
        self._own_number.append(0)
        if line.kind == "act":
            self._add_act(line)
        elif line.kind == "note":
            content = self._visible_note(line)
            if content is not None:
                self._show(line, action=content)
            self._place_at.append(self._place_at[-1])
        else:
            self._add_undo(line)
        self._count.append(self.version)

    def _add_act(self, line: Line) -> None:
        events = tuple(seen for raw in line.events if (seen := self._visible(raw, self.seat)) is not None)
        if len(events) == len(line.events) and all(map(is_, events, line.events)):
            events = line.events  # share one tuple between all seats
        place = self._place_at[-1]
        if events or line.seat == self.seat:
            self._show(line, action=line.action if line.seat == self.seat else None, events=events)
            self._own_number[line.n] = self.version
            place = self._step(place, line.n)
            self._number_of[place] = self.version
        self._place_at.append(place)

    def _add_undo(self, line: Line) -> None:
        """Add an undo or redo. It is visible if it changes what the seat sees; its target is the nearest visible
        position.
        """
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
        """Return the place after one more act; create it if necessary."""
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
        self.lines.append(Line(n=self.version + 1, time=line.time, seat=line.seat, kind=line.kind, **seen))

    def _visible_note(self, line: Line) -> Any:
        # a request for an undo is visible to every seat, in its own numbers
        content = line.action
        if not isinstance(content, dict):
            return content if line.seat == self.seat else None
        if content.get("type") == UNDO_REQUEST:
            to = content.get("to")
            return {**content, "to": self.position(to) if isinstance(to, int) and 0 < to < line.n else 1}
        about = content.get("line")
        if isinstance(about, int):  # the note refers to a line
            content = {**content, "line": self.number(about) if 0 < about < line.n else 1}
        return content if line.seat == self.seat else self._visible(content, self.seat)


def encode_events(line: Line) -> list[Raw]:
    """Encode the events of a line for clients, each with its `type` and `rules`."""
    return [{"type": raw.get("type", ""), "rules": list(raw.get("rules", ())), **raw} for raw in line.events]


def encode_lines(lines: Sequence[Line]) -> Raw:
    """Encode lines for clients, independent of the game: all their events, and each line by itself."""
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
