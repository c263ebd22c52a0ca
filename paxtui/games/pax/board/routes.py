"""Overland movement in the Movement/Status Change Phase, Communication Links and naval destinations.

A Communication Link leads from the Home Country through Controlled Areas and Sea Zones with an own Merchant Fleet.

Rules: MOV-009 to MOV-018, SET-022, SET-024, AUS-008, CCB-030, CCB-041, SET-073, SET-074, SET-078, COD-006, AUS-009
"""

from __future__ import annotations

from collections import deque

from paxtui.games.pax.board.adjacency import Board, board
from paxtui.games.pax.board.caching import changed_values
from paxtui.games.pax.board.status import area_state, controllers, controls, influence_holders, unestablished
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, AreaState

_KnownLinks = tuple[State, frozenset[str], frozenset[str]]
_KNOWN_LINKS: dict[tuple[int, str], tuple[_KnownLinks, ...]] = {}
_KEPT_LINKS = 2
"""Answers kept for each Power: bots compare a position with variants of it."""


def _trace_links(tables: Tables, state: State, power: str) -> tuple[frozenset[str], frozenset[str]]:
    # The last answers for each Power are kept with their positions. They stay valid while nothing opens or closes a
    # way; successive positions differ in few Areas.
    key = (id(tables), power)
    kept = _KNOWN_LINKS.get(key, ())
    if kept and kept[0][0] is state:
        return kept[0][1], kept[0][2]
    for n, (before, passable, linked) in enumerate(kept):
        if before is state or _is_same_network(before, state, power):
            _KNOWN_LINKS[key] = ((state, passable, linked), *kept[:n], *kept[n + 1 :])
            return passable, linked
    seen: set[str] = set()
    found = _extend_links(tables, state, power, seen, HOME + power)
    links = frozenset(seen), frozenset(found)
    _KNOWN_LINKS[key] = ((state, *links), *kept[: _KEPT_LINKS - 1])
    return links


def _is_same_network(before: State, now: State, power: str) -> bool:
    if before.areas is not now.areas:
        for then, here in changed_values(before.areas, now.areas):
            if not then or not here or then.canal != here.canal:
                return False
            if then.markers is not here.markers and _is_passable(then, power) != _is_passable(here, power):
                return False
    if before.sea_zones is not now.sea_zones:
        zones = now.sea_zones
        if any((power in fleets) != (power in zones.get(zone, ())) for zone, fleets in before.sea_zones.items()):
            return False
    return before.balkan_wars == now.balkan_wars and (before.options is now.options or before.options == now.options)


def _is_passable(here: AreaState, power: str) -> bool:
    for m in here.markers:  # noqa: SIM110 (hot path)
        if m.power == power and m.established and m.marker in CONTROL:
            return True
    return False


def _extend_links(tables: Tables, state: State, power: str, seen: set[str], start: str) -> set[str]:
    """Add the places that links may pass from a place on to `seen`; return the Areas with a link through them."""
    map_ = board(tables, state)
    seen.add(start)
    linked: set[str] = set()
    todo = deque([start])
    while todo:
        for place in map_.around(todo.popleft()):
            if place in seen:
                continue
            here = state.areas.get(place)
            if here is not None:
                linked.add(place)
                open_ = _is_passable(here, power)
            else:  # a foreign Home Country is closed (SET-024)
                open_ = power in state.sea_zones.get(place, ())
            if open_:
                seen.add(place)
                todo.append(place)
    return linked


def linked_areas(tables: Tables, state: State, power: str) -> frozenset[str]:
    """Return the Areas with a Communication Link of the Power; they need not be Controlled."""
    return _trace_links(tables, state, power)[1]


def areas_opened_by(tables: Tables, state: State, power: str, area: str) -> tuple[str, ...]:
    """Return the Areas to which the Power would get a Communication Link by Control of `area`, sorted."""
    passable, linked = _trace_links(tables, state, power)
    if area in passable or area not in linked:
        return ()
    return tuple(sorted(_extend_links(tables, state, power, set(passable), area) - linked))


def areas_opened_by_fleet(tables: Tables, state: State, power: str, zone: str) -> frozenset[str]:
    """Return the Areas to which the Power would get a Communication Link by a Merchant Fleet in `zone`."""
    passable, linked = _trace_links(tables, state, power)
    if zone in passable or passable.isdisjoint(board(tables, state).around(zone)):
        return frozenset()
    return frozenset(_extend_links(tables, state, power, set(passable), zone) - linked)


def network(tables: Tables, state: State, power: str) -> frozenset[str]:
    """Return the places that a link of the Power may pass: Home Country, Controlled Areas and Sea Zones in reach."""
    return _trace_links(tables, state, power)[0]


def link_path(tables: Tables, state: State, power: str, area: str) -> tuple[str, ...]:
    """Return a shortest link from the Home Country to `area`, ends included; empty if there is none."""
    if area not in linked_areas(tables, state, power):
        return ()
    map_, open_ = board(tables, state), network(tables, state, power)
    start = HOME + power
    back: dict[str, str] = {start: ""}
    todo = deque([start])
    while todo:
        place = todo.popleft()
        if place == area:
            break
        if place not in open_:
            continue
        for other in map_.around(place):
            if other not in back and (other in open_ or other == area):
                back[other] = place
                todo.append(other)
    return path_back(back, area)


def path_back(back: dict[str, str], end: str) -> tuple[str, ...]:
    """Return the path to `end`. `back`: the place before each place, "" before the first."""
    path = []
    while end:
        path.append(end)
        end = back[end]
    return tuple(reversed(path))


PASS, STOP = "pass", "stop"


def entry(state: State, power: str, area: str) -> str:
    """Return how an Army Unit may enter an Area: "pass", "stop" (and move no more) or "" (not at all).

    Rules: MOV-013, MOV-014, MOV-015, MOV-017, CCB-030, CCB-033, CCB-039, CCB-041
    """
    here = area_state(state, area)
    new_marker = False
    for m in here.markers:
        if m.power == power and m.marker in CONTROL:
            if m.established:
                return STOP if here.unrest else PASS
            new_marker = True
    if new_marker:
        return STOP
    if not here.unrest or controllers(state, area):
        return ""
    holders = influence_holders(state, area)
    return STOP if not holders or power in holders else ""


def arrival(state: State, power: str, end: str) -> tuple[bool, str]:
    """Return whether an Army Unit that enters `end` moves no more this Phase, and the rule that admits it.

    Rules: MOV-013, MOV-014, MOV-015, MOV-017, MOV-018
    """
    if end.startswith(HOME):
        return False, "MOV-018"
    if entry(state, power, end) == PASS:
        return False, "MOV-017"
    own = unestablished(state, end, power)
    marked = controls(state, end, power) or (own is not None and own.marker in CONTROL)
    if not area_state(state, end).unrest:
        return True, "MOV-014"
    return True, "MOV-013" if marked else "MOV-015"


def can_start_move(state: State, power: str, place: str) -> bool:
    """Return whether the Power's Army Units at `place` may begin a move there; halted ones never may.

    Moves begin in the Home Country and in Areas under established Control. An army without an own Control marker in its
    Area was left behind when Control was given up, and may leave (R-NEG-04, Decision 20).

    Rules: MOV-009
    """
    if place.startswith(HOME):
        return place == HOME + power
    if controls(state, place, power):
        return True
    fresh = unestablished(state, place, power)
    return not (fresh and fresh.marker in CONTROL)


def army_paths(tables: Tables, state: State, power: str, start: str) -> dict[str, tuple[str, ...]]:
    """Return each place where a move from `start` may end, with a shortest path; the shortest first.

    Rules: MOV-010, MOV-011, MOV-012, MOV-018
    """
    map_ = board(tables, state)
    own_home = HOME + power
    found: dict[str, tuple[str, ...]] = {}
    seen = {start}
    todo: deque[tuple[str, ...]] = deque([(start,)])
    while todo:
        so_far = todo.popleft()
        for other in map_.around(so_far[-1]):
            if other in seen:
                continue
            seen.add(other)
            path = (*so_far, other)
            if other in map_.zone_next:
                if power in state.sea_zones.get(other, ()):
                    todo.append(path)
            elif other.startswith(HOME):
                if other == own_home:
                    found[other] = path
                    todo.append(path)
            elif how := entry(state, power, other):
                found[other] = path
                if how == PASS:
                    todo.append(path)
    return found


def army_path(tables: Tables, state: State, power: str, start: str, end: str) -> tuple[str, ...]:
    """Return a shortest path to `end`; empty if the Army Unit may not end a move there.

    Rules: MOV-010, MOV-011, MOV-012, MOV-018
    """
    enterable = end == HOME + power if end.startswith(HOME) else entry(state, power, end)
    if end == start or not enterable:
        return ()  # skip the search for a closed place
    map_ = board(tables, state)
    back = {start: ""}
    todo = deque([start])
    while todo:
        place = todo.popleft()
        for other in map_.around(place):
            if other in back:
                continue
            back[other] = place
            if other == end:
                return path_back(back, end)
            if _lets_armies_pass(map_, state, power, other):
                todo.append(other)
    return ()


def _lets_armies_pass(map_: Board, state: State, power: str, place: str) -> bool:
    """Return whether Army Units of the Power may move on from `place`, as `army_paths` judges it."""
    if place in map_.zone_next:
        return power in state.sea_zones.get(place, ())
    here = state.areas.get(place)
    if here is None:
        return place == HOME + power
    return not here.unrest and _is_passable(here, power)


def find_broken_step(tables: Tables, state: State, power: str, path: tuple[str, ...]) -> tuple[int, str]:
    """Return the first forbidden step of a path, and the reason; (-1, "") if there is none.

    Reasons: "apart", "no_fleet", "sea", "foreign_home", "closed", "stop".
    """
    map_ = board(tables, state)
    for i in range(1, len(path)):
        here, there = path[i - 1], path[i]
        if there not in map_.around(here):
            return i, "apart"
        last = i == len(path) - 1
        if there in map_.zone_next:
            if power not in state.sea_zones.get(there, ()):
                return i, "no_fleet"
            if last:
                return i, "sea"
        elif there.startswith(HOME):
            if there != HOME + power:
                return i, "foreign_home"
        else:
            how = entry(state, power, there)
            if not how:
                return i, "closed"
            if how == STOP and not last:
                return i, "stop"
    return -1, ""


def naval_destinations(tables: Tables, state: State, power: str) -> tuple[str, ...]:
    """Return the Coastal Areas under established Control; a Naval Unit may go there at any distance.

    Rules: MOV-006, MOV-008
    """
    map_ = board(tables, state)
    return tuple(a for a in tables.areas if map_.zones_of[a] and controls(state, a, power))


def steps_from_home(tables: Tables, state: State, power: str) -> dict[str, int]:
    """Return the distance of each Sea Zone from the Home Country; 1 for those on its coast. Rules: ORD-016."""
    map_ = board(tables, state)
    steps = dict.fromkeys(tables.homes[power].sea_zones, 1)
    todo = list(steps)
    while todo:
        zone = todo.pop(0)
        for other in map_.zone_next[zone]:
            if other not in steps:
                steps[other] = steps[zone] + 1
                todo.append(other)
    return steps
