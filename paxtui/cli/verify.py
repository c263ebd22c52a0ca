"""Check a saved game: the chain of its lines, and every act decided again under today's rules.

A game of an older version may differ: that is told, and is no error. A broken chain is one (exit code 2).

examples:
  paxtui verify saves/ten-turns.jsonl
  paxtui verify game.jsonl && echo sound
"""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `verify`."""
    part.add_argument("file", nargs="+", metavar="FILE", help="saved games")


def run(args: argparse.Namespace) -> int:
    """Verify each file."""
    from paxtui.cli.faults import CommandError
    from paxtui.engine.log import BrokenLog
    from paxtui.table.authority import Table

    for name in args.file:
        try:
            table = Table.open(Path(name), write=False)
        except BrokenLog as broken:
            raise CommandError(f"{name}: {broken}") from broken
        if table.notice:
            print(f"{name}: {table.notice}")
        found = table.verify()
        acts = sum(1 for line in table.game.lines if line.kind == "act")
        if not found:
            print(f"{name}: sound; {table.game.version} lines, {acts} acts, all decided alike today")
        for difference in found:
            print(f"{name}: {difference}")
    return 0
