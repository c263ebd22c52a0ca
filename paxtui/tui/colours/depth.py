"""The colours of terminals that have not all of them: 256, or the 16 that xterm has by itself.

Half of the 256 are too bright for a map and a third too much alike: which of them a Power's lands have is chosen by
eye, in `LANDS`. Whatever else is to be shown gets the colour that looks nearest.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from functools import lru_cache

from paxtui.tui.colours.contrast import distance


class Depth(IntEnum):
    """How many colours a terminal has."""

    SIXTEEN = 16
    CUBE = 256
    ALL = 1 << 24


COLOURS: Mapping[str, Depth] = {"16": Depth.SIXTEEN, "256": Depth.CUBE, "all": Depth.ALL}
"""Depths as the settings call them."""

SIXTEEN = (
    "#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
    "#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
)  # fmt: skip
"""The sixteen colours of xterm by their numbers."""
_LEVELS = (0x00, 0x5F, 0x87, 0xAF, 0xD7, 0xFF)
CUBE = (
    *(f"#{r:02x}{g:02x}{b:02x}" for r in _LEVELS for g in _LEVELS for b in _LEVELS),
    *(f"#{level:02x}{level:02x}{level:02x}" for level in range(8, 248, 10)),
)
"""The colours 16 to 255: a cube of six levels, and greys. The first sixteen are the terminal's own."""
FIRST = 16
"""The number of the first colour of the cube."""

TABLES: Mapping[Depth, tuple[str, ...]] = {Depth.SIXTEEN: SIXTEEN, Depth.CUBE: CUBE}

STATUS_RANK = {"home": 0, "dominion": 1, "state": 1, "possession": 2, "protectorate": 3}
"""The column of LANDS for a Status; what stands for less has the land's own colour."""
LANDS: Mapping[str, tuple[int, int, int, int]] = {
    "britain": (131, 131, 95, 52),
    "france": (68, 67, 61, 60),
    "germany": (246, 244, 243, 240),
    "austria_hungary": (144, 101, 101, 59),
    "united_states": (30, 30, 30, 23),
    "japan": (132, 132, 132, 89),
    "russia": (65, 65, 65, 22),
    "italy": (106, 64, 64, 58),
    "netherlands": (172, 130, 130, 94),
    "belgium": (137, 137, 137, 95),
    "spain": (142, 100, 100, 58),
    "portugal": (98, 97, 97, 54),
}
"""The numbers of the colours, of 256, that a Power's lands have by Status."""


def cube_colour(number: int) -> str:
    """One of 256 colours by its number, from 16."""
    return CUBE[number - FIRST]


@lru_cache(8192)
def nearest(colour: str, depth: Depth) -> str:
    """The colour of a terminal that looks most like another one."""
    table = TABLES.get(depth)
    return colour if table is None else min(table, key=lambda each: distance(each, colour))


def number_of(colour: str, depth: Depth) -> int:
    """The number by which a terminal of few colours knows what looks most like a colour."""
    found = nearest(colour, depth)
    return SIXTEEN.index(found) if depth == Depth.SIXTEEN else FIRST + CUBE.index(found)
