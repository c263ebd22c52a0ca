"""The start screen, and how any screen is opened and left."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from paxtui.cli.outward.screens import shown
from paxtui.cli.outward.terminal import need_terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.screen import Screen

    from paxtui.cli.hosting.keeper import HouseKeeper
    from paxtui.cli.postal.opened import MailGames
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
    only: Callable[[], Screen[None]] | None = None,
) -> int:
    """Play on the screen until the player leaves; the exit code.

    Args:
        command: what was asked for, for the report of a crash.
        table: the game to open; without one the start screen comes first.
        tables_dir: replacement tables for new games.
        tutorial: open the tutorial.
        lesson: which of its lessons.
        replay: a log to look at only.
        only: makes the one screen that is wanted.

    Raises:
        CommandError: there is no terminal.
    """
    need_terminal()
    from paxtui.tui.app import PaxApp

    app = PaxApp(
        table=table, tables_dir=tables_dir, tutorial=tutorial, lesson=lesson, replay=replay, keeper=_keeper,
        mail=_mail, only=only,
    )  # fmt: skip
    code = shown(app, command)
    if app.enters_house and app.crash is None:
        from paxtui.cli.hosting.house import ask_hub
        from paxtui.cli.hosting.screen import visit

        house = _keeper().house
        return visit(house.socket, ask_hub(house, "lobby")["ticket"], "join")
    return code


def _keeper() -> HouseKeeper:
    """Who keeps the player's house; whatever belongs to it is imported when it is wanted."""
    from paxtui.cli.hosting.keeper import HouseKeeper

    return HouseKeeper()


def _mail() -> MailGames:
    """What opens mail games; whatever belongs to it is imported when it is wanted."""
    from paxtui.cli.postal.opened import MailGames

    return MailGames()
