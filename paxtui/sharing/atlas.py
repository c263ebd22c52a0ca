"""The map as vector shapes: coasts from the world's outlines, territories as smoothed cells of the nearest points.

The shapes are the same as those of the painted map of the terminal: a piece of land belongs to the nearest point of a
place. Here the cells are computed exactly, as a Voronoi diagram, and their shared edges are rounded. Territories
continue into the sea; the page cuts them off at the coast.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from paxtui.tui.map.geometry import (
    UNOWNED,
    Ring,
    coast_outlines,
    load_atlas,
    numbered_places,
    place_numbers,
    territory_points,
)
from paxtui.tui.map.projection import WORLD, Axis, load_warp

WIDTH, HEIGHT = WORLD.width * 12, WORLD.height * 24
"""Size of the drawing. A cell of the terminal's map is twice as high as it is wide."""
MARGIN = 40
"""Width of the invisible strip around the drawing in which outlines may end."""
JITTER = 1e-4
"""Shift of the points that prevents corners of four cells."""

EXTRA_POINTS = (
    *(("australia", -11.8, 132.5), ("australia", -11.5, 142.3), ("australia", -13.0, 136.5)),
    *(("kwang_si", 19.2, 109.7), ("anatolia", 38.6, 27.6), ("home:russia", 45.2, 34.3), ("home:russia", 43.6, 132.5)),
    ("", 23.5, 56.3),
)
"""Further points (place, latitude, longitude) for coasts that the map of the terminal is too coarse to show."""

Point = tuple[float, float]
Corner = tuple[int, int, int]
"""A corner of cells, named by the numbers of the three cells that meet there."""


class AtlasLabel(NamedTuple):
    """A place on the drawing: its id, kind, code, name and centre."""

    id: str
    kind: str
    code: str
    name: str
    x: int
    y: int


class VectorAtlas(NamedTuple):
    """The shapes of the map as SVG paths.

    Attributes:
        coast: the land; its lakes are holes (fill rule `evenodd`).
        lands: the territory of each Area and Home Country, by place.
        borders: the lines between territories.
        labels: all places, Sea Zones included.
    """

    coast: str
    lands: dict[str, str]
    borders: str
    labels: tuple[AtlasLabel, ...]


@cache
def vector_atlas() -> VectorAtlas:
    """Return the shapes of the game's map. The result is cached."""
    sites = _sites()
    cells = _cells([at for at, _ in sites])
    owners = [owner for _, owner in sites]
    rings = {owner: _rings(edges) for owner, edges in _outer_edges(cells, owners).items()}
    touching = _cells_at_corners(rings)
    places = {at: corner for cell in cells for corner, at in cell.corners.items()}
    corners = {corner: at for at, corner in places.items()}
    lands = {
        numbered_places()[owner]: "".join(_smooth_ring(ring, corners, touching) for ring in found)
        for owner, found in rings.items()
        if owner in numbered_places()
    }
    return VectorAtlas(_coast_path(), dict(sorted(lands.items())), _border_path(rings, corners, touching), _labels())


def _sites() -> list[tuple[Point, int]]:
    """Return all points on the drawing with the numbers of their places."""
    warp, numbers = load_warp(), place_numbers()
    found = [(x, y, owner) for x, y, owner in territory_points()]
    for place, lat, lon in EXTRA_POINTS:
        found.append((*warp.unit(lat, lon), numbers[place] if place else UNOWNED))
    return [((x * WIDTH, y * HEIGHT), owner) for x, y, owner in found]


def _labels() -> tuple[AtlasLabel, ...]:
    warp = load_warp()
    found = []
    for place in load_atlas().places.values():
        x, y = warp.unit(place.lat, place.lon)
        found.append(AtlasLabel(place.id, place.kind, place.code, place.name, round(x * WIDTH), round(y * HEIGHT)))
    return tuple(found)


# --- coasts -------------------------------------------------------------------------------------------------------


def _coast_path() -> str:
    warp = load_warp()
    along, down = Axis(warp.x, WIDTH), Axis(warp.y, HEIGHT)
    west, east = warp.cut, warp.cut + 360.0
    out: list[str] = []
    for ring in coast_outlines():
        if max(ring.lats) < warp.y[-1][0] - 1.0:
            continue
        for shift in (-360.0, 0.0, 360.0):
            if min(ring.lons) + shift < east and max(ring.lons) + shift > west:
                out.append(_ring_path(list(_project(ring, shift, along, down, west, east))))
    return "".join(out)


def _project(ring: Ring, shift: float, along: Axis, down: Axis, west: float, east: float) -> Iterator[tuple[int, int]]:
    for lon, lat in zip(*ring, strict=True):
        inside = min(max(lon + shift, west), east)
        beyond = MARGIN if lon + shift > east else -MARGIN if lon + shift < west else 0
        yield round(along(inside)) + beyond, round(max(down(lat), -MARGIN))


def _ring_path(points: Sequence[tuple[int, int]]) -> str:
    """Return a closed line in relative whole steps."""
    steps = [(x - x0, y - y0) for (x0, y0), (x, y) in pairwise(points)]
    line = " ".join(f"{dx} {dy}" for dx, dy in steps if dx or dy).replace(" -", "-")
    return f"M{points[0][0]} {points[0][1]}l{line}z" if line else ""


# --- territories ------------------------------------------------------------------------------------------------------


class Cell(NamedTuple):
    """The land nearest to a point.

    Attributes:
        edges: its edges with the neighbouring cell (negative: the frame) and both corners, in circular order.
        corners: where its corners are.
    """

    edges: tuple[tuple[int, Corner, Corner], ...]
    corners: dict[Corner, Point]


def _cells(sites: list[Point]) -> list[Cell]:
    """Return the Voronoi cell of each point, cut off at the frame."""
    sites = [(x + JITTER * (n * 7919 % 101), y + JITTER * (n * 104729 % 97)) for n, (x, y) in enumerate(sites)]
    return [_cell(n, sites) for n in range(len(sites))]


FRAME = ((-MARGIN, -MARGIN), (WIDTH + MARGIN, -MARGIN), (WIDTH + MARGIN, HEIGHT + MARGIN), (-MARGIN, HEIGHT + MARGIN))


def _cell(own: int, sites: list[Point]) -> Cell:
    """Cut the frame by the bisectors between a point and all others, the nearest first."""
    x0, y0 = sites[own]
    # each side: the corner at which it begins, and the neighbour behind it
    sides: list[tuple[Point, int]] = [((float(x), float(y)), -1 - n) for n, (x, y) in enumerate(FRAME)]
    others = sorted((hypot(x - x0, y - y0), n) for n, (x, y) in enumerate(sites) if n != own)
    for distance, other in others:
        if distance > 2 * max(hypot(x - x0, y - y0) for (x, y), _ in sides):
            break
        x1, y1 = sites[other]
        a, b = x1 - x0, y1 - y0
        limit = (a * (x0 + x1) + b * (y0 + y1)) / 2
        away = [a * x + b * y - limit for (x, y), _ in sides]
        if max(away) <= 0:
            continue
        kept: list[tuple[Point, int]] = []
        for n, ((x, y), behind) in enumerate(sides):
            following, ahead = away[(n + 1) % len(sides)], sides[(n + 1) % len(sides)][0]
            if away[n] <= 0:
                kept.append(((x, y), behind))
                if following > 0:
                    kept.append((_between((x, y), ahead, away[n], following), other))
            elif following <= 0:
                kept.append((_between((x, y), ahead, away[n], following), behind))
        sides = kept
    corners: dict[Corner, Point] = {}
    names: list[Corner] = []
    for n, (at, behind) in enumerate(sides):
        low, middle, high = sorted((own, behind, sides[n - 1][1]))
        names.append((low, middle, high))
        corners[names[-1]] = at
    edges = tuple((behind, names[n], names[(n + 1) % len(names)]) for n, (_, behind) in enumerate(sides))
    return Cell(edges, corners)


def _between(start: Point, end: Point, before: float, after: float) -> Point:
    share = before / (before - after)
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


Edges = dict[Corner, list[Corner]]


def _outer_edges(cells: list[Cell], owners: list[int]) -> dict[int, Edges]:
    """Return the edges between territories by owner and first corner: edges inside a territory are left out."""
    found: dict[int, Edges] = defaultdict(lambda: defaultdict(list))
    for own, cell in enumerate(cells):
        for behind, start, end in cell.edges:
            if behind < 0 or owners[behind] != owners[own]:
                found[owners[own]][start].append(end)
    return found


def _rings(edges: Edges) -> list[list[Corner]]:
    rings: list[list[Corner]] = []
    while edges:
        first = corner = next(iter(edges))
        ring: list[Corner] = []
        while corner in edges:
            ring.append(corner)
            following = edges[corner].pop()
            if not edges[corner]:
                del edges[corner]
            corner = following
            if corner == first:
                break
        rings.append(ring)
    return rings


def _cells_at_corners(rings: dict[int, list[list[Corner]]]) -> dict[Corner, int]:
    """Return the number of territories at each corner."""
    found: dict[Corner, int] = defaultdict(int)
    for several in rings.values():
        for ring in several:
            for corner in ring:
                found[corner] += 1
    return found


def _is_round(corner: Corner, touching: dict[Corner, int]) -> bool:
    """Whether a border bends here; where three territories meet, and at the frame, the corner stays."""
    return touching[corner] == 2 and corner[0] >= 0


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _at(point: Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}".replace(" -", "-")


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _smooth_ring(ring: list[Corner], corners: dict[Corner, Point], touching: dict[Corner, int]) -> str:
    """Return a ring whose bends are curves between the middles of its edges."""
    points = [corners[corner] for corner in ring]
    out = [f"M{_at(_middle(points[-1], points[0]))}"]
    for n, corner in enumerate(ring):
        to = _at(_middle(points[n], points[(n + 1) % len(points)]))
        out.append(f"Q{_at(points[n])} {to}" if _is_round(corner, touching) else f"L{_at(points[n])}L{to}")
    return "".join(out) + "z"


def _border_path(
    rings: dict[int, list[list[Corner]]], corners: dict[Corner, Point], touching: dict[Corner, int]
) -> str:
    """Return the lines between territories, each once."""
    drawn: set[tuple[Corner, Corner]] = set()
    out: list[str] = []
    for several in rings.values():
        for ring in several:
            for n, corner in enumerate(ring):
                following = ring[(n + 1) % len(ring)]
                if (following, corner) in drawn or corner[1] < 0 or (corner[0] < 0 and following[0] < 0):
                    continue
                drawn.add((corner, following))
                out.append(_half_edges(ring, n, corners, touching))
    return "".join(out)


def _half_edges(ring: list[Corner], n: int, corners: dict[Corner, Point], touching: dict[Corner, int]) -> str:
    """Return an edge of a ring: from the curve at its start to the curve at its end."""
    before, start, end = ring[n - 1], ring[n], ring[(n + 1) % len(ring)]
    after = ring[(n + 2) % len(ring)]
    a, b = corners[start], corners[end]
    middle = _middle(a, b)
    out = ""
    if _is_round(start, touching):
        # the second half of the curve around the corner
        p = _middle(corners[before], a)
        half = (p[0] + 2 * a[0] + middle[0]) / 4, (p[1] + 2 * a[1] + middle[1]) / 4
        out += f"M{_at(half)}Q{_at(_middle(a, middle))} {_at(middle)}"
    else:
        out += f"M{_at(a)}L{_at(middle)}"
    if _is_round(end, touching):
        q = _middle(b, corners[after])
        half = (middle[0] + 2 * b[0] + q[0]) / 4, (middle[1] + 2 * b[1] + q[1]) / 4
        out += f"Q{_at(_middle(middle, b))} {_at(half)}"
    else:
        out += f"L{_at(b)}"
    return out
