"""Routes of land counters: every path that a counter can march, and the cheapest one to a goal.

Rules: EIA 7.3.1, 7.3.2
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from paxtui.empires.play.allowances import entry_cost, walked_cost
from paxtui.empires.play.play import refuse
from paxtui.empires.play.presence import COSSACK, FREIKORPS, enemy_corps, open_land
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Corps
from paxtui.empires.supply.lines import crossing_closed
from paxtui.empires.tables.tables import Tables
from paxtui.engine.refusal import Refusal

PASSING = (COSSACK, FREIKORPS)
"""Counters that need not stop for enemies. Rules: EIA 7.3.2.2"""

FAR = 999
"""Movement points for a search without a limit."""


class Route(NamedTuple):
    """A route of a counter: movement points, areas entered one after the other, and the lowest forage value on it."""

    cost: int
    path: tuple[str, ...]
    forage: int


def enemies_outside(state: State, power: str, area: str) -> tuple[Corps, ...]:
    """Return the enemy corps in an area that make a counter stop. Rules: EIA 7.3.2.1, 7.3.7.1"""
    return enemy_corps(state, power, area, outside=True)


def step_cost(tables: Tables, state: State, corps: Corps, start: str, area: str) -> tuple[int, bool]:
    """Return what one step costs, and whether it crosses a river. Raises: Refusal, if it is not possible.

    Rules: EIA 7.3.1.3
    """
    border = tables.ways.get(start, {}).get(area)
    if border is None or tables.areas[area].sea:
        refuse("not_adjacent", f"No way leads from {tables.name(start)} to '{area}' on land.", "EIA 7.3.1")
    if crossing_closed(state, corps.power, border):
        refuse("crossing_closed", "An enemy fleet closes the crossing.", "EIA 7.3.1.3.3")
    if not open_land(tables, state, corps.power, area):
        refuse("no_access", f"{tables.name(area)} is neither one's own, an ally's, nor an enemy's.", "EIA 7.3")
    river, arrow = border.kind == "river", border.kind == "crossing"
    cost = entry_cost(tables.areas[area].terrain, river, arrow, bool(enemy_corps(state, corps.power, area)))
    return walked_cost(corps.kind, cost), river


def _steps(tables: Tables, state: State, corps: Corps, at: str) -> Iterator[tuple[str, int]]:
    """Yield the areas that a counter can enter from an area, each with its cost."""
    if at != corps.where and corps.kind not in PASSING and enemies_outside(state, corps.power, at):
        return
    for area in tables.ways[at]:
        try:
            yield area, step_cost(tables, state, corps, at, area)[0]
        except Refusal:
            continue


def all_paths(tables: Tables, state: State, corps: Corps, points: int) -> Iterator[tuple[str, ...]]:
    """Yield every path of a counter that enters no area twice and costs no more than some movement points."""

    def onwards(at: str, left: int, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for area, cost in _steps(tables, state, corps, at):
            if cost <= left and area != corps.where and area not in path:
                yield (*path, area)
                yield from onwards(area, left - cost, (*path, area))

    yield from onwards(corps.where, points, ())


def cheapest_routes(tables: Tables, state: State, corps: Corps, points: int = FAR, start: str = "") -> dict[str, Route]:
    """Return the cheapest route of a counter to every area within some movement points.

    Of equally cheap routes it takes the one with the better forage value, then the shorter one.
    """
    origin = start or corps.where
    found: dict[str, Route] = {}
    edge: list[tuple[int, int, int, tuple[str, ...]]] = [(0, -FAR, 0, ())]
    while edge:
        cost, forage, _, path = heappop(edge)
        at = path[-1] if path else origin
        if at in found:
            continue
        found[at] = Route(cost, path, -forage)
        for area, more in _steps(tables, state, corps, at):
            if cost + more <= points and area not in found:
                worst = min(-forage, tables.areas[area].forage)
                heappush(edge, (cost + more, -worst, len(path) + 1, (*path, area)))
    del found[origin]
    return found


def written_out(tables: Tables, state: State, corps: Corps, path: tuple[str, ...]) -> tuple[str, ...]:
    """Return a path with the areas filled in that it leaves out, by the cheapest route between those that it names.

    A path that cannot be filled in is returned as it is.
    """
    whole: list[str] = []
    at = corps.where
    for area in path:
        if area not in tables.ways.get(at, {}):
            route = cheapest_routes(tables, state, corps, start=at).get(area)
            if route is None:
                return path
            whole += route.path[:-1]
        whole.append(area)
        at = area
    return tuple(whole)
