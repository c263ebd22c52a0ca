"""The ground as a political map: every territory in its holders' colours, in quarters of a cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rich.style import Style

from paxtui.tui.colours.contrast import blend
from paxtui.tui.colours.depth import Depth
from paxtui.tui.land.coast import BRAILLE, rasterise
from paxtui.tui.land.territory import BORDER, INSIDE, KINDS, NOBODYS, SHALLOW, Quarters, numbers, territories
from paxtui.tui.map.ground import GroundRow
from paxtui.tui.map.layout import Layout
from paxtui.tui.map.styles import QUARTERS, Four, Styles
from paxtui.tui.map.wash import Wash, bare

KEPT = 400
"""Rows kept as they were painted, so that where the cursor has been costs nothing."""
STRIPE = 4
"""Quarters that a stripe is wide, measured along a row."""


class Blend(NamedTuple):
    """What cells with the same four numbers look like.

    Attributes:
        colours: of the quarters, two at most.
        paper: what text there stands on.
        wet: whether that is water.
        striped: whether colours and paper change from cell to cell.
        best: the quarter whose colour is the paper.
    """

    colours: Four
    paper: str
    wet: bool
    striped: bool
    best: int


_WET = {False: b"\x00", True: b"\x01"}


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
        self._blends: dict[Quarters, Blend] = {}
        self._blends_of: dict[int, list[Quarters]] = {}
        self._on_row: dict[int, list[int]] = {}
        self._kept: dict[tuple[object, ...], GroundRow] = {}
        self._rows: list[GroundRow | None] = [None] * layout.height
        for depth, colour in ((0, palette.sea), (SHALLOW, palette.shallow)):
            self._colours[depth * KINDS] = colour
        self._mix(NOBODYS, self._washes[NOBODYS])

    def row(self, y: int) -> GroundRow:
        """The cells of a row."""
        row = self._rows[y]
        if row is None:
            row = self._rows[y] = self._kept_or_drawn(y)
        return row

    def _kept_or_drawn(self, y: int) -> GroundRow:
        """A row as it was when its lands were painted so before, as when the cursor has gone on; else drawn anew."""
        on_row = self._on_row.get(y)
        if on_row is None:
            numbers_ = {number // KINDS for run in self._land.runs(y) for number in run.quarters}
            on_row = self._on_row[y] = sorted(number for number in numbers_ if number > NOBODYS)
        painted = (y, *(self._washes[number] for number in on_row))
        row = self._kept.pop(painted, None)
        if row is None:
            row = self._draw(y)
            while len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]
        self._kept[painted] = row
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
            changed |= self._land.known_rows(number)
        for y in changed:
            self._rows[y] = None
        return changed

    def _mix(self, number: int, wash: Wash) -> None:
        """The colours of a territory's quarters; of one in stripes they are asked for one by one."""
        base = number * KINDS
        for four in self._blends_of.pop(number, ()):
            self._blends.pop(four, None)
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
        strokes = Strokes(self._styles)
        papers: list[str] = []
        water = bytearray()
        plain: dict[int, Style] = {}
        blends = self._blends
        for four, start, end in self._land.runs(y):
            blend_ = blends.get(four) or self._blend(four)
            count = end - start
            water += _WET[blend_.wet] * count
            if blend_.striped:
                for x in range(start, end):
                    strokes.add(self._styles.in_two(self._in_stripes(four, x, y)), 1)
                    papers.append(self._paper(four, blend_.best, x, y))
            else:
                strokes.add(blend_.colours, count)
                papers += [blend_.paper] * count
        signs, styles = strokes.done()
        if self._coast is not None:
            self._dots(y, signs, styles, plain)
        return GroundRow("".join(signs), styles, papers, bytes(water), plain)

    def _blend(self, four: Quarters) -> Blend:
        """What cells with these numbers look like, until one of their territories is painted anew."""
        places = [number // KINDS for number in four]
        wet = sum(place < NOBODYS for place in places) > 2
        _, best = max((places.count(place), -at) for at, place in enumerate(places) if (place < NOBODYS) == wet)
        colours = self._colours
        each = (colours[four[0]], colours[four[1]], colours[four[2]], colours[four[3]])
        paper = colours[places[-best] * KINDS + INSIDE]
        striped = not self._striped.isdisjoint(places)
        found = Blend(self._styles.in_two(each), paper, wet, striped, -best)
        self._blends[four] = found
        for place in set(places):
            self._blends_of.setdefault(place, []).append(four)
        return found

    def _in_stripes(self, four: Quarters, x: int, y: int) -> Four:
        """The colours of a cell, some of which alternate."""
        found = []
        for at, number in enumerate(four):
            place, where = divmod(number, KINDS)
            if place in self._striped:
                found.append(self._colour(self._washes[place], where, _stripe(at, x, y)))
            else:
                found.append(self._colours[number])
        return found[0], found[1], found[2], found[3]

    def _paper(self, four: Quarters, at: int, x: int, y: int) -> str:
        """What letters lie on in a cell, some of whose colours alternate: no edge or border runs below them."""
        place = four[at] // KINDS
        if place in self._striped:
            return self._colour(self._washes[place], INSIDE, _stripe(at, x, y))
        return self._colours[place * KINDS + INSIDE]

    def _dots(self, y: int, signs: list[str], styles: list[Style], plain: dict[int, Style]) -> None:
        """Draw the coast of land that looks like the sea."""
        assert self._coast is not None
        sea = self._styles.on(self._palette.sea)
        shore = self._styles.dots(self._palette.sea, self._palette.coast)
        for x, bits in enumerate(self._coast.dots[y]):
            if bits and signs[x] == " " and styles[x].bgcolor == sea.bgcolor:
                signs[x], styles[x], plain[x] = chr(BRAILLE + bits), shore, sea


def _stripe(at: int, x: int, y: int) -> int:
    """The stripe in which a quarter of a cell lies."""
    return (2 * x + at % 2 + 2 * (2 * y + at // 2)) // STRIPE


class Strokes:
    """Cells of a row put together to strokes of two colours each, as long as they can be.

    A cell of one colour goes with neighbours that have it too: the fewer styles a row has, the sooner it is drawn.
    """

    def __init__(self, styles: Styles) -> None:
        self._made = styles
        self._signs: list[str] = []
        self._styles: list[Style] = []
        self._cells: list[tuple[Four, int]] = []
        self._pair: tuple[str, ...] = ()

    def add(self, four: Four, count: int) -> None:
        """So many cells with these colours, which are two at most."""
        pair = self._pair
        for colour in four:
            if colour not in pair:
                pair = (*pair, colour)
        if len(pair) > 2:
            self._lay_down()
            pair = tuple(dict.fromkeys(four))
        self._pair = pair
        self._cells.append((four, count))

    def done(self) -> tuple[list[str], list[Style]]:
        """The signs and styles of all cells."""
        self._lay_down()
        return self._signs, self._styles

    def _lay_down(self) -> None:
        if not self._cells:
            return
        paper, ink = self._pair[0], self._pair[-1]
        total = 0
        for four, count in self._cells:
            if paper == ink:
                self._signs += " " * count
            else:
                first, second, third, fourth = four
                inked = (first == ink) + 2 * (second == ink) + 4 * (third == ink) + 8 * (fourth == ink)
                self._signs += QUARTERS[inked] * count
            total += count
        style = self._made.on(paper) if paper == ink else self._made.dots(paper, ink)
        self._styles += [style] * total
        self._cells.clear()
