"""Terminal output: ANSI codes with minimal cursor and colour changes, frame differences, an ASCII fallback.

Textual rewrites every widget that might have changed. `FrameDiff` remembers the written cells and writes only
segments that differ. A segment is a run of text in one style; it is written whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from rich.cells import cell_len
from rich.color import Color, ColorSystem
from rich.console import Console
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.strip import Strip

from paxtui.tui.colors import Depth, number_of

POOR_TERMINALS = ("linux", "vt100", "vt102", "vt220", "ansi", "dumb", "cons25", "unknown")
"""Values of TERM, or their prefixes before a hyphen, whose fonts lack the signs of the map."""

REPLACEMENT_SIGN = "?"
"""ASCII replacement for a sign without an equivalent."""


def needs_ascii(environment: Mapping[str, str], encoding: str | None) -> bool:
    """Return whether the terminal cannot show the signs of the map."""
    if environment.get("TERM", "").partition("-")[0] in POOR_TERMINALS:
        return True
    return not can_encode("●◇◆★─│⠿▚", encoding)


def can_encode(text: str, encoding: str | None) -> bool:
    """Return whether an encoding can represent a text."""
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _likeness() -> dict[int, str]:
    like: dict[int, str] = {}
    for signs, plain in (
        ("─━┄┅┈┉╌╍═╴╶╸╺╼╾–—−‐‑▁▂▔", "-"), ("│┃┆┇┊┋╎╏║╵╷╹╻╽╿▏▎▍▌▐▕▊▋", "|"), ("█▉▇▆▅▄▃▀■▮▪●◆★⬤", "#"), ("░▒▓·•…∙", "."),
        ("○◇☆□▯◦", "o"), ("▸▶►→›»≥", ">"), ("◂◀◄←‹«≤", "<"), ("▴▲↑", "^"), ("▾▼↓", "v"), ("×✗✘⚔⊗", "x"), ("✓✔", "+"),
        ("’‘ʼ", "'"), ("“”", '"'), ("£", "L"), ("½", "/"), ("\u00a0", " "),
    ):  # fmt: skip
        like |= dict.fromkeys(map(ord, signs), plain)
    like |= dict.fromkeys(range(0x2580, 0x25A0), "#") | {n: like[n] for n in like if 0x2580 <= n < 0x25A0}
    for n in range(0x2500, 0x2580):  # the other box signs are corners and crossings
        like.setdefault(n, "+")
    like |= dict.fromkeys(range(0x2801, 0x2900), ".") | {0x2800: " "}
    return like


_LIKE = _likeness()


def to_ascii(text: str) -> str:
    """Convert a text to ASCII; each other sign becomes one ASCII character."""
    plain = text.translate(_LIKE)
    return plain if plain.isascii() else "".join(c if c.isascii() else REPLACEMENT_SIGN for c in plain)


RESET = "\x1b[0m"
MAX_STEP_COLUMNS = 8
"""A shorter jump within a row is written as cursor-right steps."""


CODE_CACHE_SIZE = 4096
"""Maximum number of styles with cached codes."""

StyleCodes = dict[tuple[int, int], tuple[Style, str]]
"""Cached codes by style identity and colour depth. The entry keeps the style alive, so its id stays unique."""


class AnsiWriter:
    """Write text segments with minimal cursor movement and colour changes."""

    def __init__(self, console: Console, depth: Depth | None = None, codes: StyleCodes | None = None) -> None:
        self._console = console
        self._codes: StyleCodes = {} if codes is None else codes
        self._depth = depth_of(console) if depth is None else depth
        self._system = SYSTEMS[self._depth]
        self._out: list[str] = []
        self._look = ""
        self._at: tuple[int, int] | None = None

    def ansi(self, style: Style | None) -> str:
        """Return the codes of a style."""
        if style is None:
            return ""
        known = self._codes.get((id(style), self._depth))
        if known is None:
            if len(self._codes) >= CODE_CACHE_SIZE:
                self._codes.clear()
            code = Strip.render_ansi(reduce_style(style, self._depth), self._system)
            self._codes[id(style), self._depth] = style, code
            return code
        return known[1]

    def piece(self, y: int, x: int, text: str, look: str) -> None:
        """Write a text of single-cell characters."""
        if self._at != (y, x):
            self._move(y, x)
        if look != self._look:
            self._out.append(style_change_codes(self._look, look))
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
        if self._at is not None and self._at[0] == y and 0 < x - self._at[1] < MAX_STEP_COLUMNS:
            self._out.append(f"\x1b[{x - self._at[1]}C")
        else:
            self._out.append(f"\x1b[{y + 1};{x + 1}H")

    def text(self) -> str:
        """Return the output, ending with a colour reset."""
        if self._look:
            self._out.append(RESET)
            self._look = ""
        return "".join(self._out)


SYSTEMS = {
    Depth.SIXTEEN: ColorSystem.STANDARD, Depth.CUBE: ColorSystem.EIGHT_BIT, Depth.ALL: ColorSystem.TRUECOLOR
}  # fmt: skip
DEPTHS = {"standard": Depth.SIXTEEN, "windows": Depth.SIXTEEN, "256": Depth.CUBE}


def depth_of(console: Console) -> Depth:
    """Return the colour depth of a console."""
    return DEPTHS.get(console.color_system or "", Depth.ALL)


@lru_cache(8192)
def reduce_style(style: Style, depth: Depth) -> Style:
    """Convert a style to the nearest colours of a depth, by perceived distance."""
    if depth == Depth.ALL:
        return style
    return style + Style.from_color(_numbered(style.color, depth), _numbered(style.bgcolor, depth))


def _numbered(colour: Color | None, depth: Depth) -> Color | None:
    return colour if colour is None or colour.triplet is None else Color.from_ansi(number_of(colour.triplet.hex, depth))


_NARROW: set[str] = set()
"""Characters known to take one cell."""


def is_single_cell_text(text: str) -> bool:
    """Return whether each character takes one cell."""
    if text.isascii() or _NARROW.issuperset(text):
        return True
    _NARROW.update(char for char in set(text) if cell_len(char) == 1)
    return _NARROW.issuperset(text)


@lru_cache(16384)
def style_change_codes(before: str, after: str) -> str:
    """Return the shortest codes that change one style into another."""
    if not after:
        return RESET
    whole = f"\x1b[0;{after}m"
    old, new = style_parts(before), style_parts(after)
    if not old[0] <= new[0]:
        return whole
    codes = [*sorted(new[0] - old[0])]
    for was, is_, none in ((old[1], new[1], "39"), (old[2], new[2], "49")):
        if was != is_:
            codes.append(is_ or none)
    return f"\x1b[{';'.join(codes)}m" if codes else ""


@lru_cache(4096)
def style_parts(look: str) -> tuple[frozenset[str], str, str]:
    """Split the codes of a style into attributes, foreground and background."""
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


PlacedStrip = tuple[int, Strip]
"""A strip and its first column."""
UNKNOWN_CELL = "\0"
"""Text of a cell with unknown content."""


class FrameUpdate(CompositorUpdate):
    """The output of a frame, already encoded."""

    def __init__(self, text: str) -> None:
        self.text = text

    def render_segments(self, console: Console) -> str:
        """Return the output."""
        return self.text

    def __rich__(self) -> str:
        return self.text


class FrameDiff:
    """The cells last written to the terminal. `clear` forgets them."""

    def __init__(self) -> None:
        self._text: dict[int, str] = {}
        self._styles: dict[int, list[str]] = {}
        self._strips: dict[int, dict[int, Strip]] = {}
        self._codes: StyleCodes = {}

    def clear(self) -> None:
        """Forget all cells; the next frame is written completely."""
        self._text.clear()
        self._styles.clear()
        self._strips.clear()

    def learn_styles(self, strips: Iterable[Strip], console: Console, depth: Depth) -> None:
        """Compute the codes of the styles of strips before they are drawn."""
        pen = AnsiWriter(console, depth, self._codes)
        for strip in strips:
            for _, style, _ in strip:
                style_parts(pen.ansi(style))

    def change(
        self, update: ChopsUpdate | LayoutUpdate, console: Console, depth: Depth | None = None
    ) -> FrameUpdate | None:
        """Return the part of an update that the terminal does not show yet, None if there is none.

        Args: the update; the console; the colour depth, by default that of the console.
        """
        pen = AnsiWriter(console, depth, self._codes)
        for y, placed in update_rows(update):
            known = self._strips.setdefault(y, {})
            for x, strip in placed:
                if known.get(x) is not strip:
                    self._strip(pen, y, x, strip)
                    end = x + strip.cell_length
                    for other in [o for o, s in known.items() if o < end and o + s.cell_length > x]:
                        del known[other]
                    known[x] = strip
        text = pen.text()
        return FrameUpdate(text) if text else None

    def _strip(self, pen: AnsiWriter, y: int, x: int, strip: Strip) -> None:
        begin, end = x, x + strip.cell_length
        text, styles = self._text.get(y, ""), self._styles.setdefault(y, [])
        if len(text) < end:
            styles += [UNKNOWN_CELL] * (end - len(text))
            text = text.ljust(end, UNKNOWN_CELL)
        whole = strip.text
        if (
            len(whole) != end - x
            or not is_single_cell_text(whole)
            or any(style and style.link for _, style, _ in strip)
        ):
            # Textual writes segments with wide or zero-width characters or links; they are not compared
            pen.raw(y, x, strip)
            whole = UNKNOWN_CELL * (end - x)
            styles[x:end] = [UNKNOWN_CELL] * (end - x)
        else:
            for piece, style, _ in strip:
                look = pen.ansi(style)
                after = x + len(piece)
                if text[x:after] != piece or styles[x:after].count(look) != after - x:
                    pen.piece(y, x, piece, look)
                    styles[x:after] = [look] * (after - x)
                x = after
        self._text[y] = text[:begin] + whole + text[end:]


def update_rows(update: ChopsUpdate | LayoutUpdate) -> Iterator[tuple[int, Iterable[PlacedStrip]]]:
    if isinstance(update, LayoutUpdate):
        for y, line in enumerate(update.strips, update.region.y):
            yield y, _in_line(update.region.x, line)
    else:
        for y, first, last in update.spans:
            yield y, _in_span(update.chops[y], update.chop_ends[y], first, last)


def _in_line(x: int, line: Iterable[Strip | None]) -> Iterator[PlacedStrip]:
    """Yield the strips of a row, up to cells that no widget draws yet: the next frame has them.

    Textual leaves None there if a widget has fewer rows than its region for a moment, as after a change of the size.
    """
    for strip in line:
        if strip is None:
            return
        yield x, strip
        x += strip.cell_length


def _in_span(line: Mapping[int, Strip | None], ends: list[int], first: int, last: int) -> Iterator[PlacedStrip]:
    """Yield the strips of a row within a span; the last one is cropped."""
    for end, (x, strip) in zip(ends, line.items(), strict=False):
        if strip is not None and x < last and end > first:
            yield x, strip if end <= last else strip.crop(0, last - x)
