"""Charts and progress bars on a terminal, and the palette colours for HTML pages."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import StringIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import TimeRemainingColumn as TimeLeft
from rich.text import Text

from paxtui.charts.chart import Chart
from paxtui.cli.runtime import clean_line
from paxtui.tui.colors import PALETTES, POWERS, palette_of
from paxtui.tui.formatting.look import Look
from paxtui.tui.formatting.reports import chart_text


class ProgressBar:
    """The progress of a command."""

    def __init__(self, progress: Progress | None, task: TaskID | None) -> None:
        self._progress, self._task = progress, task

    def on(self, said: str = "") -> None:
        """Advance by one step, with a note."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, advance=1, said=said)


@contextmanager
def progress_bar(what: str, steps: int, done: int = 0, shown: bool = True) -> Iterator[ProgressBar]:
    """Return a progress bar on standard error; none if that is no terminal.

    Args: the name of the steps; their number; how many are done; whether the bar is wanted.
    """
    stream = sys.__stderr__  # not the safe stream, which removes cursor movements
    if not shown or stream is None or not sys.stderr.isatty():
        yield ProgressBar(None, None)
        return
    times = (TimeElapsedColumn(), TextColumn("gone,"), TimeLeft(), TextColumn("left {task.fields[said]}"))
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn(what), *times)
    with Progress(*columns, console=Console(file=stream)) as progress:
        yield ProgressBar(progress, progress.add_task(what, total=steps, completed=done, said=""))


CHART_ROWS = 24
"""Height of a chart, in rows."""
WIDEST_CHART = 160


def print_charts(heading: str, charts: Iterable[Chart]) -> None:
    """Print charts below a heading, in colour if the output is a terminal that supports it."""
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    text = charts_text(heading, charts, colour)
    if colour:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())  # not the safe stream, which removes colours
        sys.stdout.buffer.flush()
    else:
        print(text, end="")


def charts_text(heading: str, charts: Iterable[Chart], colour: bool = False) -> str:
    """Return charts below a heading, without control characters from their texts.

    Args: the heading; the charts; whether to use colours.
    """
    width = min(shutil.get_terminal_size((100, CHART_ROWS)).columns, WIDEST_CHART)
    look = Look(palette_of("dark" if colour else "mono", not supports_symbols(sys.stdout.encoding)))
    out = StringIO()
    console = Console(file=out, width=width, force_terminal=colour, color_system="truecolor" if colour else None)
    if heading:
        console.print(look.signs(Text(heading)))
    for chart in charts:
        console.print()
        text = chart_text(chart, look, width - 1, CHART_ROWS)
        text.plain = "\n".join(map(clean_line, text.plain.split("\n")))
        console.print(text, soft_wrap=True)
    return "\n".join(line.rstrip() for line in out.getvalue().split("\n"))


def supports_symbols(encoding: str | None) -> bool:
    """Whether this encoding has the symbols of maps and charts; otherwise ASCII is used."""
    try:
        return bool("⣿◆£".encode(encoding or "ascii"))
    except (UnicodeEncodeError, LookupError):
        return False


def page_colours(name: str) -> dict[str, str]:
    """Return the colours of a palette by their names in charts. Args: the palette's name."""
    palette = PALETTES[name]
    powers = {power: palette.ink(power) for power in (*POWERS, "chinese_empire", "ottoman_empire")}
    roles = {role: palette.ink(role) for role in ("alarm", "good", "faint")}
    ground = {"page": palette.sea, "ink": palette.accent, "key": palette.lit}
    return {**powers, **roles, **ground}
