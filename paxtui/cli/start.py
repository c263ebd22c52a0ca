"""The start screen."""

from __future__ import annotations

import argparse
from pathlib import Path


def run(args: argparse.Namespace) -> int:
    """Open the start screen."""
    from paxtui.tui.app import PaxApp

    return PaxApp(tables_dir=Path(args.tables) if args.tables else None).run() or 0
