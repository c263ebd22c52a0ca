"""Drawings as PNG and SVG: resolve each cell to its character and final colours, then encode.

PNG needs Pillow, an optional dependency that only this module imports. SVG draws text on a fixed grid and braille and
blocks as shapes; it loads no external resources.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.segment import Segment
from rich.style import Style

from paxtui.session.storage.extras import MissingExtra, install_command
from paxtui.tui.colors import Palette, blend
from paxtui.tui.map.scene import QUARTERS

if TYPE_CHECKING:
    from PIL import Image, ImageDraw


BRAILLE = range(0x2800, 0x2900)
BRAILLE_DOTS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))
"""Column and row of each dot of a braille character, by its bit."""
NO_COLOUR = ("#e8e8e8", "#101010")
"""Foreground and background of a palette without colours."""
FAINT = 0.55
"""Weight of the foreground of dim text."""


class CellLook(NamedTuple):
    """Final colours and weight of a segment."""

    ink: str
    paper: str
    bold: bool = False
    underline: bool = False
    italic: bool = False


class CellRun(NamedTuple):
    """Adjacent characters of one look in a row, with the column of the first."""

    x: int
    text: str
    look: CellLook


def ground_look(palette: Palette) -> CellLook:
    """Return the look of empty cells."""
    return CellLook(palette.sea_name, palette.sea) if palette.colour else CellLook(*NO_COLOUR)


def cell_runs(row: Sequence[Segment], palette: Palette) -> Iterator[CellRun]:
    """Return the segments of a row from left to right."""
    x, base = 0, ground_look(palette)
    for segment in row:
        if not segment.text:
            continue
        yield CellRun(x, segment.text, resolve_look(segment.style, base))
        x += len(segment.text)


def resolve_look(style: Style | None, base: CellLook) -> CellLook:
    """Resolve a style as a terminal does: reverse, dim, and default colours."""
    if style is None:
        return base
    ink = style.color.get_truecolor().hex if style.color and not style.color.is_default else base.ink
    paper = style.bgcolor.get_truecolor().hex if style.bgcolor and not style.bgcolor.is_default else base.paper
    if style.reverse:
        ink, paper = paper, ink
    if style.dim:
        ink = blend(ink, paper, FAINT)
    return CellLook(ink, paper, bool(style.bold), bool(style.underline), bool(style.italic))


def block_quarters(sign: str) -> list[tuple[int, int]]:
    """Return the filled quarters of a block character as columns and rows 0-1; none for others."""
    if sign == " " or sign not in QUARTERS:
        return []
    inked = QUARTERS.index(sign)
    return [(at % 2, at // 2) for at in range(4) if inked >> at & 1]


def braille_dots(sign: str) -> list[tuple[int, int]]:
    """Return the dots of a braille character as columns 0-1 and rows 0-3; none for others."""
    code = ord(sign)
    if code not in BRAILLE:
        return []
    return [place for bit, place in enumerate(BRAILLE_DOTS) if (code - BRAILLE.start) >> bit & 1]


SVG_CELL_WIDTH, SVG_CELL_HEIGHT, SVG_BASELINE, SVG_FONT_SIZE = 9, 19, 14.5, 15
"""Width and height of a cell, baseline and font size, in pixels."""
SVG_DOT = 2
SVG_FONT_FAMILY = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"


def svg_of_rows(rows: Sequence[Sequence[Segment]], palette: Palette) -> str:
    """Return the SVG image."""
    columns = max((sum(len(s.text) for s in row) for row in rows), default=0)
    width, height = columns * SVG_CELL_WIDTH, len(rows) * SVG_CELL_HEIGHT
    papers: dict[str, list[str]] = {}
    marks: dict[str, list[str]] = {}
    words: dict[CellLook, list[str]] = {}
    base = ground_look(palette)
    for y, row in enumerate(rows):
        top = y * SVG_CELL_HEIGHT
        for piece in cell_runs(row, palette):
            look, left = piece.look, piece.x * SVG_CELL_WIDTH
            if look.paper != base.paper:
                box = (
                    f"M{left} "
                    f"{top}h{len(piece.text) * SVG_CELL_WIDTH}v{SVG_CELL_HEIGHT}h-{len(piece.text) * SVG_CELL_WIDTH}z"
                )
                papers.setdefault(look.paper, []).append(box)
            for at, sign in enumerate(piece.text):
                for dx, dy in block_quarters(sign):
                    x, yy = left + (at + dx / 2) * SVG_CELL_WIDTH, top + dy * SVG_CELL_HEIGHT / 2
                    box = f"M{x:g} {yy:g}h{SVG_CELL_WIDTH / 2:g}v{SVG_CELL_HEIGHT / 2:g}h-{SVG_CELL_WIDTH / 2:g}z"
                    papers.setdefault(look.ink, []).append(box)
                for dx, dy in braille_dots(sign):
                    x, yy = (
                        left + at * SVG_CELL_WIDTH + 1.5 + dx * SVG_CELL_WIDTH / 2,
                        top + 1.5 + dy * SVG_CELL_HEIGHT / 4,
                    )
                    marks.setdefault(look.ink, []).append(f"M{x:g} {yy:g}h{SVG_DOT}v{SVG_DOT}h-{SVG_DOT}z")
            for found in re.finditer(r"[^\s\u2580-\u259f\u2800-\u28ff]+", piece.text):
                words.setdefault(look, []).append(
                    _text_element(found.group(), left + found.start() * SVG_CELL_WIDTH, top)
                )
            if look.underline:
                line = (
                    f"M{left} "
                    f"{top + SVG_CELL_HEIGHT - 2}h{len(piece.text) * SVG_CELL_WIDTH}v1h-"
                    f"{len(piece.text) * SVG_CELL_WIDTH}z"
                )
                marks.setdefault(look.ink, []).append(line)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        "<title>Pax Britannica</title>",
        f'<rect width="{width}" height="{height}" fill="{base.paper}"/>',
    ]
    out += [f'<path fill="{colour}" d="{"".join(boxes)}"/>' for colour, boxes in papers.items()]
    out += [f'<path fill="{colour}" d="{"".join(each)}"/>' for colour, each in marks.items()]
    out.append(f'<g font-family="{SVG_FONT_FAMILY}" font-size="{SVG_FONT_SIZE}" xml:space="preserve">')
    for look, texts in words.items():
        weight = ' font-weight="bold"' if look.bold else ""
        slant = ' font-style="italic"' if look.italic else ""
        out.append(f'<g fill="{look.ink}"{weight}{slant}>{"".join(texts)}</g>')
    return "\n".join([*out, "</g>", "</svg>", ""])


def _text_element(word: str, left: float, top: float) -> str:
    """Return text on the grid, with its length, so that other fonts keep the grid."""
    length = len(word) * SVG_CELL_WIDTH
    how = f'textLength="{length}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{left:g}" y="{top + SVG_BASELINE:g}" {how}>{escape(word)}</text>'


FONT_SIZE = 16
PNG_CELL_WIDTH, PNG_CELL_HEIGHT = 10, 19
"""Size of a cell, in pixels."""
PNG_DOT = 2
REGULAR = ("DejaVuSansMono.ttf", "Menlo.ttc", "LiberationMono-Regular.ttf", "NotoSansMono-Regular.ttf")
BOLD = ("DejaVuSansMono-Bold.ttf", "Menlo.ttc", "LiberationMono-Bold.ttf", "NotoSansMono-Bold.ttf")


def font_directories() -> list[Path]:
    """Return the font directories of Linux and macOS."""
    home = Path.home()
    data = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    shared = [Path(each) / "fonts" for each in data.split(":") if each]
    own = [home / ".local/share/fonts", home / ".fonts", home / "Library/Fonts"]
    return [*own, *shared, Path("/Library/Fonts"), Path("/System/Library/Fonts")]


def font_file(names: Sequence[str]) -> Path | None:
    """Return the first of these files that is installed as a font."""
    found: dict[str, Path] = {}
    for directory in font_directories():
        for top, _, files in os.walk(directory):
            for name in files:
                found.setdefault(name, Path(top) / name)
    return next((found[name] for name in names if name in found), None)


def fonts() -> tuple[Any, Any]:
    """Return regular and bold fonts; Pillow's default font if no monospaced one is found.

    Raises: MissingExtra if Pillow is missing.
    """
    try:
        from PIL import ImageFont
    except ImportError as error:
        raise MissingExtra(f"PNG pictures need Pillow: {install_command('picture')} (SVG needs nothing)") from error
    made = []
    for names in (REGULAR, BOLD):
        path = font_file(names)
        made.append(ImageFont.truetype(str(path), FONT_SIZE) if path else ImageFont.load_default(FONT_SIZE))
    return made[0], made[1]


def png_of_rows(rows: Sequence[Sequence[Segment]], palette: Palette) -> bytes:
    """Return the PNG image, 10 by 19 pixels per cell.

    Raises: MissingExtra if Pillow is missing.
    """
    out = io.BytesIO()
    image_of_rows(rows, palette).save(out, "PNG", optimize=True)
    return out.getvalue()


def image_of_rows(rows: Sequence[Sequence[Segment]], palette: Palette) -> Image.Image:
    """Return the image, 10 by 19 pixels per cell.

    Raises: MissingExtra if Pillow is missing.
    """
    regular, bold = fonts()
    from PIL import Image, ImageDraw

    columns = max((sum(len(s.text) for s in row) for row in rows), default=0)
    image = Image.new("RGB", (columns * PNG_CELL_WIDTH, len(rows) * PNG_CELL_HEIGHT), ground_look(palette).paper)
    draw = ImageDraw.Draw(image)
    for y, row in enumerate(rows):
        top = y * PNG_CELL_HEIGHT
        for piece in cell_runs(row, palette):
            look, left = piece.look, piece.x * PNG_CELL_WIDTH
            right = left + len(piece.text) * PNG_CELL_WIDTH - 1
            draw.rectangle((left, top, right, top + PNG_CELL_HEIGHT - 1), fill=look.paper)
            if look.underline:
                draw.line((left, top + PNG_CELL_HEIGHT - 2, right, top + PNG_CELL_HEIGHT - 2), fill=look.ink)
            for at, sign in enumerate(piece.text):
                _draw_sign(draw, sign, left + at * PNG_CELL_WIDTH, top, bold if look.bold else regular, look.ink)
    return image


def _draw_sign(draw: ImageDraw.ImageDraw, sign: str, left: int, top: int, font: Any, ink: str) -> None:
    """Draw one character; braille and blocks as rectangles, independent of the font."""
    if sign.isspace():
        return
    boxes = list(_sign_rectangles(sign, left, top))
    for box in boxes:
        draw.rectangle(box, fill=ink)
    if not boxes:
        middle = left + (PNG_CELL_WIDTH - font.getlength(sign)) / 2
        draw.text((middle, top), sign, font=font, fill=ink)


def _sign_rectangles(sign: str, left: int, top: int) -> Iterator[tuple[int, int, int, int]]:
    """Return the rectangles of a braille or block character; none for others."""
    for dx, dy in braille_dots(sign):
        x, y = left + 1 + dx * PNG_CELL_WIDTH // 2, top + 1 + dy * PNG_CELL_HEIGHT // 4
        yield x, y, x + PNG_DOT - 1, y + PNG_DOT - 1
    columns, lines = (0, PNG_CELL_WIDTH // 2, PNG_CELL_WIDTH), (0, PNG_CELL_HEIGHT // 2, PNG_CELL_HEIGHT)
    for column, line in block_quarters(sign):
        yield (left + columns[column], top + lines[line], left + columns[column + 1] - 1, top + lines[line + 1] - 1)
