"""Everybody with a key in the house: his id, what he calls himself, the fingerprint of his key, and his seats.

examples:
  paxtui players
  paxtui players --json
"""

from __future__ import annotations

import argparse

import msgspec

from paxtui.cli.hosting.house import ask_hub, data_argument, house_of


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `players`."""
    data_argument(part)
    part.add_argument("--json", action="store_true", help="as one line of JSON")


def run(args: argparse.Namespace) -> int:
    """Print them."""
    players = ask_hub(house_of(args), "players")
    if args.json:
        print(msgspec.json.encode(players).decode())
        return 0
    for player in players:
        seats = ", ".join(f"{seat} of {game}" for game, seat in player["seats"])
        state = seats or ("has only looked in" if player["stranger"] else "no seat now")
        print(f"{player['player']}  {player['name']:16} {player['key']}  {state}")
    return 0
