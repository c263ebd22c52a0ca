"""The land movement step: counters march, force march and land from ships.

Rules: EIA 7.3.1, 7.3.2, 7.3.5
"""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.empires.history.land_events import CorpsStrength, Landed, Marched, Quartered, Siege
from paxtui.empires.land.combined import keep_out
from paxtui.empires.land.enemy_depots import offered_to_owner
from paxtui.empires.land.routes import (
    PASSING,
    all_paths,
    cheapest_routes,
    enemies_outside,
    step_cost,
    written_out,
)
from paxtui.empires.orders.action import Action
from paxtui.empires.orders.actions_land import Disembark, ForceMarch, March
from paxtui.empires.play.allowances import allowance, left, may_force_march
from paxtui.empires.play.factors import NONE
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.presence import (
    besieged,
    city_room,
    counters,
    is_corps,
    open_land,
    own_territory,
    unbesieged,
)
from paxtui.empires.play.standing import friendly
from paxtui.empires.state.campaign import Trek
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Corps
from paxtui.empires.supply.rations import end_last_march
from paxtui.empires.supply.sea_supply import seas
from paxtui.empires.tables.tables import Tables


def own_counter(play: Play, power: str, name: str, rule: str = "EIA 7.3") -> Corps:
    """A counter of a Power on land. Raises: Refusal."""
    corps = play.state.corps.get(name)
    if corps is None or corps.power != power:
        refuse("no_corps", f"There is no corps '{name}' of one's own.", rule)
    if not corps.where:
        refuse("aboard", f"{name} is aboard a fleet.", "EIA 7.3.5")
    return corps


def free_to_move(play: Play, corps: Corps) -> None:
    """Refuse a counter that has ended its march or is shut in. Raises: Refusal. Rules: EIA 7.3.2, 7.3.4, 7.4.1"""
    campaign = play.state.campaign
    if not unbesieged(play.state, corps):
        refuse("besieged", f"{corps.id} is besieged.", "EIA 7.3.4")
    trek = campaign.treks.get(corps.id)
    if trek and trek.fed:
        refuse("march_over", f"{corps.id} has ended its march.", "EIA 7.3.1.4", "EIA 7.4.1")
    if trek and trek.path and campaign.moving != corps.id:
        refuse("march_over", f"Another counter has moved since {corps.id} did.", "EIA 7.3.2")


def march(play: Play, power: str, action: March | ForceMarch) -> None:
    """Move a counter along areas. Raises: Refusal. Rules: EIA 7.3.1, 7.3.2"""
    marched = checked_march(play, power, action)
    end_last_march(play, marched.corps)
    play.emit(marched)
    lift_empty_sieges(play)
    offered_to_owner(play, power, marched.path[-1])


def checked_march(play: Play, power: str, action: March | ForceMarch) -> Marched:
    """Return what a march comes to; nothing happens yet. Raises: Refusal. Rules: EIA 7.3.1, 7.3.2"""
    corps = own_counter(play, power, action.corps)
    free_to_move(play, corps)
    forced = isinstance(action, ForceMarch)
    if forced and not may_force_march(corps.kind):
        refuse("no_force_march", f"{corps.id} is a {corps.kind} counter, which does not force march.", "EIA 7.3.1.2")
    if forced and trek_of(play.state, corps).landed:
        refuse("no_force_march", "A corps that landed does not force march.", "EIA 7.3.1.2", "EIA 7.3.5")
    if not action.path:
        refuse("no_way", "Name the area to which it marches.", "EIA 7.3.2")
    points, cost, at, river = left(corps, forced), 0, corps.where, False
    stop = bool(enemies_outside(play.state, power, at)) and bool(trek_of(play.state, corps).path)
    path = written_out(play.tables, play.state, corps, action.path)
    for area in path:
        keep_out(play, power, area)
        if stop and corps.kind not in PASSING:
            refuse("must_stop", f"In {play.tables.name(at)} enemy corps make it stop.", "EIA 7.3.2.1")
        step, river = step_cost(play.tables, play.state, corps, at, area)
        cost += step
        if cost > points:
            name = play.tables.name(area)
            refuse("too_far", f"{name} costs {cost} points in all, and {points} are left.", "EIA 7.3.2.3")
        at, stop = area, bool(enemies_outside(play.state, power, area))
    abroad = any(not own_territory(play.tables, play.state, power, area) for area in (corps.where, *path))
    return Marched(
        corps=corps.id,
        path=path,
        cost=cost,
        forced=forced,
        over_river=river,
        abroad=abroad,
        rules=("EIA 7.3.2",),
    )


def trek_of(state: State, corps: Corps) -> Trek:
    """What a counter has done in this sequence."""
    return state.campaign.treks.get(corps.id) or Trek(start=corps.where)


def lift_empty_sieges(play: Play) -> None:
    """A siege ends where nobody of the besieger is left outside the city, or nobody in it. Rules: EIA 7.5.1.1.2"""
    for area, power in play.state.campaign.sieges.items():
        outside = any(one.power == power and not one.inside and is_corps(one) for one in counters(play.state, area))
        held = any(one.inside for one in counters(play.state, area)) or any(
            one.where == area and not one.of_depot for one in play.state.garrisons
        )
        if not (outside and held):
            play.emit(Siege(area=area, power="", rules=("EIA 7.3.7.1",)))


def disembark(play: Play, power: str, action: Disembark) -> None:
    """Land a corps. Raises: Refusal. Rules: EIA 7.3.5"""
    tables, state = play.tables, play.state
    corps = state.corps.get(action.corps)
    fleet = next((one for one in state.fleets.values() if action.corps in one.cargo), None)
    if corps is None or corps.power != power or fleet is None:
        refuse("no_corps", f"There is no corps '{action.corps}' of one's own aboard.", "EIA 7.3.5")
    if action.area not in landing_places(tables, state, fleet.id):
        refuse("not_adjacent", "It lands next to its fleet, or in the area of the fleet's port.", "EIA 7.3.5")
    if not open_land(tables, state, power, action.area):
        refuse("no_access", f"{tables.name(action.area)} is neither one's own, an ally's, nor an enemy's.", "EIA 7.3")
    inside = action.into == "port"
    if inside:
        shut = besieged(state, action.area) and friendly(tables, state, power, action.area)
        if not (tables.areas[action.area].port and shut):
            refuse("no_port", "Into the city it lands only in a friendly besieged port.", "EIA 7.3.5")
        if city_room(tables, state, action.area) < corps.factors.total:
            refuse("no_room", f"{tables.areas[action.area].city} does not hold it.", "EIA 7.3.5", "EIA 7.3.3.4")
    cost = allowance(corps.kind, corps.swift and power == "france")
    end_last_march(play, corps.id)
    abroad = not own_territory(tables, state, power, action.area)
    play.emit(Landed(corps=corps.id, fleet=fleet.id, area=action.area, cost=cost, abroad=abroad, rules=("EIA 7.3.5",)))
    if inside:
        play.emit(Quartered(corps=corps.id, inside=True, rules=("EIA 7.3.5",)))


def landing_places(tables: Tables, state: State, fleet: str) -> tuple[str, ...]:
    """Where corps may land from a fleet: around its sea area, or in the area of its port. Rules: EIA 7.3.5"""
    where = state.fleets[fleet].where
    if state.fleets[fleet].box:
        return (where,)
    ashore = [area for area in tables.ways[where] if not tables.areas[area].sea]
    ports = [area.id for area in tables.exercise.areas if area.port and where in seas(tables, area.id)]
    return tuple(dict.fromkeys((*ashore, *ports)))


def offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Yield marches by the cheapest route to every area in reach, force marches to areas beyond, and landings."""
    for corps in _can_march(state, power):
        routes = cheapest_routes(tables, state, corps, left(corps))
        yield from (March(corps.id, route.path) for route in routes.values())
        if may_force_march(corps.kind):
            for area, route in cheapest_routes(tables, state, corps, left(corps, True)).items():
                if area not in routes:
                    yield ForceMarch(corps.id, route.path)
    yield from _landings(tables, state, power)


def every_offer(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Yield every march that enters no area twice, with and without force, and every landing."""
    for corps in _can_march(state, power):
        yield from (March(corps.id, path) for path in all_paths(tables, state, corps, left(corps)))
        if may_force_march(corps.kind) and not trek_of(state, corps).landed:
            yield from (ForceMarch(corps.id, path) for path in all_paths(tables, state, corps, left(corps, True)))
    yield from _landings(tables, state, power)


def _can_march(state: State, power: str) -> Iterator[Corps]:
    """Yield the counters of a Power whose march is not over. Rules: EIA 7.3.2, 7.3.4, 7.4.1"""
    for corps in state.corps.values():
        if corps.power != power or not unbesieged(state, corps):
            continue
        trek = trek_of(state, corps)
        stopped = trek.path and corps.kind not in PASSING and enemies_outside(state, power, corps.where)
        if not trek.fed and not stopped and (not trek.path or state.campaign.moving == corps.id):
            yield corps


def _landings(tables: Tables, state: State, power: str) -> Iterator[Action]:
    for fleet in state.fleets.values():
        for name in fleet.cargo:
            if name in state.corps and state.corps[name].power == power:
                for area in landing_places(tables, state, fleet.id):
                    yield Disembark(name, area)
                    if tables.areas[area].port:
                        yield Disembark(name, area, "port")


def aboard_lost(play: Play) -> None:
    """Corps that are still aboard when the step ends are eliminated. Rules: EIA 7.3.5"""
    for fleet in play.state.fleets.values():
        if fleet.power in play.state.cursor.powers:
            for name in fleet.cargo:
                play.emit(Landed(corps=name, fleet=fleet.id, area="", cost=0, rules=("EIA 7.3.5",)))
                play.emit(CorpsStrength(corps=name, factors=NONE, why="not landed", rules=("EIA 7.3.5",)))
