"""Geometry of the map: places, coasts, the territory of each place, and their outlines as SVG paths.

A row of dots is one integer, the leftmost dot in the lowest bit. A polygon is filled by an exclusive or of masks, one
for each crossing of an edge with the row, so rings that share an edge and holes need no special case.
A quarter of a cell on land belongs to the nearest point of a place (`map_territories.csv`; some points belong to no
place). Distances are measured at one reference size, so borders are the same at every zoom. Each row is computed as
the lower envelope of the parabolas of the distances.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby, pairwise
from math import ceil
from typing import NamedTuple

from paxtui.session.storage.files import data_path
from paxtui.tui.map.projection import WORLD, Axis, Warp, load_warp, table_rows

AREA, HOME, SEA, CAPE = "area", "home", "sea", "cape"
HOME_PREFIX = "home:"


@dataclass(frozen=True, slots=True)
class MapPlace:
    """A place that the cursor can select. `offset` shifts codes in cells, `theatre_offset` shifts full names."""

    id: str
    kind: str
    code: str
    name: str
    lat: float
    lon: float
    offset: tuple[int, int]
    theatre_offset: tuple[int, int]
    type: str = ""
    """For an Area its printed type (independent, ottoman, …), for a Home Country its Power."""


@dataclass(frozen=True)
class Atlas:
    """All places by id, the overland routes, and the warp that both are drawn with."""

    places: Mapping[str, MapPlace]
    routes: tuple[tuple[str, str], ...]
    warp: Warp


@cache
def load_atlas() -> Atlas:
    """Return the places of the game's map. The result is cached."""
    warp = load_warp()
    names, types = {}, {}
    for row in table_rows("areas.csv"):
        names[row["id"]], types[row["id"]] = row["name"], row["type"]
    for row in table_rows("sea_zones.csv") + table_rows("capes.csv"):
        names[row["id"]] = row["name"]
    for row in table_rows("powers.csv"):
        # "Britain" on the map: the Home Country, not the Empire, and Europe has no cell to spare.
        names[HOME_PREFIX + row["id"]] = row["name"].removeprefix("Great ")
        types[HOME_PREFIX + row["id"]] = row["id"]
    places = {
        row["id"]: MapPlace(
            row["id"],
            row["kind"],
            row["code"],
            names[row["id"]],
            float(row["lat"]),
            float(row["lon"]),
            (int(row["dx"]), int(row["dy"])),
            warp.theatre_offsets.get(row["id"], (0, 0)),
            types.get(row["id"], ""),
        )
        for row in table_rows("map/map_layout.csv")
    }
    routes = tuple((row["a"], row["b"]) for row in table_rows("overland_routes.csv"))
    return Atlas(places, routes, warp)


GeoPoint = tuple[float, float]
"""Longitude and latitude."""

BRAILLE = 0x2800
DOTS_ACROSS, DOTS_DOWN = 2, 4
# The bits of a braille cell, row by row: left dot, right dot.
DOT_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
# The same for a pair of neighbouring bits of a row integer, lowest bit left.
PAIR_COUNT = (0, 1, 1, 2)
PAIR_BITS = tuple((0, left, right, left | right) for left, right in DOT_BITS)


class Ring(NamedTuple):
    """An outline: longitudes and latitudes of its points as compact arrays, kept for other map sizes."""

    lons: array[float]
    lats: array[float]


@dataclass(frozen=True, slots=True)
class Coast:
    """The land on a canvas, by row and column."""

    width: int
    height: int
    cover: tuple[bytes, ...]
    """Number of land dots in the cell, 0 to 8."""
    dots: tuple[bytes, ...]
    """Braille pattern of the shore, to be added to U+2800; 0 away from the shore."""

    def is_land(self, x: int, y: int) -> bool:
        return self.cover[y][x] > 4


def decode_topojson(text: str) -> list[Ring]:
    """Return the rings of a topojson file. Longitudes continue beyond 180 where a ring crosses that meridian."""
    raw = json.loads(text)
    (scale_x, scale_y), (base_x, base_y) = raw["transform"]["scale"], raw["transform"]["translate"]
    arcs: list[list[GeoPoint]] = []
    for arc in raw["arcs"]:
        x = y = 0
        points: list[GeoPoint] = []
        for dx, dy in arc:
            x += dx
            y += dy
            points.append((x * scale_x + base_x, y * scale_y + base_y))
        arcs.append(points)
    rings: list[Ring] = []
    for shape in raw["objects"]["land"]["geometries"]:
        polygons = shape["arcs"] if shape["type"] == "MultiPolygon" else [shape["arcs"]]
        for polygon in polygons:
            for numbers in polygon:
                ring: list[GeoPoint] = []
                for number in numbers:
                    points = arcs[number] if number >= 0 else arcs[~number][::-1]
                    ring.extend(points[1:] if ring else points)
                rings.append(unroll_ring(ring))
    return rings


def unroll_ring(points: list[GeoPoint]) -> Ring:
    """Return a ring without jumps of 360 degrees: Fiji lies on both sides of the 180th meridian."""
    lons, turn, before = array("d"), 0.0, points[0][0]
    for lon, _ in points:
        if abs(lon - before) > 180.0:
            turn += 360.0 if lon < before else -360.0
        before = lon
        lons.append(lon + turn)
    return Ring(lons, array("d", (lat for _, lat in points)))


@lru_cache(maxsize=1)
def coast_outlines() -> tuple[Ring, ...]:
    """Return the rings of the world's land."""
    return tuple(decode_topojson(data_path("map/coast/land-110m.json").read_text(encoding="utf-8")))


def _toggle(ring: Ring, warp: Warp, width: int, height: int, rows: list[int], shift: float) -> None:
    """Invert the dots of `rows` inside `ring`, `shift` degrees further east, clipped to the map."""
    along, down = Axis(warp.x, width), Axis(warp.y, height)
    west, east = warp.cut, warp.cut + 360.0
    points = [(along(min(max(lon + shift, west), east)), down(lat)) for lon, lat in zip(*ring, strict=True)]
    x0, y0 = points[-1]
    for x1, y1 in points:
        if y0 != y1:
            top, bottom = (y0, y1) if y0 < y1 else (y1, y0)
            first, last = max(0, ceil(top - 0.5)), min(height - 1, ceil(bottom - 0.5) - 1)
            if first <= last:
                slope = (x1 - x0) / (y1 - y0)
                x = x0 + (first + 0.5 - y0) * slope + 0.5
                for row in range(first, last + 1):
                    rows[row] ^= (1 << int(x)) - 1 if x > 0 else 0
                    x += slope
        x0, y0 = x1, y1


def fill_rings(warp: Warp, width: int, height: int, rings: tuple[Ring, ...]) -> list[int]:
    """Return the land on a grid of `width` by `height` dots, one integer for each row."""
    rows = [0] * height
    southern = warp.y[-1][0] - 1.0
    for ring in rings:
        if max(ring.lats) < southern:
            continue
        west, east = min(ring.lons), max(ring.lons)
        for shift in (-360.0, 0.0, 360.0):
            # A ring across the cut is drawn twice, each time cut off at the edge of the map.
            if west + shift < warp.cut + 360.0 and east + shift > warp.cut:
                _toggle(ring, warp, width, height, rows, shift)
    full = (1 << width) - 1
    return [row & full for row in rows]


def shore_dots(rows: list[int], width: int) -> list[int]:
    """Return the land dots that touch water. Beyond the grid its edge is repeated."""
    last = 1 << (width - 1)
    edge = []
    for at, row in enumerate(rows):
        above, below = rows[max(at - 1, 0)], rows[min(at + 1, len(rows) - 1)]
        left = row << 1 | row & 1
        right = row >> 1 | row & last
        edge.append(row & ~(above & below & left & right))
    return edge


@lru_cache(maxsize=8)
def rasterise(width: int, height: int) -> Coast:
    """Return the land of the game's map on a canvas of `width` by `height` cells."""
    across = width * DOTS_ACROSS
    rows = fill_rings(load_warp(), across, height * DOTS_DOWN, coast_outlines())
    edge = shore_dots(rows, across)
    cover, dots = [], []
    for top in range(0, height * DOTS_DOWN, DOTS_DOWN):
        pattern = bytearray(width)
        count = bytearray(width)
        for line in range(DOTS_DOWN):
            land_row, edge_row, bits = rows[top + line], edge[top + line], PAIR_BITS[line]
            for x in range(width):
                pair = land_row & 3
                if pair:
                    count[x] += PAIR_COUNT[pair]
                    if edge_row & 3:
                        pattern[x] |= bits[edge_row & 3]
                land_row >>= 2
                edge_row >>= 2
        cover.append(bytes(count))
        dots.append(bytes(pattern))
    return Coast(width, height, tuple(cover), tuple(dots))


QUARTERS_ACROSS, QUARTERS_DOWN = 2, 2
"""Quarters of a cell in a row and in a column."""
DEEP, SHALLOW, UNOWNED = 0, 1, 2
"""Values of a quarter that belongs to no place: deep water, shallow water, land."""
INSIDE, BORDER, RIM = 0, 1, 2
"""Position of a quarter in its territory: interior, drawn border, or edge."""
ZONES_PER_PLACE = 4
"""Factor in the number of a quarter, `place * ZONES_PER_PLACE + where`."""
MAX_DISTANCE = 45.0
"""Maximum distance between a point and its land, in rows of the reference size."""

Quarters = tuple[int, int, int, int]
"""The four numbers of a cell: upper left, upper right, lower left, lower right."""


class CellRun(NamedTuple):
    """Equal neighbouring cells of a row, from `start` to before `end`."""

    quarters: Quarters
    start: int
    end: int


@cache
def place_numbers() -> dict[str, int]:
    """Return the number of each place that has land."""
    atlas = load_atlas()
    return {place.id: at for at, place in enumerate(_territory_places(), UNOWNED + 1) if place.id in atlas.places}


@cache
def numbered_places() -> dict[int, str]:
    """Return the place of each number."""
    return {number: place for place, number in place_numbers().items()}


def _territory_places() -> Iterator[MapPlace]:
    return (place for place in load_atlas().places.values() if place.kind in (AREA, HOME))


@cache
def territory_points() -> tuple[tuple[float, float, int], ...]:
    """Return all points on the unit square with the numbers of their places, sorted from left to right."""
    warp = load_warp()
    found = [(*warp.unit(place.lat, place.lon), place_numbers()[place.id]) for place in _territory_places()]
    for row in table_rows("map/map_territories.csv"):
        number = place_numbers()[row["id"]] if row["id"] else UNOWNED
        found.append((*warp.unit(float(row["lat"]), float(row["lon"])), number))
    return tuple(sorted(found))


def _row(sites: list[tuple[float, float, int]], level: float, width: int, scale: float) -> bytes:
    """Compute a row of the grid as the lower envelope of the distance parabolas."""
    envelope: list[tuple[float, float, int]] = []
    starts: list[float] = []
    for x, v, number in sites:
        away = v - level
        if away > MAX_DISTANCE or away < -MAX_DISTANCE:
            continue
        height = x * x + away * away
        while envelope:
            other_x, other_height, _ = envelope[-1]
            if other_x == x:
                if other_height <= height:
                    break
                envelope.pop()
                starts.pop()
                continue
            meet = (height - other_height) / (2.0 * (x - other_x))
            if meet > starts[-1]:
                envelope.append((x, height, number))
                starts.append(meet)
                break
            envelope.pop()
            starts.pop()
        else:
            envelope.append((x, height, number))
            starts.append(0.0)
    row = bytearray()
    for at, (_, _, number) in enumerate(envelope):
        end = round(starts[at + 1] * scale) if at + 1 < len(starts) else width
        count = min(width, end) - len(row)
        if count > 0:
            row += bytes((number,)) * count
    return bytes(row)


def _bits(row: int, width: int) -> bytes:
    """Return a row of dots as bytes, the leftmost first."""
    return bin(row | 1 << width)[:2:-1].encode().translate(_DIGITS)


_DIGITS = bytes.maketrans(b"01", b"\x00\x01")


def _is_other_territory(number: int, own: int) -> bool:
    return number != own and number >= UNOWNED


class Territories:
    """The land of all places on a canvas of `width` by `height` cells. Rows are computed on demand."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._across, self._down = width * QUARTERS_ACROSS, height * QUARTERS_DOWN
        self._land = fill_rings(load_warp(), self._across, self._down, coast_outlines())
        # on the screen a cell of the reference size is twice as high as it is wide
        across, self._depth = float(WORLD.width), 2.0 * WORLD.height
        self._scale = self._across / across
        self._sites = [(u * across, v * self._depth, number) for u, v, number in territory_points()]
        self._grid: list[bytes | None] = [None] * self._down
        self._fours: dict[Quarters, Quarters] = {}
        self._runs: list[tuple[CellRun, ...] | None] = [None] * height
        self._rows: dict[int, set[int]] = {}

    def runs(self, y: int) -> tuple[CellRun, ...]:
        """Return the cells of a row."""
        found = self._runs[y]
        if found is None:
            found = self._runs[y] = self._cut(y)
            for number in {number // ZONES_PER_PLACE for run in found for number in run.quarters}:
                self._rows.setdefault(number, set()).add(y)
        return found

    def known_rows(self, number: int) -> set[int]:
        """Return the computed rows that the land of a place touches."""
        return self._rows.get(number, set())

    def rows(self, number: int) -> set[int]:
        """Return all rows that the land of a place touches."""
        for y in range(self.height):
            self.runs(y)
        return self.known_rows(number)

    def place_at(self, x: int, y: int) -> str | None:
        """Return the place with most of the land of a cell; None for water and for land of no place."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            return None
        run = next(run for run in self.runs(y) if run.end > x)
        places = [number // ZONES_PER_PLACE for number in run.quarters]
        most = max(places, key=places.count)
        return numbered_places()[most] if most > UNOWNED else None

    def owners(self) -> tuple[bytes, ...]:
        """Return the owner of each quarter, by row: DEEP, SHALLOW, UNOWNED or the number of a place."""
        return tuple(self._quarters(y) for y in range(self._down))

    def _quarters(self, y: int) -> bytes:
        """Return the owners of a row of quarters. Beyond the map its edge is repeated."""
        y = min(max(y, 0), self._down - 1)
        found = self._grid[y]
        if found is None:
            land, across = self._land, self._across
            near = _row(self._sites, (y + 0.5) / self._down * self._depth, across, self._scale)
            shallow = _wide(land[max(y - 1, 0)]) | _wide(land[y]) | _wide(land[min(y + 1, self._down - 1)])
            pairs = zip(near, _bits(land[y], across), _bits(shallow & (1 << across) - 1, across), strict=True)
            found = self._grid[y] = bytes(number if is_land else is_shallow for number, is_land, is_shallow in pairs)
        return found

    def _numbers(self, y: int) -> list[int]:
        """Return the numbers of a row of quarters: place and position in its territory."""
        row, above, below = self._quarters(y), self._quarters(y - 1), self._quarters(y + 1)
        before, after = row[:1] + row[:-1], row[1:] + row[-1:]
        return [
            own * ZONES_PER_PLACE
            if own == right == low == left == high or own < UNOWNED
            else own * ZONES_PER_PLACE
            + (BORDER if _is_other_territory(right, own) or _is_other_territory(low, own) else RIM)
            for own, right, low, left, high in zip(row, after, below, before, above, strict=True)
        ]

    def _cut(self, y: int) -> tuple[CellRun, ...]:
        upper, lower = self._numbers(2 * y), self._numbers(2 * y + 1)
        cells = zip(upper[::2], upper[1::2], lower[::2], lower[1::2], strict=True)
        found, x = [], 0
        for four, group in groupby(cells):
            end = x + len(list(group))
            found.append(CellRun(self._fours.setdefault(four, four), x, end))
            x = end
        return tuple(found)


def _wide(row: int) -> int:
    """Widen a row by two dots on each side. This water, and that directly above and below, is shallow."""
    return row | row << 1 | row << 2 | row >> 1 | row >> 2


@lru_cache(maxsize=8)
def territories(width: int, height: int) -> Territories:
    """Return the land of all places on a canvas of `width` by `height` cells."""
    return Territories(width, height)


TRACE_GRID = 240, 138
"""Columns and rows of the traced grid. Its quarters are squares on the page."""

SVG_WIDTH, SVG_HEIGHT = TRACE_GRID[0] * 4, TRACE_GRID[1] * 4
"""Width of the drawing for which outlines are made."""

GridPoint = tuple[int, int]


@cache
def svg_outlines() -> dict[str, str]:
    """Return the SVG path of each territory by place; "" is the key of land that belongs to no place.

    A path runs through the midpoints of the edges of its quarters, so that coasts are sloped.
    """
    grid = territories(*TRACE_GRID).owners()
    found = {
        numbered_places()[number] if number != UNOWNED else "": _path(edges) for number, edges in _edges(grid).items()
    }
    return dict(sorted(found.items()))


def _edges(grid: tuple[bytes, ...]) -> dict[int, dict[GridPoint, list[GridPoint]]]:
    """Return the edges of each territory by their start. The land is on the right of an edge."""
    width, height = len(grid[0]), len(grid)
    edges: dict[int, dict[GridPoint, list[GridPoint]]] = {}
    for y, row in enumerate(grid):
        above = grid[y - 1] if y else bytes(width)
        below = grid[y + 1] if y + 1 < height else bytes(width)
        for x, own in enumerate(row):
            if own < UNOWNED:
                continue
            left, right = row[x - 1] if x else 0, row[x + 1] if x + 1 < width else 0
            if own == left == right == above[x] == below[x]:
                continue
            leads = edges.setdefault(own, {})
            if above[x] != own:
                leads.setdefault((x, y), []).append((x + 1, y))
            if right != own:
                leads.setdefault((x + 1, y), []).append((x + 1, y + 1))
            if below[x] != own:
                leads.setdefault((x + 1, y + 1), []).append((x, y + 1))
            if left != own:
                leads.setdefault((x, y + 1), []).append((x, y))
    return edges


def _path(leads: dict[GridPoint, list[GridPoint]]) -> str:
    """Return the outline of a territory: closed lines in relative steps."""
    out: list[str] = []
    while leads:
        corner = first = next(iter(leads))
        middles: list[GridPoint] = []
        while True:
            to = leads[corner].pop()
            if not leads[corner]:
                del leads[corner]
            middles.append((corner[0] + to[0], corner[1] + to[1]))
            corner = to
            if corner == first:
                break
        points = list(_bends(middles))
        out.append(f"M{points[0][0]} {points[0][1]}l")
        steps = ((x - x0, y - y0) for (x0, y0), (x, y) in pairwise(points))
        out.append(" ".join(f"{dx} {dy}" for dx, dy in steps).replace(" -", "-") + "z")
    return "".join(out)


def _bends(points: list[GridPoint]) -> Iterator[GridPoint]:
    """Return the points at which a closed line turns."""
    for n, (x, y) in enumerate(points):
        (x0, y0), (x1, y1) = points[n - 1], points[(n + 1) % len(points)]
        if (x - x0, y - y0) != (x1 - x, y1 - y):
            yield x, y
