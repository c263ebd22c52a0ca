"""Which games a house has, who is there, and whom they wait for.

examples:
  paxtui status
  paxtui status --json
  paxtui status --clear-limits     forget wrong codes, message floods and closed connections
"""

from __future__ import annotations

import argparse

import msgspec

from paxtui.cli.hosting.house import ask_hub, data_argument, house_of


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `status`."""
    data_argument(part)
    part.add_argument("--clear-limits", action="store_true", help="reset the limits of visitors and players")
    part.add_argument("--json", action="store_true", help="as one line of JSON")


def run(args: argparse.Namespace) -> int:
    """Print what the hub says of its games."""
    house = house_of(args)
    if args.clear_limits:
        ask_hub(house, "clear_limits")
    status = ask_hub(house, "status")
    if args.json:
        print(msgspec.json.encode(status).decode())
        return 0
    for game in status["games"]:
        if "trouble" in game:
            print(f"{game['game']}: {game['trouble']}")
            continue
        moment = f"turn {game['turn']}, {game['phase'].replace('_', ' ')}{', over' * game['over']}"
        print(f"{game['game']}: {moment}{', asleep' * game['asleep']}")
        since = {seat: f" (since {time[:16].replace('T', ' ')})" for seat, time in game["since"].items() if time}
        for title, seats in (("here", "here"), ("waits for", "waits_for"), ("free", "free")):
            known = since if seats == "waits_for" else {}
            print(f"  {title:10} {', '.join(seat + known.get(seat, '') for seat in game[seats]) or '-'}")
        print(f"  {'ready':10} {', '.join(game['ready']) or '-'}")
        print(f"  {'dice':10} {game['dice']}")
        if game["clock"]:
            print(f"  {'clock':10} {game['clock']}")
    print(f"{status['connected']} connected, {status['refused']} turned away")
    for line in status["limits"]:
        print(f"limit: {line}")
    usual, slow = status["act_ms"]
    acts = f"{status['acts']} acts" + f", half within {usual} ms, 99 of 100 within {slow} ms" * bool(status["acts"])
    print(f"{acts}; {status['memory_mb']} MB")
    return 0
