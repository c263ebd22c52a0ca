"""The commands `backup`, `restore` and `export`."""

from __future__ import annotations

import argparse
import sys
from datetime import datetime
from pathlib import Path

from paxtui.cli.hosting.admin import ask_hub, data_argument, data_root, is_running, open_data_directory
from paxtui.cli.hosting.store import open_stored_directory
from paxtui.server.backup import restore_backup, write_backup

BACKUP_USAGE = """Write a server with all its games into one file, also while it runs.

The file contains all secrets: keys, dice, orders.

examples:
  paxtui backup                              into paxtui-backup-DATE.tar.gz
  paxtui backup friday-night.tar.gz
"""

RESTORE_USAGE = """Restore a server from a backup, into a new directory. Players keep their keys and seats.

examples:
  paxtui restore paxtui-backup-2026-11-22-120000.tar.gz --data ~/table
"""

EXPORT_USAGE = """Print the log of a game: the complete log, or that of one seat.

examples:
  paxtui export friday > friday.jsonl                  the complete log with all secrets, for the host
  paxtui export friday --seat france > france.jsonl    what France may know
"""


def backup_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("file", nargs="?", metavar="FILE", help="the file (default: a new one here, with the date)")
    data_argument(part)


def run_backup(args: argparse.Namespace) -> int:
    """Write the file."""
    data_directory = open_data_directory(args)
    path = Path(args.file or f"paxtui-backup-{datetime.now():%Y-%m-%d-%H%M%S}.tar.gz").absolute()
    count = (
        ask_hub(data_directory, "backup", path=str(path))["files"]
        if is_running(data_directory)
        else write_backup(open_stored_directory(args), path)
    )
    print(f"{path}: {count} files")
    return 0


def restore_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("file", metavar="FILE", help="a file of 'paxtui backup'")
    data_argument(part)


def run_restore(args: argparse.Namespace) -> int:
    """Restore the directory and print its games."""
    root = data_root(args)
    names = restore_backup(Path(args.file), root)
    print(f"{root}: {', '.join(names) or 'no game'}")
    return 0


def export_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("game", metavar="GAME", help="a game of the server")
    part.add_argument("--seat", default="", metavar="SEAT", help="the log of this seat (default: the complete log)")
    data_argument(part)


def run_export(args: argparse.Namespace) -> int:
    """Write the log to stdout."""
    sys.stdout.write(ask_hub(open_data_directory(args), "log", game=args.game, seat=args.seat)["log"])
    return 0
