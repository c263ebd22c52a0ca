"""What a report is made of: pages of sections of lines, each with the place it is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.pax.history import events as ev

GOOD, BAD, PLAIN, FAINT = "good", "bad", "", "faint"
"""How a line concerns its reader: a gain, a loss or a danger, neither, or hardly at all."""


class Told(NamedTuple):
    """A line of a report.

    Attributes:
        text: a whole sentence.
        place: the Area, Sea Zone or Home Country that it is about; "" for none.
        tone: GOOD, BAD, PLAIN or FAINT.
    """

    text: str
    place: str = ""
    tone: str = PLAIN


class Section(NamedTuple):
    """Lines of one matter under a heading."""

    title: str
    lines: tuple[Told, ...]


class Standing(NamedTuple):
    """Where a seat stands in Victory Points at the end of a Game Turn.

    Attributes:
        rank: 1 for the most; seats with as many share it.
        total, gained: Victory Points in all, and of this Game Turn.
        why: where those of this Game Turn came from, in words.
    """

    seat: str
    rank: int
    total: int
    gained: int
    why: str


class Page(NamedTuple):
    """A page of a report.

    Attributes:
        title: what stands over it.
        sections: in the order in which they are read; none is empty.
        standings: the Victory Points, at the end of a Game Turn.
    """

    title: str
    sections: tuple[Section, ...]
    standings: tuple[Standing, ...] = ()

    def lines(self) -> Iterator[Told]:
        """All lines of all sections."""
        for section in self.sections:
            yield from section.lines

    def places(self) -> tuple[str, ...]:
        """The places that its lines are about, in their order, one for each line that has one."""
        return tuple(line.place for line in self.lines() if line.place)


class Act(NamedTuple):
    """An act in force, and what happened by it as a seat may know it. `seat`: who acted."""

    seat: str
    events: tuple[ev.Event, ...]


def sections(*some: tuple[str, list[Told]]) -> tuple[Section, ...]:
    """Those of some sections that have lines."""
    return tuple(Section(title, tuple(lines)) for title, lines in some if lines)
