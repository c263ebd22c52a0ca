"""Charts in terminal cells. `draw_chart` draws any chart; plotext draws the lines.

plotext is imported with the first chart, because the import takes a tenth of a second.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from itertools import pairwise

from paxtui.charts.chart import Bar, Bars, Chart, Curves, Lane, Lanes, Series, Tile, Tiles

Piece = tuple[str, str]
"""A text, and its ink: a Power, a role ("faint", "bold", "alarm", "good", "key"), "on:" and a Power for its reversed
colour, "" for none.
"""
Cells = list[Piece]
"""A row."""

FAINT, BOLD, ALARM, KEY, ON = "faint", "bold", "alarm", "key", "on:"


def row_width(pieces: Sequence[Piece]) -> int:
    """Return the width of a row; all chart characters are one cell wide."""
    return sum(len(text) for text, _ in pieces)


def fit_row(pieces: Sequence[Piece], width: int) -> Cells:
    """Cut or pad a row to a width."""
    out: Cells = []
    left = width
    for text, ink in pieces:
        if len(text) > left >= len(text.rstrip()):
            text = text[:left]
        if len(text) > left:
            out.append((text[: max(0, left - 1)] + "…" * (left > 0), ink))
            left = 0
            break
        out.append((text, ink))
        left -= len(text)
    return [*out, (" " * left, "")] if left else out


def heading_rows(title: str, note: str, width: int) -> list[Cells]:
    """Return the rows above a chart: its title, with its note on the right or below."""
    if not note:
        return [fit_row([(title, BOLD)], width)]
    if len(title) + len(note) + 3 <= width:
        return [fit_row([(title, BOLD), ("   " + note, FAINT)], width)]
    return [fit_row([(title, BOLD)], width), fit_row([(note, FAINT)], width)]


FILLS, PLAIN_FILLS = "█▓▒░╳", "#=+.x"
"""Fillings of the parts of a bar, and the same in ASCII."""
ROOMY = 110
"""Width in cells from which names are written in full."""
ROOMIEST = 150
"""Width in cells from which each Area shows its code."""


def draw_bars(chart: Bars, width: int, height: int, ascii_: bool = False) -> list[Cells]:
    """Draw bars, one per row, with a legend and as much of the remark as fits."""
    fills = PLAIN_FILLS if ascii_ else FILLS
    out = [*heading_rows(chart.title, chart.note, width), []]
    roomy = width >= ROOMY
    name = max((len(bar.label) for bar in chart.bars), default=0)
    figures = 26 if roomy else 0
    room = max(10, width - name - 8 - figures - len(chart.parts))
    most = max([1, *(sum(abs(p.amount) for p in bar.parts) for bar in chart.bars)])
    spaced = height >= len(out) + 2 * len(chart.bars) + 4
    for bar in chart.bars:
        cells: Cells = [(f"{bar.label:<{name}}", bar.ink), (f"{bar.total:>6}  ", BOLD)]
        long = 0
        for part, amount in bar.parts:
            n = round(abs(amount) * room / most)
            # subtracted parts are drawn after the part that they reduce
            cells.append((fills[part] * (n or bool(amount)), ALARM if amount < 0 else bar.ink))
            long += n or bool(amount)
        if roomy:
            label = " ".join(f"{fills[part]}{amount}" for part, amount in bar.parts if amount)
            cells += [(" " * max(1, room - long + 1), ""), (label, FAINT)]
        out.append(fit_row(cells, width))
        if spaced:
            out.append([])
    legend: list[Cells] = [[]]
    for fill, label in zip(fills, chart.parts, strict=False):
        entry = f"{fill} {label}   "
        if sum(len(text) for text, _ in legend[-1]) + len(entry.rstrip()) > width:
            legend.append([])
        legend[-1].append((entry, FAINT))
    out += [*([] if spaced else [[]]), *legend]
    reasons = [_wrapped_reason(bar, text, width) for bar in chart.bars for text in bar.why]
    left = height - len(out) - 2
    if reasons and left > 0:
        shown = reasons
        while sum(map(len, shown)) + (len(shown) < len(reasons)) > left:
            shown = shown[:-1]
        out += [[], [("Other than by money", BOLD)], *(row for rows in shown for row in rows)]
        if len(shown) < len(reasons):
            out.append([(f"and {len(reasons) - len(shown)} more", FAINT)])
    return out


def _wrapped_reason(bar: Bar, text: str, width: int) -> list[Cells]:
    """Return the rows of a reason, which begins with the letters of the bar's Power."""
    first, *rest = textwrap.wrap(text, max(LEAST, width - len(bar.short) - 1))
    indent = " " * (len(bar.short) + 1)
    return [[(f"{bar.short} ", bar.ink), (first, "")], *([(indent + line, "")] for line in rest)]


def draw_tiles(chart: Tiles, width: int, height: int, ascii_: bool = False) -> list[Cells]:
    """Draw rows of tiles: each Area in the colour of its holder."""
    out = [*heading_rows(chart.title, chart.note, width), []]
    name = max((len(row.label) for row in chart.rows), default=0) + 2
    lengths = sorted(len(row.tiles) for row in chart.rows)
    roomy = width >= ROOMIEST
    cell = 7 if roomy else 3
    # the texts at the end form a column, except for the one region that is much longer than the others
    most = lengths[-2] if len(lengths) > 1 else 1
    spaced = height >= len(out) + 2 * len(chart.rows)
    for row in chart.rows:
        cells: Cells = [(f"{row.label:<{name}}", "")]
        for tile in row.tiles:
            cells += _tile(tile, roomy, ascii_)
        cells.append((" " * max(1, name + most * cell + 2 - row_width(cells)), ""))
        for piece in row.texts:
            if row_width(cells) + len(piece[0].rstrip()) > width:
                break
            cells.append(piece)
        out.append(fit_row(cells, width))
        if spaced:
            out.append([])
    return out


def _tile(tile: Tile, roomy: bool, ascii_: bool) -> Cells:
    """Draw an Area: the holder's letters in colour, and its code if there is room; two colours for two holders."""
    if not tile.inks:
        empty = "--" if ascii_ else "··"
        return [(f"{tile.code} {empty} " if roomy else f"{empty} ", FAINT)]
    text = f"{tile.code} {tile.letters}" if roomy else tile.letters
    half = (len(text) + 1) // 2 if len(tile.inks) > 1 else len(text)
    return [(text[:half], ON + tile.inks[0]), (text[half:], ON + tile.inks[-1]), ("'" if tile.fresh else " ", "key")]


LEAST_STEP = 3
"""Minimum width of a Game Turn on a time line, in cells."""


def draw_lanes(chart: Lanes, width: int, height: int, ascii_: bool = False) -> list[Cells]:
    """Draw a time line: one row per period, under the years."""
    out = heading_rows(chart.title, chart.note, width)
    lanes = [lane for _, _, group in chart.groups for lane in group]
    roomy = width >= ROOMY
    longest = max((len(lane.label) + 2 + sum(len(t) for t, _ in lane.who) for lane in lanes), default=20)
    text_width = min(max((len(lane.ending) for lane in lanes), default=0) + 1, 28 if roomy else 14)
    left = min(longest + 2, 58 if roomy else max(32, width - text_width - LEAST_STEP * len(chart.ticks)))
    step = max(LEAST_STEP, (width - left - text_width) // max(1, len(chart.ticks)))
    years = "".join(f"{name if step > 4 else name[2:]:<{step}}" for name in chart.ticks)
    out += [[], fit_row([(" " * left, ""), (years, FAINT)], width)]
    for title, empty, group in chart.groups:
        out.append(fit_row([(title, BOLD), (f"   {empty}" if not group else "", FAINT)], width))
        out += [_lane_row(lane, left, step, len(chart.ticks), width, ascii_) for lane in group]
        out.append([])
    if len(out) > height > 4:
        out = [*out[: height - 1], [("more with more rows: enlarge the terminal, or paxtui stats --html", FAINT)]]
    return out


def _lane_row(lane: Lane, left: int, step: int, turns: int, width: int, ascii_: bool) -> Cells:
    name, room = lane.label, left - 4 - sum(len(text) for text, _ in lane.who)
    if len(name) > room > 1:  # who was in it matters more
        name = name[: room - 1] + "…"
    label = fit_row([(f"  {name} ", ""), *lane.who], left - 1)
    last = turns - 1 if lane.end is None else lane.end
    fill = "=" if ascii_ else "━"
    row = [" "] * (turns * step)
    for x in range(lane.begin * step, (last + 1) * step - 1):
        row[x] = fill
    row[lane.begin * step] = "o" if ascii_ else "●"
    if lane.end is None:
        row[(last + 1) * step - 2] = ">" if ascii_ else "▶"
    cells: Cells = [*label, (" ", "")]
    for place, letters in lane.marks:
        x = place * step + 1
        row[x : x + 1 + len(letters)] = list(("x" if ascii_ else "✗") + letters)
    marked = {place * step + 1 + n for place, letters in lane.marks for n in range(len(letters) + 1)}
    for x, sign in enumerate(row):
        ink = ALARM if x in marked else lane.ink
        if cells[-1][1] == ink:
            cells[-1] = (cells[-1][0] + sign, ink)
        else:
            cells.append((sign, ink))
    return fit_row([*cells, (lane.ending, FAINT)], width)


FIRST_INK = 16
"""plotext colour number of the first line of a chart."""
LEAST = 4
"""Minimum number of rows of a drawing."""
GAP = 2
"""Minimum number of cells between two axis labels."""

_PAINTED = re.compile(r"\x1b\[([0-9;]*)m")


def draw_curves(chart: Curves, width: int, height: int, ascii_: bool = False) -> list[Cells]:
    """Draw a line chart.

    Args: the chart; its width and height in cells; whether to use only ASCII.
    """
    head = heading_rows(chart.title, chart.note, width)
    low, high = bounds(chart)
    names = [series.label if width >= ROOMY else series.short for series in chart.series]
    ends = [f"{one.sign} {name} {_last_value(one):.0f}" for one, name in zip(chart.series, names, strict=True)]
    right = max(map(len, ends), default=0) + 2
    left = max(len(f"{high:.0f}"), len(f"{low:.0f}")) + 2
    across, rows = max(10, width - left - right), max(LEAST, height - len(head) - 2)
    drawn = _plotted(chart, across, rows, low, high, ascii_)
    steps = {_row_of_value(value, low, high, rows): f"{value:.0f}" for value in ticks(low, high, rows)}
    limit = _row_of_value(chart.limit[0], low, high, rows) if chart.limit else -1
    order = sorted(range(len(chart.series)), key=lambda n: -_last_value(chart.series[n]))
    wanted = [_row_of_value(_last_value(chart.series[n]), low, high, rows) for n in order]
    named = dict(zip(spread_labels(wanted, 1, rows - 1), order, strict=True))
    out = head
    for y in range(rows):
        label = steps.get(y, "")
        axis = "┤" if label else "│"
        cells: Cells = [(f"{label:>{left - 2}} ", FAINT), ("|" if ascii_ else axis, FAINT)]
        row = drawn[y]
        if y == limit and chart.limit:
            row = _dashed_row(row, chart.limit[1], across)
        cells += row
        if y in named:
            series = chart.series[named[y]]
            cells += [("  ", ""), (ends[named[y]], series.ink)]
        out.append(fit_row(cells, width))
    return [*out, *_axis(chart.ticks, left, across, width, ascii_)]


def bounds(chart: Curves) -> tuple[float, float]:
    """Return the lowest and the highest value in the drawing."""
    values = [v for series in chart.series for v in series.values if v is not None]
    if chart.limit and values and max(values) >= 0.6 * chart.limit[0]:
        values.append(chart.limit[0])
    low, high = min([0.0, *values]), max([1.0, *values])
    return low, high


def ticks(low: float, high: float, rows: int) -> list[float]:
    """Return round values for the axis, at least three rows apart."""
    most = max(2, rows // 3)
    span = high - low
    step = next(s for s in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000, 10**9) if span / s <= most)
    first = int(-(-low // step))
    return [float(n * step) for n in range(first, int(high // step) + 1)]


def column(place: int, places: int, across: int) -> int:
    """Return the cell of a place on the axis."""
    return round(place * (across - 1) / max(1, places - 1))


def _last_value(series: Series) -> float:
    return next((v for v in reversed(series.values) if v is not None), 0.0)


def _row_of_value(value: float, low: float, high: float, rows: int) -> int:
    """Return the row of a value, from the top."""
    return round((high - value) * (rows - 1) / ((high - low) or 1))


def spread_labels(wanted: Iterable[float], gap: float, last: float) -> list[float]:
    """Return places of labels near the wanted ones, at least `gap` apart and up to `last`, in the same order."""
    placed: list[float] = []
    for place in wanted:
        placed.append(max(place, placed[-1] + gap) if placed else place)
    for at in reversed(range(len(placed))):
        placed[at] = min(placed[at], last)
        last = placed[at] - gap
    return placed


def _plotted(chart: Curves, across: int, rows: int, low: float, high: float, ascii_: bool) -> list[Cells]:
    """Return the rows that plotext draws, in the inks of the lines."""
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
    drawn = [fit_row(_pieces(line, inks), across) for line in text.split("\n")[:rows]]
    return drawn + [[(" " * across, "")]] * (rows - len(drawn))


def _pieces(line: str, inks: dict[int, str]) -> Cells:
    """Return a plotext row in pieces with inks instead of colour numbers."""
    ink = ""
    out: Cells = []
    for n, part in enumerate(_PAINTED.split(line)):
        if n % 2:
            number = part.rsplit(";", 1)[-1]
            ink = inks.get(int(number), "") if part.startswith("38;5;") and number.isdecimal() else ""
        elif part:
            out.append((part, ink))
    return out


def _dashed_row(row: Cells, label: str, across: int) -> Cells:
    """Return a row with a dashed line in its empty cells, and the label of the line."""
    text = "".join(part for part, _ in row)
    inks = [ink for part, ink in row for _ in part]
    blank = {" ", "⠀"}
    at = next((x for x in range(2, across - len(label)) if set(text[x - 1 : x + len(label) + 1]) <= blank), -1)
    out: Cells = []
    for x, (sign, ink) in enumerate(zip(text, inks, strict=True)):
        if at >= 0 and at <= x < at + len(label):
            out.append((label[x - at], "alarm"))
        else:
            out.append(("-", "alarm") if sign in blank and x % 2 == 0 else (sign, ink))
    return out


def _axis(names: Sequence[str], left: int, across: int, width: int, ascii_: bool) -> list[Cells]:
    """Return the axis and its labels, shortened or left out if there is no room."""
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
        fit_row([(" " * (left - 1) + corner + "".join(line), FAINT)], width),
        fit_row([("".join(words).rstrip(), FAINT)], width),
    ]


def draw_chart(chart: Chart, width: int, height: int, ascii_: bool = False) -> list[Cells]:
    """Draw a chart in rows of at most `width` cells.

    Args:
        chart: the chart.
        width, height: the room in cells; lists can be longer.
        ascii_: whether to use only ASCII.
    """
    match chart:
        case Curves():
            rows = draw_curves(chart, width, height, ascii_)
        case Bars():
            rows = draw_bars(chart, width, height, ascii_)
        case Tiles():
            rows = draw_tiles(chart, width, height, ascii_)
        case Lanes():
            rows = draw_lanes(chart, width, height, ascii_)
    return [fit_row(row, width) if row_width(row) > width else row for row in rows]
