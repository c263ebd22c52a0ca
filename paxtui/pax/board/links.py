"""Communication Links: from the Home Country through Controlled Areas and Sea Zones with a Merchant Fleet of its own.

Rules: SET-073, SET-074, SET-078, COD-006, AUS-008, AUS-009
"""

from __future__ import annotations

from collections import deque

from paxtui.pax.board.carried import changes
from paxtui.pax.board.neighbours import board
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, AreaState

_Known = tuple[State, frozenset[str], frozenset[str]]
_KNOWN: dict[tuple[int, str], _Known] = {}


def _trace(tables: Tables, state: State, power: str) -> tuple[frozenset[str], frozenset[str]]:
    # A position is asked many times, and the next one differs in an Area or two: the last answer for each Power is
    # kept with the position it was made from, and holds as long as nothing that opens or closes a way has changed.
    key = (id(tables), power)
    known = _KNOWN.get(key)
    if known is None or not _same_ways(known[0], state, power):
        known = (state, *_search(tables, state, power))
    if known[0] is not state:
        known = (state, known[1], known[2])
    _KNOWN[key] = known
    return known[1], known[2]


def _same_ways(before: State, now: State, power: str) -> bool:
    """Whether the Power may pass the same places by the same routes in two positions."""
    if before.areas is not now.areas:
        for then, here in changes(before.areas, now.areas):
            if not then or not here or then.canal != here.canal:
                return False
            if then.markers is not here.markers and _open(then, power) != _open(here, power):
                return False
    if before.sea_zones is not now.sea_zones:
        zones = now.sea_zones
        if any((power in fleets) != (power in zones.get(zone, ())) for zone, fleets in before.sea_zones.items()):
            return False
    return before.balkan_wars == now.balkan_wars and (
        before.options is now.options or before.options == now.options
    )


def _open(here: AreaState, power: str) -> bool:
    """Whether the Power Controls the Area, and so may pass it."""
    for m in here.markers:  # noqa: SIM110 (asked too often for a generator)
        if m.power == power and m.established and m.marker in CONTROL:
            return True
    return False


def _search(tables: Tables, state: State, power: str) -> tuple[frozenset[str], frozenset[str]]:
    map_ = board(tables, state)
    start = HOME + power
    seen = {start}
    linked: set[str] = set()
    todo = deque([start])
    while todo:
        for place in map_.around(todo.popleft()):
            if place in seen:
                continue
            if place in map_.zone_next:
                open_ = power in state.sea_zones.get(place, ())
            elif place.startswith(HOME):
                open_ = False  # nobody passes another's Home Country (SET-024)
            else:
                linked.add(place)
                here = state.areas.get(place)
                open_ = here is not None and _open(here, power)
            if open_:
                seen.add(place)
                todo.append(place)
    return frozenset(seen), frozenset(linked)


def linked_areas(tables: Tables, state: State, power: str) -> frozenset[str]:
    """Areas to which the Power has a Communication Link; they need not be Controlled themselves."""
    return _trace(tables, state, power)[1]


def network(tables: Tables, state: State, power: str) -> frozenset[str]:
    """Places a link of the Power may pass: Home Country, Controlled Areas and Sea Zones it reaches."""
    return _trace(tables, state, power)[0]


def link_path(tables: Tables, state: State, power: str, area: str) -> tuple[str, ...]:
    """A shortest link from the Home Country to `area`, ends included; empty where there is none."""
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
    path, place = [], area
    while place:
        path.append(place)
        place = back[place]
    return tuple(reversed(path))
