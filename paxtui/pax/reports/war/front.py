"""The map in a war view: whose side each place is on, the Lines of Supply, blockades, coaling, reach and danger.

Rules: WMV-021, WMV-024, SUP-005, SUP-009, SUP-012, SUP-017
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from paxtui.pax.board.status import controllers
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.reports.war.peril import perils
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, Unit
from paxtui.pax.state.war import War
from paxtui.pax.war.campaign import coaling, lines, reach

Edge = tuple[str, str]
"""Two places that a Line of Supply joins, the one nearer to its source first."""


class Front(NamedTuple):
    """A War on the map.

    Attributes:
        held: number of the Alliance that holds a place in War, of those that belligerents hold.
        conquered: Areas that an Alliance has conquered.
        units: the belligerents' Units in every place where some are, each with the number of its Alliance.
        own_lines, enemy_lines: the Lines of Supply of the side looked at and of all others, to their Armies abroad and
            to what they have conquered.
        blockaded: Areas at whose coast an enemy fleet lies, so that a line of their holders is cut there.
        coaling: the seas in which some Power of the side looked at has Coaling Rights.
        volunteered: Areas volunteered to some Alliance.
        peril: places where Units surrender, or that fall, at the next Supply Determination of their Alliance.
        within: places that Armies of the side looked at could come to, given time.
    """

    held: dict[str, int]
    conquered: dict[str, int]
    units: dict[str, tuple[tuple[int, Unit], ...]]
    own_lines: frozenset[Edge]
    enemy_lines: frozenset[Edge]
    blockaded: frozenset[str]
    coaling: frozenset[str]
    volunteered: frozenset[str]
    peril: frozenset[str]
    within: frozenset[str]


def front(tables: Tables, state: State, war: War, side: int) -> Front:
    """A War on the map, with the eyes of an Alliance (0: of nobody's, its lines are all enemy lines).

    Rules: SUP-004, SUP-005, SUP-012
    """
    numbers = [n for n, powers in enumerate(war.alliances, start=1) if powers]
    own: set[Edge] = set()
    enemy: set[Edge] = set()
    seas: set[str] = set()
    blockaded: set[str] = set()
    danger: set[str] = set()
    for number in numbers:
        for power in war.alliance(number):
            (own if number == side else enemy).update(_lines(tables, state, war, number, power))
            if number == side:
                seas |= coaling.rights(tables, state, war, power)
        blockaded.update(a for a in lines.ground(tables, state, war, number).shut if _holds(state, war, number, a))
        danger.update(peril.place for peril in perils(tables, state, war, number))
    within = {place for power in war.alliance(side) for place in reach.reach(tables, state, war, power)}
    return Front(
        _held(state, war),
        {c.area: c.alliance for c in war.conquered},
        _units(state, war),
        frozenset(own),
        frozenset(enemy - own),
        frozenset(blockaded),
        frozenset(seas),
        frozenset(c.area for c in war.coaling),
        frozenset(danger),
        frozenset(within),
    )


def _holds(state: State, war: War, number: int, area: str) -> bool:
    return bool(lines.holders(state, war, number, area))


def _held(state: State, war: War) -> dict[str, int]:
    """The Alliance that holds each place: by conquest, else by its first belligerent's Control."""
    found = {HOME + power: war.side_of(power) for power in war.powers}
    for area in state.areas:
        number = war.conqueror(area) or next((n for p in controllers(state, area) if (n := war.side_of(p))), 0)
        if number:
            found[area] = number
    return found


def _units(state: State, war: War) -> dict[str, tuple[tuple[int, Unit], ...]]:
    places: Iterable[tuple[str, tuple[Unit, ...]]] = (
        *((area, here.units) for area, here in state.areas.items()),
        *state.at_sea.items(),
        *((HOME + power, units) for power, units in state.homes.items()),
    )
    found = {}
    for place, units in places:
        mine = tuple((n, u) for u in units if (n := war.side_of(u.power)))
        if mine:
            found[place] = tuple(sorted(mine, key=lambda pair: (pair[0], pair[1].kind != ARMY, -pair[1].strength)))
    return found


def _lines(tables: Tables, state: State, war: War, number: int, power: str) -> set[Edge]:
    """The steps of the shortest lines to a Power's Armies abroad and to what its Alliance has conquered.

    Rules: SUP-009, SUP-010, SUP-011
    """
    before = lines.traced(tables, state, war, power)
    ends = [area for area, here in state.areas.items() if any(u.power == power and u.kind == ARMY for u in here.units)]
    ends += [zone for zone, units in state.at_sea.items() if any(u.power == power and u.kind == ARMY for u in units)]
    ends += [c.area for c in war.conquered if c.alliance == number]
    found: set[Edge] = set()
    for end in ends:
        place = end
        while place in before and before[place] != place and (before[place], place) not in found:
            found.add((before[place], place))
            place = before[place]
    return found
