"""The styles of a palette, made once: the ground by how much of a cell is land, labels by how they look.

Styles are shared objects, so that rows can be cut into segments by identity alone.
"""

from __future__ import annotations

from rich.style import Style

from paxtui.tui.map.palette import Palette, blend

SOFTENED = (0.0, 0.0, 0.12, 0.32, 0.55, 0.8, 1.0, 1.0, 1.0)
"""How much of the land's colour a cell has that is covered by 0 to 8 dots of land."""


class Styles:
    """All styles one palette needs."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self._made: dict[tuple[object, ...], Style] = {}
        self._over: dict[tuple[Style, int], Style] = {}
        self.papers = [blend(palette.land, palette.sea, share) for share in SOFTENED]
        self.ground = [self.on(paper) for paper in self.papers]
        self.shore = [self.on(paper, palette.coast, dim=not palette.colour) for paper in self.papers]
        self.route = [self.on(paper, palette.route, dim=not palette.colour) for paper in self.papers]
        self.route_lit = [self.on(paper, palette.route_lit, bold=True) for paper in self.papers]
        self.path = [self.on(paper, palette.path, bold=True, underline=not palette.colour) for paper in self.papers]
        self.frame = [self.on(paper, palette.accent, bold=True) for paper in self.papers]
        self.bare = frozenset((*self.shore, *self.route))

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
        """Ink on paper; without colours in a palette that has none. `paper` "" leaves the ground as it is."""
        key = (ink, paper, bold, dim, italic, underline, reverse)
        style = self._made.get(key)
        if style is None:
            colour = self.palette.colour
            # The key keeps styles apart that have no colour to tell them by, as long as they are composed.
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

    def over(self, style: Style, cover: int) -> Style:
        """A style without a paper on the ground of a cell."""
        if not self.palette.colour:
            return style
        key = (style, cover)
        made = self._over.get(key)
        if made is None:
            made = self._over[key] = style + Style(bgcolor=self.papers[cover])
        return made
