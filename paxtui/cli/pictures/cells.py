"""A drawing as cells: each with its sign and the colours it ends up with, for formats that know no terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style

from paxtui.tui.colours.contrast import blend
from paxtui.tui.colours.palette import Palette
from paxtui.tui.map.styles import QUARTERS

BRAILLE = range(0x2800, 0x2900)
DOTS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))
"""Column and row of each dot of a braille sign, by its bit."""
NO_COLOUR = ("#e8e8e8", "#101010")
"""Ink and paper of a palette without colours."""
FAINT = 0.55
"""How much of its ink a dim piece keeps."""


class Look(NamedTuple):
    """Colours and weight of a piece, worked out to the end."""

    ink: str
    paper: str
    bold: bool = False
    underline: bool = False
    italic: bool = False


class Piece(NamedTuple):
    """Signs of one look that stand together in a row, with the column of the first."""

    x: int
    text: str
    look: Look


def ground(palette: Palette) -> Look:
    """What lies where nothing is drawn."""
    return Look(palette.sea_name, palette.sea) if palette.colour else Look(*NO_COLOUR)


def pieces(row: Sequence[Segment], palette: Palette) -> Iterator[Piece]:
    """The pieces of a row from left to right."""
    x, base = 0, ground(palette)
    for segment in row:
        if not segment.text:
            continue
        yield Piece(x, segment.text, look_of(segment.style, base))
        x += len(segment.text)


def look_of(style: Style | None, base: Look) -> Look:
    """A style with everything a terminal would make of it: reverse, dim, and the ground where it has no colour."""
    if style is None:
        return base
    ink = style.color.get_truecolor().hex if style.color and not style.color.is_default else base.ink
    paper = style.bgcolor.get_truecolor().hex if style.bgcolor and not style.bgcolor.is_default else base.paper
    if style.reverse:
        ink, paper = paper, ink
    if style.dim:
        ink = blend(ink, paper, FAINT)
    return Look(ink, paper, bool(style.bold), bool(style.underline), bool(style.italic))


def quarters(sign: str) -> list[tuple[int, int]]:
    """The inked quarters of a block sign as columns and rows 0-1; none for another sign."""
    if sign == " " or sign not in QUARTERS:
        return []
    inked = QUARTERS.index(sign)
    return [(at % 2, at // 2) for at in range(4) if inked >> at & 1]


def dots(sign: str) -> list[tuple[int, int]]:
    """The dots of a braille sign as columns 0-1 and rows 0-3; none for another sign."""
    code = ord(sign)
    if code not in BRAILLE:
        return []
    return [place for bit, place in enumerate(DOTS) if (code - BRAILLE.start) >> bit & 1]
