"""Sit down at a table of this machine, in a shell of the one who keeps it.

examples:
  paxtui join friday britain
  paxtui join friday                 look on
"""

from __future__ import annotations

import argparse

from paxtui.cli.hosting.house import ask_hub, data_argument, house_of
from paxtui.cli.start import need_terminal
from paxtui.engine.seats import SPECTATOR


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `join`."""
    part.add_argument("game", metavar="GAME", help="a game of the house")
    part.add_argument("seat", nargs="?", default=SPECTATOR, metavar="SEAT", help="a seat (default: a spectator's)")
    data_argument(part)


def run(args: argparse.Namespace) -> int:
    """Open the screen of the seat."""
    house = house_of(args)
    ticket = ask_hub(house, "ticket", game=args.game, seat=args.seat)["ticket"]
    need_terminal()
    from paxtui.cli.hosting.screen import sit

    return sit(house.socket, ticket, "join")
