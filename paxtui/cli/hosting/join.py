"""Sit down at a table of this machine, in a shell of the one who keeps it.

Without a game you come into the lobby, where every seat of the house is open to you.

examples:
  paxtui join
  paxtui join friday britain
  paxtui join friday                 look on
  paxtui join friday britain --plain
"""

from __future__ import annotations

import argparse

from paxtui.cli.hosting.house import ask_hub, data_argument, house_of
from paxtui.cli.outward.terminal import need_terminal
from paxtui.engine.seats import SPECTATOR


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
    if args.plain:
        from paxtui.cli.hosting.plain import sit_plain, visit_plain

        return (visit_plain if lobby else sit_plain)(house.socket, asked["ticket"])
    need_terminal()
    from paxtui.cli.hosting.screen import sit, visit

    return (visit if lobby else sit)(house.socket, asked["ticket"], "join")
