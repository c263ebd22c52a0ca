"""Garrisons: factors detached and absorbed, corps in cities, sieges.

Rules: EIA 7.3.3, 7.3.4, 7.3.7.1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from paxtui.games.empires.board import (
    ARTILLERY,
    CORPS,
    DEPOT_ROOM,
    FactorChoices,
    as_infantry,
    city_holders,
    city_room,
    controller,
    counters_in,
    depot_in,
    enemy_corps,
    factors_from_counts,
    fits_corps,
    garrison_factors,
    is_at_war,
    is_besieged,
    is_city_open,
    is_corps,
    is_unbesieged,
    trek_of,
)
from paxtui.games.empires.events.land import (
    Besieging,
    ControlChanged,
    CorpsStrength,
    LeftBehind,
    Quartered,
    Siege,
)
from paxtui.games.empires.land.movement import own_counter
from paxtui.games.empires.orders import Absorb, Action, Besiege, Detach, Enter, Leave, LiftSiege
from paxtui.games.empires.pieces import Corps, Detached, Factors
from paxtui.games.empires.state import State
from paxtui.games.empires.supply_step import set_garrison_factors
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction, refuse

CITY, DEPOT = "city", "depot"


def parse_factors(numbers: Mapping[str, int], rule: str) -> Factors:
    """Factors as they are typed. Raises: Refusal."""
    try:
        factors = factors_from_counts(numbers)
    except (KeyError, ValueError):
        refuse("bad_factors", "Factors are militia, infantry, cavalry, guard or artillery, with their numbers.", rule)
    if not factors.total:
        refuse("bad_factors", "Name at least one factor.", rule)
    return factors


def _exchanging_corps(play: Transaction, power: str, name: str) -> Corps:
    """A corps that may detach and absorb. Raises: Refusal. Rules: EIA 7.3.3, 7.3.3.1, 7.3.3.1.1"""
    corps = own_counter(play, power, name, "EIA 7.3.3")
    if corps.kind not in CORPS or corps.kind == ARTILLERY:
        refuse("no_exchange", f"{name} neither detaches nor absorbs factors.", "EIA 7.3.3")
    if not is_unbesieged(play.state, corps):
        refuse("besieged", f"{name} is besieged.", "EIA 7.3.3")
    if enemy_corps(play.state, power, corps.where, outside=True):
        refuse("enemy_there", "An enemy corps stands there.", "EIA 7.3.3.1")
    if corps.nation and corps.nation != power and play.tables.areas[corps.where].owner != corps.nation:
        refuse("not_at_home", "A free state garrisons only its own country.", "EIA 7.3.3.1.1", "EIA 7.3.3.5.2")
    if trek_of(play.state, corps).fed:
        refuse("march_over", f"{name} has ended its march.", "EIA 7.3.1.4")
    return corps


def check_place(play: Transaction, power: str, area: str, place: str, count: int) -> None:
    """Refuse a garrison where there is no room for it, or no place. Raises: Refusal.

    Rules: EIA 7.3.3, 7.3.3.4, 7.3.3.5, 7.3.3.5.1
    """
    tables, state = play.tables, play.state
    if place == DEPOT:
        found = depot_in(state, area)
        if found is None or found.power != power:
            refuse("no_depot", "You have no depot there.", "EIA 7.3.3.5.1")
        room = DEPOT_ROOM - garrison_factors(state, power, area, of_depot=True).total
        if count > room:
            refuse("no_room", f"The depot has room for {room} factors more.", "EIA 7.3.3.5")
        return
    if place != CITY:
        refuse("no_place", "Factors go into the city or to the depot.", "EIA 7.3.3")
    if not is_city_open(tables, state, power, area):
        refuse("no_city", "There is no friendly or vacant city that is unbesieged.", "EIA 7.3.3")
    room = city_room(tables, state, area)
    if count > room:
        refuse("no_room", f"{tables.areas[area].city} has room for {room} factors more.", "EIA 7.3.3.4")


def check_city_room(play: Transaction, corps: Corps, more: int) -> None:
    """Refuse factors from outside to a corps in a city that cannot hold them. Raises: Refusal. Rules: EIA 7.3.3.4"""
    if corps.inside and more > city_room(play.tables, play.state, corps.where):
        refuse("no_room", f"{play.tables.areas[corps.where].city} does not hold so many.", "EIA 7.3.3.4")


def detach_factors(play: Transaction, power: str, action: Detach) -> None:
    """Leave factors as a garrison; cavalry and guard become infantry. Raises: Refusal. Rules: EIA 7.3.3, 7.3.3.2"""
    corps = _exchanging_corps(play, power, action.corps)
    factors = parse_factors(action.factors, "EIA 7.3.3")
    if factors.artillery:
        refuse("no_exchange", "Artillery is not detached.", "EIA 7.3.3.2")
    if not corps.factors.contains(factors):
        refuse("too_few", f"{corps.id} does not hold so many.", "EIA 7.3.3")
    if factors.total == corps.factors.total:
        refuse("emptied", "At least one factor stays in the corps.", "EIA 7.3.3.1.2")
    room = 0 if action.to == CITY and corps.inside else factors.total
    check_place(play, power, corps.where, action.to, room)
    left = as_infantry(factors)
    play.emit(CorpsStrength(corps=corps.id, factors=corps.factors - factors, why="detached", rules=("EIA 7.3.3",)))
    add_garrison(play, power, corps.where, action.to, left, "detached")
    behind = Detached(corps.where, action.to == DEPOT, left)
    play.emit(LeftBehind(corps=corps.id, detached=(*trek_of(play.state, corps).detached, behind)))


def add_garrison(play: Transaction, power: str, area: str, place: str, factors: Factors, why: str) -> None:
    """Let factors join a garrison; a vacant enemy city is controlled by who does so."""
    of_depot = place == DEPOT
    held = garrison_factors(play.state, power, area, of_depot) + factors
    set_garrison_factors(play, power, area, held, why, "EIA 7.3.3.3", of_depot=of_depot)
    if not of_depot:
        take_control(play, power, area)


def take_control(play: Transaction, power: str, area: str) -> None:
    """Give control of an area to the holder of its enemy or neutral city; ours, because conquest (7.7) is missing."""
    holder = controller(play.tables, play.state, area)
    if holder != power and (not holder or is_at_war(play.state, power, holder)):
        play.emit(ControlChanged(area=area, power=power, rules=("EIA 7.3.3",)))


def absorb_factors(play: Transaction, power: str, action: Absorb) -> None:
    """Take garrison factors into a corps. Raises: Refusal. Rules: EIA 7.3.3"""
    corps = _exchanging_corps(play, power, action.corps)
    factors = parse_factors(action.factors, "EIA 7.3.3")
    of_depot = action.source == DEPOT
    there = garrison_factors(play.state, power, corps.where, of_depot)
    if not there.contains(factors):
        refuse("too_few", "The garrison does not hold so many.", "EIA 7.3.3")
    if not of_depot and is_besieged(play.state, corps.where):
        refuse("besieged", "The city is besieged.", "EIA 7.3.3")
    if not fits_corps(corps.factors + factors, corps.most):
        refuse("no_room", f"{corps.id} cannot hold so many.", "EIA 7.3.3")
    check_city_room(play, corps, factors.total if of_depot else 0)
    left = there - factors
    set_garrison_factors(play, power, corps.where, left, "absorbed", "EIA 7.3.3", of_depot=of_depot)
    play.emit(CorpsStrength(corps=corps.id, factors=corps.factors + factors, why="absorbed", rules=("EIA 7.3.3",)))
    _reduce_left_behind(play, corps, of_depot)


def _reduce_left_behind(play: Transaction, corps: Corps, of_depot: bool) -> None:
    """What a corps has left behind is no more than what is still there."""
    there = garrison_factors(play.state, corps.power, corps.where, of_depot)
    behind = trek_of(play.state, corps).detached
    kept = []
    for one in behind:
        if (one.where, one.of_depot) == (corps.where, of_depot):
            militia = min(one.factors.militia, there.militia)
            infantry = min(one.factors.infantry, there.infantry)
            there = there - Factors(militia=militia, infantry=infantry)
            one = Detached(one.where, one.of_depot, Factors(militia=militia, infantry=infantry))
        if one.factors.total:
            kept.append(one)
    if tuple(kept) != behind:
        play.emit(LeftBehind(corps=corps.id, detached=tuple(kept)))


def enter_city(play: Transaction, power: str, action: Enter) -> None:
    """Go into the city, at no cost. Raises: Refusal. Rules: EIA 7.3.4, 7.3.3.3.2, 7.3.3.4"""
    corps = own_counter(play, power, action.corps, "EIA 7.3.4")
    if corps.inside:
        refuse("inside", f"{corps.id} is in the city.", "EIA 7.3.4")
    if trek_of(play.state, corps).fed or enemy_corps(play.state, power, corps.where, outside=True):
        refuse("march_over", f"{corps.id} has ended its march.", "EIA 7.3.2.1", "EIA 7.3.7.1")
    check_place(play, power, corps.where, CITY, corps.factors.total)
    play.emit(Quartered(corps=corps.id, inside=True, rules=("EIA 7.3.4",)))
    take_control(play, power, corps.where)


def leave_city(play: Transaction, power: str, action: Leave) -> None:
    """Come out of the city, at no cost. Raises: Refusal. Rules: EIA 7.3.4"""
    corps = own_counter(play, power, action.corps, "EIA 7.3.4")
    if not corps.inside:
        refuse("outside", f"{corps.id} is not in the city.", "EIA 7.3.4")
    if not is_unbesieged(play.state, corps):
        refuse("besieged", f"{corps.id} is besieged.", "EIA 7.3.4")
    play.emit(Quartered(corps=corps.id, inside=False, rules=("EIA 7.3.4",)))


def besiege_city(play: Transaction, power: str, action: Besiege) -> None:
    """Besiege the city with all own corps in the area. Raises: Refusal. Rules: EIA 7.3.7.1"""
    corps = own_counter(play, power, action.corps, "EIA 7.3.7.1")
    area = corps.where
    if not is_corps(corps) or corps.inside:
        refuse("no_siege", "A corps outside the city besieges it.", "EIA 7.3.7.1")
    if play.state.campaign.sieges.get(area) == power and trek_of(play.state, corps).besieges:
        refuse("besieging", f"{corps.id} besieges the city.", "EIA 7.3.7.1")
    if not any(is_at_war(play.state, power, holder) for holder in city_holders(play.state, area)):
        refuse("no_siege", "No enemy is in the city.", "EIA 7.3.7.1")
    if enemy_corps(play.state, power, area, outside=True):
        refuse("enemy_there", "Enemy corps outside the city are attacked first.", "EIA 7.3.7.1")
    lay_siege(play, power, area)


def lay_siege(play: Transaction, power: str, area: str) -> None:
    """Let all that a Power has in an area besiege its city. Rules: EIA 7.3.7.1, 7.5.1.1.2"""
    if not is_besieged(play.state, area):
        play.emit(Siege(area=area, power=power, rules=("EIA 7.3.7.1",)))
    for one in tuple(counters_in(play.state, area)):
        if one.power == power and is_corps(one) and not one.inside and not trek_of(play.state, one).besieges:
            play.emit(Besieging(corps=one.id, rules=("EIA 7.3.7.1",)))


def lift_siege(play: Transaction, power: str, action: LiftSiege) -> None:
    """Give up a siege. Raises: Refusal. Rules: EIA 7.3.7.1"""
    if play.state.campaign.sieges.get(action.area) != power:
        refuse("no_siege", f"You have no siege in '{action.area}'.", "EIA 7.3.7.1")
    play.emit(Siege(area=action.area, power="", rules=("EIA 7.3.7.1",)))


def garrison_offers(tables: Tables, state: State, power: str, parts: FactorChoices) -> Iterator[Action]:
    """Yield what a Power may do with cities and garrisons."""
    for corps in state.corps.values():
        if corps.power != power or not corps.where:
            continue
        yield Leave(corps.id) if corps.inside else Enter(corps.id)
        yield Besiege(corps.id)
        for place in (CITY, DEPOT):
            if place == DEPOT and depot_in(state, corps.where) is None:
                continue
            if place == CITY and not tables.areas[corps.where].city:
                continue
            yield from (Detach(corps.id, factors, place) for factors in parts(corps.factors))
            held = garrison_factors(state, power, corps.where, place == DEPOT)
            yield from (Absorb(corps.id, factors, place) for factors in parts(held))
    yield from (LiftSiege(area) for area, besieger in state.campaign.sieges.items() if besieger == power)
