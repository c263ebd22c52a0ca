"""Drawings of the map as rows of styled text, the source of pictures, recordings and plain text."""

from __future__ import annotations

from collections.abc import Sequence

from rich.color import ColorSystem
from rich.segment import Segment

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import State
from paxtui.tui.colors import DEFAULT, Palette
from paxtui.tui.map.canvas import Canvas
from paxtui.tui.map.layout import lay_out
from paxtui.tui.map.projection import ZOOMS
from paxtui.tui.widgets.map_scene import build_scene

Rows = list[list[Segment]]
"""Rows of a drawing, each a list of styled segments."""


def draw_map(
    tables: Tables,
    state: State,
    zoom: str = "world",
    size: tuple[int, int] | None = None,
    palette: Palette | None = None,
) -> Rows:
    """Draw the map of a position, without a cursor; by default at the size of the zoom."""
    columns, rows = size or (ZOOMS[zoom].width, ZOOMS[zoom].height)
    canvas = Canvas(lay_out(zoom, columns, rows), palette or DEFAULT)
    canvas.show(build_scene(tables, state, ""))
    return [list(canvas.strip(y)) for y in range(rows)]


def text_of_rows(rows: Sequence[Sequence[Segment]]) -> str:
    """Return plain text; trailing blanks are kept, so that all lines have the same width."""
    return "".join("".join(piece.text for piece in row) + "\n" for row in rows)


def ansi_of_rows(rows: Sequence[Sequence[Segment]]) -> str:
    """Return text with true colours; each line is independent."""
    return "".join(
        "".join(
            piece.style.render(piece.text, color_system=ColorSystem.TRUECOLOR) if piece.style else piece.text
            for piece in row
        )
        + "\n"
        for row in rows
    )
