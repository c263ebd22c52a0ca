"""What the terminal shows already, and the fewest bytes that make it show the next frame.

Textual writes every widget that might have changed, with all colours written out for each piece of text. On a map of
many colours that is a hundred thousand bytes for a menu that opens. A `Sheet` remembers the cells it has written, row
by row, leaves out pieces of a frame that are there already, and between two pieces writes only what differs in their
colours. A piece is a run of text in one style as its widget made it: it is written whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rich.console import Console
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.strip import Strip

from paxtui.tui.colours.depth import Depth
from paxtui.tui.swift.pen import Codes, Pen, plain

Placed = tuple[int, Strip]
"""A strip with the column it begins at."""
UNKNOWN = "\0"
"""Text of a cell of which nothing is known."""


class Change(CompositorUpdate):
    """The bytes of a frame, made already."""

    def __init__(self, text: str) -> None:
        self.text = text

    def render_segments(self, console: Console) -> str:
        """The bytes."""
        return self.text

    def __rich__(self) -> str:
        """The same for Rich, which prints whatever says this of itself."""
        return self.text


class Sheet:
    """The cells of a terminal as they have been written. Forgets everything with `clear`."""

    def __init__(self) -> None:
        self._text: dict[int, str] = {}
        self._styles: dict[int, list[str]] = {}
        self._strips: dict[int, dict[int, Strip]] = {}
        self._codes: Codes = {}

    def clear(self) -> None:
        """The terminal may show anything now: the next frame is written whole."""
        self._text.clear()
        self._styles.clear()
        self._strips.clear()

    def change(
        self, update: ChopsUpdate | LayoutUpdate, console: Console, depth: Depth | None = None
    ) -> Change | None:
        """What is left to be written of an update; None where the terminal shows all of it already.

        Args: the update; the console; how many colours are to be written, if not as many as the console says.
        """
        pen = Pen(console, depth, self._codes)
        for y, placed in rows(update):
            known = self._strips.setdefault(y, {})
            for x, strip in placed:
                if known.get(x) is not strip:
                    self._strip(pen, y, x, strip)
                    end = x + strip.cell_length
                    for other in [o for o, s in known.items() if o < end and o + s.cell_length > x]:
                        del known[other]
                    known[x] = strip
        text = pen.text()
        return Change(text) if text else None

    def _strip(self, pen: Pen, y: int, x: int, strip: Strip) -> None:
        """Write what differs of a strip, and remember it."""
        begin, end = x, x + strip.cell_length
        text, styles = self._text.get(y, ""), self._styles.setdefault(y, [])
        if len(text) < end:
            styles += [UNKNOWN] * (end - len(text))
            text = text.ljust(end, UNKNOWN)
        whole = strip.text
        if len(whole) != end - x or not plain(whole) or any(style and style.link for _, style, _ in strip):
            # what takes two cells, or none, or bears a link, is written by Textual and not looked into
            pen.raw(y, x, strip)
            whole = UNKNOWN * (end - x)
            styles[x:end] = [UNKNOWN] * (end - x)
        else:
            for piece, style, _ in strip:
                look = pen.ansi(style)
                after = x + len(piece)
                if text[x:after] != piece or styles[x:after].count(look) != after - x:
                    pen.piece(y, x, piece, look)
                    styles[x:after] = [look] * (after - x)
                x = after
        self._text[y] = text[:begin] + whole + text[end:]


def rows(update: ChopsUpdate | LayoutUpdate) -> Iterator[tuple[int, Iterable[Placed]]]:
    """The strips of an update, row by row."""
    if isinstance(update, LayoutUpdate):
        for y, line in enumerate(update.strips, update.region.y):
            yield y, _in_line(update.region.x, line)
    else:
        for y, first, last in update.spans:
            yield y, _in_span(update.chops[y], update.chop_ends[y], first, last)


def _in_line(x: int, line: Iterable[Strip]) -> Iterator[Placed]:
    """Strips that stand side by side."""
    for strip in line:
        yield x, strip
        x += strip.cell_length


def _in_span(line: Mapping[int, Strip | None], ends: list[int], first: int, last: int) -> Iterator[Placed]:
    """The strips that lie in a span of a row, the last one cut off at its end."""
    for end, (x, strip) in zip(ends, line.items(), strict=False):
        if strip is not None and x < last and end > first:
            yield x, strip if end <= last else strip.crop(0, last - x)
