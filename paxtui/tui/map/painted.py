"""The ground as a political map: every territory in its holders' colours, in quarters of a cell."""

from __future__ import annotations

from collections.abc import Mapping

from rich.style import Style

from paxtui.tui.colours.contrast import blend
from paxtui.tui.colours.depth import Depth
from paxtui.tui.land.coast import BRAILLE, rasterise
from paxtui.tui.land.territory import BORDER, INSIDE, KINDS, NOBODYS, SHALLOW, Quarters, numbers, territories
from paxtui.tui.map.ground import GroundRow
from paxtui.tui.map.layout import Layout
from paxtui.tui.map.styles import Four, Styles
from paxtui.tui.map.wash import Wash, bare

STRIPE = 4
"""Quarters that a stripe is wide, measured along a row."""


class PaintedGround:
    """Land and sea, and the colours that territories have now."""

    def __init__(self, layout: Layout, styles: Styles) -> None:
        self._styles = styles
        self._land = territories(layout.width, layout.height)
        palette = self._palette = styles.palette
        # where land and sea are of one colour the coast is drawn in dots
        self._coast = rasterise(layout.width, layout.height) if palette.land == palette.sea else None
        self._washes: dict[int, Wash] = {NOBODYS: bare(palette)}
        self._colours: dict[int, str] = {}
        self._striped: set[int] = set()
        self._rows: list[GroundRow | None] = [None] * layout.height
        for depth, colour in ((0, palette.sea), (SHALLOW, palette.shallow)):
            self._colours[depth * KINDS] = colour
        self._mix(NOBODYS, self._washes[NOBODYS])

    def row(self, y: int) -> GroundRow:
        """The cells of a row."""
        row = self._rows[y]
        if row is None:
            row = self._rows[y] = self._draw(y)
        return row

    def paint(self, washes: Mapping[str, Wash]) -> set[int]:
        """Give territories other colours; the rows that look different now."""
        changed: set[int] = set()
        known = numbers()
        for place, wash in washes.items():
            number = known.get(place)
            if number is None or self._washes.get(number) == wash:
                continue
            self._washes[number] = wash
            self._mix(number, wash)
            changed |= self._land.rows.get(number, frozenset())
        for y in changed:
            self._rows[y] = None
        return changed

    def _mix(self, number: int, wash: Wash) -> None:
        """The colours of a territory's quarters; of one in stripes they are asked for one by one."""
        base = number * KINDS
        (self._striped.add if len(wash.colours) > 1 else self._striped.discard)(number)
        for where in range(KINDS - 1):
            self._colours[base + where] = self._colour(wash, where, 0)

    def _colour(self, wash: Wash, where: int, stripe: int) -> str:
        """The colour of a quarter, by where it lies and in which stripe."""
        colour = wash.colours[stripe % len(wash.colours)]
        if wash.edge and where != INSIDE:
            return wash.edge
        if where != BORDER:
            return colour
        if self._palette.depth == Depth.SIXTEEN:
            return self._palette.shade
        return self._palette.tint(blend(self._palette.shade, colour, self._palette.border))

    def _draw(self, y: int) -> GroundRow:
        signs: list[str] = []
        styles: list[Style] = []
        papers: list[str] = []
        water = bytearray()
        plain: dict[int, Style] = {}
        colours, striped, quarters_of = self._colours, self._striped, self._styles.quarters
        for run in self._land.runs[y]:
            count = run.end - run.start
            four = run.quarters
            wet = sum(number < NOBODYS * KINDS for number in four) > 2
            water += bytes((wet,)) * count
            if striped and any(number // KINDS in striped for number in four):
                for x in range(run.start, run.end):
                    each = self._in_stripes(four, x, y)
                    sign, style = quarters_of(each)
                    signs.append(sign)
                    styles.append(style)
                    papers.append(self._paper(four, each, wet))
                continue
            each = (colours[four[0]], colours[four[1]], colours[four[2]], colours[four[3]])
            sign, style = quarters_of(each)
            signs.append(sign * count)
            styles += [style] * count
            papers += [self._paper(four, each, wet)] * count
        if self._coast is not None:
            self._dots(y, signs, styles, papers, plain)
        return GroundRow("".join(signs), styles, papers, bytes(water), plain)

    def _in_stripes(self, four: Quarters, x: int, y: int) -> Four:
        """The colours of a cell, some of which alternate."""
        found = []
        for at, number in enumerate(four):
            place, where = divmod(number, KINDS)
            if place in self._striped:
                wash = self._washes[place]
                stripe = (2 * x + at % 2 + 2 * (2 * y + at // 2)) // STRIPE
                found.append(self._colour(wash, where, stripe))
            else:
                found.append(self._colours[number])
        return found[0], found[1], found[2], found[3]

    def _paper(self, four: Quarters, colours: Four, wet: bool) -> str:
        """What text in a cell stands on: water, or the land that is no border."""
        places = [number // KINDS for number in four]
        _, best = max((places.count(place), -at) for at, place in enumerate(places) if (place < NOBODYS) == wet)
        place = places[-best]
        return colours[-best] if place in self._striped else self._colours[place * KINDS + INSIDE]

    def _dots(
        self, y: int, signs: list[str], styles: list[Style], papers: list[str], plain: dict[int, Style]
    ) -> None:
        """Draw the coast of land that looks like the sea."""
        assert self._coast is not None
        row = list("".join(signs))
        sea = self._styles.on(self._palette.sea)
        shore = self._styles.dots(self._palette.sea, self._palette.coast)
        for x, bits in enumerate(self._coast.dots[y]):
            if bits and styles[x] is sea:
                row[x], styles[x], plain[x] = chr(BRAILLE + bits), shore, sea
        signs[:] = row
