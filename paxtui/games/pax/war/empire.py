"""The land of an Empire at War: which Areas are its own, which of them still fight, and where its Armies go.

China in a Rebellion and the Ottoman Empire in its War are Powers without a Home Country. Their Areas defend themselves
with their Combat Strength until they are defeated; where no Great Power stands beside the Empire its Armies march and
retreat by rule. What they do is in `empire_acts`.

Rules: REB-009 to REB-015, REB-019 to REB-023, REB-026, REB-030, REB-055, REB-056 (R-REB-03, R-REB-07, R-REB-22,
R-REB-23, R-OTT-11)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable

from paxtui.games.pax.board.adjacency import area_type, board
from paxtui.games.pax.board.caching import CacheKey, cached
from paxtui.games.pax.board.status import controllers
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import ARMY, CHINA, OTTOMAN_EMPIRE, Unit
from paxtui.games.pax.state.war import OTTOMAN, REBELLION, War
from paxtui.games.pax.war.alliances import enemies, great_allies

EMPIRES = (CHINA, OTTOMAN_EMPIRE)
"""Powers without a Home Country: their Armies, and what is theirs, are never checked for supply (R-SUP-11)."""

SUEZ = "suez"
"""The passage that tells the one Area outside the Empire where its Armies may go."""

EMPIRE_AREA_TYPES = {REBELLION: ("chinese_empire", "chinese_vassal"), OTTOMAN: ("ottoman",)}
"""Kind of War -> types of the Areas that are the Empire's, whoever Controls them."""


def empire_of(war: War) -> str:
    """The Empire that a War is fought with, "" where there is none."""
    return next((empire for empire in EMPIRES if war.kind in EMPIRE_AREA_TYPES and war.side_of(empire)), "")


def _empire_areas_key(tables: Tables, state: State, war: War) -> CacheKey:
    changed = tuple((name, here.type) for name, here in state.areas.items() if here.type)
    possessions = state.options.ottoman_expansion and war.kind == OTTOMAN
    return (war.kind, changed), (tables, board(tables, state), state.areas if possessions else None)


@cached(most=8, by=_empire_areas_key)
def empire_areas(tables: Tables, state: State, war: War) -> frozenset[str]:
    """The Areas of the Empire in a War: all are open to its enemies, and they alone to its Armies.

    The possessions of the Ottoman expansion count as the Ottoman Empire's.

    Rules: REB-009, REB-014, REB-029, WMV-032, OTT-001, EVT-037
    """
    types = EMPIRE_AREA_TYPES.get(war.kind, ())
    own = OTTOMAN_EMPIRE if war.kind == OTTOMAN else ""
    return frozenset(
        area
        for area, here in state.areas.items()
        if area_type(tables, state, area) in types or (own and any(m.power == own for m in here.markers))
    )


def egypt_area(tables: Tables) -> str:
    """The Area of the canal. Rules: OTT-021."""
    return next(a.id for a in tables.areas.values() if a.passage == SUEZ)


def is_egypt_open(tables: Tables, state: State, war: War) -> bool:
    """Whether Ottoman Armies may enter Egypt: where nobody Controls it, or a belligerent does, be it in part.

    Rules: OTT-019, OTT-020, OTT-022 (R-OTT-18)
    """
    held = controllers(state, egypt_area(tables))
    return not held or any(war.side_of(p) for p in held)


def roamed_areas(tables: Tables, state: State, war: War) -> frozenset[str]:
    """The Areas that the Armies of the Empire may ever enter: its own, and Egypt where the Ottomans may.

    Rules: REB-014, OTT-008, OTT-019, OTT-020, OTT-021, OTT-022 (R-OTT-05)
    """
    own = empire_areas(tables, state, war)
    if war.kind == OTTOMAN and is_egypt_open(tables, state, war):
        return own | {egypt_area(tables)}
    return own


def is_unmarked(tables: Tables, state: State, war: War, area: str) -> bool:
    """Whether an Area counts as the Ottoman Empire's in a War that Great Powers fight beside it: nobody Controls it.

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
    """Whether an Ottoman War is about what the expansion of the Empire took, and nothing else. Rules: EVT-036."""
    taken = [area for area in war.over if area in tables.areas]
    return (
        war.kind == OTTOMAN
        and bool(taken)
        and all(area_type(tables, state, a) not in EMPIRE_AREA_TYPES[OTTOMAN] for a in taken)
    )


def is_spared(tables: Tables, state: State, war: War, side: int, area: str) -> bool:
    """Whether an Alliance cannot take an Area of the Empire: in a War over its expansion all but what that took.

    Areas of Great Powers beside the Empire are not spared, nor is anything spared by the Empire's side.

    Rules: EVT-036 (R-OTT-10)
    """
    if side == war.side_of(OTTOMAN_EMPIRE) or area in war.over or not is_over_expansion(tables, state, war):
        return False
    return area in empire_areas(tables, state, war) and all(p == OTTOMAN_EMPIRE for p in controllers(state, area))


# --- Areas that fight -----------------------------------------------------------------------------------------------


def is_resisting(tables: Tables, state: State, war: War, area: str) -> bool:
    """Whether an Area of the Empire fights by itself: nobody else Controls it, and it has not been defeated.

    Rules: REB-022, REB-026, REB-028, REB-056 (R-REB-05, R-REB-07)
    """
    empire = empire_of(war)
    if not empire or area in war.defeated or area not in empire_areas(tables, state, war):
        return False
    return all(p == empire for p in controllers(state, area))


def area_strength(tables: Tables, state: State, war: War, area: str) -> int:
    """Strength points that an Area adds to the Armies of its Empire, attacking or defending; 0 where it adds none.

    Rules: REB-022, REB-023, REB-026
    """
    return tables.areas[area].strength if area in tables.areas and is_resisting(tables, state, war, area) else 0


def are_against_empire(war: War, powers: Iterable[str]) -> bool:
    """Whether Powers stand against the Empire of a War. Rules: REB-030."""
    empire = empire_of(war)
    return bool(empire) and not set(powers).isdisjoint(enemies(war, empire))


def is_occupied(state: State, war: War, area: str) -> bool:
    """Whether a defeated Area of the Empire serves its enemies like a conquered one: nobody Controls it, their Armies
    stand there, and none of the Empire's.

    Rules: REB-005, SUP-011, WMV-026 (R-REB-19)
    """
    if area not in war.defeated or controllers(state, area):
        return False
    return is_pinned_down(state, war, area) and not armies_in(state, area, (empire_of(war),))


def carries_supply(tables: Tables, state: State, war: War, members: Collection[str], area: str) -> bool:
    """Whether an Area that none of an Alliance Controls carries its Lines of Supply all the same: a defeated one that
    the Empire's enemies occupy, or one of the Ottoman Empire's own for the Great Powers beside it.

    Rules: REB-005, OTT-013 (R-REB-19, R-OTT-15)
    """
    empire = empire_of(war)
    if not empire:
        return False
    if empire in members:
        return is_unmarked(tables, state, war, area)
    return area in war.defeated and is_occupied(state, war, area)


# --- where its Armies go --------------------------------------------------------------------------------------------


def armies_in(state: State, area: str, powers: Iterable[str]) -> tuple[Unit, ...]:
    """The Army Units of some Powers in an Area."""
    own = tuple(powers)
    return tuple(u for u in units_at(state, area) if u.kind == ARMY and u.power in own)


def is_pinned_down(state: State, war: War, area: str) -> bool:
    """Whether enemy Army Units in an Area keep the Armies of the Empire there. Rules: REB-010."""
    return bool(armies_in(state, area, enemies(war, empire_of(war))))


def empire_steps(tables: Tables, state: State, war: War, area: str) -> tuple[str, ...]:
    """Areas of the Empire next to one by Overland Route, in alphabetical order. Rules: REB-013, REB-014."""
    return _empire_routes(tables, state, war).get(area, ())


def _empire_routes_key(tables: Tables, state: State, war: War) -> CacheKey:
    return (roamed_areas(tables, state, war),), (tables, board(tables, state))


@cached(most=8, by=_empire_routes_key)
def _empire_routes(tables: Tables, state: State, war: War) -> dict[str, tuple[str, ...]]:
    """Each Area with those next to it where Armies of the Empire may go."""
    own, routes = roamed_areas(tables, state, war), board(tables, state).routes
    return {area: tuple(sorted(a for a in routes.get(area, ()) if a in own)) for area in state.areas}


def _distances(tables: Tables, state: State, war: War, start: str) -> dict[str, int]:
    """Areas of the Empire, and how many Overland Routes through it they lie from one. Rules: REB-055 (R-REB-03)."""
    routes = _empire_routes(tables, state, war)
    found = {start: 0}
    todo = deque([start])
    while todo:
        here = todo.popleft()
        for other in routes[here]:
            if other not in found:
                found[other] = found[here] + 1
                todo.append(other)
    return found


def nearest_targets(tables: Tables, state: State, war: War, area: str) -> tuple[str, ...]:
    """The nearest Areas with enemy Army Units for an Army of the Empire, in alphabetical order; none that it cannot
    reach.

    Enemy Armies elsewhere are nothing to it.

    Rules: REB-011, REB-012, REB-015, REB-055 (R-REB-03)
    """
    far = _distances(tables, state, war, area)
    foes = enemies(war, empire_of(war))
    held = [a for a in far if armies_in(state, a, foes)]
    least = min((far[a] for a in held), default=0)
    return tuple(sorted(a for a in held if far[a] == least))


def steps_towards(tables: Tables, state: State, war: War, area: str, target: str) -> tuple[str, ...]:
    """The next Areas on the shortest ways to a target, in alphabetical order.

    Rules: REB-011, REB-013, REB-055 (R-REB-03)
    """
    far = _distances(tables, state, war, target)
    return tuple(a for a in empire_steps(tables, state, war, area) if far[a] == far[area] - 1)


def retreat_areas(tables: Tables, state: State, war: War, area: str) -> tuple[str, ...]:
    """The Areas that an Army of the Empire retreats to, all alike to it: without enemy Armies, and without a Control
    marker before those with one; none where it has to be eliminated.

    Rules: REB-019, REB-020, REB-021 (R-REB-23)
    """
    empire = empire_of(war)
    open_ = [a for a in empire_steps(tables, state, war, area) if not is_pinned_down(state, war, a)]
    free = tuple(a for a in open_ if all(p == empire for p in controllers(state, a)))
    return free or tuple(open_)
