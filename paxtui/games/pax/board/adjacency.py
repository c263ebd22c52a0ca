"""Adjacency on the map of a game, with its options, Balkan wars and canals, and the passages that a War may close.

Adjacency is that of peace: no Cape Zones, canals and straits open to all.

Rules: SET-007, SET-008, SET-009, SET-010, SET-016, SET-018, SET-019, SET-021, CAN-005, STR-001, STR-004, STR-009,
STR-011
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from paxtui.games.pax.board.caching import CacheKey, cached
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.options import option_text


class Board(msgspec.Struct, frozen=True):
    """Adjacency of places: Area ids, Sea Zone ids and `home:power`."""

    zones_of: dict[str, tuple[str, ...]]  # Area or Home Country -> Sea Zones
    coast_of: dict[str, tuple[str, ...]]  # Sea Zone -> Areas and Home Countries
    routes: dict[str, tuple[str, ...]]  # Area or Home Country -> joined by one Overland Route
    zone_next: dict[str, tuple[str, ...]]  # Sea Zone -> Sea Zones
    beside: dict[str, tuple[str, ...]]  # any place -> all of these together

    def around(self, place: str) -> tuple[str, ...]:
        """Return all places adjacent to `place`: by Overland Route, between land and sea, or by sea."""
        return self.beside.get(place, ())

    def split_coasts(self, area: str) -> tuple[str, ...]:
        """Return the Sea Zones of an Area if two of them are not joined, so that the coast matters; else empty.

        Rules: SET-015
        """
        zones = self.zones_of.get(area, ())
        if len(zones) < 2:
            return ()
        # joined through each other: the Dutch East Indies' oceans meet in its own South China Sea (Decision 25)
        seen, todo = {zones[0]}, [zones[0]]
        while todo:
            for other in self.zone_next[todo.pop()]:
                if other in zones and other not in seen:
                    seen.add(other)
                    todo.append(other)
        return () if len(seen) == len(zones) else zones


def canals(state: State) -> tuple[str, ...]:
    return tuple(name for name, area in state.areas.items() if area.canal)


def _board_cache_key(tables: Tables, state: State) -> CacheKey:
    """Return everything that changes the board: options, wars, canals."""
    options = state.options
    dug = tuple(area for area in _canal_sites(tables) if state.areas[area].canal)
    return (options.fiji_south_pacific, options.balkan_routes, min(2, state.balkan_wars), dug), (tables,)


@cached(most=4, by=lambda tables: ((), (tables,)))
def _canal_sites(tables: Tables) -> tuple[str, ...]:
    return tuple(area.id for area in tables.areas.values() if area.passage == "canal")


_LAST_BOARDS: dict[int, tuple[Tables, State, Board]] = {}


def board(tables: Tables, state: State) -> Board:
    """Return the board of a position; the same object for all positions with equal boards."""
    known = _LAST_BOARDS.get(id(tables))  # most questions are about the same position as the last one
    if known is None or known[1] is not state or known[0] is not tables:
        if known is None:
            _LAST_BOARDS.clear()
        known = _LAST_BOARDS[id(tables)] = (tables, state, _build_board(tables, state))
    return known[2]


@cached(most=32, by=_board_cache_key)
def _build_board(tables: Tables, state: State) -> Board:
    zones = {area.id: area.sea_zones for area in tables.areas.values()}
    routes = dict(tables.routes)
    zone_next = {zone.id: zone.adjacent for zone in tables.sea_zones.values()}
    for change in tables.map_changes:
        if (
            option_text(getattr(state.options, change.option)) == change.value
            and state.balkan_wars >= change.balkan_wars
        ):
            a, b = change.a, change.b
            if change.change == "coast_added":
                zones[a] = _join(zones[a], b)
            elif change.change == "route_added":
                routes[a], routes[b] = _join(routes.get(a, ()), b), _join(routes.get(b, ()), a)
            else:
                routes[a] = tuple(p for p in routes[a] if p != b)
                routes[b] = tuple(p for p in routes[b] if p != a)
    for area in canals(state):
        # a canal joins the Sea Zones on its two sides
        for zone in zones[area]:
            for other in zones[area]:
                if other != zone:
                    zone_next[zone] = _join(zone_next[zone], other)
    for power, place in tables.homes.items():
        zones[HOME + power] = place.sea_zones
    coasts: dict[str, list[str]] = {zone: [] for zone in tables.sea_zones}
    for place_id, its in zones.items():
        for zone in its:
            coasts[zone].append(place_id)
    beside = {place: routes.get(place, ()) + zones.get(place, ()) for place in (*routes, *zones)}
    beside.update({zone: zone_next[zone] + tuple(places) for zone, places in coasts.items()})
    return Board(zones, {zone: tuple(places) for zone, places in coasts.items()}, routes, zone_next, beside)


def _join(places: tuple[str, ...], other: str) -> tuple[str, ...]:
    return places if other in places else (*places, other)


def distances(starts: Iterable[str], steps: Callable[[str], Iterable[str]]) -> dict[str, int]:
    """Return the places that can be reached from some places, the nearest first, with their distances in steps.

    `steps`: the places one step away from a place.
    """
    found = dict.fromkeys(starts, 0)
    todo = list(found)
    for place in todo:  # the list grows during the loop
        for other in steps(place):
            if other not in found:
                found[other] = found[place] + 1
                todo.append(other)
    return found


def area_type(tables: Tables, state: State, area: str) -> str:
    """Return the type of an Area: that of the table, unless the optional Ottoman expansion has changed it.

    Rules: SET-012, EVT-040
    """
    contents = state.areas.get(area)
    return contents.type if contents and contents.type else tables.areas[area].type


CANAL = "canal"
"""Value of `Area.passage` where a canal may be built. The passage has the id of the Area."""


def passage_of(tables: Tables, area: str) -> str:
    """Return the passage through an Area: suez, straits, the Area's id for a canal, or ""."""
    kind = tables.areas[area].passage
    return area if kind == CANAL else kind


def passages(tables: Tables) -> dict[str, str]:
    """Return all passages with their Areas."""
    return {passage_of(tables, a.id): a.id for a in tables.areas.values() if a.passage}


def passage_area(tables: Tables, passage: str) -> str:
    """Return the Area of a passage, "" if it is unknown."""
    return passages(tables).get(passage, "")
