"""What lies under the labels, row by row: the one interface of the ground in dots and of the painted one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from rich.style import Style

from paxtui.tui.map.wash import Wash


class GroundRow(NamedTuple):
    """A row of the ground, cell by cell.

    Attributes:
        signs: what stands in each cell.
        styles: in which style.
        papers: the colour that text in a cell stands on.
        water: which cells are water: what is written there may bring a paper of its own.
        plain: the style of a cell cleared for the letters beside it, where it bears something that has to give way.
    """

    signs: str
    styles: list[Style]
    papers: list[str]
    water: bytes
    plain: Mapping[int, Style]


class Ground(Protocol):
    """Land and sea on a canvas."""

    def row(self, y: int) -> GroundRow:
        """Row `y` as it lies there now."""

    def paint(self, washes: Mapping[str, Wash]) -> set[int]:
        """Give territories other colours, by their places; the rows that look different now."""
