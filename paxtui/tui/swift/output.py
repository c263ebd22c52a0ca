"""What the terminal shows already, and the fewest bytes that make it show the next frame.

Textual writes every widget that might have changed, with all colours written out for each piece of text. On a map of
many colours that is a hundred thousand bytes for a menu that opens. A `Sheet` remembers the cells it has written, row
by row, leaves out pieces of a frame that are there already, and between two pieces writes only what differs in their
colours. A piece is a run of text in one style as its widget made it: it is written whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console, RenderableType
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.app import App
from textual.driver import Driver
from textual.events import Event, Resize
from textual.screen import Screen
from textual.strip import Strip

Placed = tuple[int, Strip]
"""A strip with the column it begins at."""
UNKNOWN = "\0"
"""Text of a cell of which nothing is known."""
RESET = "\x1b[0m"
NEAR = 8
"""A jump within a row of less than so many columns is written as steps to the right."""


class Change(CompositorUpdate):
    """The bytes of a frame, made already."""

    def __init__(self, text: str) -> None:
        self.text = text

    def render_segments(self, console: Console) -> str:
        """The bytes."""
        return self.text


class Sheet:
    """The cells of a terminal as they have been written. Forgets everything with `clear`."""

    def __init__(self) -> None:
        self._text: dict[int, str] = {}
        self._styles: dict[int, list[str]] = {}
        self._strips: dict[int, dict[int, Strip]] = {}

    def clear(self) -> None:
        """The terminal may show anything now: the next frame is written whole."""
        self._text.clear()
        self._styles.clear()
        self._strips.clear()

    def change(self, update: ChopsUpdate | LayoutUpdate, console: Console) -> Change | None:
        """What is left to be written of an update; None where the terminal shows all of it already."""
        pen = Pen(console)
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


class SparingApp(App[int]):
    """An app that writes only what its terminal does not show already.

    It stands in the way of a method of Textual's own, which writes a frame; Textual is pinned to one version.
    """

    def __init__(self, *args: Any, **words: Any) -> None:
        self.sheet = Sheet()
        super().__init__(*args, **words)

    def get_driver_class(self) -> type[Driver]:
        """The driver of the platform; where Textual takes its own one for terminals, ours, which is quick with Esc."""
        found = super().get_driver_class()
        if found.__name__ != "LinuxDriver":
            return found
        from paxtui.tui.swift.driver import PromptDriver

        return PromptDriver

    def on_mount(self) -> None:
        """Whoever had the terminal while the program slept wrote into it."""
        self.app_resume_signal.subscribe(self, lambda _: self.sheet.clear(), immediate=True)

    async def on_event(self, event: Event) -> None:
        """A terminal of another size may have wrapped or lost what it showed."""
        if isinstance(event, Resize):
            self.sheet.clear()
        await super().on_event(event)

    def action_redraw(self) -> None:
        """Draw the whole screen again, whatever another program has written over it."""
        self.sheet.clear()
        self.refresh()

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        """Write a frame."""
        writes = self._running and not self._closed and not self._batch_count and not self.is_headless
        if writes and isinstance(renderable, (ChopsUpdate, LayoutUpdate)):
            renderable = self.sheet.change(renderable, self.console)
            cursor = self.screen.outer_size.clamp_offset(self.cursor_position)
            if renderable is None and cursor != self._previous_cursor_position:
                renderable = Change("")
        super()._display(screen, renderable)


class Pen:
    """Writes pieces of text, moving and changing colours as little as it can."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._system = COLOR_SYSTEMS.get(console.color_system or "", ColorSystem.TRUECOLOR)
        self._out: list[str] = []
        self._look = ""
        self._at: tuple[int, int] | None = None

    def ansi(self, style: Style | None) -> str:
        """The codes of a style."""
        return "" if style is None else Strip.render_ansi(style, self._system)

    def piece(self, y: int, x: int, text: str, look: str) -> None:
        """Write a text that takes a cell a character."""
        if self._at != (y, x):
            self._move(y, x)
        if look != self._look:
            self._out.append(turn(self._look, look))
            self._look = look
        self._out.append(text)
        self._at = (y, x + len(text))

    def raw(self, y: int, x: int, strip: Strip) -> None:
        """Write a strip as Textual does."""
        if self._look:
            self._out.append(RESET)
            self._look = ""
        self._move(y, x)
        self._out.append(strip.render(self._console))
        self._at = None

    def _move(self, y: int, x: int) -> None:
        if self._at is not None and self._at[0] == y and 0 < x - self._at[1] < NEAR:
            self._out.append(f"\x1b[{x - self._at[1]}C")
        else:
            self._out.append(f"\x1b[{y + 1};{x + 1}H")

    def text(self) -> str:
        """All that was written; the colours are the terminal's own again after it."""
        if self._look:
            self._out.append(RESET)
            self._look = ""
        return "".join(self._out)


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


_NARROW: set[str] = set()
"""Letters and signs that are known to take one cell."""


def plain(text: str) -> bool:
    """Whether each character takes one cell."""
    if text.isascii() or _NARROW.issuperset(text):
        return True
    _NARROW.update(char for char in set(text) if cell_len(char) == 1)
    return _NARROW.issuperset(text)


@lru_cache(16384)
def turn(before: str, after: str) -> str:
    """The shortest codes that turn one look into another."""
    if not after:
        return RESET
    whole = f"\x1b[0;{after}m"
    old, new = parts(before), parts(after)
    if not old[0] <= new[0]:
        return whole
    codes = [*sorted(new[0] - old[0])]
    for was, is_, none in ((old[1], new[1], "39"), (old[2], new[2], "49")):
        if was != is_:
            codes.append(is_ or none)
    return f"\x1b[{';'.join(codes)}m" if codes else ""


@lru_cache(4096)
def parts(look: str) -> tuple[frozenset[str], str, str]:
    """A look as its attributes, the codes of its ink, and those of its paper."""
    codes = iter(look.split(";")) if look else iter(())
    attributes, ink, paper = set(), "", ""
    for code in codes:
        if code in ("38", "48"):
            kind = next(codes)
            colour = ";".join([code, kind, *(next(codes) for _ in range(3 if kind == "2" else 1))])
        else:
            colour = code
        number = int(code)
        if number == 38 or 30 <= number <= 39 or 90 <= number <= 97:
            ink = "" if number == 39 else colour
        elif number == 48 or 40 <= number <= 49 or 100 <= number <= 107:
            paper = "" if number == 49 else colour
        else:
            attributes.add(code)
    return frozenset(attributes), ink, paper
