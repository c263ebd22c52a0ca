"""Builds a map scene from a position: signs, garrisons and flags of all places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from msgspec.structs import replace as structs_replace

from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.routes import army_paths, can_start_move, linked_areas, naval_destinations, network
from paxtui.games.pax.board.status import area_state, powers_of, seat_of, units_line
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.expansion.placement import may_place
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, LEVEL, PROTECTORATE, AreaState, Marker, Unit
from paxtui.games.pax.turn.administration import area_earnings
from paxtui.tui.colors import letters_of
from paxtui.tui.formatting.look import format_pounds
from paxtui.tui.map.scene import AT_WAR, WAR_VIEWS, PlaceMark, Scene, free_mark, home_mark, owned_mark

FILTERS = (
    *("all", "mine", "what it earns", "links", "control may go", "needs this fleet"),
    *("unrest", "casus belli", "value 6+", "weak", "free"),
    *WAR_VIEWS,
)
"""The map filters."""
FORCE = 3
"""Minimum strength in an Area that counts as more than a garrison."""
CURSOR_FILTER = "needs this fleet"
"""The filter that depends on the cursor."""
WAR_FILTER = FILTERS.index(AT_WAR)
"""The filter that a War Phase selects by itself."""


def area_mark(tables: Tables, state: State, area: str) -> PlaceMark:
    """Return the mark of an Area: highest markers, garrison, value and strength."""
    return _look_of(tables, area, area_state(state, area), any(c.area == area for c in state.casus_belli))


@cached(most=512, by=lambda tables, area, here, dispute: ((area, dispute), (tables, here)))
def _look_of(tables: Tables, area: str, here: AreaState, dispute: bool) -> PlaceMark:
    """Return the mark of an Area with these contents. The result is cached: most Areas do not change."""
    row = tables.areas[area]
    numbers = f"{row.value}·{row.strength}"
    garrison = units_line(here.units)
    force = sum(unit.strength for unit in here.units) >= FORCE
    if not here.markers:
        mark = free_mark(here.type or row.type, numbers, garrison=garrison, unrest=here.unrest)
        return replace(mark, casus_belli=dispute, canal=here.canal, force=force)
    shown = shown_markers(here)
    mark = owned_mark(
        shown[0].marker,
        [m.power for m in shown],
        garrison=garrison,
        numbers=numbers,
        unrest=here.unrest,
        casus_belli=dispute,
        unestablished=any(not m.established for m in shown),
        type_=here.type or row.type,
    )
    return replace(mark, canal=here.canal, force=force)


def shown_markers(here: AreaState) -> list[Marker]:
    """Return the highest Status markers of an Area that fit behind its code; unestablished ones last, before their
    sign.
    """
    best = max(LEVEL[m.marker] for m in here.markers)
    control = [m for m in here.markers if m.marker in CONTROL and m.established]
    found = control or [m for m in here.markers if LEVEL[m.marker] == best]
    return sorted(found, key=lambda m: not m.established)


def answerable_filters(state: State) -> tuple[int, ...]:
    """Return the indexes into FILTERS of the available filters. Those of War need a War."""
    return tuple(n for n, question in enumerate(FILTERS) if question not in WAR_VIEWS or state.wars)


def build_scene(tables: Tables, state: State, cursor: str, power: str = "", show: str = "all") -> Scene:
    """Return the scene of a position. `show` is one of FILTERS, `power` the Power that it refers to."""
    if show in WAR_VIEWS:
        from paxtui.tui.widgets.war_scene import overlay_war  # the map of the start screen needs no rules of War

        peace = _build_scene(tables, state, cursor, power, "all")
        return overlay_war(peace, tables, state, powers_of(tables, state, seat_of(tables, state, power)), show)
    return _build_scene(tables, state, cursor, power, show)


def _build_scene(tables: Tables, state: State, cursor: str, power: str, show: str) -> Scene:
    marks = _marks(tables, state)
    merchants = {zone: tuple((letters_of(p), p) for p in fleets) for zone, fleets in state.sea_zones.items() if fleets}
    shown = filtered_places(tables, state, power, show, cursor)
    if show != "what it earns":
        return Scene(marks=marks, cursor=cursor, sea_merchants=merchants, filter=shown)
    earned = area_earnings(tables, state, power)
    most = max(earned.values(), default=0) or 1
    return Scene(
        marks=marks,
        cursor=cursor,
        sea_merchants=merchants,
        lit=frozenset(earned),
        costs={area: format_pounds(n) for area, n in earned.items()},
        heat={area: max(0.0, n / most) for area, n in earned.items()},
    )


@cached(most=4, by=lambda tables, state: ((), (tables, state.areas, state.homes, state.casus_belli)))
def _marks(tables: Tables, state: State) -> Mapping[str, PlaceMark]:
    """Return the marks of all Areas and Home Countries, without filters."""
    marks = {area: area_mark(tables, state, area) for area in tables.areas}
    return marks | {HOME + name: home_mark(name, units_line(units)) for name, units in state.homes.items()}


def filtered_places(tables: Tables, state: State, power: str, show: str, cursor: str = "") -> frozenset[str] | None:
    """Return the places that match a filter; None for all."""
    areas = tables.areas
    if show == "control may go":
        return frozenset(a for a in areas if may_place(tables, state, power, a, PROTECTORATE))
    if show == CURSOR_FILTER:
        return areas_cut_off(tables, state, power, cursor) | {cursor}
    if show == "weak":
        return frozenset(a for a, row in areas.items() if row.strength <= 1)
    if show == "unrest":
        return frozenset(a for a in areas if area_state(state, a).unrest)
    if show == "casus belli":
        return frozenset(c.area for c in state.casus_belli if c.area)
    if show == "mine":
        return frozenset(
            [a for a in areas if any(m.power == power for m in area_state(state, a).markers)] + [HOME + power]
        )
    if show == "links":
        return linked_areas(tables, state, power) | network(tables, state, power)
    if show == "value 6+":
        return frozenset(a for a, row in areas.items() if row.value >= 6)
    if show == "free":
        return frozenset(a for a in areas if not any(m.marker in CONTROL for m in area_state(state, a).markers))
    return None


def areas_cut_off(tables: Tables, state: State, power: str, zone: str) -> frozenset[str]:
    """Return the Areas with markers of the Power that lose their link if its Merchant Fleet leaves a Sea Zone."""
    if power not in state.sea_zones.get(zone, ()):
        return frozenset()
    without = {**state.sea_zones, zone: tuple(p for p in state.sea_zones[zone] if p != power)}
    later = linked_areas(tables, structs_replace(state, sea_zones=without), power)
    return frozenset(
        a
        for a in linked_areas(tables, state, power)
        if a not in later and any(m.power == power for m in area_state(state, a).markers)
    )


def reachable(
    tables: Tables, state: State, power: str, start: str, units: tuple[Unit, ...]
) -> dict[str, tuple[str, ...]]:
    """Return the places that all these Units can reach, with paths from `start` (only the ends for Naval Units)."""
    ends: dict[str, tuple[str, ...]] | None = None
    for kind in {u.kind for u in units}:
        if kind == "army":
            ways = army_paths(tables, state, power, start) if can_start_move(state, power, start) else {}
            these = {place: tuple(path) for place, path in ways.items() if place != start}
        else:
            these = {place: (start, place) for place in (*naval_destinations(tables, state, power), HOME + power)}
        ends = these if ends is None else {p: way for p, way in ends.items() if p in these}
    return ends or {}
