"""Sit down at a table of this machine, in a shell of the one who keeps it.

Without a game you come into the lobby, where every seat of the house is open to you.

examples:
  paxtui join
  paxtui join friday britain
  paxtui join friday                 look on
  paxtui join friday britain --plain line by line, as where TERM=dumb
"""

from __future__ import annotations

import argparse
import os
import sys

from paxtui.cli.hosting.house import ask_hub, data_argument, house_of
from paxtui.cli.outward.terminal import need_terminal
from paxtui.engine.seats import SPECTATOR

NO_SCREEN = ("", "dumb", "unknown")
"""Terminals that know nothing but lines: as over SSH, one is played at line by line."""


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `join`."""
    part.add_argument("game", nargs="?", default="", metavar="GAME", help="a game of the house (default: the lobby)")
    part.add_argument("seat", nargs="?", default=SPECTATOR, metavar="SEAT", help="a seat (default: a spectator's)")
    part.add_argument("--plain", action="store_true", help="line by line, for screen readers and slow links")
    data_argument(part)


def run(args: argparse.Namespace) -> int:
    """Open the screen of the seat."""
    house = house_of(args)
    lobby = not args.game
    asked = ask_hub(house, "lobby") if lobby else ask_hub(house, "ticket", game=args.game, seat=args.seat)
    if args.plain or (sys.stdin.isatty() and os.environ.get("TERM", "") in NO_SCREEN):
        from paxtui.cli.hosting.plain import sit_plain, visit_plain

        return (visit_plain if lobby else sit_plain)(house.socket, asked["ticket"])
    need_terminal()
    from paxtui.cli.hosting.screen import sit, visit

    return (visit if lobby else sit)(house.socket, asked["ticket"], "join")
