"""Lines between places as dots: overland routes sparse, lit ones denser, a path unbroken.

Dots lie on the braille grid, two by four to a cell, which is square on the screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import hypot

from paxtui.tui.land.coast import DOT_BITS, DOTS_ACROSS, DOTS_DOWN
from paxtui.tui.land.places import the_atlas
from paxtui.tui.map.layout import Layout, Spot, lay_out

Dots = Mapping[int, Mapping[int, int]]
"""By row and column the braille bits of a cell."""

SPARSE, DENSE, SOLID = 3.4, 1.7, 1.0


def ends(layout: Layout, a: str, b: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """The shortest line between two places in cells: echoes count, and so does the way around the edge.

    A line around the edge ends outside the canvas; whoever draws it draws it twice.
    """
    best: tuple[float, tuple[float, float], tuple[float, float]] | None = None
    for one in layout.drawn(a):
        for other in layout.drawn(b):
            for turn in (0, layout.width, -layout.width):
                start, stop = middle(one), middle(other)
                stop = (stop[0] + turn, stop[1])
                length = hypot(stop[0] - start[0], 2.0 * (stop[1] - start[1]))
                if best is None or length < best[0]:
                    best = (length, start, stop)
    assert best is not None
    return best[1], best[2]


def middle(spot: Spot) -> tuple[float, float]:
    """Where lines end: the middle of the code or the name, without the signs that may follow."""
    return spot.rows[0].x + len(spot.words[0]) / 2.0, spot.y + len(spot.words) / 2.0


def lines(layout: Layout, pairs: Iterable[tuple[str, str]], step: float) -> Dots:
    """The dots of lines between pairs of places, one every `step` dots."""
    found: dict[int, dict[int, int]] = {}
    for a, b in pairs:
        if a not in layout.spots or b not in layout.spots or a == b:
            continue
        (x0, y0), (x1, y1) = ends(layout, a, b)
        across, down = (x1 - x0) * DOTS_ACROSS, (y1 - y0) * DOTS_DOWN
        count = max(1, int(max(abs(across), abs(down)) if step == SOLID else hypot(across, down) / step))
        for at in range(count + 1):
            x = int(x0 * DOTS_ACROSS + across * at / count) % (layout.width * DOTS_ACROSS)
            y = int(y0 * DOTS_DOWN + down * at / count)
            if 0 <= y < layout.height * DOTS_DOWN:
                cells = found.setdefault(y // DOTS_DOWN, {})
                bit = DOT_BITS[y % DOTS_DOWN][x % DOTS_ACROSS]
                cells[x // DOTS_ACROSS] = cells.get(x // DOTS_ACROSS, 0) | bit
    return found


@lru_cache(maxsize=8)
def overland(zoom: str, width: int, height: int) -> Dots:
    """All overland routes of the map, for the ground."""
    return lines(lay_out(zoom, width, height), the_atlas().routes, SPARSE)
