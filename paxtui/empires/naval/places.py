"""Where a fleet can be, as orders name it: a sea area, a port by its area (`brest`), its blockade box (`off_brest`).

Rules: EIA 6.2.1.1, 6.2.1.2
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from paxtui.empires.state.pieces import Fleet
from paxtui.empires.tables.tables import Tables

BOX = "off_"
"""What stands before the name of a port in the name of its blockade box."""

Kind = Literal["sea", "port", "box", ""]

Open = Callable[[str], bool]
"""Whether a place may be entered."""


def box_of(port: str) -> str:
    """The blockade box of a port."""
    return BOX + port


def port_of(place: str) -> str:
    """The port that a place is, or whose blockade box it is; a sea area is given back as it is."""
    return place.removeprefix(BOX)


def kind(tables: Tables, place: str) -> Kind:
    """What sort of place it is, "" for none where a fleet can be."""
    area = tables.areas.get(port_of(place))
    if area is None:
        return ""
    if area.port:
        return "port" if place == area.id else "box"
    return "sea" if area.sea and place == area.id else ""


def place_of(fleet: Fleet) -> str:
    """Where a fleet is."""
    return box_of(fleet.where) if fleet.box == "blockade" else fleet.where


def spot(tables: Tables, place: str) -> tuple[str, str]:
    """A place as a fleet has it: its `where` and `box`."""
    return port_of(place), {"sea": "", "port": "port", "box": "blockade", "": ""}[kind(tables, place)]


def name_of(tables: Tables, place: str) -> str:
    """A place as it is shown: `Channel`, `Brest`, `off Brest`."""
    return f"off {tables.name(port_of(place))}" if kind(tables, place) == "box" else tables.name(place)


def seas_of(tables: Tables, port: str) -> tuple[str, ...]:
    """The sea areas that touch the blockade box of a port."""
    area = tables.areas[port]
    return tuple(sea for sea in (area.coast, *area.coasts) if sea)


def ports_of(tables: Tables, sea: str) -> tuple[str, ...]:
    """The ports whose blockade boxes touch a sea area."""
    return tables.ports_by_sea.get(sea, ())


def seas_beside(tables: Tables, sea: str) -> tuple[str, ...]:
    """The sea areas that touch a sea area."""
    return tables.seas_by_area[sea]


def beside(tables: Tables, place: str) -> tuple[str, ...]:
    """The places that one step leads to: a port has its box only, a box its port and the seas outside.

    Rules: EIA 6.2.1.2
    """
    match kind(tables, place):
        case "port":
            return (box_of(place),)
        case "box":
            return (port_of(place), *seas_of(tables, port_of(place)))
        case _:
            return (*seas_beside(tables, place), *map(box_of, ports_of(tables, place)))


def cost(tables: Tables, start: str, end: str) -> int:
    """Movement points of the step from `start` to the place `end` beside it.

    Rules: EIA 6.2.1.1, 6.2.1.2
    """
    return 0 if port_of(start) == port_of(end) else 1


def written_out(tables: Tables, start: str, route: tuple[str, ...]) -> tuple[str, ...]:
    """`route` with the blockade boxes that it leaves unsaid: between a port and the sea outside lies its box.

    Rules: EIA 6.2.1.2
    """
    whole: list[str] = []
    at = start
    for place in route:
        if kind(tables, place) and place not in beside(tables, at):
            boxes = [box_of(port_of(one)) for one in (at, place) if kind(tables, one) == "port"]
            for box in boxes:
                if box in beside(tables, at) and place in beside(tables, box):
                    whole.append(box)
                    break
        whole.append(place)
        at = place
    return tuple(whole)


def spoken(tables: Tables, start: str, route: tuple[str, ...]) -> tuple[str, ...]:
    """A route without the blockade boxes that need not be said: what `written_out` puts back."""
    short = route
    for place in route:
        rest = tuple(one for one in short if one != place)
        if kind(tables, place) == "box" and rest and written_out(tables, start, rest) == route:
            short = rest
    return short


def ways(tables: Tables, start: str, limit: int, enterable: Open) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Every place within `limit` movement points: the points it takes, and the shortest way without `start`.

    Args: the tables; where it begins (at 0); points at most; whether a place may be entered.
    """
    found: dict[str, tuple[int, tuple[str, ...]]] = {start: (0, ())}
    edge = [start]
    while edge:
        edge.sort(key=lambda place: found[place][0])
        at = edge.pop(0)
        spent, so_far = found[at]
        for place in beside(tables, at):
            points = spent + cost(tables, at, place)
            if points <= limit and (place not in found or points < found[place][0]) and enterable(place):
                found[place] = (points, (*so_far, place))
                edge.append(place)
    return found
