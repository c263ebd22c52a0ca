"""Take a log of the house home: the whole one, or that of one seat.

examples:
  paxtui export friday > friday.jsonl                  everything, secrets too: for whoever keeps the table
  paxtui export friday --seat france > france.jsonl    what France may know
"""

from __future__ import annotations

import argparse
import sys

from paxtui.cli.hosting.house import ask_hub, data_argument, house_of


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `export`."""
    part.add_argument("game", metavar="GAME", help="a game of the house")
    part.add_argument("--seat", default="", metavar="SEAT", help="what this seat may know (default: everything)")
    data_argument(part)


def run(args: argparse.Namespace) -> int:
    """Write the log to stdout."""
    sys.stdout.write(ask_hub(house_of(args), "log", game=args.game, seat=args.seat)["log"])
    return 0
