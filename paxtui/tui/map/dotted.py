"""The ground as coasts and overland routes in dots, land a shade lighter than the sea; in ASCII, letters of holders."""

from __future__ import annotations

from collections.abc import Mapping

from rich.style import Style

from paxtui.tui.colours.palette import LETTERS
from paxtui.tui.land.coast import BRAILLE, rasterise
from paxtui.tui.land.territory import numbers, territories
from paxtui.tui.map.ground import GroundRow
from paxtui.tui.map.layout import Layout
from paxtui.tui.map.routes import overland
from paxtui.tui.map.styles import Styles
from paxtui.tui.map.wash import Wash

LAND = 4
"""A cell with so many dots of land, of eight, is land."""
SPACED = 4
"""Columns from the letters of a holder to its next ones on the same row, in ASCII."""


class DottedGround:
    """The ground of a terminal without colours, or without the signs to paint with."""

    def __init__(self, layout: Layout, styles: Styles) -> None:
        self._layout = layout
        self._styles = styles
        self._holders: dict[str, str] = {}
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
        """Note who holds each territory, for the letters of ASCII; return the rows whose letters change."""
        if not self._ascii:
            return set()
        changed: set[int] = set()
        for place, wash in washes.items():
            if place in numbers() and wash.holder != self._holders.get(place, ""):
                self._holders[place] = wash.holder
                changed |= territories(self._layout.width, self._layout.height).rows(numbers()[place])
        for y in changed:
            self._rows[y] = None
        return changed

    def _letter(self, x: int, y: int) -> tuple[str, str]:
        """Return what ASCII draws on the land in a cell, and its ink: two letters of the holder, then two spaces."""
        land = territories(self._layout.width, self._layout.height)
        at = (x + SPACED // 2 * (y % 2)) % SPACED
        holder = self._holders.get(land.place_at(x, y) or "", "")
        if at > 1 or not holder:
            return ("," if at == 0 else " "), ""
        other = self._holders.get(land.place_at(x + 1 - 2 * at, y) or "", "")
        return (LETTERS.get(holder, "  ").lower()[at], holder) if other == holder else (" ", "")

    def _draw(self, y: int) -> GroundRow:
        layout, papers, palette = self._layout, self._papers, self._styles.palette
        coast = rasterise(layout.width, layout.height)
        routes = overland(layout.zoom.name, layout.width, layout.height).get(y, {})
        dots, cover = coast.dots[y], coast.cover[y]
        signs: list[str] = []
        styles: list[Style] = []
        plain: dict[int, Style] = {}
        for x in range(layout.width):
            bits, by_cover = (dots[x], self._shore) if dots[x] else (routes.get(x, 0), self._route)
            if self._ascii and not dots[x] and cover[x] >= LAND:
                sign, holder = self._letter(x, y)
                signs.append(sign)
                styles.append(self._styles.on(papers[cover[x]], palette.ink(holder or "faint")))
                plain[x] = self._plain[cover[x]]
            elif bits:
                signs.append("." if self._ascii else chr(BRAILLE + bits))
                styles.append(by_cover[cover[x]])
                plain[x] = self._plain[cover[x]]
            else:
                signs.append(" ")
                styles.append(self._plain[cover[x]])
        water = bytes(each < LAND for each in cover)
        return GroundRow("".join(signs), styles, [papers[each] for each in cover], water, plain)
