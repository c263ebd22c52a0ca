"""The menu of a seat as a short list: orders that differ only in their goal stand in one group."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from paxtui.empires.land.routes import cheapest_routes
from paxtui.empires.narration.area_card import movement_text
from paxtui.empires.naval.places import cost, name_of, place_of
from paxtui.empires.naval.sailing import find_route
from paxtui.empires.orders.action import Action
from paxtui.empires.orders.actions import FORMS
from paxtui.empires.orders.actions_land import ForceMarch, March
from paxtui.empires.orders.actions_sea import PlaceShips, Sail, TransferShips
from paxtui.empires.orders.notation import text_of
from paxtui.empires.state.model import State
from paxtui.empires.tables.tables import Tables

MOST = 10
"""Orders that a menu lists one by one; a longer menu has groups."""

PIECES = ("corps", "fleets")
"""Fields that name a piece; all acts of one piece stand in one group."""

BY_PIECE: dict[type[Action], str] = {PlaceShips: "fleet", TransferShips: "giver"}
"""Fields by which orders are grouped that do not name their piece first."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a menu.

    Attributes:
        label: as it is shown.
        order: the order that it gives, "" for a group.
        goals: the entries of a group.
    """

    label: str
    order: str = ""
    goals: tuple[Entry, ...] = ()


def grouped(tables: Tables, state: State, acts: Iterable[Action]) -> tuple[Entry, ...]:
    """Return a menu of some acts: one by one if they are few, else with those of one piece in a group."""
    acts = tuple(acts)
    if len(acts) <= MOST:
        return tuple(Entry(label=text_of(one), order=text_of(one)) for one in acts)
    groups: dict[str, list[Action]] = {}
    for act in acts:
        groups.setdefault(_key(act), []).append(act)
    return tuple(_entry(tables, state, key, found) for key, found in groups.items())


def _entry(tables: Tables, state: State, key: str, acts: list[Action]) -> Entry:
    if len(acts) == 1:
        return Entry(label=text_of(acts[0]), order=text_of(acts[0]))
    goals = tuple(Entry(label=goal_text(tables, state, one), order=text_of(one)) for one in acts)
    verbs = list(dict.fromkeys(_verb(one) for one in acts))
    piece = f"{key}{_whereabouts(tables, state, acts[0])}"
    return Entry(label=f"{piece}: {', '.join(verbs)}" if verbs != [key] else f"{key} ...", goals=goals)


def _verb(act: Action) -> str:
    return FORMS[type(act)].partition("{")[0].strip()


def _key(act: Action) -> str:
    """Return by what an act is grouped: its corps or fleets, else the first field of several, else its verb."""
    fields = re.findall(r"\{(\w+)\}", FORMS[type(act)])
    piece = BY_PIECE.get(type(act), fields[0] if fields else "")
    if piece in PIECES or len(fields) > 1:
        value = getattr(act, piece)
        return ",".join(value) if isinstance(value, tuple) else str(value)
    return _verb(act)


def _whereabouts(tables: Tables, state: State, act: Action) -> str:
    """Return where the piece of an act stands, in brackets; "" if it has none on the map."""
    if isinstance(act, Sail):
        return f" ({name_of(tables, place_of(state.fleets[act.fleets[0]]))})"
    name = getattr(act, "corps", "")
    corps = state.corps.get(name) if isinstance(name, str) else None
    return f" ({tables.name(corps.where)}, {movement_text(corps)})" if corps is not None and corps.where else ""


def goal_text(tables: Tables, state: State, act: Action) -> str:
    """Return an act of a group: for marches and voyages the goal, the points it costs and the areas on the way."""
    if isinstance(act, March | ForceMarch) and act.path:
        route = cheapest_routes(tables, state, state.corps[act.corps]).get(act.path[-1])
        points = _points(route.cost) if route and route.path == act.path else ""
        return f"{_verb(act)} to {_route_text([tables.name(one) for one in act.path], points)}"
    if isinstance(act, Sail) and act.route:
        fleets = tuple(state.fleets[one] for one in act.fleets)
        start = place_of(fleets[0])
        route_ = find_route(tables, state, fleets, start, act.route)
        points_ = sum(cost(tables, a, b) for a, b in zip((start, *route_), route_, strict=False))
        return f"sail to {_route_text([name_of(tables, one) for one in route_], _points(points_))}"
    return text_of(act)


def _route_text(names: list[str], points: str) -> str:
    way = f"by {', '.join(names[:-1])}" if names[1:] else ""
    return " · ".join(part for part in (names[-1], points, way) if part)


def _points(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"
