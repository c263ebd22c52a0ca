"""A bar that says how far a long command is, on the terminal of its errors; nothing where that is none."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import TimeRemainingColumn as TimeLeft


class Bar:
    """How far a command is."""

    def __init__(self, progress: Progress | None, task: TaskID | None) -> None:
        self._progress, self._task = progress, task

    def on(self, said: str = "") -> None:
        """One step further, with a word about it."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, advance=1, said=said)


@contextmanager
def bar(what: str, steps: int, done: int = 0, shown: bool = True) -> Iterator[Bar]:
    """A bar for so many steps.

    Args: what they are called; how many there are; how many are done already; whether it is wanted at all.
    """
    stream = sys.__stderr__  # not the outlet, which lets nothing through that moves the cursor
    if not shown or stream is None or not sys.stderr.isatty():
        yield Bar(None, None)
        return
    times = (TimeElapsedColumn(), TextColumn("gone,"), TimeLeft(), TextColumn("left {task.fields[said]}"))
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn(what), *times)
    with Progress(*columns, console=Console(file=stream)) as progress:
        yield Bar(progress, progress.add_task(what, total=steps, completed=done, said=""))
