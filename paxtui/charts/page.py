"""A page of HTML by itself: charts one under the other, in the colours of the day and of the night."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from paxtui.charts.chart import Chart
from paxtui.charts.svg import drawn

STYLE = """
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


SEALED_OFF = "default-src 'none'; style-src 'unsafe-inline'"
"""What a page may do: show itself."""


def page(
    title: str,
    said: Iterable[str],
    charts: Iterable[Chart],
    day: Mapping[str, str],
    night: Mapping[str, str],
    after: Iterable[str] = (),
    style: str = "",
) -> str:
    """The page.

    Args: its title; pieces of HTML that stand first; the charts; the colour of each ink by day and by night; pieces
        that stand last; more of its style sheet. Nothing on it is fetched or run, whatever a text may say.
    """
    pieces = (piece for chart in charts for piece in drawn(chart))
    body = "\n".join([f"<h1>{escape(title)}</h1>", *said, *pieces, *after])
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/><title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{SEALED_OFF}"/>\n'
        f"<style>:root {{ {_inks(day)} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {_inks(night)} }} }}\n"
        f"{STYLE}{style}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _inks(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{name.replace('_', '-')}: {value};" for name, value in colours.items())
