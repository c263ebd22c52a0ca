"""How a game stands, as everybody is told of it who looks at the house; and what is kept of a game that sleeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui.net.hosted import Hosted, HostedAsleep
from paxtui.pax.orders.seating import sitter_words
from paxtui.pax.reports.must_do import must_dos

MOST_TASKS = 3
"""Things that wait for a seat which are named."""


class Standing(msgspec.Struct, frozen=True):
    """How a game stands.

    Attributes:
        name: what it is called in the house.
        year: of the calendar of the game.
        turn: Game Turn.
        phase: of the sequence of play.
        over: it has ended.
        seats: all of them, in the order of the table.
        bots: what those are called that play themselves, by seat.
        here: the seats at which somebody is.
        waits_for: the seats that the game waits for.
        ready: the seats that are ready.
        since: since when each person's seat is waited for, ISO 8601 in UTC.
        thinks: bots are at their moves.
        asleep: only this is in memory, and the log is on the disk.
        lines: of the log.
        dice: where its dice come from, in a few words.
        clock: how much time there is, in sentences; "" where there is no clock.
    """

    name: str
    year: int
    turn: int
    phase: str
    over: bool
    seats: tuple[str, ...]
    bots: dict[str, str]
    here: tuple[str, ...]
    waits_for: tuple[str, ...]
    ready: tuple[str, ...]
    since: dict[str, str]
    thinks: bool
    asleep: bool
    lines: int
    dice: str
    clock: str


def standing_of(hosted: Hosted, since: Mapping[str, str]) -> Standing:
    """How an open game stands. Args: it; since when each person's seat is waited for."""
    table, state = hosted.table, hosted.table.state
    return Standing(
        hosted.name,
        table.tables.turns[state.turn - 1].year,
        state.turn,
        state.phase,
        state.result is not None,
        state.players,
        {seat: sitter_words(sitter) for seat in state.players if (sitter := table.sitter(seat)).plays_itself},
        hosted.here,
        table.waiting,
        state.ready,
        dict(since),
        hosted.thinks,
        False,
        table.version,
        hosted.dice_told,
        hosted.time.told,
    )


def tasks_of(hosted: Hosted, seat: str) -> tuple[str, ...]:
    """What waits for a seat of an open game, in sentences, the most pressing first."""
    table = hosted.table
    return tuple(must.text for must in must_dos(table.tables, table.state_for(seat), seat)[:MOST_TASKS])


class Asleep(NamedTuple):
    """A game that sleeps.

    Attributes:
        standing: how it stands.
        tasks: what waits for the seats of persons.
        rest: what it goes on with when it wakes.
        tip: the hash of the last line of its log.
    """

    standing: Standing
    tasks: dict[str, tuple[str, ...]]
    rest: HostedAsleep
    tip: str

    def told(self, tick: float) -> Standing:
        """How it stands now. Args: the clock that nobody sets, in seconds."""
        return replace(self.standing, clock=self.rest.time.told(tick))


def fallen_asleep(hosted: Hosted, since: Mapping[str, str]) -> Asleep:
    """What is kept of a game that is closed by this. Args: it; since when each person's seat is waited for."""
    standing = replace(standing_of(hosted, since), asleep=True)
    persons = () if standing.over else (seat for seat in standing.seats if seat not in standing.bots)
    tasks = {seat: found for seat in persons if (found := tasks_of(hosted, seat))}
    return Asleep(standing, tasks, hosted.fall_asleep(), hosted.table.game.tip)
