"""The report of a run as one page of HTML that needs nothing else: its tables, and its curves drawn in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from statistics import fmean, quantiles

from paxtui.arena.match import Outcome
from paxtui.arena.report import report

WIDTH, HEIGHT, MARGIN = 640, 260, 36
"""Of a curve, in pixels."""

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; } td, th { border-bottom: 1px solid #ccc; padding: .2rem .8rem; }
td + td, th + th { text-align: right; } svg { max-width: 100%; height: auto; } figcaption { color: #555; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } td, th { border-color: #444; } }
"""


def page(outcomes: Sequence[Outcome]) -> str:
    """The page of a run."""
    over = [outcome for outcome in outcomes if not outcome.error]
    parts = [*_text(report(outcomes))]
    if over:
        parts += _curve("European Tensions at the end of each Game Turn", [o.tension for o in over])
        parts += _curve("Chinese Resentment at the end of each Game Turn", [o.resentment for o in over])
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Games without a screen</title>\n'
        f"<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _text(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a report as HTML: headings, tables, lists and paragraphs."""
    open_ = ""
    for line in lines:
        wanted = "table" if line.startswith("|") else "ul" if line.startswith("- ") else ""
        if open_ and wanted != open_:
            yield f"</{open_}>"
        if wanted and wanted != open_:
            yield f"<{wanted}>"
        fresh, open_ = wanted != open_, wanted
        if line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            yield f"<h{level}>{escape(line.lstrip('# '))}</h{level}>"
        elif wanted == "table":
            if not line.startswith("|---"):
                cell = "th" if fresh else "td"
                cells = (part.strip() for part in line.strip("|").split("|"))
                yield "<tr>" + "".join(f"<{cell}>{escape(part)}</{cell}>" for part in cells) + "</tr>"
        elif wanted == "ul":
            yield f"<li>{escape(line[2:])}</li>"
        elif line:
            yield f"<p>{escape(line)}</p>"
    if open_:
        yield f"</{open_}>"


def _curve(title: str, runs: Sequence[Sequence[int]]) -> Iterator[str]:
    """A curve of the mean over the games, with the middle half of them behind it."""
    turns = range(max(len(run) for run in runs))
    columns = [[run[turn] for run in runs if len(run) > turn] for turn in turns]
    means = [fmean(column) for column in columns]
    halves = [tuple(quantiles(column, n=4)[::2]) if len(column) > 1 else (column[0],) * 2 for column in columns]
    top = max(1.0, *(high for _, high in halves), *means)

    def point(turn: int, value: float) -> str:
        x = MARGIN + turn * (WIDTH - 2 * MARGIN) / max(1, len(turns) - 1)
        y = HEIGHT - MARGIN - value * (HEIGHT - 2 * MARGIN) / top
        return f"{x:.1f},{y:.1f}"

    band = [point(n, high) for n, (_, high) in enumerate(halves)]
    band += [point(n, low) for n, (low, _) in reversed(list(enumerate(halves)))]
    yield f'<figure><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
    yield f'<polygon points="{" ".join(band)}" fill="#4a7fb5" opacity="0.25"/>'
    line = " ".join(point(n, mean) for n, mean in enumerate(means))
    yield f'<polyline points="{line}" fill="none" stroke="#4a7fb5" stroke-width="2"/>'
    for value in (0, top / 2, top):
        x, y = point(0, value).split(",")
        yield f'<text x="4" y="{y}" font-size="12" fill="currentColor">{value:.0f}</text>'
        yield f'<line x1="{x}" y1="{y}" x2="{WIDTH - MARGIN}" y2="{y}" stroke="currentColor" opacity="0.2"/>'
    for turn in turns:
        x = point(turn, 0).split(",")[0]
        yield f'<text x="{x}" y="{HEIGHT - 12}" font-size="12" fill="currentColor">{turn + 1}</text>'
    yield f"</svg><figcaption>{escape(title)}: the mean, and the middle half of the games</figcaption></figure>"
