"""Describe events in sentences, and the data structures of reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple, TypeVar

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.narration.labels import NameRegistry
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import capitalize


def place_of(event: ev.Event) -> str:
    """Return the Area, Sea Zone or Home Country of an event; "" for none. For a move, its end."""
    if isinstance(event, ev.UnitsMoved):
        return event.path[-1]
    if isinstance(event, ev.ChoiceOffered):
        return event.choice.area
    if isinstance(event, ev.MerchantMoved):
        return event.to
    if isinstance(event, ev.BattleFought):
        return event.place  # its `area` is a strength
    return str(getattr(event, "area", "") or getattr(event, "place", ""))


AnyEvent = TypeVar("AnyEvent", bound=ev.Event)


def with_consequences(
    events: Sequence[ev.Event], kind: type[AnyEvent], follows: tuple[type, ...], ends: tuple[type, ...]
) -> Iterator[tuple[AnyEvent, tuple[ev.Event, ...]]]:
    """Yield each event of a kind with its consequences: the later events in its place, up to the next of the kind.

    Args:
        events: the events of an act, or of several.
        kind: type of the events, combats or battles.
        follows: types of the consequences.
        ends: types of the events that begin something else.
    """
    starts = [n for n, event in enumerate(events) if isinstance(event, kind)]
    for start, end in pairwise([*starts, len(events)]):
        event = events[start]
        assert isinstance(event, kind)
        place = place_of(event)
        rest = takewhile(lambda later: not isinstance(later, ends), events[start + 1 : end])
        found = (later for later in rest if isinstance(later, follows))
        yield event, tuple(e for e in found if place in (e.path if isinstance(e, ev.UnitsMoved) else (place_of(e),)))


_BOOKKEEPING = (ev.SeatReady, ev.ReadyCleared, ev.ChoiceOffered, ev.BallotCast, ev.ClauseDone)


def is_bookkeeping(event: ev.Event) -> bool:
    """Whether an event is bookkeeping and not news: ready marks, questions, ballots."""
    if isinstance(event, ev.TreasuryChanged):
        return event.amount < 0 or event.reason == ev.UNTOLD
    if isinstance(event, ev.Noted):
        return event.code == "no_army"
    return isinstance(event, _BOOKKEEPING)


class Narrator:
    """Describes events, using the names it has learned from earlier events.

    Args:
        start: Initial position, whose names are learned.
    """

    def __init__(self, tables: Tables, start: State | None = None) -> None:
        self.known = NameRegistry(tables)
        if start is not None:
            self.known.learn_all(start.treaties, start.choices, start.casus_belli, start.wars)

    def learn(self, events: Iterable[ev.Event]) -> None:
        """Learn names from events without describing them."""
        for event in events:
            self.known.learn(event)

    def tell(self, event: ev.Event) -> str:
        """Describe an event in one line; "" for none."""
        self.known.learn(event)
        text = event.describe(self.known.tables, self.known)
        sign = "⚔ " if text.startswith("⚔ ") else ""
        return sign + capitalize(text.removeprefix(sign))


GOOD, BAD, PLAIN, FAINT = "good", "bad", "", "faint"
"""Tone of a line for its reader: gain; loss or danger; neutral; of little interest."""


class ReportLine(NamedTuple):
    """A line of a report.

    Attributes:
        text: a complete sentence.
        place: its Area, Sea Zone or Home Country; "" for none.
        tone: GOOD, BAD, PLAIN or FAINT.
    """

    text: str
    place: str = ""
    tone: str = PLAIN


class ReportSection(NamedTuple):
    """Lines under a heading."""

    title: str
    lines: tuple[ReportLine, ...]


class SeatStanding(NamedTuple):
    """Victory Points of a seat at the end of a Game Turn.

    Attributes:
        rank: 1 for the most; seats with equal points share a rank.
        total, gained: Victory Points in total, and in this Game Turn.
        why: the sources of this Game Turn's points, as text.
    """

    seat: str
    rank: int
    total: int
    gained: int
    why: str


class ReportPage(NamedTuple):
    """A page of a report.

    Attributes:
        title: Title of the page.
        sections: Sections in reading order; none is empty.
        standings: Victory Points at the end of a Game Turn.
    """

    title: str
    sections: tuple[ReportSection, ...]
    standings: tuple[SeatStanding, ...] = ()

    def lines(self) -> Iterator[ReportLine]:
        for section in self.sections:
            yield from section.lines

    def places(self) -> tuple[str, ...]:
        """The places of its lines in sequence, one for each line with a place."""
        return tuple(line.place for line in self.lines() if line.place)


class VisibleAct(NamedTuple):
    """An effective act with its events as a seat knows them. `seat`: the seat that acted."""

    seat: str
    events: tuple[ev.Event, ...]


def nonempty_sections(*some: tuple[str, list[ReportLine]]) -> tuple[ReportSection, ...]:
    """Return the sections that have lines."""
    return tuple(ReportSection(title, tuple(lines)) for title, lines in some if lines)
