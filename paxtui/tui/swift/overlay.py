"""Screens that lie over another one, which shows through them, dimmed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from rich.segment import Segment
from rich.style import Style
from textual._context import visible_screen_stack
from textual.color import Color
from textual.screen import ModalScreen, ScreenResultType
from textual.strip import Strip

from paxtui.tui.swift.frame import ClosesEarly


class Overlay(ClosesEarly, ModalScreen[ScreenResultType]):
    """A modal screen that dims the screen below in a tenth of the time that Textual takes.

    Textual sends every piece of the screen below through a general renderer and mixes its colours anew; here each row
    is taken as it was composed, and each style is dimmed once. What the screen below shows still when the overlay is
    drawn again is not dimmed again.
    """

    _dimmed: Mapping[int, tuple[Strip, Strip]] = MappingProxyType({})
    """What was dimmed the last time: pieces of rows by which object they are, which is kept with them."""
    _dims: Dims | None = None
    """What has dimmed them."""

    def _render_content(self) -> None:
        """All rows of the background."""
        below = visible_screen_stack.get([])
        background = self.styles.background
        if not below or below[-1] is self or below[-1].size != self.size or not 0 < background.a < 1:
            super()._render_content()
            return
        dimmed = _dimmer(background, self.visual_style.rich_style)
        known, now = self._dimmed if self._dims is dimmed else {}, {}
        rows = []
        frame = below.pop()._compositor
        # of its own size: the screen below may have been told of another one, and not be laid out for it yet
        for row in frame._render_chops(frame.size.region, lambda y: True):
            pieces = []
            for piece in row.values():
                before, after = known.get(id(piece)) or (piece, _through(piece, dimmed))
                now[id(piece)] = before, after
                pieces.append(after)
            rows.append(Strip.join(pieces))
        self._dimmed, self._dims = now, dimmed
        self._render_cache = self._render_cache._replace(size=self.size, lines=rows)
        self._dirty_regions.clear()


Dims = Callable[[Style | None], Style]


def _through(strip: Strip, dimmed: Dims) -> Strip:
    """A piece of a row as it is seen through the overlay."""
    return Strip([Segment(text, dimmed(style)) for text, style, control in strip if not control], strip.cell_length)


@lru_cache(8)
def _dimmer(background: Color, base: Style) -> Dims:
    """What makes of a style the one that it has below a background, without what a click on it does."""
    mix = Color.from_rich_color

    @lru_cache(4096)
    def dimmed(style: Style | None) -> Style:
        plain = Style() if style is None else style.clear_meta_and_links()
        ink, paper = plain.color, plain.bgcolor
        return base + plain + Style.from_color(
            None if ink is None else (mix(ink) + background).rich_color,
            None if paper is None else (mix(paper) + background).rich_color,
        )

    return dimmed
