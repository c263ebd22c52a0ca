"""The land: outlines decoded from topojson, projected, and rasterised to braille dots.

A row of dots is one Python integer, a bit a dot, the leftmost dot the lowest bit. Filling a polygon is then an
exclusive or of masks for each crossing of an edge with the row: pieces that share an edge (the outlines are cut at
180 degrees, the map is not) melt together by themselves, and holes need no care. No array library is needed and
a world of 320 x 184 dots takes a few milliseconds.
"""

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from paxtui.tui.land.projection import Axis, Warp, the_warp
from paxtui.tui.land.sources import source

Point = tuple[float, float]
"""A longitude and a latitude."""

BRAILLE = 0x2800
DOTS_ACROSS, DOTS_DOWN = 2, 4
# The bits of a braille cell, row by row: left dot, right dot.
DOT_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
# The same for a pair of neighbouring bits of a row integer, lowest bit left.
PAIR_COUNT = (0, 1, 1, 2)
PAIR_BITS = tuple((0, left, right, left | right) for left, right in DOT_BITS)


class Ring(NamedTuple):
    """An outline: the longitudes and latitudes of its points, packed, since they are kept for maps of other sizes."""

    lons: array[float]
    lats: array[float]


@dataclass(frozen=True, slots=True)
class Coast:
    """The land on a canvas, by row and column: how much of a cell it covers, and the shore in it as braille dots."""

    width: int
    height: int
    cover: tuple[bytes, ...]
    """How many of the cell's eight dots are land."""
    dots: tuple[bytes, ...]
    """A braille pattern, to be added to U+2800; 0 away from the shore."""

    def is_land(self, x: int, y: int) -> bool:
        return self.cover[y][x] > 4


def decode(text: str) -> list[Ring]:
    """The rings of a topojson file as longitudes and latitudes; longitudes run on past 180 where a ring does."""
    raw = json.loads(text)
    (scale_x, scale_y), (base_x, base_y) = raw["transform"]["scale"], raw["transform"]["translate"]
    arcs: list[list[Point]] = []
    for arc in raw["arcs"]:
        x = y = 0
        points: list[Point] = []
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
                ring: list[Point] = []
                for number in numbers:
                    points = arcs[number] if number >= 0 else arcs[~number][::-1]
                    ring.extend(points[1:] if ring else points)
                rings.append(unrolled(ring))
    return rings


def unrolled(points: list[Point]) -> Ring:
    """The ring of some points with no leap of 360 degrees in it: Fiji lies on both sides of the 180th meridian."""
    lons, turn, before = array("d"), 0.0, points[0][0]
    for lon, _ in points:
        if abs(lon - before) > 180.0:
            turn += 360.0 if lon < before else -360.0
        before = lon
        lons.append(lon + turn)
    return Ring(lons, array("d", (lat for _, lat in points)))


@lru_cache(maxsize=1)
def outlines() -> tuple[Ring, ...]:
    """The rings of the world's land."""
    return tuple(decode(source("map/coast/land-110m.json").read_text(encoding="utf-8")))


def _toggle(ring: Ring, warp: Warp, width: int, height: int, rows: list[int], shift: float) -> None:
    """Turn over every dot of `rows` inside `ring`, `shift` degrees further east, cut off at the map's edges."""
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


def fill(warp: Warp, width: int, height: int, rings: tuple[Ring, ...]) -> list[int]:
    """The land on a grid of `width` by `height` dots, a row an integer."""
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


def shore(rows: list[int], width: int) -> list[int]:
    """The dots of land that touch water. Beyond the edge of the grid everything goes on as it is at the edge."""
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
    """The land of the game's map on a canvas of `width` by `height` cells."""
    across = width * DOTS_ACROSS
    rows = fill(the_warp(), across, height * DOTS_DOWN, outlines())
    edge = shore(rows, across)
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
