"""Who stands where on land: counters, garrisons, cities and who may use them."""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.empires.play.factors import NONE
from paxtui.empires.play.standing import allied, at_war, owner, runner
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Corps, Depot, Factors
from paxtui.empires.tables.tables import Tables

CAVALRY, INFANTRY, ARTILLERY = "cavalry", "infantry", "artillery"
COSSACK, FREIKORPS, GUERRILLA = "cossack", "freikorps", "guerrilla"
CORPS = (CAVALRY, INFANTRY, ARTILLERY)
"""Kinds of land counters that are corps; the others are irregulars."""

CITY_ROOM = 5
"""Factors that a city holds for each point of its supply value. Rules: EIA 7.3.3.4"""

DEPOT_ROOM = 10
"""Factors that a depot holds. Rules: EIA 7.3.3.5"""


def counters(state: State, area: str) -> Iterator[Corps]:
    """All counters in an area, those in its city too."""
    return (corps for corps in state.corps.values() if corps.where == area)


def besieged(state: State, area: str) -> bool:
    """Whether the city of an area is besieged."""
    return area in state.campaign.sieges


def unbesieged(state: State, corps: Corps) -> bool:
    """Whether a counter on the map is not shut in."""
    return bool(corps.where) and not (corps.inside and besieged(state, corps.where))


def is_corps(counter: Corps) -> bool:
    """Whether a counter is a corps and no irregular."""
    return counter.kind in CORPS


def enemy_corps(state: State, power: str, area: str, outside: bool = False) -> tuple[Corps, ...]:
    """Unbesieged enemy corps in an area; with `outside` only those not in its city."""
    return tuple(
        corps
        for corps in counters(state, area)
        if is_corps(corps)
        and at_war(state, power, corps.power)
        and unbesieged(state, corps)
        and not (outside and corps.inside)
    )


def enemy_irregulars(state: State, power: str, area: str) -> tuple[Corps, ...]:
    """Unbesieged enemy cossacks, freikorps and guerrillas in an area."""
    return tuple(
        one
        for one in counters(state, area)
        if not is_corps(one) and at_war(state, power, one.power) and unbesieged(state, one)
    )


def enemy_garrison(state: State, power: str, area: str, of_depot: bool | None = None) -> bool:
    """Whether an unbesieged enemy garrison is in an area: of the city, of a depot, or (None) of either."""
    return any(
        one.where == area
        and at_war(state, power, one.power)
        and of_depot in (None, one.of_depot)
        and (one.of_depot or not besieged(state, area))
        for one in state.garrisons
    )


def own_corps(state: State, power: str, area: str) -> tuple[Corps, ...]:
    """Unbesieged corps of a Power in an area."""
    return tuple(
        one for one in counters(state, area) if one.power == power and is_corps(one) and unbesieged(state, one)
    )


def own_garrison(state: State, power: str, area: str) -> bool:
    """Whether an unbesieged garrison of a Power is in an area."""
    return any(
        one.where == area and one.power == power and (one.of_depot or not besieged(state, area))
        for one in state.garrisons
    )


def bars(state: State, power: str, area: str) -> bool:
    """Whether enemies in an area cut a Power's supply that leads through it.

    Rules: EIA 7.2.3.2.1
    """
    there = (
        enemy_corps(state, power, area) or enemy_irregulars(state, power, area) or enemy_garrison(state, power, area)
    )
    return bool(there) and not own_corps(state, power, area) and not own_garrison(state, power, area)


def garrison(state: State, power: str, area: str, of_depot: bool) -> Factors:
    """The factors of a garrison, none where there is none."""
    for one in state.garrisons:
        if (one.where, one.power, one.of_depot) == (area, power, of_depot):
            return one.factors
    return NONE


def city_holders(state: State, area: str) -> tuple[str, ...]:
    """The Powers that have a garrison or a counter in the city of an area."""
    found = [one.power for one in state.garrisons if one.where == area and not one.of_depot]
    found += [corps.power for corps in counters(state, area) if corps.inside]
    return tuple(dict.fromkeys(found))


def city_load(state: State, area: str) -> int:
    """The factors in the city of an area, those of corps included.

    Rules: EIA 7.3.3.3.2, 7.3.3.4, 7.5.1.1.4
    """
    held = sum(one.factors.total for one in state.garrisons if one.where == area and not one.of_depot)
    return held + sum(corps.factors.total for corps in counters(state, area) if corps.inside)


def city_room(tables: Tables, state: State, area: str) -> int:
    """The factors that still fit into the city of an area.

    Rules: EIA 7.3.3.4, 7.3.3.5.3
    """
    return CITY_ROOM * tables.areas[area].supply - city_load(state, area)


def city_open(tables: Tables, state: State, power: str, area: str) -> bool:
    """Whether a Power may use the city of an area: it has one, unbesieged, and friendly or vacant.

    Rules: EIA 7.3.3, 7.5.1.1
    """
    if not tables.areas[area].city or besieged(state, area):
        return False
    holders = city_holders(state, area)
    if holders:
        return all(holder == power for holder in holders)
    holder = owner(tables, state, area)
    return holder == power or at_war(state, power, holder) or not holder


def own_territory(tables: Tables, state: State, power: str, area: str) -> bool:
    """Whether an area lies in the territory of a Power: its home nation or a minor country that it controls."""
    nation = tables.areas[area].owner
    return bool(nation) and runner(state, nation) == power


def depot_at(state: State, area: str, inside: bool = False) -> Depot | None:
    """The depot of an area; with `inside` the one in its city."""
    return next((one for one in state.depots if one.where == area and one.inside == inside), None)


def open_land(tables: Tables, state: State, power: str, area: str) -> bool:
    """Whether a Power may enter an area: its own, an ally's, an enemy's, or one it was let into (10.3 is missing).

    Rules: EIA 7.3
    """
    nation = tables.areas[area].owner
    holder = runner(state, nation) if nation else ""
    return (
        not holder
        or holder == power
        or at_war(state, power, holder)
        or allied(state, power, holder)
        or (holder, power) in state.access
    )
