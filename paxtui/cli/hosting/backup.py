"""The commands `backup`, `restore` and `export`."""

from __future__ import annotations

import argparse
import sys
from datetime import datetime
from pathlib import Path

from paxtui.cli.hosting.admin import ask_hub, data_argument, data_root, is_running, open_data_directory
from paxtui.server.backup import restore_backup, write_backup

BACKUP_USAGE = """Write a whole house into one file, while it runs or not. Who has the file has every secret: keys,
dice, orders.

examples:
  paxtui backup                              into paxtui-backup-DATE.tar.gz
  paxtui backup friday-night.tar.gz
"""

RESTORE_USAGE = """Make a house of a backup, in a directory of its own. Friends come in with the keys and seats that
they had.

examples:
  paxtui restore paxtui-backup-2026-11-22-120000.tar.gz --data ~/table
"""

EXPORT_USAGE = """Take a log of the house home: the whole one, or that of one seat.

examples:
  paxtui export friday > friday.jsonl                  everything, secrets too: for whoever keeps the table
  paxtui export friday --seat france > france.jsonl    what France may know
"""


def backup_arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `backup`."""
    part.add_argument("file", nargs="?", metavar="FILE", help="where to (default: here, named by the date)")
    data_argument(part)


def run_backup(args: argparse.Namespace) -> int:
    """Write the file."""
    house = open_data_directory(args)
    path = Path(args.file or f"paxtui-backup-{datetime.now():%Y-%m-%d-%H%M%S}.tar.gz").absolute()
    count = ask_hub(house, "backup", path=str(path))["files"] if is_running(house) else write_backup(house, path)
    print(f"{path}: {count} files")
    return 0


def restore_arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `restore`."""
    part.add_argument("file", metavar="FILE", help="what 'paxtui backup' has written")
    data_argument(part)


def run_restore(args: argparse.Namespace) -> int:
    """Make the house, and say what is in it."""
    root = data_root(args)
    names = restore_backup(Path(args.file), root)
    print(f"{root}: {', '.join(names) or 'no game'}")
    return 0


def export_arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `export`."""
    part.add_argument("game", metavar="GAME", help="a game of the house")
    part.add_argument("--seat", default="", metavar="SEAT", help="what this seat may know (default: everything)")
    data_argument(part)


def run_export(args: argparse.Namespace) -> int:
    """Write the log to stdout."""
    sys.stdout.write(ask_hub(open_data_directory(args), "log", game=args.game, seat=args.seat)["log"])
    return 0
