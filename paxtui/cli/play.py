"""Continue a saved game.

examples:
  paxtui play                          the last game
  paxtui play ~/game.jsonl             that one
  paxtui play theirs.jsonl --replay    look at it from its first line on; nothing is written
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `play`."""
    part.add_argument("file", nargs="?", metavar="FILE", help="a saved game (default: the last one)")
    part.add_argument("--replay", action="store_true", help="look at it only: no lock is taken and nothing is written")
    part.add_argument("--plain", action="store_true", help="line by line, for screen readers, logs and slow links")


def run(args: argparse.Namespace) -> int:
    """Open the game; a broken log is told before the screen is taken."""
    from paxtui.cli.outward.faults import CommandError
    from paxtui.cli.outward.terminal import need_terminal
    from paxtui.cli.start import on_screen
    from paxtui.engine.log import FIRST_RULEBOOK
    from paxtui.table.authority import Table
    from paxtui.table.disk.files import open_regular
    from paxtui.table.disk.store import rulebook_of, save_dir
    from paxtui.table.games.saves import latest_first, list_games

    if args.file:
        path = Path(args.file)
    else:
        games = list_games(save_dir())
        if not games:
            raise CommandError("there is no saved game yet: paxtui new makes one")
        path = latest_first(games)[0].path
    if rulebook_of(path) != FIRST_RULEBOOK:
        from paxtui.cli.exercises.begin import go_on

        return go_on(path, replay=args.replay, plain=args.plain)
    if args.plain:
        from paxtui.cli.plain.stream import run_game

        return run_game(path, replay=args.replay)
    os.close(open_regular(path))  # a name that leads nowhere, or to no file, is told before a terminal that is missing
    need_terminal()
    if args.replay:
        return on_screen("play", replay=path)
    with Table.open(path) as table:
        return on_screen("play", table)
