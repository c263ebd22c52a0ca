"""The gamemaster's desk as a screen, with its letters where they travel by e-mail."""

from __future__ import annotations

import argparse

from paxtui.cli.outward.screens import only_screen
from paxtui.cli.postal.opened import desk_screen


def desk(args: argparse.Namespace) -> int:
    """Open the desk."""
    screen = desk_screen(args.dir)
    return only_screen("postal", lambda: screen)
