"""Labels and rows of the map: each row is composed into a Strip and cached until something on it changes.

`Canvas.show` takes a scene and drops the strips of the rows with changed places; `Canvas.strip` composes missing rows.
At world zoom a label is one run: code, signs and flags. At theatre zoom it is a name with a second line below. The
name of a sea takes two rows, with its Merchant Fleets and fleets below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count, pairwise

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from paxtui.tui.colors import (
    CANAL,
    CASUS_BELLI,
    DEFAULT,
    FORCE,
    LETTERS,
    UNESTABLISHED,
    UNREST,
    Palette,
    blend,
    letters_of,
)
from paxtui.tui.map.geometry import BRAILLE, CAPE, SEA, load_atlas
from paxtui.tui.map.ground import DottedGround, Ground, GroundRow, PaintedGround, territory_fill
from paxtui.tui.map.layout import (
    DENSE,
    SOLID,
    SPARSE,
    ArrowHeads,
    CellSpan,
    Dots,
    LabelSpot,
    Layout,
    arrow_heads,
    route_dots,
)
from paxtui.tui.map.scene import QUARTERS, PlaceLook, PlaceMark, Scene, TextSegments, base_marks
from paxtui.tui.map.styles import PaletteStyles

Pieces = tuple[tuple[str, Style], ...]
SIGN_CELLS = 3
"""Cells of a marker and its owner's letters."""
LIGHTER_SHARE = 0.45
"""How far letters on land of their own colour are mixed with the text colour."""


@dataclass(frozen=True, slots=True)
class StyledRun:
    """Styled text that begins at a cell.

    Attributes:
        framed: whether it gets the brackets of the cursor where there is space.
        paper: background on water for pieces without their own; "" shows the water.
    """

    y: int
    x: int
    pieces: Pieces
    framed: bool = False
    paper: str = ""

    @property
    def width(self) -> int:
        return sum(len(text) for text, _ in self.pieces)


def draw_label(
    spot: LabelSpot, look: PlaceLook, layout: Layout, palette: Palette, styles: PaletteStyles
) -> list[StyledRun]:
    """Return the runs of a place in its current look."""
    brush = LabelStyles(look, palette, styles, spot.echo)
    if spot.place.kind in (SEA, CAPE):
        return _sea(spot, look, brush)
    if layout.zoom.names:
        return _named(spot, look, brush)
    row = spot.rows[0]
    pieces = [(spot.words[0], brush.label)]
    if not spot.echo:
        pieces += brush.after(room=row.width - len(spot.words[0])) + brush.forces()
    framed = look.cursor and not spot.echo
    return [StyledRun(row.y, row.x, _fit_pieces(pieces, row.width), framed=framed, paper=brush.paper)]


class LabelStyles:
    """The styles of one place in its current look.

    Letters stand on the painted land. The cursor, Home Countries and labels on water have a background.
    """

    def __init__(self, look: PlaceLook, palette: Palette, styles: PaletteStyles, echo: bool) -> None:
        self.look, self.palette, self.styles = look, palette, styles
        self.echo = echo
        mark = look.mark
        ink = palette.ink(mark.ink)
        own = ""  # the paper that the label has wherever it stands
        paper = palette.paper(mark.ink, mark.owned)
        attributes = {"bold": True}
        if look.cursor and not echo:
            own, ink = palette.accent, palette.on_accent
            attributes["reverse"] = not palette.colour
        elif look.dim:
            ink, paper = self.faded(ink), palette.paper(mark.ink, False)
            attributes = {"dim": not palette.colour}
        elif look.lit or mark.highlight:
            paper = palette.tint(blend(palette.lit, palette.land, 0.36 if look.lit else 0.22))
            ink = palette.path
            attributes["underline"] = mark.highlight or not palette.colour
        elif mark.solid and not echo:
            own, ink = ink, palette.land if palette.dark else "#ffffff"
            attributes["reverse"] = not palette.colour
        else:
            ink = self.lighter(ink)
            # Without colours weight shows the holder: bold is held or independent, the rest is plain.
            attributes["bold"] = palette.colour or mark.owned or mark.ink == "independent"
            attributes["italic"] = mark.unestablished
        self._attributes = {**attributes, "bold": False}
        self.paper, self.own_paper, self.own_ink = "" if echo else own or paper, own, ink
        if not palette.painted and not own:
            own = self.own_paper = "" if echo and not mark.solid else paper
        self.label = styles.on(own, ink, **attributes)

    def faded(self, ink: str) -> str:
        """Return a dimmed ink."""
        return blend(ink, self.palette.land, 0.5)

    def lighter(self, ink: str) -> str:
        """Return an ink that contrasts with land of its own colour."""
        return blend(self.palette.path, ink, LIGHTER_SHARE) if self.palette.painted else ink

    def style(self, key: str, paper: str | None = None, bold: bool = False) -> Style:
        """Return the style of a piece of text after the label."""
        if paper is None:
            paper = self.own_paper
            if self.look.cursor and not self.echo:
                return self.styles.on(paper, self.own_ink, **self._attributes)
        ink = self.palette.ink(key)
        if self.look.dim:
            ink = self.faded(ink)
        elif key in LETTERS and self.look.mark.owned:
            ink = self.lighter(ink)
        return self.styles.on(paper, ink, **{**self._attributes, "reverse": False, "underline": False, "bold": bold})

    def after(self, paper: str | None = None, room: int = 8) -> list[tuple[str, Style]]:
        """Return signs and flags, or the cost of a move there."""
        mark, text = self.look.mark, self.palette.text
        cost = text(self.look.cost)
        if cost and (self.look.heat is not None or room < SIGN_CELLS):
            cost = f" {cost}" if room >= SIGN_CELLS else cost[-room:]
            return [(cost, self.style(self.palette.lit, paper, bold=True))]
        found = [(text(word), self.style(key, paper)) for word, key in self._sign(room)]
        if cost:
            return [*found, (cost, self.style(self.palette.lit, paper, bold=True))]
        for flag, up, key in (
            (UNESTABLISHED, mark.unestablished, mark.holders[-1] if mark.holders else mark.ink),
            (UNREST, mark.unrest, "alarm"),
            (CASUS_BELLI, mark.casus_belli, "war"),
        ):
            if up:
                found.append((text(flag), self.style(key, paper, bold=True)))
        return found

    def forces(self) -> list[tuple[str, Style]]:
        """Return canal, armies and large fleets at world zoom, where no second line shows them."""
        mark, text = self.look.mark, self.palette.text
        signs = ((CANAL, mark.canal), (FORCE, mark.force and not self.look.cost))
        return [(text(sign), self.style("second")) for sign, up in signs if up]

    def _sign(self, room: int) -> TextSegments:
        """Return the marker and its owner; of several, their letters if the palette has no colours."""
        mark = self.look.mark
        if self.palette.colour or len(mark.sign) < 2 or len(mark.holders) < 2:
            return mark.sign
        flags = mark.unestablished + mark.unrest + mark.casus_belli
        letters = "".join(map(letters_of, mark.holders))
        sign, key = mark.sign[0]
        if 1 + len(letters) > room - flags:
            letters = f"{letters[:2]}+{len(mark.holders) - 1}" if room - flags >= 5 else letters[:2]
        return ((sign, key), (letters, key))


def _fit_pieces(pieces: list[tuple[str, Style]], width: int) -> Pieces:
    """Return as many whole pieces as fit."""
    kept, left = [], width
    for text, style in pieces:
        if len(text) > left:
            break
        kept.append((text, style))
        left -= len(text)
    return tuple(kept)


def _named(spot: LabelSpot, look: PlaceLook, brush: LabelStyles) -> list[StyledRun]:
    row = spot.rows[0]
    pieces = [(spot.words[0], brush.label)]
    runs = [StyledRun(row.y, row.x, tuple(pieces), framed=look.cursor and not spot.echo, paper=brush.paper)]
    if spot.echo or not spot.below:
        return runs
    pieces = brush.after("", room=spot.below[0].width)
    for text, key in look.mark.second:
        pieces.append(((" " if pieces else "") + brush.palette.text(text), brush.style(key, "")))
    if pieces:
        runs.append(_centred(pieces, spot.below[0], row.x + row.width // 2))
    return runs


def _centred(pieces: list[tuple[str, Style]], room: CellSpan, middle: int) -> StyledRun:
    """Centre a run, or shift it if a neighbour is in the way."""
    kept = _fit_pieces(pieces, room.width)
    width = sum(len(text) for text, _ in kept)
    x = max(room.x, min(room.end - width, middle - width // 2))
    return StyledRun(room.y, x, kept)


def _sea(spot: LabelSpot, look: PlaceLook, brush: LabelStyles) -> list[StyledRun]:
    palette, styles = brush.palette, brush.styles
    cursor = look.cursor and not spot.echo
    if cursor:
        style = brush.label
    elif look.lit:
        style = styles.on("", palette.lit, bold=True, italic=True, underline=not palette.colour)
    else:
        faint = look.dim or spot.echo
        style = styles.on("", palette.sea_name_dim if faint else palette.sea_name, italic=True, dim=not palette.colour)
    runs = [
        StyledRun(row.y, row.x, ((word, style),), framed=cursor)
        for row, word in zip(spot.rows, spot.words, strict=True)
    ]
    if spot.echo or not spot.below:
        return runs
    if look.cost:
        pieces = [(palette.text(look.cost), styles.on("", palette.lit, bold=True))]
    else:
        pieces = [(_sea_piece(text, key, palette), brush.style(key, "", bold=True)) for text, key in look.fleets]
    return runs + _filled(pieces, spot.below, spot.rows[-1].x + spot.rows[-1].width // 2, brush.style("second", ""))


def _sea_piece(text: str, key: str, palette: Palette) -> str:
    """Return a piece below the name of a sea, with the letters of its owner if the palette has no colours."""
    if text == "M" and not palette.colour:
        return LETTERS.get(key, text) + " "
    return palette.text(text)


def _filled(pieces: list[tuple[str, Style]], rooms: tuple[CellSpan, ...], middle: int, style: Style) -> list[StyledRun]:
    """Fill the rows with pieces, and append the number of omitted ones."""
    runs: list[StyledRun] = []
    left = list(pieces)
    for room in rooms:
        kept = list(_fit_pieces(left, room.width))
        left = left[len(kept) :]
        if left and room is rooms[-1]:
            while kept and sum(len(text) for text, _ in kept) + 1 + len(str(len(left))) > room.width:
                left.insert(0, kept.pop())
            kept.append((f"+{len(left)}", style))
        if kept:
            runs.append(_centred(kept, room, middle))
    return runs


MAX_COMPOSED_ROWS = 400
"""Maximum number of cached rows."""
MAX_KNOWN_LOOKS = 4000
"""Maximum number of cached looks of a place. Then the numbering starts again."""

LOOK_FIELDS = ("marks", "lit", "costs", "path", "sea_merchants", "heat", "filter")
"""All fields of a scene that affect the looks of places, except the cursor."""

LINE_STEPS = {"enemy_lines": SPARSE, "own_lines": SOLID, "routes_lit": DENSE, "path": SOLID, "arrows": SOLID}
"""Fields of a scene that are drawn as lines, each with the distance of its dots."""

RowRanges = list[tuple[int, int]]


class Canvas:
    """One layout in one palette, with the scene that it shows."""

    def __init__(self, layout: Layout, palette: Palette = DEFAULT) -> None:
        self.layout = layout
        self.palette = palette
        self.scene = Scene()
        self.composed = 0
        """How many rows have been composed so far; for tests."""
        self._styles = PaletteStyles(palette)
        self._ground: Ground = (PaintedGround if palette.painted else DottedGround)(layout, self._styles)
        self._strips: list[Strip | None] = [None] * layout.height
        self._stretches: list[RowRanges] = [[] for _ in range(layout.height)]
        """By row the columns of its labels: the first, and the one after the last."""
        self._kept: dict[tuple[int, ...], tuple[GroundRow, Strip, RowRanges]] = {}
        self._base = base_marks(load_atlas())
        self._on_row: list[list[LabelSpot]] = [[] for _ in range(layout.height)]
        for spot in layout:
            for y in _rows_of(spot):
                self._on_row[y].append(spot)
        self._looks = {spot.id: self._look(spot.id, self.scene) for spot in layout}
        self._numbers: dict[PlaceLook, int] = {}
        self._count = count()
        self._numbered = {place: self._number(look) for place, look in self._looks.items()}
        self._ground.paint({place: territory_fill(look, palette) for place, look in self._looks.items()})
        self._runs: dict[tuple[str, bool], list[StyledRun]] = {}
        self._lines: dict[str, Dots] = {name: {} for name in LINE_STEPS}
        self._heads: ArrowHeads = {}

    @property
    def width(self) -> int:
        return self.layout.width

    @property
    def height(self) -> int:
        return self.layout.height

    def show(self, scene: Scene) -> set[int]:
        """Set the scene and return the rows that change."""
        before, self.scene = self.scene, scene
        changed: set[int] = set()
        washes = {}
        for place in self._touched(before, scene):
            look = self._look(place, scene)
            if look != self._looks[place]:
                self._looks[place] = look
                self._numbered[place] = self._number(look)
                washes[place] = territory_fill(look, self.palette)
                for drawn in self.layout.drawn(place):
                    self._runs.pop((drawn.id, drawn.echo), None)
                    changed.update(_rows_of(drawn))
        changed |= self._ground.paint(washes)
        for name, step in LINE_STEPS.items():
            lines = getattr(scene, name)
            if lines != getattr(before, name):
                pairs = pairwise(lines) if name == "path" else lines
                changed |= self._lines[name].keys()
                self._lines[name] = route_dots(self.layout, pairs, step, thick=name == "arrows")
                changed |= self._lines[name].keys()
        if scene.arrows != before.arrows:
            changed |= self._heads.keys()
            self._heads = arrow_heads(self.layout, scene.arrows, "><^v" if self.palette.ascii else "▶◀▲▼")
            changed |= self._heads.keys()
        for y in changed:
            self._strips[y] = None
        return changed

    def strip(self, y: int) -> Strip:
        """Return row `y`."""
        strip = self._strips[y]
        if strip is None:
            strip = self._strips[y] = self._kept_or_composed(y)
        return strip

    def window(self, y: int, left: int, right: int, seen: Callable[[Strip], Strip] = lambda strip: strip) -> Strip:
        """Return row `y` between two columns, without labels that the edges would cut.

        `seen` transforms the row before the cut; the result is cached with the row.
        """
        strip = seen(self.strip(y))
        hidden = [
            (max(start, left), min(end, right))
            for start, end in self._stretches[y]
            if start < left < end or start < right < end
        ]
        if not hidden:
            return strip.crop(left, right)
        ground = self._ground.row(y)
        parts, at = [], left
        for start, end in sorted(hidden):
            if start < at:
                continue
            parts.append(strip.crop(at, start))
            parts.append(seen(_strip(ground.signs[start:end], ground.styles[start:end], end - start)))
            at = end
        parts.append(strip.crop(at, right))
        return Strip.join(parts)

    def forget(self) -> None:
        """Drop all cached rows and labels, but not the ground."""
        self._strips = [None] * self.height
        self._kept.clear()
        self._runs.clear()

    def warm(self) -> None:
        """Compose all missing rows."""
        for y in range(self.height):
            self.strip(y)

    def _touched(self, before: Scene, scene: Scene) -> Iterable[str]:
        """Return the places that may change: old and new cursor, if only the cursor moved."""
        spots = self.layout.spots
        if all(getattr(scene, name) is getattr(before, name) for name in LOOK_FIELDS):
            return [place for place in (before.cursor, scene.cursor) if place in spots]
        return spots

    def _number(self, look: PlaceLook) -> int:
        """Return the number of a look. Numbers are never reused."""
        number = self._numbers.get(look)
        if number is None:
            if len(self._numbers) >= MAX_KNOWN_LOOKS:
                self._numbers.clear()
            number = self._numbers[look] = next(self._count)
        return number

    def _kept_or_composed(self, y: int) -> Strip:
        """Return a cached row with the same looks, unless lines cross it; else compose it."""
        if any(y in dots for dots in self._lines.values()):
            return self._compose(y)
        ground = self._ground.row(y)
        numbered = self._numbered
        looks = (y, id(ground), *(numbered[spot.id] for spot in self._on_row[y]))
        kept = self._kept.pop(looks, None)
        if kept is None:
            strip = self._compose(y)
            while len(self._kept) > MAX_COMPOSED_ROWS:
                del self._kept[next(iter(self._kept))]
            kept = ground, strip, self._stretches[y]
        self._kept[looks] = kept
        _, strip, self._stretches[y] = kept
        return strip

    def _look(self, place: str, scene: Scene) -> PlaceLook:
        mark: PlaceMark = scene.marks.get(place) or self._base[place]
        lit = place in scene.lit
        heat = None if scene.heat is None else scene.heat.get(place)
        aside = (scene.filter is not None and place not in scene.filter) or (bool(scene.lit) and not lit)
        return PlaceLook(
            mark,
            cursor=place == scene.cursor,
            lit=lit,
            cost=scene.costs.get(place, "") if lit else "",
            dim=(mark.dim or aside) and place != scene.cursor and place not in scene.path,
            heat=heat,
            fleets=scene.sea_merchants.get(place, ()),
        )

    def _compose(self, y: int) -> Strip:
        self.composed += 1
        ground = self._ground.row(y)
        signs, styles, papers, water = list(ground.signs), ground.styles.copy(), ground.papers, ground.water
        made = self._styles
        for name, ink, sign in (
            ("enemy_lines", self.palette.ink("alarm"), "-"),
            ("own_lines", self.palette.route_lit, "="),
            ("routes_lit", self.palette.route_lit, ":"),
            ("path", self.palette.path, "+"),
            ("arrows", self.palette.lit, "*"),
        ):
            for x, bits in self._lines[name].get(y, {}).items():
                signs[x] = sign if self.palette.ascii else chr(BRAILLE + bits)
                styles[x] = made.dots(papers[x], ink, bold=True, underline=sign == "+" and not self.palette.colour)
        for x, sign in self._heads.get(y, {}).items():
            signs[x], styles[x] = sign, made.dots(papers[x], self.palette.lit, bold=True)
        taken: set[int] = set()
        stretches = self._stretches[y] = []
        frames: list[StyledRun] = []
        for spot in self._on_row[y]:
            for run in self._drawn(spot):
                if run.y != y:
                    continue
                x = run.x
                for word, style in run.pieces:
                    signs[x : x + len(word)] = word
                    if style.bgcolor:
                        styles[x : x + len(word)] = [style] * len(word)
                    else:
                        for at in range(x, x + len(word)):
                            styles[at] = made.over(style, run.paper if run.paper and water[at] else papers[at])
                    x += len(word)
                taken.update(range(run.x, x))
                stretches.append((run.x, x))
                if run.framed:
                    frames.append(run)
                # Bare ground on both sides separates dots from letters.
                for at in (run.x - 1, x):
                    if at in ground.plain and at not in taken and styles[at] is ground.styles[at]:
                        signs[at], styles[at] = " ", ground.plain[at]
                    elif self._clears(spot, at, water) and at not in taken and signs[at] in QUARTERS:
                        signs[at], styles[at] = " ", made.on(papers[at])
        for run in frames:
            left, right = run.x - 1, run.x + run.width
            for at, sign in ((left, "▐"), (right, "▌")):
                if 0 <= at < self.width and at not in taken:
                    signs[at] = self.palette.text(sign)
                    styles[at] = made.dots(papers[at], self.palette.accent, bold=True)
        return _strip("".join(signs), styles, self.width)

    def _clears(self, spot: LabelSpot, at: int, water: bytes) -> bool:
        """Return whether the coast is cleared from a cell beside a label."""
        return 0 <= at < self.width and (bool(water[at]) or spot.place.kind == SEA)

    def _drawn(self, spot: LabelSpot) -> list[StyledRun]:
        key = (spot.id, spot.echo)
        runs = self._runs.get(key)
        if runs is None:
            runs = self._runs[key] = draw_label(spot, self._looks[spot.id], self.layout, self.palette, self._styles)
        return runs


def _rows_of(spot: LabelSpot) -> set[int]:
    rows = {row.y for row in spot.rows}
    return rows if spot.echo else rows | {row.y for row in spot.below}


def _strip(text: str, styles: list[Style], width: int) -> Strip:
    """Join equal neighbours to segments."""
    segments: list[Segment] = []
    start, style = 0, styles[0]
    for at, other in enumerate(styles):
        if other is not style:
            segments.append(Segment(text[start:at], style))
            start, style = at, other
    segments.append(Segment(text[start:], style))
    return Strip(segments, width)
