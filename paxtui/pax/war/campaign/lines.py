"""Lines of Supply: from the Home Countries, States and Dominions of an Alliance to its Armies and Areas.

A line is traced for one Power: with its own Merchant Fleets, over land of the whole Alliance.

Rules: SUP-004, SUP-008 to SUP-014, SUP-018, SUP-027, SUP-028, STR-003, STR-006, STR-007, STR-012 (R-SUP-04, R-SUP-06,
R-SUP-08, R-SUP-09, R-SUP-12)
"""

from __future__ import annotations

from typing import NamedTuple

from paxtui.pax.board.neighbours import board
from paxtui.pax.board.remembered import MadeOf, remembered
from paxtui.pax.board.status import controllers
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, CONTROL, DOMINION, NAVAL, STATE, AreaState
from paxtui.pax.state.war import War
from paxtui.pax.war import empire
from paxtui.pax.war.campaign import ways


class Ground(NamedTuple):
    """What the land is for the lines of an Alliance.

    Attributes:
        own: Areas that its lines pass.
        secure: its States and Dominions, in supply with all that is in them, whatever happens around them.
        sources: Home Countries, States and Dominions from which lines run.
        shut: Area -> its Sea Zones to which no line passes, because enemy fleets blockade it.
    """

    own: frozenset[str]
    secure: frozenset[str]
    sources: tuple[str, ...]
    shut: dict[str, frozenset[str]]


class Lines(NamedTuple):
    """Where a Power's Lines of Supply run: `passed` are the places they pass, `ends` the Areas that have one."""

    passed: frozenset[str]
    ends: frozenset[str]


# --- the land -------------------------------------------------------------------------------------------------------


def holders(state: State, war: War, side: int, area: str) -> tuple[str, ...]:
    """The Powers of an Alliance that hold an Area in War: all of them where they have conquered it, none where it is
    lost to an enemy, else those with a Control marker.

    Rules: SUP-004, SUP-029 (R-SUP-07)
    """
    conqueror = war.conqueror(area)
    if conqueror:
        return war.alliance(side) if conqueror == side else ()
    own = war.alliance(side)
    return tuple(p for p in controllers(state, area) if p in own)


def blockaded(tables: Tables, state: State, war: War, side: int, area: str) -> frozenset[str]:
    """The Sea Zones to which no Line of Supply of an Alliance passes from an Area: an enemy fleet lies there.

    In canal and straits Areas a fleet blockades the coast where it lies; elsewhere all of them.

    Rules: SUP-012, STR-007 (R-SUP-04, R-SUP-12)
    """
    foes = frozenset(p for p in war.powers if war.side_of(p) != side)
    return _shut(board(tables, state).zones_of[area], bool(tables.areas[area].passage), state.areas[area], foes)


def _shut(zones: tuple[str, ...], by_coast: bool, here: AreaState, foes: frozenset[str]) -> frozenset[str]:
    fleets = [u for u in here.units if u.kind == NAVAL and u.power in foes]
    if not fleets:
        return frozenset()
    if by_coast and all(u.coast for u in fleets):
        return frozenset(u.coast for u in fleets)
    return frozenset(zones)


def _ground_of(tables: Tables, state: State, war: War, side: int) -> MadeOf:
    return (side,), (tables, state.areas, war, board(tables, state))


@remembered(most=8, by=_ground_of)
def ground(tables: Tables, state: State, war: War, side: int) -> Ground:
    """What every Area is for the lines of an Alliance.

    A State or Dominion that the enemy has conquered is neither secure nor a source, for nobody. A defeated Area of an
    Empire that its enemies occupy is theirs; in a War that Great Powers fight beside the Ottoman Empire those that
    nobody Controls are its own.

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
    for area, here in state.areas.items():
        if here.units and (closed := _shut(zones_of[area], bool(tables.areas[area].passage), here, foes)):
            shut[area] = closed
        if area in conquered:
            if conquered[area] == side:
                own.add(area)
            continue
        ours = [m for m in here.markers if m.power in members and m.established and m.marker in CONTROL]
        if not ours:
            if empire.serves(tables, state, war, members, area):
                own.add(area)
            continue
        own.add(area)
        if any(m.marker in (STATE, DOMINION) for m in ours):
            secure.add(area)
            if not zones_of[area] or not shut.get(area, frozenset()).issuperset(zones_of[area]):
                sources.append(area)
    return Ground(frozenset(own), frozenset(secure), tuple(sources), shut)


# --- the lines ------------------------------------------------------------------------------------------------------


def sailed(tables: Tables, state: State, power: str) -> frozenset[str]:
    """Sea Zones with a Merchant Fleet of a Power, and the Cape Zones beside an ocean with one.

    Rules: SUP-010, SUP-027, WMV-030 (R-SUP-06)
    """
    zones = {zone for zone, fleets in state.sea_zones.items() if power in fleets}
    return frozenset((*zones, *(cape.id for cape in tables.capes.values() if zones.intersection(cape.adjacent))))


def _lines_of(tables: Tables, state: State, war: War, power: str) -> MadeOf:
    return (power,), (tables, state.areas, state.sea_zones, war, board(tables, state))


@remembered(most=64, by=_lines_of)
def lines(tables: Tables, state: State, war: War, power: str) -> Lines:
    """Every Line of Supply of a Power in a War.

    Rules: SUP-009, SUP-010, SUP-011, SUP-012, SUP-013, SUP-014, SUP-027, SUP-028 (R-SUP-04, R-SUP-06, R-SUP-08)
    """
    land = ground(tables, state, war, war.side_of(power))
    sea = sailed(tables, state, power)
    seas, near = ways.seas(tables, state, war, power), _near(tables, state)
    own, shut = land.own, land.shut
    passed, ends = set(land.sources), set(land.sources)
    todo = list(land.sources)
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
    return Lines(frozenset(passed), frozenset(ends))


def traced(tables: Tables, state: State, war: War, power: str) -> dict[str, str]:
    """The shortest Lines of Supply of a Power: each place that one passes or ends in, and the place before it; a source
    has itself.

    Rules: SUP-009, SUP-010, SUP-012 (R-SUP-04, R-SUP-06, R-SUP-08)
    """
    land = ground(tables, state, war, war.side_of(power))
    found = lines(tables, state, war, power)
    seas, near = ways.seas(tables, state, war, power), _near(tables, state)
    before = {source: source for source in land.sources}
    todo = list(land.sources)
    for place in todo:
        zones, areas = near[place]
        shut = land.shut.get(place, frozenset())
        zones = seas.get(place) or tuple(zone for zone in zones if zone not in shut)
        for other in (*zones, *areas):
            open_ = other in found.passed if place not in land.shut.get(other, ()) else False
            if other not in before and (open_ or other in found.ends):
                before[other] = place
                if open_:
                    todo.append(other)
    return before


def _board_of(tables: Tables, state: State) -> MadeOf:
    return (), (tables, board(tables, state))


@remembered(most=16, by=_board_of)
def _near(tables: Tables, state: State) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """What is next to each place on the board: Sea Zones, and Areas; Home Countries are only where lines begin."""
    map_ = board(tables, state)
    near: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = dict.fromkeys(tables.capes, ((), ()))
    for zone, coast in map_.coast_of.items():
        near[zone] = (), tuple(place for place in coast if not place.startswith(HOME))
    for place, zones in map_.zones_of.items():
        near[place] = zones, tuple(p for p in map_.routes.get(place, ()) if not p.startswith(HOME))
    return near


# --- what they supply -----------------------------------------------------------------------------------------------


def army_supplied(tables: Tables, state: State, war: War, power: str, place: str) -> bool:
    """Whether an Army Unit of a Power is in supply where it stands: in an Area or at sea.

    Rules: SUP-008, SUP-009, SUP-028 (R-SUP-08)
    """
    if place.startswith(HOME):
        return True
    found = lines(tables, state, war, power)
    if place not in tables.areas:
        return place in found.passed
    return place in found.ends or place in ground(tables, state, war, war.side_of(power)).secure


def area_supplied(tables: Tables, state: State, war: War, side: int, area: str) -> bool:
    """Whether an Area that an Alliance holds is in supply: by the Merchant Fleets of any one of its holders.

    Rules: SUP-008, SUP-009, SUP-018, SUP-030 (R-SUP-05)
    """
    if area in ground(tables, state, war, side).secure:
        return True
    return any(area in lines(tables, state, war, p).ends for p in holders(state, war, side, area))


# --- what was never supplied ----------------------------------------------------------------------------------------


def never_supplied(tables: Tables, state: State, war: War, powers: tuple[str, ...]) -> tuple[str, ...]:
    """Areas, and "power area" of the Army Units, of Minor Powers that have no Line of Supply as their War begins.

    Rules: SUP-031 (R-SUP-13, Decision 51)
    """
    found: list[str] = []
    for area, here in state.areas.items():
        for power in powers:
            side = war.side_of(power)
            if power in holders(state, war, side, area) and not area_supplied(tables, state, war, side, area):
                found.append(area)
            if any(u.kind == ARMY and u.power == power for u in here.units):
                if not army_supplied(tables, state, war, power, area):
                    found.append(f"{power} {area}")
    return tuple(dict.fromkeys(found))
