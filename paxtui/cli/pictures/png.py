"""A drawing as PNG. The only module that imports Pillow, which is no dependency of the program."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.segment import Segment

from paxtui.cli.outward.faults import CommandError
from paxtui.cli.pictures.cells import dots, ground, pieces, quarters
from paxtui.table.disk.extras import adding
from paxtui.tui.colours.palette import Palette

if TYPE_CHECKING:
    from PIL import ImageDraw

SIZE = 16
WIDTH, HEIGHT = 10, 19
"""Pixels of a cell."""
DOT = 2
REGULAR = ("DejaVuSansMono.ttf", "Menlo.ttc", "LiberationMono-Regular.ttf", "NotoSansMono-Regular.ttf")
BOLD = ("DejaVuSansMono-Bold.ttf", "Menlo.ttc", "LiberationMono-Bold.ttf", "NotoSansMono-Bold.ttf")


def font_directories() -> list[Path]:
    """Where fonts lie on Linux and macOS."""
    home = Path.home()
    data = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    shared = [Path(each) / "fonts" for each in data.split(":") if each]
    own = [home / ".local/share/fonts", home / ".fonts", home / "Library/Fonts"]
    return [*own, *shared, Path("/Library/Fonts"), Path("/System/Library/Fonts")]


def font_file(names: Sequence[str]) -> Path | None:
    """The first of these files that is anywhere among the fonts."""
    found: dict[str, Path] = {}
    for directory in font_directories():
        for top, _, files in os.walk(directory):
            for name in files:
                found.setdefault(name, Path(top) / name)
    return next((found[name] for name in names if name in found), None)


def fonts() -> tuple[Any, Any]:
    """Regular and bold; Pillow's own font where no monospaced one is found.

    Raises: CommandError, when Pillow is missing.
    """
    try:
        from PIL import ImageFont
    except ImportError as error:
        raise CommandError(f"PNG pictures need Pillow: {adding('picture')} (SVG needs nothing)") from error
    made = []
    for names in (REGULAR, BOLD):
        path = font_file(names)
        made.append(ImageFont.truetype(str(path), SIZE) if path else ImageFont.load_default(SIZE))
    return made[0], made[1]


def png_of_rows(rows: Sequence[Sequence[Segment]], palette: Palette) -> bytes:
    """The picture, 10 by 19 pixels a cell.

    Raises: CommandError, when Pillow is missing.
    """
    regular, bold = fonts()
    from PIL import Image, ImageDraw

    columns = max((sum(len(s.text) for s in row) for row in rows), default=0)
    image = Image.new("RGB", (columns * WIDTH, len(rows) * HEIGHT), ground(palette).paper)
    draw = ImageDraw.Draw(image)
    for y, row in enumerate(rows):
        top = y * HEIGHT
        for piece in pieces(row, palette):
            look, left = piece.look, piece.x * WIDTH
            right = left + len(piece.text) * WIDTH - 1
            draw.rectangle((left, top, right, top + HEIGHT - 1), fill=look.paper)
            if look.underline:
                draw.line((left, top + HEIGHT - 2, right, top + HEIGHT - 2), fill=look.ink)
            for at, sign in enumerate(piece.text):
                _sign(draw, sign, left + at * WIDTH, top, bold if look.bold else regular, look.ink)
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _sign(draw: ImageDraw.ImageDraw, sign: str, left: int, top: int, font: Any, ink: str) -> None:
    """One sign in its cell: dots and blocks as rectangles, whatever the font thinks of them."""
    if sign.isspace():
        return
    boxes = list(_boxes(sign, left, top))
    for box in boxes:
        draw.rectangle(box, fill=ink)
    if not boxes:
        middle = left + (WIDTH - font.getlength(sign)) / 2
        draw.text((middle, top), sign, font=font, fill=ink)


def _boxes(sign: str, left: int, top: int) -> Iterator[tuple[int, int, int, int]]:
    """The rectangles that make up a braille sign or a block; none for other signs."""
    for dx, dy in dots(sign):
        x, y = left + 1 + dx * WIDTH // 2, top + 1 + dy * HEIGHT // 4
        yield x, y, x + DOT - 1, y + DOT - 1
    columns, lines = (0, WIDTH // 2, WIDTH), (0, HEIGHT // 2, HEIGHT)
    for column, line in quarters(sign):
        yield (
            left + columns[column], top + lines[line], left + columns[column + 1] - 1, top + lines[line + 1] - 1
        )
