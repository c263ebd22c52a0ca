"""Bars, tiles and time lines in cells."""

from __future__ import annotations

from paxtui.charts.cells import ALARM, BOLD, FAINT, ON, Cells, fitted, heading, wide
from paxtui.charts.chart import Bars, Lane, Lanes, Tile, Tiles

FILLS, PLAIN_FILLS = "█▓▒░╳", "#=+.x"
"""What the parts of a bar are filled with, and the same in ASCII."""
ROOMY = 110
"""Cells from which names are written out."""
ROOMIEST = 150
"""Cells from which every Area has its code."""


def draw_bars(chart: Bars, width: int, height: int, ascii_: bool = False) -> list[Cells]:
    """Bars, a row each; below them what the parts are, and as much of why as there is room for."""
    fills = PLAIN_FILLS if ascii_ else FILLS
    out = [*heading(chart.title, chart.note, width), []]
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
            # what is taken away stands behind what it is taken from
            cells.append((fills[part] * (n or bool(amount)), ALARM if amount < 0 else bar.ink))
            long += n or bool(amount)
        if roomy:
            said = " ".join(f"{fills[part]}{amount}" for part, amount in bar.parts if amount)
            cells += [(" " * max(1, room - long + 1), ""), (said, FAINT)]
        out.append(fitted(cells, width))
        if spaced:
            out.append([])
    legend: list[Cells] = [[]]
    for fill, said in zip(fills, chart.parts, strict=False):
        entry = f"{fill} {said}   "
        if sum(len(text) for text, _ in legend[-1]) + len(entry.rstrip()) > width:
            legend.append([])
        legend[-1].append((entry, FAINT))
    out += [*([] if spaced else [[]]), *legend]
    why = [(bar.ink, bar.short, text) for bar in chart.bars for text in bar.why]
    left = height - len(out) - 2
    if why and left > 0:
        shown = why if len(why) <= left else why[: left - 1]
        out += [[], [("Other than by money", BOLD)]]
        out += [fitted([(f"{short} ", ink), (text, "")], width) for ink, short, text in shown]
        if len(shown) < len(why):
            out.append([(f"and {len(why) - len(shown)} more", FAINT)])
    return out


def draw_tiles(chart: Tiles, width: int, height: int, ascii_: bool = False) -> list[Cells]:
    """Rows of tiles: every Area in the colour of who holds it."""
    out = [*heading(chart.title, chart.note, width), []]
    name = max((len(row.label) for row in chart.rows), default=0) + 2
    lengths = sorted(len(row.tiles) for row in chart.rows)
    roomy = width >= ROOMIEST
    cell = 7 if roomy else 3
    # what is said stands in a column, but for the one region that is longer than all others
    most = lengths[-2] if len(lengths) > 1 else 1
    spaced = height >= len(out) + 2 * len(chart.rows)
    for row in chart.rows:
        cells: Cells = [(f"{row.label:<{name}}", "")]
        for tile in row.tiles:
            cells += _tile(tile, roomy, ascii_)
        cells.append((" " * max(1, name + most * cell + 2 - wide(cells)), ""))
        for piece in row.said:
            if wide(cells) + len(piece[0].rstrip()) > width:
                break
            cells.append(piece)
        out.append(fitted(cells, width))
        if spaced:
            out.append([])
    return out


def _tile(tile: Tile, roomy: bool, ascii_: bool) -> Cells:
    """An Area: the letters of who holds it, in his colour, and its code in enough room; in two where two share it."""
    if not tile.inks:
        nobody = "--" if ascii_ else "··"
        return [(f"{tile.code} {nobody} " if roomy else f"{nobody} ", FAINT)]
    text = f"{tile.code} {tile.letters}" if roomy else tile.letters
    half = (len(text) + 1) // 2 if len(tile.inks) > 1 else len(text)
    return [(text[:half], ON + tile.inks[0]), (text[half:], ON + tile.inks[-1]), ("'" if tile.fresh else " ", "key")]


def draw_lanes(chart: Lanes, width: int, height: int, ascii_: bool = False) -> list[Cells]:
    """A time line: a row for each thing that lasted, under the years."""
    out = heading(chart.title, chart.note, width)
    lanes = [lane for _, _, group in chart.groups for lane in group]
    roomy = width >= ROOMY
    longest = max((len(lane.label) + 2 + sum(len(t) for t, _ in lane.who) for lane in lanes), default=20)
    left = min(longest + 2, 58 if roomy else 32)
    said = min(max((len(lane.said) for lane in lanes), default=0) + 1, 28 if roomy else 14)
    step = max(3, (width - left - said) // max(1, len(chart.ticks)))
    years = "".join(f"{name if step > 4 else name[2:]:<{step}}" for name in chart.ticks)
    out += [[], fitted([(" " * left, ""), (years, FAINT)], width)]
    for title, empty, group in chart.groups:
        out.append(fitted([(title, BOLD), (f"   {empty}" if not group else "", FAINT)], width))
        out += [_lane(lane, left, step, len(chart.ticks), width, ascii_) for lane in group]
        out.append([])
    if len(out) > height > 4:
        out = [*out[: height - 1], [("more with more rows: enlarge the terminal, or paxtui stats --html", FAINT)]]
    return out


def _lane(lane: Lane, left: int, step: int, turns: int, width: int, ascii_: bool) -> Cells:
    label = fitted([(f"  {lane.label} ", ""), *lane.who], left - 1)
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
    return fitted([*cells, (lane.said, FAINT)], width)
