"""The start screen, and how any screen is opened and left."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from paxtui.cli.outward.faults import CRASHED, CommandError, crashed

if TYPE_CHECKING:
    from paxtui.table.authority import Table


def run(args: argparse.Namespace) -> int:
    """Open the start screen."""
    return on_screen("", tables_dir=Path(args.tables) if args.tables else None)


def on_screen(
    command: str,
    table: Table | None = None,
    tables_dir: Path | None = None,
    tutorial: bool = False,
    lesson: str = "tutorial",
    replay: Path | None = None,
) -> int:
    """Play on the screen until the player leaves; the exit code.

    Args:
        command: what was asked for, for the report of a crash.
        table: the game to open; without one the start screen comes first.
        tables_dir: replacement tables for new games.
        tutorial: open the tutorial.
        lesson: which of its lessons.
        replay: a log to look at only.

    Raises:
        CommandError: there is no terminal.
    """
    need_terminal()
    from paxtui.tui.app import PaxApp

    app = PaxApp(table=table, tables_dir=tables_dir, tutorial=tutorial, lesson=lesson, replay=replay)
    app.run()
    if app.crash is not None:
        print(f"paxtui: {crashed(app.crash, command)}", file=sys.stderr)
        return CRASHED
    if app.trouble:
        print(f"paxtui: {app.trouble}", file=sys.stderr)
    return app.return_code or (1 if app.trouble else 0)


def need_terminal() -> None:
    """Make sure that there are keys to read and a screen to draw on.

    Raises:
        CommandError: there are not.
    """
    # The screen reads one of these and draws on the other.
    if not (_is_terminal(sys.__stdin__) and _is_terminal(sys.__stderr__)):
        raise CommandError("the screen needs a terminal; 'paxtui new --plain' and 'paxtui play --plain' need none")


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()
