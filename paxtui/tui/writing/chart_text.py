"""Charts as texts of the screen, in the colours and signs of its palette."""

from __future__ import annotations

from rich.text import Text

from paxtui.charts.cells import ALARM, BOLD, FAINT, KEY, ON
from paxtui.charts.chart import Chart
from paxtui.charts.drawn import draw
from paxtui.tui.writing.look import Look


def chart_text(chart: Chart, look: Look, width: int, height: int) -> Text:
    """A chart in so many cells."""
    out = Text(no_wrap=True, overflow="crop")
    rows = draw(chart, width, height, look.palette.ascii)
    for n, cells in enumerate(rows):
        for text, ink in cells:
            out.append(look.palette.text(text), _style(look, ink))
        if n < len(rows) - 1:
            out.append("\n")
    return out


def _style(look: Look, ink: str) -> str:
    """The style of an ink."""
    if not ink:
        return ""
    roles = {FAINT: look.faint, BOLD: "bold", ALARM: look.alarm, KEY: look.key, "good": look.good}
    if ink in roles:
        return roles[ink]
    if ink.startswith(ON):
        return f"{look.ink(ink.removeprefix(ON))} reverse".strip()
    return look.ink(ink)
