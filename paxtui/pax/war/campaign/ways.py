"""What is next to what in War: Cape Zones between the oceans, passages that can be closed, coasts that keep fleets.

One step leads from a place to a place beside it; whether the rules let a Unit take it is for `maneuver`.

Rules: WMV-006, WMV-011, WMV-012, WMV-027, WMV-033, STR-001, STR-003, STR-004, STR-006, STR-007, STR-009, STR-012,
STR-014 (R-WMV-03, R-WMV-11, R-STR-06, R-STR-11, Decision 25)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.pax.board.neighbours import board
from paxtui.pax.board.passages import CANAL
from paxtui.pax.board.remembered import MadeOf, remembered
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, NAVAL, Unit
from paxtui.pax.state.war import War
from paxtui.pax.war.campaign import passages
from paxtui.pax.words.spoken import place_name, power_name


class Step(NamedTuple):
    """Where one step leads: a place, and for a Naval Unit the coast or home box where it lies then."""

    place: str
    coast: str = ""


def is_sea(tables: Tables, place: str) -> bool:
    """Whether a place is a Sea Zone or a Cape Zone."""
    return place in tables.sea_zones or place in tables.capes


def zones_next(tables: Tables, state: State, war: War, power: str, zone: str) -> tuple[str, ...]:
    """Sea and Cape Zones next to one of them for a Power in a War.

    Oceans that meet at a Cape are joined through it alone; a passage denied to the Power joins nothing.

    Rules: WMV-027, STR-003, STR-006, STR-012
    """
    return seas(tables, state, war, power)[zone]


def seas(tables: Tables, state: State, war: War, power: str) -> dict[str, tuple[str, ...]]:
    """Every Sea and Cape Zone with those next to it for a Power in a War, as `zones_next` has them."""
    return _seas(tables, state, passages.shut_to(tables, state, war, power))


def _same_seas(tables: Tables, state: State, shut: frozenset[str]) -> MadeOf:
    return shut, (tables, board(tables, state))


@remembered(most=64, by=_same_seas)
def _seas(tables: Tables, state: State, shut: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """The Sea and Cape Zones next to each, with these passages closed. Rules: WMV-027, STR-003, STR-006, STR-012."""
    capes = tables.capes.values()
    found: dict[str, tuple[str, ...]] = {cape.id: cape.adjacent for cape in capes}
    for zone, others in board(tables, state).zone_next.items():
        joined = [
            other
            for other in others
            if not any({zone, other} <= set(cape.adjacent) for cape in capes)
            and passages.open_but_for(tables, state, shut, zone, other)
        ]
        found[zone] = (*joined, *(cape.id for cape in capes if zone in cape.adjacent))
    return found


def coasts(tables: Tables, state: State, war: War, power: str, area: str) -> tuple[tuple[str, ...], ...]:
    """The coasts of an Area for a Power's Naval Units in a War: each with the Sea Zones that are joined there.

    Rules: WMV-011, STR-007 (R-WMV-03, R-STR-06, Decision 25)
    """
    zones = board(tables, state).zones_of.get(area, ())
    found: list[tuple[str, ...]] = []
    left = list(zones)
    while left:
        coast = [left.pop(0)]
        for zone in coast:
            joined = [z for z in zones_next(tables, state, war, power, zone) if z in left]
            coast += joined
            left = [z for z in left if z not in joined]
        found.append(tuple(coast))
    return tuple(found)


def two_coasts(tables: Tables, state: State, area: str) -> bool:
    """Whether a Naval Unit in an Area always has a coast in War: canal and straits Areas, and those split in peace.

    Rules: STR-007 (R-STR-06)
    """
    return bool(tables.areas[area].passage) or bool(_split_in_war(tables, state, area))


def uncoasted(tables: Tables, state: State) -> Iterator[tuple[str, Unit, str]]:
    """Naval Units that have no coast yet in an Area with two in War: Area, Unit, and the first coast.

    Rules: STR-007 (R-STR-06)
    """
    for name, here in state.areas.items():
        if any(u.kind == NAVAL and not u.coast for u in here.units) and two_coasts(tables, state, name):
            for unit in here.units:
                if unit.kind == NAVAL and not unit.coast:
                    yield name, unit, board(tables, state).zones_of[name][0]


def _split_in_war(tables: Tables, state: State, area: str) -> bool:
    map_ = board(tables, state)
    if map_.split_coasts(area):
        return True
    zones = set(map_.zones_of.get(area, ()))
    return any(len(zones & set(cape.adjacent)) > 1 for cape in tables.capes.values())


def steps(tables: Tables, state: State, war: War, unit: Unit, place: str) -> Iterator[Step]:
    """Every place one step away from where a Unit stands.

    Rules: WMV-006, WMV-011, WMV-012, WMV-033
    """
    yield from (army_steps if unit.kind == ARMY else naval_steps)(tables, state, war, unit, place)


def army_steps(tables: Tables, state: State, war: War, unit: Unit, place: str) -> Iterator[Step]:
    """Places next to an Army Unit: by Overland Route, from land to sea, from sea to sea and to land."""
    map_ = board(tables, state)
    if is_sea(tables, place):
        for zone in zones_next(tables, state, war, unit.power, place):
            yield Step(zone)
        for coast in map_.coast_of.get(place, ()):
            yield Step(coast)
        return
    for other in (*map_.routes.get(place, ()), *map_.zones_of.get(place, ())):
        yield Step(other)


def naval_steps(tables: Tables, state: State, war: War, unit: Unit, place: str) -> Iterator[Step]:
    """Places next to a Naval Unit: by sea alone; in an Area with two coasts only from the side where it lies."""
    map_ = board(tables, state)
    if is_sea(tables, place):
        for zone in zones_next(tables, state, war, unit.power, place):
            yield Step(zone)
        for coast in map_.coast_of.get(place, ()):
            if coast == HOME + unit.power:
                yield Step(coast, box_of(tables, unit.power, place))
            elif not coast.startswith(HOME):
                yield Step(coast, place if two_coasts(tables, state, coast) else "")
        return
    if place.startswith(HOME):
        for zone in _exits(tables, unit):
            yield Step(zone)
        return
    if not two_coasts(tables, state, place) or not unit.coast:
        for zone in map_.zones_of.get(place, ()):
            yield Step(zone)
        return
    for coast_zones in coasts(tables, state, war, unit.power, place):
        if unit.coast in coast_zones:
            for zone in coast_zones:
                yield Step(zone)
                if zone != unit.coast:
                    yield Step(place, zone)  # through the open passage to the other coast


def _exits(tables: Tables, unit: Unit) -> tuple[str, ...]:
    """Sea Zones that a Naval Unit at home can leave into.

    Rules: WMV-010, WMV-012 (Decision 57)
    """
    country = tables.homes[unit.power]
    if not country.port_boxes:
        return country.sea_zones
    return next((box for box in country.port_boxes if unit.coast in box), ())


def box_of(tables: Tables, power: str, zone: str) -> str:
    """The name of the home box that opens on a Sea Zone: its first Sea Zone."""
    boxes = tables.homes[power].boxes
    return next((box[0] for box in boxes if zone in box), boxes[0][0] if boxes else "")


class Apart(NamedTuple):
    """Why no step leads from one place to another: code, rules, one sentence."""

    code: str
    rules: tuple[str, ...]
    message: str


def apart(tables: Tables, state: State, war: War, unit: Unit, start: str, place: str) -> Apart:
    """Why no step leads a Unit from where it stands to a place: a Cape between, a passage denied, another coast or
    another box, a Route where it sails; else it is too far.

    Rules: WMV-006, WMV-011, WMV-012, WMV-027, WMV-033, STR-003, STR-006, CAN-007
    """
    map_, here, there = board(tables, state), place_name(tables, start), place_name(tables, place)
    for cape in tables.capes.values():
        if {start, place} <= set(cape.adjacent):
            how = f"In War the way from {here} to {there} leads by {cape.name}, a step of its own."
            return Apart("cape_between", ("WMV-027", "WMV-006"), how)
    area = next((a for a in (start, place) if a in tables.areas), "")
    coast = unit.coast or start
    other = next((z for z in map_.zones_of.get(start, ()) if z != coast), "") if place == start else place
    ways = passages.joins(tables, state, coast, other) if area in ("", start) and not start.startswith(HOME) else ()
    if ways and passages.shut_to(tables, state, war, unit.power).issuperset(ways):
        how = f"The way from {here} to {there} is denied to {power_name(tables, unit.power)}."
        return Apart("passage_shut", ("STR-003", "STR-006", "CAN-007", "WMV-006"), how)
    if not ways and any(a.passage == CANAL and {start, place} <= set(a.sea_zones) for a in tables.areas.values()):
        return Apart("not_adjacent", ("CAN-005", "WMV-006"), f"No canal joins {here} and {there}.")
    if unit.kind == NAVAL and place in map_.zones_of.get(start, ()):
        if start.startswith(HOME):
            exits = " or ".join(place_name(tables, zone) for zone in _exits(tables, unit))
            how = f"{unit.name} is in the port box of {exits}: from home it can move only there."
            return Apart("other_coast", ("WMV-012", "WMV-006"), how)
        how = f"{unit.name} lies on the coast of {place_name(tables, unit.coast)} and leaves {here} on that side alone."
        return Apart("other_coast", ("WMV-011", "WMV-006"), how)
    if unit.kind == NAVAL and place in map_.routes.get(start, ()):
        how = f"Fleets go by sea, not by the Overland Route from {here} to {there}."
        return Apart("not_adjacent", ("WMV-033", "WMV-006"), how)
    return Apart("not_adjacent", ("WMV-006",), f"{there} is not one step from {here} for {unit.name}.")
