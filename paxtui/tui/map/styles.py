"""Styles of a palette, made once and shared: the ground by its colours, labels by their look.

Styles are shared objects, so that rows can be cut into segments by identity.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from rich.style import Style

from paxtui.tui.colors import Palette, blend
from paxtui.tui.map.scene import SHORE_SHARES

QuarterColours = tuple[str, str, str, str]
"""The colours of a cell's quarters: upper left, upper right, lower left, lower right."""


class PaletteStyles:
    """All styles of a palette."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self._made: dict[tuple[object, ...], Style] = {}
        self._over: dict[tuple[Style, str], Style] = {}
        self._in_two: dict[QuarterColours, QuarterColours] = {}

    def on(
        self,
        paper: str,
        ink: str | None = None,
        *,
        bold: bool = False,
        dim: bool = False,
        italic: bool = False,
        underline: bool = False,
        reverse: bool = False,
    ) -> Style:
        """Return the style of ink on paper, without colours if the palette has none. `paper` "" keeps the ground."""
        key = (ink, paper, bold, dim, italic, underline, reverse)
        style = self._made.get(key)
        if style is None:
            colour = self.palette.colour
            if ink and paper and colour:
                ink = self.palette.legible(ink, paper)
            # In a palette without colours the key still separates equal styles during composition.
            style = self._made[key] = Style(
                color=ink if colour else None,
                bgcolor=paper or None if colour else None,
                bold=bold or None,
                dim=dim or None,
                italic=italic or None,
                underline=underline or None,
                reverse=reverse or None,
            )
        return style

    def over(self, style: Style, paper: str) -> Style:
        """Return the style of text on the ground of a cell, in the nearest readable colour."""
        if not self.palette.colour:
            return style
        key = (style, paper)
        made = self._over.get(key)
        if made is None:
            ink = style.color.get_truecolor().hex if style.color else self.palette.path
            made = self._over[key] = style + Style(color=self.palette.legible(ink, paper), bgcolor=paper)
        return made

    def dots(self, paper: str, ink: str, *, bold: bool = False, dim: bool = False, underline: bool = False) -> Style:
        """Return the style of dots. They are no text, so contrast is not enforced."""
        key = ("dots", paper, ink, bold, dim, underline)
        style = self._made.get(key)
        if style is None:
            colours = Style(color=ink, bgcolor=paper) if self.palette.colour else Style()
            more = Style(bold=bold or None, dim=dim or None, underline=underline or None)
            style = self._made[key] = colours + more
        return style

    def in_two(self, four: QuarterColours) -> QuarterColours:
        """Return the colours of a cell's quarters, reduced to the two nearest ones if there are more."""
        found = self._in_two.get(four)
        if found is None:
            found = self._in_two[four] = _in_two(four)
        return found

    def softened(self) -> list[str]:
        """Backgrounds of the dotted ground, by the number of land dots in a cell."""
        return [blend(self.palette.land, self.palette.sea, share) for share in SHORE_SHARES]


def _in_two(four: QuarterColours) -> QuarterColours:
    colours = tuple(dict.fromkeys(four))
    if len(colours) < 3:
        return four
    one, other = min(combinations(colours, 2), key=lambda pair: _error(four, pair))
    first, second, third, fourth = (one if _gap(each, one) < _gap(each, other) else other for each in four)
    return first, second, third, fourth


@lru_cache(16384)
def _gap(one: str, other: str) -> int:
    first, second = int(one[1:], 16), int(other[1:], 16)
    red, green = (first >> 16) - (second >> 16), (first >> 8 & 255) - (second >> 8 & 255)
    blue = (first & 255) - (second & 255)
    return red * red + green * green + blue * blue


def _error(four: QuarterColours, pair: tuple[str, ...]) -> int:
    return sum(min(_gap(colour, one) for one in pair) for colour in four)
