"""Charts printed on a terminal, in its colours and its signs; without colours where the output is none."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from io import StringIO

from rich.console import Console
from rich.text import Text

from paxtui.charts.chart import Chart
from paxtui.cli.outward.outlet import clean
from paxtui.tui.colours.palette import palette_of
from paxtui.tui.writing.chart_text import chart_text
from paxtui.tui.writing.look import Look

ROWS = 24
"""Rows of a chart."""
WIDEST = 160


def printed(said: str, charts: Iterable[Chart]) -> None:
    """Print charts one below the other, after a sentence, in colours where the output is a terminal that wants them."""
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    text = as_text(said, charts, colour)
    if colour:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())  # past the outlet, which lets no colours through
        sys.stdout.buffer.flush()
    else:
        print(text, end="")


def as_text(said: str, charts: Iterable[Chart], colour: bool = False) -> str:
    """Charts one below the other, after a sentence; no text in them can steer a terminal.

    Args: the sentence; the charts; whether they are in colours.
    """
    width = min(shutil.get_terminal_size((100, ROWS)).columns, WIDEST)
    look = Look(palette_of("dark" if colour else "mono", not shows_signs(sys.stdout.encoding)))
    out = StringIO()
    console = Console(file=out, width=width, force_terminal=colour, color_system="truecolor" if colour else None)
    if said:
        console.print(look.signs(Text(said)))
    for chart in charts:
        console.print()
        text = chart_text(chart, look, width - 1, ROWS)
        text.plain = "\n".join(map(clean, text.plain.split("\n")))
        console.print(text, soft_wrap=True)
    return "\n".join(line.rstrip() for line in out.getvalue().split("\n"))


def shows_signs(encoding: str | None) -> bool:
    """Whether an output of this encoding takes the signs of maps and charts; else they are those of plain ASCII."""
    try:
        return bool("⣿◆£".encode(encoding or "ascii"))
    except (UnicodeEncodeError, LookupError):
        return False
