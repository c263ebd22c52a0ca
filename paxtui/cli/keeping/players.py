"""Everybody with a key on this server: id, name, seats, and the fingerprints of all keys.

examples:
  paxtui players
  paxtui players --rename 5f0c1a2b3c4d Ann             give the player with this id another name
  paxtui players --remove-key 5f0c1a2b3c4d SHA256:AbCd  the key no longer opens the player's seats
  paxtui players --json
"""

from __future__ import annotations

import argparse

import msgspec

from paxtui.cli.hosting.house import ask_hub, data_argument, house_of


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `players`."""
    change = part.add_mutually_exclusive_group()
    change.add_argument("--rename", nargs=2, metavar=("ID", "NAME"), help="give a player another name")
    change.add_argument(
        "--remove-key", nargs=2, metavar=("ID", "FINGERPRINT"), help="remove a key; its beginning is enough"
    )
    data_argument(part)
    part.add_argument("--json", action="store_true", help="as one line of JSON")


def run(args: argparse.Namespace) -> int:
    """Change a player, if asked to, and print all players."""
    house = house_of(args)
    if args.rename:
        ask_hub(house, "rename_player", player=args.rename[0], name=args.rename[1])
    if args.remove_key:
        ask_hub(house, "remove_key", player=args.remove_key[0], fingerprint=args.remove_key[1])
    players = ask_hub(house, "players")
    if args.json:
        print(msgspec.json.encode(players).decode())
        return 0
    for player in players:
        seats = ", ".join(f"{seat} of {game}" for game, seat in player["seats"])
        state = seats or ("has only looked in" if player["stranger"] else "no seat now")
        first, *others = player["keys"] or [""]
        print(f"{player['player']}  {player['name']:16} {first}  {state}")
        for key in others:
            print(f"{'':12}  {'':16} {key}")
    return 0
