"""Land movement: marches, force marches and landings, combined movement of allies, and routes.

Rules: EIA 7.3.1, 7.3.2, 7.3.5, 7.3.8.1, 7.3.8.2, 7.3.8.5
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.games.empires.board import (
    COSSACK,
    FREIKORPS,
    NO_FACTORS,
    can_enter_area,
    can_force_march,
    city_room,
    counters_in,
    enemy_corps,
    entry_cost,
    is_at_war,
    is_besieged,
    is_corps,
    is_friendly,
    is_own_territory,
    is_unbesieged,
    movement_allowance,
    points_left,
    points_used,
    trek_of,
)
from paxtui.games.empires.events.land import (
    CorpsStrength,
    FirstProposed,
    Landed,
    Marched,
    MoversOrdered,
    Quartered,
    Siege,
)
from paxtui.games.empires.land.depots import ask_depot_owner
from paxtui.games.empires.orders import Action, Disembark, ForceMarch, March
from paxtui.games.empires.pieces import Corps
from paxtui.games.empires.politics.declarations import roll_order
from paxtui.games.empires.state import Question, State
from paxtui.games.empires.supply_lines import is_crossing_closed, port_seas
from paxtui.games.empires.supply_step import end_last_march, is_in_winter
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction, refuse

FIRST = "moves_first"
"""What allies are asked who move together: which of them moves first."""


def settle_move_order(play: Transaction) -> None:
    """Ask allies for their order, and roll where they do not agree. Rules: EIA 7.3.8.1"""
    powers, campaign = play.state.cursor.powers, play.state.campaign
    if len(powers) < 2 or campaign.order:
        return
    for power in powers:
        if power not in campaign.proposed:
            play.ask(FIRST, power, powers, rules=("EIA 7.3.8.1",))
            return
    named = set(campaign.proposed.values())
    if len(named) == 1:
        first = named.pop()
        found = (first, *(one for one in powers if one != first))
    else:
        found = roll_order(play, powers, "combined movement", "EIA 7.3.8.1")
    play.emit(MoversOrdered(order=found, rules=("EIA 7.3.8.1",)))


def answer_move_order(play: Transaction, question: Question, choice: str) -> None:
    """The answer of one ally. Rules: EIA 7.3.8.1"""
    play.emit(FirstProposed(power=question.power, first=choice, rules=("EIA 7.3.8.1",)))


def current_movers(tables: Tables, state: State) -> tuple[str, ...]:
    """The Power that moves now: allies one after the other. Rules: EIA 7.3.8.1, 7.3.8.5"""
    left = [one for one in state.campaign.order or state.cursor.powers if one not in state.cursor.done]
    return tuple(left[:1])


def check_ally_area(play: Transaction, power: str, area: str) -> None:
    """Refuse an area where an earlier ally attacks a Power with which the later one is not at war. Raises: Refusal.

    Rules: EIA 7.3.8.5
    """
    state = play.state
    earlier = [one for one in state.campaign.order if one != power and one in state.cursor.done]
    there = {one.power for one in counters_in(state, area) if not one.inside}
    for ally in earlier:
        attacked = [one for one in there if is_at_war(state, ally, one)]
        if ally in there and any(not is_at_war(state, power, one) for one in attacked):
            name = play.tables.name(ally)
            refuse("ally_attacks", f"{name} attacks there, and not all defenders are your enemies.", "EIA 7.3.8.5")


PASSING = (COSSACK, FREIKORPS)
"""Counters that need not stop for enemies. Rules: EIA 7.3.2.2"""

MAX_POINTS = 999
"""Movement points for a search without a limit."""


WINTER_MOUNTAIN = "winter.mountain"
"""Cell: movement points that a mountain of the winter zone costs more in winter."""


class CounterRoute(NamedTuple):
    """A route of a counter: movement points, areas entered one after the other, and the lowest forage value on it."""

    cost: int
    path: tuple[str, ...]
    forage: int


def step_cost(tables: Tables, state: State, corps: Corps, start: str, area: str) -> tuple[int, bool]:
    """Return what one step costs, and whether it crosses a river. Raises: Refusal, if it is not possible.

    Rules: EIA 7.3.1.3, 9.1
    """
    border = tables.ways.get(start, {}).get(area)
    if border is None or tables.areas[area].sea:
        refuse("not_adjacent", f"No way leads from {tables.name(start)} to '{area}' on land.", "EIA 7.3.1")
    if is_crossing_closed(state, corps.power, border):
        refuse("crossing_closed", "An enemy fleet closes the crossing.", "EIA 7.3.1.3.3")
    if not can_enter_area(tables, state, corps.power, area):
        refuse("no_access", f"{tables.name(area)} is not yours, an ally's or an enemy's.", "EIA 7.3")
    river, arrow = border.kind == "river", border.kind == "crossing"
    cost = entry_cost(tables.areas[area].terrain, river, arrow, bool(enemy_corps(state, corps.power, area)))
    return points_used(corps.kind, cost + winter_cost(tables, state, area)), river


def winter_cost(tables: Tables, state: State, area: str) -> int:
    """Return the movement points that snow adds to an area: in winter, for mountains of the winter zone (ours)."""
    if tables.areas[area].terrain != "mountain" or not is_in_winter(tables, state, area):
        return 0
    return tables.optional_number(WINTER_MOUNTAIN)


def _reachable_steps(tables: Tables, state: State, corps: Corps, at: str) -> Iterator[tuple[str, int]]:
    """Yield the areas that a counter can enter from an area, each with its cost."""
    if at != corps.where and corps.kind not in PASSING and enemy_corps(state, corps.power, at, outside=True):
        return
    for area in tables.ways[at]:
        try:
            yield area, step_cost(tables, state, corps, at, area)[0]
        except Refusal:
            continue


def all_paths(tables: Tables, state: State, corps: Corps, points: int) -> Iterator[tuple[str, ...]]:
    """Yield every path of a counter that enters no area twice and costs no more than some movement points."""

    def onwards(at: str, left: int, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for area, cost in _reachable_steps(tables, state, corps, at):
            if cost <= left and area != corps.where and area not in path:
                yield (*path, area)
                yield from onwards(area, left - cost, (*path, area))

    yield from onwards(corps.where, points, ())


def path_cost(tables: Tables, state: State, corps: Corps, path: tuple[str, ...]) -> int:
    """Return the movement points of a path. Raises: Refusal, if a step is not possible."""
    steps = zip((corps.where, *path), path, strict=False)
    return sum(step_cost(tables, state, corps, start, area)[0] for start, area in steps)


def cheapest_routes(
    tables: Tables, state: State, corps: Corps, points: int = MAX_POINTS, start: str = ""
) -> dict[str, CounterRoute]:
    """Return the cheapest route of a counter to every area within some movement points.

    Of equally cheap routes it takes the one with the better forage value, then the shorter one.
    """
    origin = start or corps.where
    found: dict[str, CounterRoute] = {}
    edge: list[tuple[int, int, int, tuple[str, ...]]] = [(0, -MAX_POINTS, 0, ())]
    while edge:
        cost, forage, _, path = heappop(edge)
        at = path[-1] if path else origin
        if at in found:
            continue
        found[at] = CounterRoute(cost, path, -forage)
        for area, more in _reachable_steps(tables, state, corps, at):
            if cost + more <= points and area not in found:
                worst = min(-forage, tables.areas[area].forage)
                heappush(edge, (cost + more, -worst, len(path) + 1, (*path, area)))
    del found[origin]
    return found


def complete_path(tables: Tables, state: State, corps: Corps, path: tuple[str, ...]) -> tuple[str, ...]:
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


def own_counter(play: Transaction, power: str, name: str, rule: str = "EIA 7.3") -> Corps:
    """A counter of a Power on land. Raises: Refusal."""
    corps = play.state.corps.get(name)
    if corps is None or corps.power != power:
        refuse("no_corps", f"You have no corps '{name}'.", rule)
    if not corps.where:
        refuse("aboard", f"{name} is aboard a fleet.", "EIA 7.3.5")
    return corps


def check_free_to_move(play: Transaction, corps: Corps) -> None:
    """Refuse a counter that has ended its march or is shut in. Raises: Refusal. Rules: EIA 7.3.2, 7.3.4, 7.4.1"""
    campaign = play.state.campaign
    if not is_unbesieged(play.state, corps):
        refuse("besieged", f"{corps.id} is besieged.", "EIA 7.3.4")
    trek = campaign.treks.get(corps.id)
    if trek and trek.fed:
        refuse("march_over", f"{corps.id} has ended its march.", "EIA 7.3.1.4", "EIA 7.4.1")
    if trek and trek.path and campaign.moving != corps.id:
        refuse("march_over", f"Another counter has moved since {corps.id} did.", "EIA 7.3.2")


def march_counter(play: Transaction, power: str, action: March | ForceMarch) -> None:
    """Move a counter along areas. Raises: Refusal. Rules: EIA 7.3.1, 7.3.2"""
    marched = check_march(play, power, action)
    end_last_march(play, marched.corps)
    play.emit(marched)
    lift_empty_sieges(play)
    ask_depot_owner(play, power, marched.path[-1])


def check_march(play: Transaction, power: str, action: March | ForceMarch) -> Marched:
    """Return what a march comes to; nothing happens yet. Raises: Refusal. Rules: EIA 7.3.1, 7.3.2"""
    corps = own_counter(play, power, action.corps)
    check_free_to_move(play, corps)
    forced = isinstance(action, ForceMarch)
    if forced and not can_force_march(corps.kind):
        refuse("no_force_march", f"{corps.id} is a {corps.kind} counter, which does not force march.", "EIA 7.3.1.2")
    if forced and trek_of(play.state, corps).landed:
        refuse("no_force_march", "A corps that landed does not force march.", "EIA 7.3.1.2", "EIA 7.3.5")
    if not action.path:
        refuse("no_way", "Name the area to which it marches.", "EIA 7.3.2")
    points, cost, at, river = points_left(corps, forced), 0, corps.where, False
    stop = bool(enemy_corps(play.state, power, at, outside=True)) and bool(trek_of(play.state, corps).path)
    path = complete_path(play.tables, play.state, corps, action.path)
    for area in path:
        check_ally_area(play, power, area)
        if stop and corps.kind not in PASSING:
            refuse("must_stop", f"In {play.tables.name(at)} enemy corps make it stop.", "EIA 7.3.2.1")
        step, river = step_cost(play.tables, play.state, corps, at, area)
        cost += step
        if cost > points:
            name = play.tables.name(area)
            refuse("too_far", f"{name} costs {cost} points in all, and {points} are left.", "EIA 7.3.2.3")
        at, stop = area, bool(enemy_corps(play.state, power, area, outside=True))
    abroad = any(not is_own_territory(play.tables, play.state, power, area) for area in (corps.where, *path))
    return Marched(
        corps=corps.id,
        path=path,
        cost=cost,
        forced=forced,
        over_river=river,
        abroad=abroad,
        rules=("EIA 7.3.2",),
    )


def lift_empty_sieges(play: Transaction) -> None:
    """End sieges without besiegers outside or defenders inside the city. Rules: EIA 7.5.1.1.2"""
    for area, power in play.state.campaign.sieges.items():
        outside = any(one.power == power and not one.inside and is_corps(one) for one in counters_in(play.state, area))
        held = any(one.inside for one in counters_in(play.state, area)) or any(
            one.where == area and not one.of_depot for one in play.state.garrisons
        )
        if not (outside and held):
            play.emit(Siege(area=area, power="", rules=("EIA 7.3.7.1",)))


def disembark_corps(play: Transaction, power: str, action: Disembark) -> None:
    """Land a corps. Raises: Refusal. Rules: EIA 7.3.5"""
    tables, state = play.tables, play.state
    corps = state.corps.get(action.corps)
    fleet = next((one for one in state.fleets.values() if action.corps in one.cargo), None)
    if corps is None or corps.power != power or fleet is None:
        refuse("no_corps", f"You have no corps '{action.corps}' aboard a fleet.", "EIA 7.3.5")
    if action.area not in landing_places(tables, state, fleet.id):
        refuse("not_adjacent", "It lands next to its fleet, or in the area of the fleet's port.", "EIA 7.3.5")
    if not can_enter_area(tables, state, power, action.area):
        refuse("no_access", f"{tables.name(action.area)} is not yours, an ally's or an enemy's.", "EIA 7.3")
    inside = action.into == "port"
    if inside:
        shut = is_besieged(state, action.area) and is_friendly(tables, state, power, action.area)
        if not (tables.areas[action.area].port and shut):
            refuse("no_port", "Into the city it lands only in a friendly besieged port.", "EIA 7.3.5")
        if city_room(tables, state, action.area) < corps.factors.total:
            refuse("no_room", f"{tables.areas[action.area].city} does not hold it.", "EIA 7.3.5", "EIA 7.3.3.4")
    cost = movement_allowance(corps.kind, corps.swift and power == "france")
    end_last_march(play, corps.id)
    abroad = not is_own_territory(tables, state, power, action.area)
    play.emit(Landed(corps=corps.id, fleet=fleet.id, area=action.area, cost=cost, abroad=abroad, rules=("EIA 7.3.5",)))
    if inside:
        play.emit(Quartered(corps=corps.id, inside=True, rules=("EIA 7.3.5",)))


def landing_places(tables: Tables, state: State, fleet: str) -> tuple[str, ...]:
    """Where corps may land from a fleet: around its sea area, or in the area of its port. Rules: EIA 7.3.5"""
    where = state.fleets[fleet].where
    if state.fleets[fleet].box:
        return (where,)
    ashore = [area for area in tables.ways[where] if not tables.areas[area].sea]
    ports = [area.id for area in tables.exercise.areas if area.port and where in port_seas(tables, area.id)]
    return tuple(dict.fromkeys((*ashore, *ports)))


def movement_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Yield marches by the cheapest route to every area in reach, force marches to areas beyond, and landings."""
    for corps in _marchable_counters(state, power):
        routes = cheapest_routes(tables, state, corps, points_left(corps))
        yield from (March(corps.id, route.path) for route in routes.values())
        if can_force_march(corps.kind):
            for area, route in cheapest_routes(tables, state, corps, points_left(corps, True)).items():
                if area not in routes:
                    yield ForceMarch(corps.id, route.path)
    yield from _landing_offers(tables, state, power)


def all_movement_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Yield every march that enters no area twice, with and without force, and every landing."""
    for corps in _marchable_counters(state, power):
        yield from (March(corps.id, path) for path in all_paths(tables, state, corps, points_left(corps)))
        if can_force_march(corps.kind) and not trek_of(state, corps).landed:
            yield from (
                ForceMarch(corps.id, path) for path in all_paths(tables, state, corps, points_left(corps, True))
            )
    yield from _landing_offers(tables, state, power)


def _marchable_counters(state: State, power: str) -> Iterator[Corps]:
    """Yield the counters of a Power whose march is not over. Rules: EIA 7.3.2, 7.3.4, 7.4.1"""
    for corps in state.corps.values():
        if corps.power != power or not is_unbesieged(state, corps):
            continue
        trek = trek_of(state, corps)
        stopped = trek.path and corps.kind not in PASSING and enemy_corps(state, power, corps.where, outside=True)
        if not trek.fed and not stopped and (not trek.path or state.campaign.moving == corps.id):
            yield corps


def _landing_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    for fleet in state.fleets.values():
        for name in fleet.cargo:
            if name in state.corps and state.corps[name].power == power:
                for area in landing_places(tables, state, fleet.id):
                    yield Disembark(name, area)
                    if tables.areas[area].port:
                        yield Disembark(name, area, "port")


def remove_corps_aboard(play: Transaction) -> None:
    """Corps that are still aboard when the step ends are eliminated. Rules: EIA 7.3.5"""
    for fleet in play.state.fleets.values():
        if fleet.power in play.state.cursor.powers:
            for name in fleet.cargo:
                play.emit(Landed(corps=name, fleet=fleet.id, area="", cost=0, rules=("EIA 7.3.5",)))
                play.emit(CorpsStrength(corps=name, factors=NO_FACTORS, why="not landed", rules=("EIA 7.3.5",)))
