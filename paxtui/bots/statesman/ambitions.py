"""What Control of an Area brings towards the bonuses of the end, and what it opens behind itself."""

from __future__ import annotations

from collections import deque

from msgspec.structs import replace

from paxtui.bots.statesman.outlook import Outlook
from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.neighbours import board
from paxtui.pax.board.status import at, controllers, controls, established
from paxtui.pax.board.tables import AfricaPath, Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import FULL, INFLUENCE, PROTECTORATE, Marker

NEAR = 0.45
"""What a bonus is worth for each Area that is still missing, as a share of what it is with one fewer."""
BEHIND = 0.2
"""What an Area that is opened is worth, as a share of an Influence there."""


def bonus(outlook: Outlook, state: State, area: str) -> float:
    """Pounds for which Control of an Area brings bonuses of the end nearer, or keeps penalties off."""
    after = held(state, area, outlook.power)
    points = standing(outlook.tables, after, outlook.power) - standing(outlook.tables, state, outlook.power)
    return points * outlook.point


def held(state: State, area: str, power: str, marker: str = PROTECTORATE) -> State:
    """The position with established Control of an Area."""
    here = at(state, area)
    others = tuple(m for m in here.markers if m.power != power)
    there = replace(here, markers=(*others, Marker(power, marker)), unrest=False)
    return replace(state, areas={**state.areas, area: there})


def standing(tables: Tables, state: State, power: str) -> float:
    """Victory Points of the end that Control of Areas brings a Power, each the less sure the more Areas it lacks."""
    total = 0.0
    for row in tables.bonuses_at_end:
        if row.power not in (power, "each"):
            continue
        test = row.when
        if test is not None and test.by == power:
            missing = test.at_least - sum(controls(state, a, power) for a in test.areas)
            total += row.points * NEAR ** max(0, missing)
        lost = row.per_area_lost
        if lost is not None and lost.by == power:
            total += row.points * sum(not controls(state, a, power) for a in lost.areas)
    for path in tables.africa_paths:
        more = lacking(tables, state, power, path)
        if more is not None:
            total += path.points * NEAR**more
    return total


def lacking(tables: Tables, state: State, power: str, path: AfricaPath) -> int | None:
    """The fewest Areas whose Control a Power still needs for a path across Africa; None where rivals bar it."""
    routes = board(tables, state).routes
    through = {*path.through, *path.one_end, *path.other_end}
    cost = {area: _price(state, area, power) for area in through}
    best: dict[str, int] = {}
    todo: deque[str] = deque()
    for area in path.one_end:
        first = cost[area]
        if first is not None:
            best[area] = first
            todo.append(area)
    while todo:
        area = todo.popleft()
        for other in routes.get(area, ()):
            more = cost.get(other)
            if more is not None and best[area] + more < best.get(other, 99):
                best[other] = best[area] + more
                todo.append(other)
    return min((best[area] for area in path.other_end if area in best), default=None)


def _price(state: State, area: str, power: str) -> int | None:
    """Areas to win for a step of a path: 0 for its own, None where a rival has Control."""
    if controls(state, area, power):
        return 0
    return None if controllers(state, area) else 1


def opens(outlook: Outlook, state: State, area: str) -> float:
    """Pounds for what Control of an Area would open to the Power that is not open yet."""
    tables, power = outlook.tables, outlook.power
    if not outlook.who.looks_on or outlook.years < 2:
        return 0.0
    new = linked_areas(tables, held(state, area, power), power) - linked_areas(tables, state, power)
    return BEHIND * sum(free_trade(outlook, state, other) for other in new)


def free_trade(outlook: Outlook, state: State, area: str) -> float:
    """Pounds for what an Area would bring that has just been opened: the better of Interest and Influence."""
    here = at(state, area)
    if established(state, area, outlook.power) is not None or any(m.marker in FULL for m in here.markers):
        return 0.0
    if controllers(state, area):
        return outlook.worth(state, area, "interest")
    return max(outlook.worth(state, area, INFLUENCE), outlook.worth(state, area, "interest"))
