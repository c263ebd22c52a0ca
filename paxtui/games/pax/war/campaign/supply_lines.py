"""Lines of Supply and Coaling Rights.

A Line of Supply leads from a Home Country, State or Dominion of an Alliance to its Armies and Areas. It is traced for
one Power: at sea with its own Merchant Fleets, on land through Areas of the whole Alliance. Fleets are supplied in Sea
and Cape Zones with Coaling Rights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.caching import CacheKey, cached, first_alike
from paxtui.games.pax.board.status import area_state, controllers, controls, marked_areas
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY, CONTROL, DOMINION, INFLUENCE, NAVAL, STATE, AreaState, Unit
from paxtui.games.pax.state.war import War
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.games.pax.transaction import ActTable, Transaction, refuse
from paxtui.games.pax.war import alliances, empire
from paxtui.games.pax.war.alliances import allies
from paxtui.games.pax.war.campaign import war_adjacency
from paxtui.games.pax.war.campaign.war_adjacency import WarStep


def gives_coaling(state: State, war: War, power: str, area: str) -> bool:
    """Return whether an Area gives Coaling Rights to the Alliance of a Power.

    It does with a marker of the Alliance that the enemy has not conquered, if the Alliance has conquered it, if it is
    volunteered, or if it is an occupied defeated Area of an Empire. The share of a neutral in an Area is not conquered.

    Rules: WMV-022 to WMV-026, SUP-007, SUP-029, REB-005 (R-WMV-04, R-WMV-05, R-REB-19)
    """
    side = war.side_of(power)
    conqueror = war.conqueror(area)
    if conqueror == side != 0 or (empire.are_against_empire(war, (power,)) and empire.is_occupied(state, war, area)):
        return True
    if not conqueror and _has_status_marker(area_state(state, area), allies(war, power)):
        return True
    if not any(c.area == area and c.to == side for c in war.coaling):
        return False
    sides = {war.side_of(p) for p in controllers(state, area)}
    return 0 in sides or (side in sides and not conqueror)  # the Power may now be on the side of the enemy


def _has_status_marker(here: AreaState, powers: tuple[str, ...]) -> bool:
    """Return whether one of these Powers has an Influence or Control marker in an Area."""
    for m in here.markers:
        if m.power in powers and m.established and (m.marker in CONTROL or m.marker == INFLUENCE):
            return True
    return False


def _coaling_key(tables: Tables, state: State, war: War, power: str) -> CacheKey:
    areas = state.areas if war.defeated else marked_areas(state.areas)  # Armies occupy defeated Areas
    parts = war.alliances, war.conquered, war.defeated, war.coaling
    return (power, war.kind), (tables, board(tables, state), areas, *parts)


@cached(most=64, by=_coaling_key)
def coaling_zones(tables: Tables, state: State, war: War, power: str) -> frozenset[str]:
    """Return the Sea and Cape Zones in which a Power has Coaling Rights.

    Rules: WMV-021 to WMV-026, WMV-028, WMV-029
    """
    zones_of = board(tables, state).zones_of
    own = allies(war, power)
    areas = {c.area for c in war.conquered} | {c.area for c in war.coaling} | set(war.defeated)
    found = set(zones_of.get(HOME + power, ()))
    for area, here in state.areas.items():
        if gives_coaling(state, war, power, area) if area in areas else _has_status_marker(here, own):
            found.update(zones_of[area])
    found.update(cape.id for cape in tables.capes.values() if found.intersection(cape.adjacent))
    return frozenset(found)


def has_coaling(tables: Tables, state: State, war: War, unit: Unit, place: str) -> bool:
    """Return whether a Naval Unit abroad has Coaling Rights in its place. Rules: SUP-019, SUP-025 (R-SUP-01)."""
    if place in state.areas and gives_coaling(state, war, unit.power, place):
        return True
    zones = (unit.coast,) if unit.coast else board(tables, state).zones_of.get(place, (place,))
    found = coaling_zones(tables, state, war, unit.power)
    return any(zone in found for zone in zones)


def coaling_offers(tables: Tables, state: State, war: War, power: str) -> Iterator[tuple[str, int]]:
    """Return what a neutral may still volunteer: a Coastal Area under its Control, and the number of an Alliance.

    An Empire without allies is left out.

    Rules: WMV-024 (R-WMV-05)
    """
    if war.side_of(power):
        return
    for area in tables.areas:
        if board(tables, state).zones_of[area] and controls(state, area, power):
            for side, powers in enumerate(war.alliances, start=1):
                useful = any(p in tables.powers for p in powers)
                if useful and not any((c.area, c.to) == (area, side) for c in war.coaling):
                    yield area, side


def volunteer_coaling(play: Transaction, power: str, action: actions.Volunteer) -> None:
    """Volunteer a controlled Area of a neutral to the Alliance of a Power, for the rest of the War.

    Raises: Refusal `no_belligerent_named`, `no_neutral`, `no_control`, `inland`, `volunteered`.
    Rules: WMV-024, WMV-025 (R-WMV-05)
    """
    tables, state = play.tables, play.state
    war = next((w for w in alliances.active_wars(state) if w.side_of(action.to)), None)
    name = power_name(tables, action.to)
    if war is None:
        refuse("no_belligerent_named", ("WMV-024",), f"{name} is not in a War that is fought now.")
    if war.side_of(power):
        refuse("no_neutral", ("WMV-024",), "You are in this War, so your Areas already coal your own Alliance.")
    where = place_name(tables, action.area)
    if not controls(state, action.area, power):
        refuse("no_control", ("WMV-024",), f"You have no established Control marker in {where}.")
    if not board(tables, state).zones_of[action.area]:
        refuse("inland", ("WMV-024",), f"{where} borders no Sea Zone, so fleets cannot coal there.")
    side = war.side_of(action.to)
    if any((c.area, c.to) == (action.area, side) for c in war.coaling):
        refuse("volunteered", ("WMV-025",), f"{where} is already volunteered to that Alliance.")
    play.emit(
        events.CoalingVolunteered(war=war.id, area=action.area, power=power, to=side, rules=("WMV-024", "WMV-025"))
    )


class SupplyGround(NamedTuple):
    """Areas as the lines of an Alliance use them.

    Attributes:
        own: Areas that its lines pass.
        secure: its States and Dominions, which are always in supply with all their Units.
        sources: Home Countries, States and Dominions where lines begin.
        shut: Area -> Sea Zones to which no line passes, because enemy fleets blockade it.
    """

    own: frozenset[str]
    secure: frozenset[str]
    sources: tuple[str, ...]
    shut: dict[str, frozenset[str]]


class SupplyLines(NamedTuple):
    """Lines of Supply of a Power: `passed` are the places on them, `ends` the Areas that have one."""

    passed: frozenset[str]
    ends: frozenset[str]


def area_holders(state: State, war: War, side: int, area: str) -> tuple[str, ...]:
    """Return the Powers of an Alliance that hold an Area in War.

    All of them if they have conquered it, none if an enemy has, otherwise those with a Control marker.

    Rules: SUP-004, SUP-029 (R-SUP-07)
    """
    conqueror = war.conqueror(area)
    if conqueror:
        return war.alliance(side) if conqueror == side else ()
    own = war.alliance(side)
    return tuple(p for p in controllers(state, area) if p in own)


def _blockaded_by(zones: tuple[str, ...], by_coast: bool, fleets: Sequence[Unit]) -> frozenset[str]:
    """Return the Sea Zones to which no Line of Supply passes from an Area, because of enemy fleets in it.

    `by_coast`: whether a fleet blockades only its own coast, as in canal and straits Areas.

    Rules: SUP-012, STR-007 (R-SUP-04, R-SUP-12)
    """
    if by_coast and all(u.coast for u in fleets):
        return frozenset(u.coast for u in fleets)
    return frozenset(zones)


def _are_grounds_alike(then: AreaState, here: AreaState) -> bool:
    if then.markers is not here.markers:
        return False
    return then.units is here.units or all(u.kind != NAVAL for u in (*then.units, *here.units))


_areas_with_fleets = first_alike(4, _are_grounds_alike)
"""The first of recent Areas with the same markers and, as long as no fleet comes or goes, the same fleets."""


def _ground_cache_key(tables: Tables, state: State, war: War, side: int) -> CacheKey:
    areas = state.areas if war.defeated or empire.empire_of(war) else _areas_with_fleets(state.areas)
    return (side, war.kind), (tables, board(tables, state), areas, war.alliances, war.conquered, war.defeated)


@cached(most=16, by=_ground_cache_key)
def supply_ground(tables: Tables, state: State, war: War, side: int) -> SupplyGround:
    """Return the Areas as the lines of an Alliance use them.

    A State or Dominion conquered by the enemy is neither secure nor a source for any side. A defeated Area of an Empire
    belongs to the enemies that occupy it. In a War with Great Powers on the Ottoman side, Ottoman Areas without Control
    belong to the Empire.

    Rules: SUP-008, SUP-010, SUP-012, SUP-013, SUP-018, REB-005, OTT-013 (R-SUP-04, R-SUP-09, R-REB-19)
    """
    zones_of = board(tables, state).zones_of
    own: set[str] = set()
    secure: set[str] = set()
    shut: dict[str, frozenset[str]] = {}
    sources = [HOME + p for p in war.alliance(side) if p in tables.homes]
    conquered = {c.area: c.alliance for c in war.conquered}
    members = frozenset(war.alliance(side))
    foes = frozenset(war.powers) - members
    empire_fights = bool(empire.empire_of(war))
    for area, here in state.areas.items():
        fleets = [u for u in here.units if u.kind == NAVAL and u.power in foes] if here.units else ()
        if fleets:
            shut[area] = _blockaded_by(zones_of[area], bool(tables.areas[area].passage), fleets)
        if area in conquered:
            if conquered[area] == side:
                own.add(area)
            continue
        own_markers = [m for m in here.markers if m.power in members and m.established and m.marker in CONTROL]
        if not own_markers:
            if empire_fights and empire.carries_supply(tables, state, war, members, area):
                own.add(area)
            continue
        own.add(area)
        if any(m.marker in (STATE, DOMINION) for m in own_markers):
            secure.add(area)
            if not zones_of[area] or not shut.get(area, frozenset()).issuperset(zones_of[area]):
                sources.append(area)
    return SupplyGround(frozenset(own), frozenset(secure), tuple(sources), shut)


def merchant_zones(tables: Tables, state: State, power: str) -> frozenset[str]:
    """Return the Sea Zones with a Merchant Fleet of a Power, and the Cape Zones next to such an ocean.

    Rules: SUP-010, SUP-027, WMV-030 (R-SUP-06)
    """
    zones = {zone for zone, fleets in state.sea_zones.items() if power in fleets}
    return frozenset((*zones, *(cape.id for cape in tables.capes.values() if zones.intersection(cape.adjacent))))


@cached(
    most=64,
    by=lambda tables, state, war, power: ((power,), (tables, state.areas, state.sea_zones, war, board(tables, state))),
)
def trace_supply(tables: Tables, state: State, war: War, power: str) -> SupplyLines:
    """Return all Lines of Supply of a Power in a War.

    Rules: SUP-009, SUP-010, SUP-011, SUP-012, SUP-013, SUP-014, SUP-027, SUP-028 (R-SUP-04, R-SUP-06, R-SUP-08)
    """
    ground = supply_ground(tables, state, war, war.side_of(power))
    seas = war_adjacency.neighbouring_seas(tables, state, war, power)
    return _trace_lines(tables, state, power, ground, seas)


@cached(
    most=64,
    by=lambda tables, state, power, ground, seas: (
        (power,),
        (tables, board(tables, state), state.sea_zones, ground, seas),
    ),
)
def _trace_lines(
    tables: Tables, state: State, power: str, ground: SupplyGround, seas: dict[str, tuple[str, ...]]
) -> SupplyLines:
    sea, near = merchant_zones(tables, state, power), _adjacent_places(tables, state)
    own, shut = ground.own, ground.shut
    passed, ends = set(ground.sources), set(ground.sources)
    todo = list(ground.sources)
    while todo:
        place = todo.pop()
        zones, areas = near[place]
        if place in seas:
            zones = seas[place]
            if shut:
                areas = tuple(area for area in areas if area not in shut or place not in shut[area])
        elif place in shut:
            zones = tuple(zone for zone in zones if zone not in shut[place])
        ends.update(areas)
        for other in zones:
            if other in sea and other not in passed:
                passed.add(other)
                todo.append(other)
        for other in areas:
            if other in own and other not in passed:
                passed.add(other)
                todo.append(other)
    return SupplyLines(frozenset(passed), frozenset(ends))


def shortest_lines(tables: Tables, state: State, war: War, power: str) -> dict[str, str]:
    """Return the shortest Lines of Supply of a Power, as place -> previous place. A source maps to itself.

    Rules: SUP-009, SUP-010, SUP-012 (R-SUP-04, R-SUP-06, R-SUP-08)
    """
    ground = supply_ground(tables, state, war, war.side_of(power))
    found = trace_supply(tables, state, war, power)
    seas, near = war_adjacency.neighbouring_seas(tables, state, war, power), _adjacent_places(tables, state)
    before = {source: source for source in ground.sources}
    todo = list(ground.sources)
    for place in todo:
        zones, areas = near[place]
        shut = ground.shut.get(place, frozenset())
        zones = seas.get(place) or tuple(zone for zone in zones if zone not in shut)
        for other in (*zones, *areas):
            open_ = other in found.passed if place not in ground.shut.get(other, ()) else False
            if other not in before and (open_ or other in found.ends):
                before[other] = place
                if open_:
                    todo.append(other)
    return before


@cached(most=16, by=lambda tables, state: ((), (tables, board(tables, state))))
def _adjacent_places(tables: Tables, state: State) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the neighbours of each place: Sea Zones and Areas. Home Countries are only starts of lines."""
    map_ = board(tables, state)
    near: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = dict.fromkeys(tables.capes, ((), ()))
    for zone, coast in map_.coast_of.items():
        near[zone] = (), tuple(place for place in coast if not place.startswith(HOME))
    for place, zones in map_.zones_of.items():
        near[place] = zones, tuple(p for p in map_.routes.get(place, ()) if not p.startswith(HOME))
    return near


def is_army_supplied(tables: Tables, state: State, war: War, power: str, place: str) -> bool:
    """Return whether an Army Unit of a Power is in supply in its Area or Sea Zone.

    Rules: SUP-008, SUP-009, SUP-028 (R-SUP-08)
    """
    if place.startswith(HOME):
        return True
    found = trace_supply(tables, state, war, power)
    if place not in tables.areas:
        return place in found.passed
    return place in found.ends or place in supply_ground(tables, state, war, war.side_of(power)).secure


def is_supplied_at(tables: Tables, state: State, war: War, unit: Unit, step: WarStep) -> bool:
    """Return whether a Unit would be in supply at a place, with all other Units unchanged.

    Rules: SUP-008, SUP-019, ORD-037 (R-WCB-10)
    """
    if step.place.startswith(HOME):
        return True
    if unit.kind == ARMY:
        return is_army_supplied(tables, state, war, unit.power, step.place)
    return has_coaling(tables, state, war, replace(unit, coast=step.coast), step.place)


def unsupplied_from_start(tables: Tables, state: State, war: War, powers: tuple[str, ...]) -> tuple[str, ...]:
    """Return Areas, and "power area" of Army Units, of Minor Powers without a Line of Supply at the start of their War.

    An Area is supplied by the Merchant Fleets of any of its holders.

    Rules: SUP-008, SUP-009, SUP-018, SUP-030, SUP-031 (R-SUP-05, R-SUP-13, Decision 51)
    """
    found: list[str] = []
    for area, here in state.areas.items():
        for power in powers:
            side = war.side_of(power)
            holders = area_holders(state, war, side, area)
            if power in holders and area not in supply_ground(tables, state, war, side).secure:
                if not any(area in trace_supply(tables, state, war, holder).ends for holder in holders):
                    found.append(area)
            if any(u.kind == ARMY and u.power == power for u in here.units):
                if not is_army_supplied(tables, state, war, power, area):
                    found.append(f"{power} {area}")
    return tuple(dict.fromkeys(found))


ACTS: ActTable = {actions.Volunteer: {"war": volunteer_coaling}}
