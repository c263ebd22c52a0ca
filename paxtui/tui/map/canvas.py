"""Rows of cells, each composed once into a Strip and kept until something on it changes.

`show` takes a scene, finds the places that look different, and forgets the strips of the rows they lie on;
`strip` composes what is missing. Moving the cursor so touches two labels and their rows, nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count, pairwise

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from paxtui.tui.colours.palette import DEFAULT, Palette
from paxtui.tui.land.coast import BRAILLE
from paxtui.tui.land.places import SEA, the_atlas
from paxtui.tui.map.dotted import DottedGround
from paxtui.tui.map.ground import Ground, GroundRow
from paxtui.tui.map.labels import Run, draw
from paxtui.tui.map.layout import Layout, Spot
from paxtui.tui.map.look import Look
from paxtui.tui.map.painted import PaintedGround
from paxtui.tui.map.routes import DENSE, SOLID, SPARSE, Dots, lines
from paxtui.tui.map.scene import PlaceMark, Scene, base_marks
from paxtui.tui.map.styles import QUARTERS, Styles
from paxtui.tui.map.wash import wash

KEPT = 400
"""Rows kept as they were composed, so that going back to a place, or to a question, costs nothing."""
KNOWN = 4000
"""Looks of places that are told apart by a number; those of more are numbered anew."""

LOOKED_AT = ("marks", "lit", "costs", "path", "sea_merchants", "heat", "filter")
"""All of a scene that decides how places look, but for the cursor."""

Stretches = list[tuple[int, int]]


class Canvas:
    """One layout in one palette, with the scene shown on it."""

    def __init__(self, layout: Layout, palette: Palette = DEFAULT) -> None:
        self.layout = layout
        self.palette = palette
        self.scene = Scene()
        self.composed = 0
        """How many rows have been composed so far; for tests."""
        self._styles = Styles(palette)
        self._ground: Ground = (PaintedGround if palette.painted else DottedGround)(layout, self._styles)
        self._strips: list[Strip | None] = [None] * layout.height
        self._stretches: list[Stretches] = [[] for _ in range(layout.height)]
        """By row the columns of its labels: the first, and the one after the last."""
        self._kept: dict[tuple[int, ...], tuple[GroundRow, Strip, Stretches]] = {}
        self._base = base_marks(the_atlas())
        self._on_row: list[list[Spot]] = [[] for _ in range(layout.height)]
        for spot in layout:
            for y in _rows_of(spot):
                self._on_row[y].append(spot)
        self._looks = {spot.id: self._look(spot.id, self.scene) for spot in layout}
        self._numbers: dict[Look, int] = {}
        self._count = count()
        self._numbered = {place: self._number(look) for place, look in self._looks.items()}
        self._ground.paint({place: wash(look, palette) for place, look in self._looks.items()})
        self._runs: dict[tuple[str, bool], list[Run]] = {}
        self._bright: Dots = {}
        self._path: Dots = {}
        self._own: Dots = {}
        self._enemy: Dots = {}

    @property
    def width(self) -> int:
        return self.layout.width

    @property
    def height(self) -> int:
        return self.layout.height

    def show(self, scene: Scene) -> set[int]:
        """Make `scene` the one that is drawn; the rows that look different now."""
        before, self.scene = self.scene, scene
        changed: set[int] = set()
        washes = {}
        for place in self._touched(before, scene):
            look = self._look(place, scene)
            if look != self._looks[place]:
                self._looks[place] = look
                self._numbered[place] = self._number(look)
                washes[place] = wash(look, self.palette)
                for drawn in self.layout.drawn(place):
                    self._runs.pop((drawn.id, drawn.echo), None)
                    changed.update(_rows_of(drawn))
        changed |= self._ground.paint(washes)
        if scene.routes_lit != before.routes_lit:
            changed |= self._bright.keys()
            self._bright = lines(self.layout, sorted(scene.routes_lit), DENSE)
            changed |= self._bright.keys()
        if scene.own_lines != before.own_lines:
            changed |= self._own.keys()
            self._own = lines(self.layout, sorted(scene.own_lines), SOLID)
            changed |= self._own.keys()
        if scene.enemy_lines != before.enemy_lines:
            changed |= self._enemy.keys()
            self._enemy = lines(self.layout, sorted(scene.enemy_lines), SPARSE)
            changed |= self._enemy.keys()
        if scene.path != before.path:
            changed |= self._path.keys()
            self._path = lines(self.layout, pairwise(scene.path), SOLID)
            changed |= self._path.keys()
        for y in changed:
            self._strips[y] = None
        return changed

    def strip(self, y: int) -> Strip:
        """Row `y` as it looks now."""
        strip = self._strips[y]
        if strip is None:
            strip = self._strips[y] = self._kept_or_composed(y)
        return strip

    def window(self, y: int, left: int, right: int, seen: Callable[[Strip], Strip] = lambda strip: strip) -> Strip:
        """Row `y` from one column to before another, without the labels that would be cut in two at its ends.

        `seen` is done to the row before it is cut: a row remembers what has been done to it.
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
        """Forget what has been composed, labels too; the ground stays."""
        self._strips = [None] * self.height
        self._kept.clear()
        self._runs.clear()

    def warm(self) -> None:
        """Compose every row that is missing."""
        for y in range(self.height):
            self.strip(y)

    def _touched(self, before: Scene, scene: Scene) -> Iterable[str]:
        """The places that can look different: the cursor's old and new one, if the cursor alone has moved."""
        spots = self.layout.spots
        if all(getattr(scene, name) is getattr(before, name) for name in LOOKED_AT):
            return [place for place in (before.cursor, scene.cursor) if place in spots]
        return spots

    def _number(self, look: Look) -> int:
        """The number by which a look is known; none is ever given twice."""
        number = self._numbers.get(look)
        if number is None:
            if len(self._numbers) >= KNOWN:
                self._numbers.clear()
            number = self._numbers[look] = next(self._count)
        return number

    def _kept_or_composed(self, y: int) -> Strip:
        """A row as it was when it looked the same before, unless lines go through it; else composed anew."""
        if any(y in dots for dots in (self._enemy, self._own, self._bright, self._path)):
            return self._compose(y)
        ground = self._ground.row(y)
        numbered = self._numbered
        looks = (y, id(ground), *(numbered[spot.id] for spot in self._on_row[y]))
        kept = self._kept.pop(looks, None)
        if kept is None:
            strip = self._compose(y)
            while len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]
            kept = ground, strip, self._stretches[y]
        self._kept[looks] = kept
        _, strip, self._stretches[y] = kept
        return strip

    def _look(self, place: str, scene: Scene) -> Look:
        mark: PlaceMark = scene.marks.get(place) or self._base[place]
        lit = place in scene.lit
        heat = None if scene.heat is None else scene.heat.get(place)
        aside = (scene.filter is not None and place not in scene.filter) or (bool(scene.lit) and not lit)
        return Look(
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
        for dots, ink, sign in (
            (self._enemy.get(y), self.palette.ink("alarm"), "-"),
            (self._own.get(y), self.palette.route_lit, "="),
            (self._bright.get(y), self.palette.route_lit, ":"),
            (self._path.get(y), self.palette.path, "+"),
        ):
            for x, bits in (dots or {}).items():
                signs[x] = sign if self.palette.ascii else chr(BRAILLE + bits)
                styles[x] = made.dots(papers[x], ink, bold=True, underline=sign == "+" and not self.palette.colour)
        taken: set[int] = set()
        stretches = self._stretches[y] = []
        frames: list[Run] = []
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
                # A breath of bare ground on either side keeps dots from growing out of the letters.
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

    def _clears(self, spot: Spot, at: int, water: bytes) -> bool:
        """Whether a cell beside a label is cleared of the coast that runs through it."""
        return 0 <= at < self.width and (bool(water[at]) or spot.place.kind == SEA)

    def _drawn(self, spot: Spot) -> list[Run]:
        key = (spot.id, spot.echo)
        runs = self._runs.get(key)
        if runs is None:
            runs = self._runs[key] = draw(spot, self._looks[spot.id], self.layout, self.palette, self._styles)
        return runs


def _rows_of(spot: Spot) -> set[int]:
    rows = {row.y for row in spot.rows}
    return rows if spot.echo else rows | {row.y for row in spot.below}


def _strip(text: str, styles: list[Style], width: int) -> Strip:
    """Equal neighbours joined to segments."""
    segments: list[Segment] = []
    start, style = 0, styles[0]
    for at, other in enumerate(styles):
        if other is not style:
            segments.append(Segment(text[start:at], style))
            start, style = at, other
    segments.append(Segment(text[start:], style))
    return Strip(segments, width)
