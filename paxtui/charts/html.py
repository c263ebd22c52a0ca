"""Charts as a self-contained HTML page for light and dark mode: lines as SVG, the others as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from paxtui.charts.chart import Bars, Chart, Curves, Lane, Lanes, Tiles
from paxtui.charts.terminal import bounds, spread_labels, ticks

WIDTH, HEIGHT = 860, 380
LEFT, RIGHT, TOP, BOTTOM = 48, 190, 12, 30
"""Size and margins of a drawing, in pixels."""
LINE = 16
"""Minimum distance of labels, in pixels."""
SHADES = (1.0, 0.7, 0.5, 0.3, 1.0)
"""Opacity of the parts of a bar."""


def css_colour(ink: str) -> str:
    """Return an ink as CSS."""
    return f"var(--{ink.replace('_', '-')}, currentColor)" if ink else "currentColor"


def chart_html(chart: Chart) -> Iterator[str]:
    """Return a chart as HTML fragments."""
    yield f"<section><h2>{escape(chart.title)}</h2>"
    if chart.note:
        yield f"<p>{escape(chart.note)}</p>"
    if isinstance(chart, Curves):
        yield from _curves_svg(chart)
    elif isinstance(chart, Bars):
        yield from _bars_table(chart)
    elif isinstance(chart, Tiles):
        yield from _tiles_table(chart)
    else:
        yield from _lanes_table(chart)
    yield "</section>"


def _curves_svg(chart: Curves) -> Iterator[str]:
    low, high = bounds(chart)
    places = len(chart.ticks)

    def x(place: float) -> float:
        return LEFT + place * (WIDTH - LEFT - RIGHT) / max(1, places - 1)

    def y(value: float) -> float:
        return TOP + (high - value) * (HEIGHT - TOP - BOTTOM) / (high - low)

    yield f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(chart.title)}">'
    for value in ticks(low, high, 18):
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>'
        yield f'<text class="tick" x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.0f}</text>'
    for n, name in enumerate(chart.ticks):
        yield f'<text class="tick" x="{x(n):.1f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(name)}</text>'
    if chart.limit and chart.limit[0] <= high:
        at = y(chart.limit[0])
        yield f'<line class="limit" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>'
        yield f'<text class="limit" x="{LEFT + 6}" y="{at + 14:.1f}">{escape(chart.limit[1])}</text>'
    ends: list[tuple[float, int, float]] = []
    for n, series in enumerate(chart.series):
        there = [(place, v) for place, v in enumerate(series.values) if v is not None]
        if not there:
            continue
        points = " ".join(f"{x(place):.1f},{y(v):.1f}" for place, v in there)
        ink = css_colour(series.ink)
        yield f'<polyline points="{points}" fill="none" stroke="{ink}" stroke-width="2"/>'
        for place, v in there:
            text = escape(f"{series.label}, {chart.ticks[place]}: {v:.0f}")
            yield f'<circle cx="{x(place):.1f}" cy="{y(v):.1f}" r="3.5" fill="{ink}"><title>{text}</title></circle>'
        ends.append((y(there[-1][1]), n, there[-1][1]))
    ends.sort()
    heights = spread_labels((height for height, _, _ in ends), LINE, HEIGHT - BOTTOM)
    for at, (_, n, last) in zip(heights, ends, strict=True):
        series = chart.series[n]
        label = escape(f"{series.sign} {series.label} {last:.0f}")
        yield f'<text x="{WIDTH - RIGHT + 10}" y="{at + 4:.1f}" fill="{css_colour(series.ink)}">{label}</text>'
    yield "</svg>"


def _bars_table(chart: Bars) -> Iterator[str]:
    most = max([1, *(sum(abs(p.amount) for p in bar.parts) for bar in chart.bars)])
    yield "<table>"
    for bar in chart.bars:
        yield f'<tr><th style="color:{css_colour(bar.ink)}">{escape(bar.label)}</th><td class="n">{bar.total}</td><td>'
        for part, amount in bar.parts:
            text = escape(f"{chart.parts[part]}: {amount}")
            look = f"width:{abs(amount) * 460 / most:.1f}px;opacity:{SHADES[part]};background:"
            look += "var(--alarm)" if amount < 0 else css_colour(bar.ink)
            yield f'<span class="bar" style="{look}" title="{text}"></span>'
        text = ", ".join(f"{chart.parts[part]} {amount}" for part, amount in bar.parts)
        yield f"</td></tr><tr><td></td><td></td><td><small>{escape(text)}</small></td></tr>"
    yield "</table>"
    if any(bar.why for bar in chart.bars):
        yield "<ul>"
        for bar in chart.bars:
            for why in bar.why:
                yield f'<li><b style="color:{css_colour(bar.ink)}">{escape(bar.short)}</b> {escape(why)}</li>'
        yield "</ul>"


def _tiles_table(chart: Tiles) -> Iterator[str]:
    yield "<table>"
    for row in chart.rows:
        yield f"<tr><th>{escape(row.label)}</th><td>"
        for tile in row.tiles:
            html_text = escape(f"{tile.name}{' (since the start of the game)' if tile.fresh and tile.inks else ''}")
            stops = ", ".join(
                f"{css_colour(ink)} {100 * n // len(tile.inks)}% {100 * (n + 1) // len(tile.inks)}%"
                for n, ink in enumerate(tile.inks)
            )
            look = f' style="background:linear-gradient(90deg, {stops});color:var(--page)"' if tile.inks else ""
            yield f'<span class="tile"{look} title="{html_text}">{escape(tile.letters or "·")}</span>'
        html_text = " ".join(
            f'<span style="color:{css_colour(ink)}">{escape(text.strip())}</span>' for text, ink in row.texts
        )
        yield f"</td><td>{html_text}</td></tr>"
    yield "</table>"


def _lanes_table(chart: Lanes) -> Iterator[str]:
    years = "".join(f"<th>{escape(name)}</th>" for name in chart.ticks)
    yield f'<table class="lanes"><tr><th></th>{years}<th></th></tr>'
    for title, empty, group in chart.groups:
        text = "" if group else escape(empty)
        yield f'<tr><th>{escape(title)}</th><td colspan="{len(chart.ticks) + 1}"><small>{text}</small></td></tr>'
        for lane in group:
            yield from _lane(lane, len(chart.ticks))
    yield "</table>"


def _lane(lane: Lane, turns: int) -> Iterator[str]:
    who = "".join(f'<span style="color:{css_colour(ink)}">{escape(text)}</span>' for text, ink in lane.who)
    yield f"<tr><td>{escape(lane.label)} {who}</td>"
    last = turns - 1 if lane.end is None else lane.end
    marks = dict(lane.marks)
    for place in range(turns):
        there = lane.begin <= place <= last
        look = f' style="background:{css_colour(lane.ink)}"' if there else ""
        mark = f"✗{escape(marks[place])}" if place in marks else ""
        yield f"<td{look}>{mark}</td>"
    yield f"<td><small>{escape(lane.ending)}</small></td></tr>"


PAGE_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem;
  color: var(--ink); background: var(--page); }
h2 { margin: 2.2rem 0 .2rem; } p { margin: .2rem 0 .6rem; color: var(--faint); } small { color: var(--faint); }
svg { max-width: 100%; height: auto; font-size: 13px; } text { fill: currentColor; } .tick { fill: var(--faint); }
text[fill] { font-weight: 600; } .grid { stroke: var(--faint); opacity: .25; }
line.limit { stroke: var(--alarm); stroke-dasharray: 5 4; } text.limit { fill: var(--alarm); }
table { border-collapse: collapse; margin: .6rem 0; } th { text-align: left; font-weight: 600; padding-right: 1rem; }
td { padding: .1rem .3rem; } .n { text-align: right; font-weight: 700; } td + td, th + th { vertical-align: top; }
.bar { display: inline-block; height: 1.1em; vertical-align: middle; }
.tile { display: inline-block; width: 2.1em; margin: 1px; text-align: center; font-size: 13px; border-radius: 2px;
  border: 1px solid var(--faint); }
.lanes td { min-width: 3rem; } .report td, .report th { border-bottom: 1px solid var(--faint); padding: .2rem .8rem; }
.report td + td, .report th + th { text-align: right; }
"""


CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Content Security Policy of the page: no scripts, no external resources."""


def render_page(
    title: str,
    body_html: Iterable[str],
    charts: Iterable[Chart],
    day: Mapping[str, str],
    night: Mapping[str, str],
    after: Iterable[str] = (),
    style: str = "",
) -> str:
    """Return the page.

    Args: its title; HTML before the charts; the charts; the colour of each ink for light and dark mode; HTML after the
        charts; extra CSS. The page loads and runs nothing, whatever the texts contain.
    """
    pieces = (piece for chart in charts for piece in chart_html(chart))
    body = "\n".join([f"<h1>{escape(title)}</h1>", *body_html, *pieces, *after])
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/><title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_POLICY}"/>\n'
        f"<style>:root {{ {_colour_variables(day)} }}\n@media (prefers-color-scheme: dark) "
        f"{{ :root {{ {_colour_variables(night)} }} }}\n"
        f"{PAGE_STYLE}{style}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _colour_variables(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{name.replace('_', '-')}: {value};" for name, value in colours.items())
