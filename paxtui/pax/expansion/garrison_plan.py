"""Which army garrisons which Area: what is missing, and the fewest moves that mend it.

Rules: STA-037 to STA-042, STA-045, STA-048, STA-050, COD-007 (R-STA-09)
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from paxtui.pax.board import paths
from paxtui.pax.board.holdings import holdings
from paxtui.pax.board.status import at, controls
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.expansion.special_garrisons import (
    HEAVY,
    INDIAN,
    KEPT,
    WESTERN,
    heavies,
    india_zone,
    is_heavy,
    western_zone,
)
from paxtui.pax.history import events as ev
from paxtui.pax.history.evolve import evolve
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY, CONTROL, LEVEL, Unit

Rank = tuple[int, int]
"""What is garrisoned first: level of the Control marker, then Economic Value."""


class March(NamedTuple):
    """A move of the automatic fix."""

    unit: str
    path: tuple[str, ...]

    def order(self, power: str) -> ac.Move:
        """The order, `power` being who acts."""
        return ac.Move((self.unit,), (self.path[0], self.path[-1]), power=power)


class Army(NamedTuple):
    """An Army Unit as the fix sees it: where it is, and the Controlled Areas it may garrison."""

    number: int
    place: str
    unit: Unit
    ends: frozenset[str]


def garrisoned(state: State, area: str, power: str) -> bool:
    """Whether the Power has an Army Unit of its own in the Area (STA-037, COD-007)."""
    for u in at(state, area).units:  # noqa: SIM110 (asked too often for a generator)
        if u.power == power and u.kind == ARMY:
            return True
    return False


def missing(tables: Tables, state: State, power: str) -> list[str]:
    """Controlled Areas of the Power without an Army Unit of its own, the most important first.

    Rules: STA-037, COD-007
    """
    areas = [
        area
        for area, marker in holdings(state, power)
        if marker in CONTROL and not garrisoned(state, area, power)
    ]
    return sorted(areas, key=lambda a: priority(tables, state, power, a), reverse=True)


def priority(tables: Tables, state: State, power: str, area: str) -> Rank:
    """What is garrisoned first: States and Dominions, Possessions, Protectorates, each by Economic Value.

    Rules: STA-040, STA-041
    """
    held = next(m for m in at(state, area).markers if m.power == power and m.established and m.marker in CONTROL)
    return LEVEL[held.marker], tables.areas[area].value


def plan(tables: Tables, state: State, power: str) -> list[March]:
    """The automatic fix: the fewest moves found after which every Area that can be garrisoned is.

    Areas left over are the least important ones. The Indian Army goes back to its zone first.

    Rules: STA-039, STA-040, STA-041, STA-042, STA-045, STA-048, STA-050
    """
    marches = indian_marches(tables, state, power)
    for march in marches:
        state = evolve(state, ev.UnitsMoved(power=power, units=(march.unit,), path=march.path))
    if missing(tables, state, power):
        marches += _assign(tables, state, power)
    return marches


def indian_marches(tables: Tables, state: State, power: str) -> list[March]:
    """Army (10) Units that have to go back within two Areas of India: those that garrison least, where they are needed.

    Rules: STA-042, STA-045, STA-047
    """
    if power != INDIAN:
        return []
    zone, counts = india_zone(tables, state), heavies(state, power)
    lacking = KEPT - sum(n for p, n in counts.items() if p in zone)
    if lacking <= 0:
        return []
    empty = [a for a in missing(tables, state, power) if a in zone]
    out: list[March] = []
    places = (p for p in counts if p not in zone and paths.may_start(state, power, p))
    for place in sorted(places, key=lambda p: _weight(tables, state, power, p)):
        free = sum(is_heavy(u, power) and not u.halted for u in units_at(state, place))
        ways = {end: way for end, way in paths.reach(tables, state, power, place).items() if end in zone}
        for _ in range(min(free, lacking) if ways else 0):
            end = next((a for a in empty if a in ways), None) or _easiest(state, power, ways)
            empty = [a for a in empty if a != end]
            out.append(March(f"A{HEAVY}", ways[end]))
            lacking -= 1
    return out


def _weight(tables: Tables, state: State, power: str, place: str) -> Rank:
    """How much a place would lose with an army: nothing at home and where others stay, else its priority."""
    armies = sum(u.power == power and u.kind == ARMY for u in units_at(state, place))
    if place.startswith(HOME) or armies > 1 or not controls(state, place, power):
        return 0, 0
    return priority(tables, state, power, place)


def _easiest(state: State, power: str, ways: dict[str, tuple[str, ...]]) -> str:
    """The nearest end, one at peace if there is one."""
    return min(ways, key=lambda end: (paths.entry(state, power, end) != paths.PASS, len(ways[end])))


def _armies(tables: Tables, state: State, power: str) -> list[Army]:
    """Every Army Unit of the Power with the Controlled Areas it may garrison, in the order in which it is taken."""
    own = frozenset(a for a in tables.areas if controls(state, a, power))
    known: list[frozenset[str]] = []
    out: list[Army] = []
    places = [HOME + power, *(a for a, here in state.areas.items() if any(u.power == power for u in here.units))]
    for place in places:
        armies = [u for u in units_at(state, place) if u.power == power and u.kind == ARMY]
        ends = _ends(tables, state, power, place, known) if armies else frozenset()
        for unit in sorted(armies, key=lambda u: u.strength):
            free = frozenset() if unit.halted else ends
            out.append(Army(len(out), place, unit, (free | {place}) & own))
    zone = india_zone(tables, state) if power == INDIAN else western_zone(tables) if power == WESTERN else frozenset()
    return _bind(out, power, zone) if zone else out


def _ends(tables: Tables, state: State, power: str, place: str, known: list[frozenset[str]]) -> frozenset[str]:
    """Places where a move from `place` may end. Places that armies pass share what they reach: `known` keeps it."""
    if not paths.may_start(state, power, place):
        return frozenset()
    passed = place == HOME + power or paths.entry(state, power, place) == paths.PASS
    if passed:
        for network in known:
            if place in network:
                return network
    ends = frozenset(paths.reach(tables, state, power, place)) | {place}
    if passed:
        known.append(ends)
    return ends


def _bind(armies: list[Army], power: str, zone: frozenset[str]) -> list[Army]:
    """Keep three Army (10) Units within the zone of a special garrison, those first that have to stay in any case.

    Of a Western Garrison of three or fewer none goes farther, wherever it is (STA-050).

    Rules: STA-042, STA-047, STA-048, STA-050
    """
    heavy = [a for a in armies if is_heavy(a.unit, power)]
    second = {a.number for a, b in pairwise(heavy) if b.place == a.place}
    within = sorted((a for a in heavy if a.place in zone), key=lambda a: (not a.unit.halted, a.number in second))
    bound = {a.number for a in within[:KEPT]}
    if power == WESTERN and len(heavy) <= KEPT:
        bound = {a.number for a in heavy}
    return [a._replace(ends=a.ends & (zone | {a.place})) if a.number in bound else a for a in armies]


def _assign(tables: Tables, state: State, power: str) -> list[March]:
    """Assign armies to Areas, the most important Areas first; armies stay where they are when they can."""
    armies = _armies(tables, state, power)
    rank = {a: priority(tables, state, power, a) for a in tables.areas if controls(state, a, power)}
    holder: dict[str, Army] = {}
    taken: dict[int, str] = {}
    for army in sorted(armies, key=lambda a: -a.unit.strength):
        if army.place in rank and army.place not in holder:
            holder[army.place], taken[army.number] = army, army.place
    for area in sorted((a for a in rank if a not in holder), key=lambda a: rank[a], reverse=True):
        _cover(area, armies, holder, taken, rank)
    _settle(armies, holder, taken)
    out = []
    for area, army in holder.items():
        if army.place != area:
            out.append(March(army.unit.name, paths.reach(tables, state, power, army.place)[area]))
    return sorted(out)


def _cover(
    area: str,
    armies: list[Army],
    holder: dict[str, Army],
    taken: dict[int, str],
    rank: dict[str, Rank],
) -> None:
    """Find an army for `area`: a free one by a chain of changes, or that of the least important Area in the chain."""
    came: dict[int, str] = {}
    todo, seen = [area], [area]
    spare: Army | None = None
    while todo and spare is None:
        here = todo.pop(0)
        for army in sorted(armies, key=lambda a: a.place != here):
            if here not in army.ends or army.number in came:
                continue
            came[army.number] = here
            held = taken.get(army.number)
            if held is None:
                spare = army
                break
            if held not in seen:
                seen.append(held)
                todo.append(held)
    if spare is None:
        lesser = [a for a in seen if rank[a] < rank[area]]
        if not lesser:
            return
        spare = holder.pop(min(lesser, key=lambda a: rank[a]))
    while True:
        here = came[spare.number]
        before = holder.get(here)
        holder[here], taken[spare.number] = spare, here
        if here == area or before is None:
            return
        spare = before


def _settle(armies: list[Army], holder: dict[str, Army], taken: dict[int, str]) -> None:
    """Spare a move: let an army stay if the one sent to take its place can go where it was sent itself."""
    for army in armies:
        goal, other = taken.get(army.number), holder.get(army.place)
        if goal and other and goal != army.place != other.place and goal in other.ends:
            holder[army.place], holder[goal] = army, other
            taken[army.number], taken[other.number] = army.place, goal
