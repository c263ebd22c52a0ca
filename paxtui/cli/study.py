"""The command `study`."""

from __future__ import annotations

import argparse
from pathlib import Path

from paxtui.cli.runtime import need_terminal
from paxtui.cli.start import play_on_screen
from paxtui.tui.study.screen import study_screen

STUDY_USAGE = """Open a log with notes of your own beside it: comments, marks, arrows on the map, and branches.

examples:
  paxtui study game.jsonl                  the notes are kept in game.study; the log never changes
  paxtui study game.jsonl --at 200         at this line
  paxtui study game.study                  the first chapter of a study
  paxtui study game.jsonl --seat france    a game that is not over, as France sees it
"""


def study_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("file", metavar="FILE", help="a saved game, or a study")
    part.add_argument("--seat", default="", metavar="SEAT", help="the seat whose view you study, in a game not over")
    part.add_argument("--at", type=int, default=0, metavar="N", help="show this line of the full log first")


def run_study(args: argparse.Namespace) -> int:
    """Open the study; report errors before the screen opens."""
    screen = study_screen(Path(args.file), args.seat, args.at)
    try:
        need_terminal()
        return play_on_screen("study", only=lambda: screen)
    finally:
        screen.session.book.close()
