"""Learn the game by playing a first turn, or how a War is fought, with a prompt for every step.

examples:
  paxtui tutorial                      about ten minutes; q leaves at any time
  paxtui tutorial war                  the second lesson: a War of two cycles
"""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `tutorial`."""
    part.add_argument("lesson", nargs="?", choices=("turn", "war"), default="turn", help="which lesson (default: turn)")


def run(args: argparse.Namespace) -> int:
    """Open the tutorial; what stands in its way is told before the screen is taken."""
    from paxtui.cli.start import on_screen

    lesson = "war" if args.lesson == "war" else "tutorial"
    return on_screen("tutorial", tables_dir=Path(args.tables) if args.tables else None, tutorial=True, lesson=lesson)
