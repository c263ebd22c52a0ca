"""Say who sits at a seat of a kept table; without --to, who has which seat.

examples:
  paxtui seat friday                              everybody with a key, and his seats
  paxtui seat friday france --to caretaker        France keeps what it holds while its player is away
  paxtui seat friday france --to statesman:hard   a bot that plays to win
  paxtui seat friday france --to person           its player is back
  paxtui seat friday france --to free             the seat is taken from its player: invite another
  paxtui seat friday --begin                      begin now: who gives no word within two minutes is left out
  paxtui seat friday --rewind 120                 take the game back to line 120, as its arbiter
"""

from __future__ import annotations

import argparse

from paxtui.cli.hosting.house import ask_hub, data_argument, house_of
from paxtui.cli.outward.faults import CommandError


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `seat`."""
    part.add_argument("game", metavar="GAME", help="a game of the house")
    part.add_argument("seat", nargs="?", default="", metavar="SEAT", help="one of its seats")
    part.add_argument("--to", metavar="WHO", help="a bot, person, nobody, free, or the id of a player")
    part.add_argument("--begin", action="store_true", help="begin the game without waiting until all are ready")
    part.add_argument("--rewind", metavar="LINE", help="take the game back to a line of its log")
    data_argument(part)


def run(args: argparse.Namespace) -> int:
    """Seat somebody, rewind, or list the players."""
    house = house_of(args)
    players = {player["player"]: player for player in ask_hub(house, "players")}
    if args.rewind:
        told = ask_hub(house, "rewind", game=args.game, line=args.rewind)
        if told["reopened"]:
            print(f"{args.game} has not begun: players give new words for the dice, and say again that it may begin")
    elif args.begin:
        waits = ask_hub(house, "begin", game=args.game)["waits_for"]
        waited = f"words for the dice are waited for two minutes: {', '.join(waits)}" if waits else "the dice are made"
        print(f"{args.game} begins; {waited}")
    elif not args.to:
        for id_, player in players.items():
            seats = ", ".join(seat for game, seat in player["seats"] if game == args.game)
            print(f"{id_}  {player['name']:16} {seats or '-'}")
    elif not args.seat:
        raise CommandError("--to seats somebody at a seat: name it, as in 'paxtui seat friday france --to caretaker'")
    elif args.to == "free" or args.to in players:
        ask_hub(house, "seat", game=args.game, seat=args.seat, player=args.to if args.to in players else "")
    else:
        ask_hub(house, "sit", game=args.game, seat=args.seat, who=args.to)
    return 0
