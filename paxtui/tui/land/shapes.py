"""The land of every place as outlines: for a page, where a territory is a shape and not a number of cells.

An outline runs through the middles of the edges of its quarters, so that a coast has slopes and no stairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from paxtui.tui.land.territory import NOBODYS, names, territories

FINE = 240, 138
"""Cells across and down of the grid that is traced: its quarters are squares on the page."""

WIDTH, HEIGHT = FINE[0] * 4, FINE[1] * 4
"""Of the drawing that outlines are made for."""

Point = tuple[int, int]


@cache
def outlines() -> dict[str, str]:
    """The path of every territory by its place, as SVG has it; "" is the land that is nobody's."""
    grid = territories(*FINE).owners()
    found = {names()[number] if number != NOBODYS else "": _path(edges) for number, edges in _edges(grid).items()}
    return dict(sorted(found.items()))


def _edges(grid: tuple[bytes, ...]) -> dict[int, dict[Point, list[Point]]]:
    """Where the edges of each territory lead, by where they begin: its land lies on their right."""
    width, height = len(grid[0]), len(grid)
    edges: dict[int, dict[Point, list[Point]]] = {}
    for y, row in enumerate(grid):
        above = grid[y - 1] if y else bytes(width)
        below = grid[y + 1] if y + 1 < height else bytes(width)
        for x, own in enumerate(row):
            if own < NOBODYS:
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


def _path(leads: dict[Point, list[Point]]) -> str:
    """The outline of a territory: closed lines through the middles of its edges, in steps from point to point."""
    out: list[str] = []
    while leads:
        corner = first = next(iter(leads))
        middles: list[Point] = []
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


def _bends(points: list[Point]) -> Iterator[Point]:
    """The points at which a closed line turns."""
    for n, (x, y) in enumerate(points):
        (x0, y0), (x1, y1) = points[n - 1], points[(n + 1) % len(points)]
        if (x - x0, y - y0) != (x1 - x, y1 - y):
            yield x, y
