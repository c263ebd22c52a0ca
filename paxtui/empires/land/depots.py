"""The depot step: depots come off the map and onto it.

Rules: EIA 7.2
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from paxtui.empires.history.land_events import DepotPlaced, DepotRemoved, GarrisonStrength, SequenceBegan
from paxtui.empires.orders.action import Action
from paxtui.empires.orders.actions_land import PlaceDepot, RemoveDepot
from paxtui.empires.play.factors import NONE, cheapest, minus, plus
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.presence import (
    besieged,
    city_open,
    city_room,
    depot_at,
    enemy_corps,
    enemy_irregulars,
    garrison,
    own_corps,
    own_territory,
)
from paxtui.empires.play.standing import allied, at_war, friendly, runner
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Depot
from paxtui.empires.supply.lines import valid_chain, would_chain
from paxtui.empires.supply.sea_supply import invasion_depots, reached_by_sea
from paxtui.empires.tables.tables import Tables

PRICE = 1
"""Money points for a depot. Rules: EIA 7.2"""


def begin(play: Play) -> None:
    """A Power's land sequence begins. Rules: EIA 7.1.3"""
    if play.state.campaign.phasing != play.state.cursor.powers:
        play.emit(SequenceBegan(powers=play.state.cursor.powers, rules=("EIA 7.1.3",)))


def place(play: Play, power: str, action: PlaceDepot) -> None:
    """Buy a depot and place it. Raises: Refusal.

    Rules: EIA 7.2, 7.2.1, 7.2.2, 7.2.3, 7.2.4
    """
    tables, state = play.tables, play.state
    if state.accounts[power].money < PRICE:
        refuse("no_money", "A depot costs one money point, and there is none.", "EIA 7.2")
    if sum(one.power == power for one in state.depots) >= tables.number(f"depots.{power}"):
        refuse("no_depot", "All depot counters are on the map; remove one first.", "EIA 7.2")
    if action.where in state.fleets:
        depot = _on_fleet(play, power, action.where)
    elif action.where in tables.areas and not tables.areas[action.where].sea:
        depot = _ashore(play, power, action.where)
    else:
        refuse("unknown_area", f"There is no area or fleet '{action.where}'.", "EIA 7.2")
    play.post(power, "money", -PRICE, "a depot", "EIA 7.2")
    play.emit(DepotPlaced(depot=depot, rules=("EIA 7.2",)))


def _ashore(play: Play, power: str, area: str) -> Depot:
    """A depot in an area, or in its besieged port. Raises: Refusal."""
    tables, state = play.tables, play.state
    by_sea = reached_by_sea(tables, state, power, area, valid_chain(tables, state, power))
    inside = by_sea and besieged(state, area)
    if depot_at(state, area, inside):
        refuse("depot_there", f"{tables.name(area)} has a depot, and one is all it may have.", "EIA 7.2")
    if not inside:
        enemies = enemy_corps(state, power, area) or enemy_irregulars(state, power, area)
        if enemies and not own_corps(state, power, area):
            refuse("enemy_there", "Enemies stand there, and no corps of one's own.", "EIA 7.2")
        if not own_territory(tables, state, power, area):
            _abroad(play, power, area)
    town = bool(tables.areas[area].city) and not besieged(state, area) and friendly(tables, state, power, area)
    at_home = town and own_territory(tables, state, power, area)
    if not (at_home or by_sea or would_chain(tables, state, power, area, earlier=True)):
        refuse(
            "no_chain",
            "A depot goes with a friendly city at home, into a port that sea supply reaches, or within two unblocked"
            " areas of a depot of an earlier month that is in a valid chain.",
            "EIA 7.2.1",
            "EIA 7.2.2",
            "EIA 7.2.3",
        )
    return Depot(where=area, power=power, inside=inside, since=state.turn)


def _abroad(play: Play, power: str, area: str) -> None:
    """What a depot outside one's territory needs. Raises: Refusal. Rules: EIA 7.2.3.3.1, 7.2.3.3.2"""
    state, nation = play.state, play.tables.areas[area].owner
    if not own_corps(state, power, area):
        refuse("no_corps", "Abroad a depot needs an unbesieged corps of its Power in the area.", "EIA 7.2.3.3.2")
    holder = runner(state, nation) if nation else ""
    if not holder or at_war(state, power, holder) or (holder, power) in state.access:
        return
    if nation in state.minors and not state.minors[nation].controller:
        refuse("neutral", "In a neutral minor country a depot needs a war with it.", "EIA 7.2.3.3.1")
    if not allied(state, power, holder):
        refuse("no_access", f"{play.tables.name(holder)} has not let depots in.", "EIA 7.2.3.3.1")


def _on_fleet(play: Play, power: str, name: str) -> Depot:
    """A depot on a fleet. Raises: Refusal. Rules: EIA 7.2.4, 7.4.4.1, 7.4.4.4, 7.4.4.5, 7.4.4.6"""
    tables, state = play.tables, play.state
    fleet = state.fleets[name]
    if fleet.power != power or fleet.box:
        refuse("no_fleet", "A depot goes on a fleet of one's own that is at sea.", "EIA 7.2.4", "EIA 7.4.4")
    there = {state.fleets[one.where].where for one in state.depots if one.where in state.fleets}
    if fleet.where in there:
        refuse("depot_there", f"There is a depot at sea in {tables.name(fleet.where)}.", "EIA 7.4.4.4")
    depot = Depot(where=name, power=power, since=state.turn, at=fleet.where)
    trial = replace(state, depots=(*state.depots, depot))
    if fleet.where not in invasion_depots(tables, trial, power, valid_chain(tables, state, power)):
        refuse("no_chain", "No unblockaded port of a valid chain reaches the fleet.", "EIA 7.4.4.1", "EIA 7.4.4.5")
    return depot


def remove(play: Play, power: str, action: RemoveDepot) -> None:
    """Take a depot off the map, its garrison into the city as far as it may. Raises: Refusal. Rules: EIA 7.2"""
    found = [one for one in play.state.depots if one.where == action.where and one.power == power]
    if not found:
        refuse("no_depot", f"There is no depot of one's own in '{action.where}'.", "EIA 7.2")
    gone = found[0]
    play.emit(DepotRemoved(where=gone.where, power=power, inside=gone.inside, why="removed", rules=("EIA 7.2",)))
    disperse(play, power, action.where, "EIA 7.2")


def disperse(play: Play, power: str, area: str, rule: str) -> None:
    """A depot is gone: its garrison goes into a friendly or vacant unbesieged city there, and is else lost.

    Rules: EIA 7.2, 7.3.6.2
    """
    tables, state = play.tables, play.state
    guards = garrison(state, power, area, of_depot=True)
    if not guards.total:
        return
    play.emit(GarrisonStrength(where=area, power=power, of_depot=True, factors=NONE, why="depot gone", rules=(rule,)))
    if not city_open(tables, state, power, area):
        return
    # The dearest go in where not all do.
    room = max(0, city_room(tables, state, area))
    lost = cheapest(guards, max(0, guards.total - room))
    saved = minus(guards, lost)
    if saved.total:
        held = plus(garrison(state, power, area, of_depot=False), saved)
        play.emit(GarrisonStrength(where=area, power=power, factors=held, why="from the depot", rules=(rule,)))


def offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """What a Power may do with its depots."""
    yield from (RemoveDepot(one.where) for one in state.depots if one.power == power)
    yield from (PlaceDepot(area.id) for area in tables.exercise.areas if not area.sea)
    yield from (PlaceDepot(fleet.id) for fleet in state.fleets.values() if fleet.power == power and not fleet.box)
