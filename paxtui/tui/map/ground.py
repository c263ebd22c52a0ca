"""The ground as a political map: every territory in its holders' colours, in quarters of a cell.

The colour of a territory: its holder's, let into the land the more the firmer the hold; stripes where several share.

What a place looks like says it all (`Look`): who holds it and how, whether it is in Unrest, whether the cursor stands
on it. The colours are worked out here and nowhere else, so that map, picture and test of contrast agree.

What lies under the labels, row by row: the one interface of the ground in dots and of the painted one.

The ground as coasts and overland routes in dots, land a shade lighter than the sea; in ASCII, letters of holders.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from rich.style import Style

from paxtui.tui.colors import LETTERS, Depth, Palette, blend, contrast
from paxtui.tui.map.geometry import (
    BORDER,
    BRAILLE,
    INSIDE,
    SHALLOW,
    UNOWNED,
    ZONES_PER_PLACE,
    Quarters,
    place_numbers,
    rasterise,
    territories,
)
from paxtui.tui.map.layout import Layout, overland_dots
from paxtui.tui.map.scene import QUARTERS, PlaceLook, PlaceMark
from paxtui.tui.map.styles import PaletteStyles, QuarterColours

HOLDER_SHARE = {
    "home": 0.55,
    "dominion": 0.50,
    "state": 0.50,
    "possession": 0.40,
    "protectorate": 0.26,
    "influence": 0.14,
    "interest": 0.08,
}
"""How much of its holder's colour a territory has, by the holder's Status."""
MINOR_EMPIRE_SHARE = {"chinese_empire": ("sand", 0.07), "chinese_vassal": ("sand", 0.04), "ottoman": ("olive", 0.06)}
"""What the land of an Area has of the colour of an empire that is no player's."""
EDGE_SHARE = 0.72
"""How much of its colour the edge of a territory in Unrest or dispute has."""
CURSOR_LIGHT, CHOICE_LIGHT, MATCH_LIGHT = 0.26, 0.30, 0.14
"""How much light falls on the territory under the cursor, on one that may be chosen, and on one that is pointed out."""
DIMMED_SHARE = 0.68
"""How much of the bare land a territory takes that steps back."""
TEXT_CONTRAST, CONTRAST_STEP, MAX_CONTRAST_STEPS = 4.75, 0.04, 24
"""The contrast of a tint to the purest text, and by how little at a time it is brought there."""
LEAST_INCOME_SHARE, MOST_INCOME_SHARE = 0.08, 0.50
"""How much of the light has what earns least and what earns most."""


@dataclass(frozen=True, slots=True)
class TerritoryFill:
    """The colours of a territory, side by side in stripes if they are several; the colour of its edge; who holds it."""

    colours: tuple[str, ...]
    edge: str = ""
    holder: str = ""


def territory_fill(look: PlaceLook, palette: Palette) -> TerritoryFill:
    """The colours of a territory whose place looks so."""
    colours = tuple(dict.fromkeys(_highlight(colour, look, palette) for colour in _holder_stripes(look.mark, palette)))
    holder = look.mark.holders[0] if look.mark.holders else look.mark.ink if look.mark.solid else ""
    role = "alarm" if look.mark.unrest else "war" if look.mark.casus_belli else ""
    if not role or look.dim:
        return TerritoryFill(colours, holder=holder)
    return TerritoryFill(colours, palette.tint(blend(palette.ink(role), colours[0], EDGE_SHARE)), holder)


def empty_fill(palette: Palette) -> TerritoryFill:
    """Land that is nobody's and never will be."""
    return TerritoryFill((palette.land,))


def _holder_stripes(mark: PlaceMark, palette: Palette) -> list[str]:
    """The stripes of a territory before any light falls on it."""
    land = _bare_ground(mark.type, palette)
    share = HOLDER_SHARE.get(mark.status, 0.0) * palette.tint_share
    if not share or not mark.holders:
        return [land]
    stripes = [_text_background(palette.tint_of(holder, mark.status, share, land), palette) for holder in mark.holders]
    return [*stripes, land] if mark.unestablished else stripes


def _text_background(colour: str, palette: Palette) -> str:
    """A colour on which light text can be read, and on light palettes dark text: darker or lighter if it must be."""
    if palette.depth != Depth.ALL:
        return colour
    for _ in range(MAX_CONTRAST_STEPS):
        if contrast(palette.path, colour) >= TEXT_CONTRAST:
            break
        colour = blend("#000000" if palette.dark else "#ffffff", colour, CONTRAST_STEP)
    return colour


def _bare_ground(type_: str, palette: Palette) -> str:
    ink, share = MINOR_EMPIRE_SHARE.get(type_, ("", 0.0))
    return palette.tint(blend(palette.ink(ink), palette.land, share)) if ink else palette.land


def _highlight(colour: str, look: PlaceLook, palette: Palette) -> str:
    """A colour in the light that falls on the place."""
    if look.heat is not None:
        colour = _text_background(
            blend(palette.lit, palette.land, LEAST_INCOME_SHARE + (MOST_INCOME_SHARE - LEAST_INCOME_SHARE) * look.heat),
            palette,
        )
    elif look.lit:
        colour = _text_background(blend(palette.lit, colour, CHOICE_LIGHT), palette)
    elif look.dim:
        colour = blend(palette.land, colour, DIMMED_SHARE)
    if look.cursor:
        colour = blend(palette.accent, colour, CURSOR_LIGHT)
    elif look.mark.highlight:
        colour = blend(palette.accent, colour, MATCH_LIGHT)
    return palette.tint(colour)


class GroundRow(NamedTuple):
    """A row of the ground, cell by cell.

    Attributes:
        signs: what stands in each cell.
        styles: in which style.
        papers: the colour that text in a cell stands on.
        water: which cells are water: what is written there may bring a paper of its own.
        plain: the style of a cell cleared for the letters beside it, where it bears something that has to give way.
    """

    signs: str
    styles: list[Style]
    papers: list[str]
    water: bytes
    plain: Mapping[int, Style]


class Ground(Protocol):
    """Land and sea on a canvas."""

    def row(self, y: int) -> GroundRow:
        """Row `y` as it lies there now."""

    def paint(self, washes: Mapping[str, TerritoryFill]) -> set[int]:
        """Give territories other colours, by their places; the rows that look different now."""


LAND_DOTS = 4
"""A cell with so many dots of land, of eight, is land."""
LETTER_SPACING = 4
"""Columns from the letters of a holder to its next ones on the same row, in ASCII."""


class DottedGround:
    """The ground of a terminal without colours, or without the signs to paint with."""

    def __init__(self, layout: Layout, styles: PaletteStyles) -> None:
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

    def paint(self, washes: Mapping[str, TerritoryFill]) -> set[int]:
        """Note who holds each territory, for the letters of ASCII; return the rows whose letters change."""
        if not self._ascii:
            return set()
        changed: set[int] = set()
        for place, wash in washes.items():
            if place in place_numbers() and wash.holder != self._holders.get(place, ""):
                self._holders[place] = wash.holder
                changed |= territories(self._layout.width, self._layout.height).rows(place_numbers()[place])
        for y in changed:
            self._rows[y] = None
        return changed

    def _letter(self, x: int, y: int) -> tuple[str, str]:
        """Return what ASCII draws on the land in a cell, and its ink: two letters of the holder, then two spaces."""
        land = territories(self._layout.width, self._layout.height)
        at = (x + LETTER_SPACING // 2 * (y % 2)) % LETTER_SPACING
        holder = self._holders.get(land.place_at(x, y) or "", "")
        if at > 1 or not holder:
            return ("," if at == 0 else " "), ""
        other = self._holders.get(land.place_at(x + 1 - 2 * at, y) or "", "")
        return (LETTERS.get(holder, "  ").lower()[at], holder) if other == holder else (" ", "")

    def _draw(self, y: int) -> GroundRow:
        layout, papers, palette = self._layout, self._papers, self._styles.palette
        coast = rasterise(layout.width, layout.height)
        routes = overland_dots(layout.zoom.name, layout.width, layout.height).get(y, {})
        dots, cover = coast.dots[y], coast.cover[y]
        signs: list[str] = []
        styles: list[Style] = []
        plain: dict[int, Style] = {}
        for x in range(layout.width):
            bits, by_cover = (dots[x], self._shore) if dots[x] else (routes.get(x, 0), self._route)
            if self._ascii and not dots[x] and cover[x] >= LAND_DOTS:
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
        water = bytes(each < LAND_DOTS for each in cover)
        return GroundRow("".join(signs), styles, [papers[each] for each in cover], water, plain)


MAX_CACHED_ROWS = 400
"""Rows kept as they were painted, so that where the cursor has been costs nothing."""
STRIPE_WIDTH = 4
"""Quarters that a stripe is wide, measured along a row."""


class CellStyle(NamedTuple):
    """What cells with the same four numbers look like.

    Attributes:
        colours: of the quarters, two at most.
        paper: what text there stands on.
        wet: whether that is water.
        striped: whether colours and paper change from cell to cell.
        best: the quarter whose colour is the paper.
    """

    colours: QuarterColours
    paper: str
    wet: bool
    striped: bool
    best: int


_WATER = {False: b"\x00", True: b"\x01"}


class PaintedGround:
    """Land and sea, and the colours that territories have now."""

    def __init__(self, layout: Layout, styles: PaletteStyles) -> None:
        self._styles = styles
        self._land = territories(layout.width, layout.height)
        palette = self._palette = styles.palette
        # where land and sea are of one colour the coast is drawn in dots
        self._coast = rasterise(layout.width, layout.height) if palette.land == palette.sea else None
        self._washes: dict[int, TerritoryFill] = {UNOWNED: empty_fill(palette)}
        self._colours: dict[int, str] = {}
        self._striped: set[int] = set()
        self._blends: dict[Quarters, CellStyle] = {}
        self._blends_of: dict[int, list[Quarters]] = {}
        self._on_row: dict[int, list[int]] = {}
        self._kept: dict[tuple[object, ...], GroundRow] = {}
        self._rows: list[GroundRow | None] = [None] * layout.height
        for depth, colour in ((0, palette.sea), (SHALLOW, palette.shallow)):
            self._colours[depth * ZONES_PER_PLACE] = colour
        self._mix(UNOWNED, self._washes[UNOWNED])

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
            numbers_ = {number // ZONES_PER_PLACE for run in self._land.runs(y) for number in run.quarters}
            on_row = self._on_row[y] = sorted(number for number in numbers_ if number > UNOWNED)
        painted = (y, *(self._washes[number] for number in on_row))
        row = self._kept.pop(painted, None)
        if row is None:
            row = self._draw(y)
            while len(self._kept) > MAX_CACHED_ROWS:
                del self._kept[next(iter(self._kept))]
        self._kept[painted] = row
        return row

    def paint(self, washes: Mapping[str, TerritoryFill]) -> set[int]:
        """Give territories other colours; the rows that look different now."""
        changed: set[int] = set()
        known = place_numbers()
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

    def _mix(self, number: int, wash: TerritoryFill) -> None:
        """The colours of a territory's quarters; of one in stripes they are asked for one by one."""
        base = number * ZONES_PER_PLACE
        for four in self._blends_of.pop(number, ()):
            self._blends.pop(four, None)
        (self._striped.add if len(wash.colours) > 1 else self._striped.discard)(number)
        for where in range(ZONES_PER_PLACE - 1):
            self._colours[base + where] = self._colour(wash, where, 0)

    def _colour(self, wash: TerritoryFill, where: int, stripe: int) -> str:
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
        strokes = StrokeBuilder(self._styles)
        papers: list[str] = []
        water = bytearray()
        plain: dict[int, Style] = {}
        blends = self._blends
        for four, start, end in self._land.runs(y):
            blend_ = blends.get(four) or self._blend(four)
            count = end - start
            water += _WATER[blend_.wet] * count
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

    def _blend(self, four: Quarters) -> CellStyle:
        """What cells with these numbers look like, until one of their territories is painted anew."""
        places = [number // ZONES_PER_PLACE for number in four]
        wet = sum(place < UNOWNED for place in places) > 2
        _, best = max((places.count(place), -at) for at, place in enumerate(places) if (place < UNOWNED) == wet)
        colours = self._colours
        each = (colours[four[0]], colours[four[1]], colours[four[2]], colours[four[3]])
        paper = colours[places[-best] * ZONES_PER_PLACE + INSIDE]
        striped = not self._striped.isdisjoint(places)
        found = CellStyle(self._styles.in_two(each), paper, wet, striped, -best)
        self._blends[four] = found
        for place in set(places):
            self._blends_of.setdefault(place, []).append(four)
        return found

    def _in_stripes(self, four: Quarters, x: int, y: int) -> QuarterColours:
        """The colours of a cell, some of which alternate."""
        found = []
        for at, number in enumerate(four):
            place, where = divmod(number, ZONES_PER_PLACE)
            if place in self._striped:
                found.append(self._colour(self._washes[place], where, _stripe(at, x, y)))
            else:
                found.append(self._colours[number])
        return found[0], found[1], found[2], found[3]

    def _paper(self, four: Quarters, at: int, x: int, y: int) -> str:
        """What letters lie on in a cell, some of whose colours alternate: no edge or border runs below them."""
        place = four[at] // ZONES_PER_PLACE
        if place in self._striped:
            return self._colour(self._washes[place], INSIDE, _stripe(at, x, y))
        return self._colours[place * ZONES_PER_PLACE + INSIDE]

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
    return (2 * x + at % 2 + 2 * (2 * y + at // 2)) // STRIPE_WIDTH


class StrokeBuilder:
    """Cells of a row put together to strokes of two colours each, as long as they can be.

    A cell of one colour goes with neighbours that have it too: the fewer styles a row has, the sooner it is drawn.
    """

    def __init__(self, styles: PaletteStyles) -> None:
        self._made = styles
        self._signs: list[str] = []
        self._styles: list[Style] = []
        self._cells: list[tuple[QuarterColours, int]] = []
        self._pair: tuple[str, ...] = ()

    def add(self, four: QuarterColours, count: int) -> None:
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
