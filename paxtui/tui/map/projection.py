"""The projection of the map: from longitude and latitude to the unit square, then to the cells of a canvas.

Coasts and labels use the same projection, so labels stay on their land at any size. It is monotone and piecewise
linear in each axis: Europe and China are enlarged, oceans are reduced. The map is cut along one meridian.
This is the only module of the map that reads files.
"""

from __future__ import annotations

import csv
import tomllib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from paxtui.session.storage.files import data_path


def table_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a table by column name. Lines that begin with # are comments."""
    with data_path(name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(line for line in stream if not line.startswith("#")))


Knots = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Zoom:
    """A zoom of the map. Its label offsets are made for `width` by `height` cells."""

    name: str
    width: int
    height: int
    names: bool
    """Whether labels are full names with a second line, or three-letter codes with signs."""


WORLD = Zoom("world", 160, 46, names=False)
THEATRE = Zoom("theatre", 240, 72, names=True)
ZOOMS: Mapping[str, Zoom] = {zoom.name: zoom for zoom in (WORLD, THEATRE)}


@dataclass(frozen=True, slots=True)
class Echo:
    """A second, dimmed drawing of a place. The cursor skips it. Lines end at the nearer of the two."""

    id: str
    lat: float
    lon: float
    offset: tuple[int, int]
    theatre_offset: tuple[int, int]


@dataclass(frozen=True)
class Warp:
    """The knots of both axes, the meridian of the cut, the echoes, and the label offsets of the theatre zoom."""

    cut: float
    x: Knots
    y: Knots
    echoes: tuple[Echo, ...] = ()
    theatre_offsets: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def unit(self, lat: float, lon: float) -> tuple[float, float]:
        """Project a point to the unit square, with (0, 0) at the upper left."""
        east_of_cut = self.cut + (lon - self.cut) % 360.0
        return interpolate(self.x, east_of_cut), interpolate(self.y, lat)


def interpolate(knots: Knots, value: float) -> float:
    """Interpolate between `knots`, whose first column is monotone. Beyond the ends the last slope continues."""
    rising = knots[0][0] < knots[-1][0]
    at = bisect_right(knots, value if rising else -value, key=lambda knot: knot[0] if rising else -knot[0])
    at = min(max(at, 1), len(knots) - 1)
    (v0, u0), (v1, u1) = knots[at - 1], knots[at]
    return u0 + (value - v0) * (u1 - u0) / (v1 - v0)


class Axis:
    """`interpolate` for many points, with precomputed slopes."""

    __slots__ = ("_flip", "_lines", "_stops")

    def __init__(self, knots: Knots, scale: float) -> None:
        self._flip = 1.0 if knots[0][0] < knots[-1][0] else -1.0
        self._stops = [knot[0] * self._flip for knot in knots[1:-1]]
        self._lines = []
        for (v0, u0), (v1, u1) in pairwise(knots):
            slope = (u1 - u0) / (v1 - v0)
            self._lines.append((slope * scale, (u0 - v0 * slope) * scale))

    def __call__(self, value: float) -> float:
        slope, base = self._lines[bisect_right(self._stops, value * self._flip)]
        return value * slope + base


@dataclass(frozen=True, slots=True)
class Projection:
    """A projection onto a canvas of `width` by `height` cells."""

    warp: Warp
    width: int
    height: int

    def point(self, lat: float, lon: float) -> tuple[float, float]:
        """Project a point to fractional cells."""
        x, y = self.warp.unit(lat, lon)
        return x * self.width, y * self.height

    def cell(self, lat: float, lon: float) -> tuple[int, int]:
        """Return the cell of a point, clamped to the canvas."""
        x, y = self.point(lat, lon)
        return min(max(int(x), 0), self.width - 1), min(max(int(y), 0), self.height - 1)


def _offset(value: Sequence[int]) -> tuple[int, int]:
    dx, dy = value
    return int(dx), int(dy)


@cache
def load_warp() -> Warp:
    """Return the warp of the game's map. The result is cached."""
    raw = tomllib.loads(data_path("map/map_warp.toml").read_text("utf-8"))
    return Warp(
        cut=float(raw["cut"]),
        x=tuple((float(lon), float(u)) for lon, u in raw["x"]),
        y=tuple((float(lat), float(u)) for lat, u in raw["y"]),
        echoes=tuple(
            Echo(e["id"], float(e["lat"]), float(e["lon"]), _offset(e["offset"]), _offset(e["theatre_offset"]))
            for e in raw.get("echo", ())
        ),
        theatre_offsets={place: _offset(value) for place, value in raw.get("theatre_offset", {}).items()},
    )
