"""Depots: the depot step, enemy depots that a counter reaches, and depots inside port cities.

Rules: EIA 7.2, 7.3.6, 7.4.3.4
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from paxtui.games.empires.board import (
    NO_FACTORS,
    acting_power,
    cheapest_factors,
    city_holders,
    city_room,
    depot_in,
    enemy_counters,
    garrison_factors,
    is_allied,
    is_at_war,
    is_besieged,
    is_city_open,
    is_corps,
    is_friendly,
    is_own_territory,
    own_corps,
)
from paxtui.games.empires.events.land import DepotPlaced, DepotRemoved, SequenceBegan
from paxtui.games.empires.orders import Action, ConvertDepot, DestroyDepot, PlaceDepot, RemoveDepot
from paxtui.games.empires.pieces import Depot
from paxtui.games.empires.state import Question, State
from paxtui.games.empires.supply_lines import (
    invasion_depots,
    is_reached_by_sea,
    is_source,
    valid_chain,
    would_extend_chain,
)
from paxtui.games.empires.supply_step import set_garrison_factors
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction, refuse

PRICE = 1
"""Money points for a depot. Rules: EIA 7.2"""


def begin_sequence(play: Transaction) -> None:
    """A Power's land sequence begins. Rules: EIA 7.1.3"""
    if play.state.campaign.phasing != play.state.cursor.powers:
        play.emit(SequenceBegan(powers=play.state.cursor.powers, rules=("EIA 7.1.3",)))


def place_depot(play: Transaction, power: str, action: PlaceDepot) -> None:
    """Buy a depot and place it. Raises: Refusal.

    Rules: EIA 7.2, 7.2.1, 7.2.2, 7.2.3, 7.2.4
    """
    tables, state = play.tables, play.state
    if state.accounts[power].money < PRICE:
        refuse("no_money", "A depot costs one money point, and there is none.", "EIA 7.2")
    if sum(one.power == power for one in state.depots) >= tables.number(f"depots.{power}"):
        refuse("no_depot", "All depot counters are on the map; remove one first.", "EIA 7.2")
    if action.where in state.fleets:
        depot = _fleet_depot(play, power, action.where)
    elif action.where in tables.areas and not tables.areas[action.where].sea:
        depot = _area_depot(play, power, action.where)
    else:
        refuse("unknown_area", f"There is no area or fleet '{action.where}'.", "EIA 7.2")
    play.post(power, "money", -PRICE, "a depot", "EIA 7.2")
    play.emit(DepotPlaced(depot=depot, rules=("EIA 7.2",)))


def _area_depot(play: Transaction, power: str, area: str) -> Depot:
    """A depot in an area, or in its besieged port. Raises: Refusal."""
    tables, state = play.tables, play.state
    by_sea = is_reached_by_sea(tables, state, power, area, valid_chain(tables, state, power))
    inside = by_sea and is_besieged(state, area)
    if depot_in(state, area, inside):
        refuse("depot_there", f"{tables.name(area)} has a depot, and one is all it may have.", "EIA 7.2")
    if not inside:
        enemies = enemy_counters(state, power, area)
        if enemies and not own_corps(state, power, area):
            refuse("enemy_there", "Enemies are there, and you have no corps there.", "EIA 7.2")
        if not is_own_territory(tables, state, power, area):
            _check_foreign_depot(play, power, area)
    town = bool(tables.areas[area].city) and not is_besieged(state, area) and is_friendly(tables, state, power, area)
    at_home = town and is_own_territory(tables, state, power, area)
    if not (at_home or by_sea or would_extend_chain(tables, state, power, area, earlier=True)):
        refuse(
            "no_chain",
            "A depot goes with a friendly city at home, into a port that sea supply reaches, or within two unblocked"
            " areas of a depot of an earlier month that is in a valid chain.",
            "EIA 7.2.1",
            "EIA 7.2.2",
            "EIA 7.2.3",
        )
    return Depot(where=area, power=power, inside=inside, since=state.turn)


def _check_foreign_depot(play: Transaction, power: str, area: str) -> None:
    """What a depot outside one's territory needs. Raises: Refusal. Rules: EIA 7.2.3.3.1, 7.2.3.3.2"""
    state, nation = play.state, play.tables.areas[area].owner
    if not own_corps(state, power, area):
        refuse("no_corps", "Abroad a depot needs an unbesieged corps of its Power in the area.", "EIA 7.2.3.3.2")
    holder = acting_power(state, nation) if nation else ""
    if not holder or is_at_war(state, power, holder) or (holder, power) in state.access:
        return
    if nation in state.minors and not state.minors[nation].controller:
        refuse("neutral", "In a neutral minor country a depot needs a war with it.", "EIA 7.2.3.3.1")
    if not is_allied(state, power, holder):
        refuse("no_access", f"{play.tables.name(holder)} has not let depots in.", "EIA 7.2.3.3.1")


def _fleet_depot(play: Transaction, power: str, name: str) -> Depot:
    """A depot on a fleet. Raises: Refusal. Rules: EIA 7.2.4, 7.4.4.1, 7.4.4.4, 7.4.4.5, 7.4.4.6"""
    tables, state = play.tables, play.state
    fleet = state.fleets[name]
    if fleet.power != power or fleet.box:
        refuse("no_fleet", "A depot at sea needs your own fleet at sea.", "EIA 7.2.4", "EIA 7.4.4")
    there = {state.fleets[one.where].where for one in state.depots if one.where in state.fleets}
    if fleet.where in there:
        refuse("depot_there", f"There is a depot at sea in {tables.name(fleet.where)}.", "EIA 7.4.4.4")
    depot = Depot(where=name, power=power, since=state.turn, at=fleet.where)
    trial = replace(state, depots=(*state.depots, depot))
    if fleet.where not in invasion_depots(tables, trial, power, valid_chain(tables, state, power)):
        refuse("no_chain", "No unblockaded port of a valid chain reaches the fleet.", "EIA 7.4.4.1", "EIA 7.4.4.5")
    return depot


def remove_depot(play: Transaction, power: str, action: RemoveDepot) -> None:
    """Take a depot off the map, its garrison into the city as far as it may. Raises: Refusal. Rules: EIA 7.2"""
    found = [one for one in play.state.depots if one.where == action.where and one.power == power]
    if not found:
        refuse("no_depot", f"You have no depot in '{action.where}'.", "EIA 7.2")
    gone = found[0]
    play.emit(DepotRemoved(where=gone.where, power=power, inside=gone.inside, why="removed", rules=("EIA 7.2",)))
    disperse_depot_garrison(play, power, action.where, "EIA 7.2")


def disperse_depot_garrison(play: Transaction, power: str, area: str, rule: str) -> None:
    """A depot is gone: its garrison goes into a friendly or vacant unbesieged city there, and is else lost.

    Rules: EIA 7.2, 7.3.6.2
    """
    tables, state = play.tables, play.state
    guards = garrison_factors(state, power, area, of_depot=True)
    if not guards.total:
        return
    set_garrison_factors(play, power, area, NO_FACTORS, "depot gone", rule, of_depot=True)
    if not is_city_open(tables, state, power, area):
        return
    # The dearest go in where not all do.
    room = max(0, city_room(tables, state, area))
    lost = cheapest_factors(guards, max(0, guards.total - room))
    saved = guards - lost
    if saved.total:
        held = garrison_factors(state, power, area, of_depot=False) + saved
        set_garrison_factors(play, power, area, held, "from the depot", rule)


def depot_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """What a Power may do with its depots."""
    yield from (RemoveDepot(one.where) for one in state.depots if one.power == power)
    yield from (PlaceDepot(area.id) for area in tables.exercise.areas if not area.sea)
    yield from (PlaceDepot(fleet.id) for fleet in state.fleets.values() if fleet.power == power and not fleet.box)


BURN = "burn_depot"
"""What the owner of a garrisoned depot is asked when an enemy comes."""

BURNT, KEPT = "destroy", "keep"


def enemy_depot_in(state: State, power: str, area: str) -> Depot | None:
    """The enemy depot in an area, outside its city."""
    found = depot_in(state, area)
    return found if found and is_at_war(state, power, found.power) else None


def ask_depot_owner(play: Transaction, power: str, area: str) -> None:
    """Ask who holds a garrisoned depot whether to destroy it before the enemy goes on. Rules: EIA 7.3.6.2"""
    found = enemy_depot_in(play.state, power, area)
    if found and garrison_factors(play.state, found.power, area, of_depot=True).total:
        play.ask(BURN, found.power, (KEPT, BURNT), area, rules=("EIA 7.3.6.2",))


def answer_depot_owner(play: Transaction, question: Question, choice: str) -> None:
    """The owner's answer. Rules: EIA 7.3.6.2"""
    if choice == BURNT:
        area = question.about[0]
        play.emit(DepotRemoved(where=area, power=question.power, why="burnt", rules=("EIA 7.3.6.2",)))
        disperse_depot_garrison(play, question.power, area, "EIA 7.3.6.2")


def _ungarrisoned_enemy_depot(play: Transaction, power: str, name: str) -> tuple[str, Depot]:
    """The area of a counter and the ungarrisoned enemy depot there. Raises: Refusal."""
    corps = play.state.corps.get(name)
    if corps is None or corps.power != power or not corps.where or corps.inside:
        refuse("no_corps", f"You have no counter '{name}' in the open.", "EIA 7.3.6.1")
    found = enemy_depot_in(play.state, power, corps.where)
    if found is None:
        refuse("no_depot", f"There is no enemy depot with {name}.", "EIA 7.3.6.1")
    if garrison_factors(play.state, found.power, corps.where, of_depot=True).total:
        refuse("guarded", "The depot has a garrison, which must be beaten first.", "EIA 7.3.6.2")
    return corps.where, found


def destroy_depot(play: Transaction, power: str, action: DestroyDepot) -> None:
    """Destroy an ungarrisoned enemy depot. A corps that ends its march there is supplied by it.

    Raises: Refusal. Rules: EIA 7.3.6.1
    """
    area, found = _ungarrisoned_enemy_depot(play, power, action.corps)
    trek = play.state.campaign.treks.get(action.corps)
    supplies = is_corps(play.state.corps[action.corps]) and trek is not None and trek.path and not trek.fed
    by = action.corps if supplies else ""
    play.emit(DepotRemoved(where=area, power=found.power, why="destroyed", by=by, rules=("EIA 7.3.6.1",)))


def convert_depot(play: Transaction, power: str, action: ConvertDepot) -> None:
    """Make an ungarrisoned enemy depot one's own. Raises: Refusal. Rules: EIA 7.3.6.1"""
    area, found = _ungarrisoned_enemy_depot(play, power, action.corps)
    take_over_depot(play, power, area, found)


def can_take_over_depot(play: Transaction, power: str, area: str) -> bool:
    """Return whether a Power has a depot counter left for an area, and it would be a source or continue a valid chain.

    Rules: EIA 7.2, 7.3.6.1
    """
    return not _has_no_depot_counter(play, power) and _is_in_chain(play, power, area)


def _has_no_depot_counter(play: Transaction, power: str) -> bool:
    return sum(one.power == power for one in play.state.depots) >= play.tables.number(f"depots.{power}")


def _is_in_chain(play: Transaction, power: str, area: str) -> bool:
    tables, state = play.tables, play.state
    return is_source(tables, state, power, area) or would_extend_chain(tables, state, power, area)


def take_over_depot(play: Transaction, power: str, area: str, found: Depot) -> None:
    """Replace an enemy depot with an own one, free of charge. Raises: Refusal. Rules: EIA 7.3.6.1"""
    if not _is_in_chain(play, power, area):
        refuse("no_chain", "It would neither be a source nor continue a valid chain.", "EIA 7.3.6.1")
    if _has_no_depot_counter(play, power):
        refuse("no_depot", "All depot counters are on the map.", "EIA 7.2")
    play.emit(DepotRemoved(where=area, power=found.power, why="converted", rules=("EIA 7.3.6.1",)))
    play.emit(DepotPlaced(depot=Depot(where=area, power=power, since=play.state.turn), rules=("EIA 7.3.6.1",)))


def enemy_depot_offers(state: State, power: str) -> Iterator[Action]:
    """What counters of a Power may do to enemy depots."""
    for corps in state.corps.values():
        if corps.power == power and corps.where and enemy_depot_in(state, power, corps.where):
            yield DestroyDepot(corps.id)
            yield ConvertDepot(corps.id)


def move_port_depots(play: Transaction) -> None:
    """After a movement step: depots in port cities come out where the siege is over, and go where the sea is closed.

    Rules: EIA 7.4.3.4.3, 7.4.3.4.4, 7.4.3.4.5
    """
    for one in play.state.depots:
        if not one.inside:
            continue
        area, power = one.where, one.power
        chain = valid_chain(play.tables, play.state, power)
        if power not in city_holders(play.state, area):
            # The new holder of the city has destroyed the depot inside.
            gone = DepotRemoved(where=area, power=power, inside=True, why="city lost", rules=("EIA 7.4.3.4.5",))
            play.emit(gone)
        elif not is_besieged(play.state, area):
            if power in play.state.cursor.powers:
                _move_out_of_city(play, one)
        elif not is_reached_by_sea(play.tables, play.state, power, area, chain):
            gone = DepotRemoved(where=area, power=power, inside=True, why="cut off", rules=("EIA 7.4.3.4.4",))
            play.emit(gone)


def _move_out_of_city(play: Transaction, depot: Depot) -> None:
    """A depot comes out of its city, and destroys an enemy's in the area. Rules: EIA 7.4.3.4.3"""
    rules = ("EIA 7.4.3.4.3",)
    other = depot_in(play.state, depot.where)
    if other is not None:
        play.emit(DepotRemoved(where=depot.where, power=other.power, why="relieved", rules=rules))
    play.emit(DepotRemoved(where=depot.where, power=depot.power, inside=True, why="comes out", rules=rules))
    moved = Depot(where=depot.where, power=depot.power, since=depot.since)
    play.emit(DepotPlaced(depot=moved, rules=rules))
