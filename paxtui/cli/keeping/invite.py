"""Offer seats to friends: a code for each, good once.

examples:
  paxtui invite friday                    every seat of a person's that nobody has yet
  paxtui invite friday france japan       these two
"""

from __future__ import annotations

import argparse
import sys

from paxtui.cli.hosting.house import ask_hub, data_argument, house_of
from paxtui.cli.outward.faults import CommandError


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `invite`."""
    part.add_argument("game", metavar="GAME", help="a game of the house")
    part.add_argument("seat", nargs="*", metavar="SEAT", help="its seats (default: all that are free)")
    data_argument(part)


def run(args: argparse.Namespace) -> int:
    """Print a code for each seat."""
    house = house_of(args)
    games = {game["game"]: game for game in ask_hub(house, "status")["games"]}
    if args.game not in games:
        raise CommandError(f"there is no game {args.game} in {house.root}: {', '.join(games) or 'none at all'}")
    seats = args.seat or games[args.game].get("free", [])
    if not seats:
        raise CommandError(f"every seat of {args.game} is taken: name one to offer it anew")
    for seat in seats:
        told = ask_hub(house, "invite", game=args.game, seat=seat)
        print(f"{told['seat']:16}{told['code']}")
        if told.get("holder"):
            warning = f"{told['holder']} plays {told['seat']} now and loses the seat when somebody uses this code."
            print(warning, file=sys.stderr)
    return 0
