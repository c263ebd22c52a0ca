"""Interceptions of a stack that sails: who may try, in which order, and what the die says.

Rules: EIA 6.2.3
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from paxtui.empires.history.sea_events import InterceptionRolled, StackMoved, VoyageSet
from paxtui.empires.naval.battle.sides import engage, lead, opponents
from paxtui.empires.naval.entering import sea_open
from paxtui.empires.naval.places import kind, place_of, port_of, ports_of, seas_beside, spot
from paxtui.empires.naval.stacks import admiral, blockaders, hostile, powers_of, stack
from paxtui.empires.play.play import Play
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Fleet
from paxtui.empires.state.questions import Question
from paxtui.empires.state.sea import Voyage
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.order_of_powers import NAVAL, sequence

NUMBER = "naval.intercept"
"""The cell of the highest die that intercepts at sea: 6.2.3.2.2 lacks it."""
CHANCE = "interception"
"""The question of whether to intercept, and with which stack."""
PASS = "none"
"""The answer of who lets them pass."""


def sailing(state: State, voyage: Voyage) -> tuple[Fleet, ...]:
    """The fleets of a voyage that are still afloat."""
    return tuple(state.fleets[name] for name in voyage.fleets if name in state.fleets)


def chances(tables: Tables, state: State, voyage: Voyage) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The Powers that may try now, one group after the other, each with the places of the stacks it may try with.

    Rules: EIA 6.2.3.1, 6.2.3.1.1, 6.2.3.1.2
    """
    fleets = sailing(state, voyage)
    ours = powers_of(fleets)
    for group in sequence(tables, state, NAVAL):
        foes = tuple(one for one in group if one not in ours and hostile(state, one, fleets))
        if not foes or any(one in voyage.tried for one in foes):
            continue
        starts = tuple(place for place in _starts(tables, voyage) if _fit(tables, state, voyage, foes, place))
        if starts:
            yield foes, starts


def _starts(tables: Tables, voyage: Voyage) -> tuple[str, ...]:
    """The places from which the stack can be intercepted where it is.

    Rules: EIA 6.2.3.1, 6.2.3.1.2.1, 6.2.3.1.2.2, 6.2.3.1.2.3
    """
    place = voyage.place
    if kind(tables, place) == "sea":
        return (place, *seas_beside(tables, place), *ports_of(tables, place))
    if kind(tables, place) == "box":
        into_port = bool(voyage.route) and voyage.route[0] == port_of(place)
        return () if into_port and not voyage.seeking else (place,)
    return ()


def _fit(tables: Tables, state: State, voyage: Voyage, foes: tuple[str, ...], start: str) -> bool:
    """Whether a stack of these Powers at `start` may try.

    Rules: EIA 6.2.3.1.2.2, 6.2.3.1.2.4, 6.2.3.4.2, 6.2.1.4
    """
    fleets = stack(state, start, foes)
    if not fleets or any(fleet.id in state.at_sea.barred for fleet in fleets):
        return False
    if kind(tables, start) == "port" and any(blockaders(state, start, fleet.power) for fleet in fleets):
        return False
    powers = powers_of(fleets)
    if start == voyage.place:
        return sea_open(tables, state, (), start)
    return sea_open(tables, state, powers, voyage.place) and sea_open(tables, state, (), start)


def offer(play: Play, voyage: Voyage) -> None:
    """Ask the next Power that may intercept; when nobody is left the stack may sail on.

    Rules: EIA 6.2.3.1.1, 6.2.3.1.2.5, 6.2.3.2.1.1, 6.2.3.2.1.2
    """
    for foes, starts in chances(play.tables, play.state, voyage):
        asked = lead(play.state, stack(play.state, starts[0], foes))
        rule = "EIA 6.2.3.2.1" if kind(play.tables, voyage.place) == "box" else "EIA 6.2.3.1"
        play.ask(CHANCE, asked, (*starts, PASS), voyage.place, *voyage.fleets, rules=(rule,))
        return
    play.emit(VoyageSet(voyage=replace(voyage, entered=False)))


def answer(play: Play, question: Question, choice: str) -> None:
    """Intercept, or let pass.

    Rules: EIA 6.2.3.1.1, 6.2.3.2.1, 6.2.3.2.2, 6.2.3.2.3
    """
    state, tables = play.state, play.tables
    voyage = state.at_sea.voyage
    assert voyage is not None  # the question is asked of a stack that sails
    foes = next(group for group, _ in chances(tables, state, voyage))
    play.emit(VoyageSet(voyage=replace(voyage, tried=(*voyage.tried, *foes))))
    if choice == PASS:
        return
    fleets = stack(state, choice, foes)
    if kind(tables, voyage.place) == "sea" and not _succeeds(play, voyage, fleets, choice):
        return
    _meet(play, voyage, fleets)


def _succeeds(play: Play, voyage: Voyage, fleets: tuple[Fleet, ...], start: str) -> bool:
    """Whether the die lets a stack intercept at sea.

    Rules: EIA 6.2.3.2.2, 6.2.3.2.3
    """
    die = play.roll()
    modified = die - bool(admiral(play.state, fleets))
    needed = play.tables.number(NUMBER)
    play.emit(
        InterceptionRolled(
            powers=powers_of(fleets),
            start=start,
            place=voyage.place,
            die=die,
            modified=modified,
            needed=needed,
            rules=("EIA 6.2.3.2.2", "EIA 6.2.3.2.3"),
        )
    )
    return modified <= needed


def _meet(play: Play, voyage: Voyage, fleets: tuple[Fleet, ...]) -> None:
    """The interceptor comes to where the stack is, and they fight at once.

    Rules: EIA 6.2.3.2.4, 6.2.3.3
    """
    if place_of(fleets[0]) != voyage.place:
        where, box = spot(play.tables, voyage.place)
        names = tuple(fleet.id for fleet in fleets)
        play.emit(
            StackMoved(fleets=names, where=where, box=box, points=0, errand="intercept", rules=("EIA 6.2.3.2.4",))
        )
    powers = powers_of(fleets)
    phasing = sailing(play.state, voyage)[0].power
    defenders = opponents(play.tables, play.state, powers, phasing, voyage.place)
    engage(play, voyage.place, powers, defenders, "interception", phasing, ("", voyage.before))
