"""Whose land is whose: every quarter of a cell that is land belongs to the nearest point of a place.

A place has the point of its label and further ones (`map_territories.csv`), some of which are nobody's. Distance is
measured on the map at one fixed size, so that a border runs along the same valley at every zoom. A row of quarters is
cut by the lower envelope of the parabolas that the points' distances draw along it: no pixel is asked for its nearest
point, and a whole world takes some hundredths of a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby

from paxtui.tui.land.coast import fill, outlines
from paxtui.tui.land.places import AREA, HOME, Place, the_atlas
from paxtui.tui.land.projection import WORLD, the_warp
from paxtui.tui.land.sources import rows

ACROSS, DOWN = 2, 2
"""Quarters of a cell side by side and one below the other."""
DEEP, SHALLOW, NOBODYS = 0, 1, 2
"""What a quarter is that belongs to no place: water, water close to a coast, land."""
INSIDE, BORDER, RIM = 0, 1, 2
"""Where in its territory a quarter lies: in the midst, on the side of a border that is drawn, or else at the edge."""
KINDS = 4
"""A quarter is told by a number: `place * KINDS + where`, the place by its number in `numbers`."""
FARTHEST = 45.0
"""Rows of the reference size beyond which a point has no land: it need not be looked at."""

Quarters = tuple[int, int, int, int]
"""The four numbers of a cell: upper left, upper right, lower left, lower right."""


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring cells of a row that are alike, from `start` to before `end`."""

    quarters: Quarters
    start: int
    end: int


@dataclass(frozen=True)
class Territories:
    """The land of all places on a canvas of `width` by `height` cells.

    Attributes:
        runs: the cells of each row.
        rows: the rows that the land of a place touches, by its number.
    """

    width: int
    height: int
    runs: tuple[tuple[Run, ...], ...]
    rows: dict[int, frozenset[int]]

    def place_at(self, x: int, y: int) -> str | None:
        """The place whose land most of a cell is; None for water and for what is nobody's."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            return None
        run = next(run for run in self.runs[y] if run.end > x)
        places = [number // KINDS for number in run.quarters]
        most = max(places, key=places.count)
        return names()[most] if most > NOBODYS else None


@cache
def numbers() -> dict[str, int]:
    """The number of every place that has land."""
    atlas = the_atlas()
    return {place.id: at for at, place in enumerate(_landed(), NOBODYS + 1) if place.id in atlas.places}


@cache
def names() -> dict[int, str]:
    """The place of every number."""
    return {number: place for place, number in numbers().items()}


def _landed() -> Iterator[Place]:
    return (place for place in the_atlas().places.values() if place.kind in (AREA, HOME))


@cache
def points() -> tuple[tuple[float, float, int], ...]:
    """Every point on the unit square with the number of its place, from left to right."""
    warp = the_warp()
    found = [(*warp.unit(place.lat, place.lon), numbers()[place.id]) for place in _landed()]
    for row in rows("map/map_territories.csv"):
        number = numbers()[row["id"]] if row["id"] else NOBODYS
        found.append((*warp.unit(float(row["lat"]), float(row["lon"])), number))
    return tuple(sorted(found))


def nearest(width: int, height: int) -> list[bytes]:
    """The number of the nearest point's place for every dot of a grid of `width` by `height` dots."""
    # on the screen a cell of the reference size is twice as high as it is wide
    across, down = float(WORLD.width), 2.0 * WORLD.height
    scale = width / across
    sites = [(u * across, v * down, number) for u, v, number in points()]
    grid = []
    for y in range(height):
        level = (y + 0.5) / height * down
        grid.append(_row(sites, level, width, scale))
    return grid


def _row(sites: list[tuple[float, float, int]], level: float, width: int, scale: float) -> bytes:
    """One row of the grid: along it a point's distance is a parabola, and the lowest of them wins."""
    envelope: list[tuple[float, float, int]] = []
    starts: list[float] = []
    for x, v, number in sites:
        away = v - level
        if away > FARTHEST or away < -FARTHEST:
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


def _shallows(land: list[int], width: int) -> list[int]:
    """The dots of water close to land: two beside it, one above and below."""
    full = (1 << width) - 1
    wide = [row | row << 1 | row << 2 | row >> 1 | row >> 2 for row in land]
    return [
        (wide[max(y - 1, 0)] | wide[y] | wide[min(y + 1, len(land) - 1)]) & ~row & full
        for y, row in enumerate(land)
    ]


def _bits(row: int, width: int) -> bytes:
    """A row of dots as a byte for each, the leftmost first."""
    return bin(row | 1 << width)[:2:-1].encode().translate(_DIGITS)


_DIGITS = bytes.maketrans(b"01", b"\x00\x01")


def _where(grid: list[list[int]]) -> list[list[int]]:
    """The numbers of all quarters: place and where in its territory each lies."""
    found = []
    last = len(grid) - 1
    for y, row in enumerate(grid):
        above, below = grid[max(y - 1, 0)], grid[min(y + 1, last)]
        before, after = [row[0], *row[:-1]], [*row[1:], row[-1]]
        found.append(
            [
                own * KINDS
                if own == right == low == left == high or own < NOBODYS
                else own * KINDS + (BORDER if _is_land(right, own) or _is_land(low, own) else RIM)
                for own, right, low, left, high in zip(row, after, below, before, above, strict=True)
            ]
        )
    return found


def _is_land(number: int, own: int) -> bool:
    """Whether the land beside a quarter is another territory's."""
    return number != own and number >= NOBODYS


@lru_cache(maxsize=8)
def territories(width: int, height: int) -> Territories:
    """The land of all places on a canvas of `width` by `height` cells."""
    across, down = width * ACROSS, height * DOWN
    land = fill(the_warp(), across, down, outlines())
    shallow = _shallows(land, across)
    grid = []
    for near, dry, wet in zip(nearest(across, down), land, shallow, strict=True):
        pairs = zip(near, _bits(dry, across), _bits(wet, across), strict=True)
        grid.append([number if is_land else is_shallow for number, is_land, is_shallow in pairs])
    quarters = _where(grid)
    runs, touched = [], dict[int, set[int]]()
    for y in range(height):
        upper, lower = quarters[2 * y], quarters[2 * y + 1]
        cells = zip(upper[::2], upper[1::2], lower[::2], lower[1::2], strict=True)
        row, x = [], 0
        for four, group in groupby(cells):
            end = x + sum(1 for _ in group)
            row.append(Run(four, x, end))
            x = end
        runs.append(tuple(row))
        for number in {number // KINDS for run in row for number in run.quarters}:
            touched.setdefault(number, set()).add(y)
    return Territories(width, height, tuple(runs), {number: frozenset(ys) for number, ys in touched.items()})
