"""Any chart in cells: the one door for whoever shows charts on a terminal."""

from __future__ import annotations

from paxtui.charts.bars import draw_bars, draw_lanes, draw_tiles
from paxtui.charts.cells import Cells, fitted, wide
from paxtui.charts.chart import Bars, Chart, Curves, Tiles
from paxtui.charts.curves import draw_curves


def draw(chart: Chart, width: int, height: int, ascii_: bool = False) -> list[Cells]:
    """A chart in rows of at most `width` cells.

    Args:
        chart: what is drawn.
        width, height: the room for it, in cells; what is a list may be longer.
        ascii_: whether its signs are plain ASCII.
    """
    rows = _rows(chart, width, height, ascii_)
    return [fitted(row, width) if wide(row) > width else row for row in rows]


def _rows(chart: Chart, width: int, height: int, ascii_: bool) -> list[Cells]:
    if isinstance(chart, Curves):
        return draw_curves(chart, width, height, ascii_)
    if isinstance(chart, Bars):
        return draw_bars(chart, width, height, ascii_)
    if isinstance(chart, Tiles):
        return draw_tiles(chart, width, height, ascii_)
    return draw_lanes(chart, width, height, ascii_)
