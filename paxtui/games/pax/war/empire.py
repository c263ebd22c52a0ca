"""The land of an Empire at War: its Areas, the Areas that still resist, and the movement of its Armies.

China in a Rebellion and the Ottoman Empire in its War are Powers without a Home Country. Their Areas defend themselves
with their Combat Strength until they are defeated. Without an allied Great Power, the Armies of an Empire march and
retreat by rule; `automatic_orders` carries that out.

Rules: R-OTT-11
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from paxtui.games.pax.board.adjacency import area_type, board, distances
from paxtui.games.pax.board.caching import CacheKey, cached
from paxtui.games.pax.board.status import controllers
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import ARMY, CHINA, OTTOMAN_EMPIRE, Unit
from paxtui.games.pax.state.war import OTTOMAN, REBELLION, War
from paxtui.games.pax.war.alliances import enemies, great_allies

EMPIRES = (CHINA, OTTOMAN_EMPIRE)
"""Powers without a Home Country: their Armies and Areas are never checked for supply (R-SUP-11)."""

SUEZ = "suez"
"""Passage that identifies the one Area outside the Empire that its Armies may enter."""

EMPIRE_AREA_TYPES = {REBELLION: ("chinese_empire", "chinese_vassal"), OTTOMAN: ("ottoman",)}
"""Kind of War -> types of the Areas of the Empire, under any Control."""


def empire_of(war: War) -> str:
    """Return the Empire in a War, "" if there is none."""
    if war.kind not in EMPIRE_AREA_TYPES:
        return ""
    return next((empire for empire in EMPIRES if war.side_of(empire)), "")


@cached(most=8, by=lambda state: ((), (state.areas,)))
def _changed_types(state: State) -> tuple[tuple[str, str], ...]:
    return tuple((name, here.type) for name, here in state.areas.items() if here.type)


def _empire_areas_key(tables: Tables, state: State, war: War) -> CacheKey:
    possessions = state.options.ottoman_expansion and war.kind == OTTOMAN
    return (war.kind, _changed_types(state)), (tables, board(tables, state), state.areas if possessions else None)


@cached(most=16, by=lambda tables, state, war: (war.kind, (tables, state.areas, state.options)))
def empire_areas(tables: Tables, state: State, war: War) -> frozenset[str]:
    """Return the Areas of the Empire in a War: all are open to its enemies, and only they to its Armies.

    The possessions of the Ottoman expansion count as the Ottoman Empire's.

    Rules: REB-009, REB-014, REB-029, WMV-032, OTT-001, EVT-037
    """
    return _areas_of_empire(tables, state, war) if war.kind in EMPIRE_AREA_TYPES else frozenset()


@cached(most=8, by=_empire_areas_key)
def _areas_of_empire(tables: Tables, state: State, war: War) -> frozenset[str]:
    types = EMPIRE_AREA_TYPES[war.kind]
    own = OTTOMAN_EMPIRE if war.kind == OTTOMAN else ""
    return frozenset(
        area
        for area, here in state.areas.items()
        if area_type(tables, state, area) in types or (own and any(m.power == own for m in here.markers))
    )


def egypt_area(tables: Tables) -> str:
    """Return the Area of the canal. Rules: OTT-021."""
    return next(a.id for a in tables.areas.values() if a.passage == SUEZ)


def roamed_areas(tables: Tables, state: State, war: War) -> frozenset[str]:
    """Return the Areas that the Armies of the Empire may enter: its own, for the Ottomans also an open Egypt.

    Egypt is open without Control, and with Control of a belligerent, even shared.

    Rules: REB-014, OTT-008, OTT-019, OTT-020, OTT-021, OTT-022 (R-OTT-05, R-OTT-18)
    """
    own = empire_areas(tables, state, war)
    holders = controllers(state, egypt_area(tables)) if war.kind == OTTOMAN else ()
    is_open = war.kind == OTTOMAN and (not holders or any(war.side_of(p) for p in holders))
    return own | {egypt_area(tables)} if is_open else own


def is_unmarked(tables: Tables, state: State, war: War, area: str) -> bool:
    """Return whether an Area without Control counts as Ottoman in a War with Great Powers allied to the Empire.

    Rules: OTT-013, EVT-037 (R-OTT-15)
    """
    if (
        war.kind != OTTOMAN
        or not great_allies(state, war, empire_of(war))
        or area not in empire_areas(tables, state, war)
    ):
        return False
    return not controllers(state, area)


def is_over_expansion(tables: Tables, state: State, war: War) -> bool:
    """Return whether an Ottoman War is only about the conquests of the Ottoman expansion. Rules: EVT-036."""
    taken = [area for area in war.over if area in tables.areas]
    return (
        war.kind == OTTOMAN
        and bool(taken)
        and all(area_type(tables, state, a) not in EMPIRE_AREA_TYPES[OTTOMAN] for a in taken)
    )


def is_spared(tables: Tables, state: State, war: War, side: int, area: str) -> bool:
    """Return whether an Alliance cannot take an Area of the Empire.

    In a War over the Ottoman expansion these are all Areas except its conquests. Areas of Great Powers allied with the
    Empire are not spared. The Empire's own side spares nothing.

    Rules: EVT-036 (R-OTT-10)
    """
    if side == war.side_of(OTTOMAN_EMPIRE) or area in war.over or not is_over_expansion(tables, state, war):
        return False
    return area in empire_areas(tables, state, war) and all(p == OTTOMAN_EMPIRE for p in controllers(state, area))


def is_resisting(tables: Tables, state: State, war: War, area: str) -> bool:
    """Return whether an Area of the Empire fights by itself: no other Control, and not defeated.

    Rules: REB-022, REB-026, REB-028, REB-056 (R-REB-05, R-REB-07)
    """
    empire = empire_of(war)
    if not empire or area in war.defeated or area not in empire_areas(tables, state, war):
        return False
    return all(p == empire for p in controllers(state, area))


def area_strength(tables: Tables, state: State, war: War, area: str) -> int:
    """Return the strength points that an Area adds to the Armies of its Empire in attack or defence.

    Rules: REB-022, REB-023, REB-026
    """
    return tables.areas[area].strength if area in tables.areas and is_resisting(tables, state, war, area) else 0


def are_against_empire(war: War, powers: Iterable[str]) -> bool:
    """Return whether Powers are opposed to the Empire of a War. Rules: REB-030."""
    empire = empire_of(war)
    return bool(empire) and not set(powers).isdisjoint(enemies(war, empire))


def is_occupied(state: State, war: War, area: str) -> bool:
    """Return whether a defeated Area of the Empire serves its enemies like a conquered one.

    No Power Controls it, enemy Armies are there, and none of the Empire's.

    Rules: REB-005, SUP-011, WMV-026 (R-REB-19)
    """
    if area not in war.defeated or controllers(state, area):
        return False
    return is_pinned_down(state, war, area) and not armies_in(state, area, (empire_of(war),))


def carries_supply(tables: Tables, state: State, war: War, members: Collection[str], area: str) -> bool:
    """Return whether an Area without Control of an Alliance carries its Lines of Supply.

    These are defeated Areas that the Empire's enemies occupy, and the Ottoman Empire's own Areas for its allies.

    Rules: REB-005, OTT-013 (R-REB-19, R-OTT-15)
    """
    empire = empire_of(war)
    if not empire:
        return False
    if empire in members:
        return is_unmarked(tables, state, war, area)
    return area in war.defeated and is_occupied(state, war, area)


def armies_in(state: State, area: str, powers: Iterable[str]) -> tuple[Unit, ...]:
    """Return the Army Units of some Powers in an Area."""
    own = tuple(powers)
    return tuple(u for u in units_at(state, area) if u.kind == ARMY and u.power in own)


def is_pinned_down(state: State, war: War, area: str) -> bool:
    """Return whether enemy Army Units in an Area keep the Armies of the Empire there. Rules: REB-010."""
    return bool(armies_in(state, area, enemies(war, empire_of(war))))


def empire_steps(tables: Tables, state: State, war: War, area: str) -> tuple[str, ...]:
    """Return the Areas of the Empire adjacent by Overland Route, in alphabetical order. Rules: REB-013, REB-014."""
    return empire_routes(tables, state, war).get(area, ())


@cached(most=8, by=lambda tables, state, war: ((roamed_areas(tables, state, war),), (tables, board(tables, state))))
def empire_routes(tables: Tables, state: State, war: War) -> dict[str, tuple[str, ...]]:
    """Return each Area with its neighbours that Armies of the Empire may enter."""
    own, routes = roamed_areas(tables, state, war), board(tables, state).routes
    return {area: tuple(sorted(a for a in routes.get(area, ()) if a in own)) for area in state.areas}


def nearest_targets(tables: Tables, state: State, war: War, area: str) -> tuple[str, ...]:
    """Return the nearest Areas with enemy Army Units for an Army of the Empire, in alphabetical order.

    Only reachable Areas count; enemy Armies outside the Empire are ignored.

    Rules: REB-011, REB-012, REB-015, REB-055 (R-REB-03)
    """
    routes = empire_routes(tables, state, war)
    far = distances((area,), lambda here: routes.get(here, ()))
    foes = enemies(war, empire_of(war))
    occupied = [a for a in far if armies_in(state, a, foes)]
    least = min((far[a] for a in occupied), default=0)
    return tuple(sorted(a for a in occupied if far[a] == least))


def steps_towards(tables: Tables, state: State, war: War, area: str, target: str) -> tuple[str, ...]:
    """Return the next Areas on the shortest paths to a target, in alphabetical order.

    Rules: REB-011, REB-013, REB-055 (R-REB-03)
    """
    routes = empire_routes(tables, state, war)
    far = distances((target,), lambda here: routes.get(here, ()))
    return tuple(a for a in routes.get(area, ()) if far[a] == far[area] - 1)


def retreat_areas(tables: Tables, state: State, war: War, area: str) -> tuple[str, ...]:
    """Return the equally good Areas to which an Army of the Empire may retreat; none if it is eliminated.

    They hold no enemy Armies. Areas without a Control marker come before those with one.

    Rules: REB-019, REB-020, REB-021 (R-REB-23)
    """
    empire = empire_of(war)
    open_ = [a for a in empire_steps(tables, state, war, area) if not is_pinned_down(state, war, a)]
    free = tuple(a for a in open_ if all(p == empire for p in controllers(state, a)))
    return free or tuple(open_)
