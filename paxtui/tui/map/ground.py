"""The ground below the labels, row by row: a political map in quarter cells, or land and coasts in dots.

The colour of a territory is that of its holder, stronger for higher Status, and striped if there are several holders.
Territory colours are computed only here, from a `PlaceLook`: map, picture and contrast test use the same ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
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
"""Share of the holder's colour in a territory, by the holder's Status."""
MINOR_EMPIRE_SHARE = {"chinese_empire": ("sand", 0.07), "chinese_vassal": ("sand", 0.04), "ottoman": ("olive", 0.06)}
"""Share of the empire's colour in an Area of an empire without a player."""
EDGE_SHARE = 0.72
"""Share of its colour at the edge of a territory in Unrest or dispute."""
CURSOR_LIGHT, CHOICE_LIGHT, MATCH_LIGHT = 0.26, 0.30, 0.14
"""Highlight of the territory under the cursor, of one that can be chosen, and of a found one."""
DIMMED_SHARE = 0.68
"""Share of the bare land in a dimmed territory."""
TEXT_CONTRAST, CONTRAST_STEP, MAX_CONTRAST_STEPS = 4.75, 0.04, 24
"""Minimum contrast of a tint to the purest text colour, and the step of the correction."""
LEAST_INCOME_SHARE, MOST_INCOME_SHARE = 0.08, 0.50
"""Highlight of the Areas with the least and the most income."""


@dataclass(frozen=True, slots=True)
class TerritoryFill:
    """Colours of a territory (stripes if several), colour of its edge, and its holders."""

    colours: tuple[str, ...]
    edge: str = ""
    holder: str = ""


def territory_fill(look: PlaceLook, palette: Palette) -> TerritoryFill:
    """Return the colours of a territory with this look."""
    colours = tuple(dict.fromkeys(_highlight(colour, look, palette) for colour in _holder_stripes(look.mark, palette)))
    holder = look.mark.holders[0] if look.mark.holders else look.mark.ink if look.mark.solid else ""
    role = "alarm" if look.mark.unrest else "war" if look.mark.casus_belli else ""
    if not role or look.dim:
        return TerritoryFill(colours, holder=holder)
    return TerritoryFill(colours, palette.tint(blend(palette.ink(role), colours[0], EDGE_SHARE)), holder)


def empty_fill(palette: Palette) -> TerritoryFill:
    """Return the colours of land that belongs to no place."""
    return TerritoryFill((palette.land,))


def _holder_stripes(mark: PlaceMark, palette: Palette) -> list[str]:
    """Return the stripes of a territory without highlights."""
    land = _bare_ground(mark.type, palette)
    share = HOLDER_SHARE.get(mark.status, 0.0) * palette.tint_share
    if not share or not mark.holders:
        return [land]
    stripes = [_text_background(palette.tint_of(holder, mark.status, share, land), palette) for holder in mark.holders]
    return [*stripes, land] if mark.unestablished else stripes


def _text_background(colour: str, palette: Palette) -> str:
    """Darken a colour (lighten it for light palettes) until text on it is readable."""
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
    """Return a colour with the highlight of its place."""
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
        signs: character of each cell.
        styles: style of each cell.
        papers: background colour for text in a cell.
        water: whether a cell is water; text there may have its own background.
        plain: style of a cell that is cleared beside letters, if the ground there gives way.
    """

    signs: str
    styles: list[Style]
    papers: list[str]
    water: bytes
    plain: Mapping[int, Style]


class Ground(Protocol):
    """Land and sea on a canvas."""

    def row(self, y: int) -> GroundRow:
        """Return row `y`."""

    def paint(self, washes: Mapping[str, TerritoryFill]) -> set[int]:
        """Set the colours of territories by place. Return the rows that change."""


LAND_DOTS = 4
"""Minimum number of land dots, of eight, in a cell of land."""
LETTER_SPACING = 4
"""Columns between the letters of a holder on the same row, in ASCII."""


class DottedGround:
    """The ground of a terminal without colours or without block characters."""

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
        """Return land, shore and routes of a row."""
        row = self._rows[y]
        if row is None:
            row = self._rows[y] = self._draw(y)
        return row

    def paint(self, washes: Mapping[str, TerritoryFill]) -> set[int]:
        """Set the holders of territories, for the letters in ASCII. Return the rows whose letters change."""
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
        """Return character and ink of a land cell in ASCII: two letters of the holder, then two spaces."""
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
"""Maximum number of cached painted rows."""
STRIPE_WIDTH = 4
"""Width of a stripe in quarters along a row."""


class CellStyle(NamedTuple):
    """The look of cells with the same four numbers.

    Attributes:
        colours: colours of the quarters, two at most.
        paper: background for text.
        wet: whether the background is water.
        striped: whether colours and background alternate between cells.
        best: the quarter that gives the background.
    """

    colours: QuarterColours
    paper: str
    wet: bool
    striped: bool
    best: int


_WATER = {False: b"\x00", True: b"\x01"}


@lru_cache(maxsize=4)
def _painted_rows(width: int, height: int, palette: Palette) -> dict[tuple[object, ...], GroundRow]:
    """Return the painted rows of all maps of this size: a new map shows much of what an earlier one showed."""
    return {}


class PaintedGround:
    """Land and sea with the current colours of the territories."""

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
        self._kept = _painted_rows(layout.width, layout.height, palette)
        self._rows: list[GroundRow | None] = [None] * layout.height
        for depth, colour in ((0, palette.sea), (SHALLOW, palette.shallow)):
            self._colours[depth * ZONES_PER_PLACE] = colour
        self._mix(UNOWNED, self._washes[UNOWNED])

    def row(self, y: int) -> GroundRow:
        """Return the cells of a row."""
        row = self._rows[y]
        if row is None:
            row = self._rows[y] = self._kept_or_drawn(y)
        return row

    def _kept_or_drawn(self, y: int) -> GroundRow:
        """Return a cached row with the same colours, else draw it."""
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
        """Set the colours of territories. Return the rows that change."""
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
        """Compute the colours of a territory's quarters. Striped ones are computed one by one."""
        base = number * ZONES_PER_PLACE
        for four in self._blends_of.pop(number, ()):
            self._blends.pop(four, None)
        (self._striped.add if len(wash.colours) > 1 else self._striped.discard)(number)
        for where in range(ZONES_PER_PLACE - 1):
            self._colours[base + where] = self._colour(wash, where, 0)

    def _colour(self, wash: TerritoryFill, where: int, stripe: int) -> str:
        """Return the colour of a quarter, by its position and its stripe."""
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
        """Return the look of cells with these numbers, cached until one of their territories changes."""
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
        """Return the colours of a cell with stripes."""
        found = []
        for at, number in enumerate(four):
            place, where = divmod(number, ZONES_PER_PLACE)
            if place in self._striped:
                found.append(self._colour(self._washes[place], where, _stripe(at, x, y)))
            else:
                found.append(self._colours[number])
        return found[0], found[1], found[2], found[3]

    def _paper(self, four: Quarters, at: int, x: int, y: int) -> str:
        """Return the background of letters in a striped cell. Edges and borders are ignored."""
        place = four[at] // ZONES_PER_PLACE
        if place in self._striped:
            return self._colour(self._washes[place], INSIDE, _stripe(at, x, y))
        return self._colours[place * ZONES_PER_PLACE + INSIDE]

    def _dots(self, y: int, signs: list[str], styles: list[Style], plain: dict[int, Style]) -> None:
        """Draw the coast of land that has the colour of the sea."""
        assert self._coast is not None
        sea = self._styles.on(self._palette.sea)
        shore = self._styles.dots(self._palette.sea, self._palette.coast)
        for x, bits in enumerate(self._coast.dots[y]):
            if bits and signs[x] == " " and styles[x].bgcolor == sea.bgcolor:
                signs[x], styles[x], plain[x] = chr(BRAILLE + bits), shore, sea


def _stripe(at: int, x: int, y: int) -> int:
    """Return the stripe of a quarter of a cell."""
    return (2 * x + at % 2 + 2 * (2 * y + at // 2)) // STRIPE_WIDTH


class StrokeBuilder:
    """Joins cells of a row to runs of at most two colours, as long as possible.

    A cell of one colour joins neighbours that have it too: fewer styles are faster to draw.
    """

    def __init__(self, styles: PaletteStyles) -> None:
        self._made = styles
        self._signs: list[str] = []
        self._styles: list[Style] = []
        self._cells: list[tuple[QuarterColours, int]] = []
        self._pair: tuple[str, ...] = ()

    def add(self, four: QuarterColours, count: int) -> None:
        """Add `count` cells with one or two colours."""
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
        """Return characters and styles of all cells."""
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
