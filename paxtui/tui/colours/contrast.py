"""How well one colour can be read on another, measured as the Web Content Accessibility Guidelines measure it.

Colours are `#rrggbb`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

READABLE = 4.5
"""The contrast that every text has at least."""
STEPS = 24
"""In how many steps a colour goes to white or black until it can be read."""

Lab = tuple[float, float, float]


@lru_cache(8192)
def blend(over: str, under: str, share: float) -> str:
    """`share` of one colour let into another."""
    parts = (
        round(int(over[at : at + 2], 16) * share + int(under[at : at + 2], 16) * (1.0 - share)) for at in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02x}" for part in parts)


def _linear(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _straight(red), _straight(green), _straight(blue)


def _straight(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


@lru_cache(8192)
def luminance(colour: str) -> float:
    """How much light a colour gives, from 0 for black to 1 for white."""
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 for equal ones to 21 for black and white."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(4096)
def oklab(colour: str) -> Lab:
    """A colour where equal distances look equally far: lightness, green to red, blue to yellow (Ottosson's OKLab)."""
    r, g, b = _linear(colour)
    l_ = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    m_ = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    s_ = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * l_ + 0.7936177850 * m_ - 0.0040720468 * s_,
        1.9779984951 * l_ - 2.4285922050 * m_ + 0.4505937099 * s_,
        0.0259040371 * l_ + 0.7827717662 * m_ - 0.8086757660 * s_,
    )


def distance(one: str, other: str) -> float:
    """How different two colours look: 0 for equal ones, 1 for black and white."""
    (l0, a0, b0), (l1, a1, b1) = oklab(one), oklab(other)
    return float(((l0 - l1) ** 2 + (a0 - a1) ** 2 + (b0 - b1) ** 2) ** 0.5)


@lru_cache(16384)
def legible(ink: str, paper: str, among: Sequence[str] | None = None) -> str:
    """The colour nearest to `ink` that can be read on `paper`.

    Args: both colours; the colours that there are, where they are not all.
    """
    if among is not None:
        readable = [colour for colour in among if contrast(colour, paper) >= READABLE]
        return min(readable, key=lambda colour: distance(colour, ink))
    if contrast(ink, paper) >= READABLE:
        return ink
    end = "#ffffff" if contrast("#ffffff", paper) >= contrast("#000000", paper) else "#000000"
    for step in range(1, STEPS):
        nearer = blend(end, ink, step / STEPS)
        if contrast(nearer, paper) >= READABLE:
            return nearer
    return end
