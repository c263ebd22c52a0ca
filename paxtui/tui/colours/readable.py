"""What keeps every text on the screen readable: its colour goes towards white or black until the contrast is enough.

The palettes are made so that it seldom has to; but a Power's colour on a selected line, or a dim remark, is worked out
here rather than thought of everywhere.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from paxtui.tui.colours.contrast import READABLE, contrast, legible
from paxtui.tui.colours.depth import TABLES, Depth, nearest

NO_TEXT = re.compile(r"[\s\u2500-\u259f\u2800-\u28ff]*")
"""Blanks, lines, blocks and dots: what is drawn may be as faint as it likes."""


class Readable(LineFilter):
    """Gives every text a contrast of 4.5 to 1 at least, in colours that the terminal has."""

    def __init__(self, depth: Depth) -> None:
        super().__init__()
        self._depth = depth

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same pieces of text, each in colours in which it can be read."""
        under = background.rgb
        found = []
        for segment in segments:
            text, style, control = segment
            if style is None or control or NO_TEXT.fullmatch(text):
                found.append(segment)
            else:
                found.append(Segment(text, readable(style, under, self._depth)))
        return found


@lru_cache(8192)
def readable(style: Style, under: tuple[int, int, int], depth: Depth) -> Style:
    """A style in which text can be read; turned round it can be read as well.

    Args: the style; red, green and blue of what lies below where it has no paper; the colours that there are.
    """
    if style.color is None or style.color.is_default:
        return style
    has_paper = style.bgcolor is not None and not style.bgcolor.is_default
    paper = style.bgcolor.get_truecolor().hex if has_paper and style.bgcolor else "#{:02x}{:02x}{:02x}".format(*under)
    paper, ink = nearest(paper, depth), nearest(style.color.get_truecolor().hex, depth)
    if contrast(ink, paper) < READABLE:
        ink = legible(ink, paper, TABLES.get(depth))
    return style + Style(color=ink, bgcolor=paper if has_paper else None)
