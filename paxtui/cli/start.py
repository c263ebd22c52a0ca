"""Open the start screen or another screen, and run it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from paxtui.cli.runtime import need_terminal, run_app

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.screen import Screen

    from paxtui.cli.hosting.launcher import ServerLauncher
    from paxtui.cli.mail.screens import MailGames
    from paxtui.session.pax_host import PaxHost


def run_start_screen(args: argparse.Namespace) -> int:
    return play_on_screen("", tables_dir=Path(args.tables) if args.tables else None)


def play_on_screen(
    command: str,
    table: PaxHost | None = None,
    tables_dir: Path | None = None,
    tutorial: bool = False,
    lesson: str = "tutorial",
    replay: Path | None = None,
    only: Callable[[], Screen[None]] | None = None,
) -> int:
    """Play on the screen until the player leaves; return the exit code.

    Args:
        command: the command, for crash reports.
        table: the game to open; None for the start screen.
        tables_dir: replacement tables for new games.
        tutorial: open the tutorial.
        lesson: one of its lessons.
        replay: a log to replay.
        only: factory of a single screen.

    Raises:
        CommandError: there is no terminal.
    """
    need_terminal()
    from paxtui.tui.app import PaxApp

    app = PaxApp(
        table=table, tables_dir=tables_dir, tutorial=tutorial, lesson=lesson, replay=replay, hosting=_server_launcher,
        mail=_mail_games, only=only, share_page=_share_page,
    )  # fmt: skip
    code = run_app(app, command)
    if app.enters_lobby and app.crash is None:
        from paxtui.cli.hosting.admin import ask_hub
        from paxtui.cli.hosting.remote_screen import open_lobby

        server_dir = _server_launcher().data_directory
        return open_lobby(server_dir.socket, ask_hub(server_dir, "lobby")["ticket"], "join")
    return code


def _server_launcher() -> ServerLauncher:
    """Return the launcher of the player's server; its modules are imported on use."""
    from paxtui.cli.hosting.launcher import ServerLauncher

    return ServerLauncher()


def _share_page(log: Path, viewpoint: str, output: Path, study: Path | None) -> int:
    """Write the page of a game; its modules are imported on use."""
    from paxtui.cli.share import write_page

    return write_page(log, viewpoint, output, study)


def _mail_games() -> MailGames:
    """Return the opener of mail games; its modules are imported on use."""
    from paxtui.cli.mail.screens import MailGames

    return MailGames()
