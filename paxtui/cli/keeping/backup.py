"""Write a whole house into one file, while it runs or not. Who has the file has every secret: keys, dice, orders.

examples:
  paxtui backup                              into paxtui-backup-DATE.tar.gz
  paxtui backup friday-night.tar.gz
"""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import Path

from paxtui.cli.hosting.house import ask_hub, data_argument, house_of, runs
from paxtui.net.keeping.backup import write_backup


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `backup`."""
    part.add_argument("file", nargs="?", metavar="FILE", help="where to (default: here, named by the date)")
    data_argument(part)


def run(args: argparse.Namespace) -> int:
    """Write the file."""
    house = house_of(args)
    path = Path(args.file or f"paxtui-backup-{datetime.now():%Y-%m-%d-%H%M%S}.tar.gz").absolute()
    count = ask_hub(house, "backup", path=str(path))["files"] if runs(house) else write_backup(house, path)
    print(f"{path}: {count} files")
    return 0
