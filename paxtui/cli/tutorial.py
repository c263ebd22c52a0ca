"""Learn the game by playing a first turn, with a prompt for every step.

examples:
  paxtui tutorial                      about ten minutes; q leaves at any time
"""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `tutorial`: none."""


def run(args: argparse.Namespace) -> int:
    """Open the tutorial; what stands in its way is told before the screen is taken."""
    from paxtui.cli.start import on_screen

    return on_screen("tutorial", tables_dir=Path(args.tables) if args.tables else None, tutorial=True)
