"""What a person is told when a command cannot do what it was asked, and what is kept of a mistake of the program."""

from __future__ import annotations

import platform
import traceback
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from paxtui import __version__

CRASHED = 70
"""The exit code after a mistake of the program."""

MOST_REPORTS = 20
"""Reports of crashes that are kept."""


class CommandError(Exception):
    """A command cannot do what it was asked; the message says what, where, and what would be right."""


def explain(error: Exception) -> str | None:
    """The message for a person, or None for an error that is our own mistake."""
    from paxtui.engine.log import BrokenLog
    from paxtui.engine.refusal import Refusal
    from paxtui.table.disk.files import StoreError, describe_error
    from paxtui.table.tables import TableError

    if isinstance(error, Refusal):
        rules = f" [{', '.join(error.rules)}]" if error.rules else ""
        return f"{error.message}{rules}"
    if isinstance(error, CommandError | BrokenLog | StoreError | TableError):
        return str(error)
    if isinstance(error, OSError):
        return describe_error(error)
    return None


# --- crashes ----------------------------------------------------------------------------------------------------------


def crashed(error: BaseException, command: str) -> str:
    """Keep a report of a mistake of the program; what a person is told.

    Args:
        error: what happened.
        command: the name of the command, without what was given to it.
    """
    told = "a mistake of the program ended it; every act that was accepted is in the file of its game"
    try:
        path = _keep(_report(error, command))
    except OSError as failed:
        return f"{told}. No report could be written ({explain(failed)})"
    return f"{told}. A report of where it happened, with nothing of the game in it, is in {path}"


def _report(error: BaseException, command: str) -> str:
    """Where in the code it happened. Neither messages nor values: they could tell of seeds, Treaties or positions."""
    lines = [
        f"paxtui {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"command: {command or 'none'}",
    ]
    for one in _chain(error):
        lines.append(f"{type(one).__module__}.{type(one).__qualname__}")
        frames = traceback.extract_tb(one.__traceback__)
        lines += [f"  {_place(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]
    return "\n".join(lines) + "\n"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and what led to it, the last first."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _place(name: str) -> str:
    """A file of code by its name inside its package; nothing of where it is installed."""
    parts = Path(name).parts
    for root in ("site-packages", "paxtui"):
        if root in parts:
            at = len(parts) - 1 - parts[::-1].index(root)
            return "/".join(parts[at + (root == "site-packages") :])
    return parts[-1] if parts else "?"


def _keep(report: str) -> Path:
    """Write a report for its owner's eyes; old ones go. Raises: OSError."""
    from paxtui.table.disk.files import write_new
    from paxtui.table.disk.resources import player_data

    directory = player_data() / "crashes"
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    for n in count(1):
        path = directory / f"crash-{stamp}{f'-{n}' if n > 1 else ''}.txt"
        with suppress(FileExistsError):
            write_new(path, report.encode())
            break
    for old in sorted(directory.glob("crash-*.txt"))[:-MOST_REPORTS]:
        with suppress(OSError):
            old.unlink()
    return path
