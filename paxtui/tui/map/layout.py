"""The layout of the map: the cells of each label, its neighbours for the arrow keys, and lines between places.

The label offsets of the table are made for 160x46 (codes) and 240x72 (names), where no labels overlap. At any other
size overlapping labels are shifted by a cell or two; `Layout.clean` says whether that was enough. Lines are dots on
the braille grid, two by four to a cell, which is square on the screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import pairwise
from math import dist, hypot

from paxtui.tui.map.geometry import AREA, DOT_BITS, DOTS_ACROSS, DOTS_DOWN, HOME, SEA, MapPlace, load_atlas
from paxtui.tui.map.projection import WORLD, ZOOMS, Projection, Zoom

DIRECTIONS = ("up", "down", "left", "right")
CODE = 3
LABEL = 8
"""Cells reserved for the label of an Area at world zoom: code, three of signs, two of flags."""
HOME_LABEL = 4
"""Cells reserved for the label of a Home Country: code and one flag."""
ASPECT = 2.0
"""Height of a cell divided by its width."""
MAX_SIDEWAYS = 60.0
"""Maximum sideways distance of an arrow key; beyond it the cursor stays."""
CROWDED_SEA = 8
"""A sea with fewer free cells below its name shows its merchants beside its last word."""
NAME_GAP = 2
"""Free cells between a name and the second line of a neighbour on the same row."""
SECOND_LINE_CELLS = 14
"""Width of a second line. A shorter one may come as close as one cell."""
CLICK_MARGIN = (3, 1)
"""Columns and rows around a label in which a click selects it."""


LABELS = {AREA: LABEL, HOME: HOME_LABEL}


@dataclass(frozen=True, slots=True)
class CellSpan:
    """Consecutive cells of a row."""

    y: int
    x: int
    width: int

    @property
    def end(self) -> int:
        return self.x + self.width


@dataclass(frozen=True, slots=True)
class LabelSpot:
    """A place on a canvas. `rows` are the cells of its label, `below` the free cells for a second line."""

    place: MapPlace
    x: int
    y: int
    rows: tuple[CellSpan, ...]
    words: tuple[str, ...]
    below: tuple[CellSpan, ...] = ()
    echo: bool = False

    @property
    def id(self) -> str:
        return self.place.id


@dataclass(frozen=True)
class Layout:
    """All labels on a canvas of `width` by `height` cells."""

    zoom: Zoom
    width: int
    height: int
    spots: dict[str, LabelSpot]
    echoes: tuple[LabelSpot, ...]
    clean: bool
    _cells: dict[tuple[int, int], str] = field(repr=False)

    def __iter__(self) -> Iterator[LabelSpot]:
        yield from self.spots.values()
        yield from self.echoes

    def drawn(self, place: str) -> tuple[LabelSpot, ...]:
        """Return where a place is drawn: its spot, then its echoes."""
        return (self.spots[place], *(echo for echo in self.echoes if echo.id == place))

    def is_label(self, x: int, y: int) -> bool:
        """Return whether a label covers a cell."""
        return (x, y) in self._cells

    def place_at(self, x: int, y: int) -> str | None:
        """Return the place whose label covers a cell, else the nearest one within `CLICK_MARGIN`."""
        found = self._cells.get((x, y))
        if found is not None:
            return found
        best = None
        for dy in range(-CLICK_MARGIN[1], CLICK_MARGIN[1] + 1):
            for dx in range(-CLICK_MARGIN[0], CLICK_MARGIN[0] + 1):
                near = self._cells.get((x + dx, y + dy))
                if near is not None and (best is None or (abs(dx) + 2 * abs(dy), near) < best):
                    best = (abs(dx) + 2 * abs(dy), near)
        return best[1] if best else None


def label_lines(place: MapPlace, zoom: Zoom) -> tuple[str, ...]:
    """Return the rows of a label. Seas and oceans have two rows in small letters."""
    if place.kind == SEA:
        name = place.name.lower().split()
        return (" ".join(name[:-1]), name[-1]) if len(name) > 1 else (name[0],)
    return (place.name if zoom.names else place.code,)


def _label(
    place: MapPlace, point: tuple[float, float], offset: tuple[int, int], size: tuple[int, int], zoom: Zoom
) -> tuple[int, int, tuple[CellSpan, ...]]:
    """Return the anchor and the rows of a label, shifted so that it fits on the canvas."""
    width, height = size
    words = label_lines(place, zoom)
    x, y = int(point[0]) + offset[0], int(point[1]) + offset[1]
    longest = max(map(len, words))
    if place.kind == SEA or zoom.names:
        taken = longest
        left = x - longest // 2
    else:
        taken = LABELS.get(place.kind, CODE)
        left = x - 1
    # An owned label keeps its signs at the right edge.
    left = max(0, min(width - taken, left))
    lines = len(words) + (1 if zoom.names and place.kind != SEA else 0)
    y = max(0, min(height - lines, y))
    rows = tuple(
        CellSpan(y + at, left + (longest - len(word)) // 2, taken if len(words) == 1 else len(word))
        for at, word in enumerate(words)
    )
    return left + (1 if taken != longest else longest // 2), y, rows


def _free(rows: tuple[CellSpan, ...], cells: dict[tuple[int, int], str], owner: str) -> bool:
    return all(cells.get((x, row.y), owner) == owner for row in rows for x in range(row.x, row.end))


# Shifts tried for a label that overlaps another, the smallest first.
_NUDGES = sorted(
    ((dx, dy) for dx in range(-6, 7) for dy in range(-2, 3) if dx or dy),
    key=lambda step: (abs(step[0]) + 2.5 * abs(step[1]), step),
)


@lru_cache(maxsize=16)
def lay_out(zoom_name: str, width: int, height: int) -> Layout:
    """Return the layout of a zoom on a canvas of any size."""
    zoom, atlas = ZOOMS[zoom_name], load_atlas()
    projection = Projection(atlas.warp, width, height)
    size = (width, height)
    cells: dict[tuple[int, int], str] = {}
    spots: dict[str, LabelSpot] = {}
    homeless: list[tuple[MapPlace, tuple[float, float], tuple[int, int]]] = []

    def settle(place: MapPlace, point: tuple[float, float], offset: tuple[int, int]) -> bool:
        x, y, rows = _label(place, point, offset, size, zoom)
        if not _free(rows, cells, place.id):
            return False
        for row in rows:
            for column in range(row.x, row.end):
                cells[column, row.y] = place.id
        spots[place.id] = LabelSpot(place, x, y, rows, label_lines(place, zoom))
        return True

    for place in atlas.places.values():
        point = projection.point(place.lat, place.lon)
        offset = place.theatre_offset if zoom.names else place.offset
        if not settle(place, point, offset):
            homeless.append((place, point, offset))
    clean = True
    for place, point, (dx, dy) in homeless:
        if not any(settle(place, point, (dx + across, dy + down)) for across, down in _NUDGES):
            clean = False
            x, y, rows = _label(place, point, (dx, dy), size, zoom)
            spots[place.id] = LabelSpot(place, x, y, rows, label_lines(place, zoom))
    spots = {place: spots[place] for place in atlas.places}
    echoes = []
    for echo in atlas.warp.echoes:
        place = atlas.places[echo.id]
        offset = echo.theatre_offset if zoom.names else echo.offset
        x, y, rows = _label(place, projection.point(echo.lat, echo.lon), offset, size, zoom)
        spot = LabelSpot(place, x, y, rows, label_lines(place, zoom), echo=True)
        echoes.append(spot)
        for row in rows:
            for column in range(row.x, row.end):
                cells.setdefault((column, row.y), place.id)
    below = {place: _room_below(spot, zoom, cells, size) for place, spot in spots.items()}
    _share(below, spots)
    spots = {place: replace(spot, below=below[place]) for place, spot in spots.items()}
    return Layout(zoom, width, height, spots, tuple(echoes), clean, cells)


def _room_below(
    spot: LabelSpot, zoom: Zoom, cells: dict[tuple[int, int], str], size: tuple[int, int]
) -> tuple[CellSpan, ...]:
    """Return the cells for second lines: below names at theatre zoom, below the names of seas for fleets."""
    if spot.place.kind == SEA:
        lines, reach = 2, 7
    elif zoom.names:
        lines, reach = 1, max(8, len(spot.words[0]) // 2 + 1)
    else:
        return ()
    last = spot.rows[-1]
    middle = last.x + last.width // 2
    found = []
    for y in range(last.y + 1, min(last.y + 1 + lines, size[1])):
        if (middle, y) in cells:
            break
        row = _free_around(middle, y, reach, NAME_GAP if zoom.names else 1, cells, size[0])
        if row.width < SECOND_LINE_CELLS:
            row = _free_around(middle, y, reach, 1, cells, size[0])
        found.append(row)
    if spot.place.kind == SEA and sum(row.width for row in found) < CROWDED_SEA:
        found.insert(0, _room_at_side(last, cells, size[0]))
    return tuple(row for row in found if row.width > 1)


def _free_around(
    middle: int, y: int, reach: int, apart: int, cells: dict[tuple[int, int], str], width: int
) -> CellSpan:
    """Return the free cells around a column, at least `apart` cells from other labels."""
    left = right = middle
    steps = range(1, apart + 2)
    while left > max(0, middle - reach) and not any((left - step, y) in cells for step in steps):
        left -= 1
    while right < min(width - 1, middle + reach) and not any((right + step, y) in cells for step in steps):
        right += 1
    return CellSpan(y, left, right - left + 1)


def _room_at_side(last: CellSpan, cells: dict[tuple[int, int], str], width: int) -> CellSpan:
    """Return free cells beside the last word of a sea with labels close below."""
    right, left = last.end + 1, last.x - 2
    end, start = right, left
    while end < min(width, right + CROWDED_SEA) and not cells.keys() & {(end, last.y), (end + 1, last.y)}:
        end += 1
    while start >= max(0, left - CROWDED_SEA) and not cells.keys() & {(start, last.y), (start - 1, last.y)}:
        start -= 1
    return max(
        CellSpan(last.y, right, end - right), CellSpan(last.y, start + 1, left - start), key=lambda row: row.width
    )


def _share(below: dict[str, tuple[CellSpan, ...]], spots: dict[str, LabelSpot]) -> None:
    """Divide cells that two places need, half way between their middles."""
    by_row: dict[int, list[tuple[int, str, int]]] = {}
    for place, found in below.items():
        last = spots[place].rows[-1]
        for at, row in enumerate(found):
            by_row.setdefault(row.y, []).append((last.x + last.width // 2, place, at))
    for y, claims in by_row.items():
        claims.sort()
        for (x, left, at_left), (other_x, right, at_right) in pairwise(claims):
            one, other = below[left][at_left], below[right][at_right]
            if one.end + 1 >= other.x:
                border = (x + other_x) // 2
                one = CellSpan(y, one.x, min(one.end, border) - one.x)
                start = max(other.x, border + 1)
                other = CellSpan(y, start, other.end - start)
                below[left] = tuple(one if at == at_left else row for at, row in enumerate(below[left]))
                below[right] = tuple(other if at == at_right else row for at, row in enumerate(below[right]))


def world_layout() -> Layout:
    """Return the layout at world zoom and reference size, which the arrow keys follow."""
    return lay_out(WORLD.name, WORLD.width, WORLD.height)


def fit_layout(zoom: Zoom, width: int, height: int) -> Layout:
    """Return the layout for a pane: scaled to fill it if no labels overlap, else at the zoom's own size."""
    across, down = max(zoom.width, width), max(zoom.height, height)
    for size in ((across, down), (across, zoom.height), (zoom.width, down)):
        layout = lay_out(zoom.name, *size)
        if layout.clean:
            return layout
    return lay_out(zoom.name, zoom.width, zoom.height)


@cache
def _positions() -> tuple[tuple[str, float, float], ...]:
    """Return the middles of the labels in square units, without echoes."""
    return tuple(
        (spot.id, spot.rows[0].x + len(spot.words[0]) / 2, ASPECT * (spot.y + len(spot.rows) / 2))
        for spot in world_layout().spots.values()
    )


def nearest_label(place: str, among: Iterable[str]) -> str:
    """Return the place of `among` whose label is nearest to that of another place."""
    where = {name: (x, y) for name, x, y in _positions()}
    here = where[place]
    return min(among, key=lambda name: (dist(here, where[name]), name))


@cache
def neighbour(place: str, direction: str) -> str:
    """Return the place to which an arrow key leads, at all zooms. Left and right wrap around, up and down do not.

    The nearest place in the quadrant around the direction wins; sideways distance counts double. If the quadrant is
    empty, the place in the half plane with the least deviation wins.
    """
    at_x, at_y = next((x, y) for name, x, y in _positions() if name == place)
    around = float(world_layout().width)
    best: tuple[float, str] | None = None
    for name, x, y in _positions():
        if name == place:
            continue
        across, down = x - at_x, y - at_y
        if direction == "up":
            ahead, aside = -down, abs(across)
        elif direction == "down":
            ahead, aside = down, abs(across)
        else:
            ahead = across if direction == "right" else -across
            if ahead <= 0:
                ahead += around
            aside = abs(down)
        if ahead < 0.75 or aside > MAX_SIDEWAYS:
            continue
        cost = ahead + 2.0 * aside + (0.0 if aside <= ahead else 200.0 + 15.0 * aside / ahead)
        if best is None or (cost, name) < best:
            best = (cost, name)
    return best[1] if best else place


Dots = Mapping[int, Mapping[int, int]]
"""Braille bits of a cell by row and column."""

SPARSE, DENSE, SOLID = 3.4, 1.7, 1.0


def route_ends(layout: Layout, a: str, b: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ends, in cells, of the shortest line between two places, with echoes and wrapping.

    A line across the edge ends outside the canvas; the caller draws it twice.
    """
    best: tuple[float, tuple[float, float], tuple[float, float]] | None = None
    for one in layout.drawn(a):
        for other in layout.drawn(b):
            for turn in (0, layout.width, -layout.width):
                start, stop = label_middle(one), label_middle(other)
                stop = (stop[0] + turn, stop[1])
                length = hypot(stop[0] - start[0], 2.0 * (stop[1] - start[1]))
                if best is None or length < best[0]:
                    best = (length, start, stop)
    assert best is not None
    return best[1], best[2]


def label_middle(spot: LabelSpot) -> tuple[float, float]:
    """Return the end point of lines: the middle of code or name, without signs."""
    return spot.rows[0].x + len(spot.words[0]) / 2.0, spot.y + len(spot.words) / 2.0


def route_dots(layout: Layout, pairs: Iterable[tuple[str, str]], step: float, thick: bool = False) -> Dots:
    """Return the dots of lines between pairs of places, one every `step` dots; a thick line is two dots wide."""
    found: dict[int, dict[int, int]] = {}
    for a, b in pairs:
        if a not in layout.spots or b not in layout.spots or a == b:
            continue
        (x0, y0), (x1, y1) = route_ends(layout, a, b)
        across, down = (x1 - x0) * DOTS_ACROSS, (y1 - y0) * DOTS_DOWN
        count = max(1, int(max(abs(across), abs(down)) if step == SOLID else hypot(across, down) / step))
        for at in range(count + 1):
            left, top = int(x0 * DOTS_ACROSS + across * at / count), int(y0 * DOTS_DOWN + down * at / count)
            for beside, below in ((0, 0), (1, 0), (0, 1), (1, 1)) if thick else ((0, 0),):
                x, y = (left + beside) % (layout.width * DOTS_ACROSS), top + below
                if 0 <= y < layout.height * DOTS_DOWN:
                    cells = found.setdefault(y // DOTS_DOWN, {})
                    bit = DOT_BITS[y % DOTS_DOWN][x % DOTS_ACROSS]
                    cells[x // DOTS_ACROSS] = cells.get(x // DOTS_ACROSS, 0) | bit
    return found


ArrowHeads = dict[int, dict[int, str]]
"""By row and column, the sign of an arrow's head."""


def arrow_heads(layout: Layout, pairs: Iterable[tuple[str, str]], signs: str) -> ArrowHeads:
    """Return the heads of arrows between pairs of places, each beside the label of the second place.

    Args: the layout; the pairs; the signs of heads to the right, left, up and down.
    """
    found: ArrowHeads = {}
    for a, b in pairs:
        if a not in layout.spots or b not in layout.spots or a == b:
            continue
        (x0, y0), (x1, y1) = route_ends(layout, a, b)
        across, down = x1 - x0, y1 - y0
        if abs(across) >= 2 * abs(down):
            sign = signs[0] if across > 0 else signs[1]
        else:
            sign = signs[2] if down < 0 else signs[3]
        steps = max(1, int(4 * max(abs(across), abs(down))))
        cells = ((int(x1 - across * n / steps) % layout.width, int(y1 - down * n / steps)) for n in range(steps))
        free = (  # labels keep the cells beside them free
            (x, y) for x, y in cells if not any(layout.is_label(x + beside, y) for beside in (-1, 0, 1))
        )
        x, y = next(free, (int(x1), int(y1)))
        found.setdefault(y, {})[x] = sign
    return found


@lru_cache(maxsize=8)
def overland_dots(zoom: str, width: int, height: int) -> Dots:
    """Return the dots of all overland routes, for the ground."""
    return route_dots(lay_out(zoom, width, height), load_atlas().routes, SPARSE)
