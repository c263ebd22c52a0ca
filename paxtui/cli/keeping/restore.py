"""Make a house of a backup, in a directory of its own. Friends come in with the keys and seats that they had.

examples:
  paxtui restore paxtui-backup-2026-11-22-120000.tar.gz --data ~/table
"""

from __future__ import annotations

import argparse
from pathlib import Path

from paxtui.cli.hosting.house import data_argument, root_of
from paxtui.net.keeping.backup import restore


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `restore`."""
    part.add_argument("file", metavar="FILE", help="what 'paxtui backup' has written")
    data_argument(part)


def run(args: argparse.Namespace) -> int:
    """Make the house, and say what is in it."""
    root = root_of(args)
    names = restore(Path(args.file), root)
    print(f"{root}: {', '.join(names) or 'no game'}")
    return 0
