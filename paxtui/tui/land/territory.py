"""Whose land is whose: every quarter of a cell that is land belongs to the nearest point of a place.

A place has the point of its label and further ones (`map_territories.csv`), some of which are nobody's. Distance is
measured on the map at one fixed size, so that a border runs along the same valley at every zoom. A row of quarters is
cut by the lower envelope of the parabolas that the points' distances draw along it: no pixel is asked for its nearest
point, and a whole world takes some hundredths of a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import NamedTuple

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


class Run(NamedTuple):
    """Neighbouring cells of a row that are alike, from `start` to before `end`."""

    quarters: Quarters
    start: int
    end: int


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


def _bits(row: int, width: int) -> bytes:
    """A row of dots as a byte for each, the leftmost first."""
    return bin(row | 1 << width)[:2:-1].encode().translate(_DIGITS)


_DIGITS = bytes.maketrans(b"01", b"\x00\x01")


def _is_land(number: int, own: int) -> bool:
    """Whether the land beside a quarter is another territory's."""
    return number != own and number >= NOBODYS


class Territories:
    """The land of all places on a canvas of `width` by `height` cells. A row is worked out when it is asked for."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._across, self._down = width * ACROSS, height * DOWN
        self._land = fill(the_warp(), self._across, self._down, outlines())
        # on the screen a cell of the reference size is twice as high as it is wide
        across, self._depth = float(WORLD.width), 2.0 * WORLD.height
        self._scale = self._across / across
        self._sites = [(u * across, v * self._depth, number) for u, v, number in points()]
        self._grid: list[bytes | None] = [None] * self._down
        self._fours: dict[Quarters, Quarters] = {}
        self._runs: list[tuple[Run, ...] | None] = [None] * height
        self._rows: dict[int, set[int]] = {}

    def runs(self, y: int) -> tuple[Run, ...]:
        """The cells of a row."""
        found = self._runs[y]
        if found is None:
            found = self._runs[y] = self._cut(y)
            for number in {number // KINDS for run in found for number in run.quarters}:
                self._rows.setdefault(number, set()).add(y)
        return found

    def known_rows(self, number: int) -> set[int]:
        """The rows, of those asked for so far, that the land of a place touches."""
        return self._rows.get(number, set())

    def rows(self, number: int) -> set[int]:
        """All rows that the land of a place touches."""
        for y in range(self.height):
            self.runs(y)
        return self.known_rows(number)

    def place_at(self, x: int, y: int) -> str | None:
        """The place whose land most of a cell is; None for water and for what is nobody's."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            return None
        run = next(run for run in self.runs(y) if run.end > x)
        places = [number // KINDS for number in run.quarters]
        most = max(places, key=places.count)
        return names()[most] if most > NOBODYS else None

    def owners(self) -> tuple[bytes, ...]:
        """Whose every quarter is, row by row: DEEP, SHALLOW, NOBODYS or the number of a place."""
        return tuple(self._quarters(y) for y in range(self._down))

    def _quarters(self, y: int) -> bytes:
        """Whose each quarter of a row of quarters is; beyond the edge of the map it goes on as at the edge."""
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
        """The numbers of a row of quarters: whose each is, and where in its territory it lies."""
        row, above, below = self._quarters(y), self._quarters(y - 1), self._quarters(y + 1)
        before, after = row[:1] + row[:-1], row[1:] + row[-1:]
        return [
            own * KINDS
            if own == right == low == left == high or own < NOBODYS
            else own * KINDS + (BORDER if _is_land(right, own) or _is_land(low, own) else RIM)
            for own, right, low, left, high in zip(row, after, below, before, above, strict=True)
        ]

    def _cut(self, y: int) -> tuple[Run, ...]:
        upper, lower = self._numbers(2 * y), self._numbers(2 * y + 1)
        cells = zip(upper[::2], upper[1::2], lower[::2], lower[1::2], strict=True)
        found, x = [], 0
        for four, group in groupby(cells):
            end = x + len(list(group))
            found.append(Run(self._fours.setdefault(four, four), x, end))
            x = end
        return tuple(found)


def _wide(row: int) -> int:
    """The dots of a row and two beside each: water there is shallow, and so is it just above and below."""
    return row | row << 1 | row << 2 | row >> 1 | row >> 2


@lru_cache(maxsize=8)
def territories(width: int, height: int) -> Territories:
    """The land of all places on a canvas of `width` by `height` cells."""
    return Territories(width, height)
