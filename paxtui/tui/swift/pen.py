"""The codes that a terminal gets: pieces of text in their colours, with as little moving and turning as possible."""

from __future__ import annotations

from functools import lru_cache

from rich.cells import cell_len
from rich.color import Color, ColorSystem
from rich.console import Console
from rich.style import Style
from textual.strip import Strip

from paxtui.tui.colours.depth import Depth, number_of

RESET = "\x1b[0m"
NEAR = 8
"""A jump within a row of less than so many columns is written as steps to the right."""


KNOWN = 4096
"""Styles whose codes are remembered."""

Codes = dict[tuple[int, int], tuple[Style, str]]
"""Codes by the style, told apart as an object, and the depth. The style is kept, so that no other takes its place."""


class Pen:
    """Writes pieces of text, moving and changing colours as little as it can.

    Args: the console; how many colours are written; the codes of styles that are known already.
    """

    def __init__(self, console: Console, depth: Depth | None = None, codes: Codes | None = None) -> None:
        self._console = console
        self._codes: Codes = {} if codes is None else codes
        self._depth = depth_of(console) if depth is None else depth
        self._system = SYSTEMS[self._depth]
        self._out: list[str] = []
        self._look = ""
        self._at: tuple[int, int] | None = None

    def ansi(self, style: Style | None) -> str:
        """The codes of a style."""
        if style is None:
            return ""
        known = self._codes.get((id(style), self._depth))
        if known is None:
            if len(self._codes) >= KNOWN:
                self._codes.clear()
            code = Strip.render_ansi(reduced(style, self._depth), self._system)
            self._codes[id(style), self._depth] = style, code
            return code
        return known[1]

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


SYSTEMS = {
    Depth.SIXTEEN: ColorSystem.STANDARD, Depth.CUBE: ColorSystem.EIGHT_BIT, Depth.ALL: ColorSystem.TRUECOLOR
}  # fmt: skip
DEPTHS = {"standard": Depth.SIXTEEN, "windows": Depth.SIXTEEN, "256": Depth.CUBE}


def depth_of(console: Console) -> Depth:
    """How many colours a console writes."""
    return DEPTHS.get(console.color_system or "", Depth.ALL)


@lru_cache(8192)
def reduced(style: Style, depth: Depth) -> Style:
    """A style in the colours that there are, by their numbers: those that look nearest, as Rich's own often do not."""
    if depth == Depth.ALL:
        return style
    return style + Style.from_color(_numbered(style.color, depth), _numbered(style.bgcolor, depth))


def _numbered(colour: Color | None, depth: Depth) -> Color | None:
    return colour if colour is None or colour.triplet is None else Color.from_ansi(number_of(colour.triplet.hex, depth))


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
