"""Lines over the years in cells: plotext draws them, axes and labels stand around them.

plotext takes a tenth of a second to be imported: that is done with the first chart, and not before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from paxtui.charts.cells import FAINT, Cells, fitted, heading
from paxtui.charts.chart import Curves, Series

FIRST_INK = 16
"""plotext paints by number: the first line of a chart has this one."""
LEAST = 4
"""Rows that a drawing has at least."""
GAP = 2
"""Cells between two words below the axis, at least."""

_PAINTED = re.compile(r"\x1b\[([0-9;]*)m")


def draw_curves(chart: Curves, width: int, height: int, ascii_: bool = False) -> list[Cells]:
    """A chart of lines in so many cells. Args: the chart; the room for it; whether its signs are plain ASCII."""
    head = heading(chart.title, chart.note, width)
    low, high = bounds(chart)
    roomy = width >= 110
    ends = {n: _end(series, roomy) for n, series in enumerate(chart.series)}
    right = max((len(text) for text in ends.values()), default=0) + 2
    left = max(len(f"{high:.0f}"), len(f"{low:.0f}")) + 2
    across, rows = max(10, width - left - right), max(LEAST, height - len(head) - 2)
    drawn = _plotted(chart, across, rows, low, high, ascii_)
    steps = {_row(value, low, high, rows): f"{value:.0f}" for value in ticks(low, high, rows)}
    limit = _row(chart.limit[0], low, high, rows) if chart.limit else -1
    order = sorted(range(len(chart.series)), key=lambda n: -_last(chart.series[n]))
    named = _spread({n: _row(_last(chart.series[n]), low, high, rows) for n in order}, rows)
    out = head
    for y in range(rows):
        label = steps.get(y, "")
        axis = "┤" if label else "│"
        cells: Cells = [(f"{label:>{left - 2}} ", FAINT), ("|" if ascii_ else axis, FAINT)]
        row = drawn[y]
        if y == limit and chart.limit:
            row = _under(row, chart.limit[1], across)
        cells += row
        if y in named:
            series = chart.series[named[y]]
            cells += [("  ", ""), (ends[named[y]], series.ink)]
        out.append(fitted(cells, width))
    return [*out, *_axis(chart.ticks, left, across, width, ascii_)]


def bounds(chart: Curves) -> tuple[float, float]:
    """The least and the greatest height that the drawing has room for."""
    values = [v for series in chart.series for v in series.values if v is not None]
    if chart.limit and values and max(values) >= 0.6 * chart.limit[0]:
        values.append(chart.limit[0])
    low, high = min([0.0, *values]), max([1.0, *values])
    return low, high


def ticks(low: float, high: float, rows: int) -> list[float]:
    """Round heights, not nearer to each other than three rows."""
    most = max(2, rows // 3)
    span = high - low
    step = next(s for s in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000, 10**9) if span / s <= most)
    first = int(-(-low // step))
    return [float(n * step) for n in range(first, int(high // step) + 1)]


def column(place: int, places: int, across: int) -> int:
    """The cell of a place on the axis."""
    return round(place * (across - 1) / max(1, places - 1))


def _end(series: Series, roomy: bool) -> str:
    return f"{series.sign} {series.label if roomy else series.short} {_last(series):.0f}"


def _last(series: Series) -> float:
    """The last value of a line."""
    return next((v for v in reversed(series.values) if v is not None), 0.0)


def _row(value: float, low: float, high: float, rows: int) -> int:
    """The row of a height, from the top."""
    return round((high - value) * (rows - 1) / ((high - low) or 1))


def _spread(wanted: dict[int, int], rows: int) -> dict[int, int]:
    """A row for each label, as near to the one it wants as there is room: row -> label. They come in their order."""
    placed: list[int] = []
    for n in wanted:
        placed.append(max(wanted[n], placed[-1] + 1 if placed else 0))
    floor = rows - 1
    for at in range(len(placed) - 1, -1, -1):
        placed[at] = min(placed[at], floor)
        floor = placed[at] - 1
    return dict(zip(placed, wanted, strict=True))


def _plotted(chart: Curves, across: int, rows: int, low: float, high: float, ascii_: bool) -> list[Cells]:
    """What plotext draws, row by row, in the inks of the lines."""
    import plotext

    plotext.clear_figure()
    plotext.theme("clear")
    plotext.limit_size(False, False)
    plotext.plotsize(across, rows)
    plotext.frame(False)
    plotext.xticks([])
    plotext.yticks([])
    plotext.xlim(0, max(1, len(chart.ticks) - 1))
    plotext.ylim(low, high)
    inks: dict[int, str] = {}
    for n, series in enumerate(chart.series):
        inks[FIRST_INK + n] = series.ink
        there = [(float(x), y) for x, y in enumerate(series.values) if y is not None]
        xs, ys = [x for x, _ in there], [y for _, y in there]
        if len(xs) > 1:
            plotext.plot(xs, ys, marker="." if ascii_ else "braille", color=FIRST_INK + n)
        plotext.scatter(xs, ys, marker=series.sign, color=FIRST_INK + n)
    text = plotext.build()
    drawn = [fitted(_pieces(line, inks), across) for line in text.split("\n")[:rows]]
    return drawn + [[(" " * across, "")]] * (rows - len(drawn))


def _pieces(line: str, inks: dict[int, str]) -> Cells:
    """A row of plotext's in pieces: its numbers of colours are inks again."""
    ink = ""
    out: Cells = []
    for n, part in enumerate(_PAINTED.split(line)):
        if n % 2:
            number = part.rsplit(";", 1)[-1]
            ink = inks.get(int(number), "") if part.startswith("38;5;") and number.isdecimal() else ""
        elif part:
            out.append((part, ink))
    return out


def _under(row: Cells, said: str, across: int) -> Cells:
    """A row with a line of dashes where nothing is drawn, and what it means."""
    text = "".join(part for part, _ in row)
    inks = [ink for part, ink in row for _ in part]
    blank = {" ", "⠀"}
    at = next((x for x in range(2, across - len(said)) if set(text[x - 1 : x + len(said) + 1]) <= blank), -1)
    out: Cells = []
    for x, (sign, ink) in enumerate(zip(text, inks, strict=True)):
        if at >= 0 and at <= x < at + len(said):
            out.append((said[x - at], "alarm"))
        else:
            out.append(("-", "alarm") if sign in blank and x % 2 == 0 else (sign, ink))
    return out


def _axis(names: Sequence[str], left: int, across: int, width: int, ascii_: bool) -> list[Cells]:
    """The two rows below: the axis, and what stands below its places, shorter or left out where there is no room."""
    at = [column(n, len(names), across) for n in range(len(names))]
    line = ["-" if ascii_ else "─"] * across
    for x in at:
        line[x] = "+" if ascii_ else "┴"
    room = min((b - a for a, b in pairwise(at)), default=across)
    shown = list(names)
    if room < max(map(len, names), default=0) + GAP - 1:
        shown = [f"'{name[2:]}" if len(name) == 4 and name.isdecimal() else name for name in names]
    words = [" "] * (across + left + 8)
    last = -GAP
    for x, name in zip(at, shown, strict=True):
        begin = max(0, left + x - len(name) // 2)
        if begin >= last + (1 if last > 0 else 0):
            words[begin : begin + len(name)] = name
            last = begin + len(name)
    corner = "+" if ascii_ else "└"
    return [
        fitted([(" " * (left - 1) + corner + "".join(line), FAINT)], width),
        fitted([("".join(words).rstrip(), FAINT)], width),
    ]
