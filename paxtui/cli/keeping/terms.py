"""Say what those may do at a kept table who have no seat there: watch, talk, take a free seat.

Nobody, those who are known (they have, or have had, a seat in the house), or anybody with an SSH key.

examples:
  paxtui terms friday                                  what they are
  paxtui terms friday --watch anybody --delay 10       everybody may look on, ten minutes behind
  paxtui terms friday --talk everybody                 and those who look on may talk
  paxtui terms friday --seats known                    free seats are for whoever is known
"""

from __future__ import annotations

import argparse

from paxtui.cli.hosting.house import ask_hub, data_argument, house_of

WHO = ("nobody", "known", "anybody")


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `terms`."""
    part.add_argument("game", metavar="GAME", help="a game of the house")
    part.add_argument("--watch", choices=WHO, help="who may look on")
    part.add_argument("--delay", metavar="MINUTES", help="how far those who look on are behind")
    part.add_argument("--talk", choices=("players", "everybody"), help="who may talk at the table")
    part.add_argument("--seats", choices=WHO, help="who may take a seat that is free")
    data_argument(part)


def run(args: argparse.Namespace) -> int:
    """Change what was named, and print all of it."""
    wanted = {name: said for name in ("watch", "delay", "talk", "seats") if (said := getattr(args, name)) is not None}
    terms = ask_hub(house_of(args), "terms", game=args.game, **wanted)
    print(f"look on     {terms['watch']}{', ' + str(terms['delay']) + ' minutes behind' if terms['delay'] else ''}")
    print(f"talk        {terms['talk']}")
    print(f"free seats  {terms['seats']}")
    return 0
