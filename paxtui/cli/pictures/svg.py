"""A drawing as SVG: text on a grid that holds in any monospaced font, dots and papers as shapes. Nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from rich.segment import Segment

from paxtui.cli.pictures.cells import Look, dots, ground, pieces, quarters
from paxtui.tui.colours.palette import Palette

WIDTH, HEIGHT, BASE, FONT = 9, 19, 14.5, 15
"""Of a cell, in pixels: its size, where its letters stand, and their size."""
DOT = 2
FAMILY = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"


def svg_of_rows(rows: Sequence[Sequence[Segment]], palette: Palette) -> str:
    """The picture, as wide and high as its cells."""
    columns = max((sum(len(s.text) for s in row) for row in rows), default=0)
    width, height = columns * WIDTH, len(rows) * HEIGHT
    papers: dict[str, list[str]] = {}
    marks: dict[str, list[str]] = {}
    words: dict[Look, list[str]] = {}
    base = ground(palette)
    for y, row in enumerate(rows):
        top = y * HEIGHT
        for piece in pieces(row, palette):
            look, left = piece.look, piece.x * WIDTH
            if look.paper != base.paper:
                box = f"M{left} {top}h{len(piece.text) * WIDTH}v{HEIGHT}h-{len(piece.text) * WIDTH}z"
                papers.setdefault(look.paper, []).append(box)
            for at, sign in enumerate(piece.text):
                for dx, dy in quarters(sign):
                    x, yy = left + (at + dx / 2) * WIDTH, top + dy * HEIGHT / 2
                    box = f"M{x:g} {yy:g}h{WIDTH / 2:g}v{HEIGHT / 2:g}h-{WIDTH / 2:g}z"
                    papers.setdefault(look.ink, []).append(box)
                for dx, dy in dots(sign):
                    x, yy = left + at * WIDTH + 1.5 + dx * WIDTH / 2, top + 1.5 + dy * HEIGHT / 4
                    marks.setdefault(look.ink, []).append(f"M{x:g} {yy:g}h{DOT}v{DOT}h-{DOT}z")
            for found in re.finditer(r"[^\s\u2580-\u259f\u2800-\u28ff]+", piece.text):
                words.setdefault(look, []).append(_word(found.group(), left + found.start() * WIDTH, top))
            if look.underline:
                line = f"M{left} {top + HEIGHT - 2}h{len(piece.text) * WIDTH}v1h-{len(piece.text) * WIDTH}z"
                marks.setdefault(look.ink, []).append(line)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        "<title>Pax Britannica</title>",
        f'<rect width="{width}" height="{height}" fill="{base.paper}"/>',
    ]
    out += [f'<path fill="{colour}" d="{"".join(boxes)}"/>' for colour, boxes in papers.items()]
    out += [f'<path fill="{colour}" d="{"".join(each)}"/>' for colour, each in marks.items()]
    out.append(f'<g font-family="{FAMILY}" font-size="{FONT}" xml:space="preserve">')
    for look, texts in words.items():
        weight = ' font-weight="bold"' if look.bold else ""
        slant = ' font-style="italic"' if look.italic else ""
        out.append(f'<g fill="{look.ink}"{weight}{slant}>{"".join(texts)}</g>')
    return "\n".join([*out, "</g>", "</svg>", ""])


def _word(word: str, left: float, top: float) -> str:
    """Signs on the grid; the length is given, so that another font keeps to it."""
    length = len(word) * WIDTH
    how = f'textLength="{length}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{left:g}" y="{top + BASE:g}" {how}>{escape(word)}</text>'
