"""The ground as coasts and overland routes in dots, land a shade lighter than the sea."""

from __future__ import annotations

from collections.abc import Mapping

from rich.style import Style

from paxtui.tui.land.coast import BRAILLE, rasterise
from paxtui.tui.map.ground import GroundRow
from paxtui.tui.map.layout import Layout
from paxtui.tui.map.routes import overland
from paxtui.tui.map.styles import Styles
from paxtui.tui.map.wash import Wash

LAND = 4
"""A cell with so many dots of land, of eight, is land."""


class DottedGround:
    """The ground of a terminal without colours, or without the signs to paint with."""

    def __init__(self, layout: Layout, styles: Styles) -> None:
        self._layout = layout
        self._ascii = styles.palette.ascii
        palette = styles.palette
        papers = self._papers = styles.softened() if palette.colour else [""] * 9
        dim = not palette.colour
        self._plain = [styles.on(paper) for paper in papers]
        self._shore = [styles.dots(paper, palette.coast, dim=dim) for paper in papers]
        self._route = [styles.dots(paper, palette.route, dim=dim) for paper in papers]
        self._rows: list[GroundRow | None] = [None] * layout.height

    def row(self, y: int) -> GroundRow:
        """Land, shore and routes of a row."""
        row = self._rows[y]
        if row is None:
            row = self._rows[y] = self._draw(y)
        return row

    def paint(self, washes: Mapping[str, Wash]) -> set[int]:
        """Nothing: land in dots has one colour."""
        return set()

    def _draw(self, y: int) -> GroundRow:
        layout = self._layout
        coast = rasterise(layout.width, layout.height)
        routes = overland(layout.zoom.name, layout.width, layout.height).get(y, {})
        dots, cover = coast.dots[y], coast.cover[y]
        signs: list[str] = []
        styles: list[Style] = []
        plain: dict[int, Style] = {}
        for x in range(layout.width):
            bits, by_cover = (dots[x], self._shore) if dots[x] else (routes.get(x, 0), self._route)
            if bits:
                signs.append("." if self._ascii else chr(BRAILLE + bits))
                styles.append(by_cover[cover[x]])
                plain[x] = self._plain[cover[x]]
            else:
                signs.append(" ")
                styles.append(self._plain[cover[x]])
        water = bytes(each < LAND for each in cover)
        return GroundRow("".join(signs), styles, [self._papers[each] for each in cover], water, plain)
