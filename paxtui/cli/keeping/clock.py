"""The clock of a kept table, and its pauses; without an option, how much time is left.

Times are written as 90s, 10m, 2h, 3d or 1h30m. When the time of a Phase is over, defaults are taken, or the caretaker
acts for those who are late, or you are asked (--then arbiter): the program of `serve --hook` is started with
PAXTUI_ASKS=host, --end says what is done, and --give lets them go on. Their time begins again meanwhile.

examples:
  paxtui clock friday --each 10m                          ten minutes for each Phase
  paxtui clock friday --phase movement=30m --phase negotiation=1h --each 10m --then caretaker
  paxtui clock slow --each 2d --warn 6h                   a slow game
  paxtui clock friday --give 5m                           five minutes more for this Phase
  paxtui clock friday --pause "the pizza is here"         nobody acts, the clock stands still
  paxtui clock friday --resume
  paxtui clock friday --end default                       the time of all who are waited for is over now
  paxtui clock friday --off                               no clock any more
"""

from __future__ import annotations

import argparse

from paxtui.cli.hosting.house import ask_hub, data_argument, house_of
from paxtui.cli.outward.faults import CommandError
from paxtui.pax.orders.clock_notes import ANY, duration, seconds_of


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `clock`."""
    part.add_argument("game", metavar="GAME", help="a game of the house")
    part.add_argument("--each", metavar="TIME", help="the time of each Phase that has none of its own")
    part.add_argument("--phase", action="append", default=[], metavar="PHASE=TIME", help="the time of one Phase")
    part.add_argument("--then", choices=("default", "caretaker", "arbiter"), help="what is done when it is over")
    part.add_argument("--warn", metavar="TIME", help="how long before its end it is said (default: a tenth)")
    part.add_argument("--off", action="store_true", help="no clock any more")
    part.add_argument("--give", metavar="TIME", help="more time for the Phase that is played")
    part.add_argument("--pause", nargs="?", const="", metavar="WHY", help="pause the table")
    part.add_argument("--resume", action="store_true", help="let it go on")
    part.add_argument("--end", choices=("default", "caretaker"), help="the time is over now, and this is done")
    data_argument(part)


def run(args: argparse.Namespace) -> int:
    """Change what was named, and say how much time is left."""
    house = house_of(args)
    for said in _asked(args):
        ask_hub(house, "clock", game=args.game, **said)
    print(ask_hub(house, "clock", game=args.game)["told"] or f"{args.game} has no clock.")
    return 0


def _asked(args: argparse.Namespace) -> list[dict[str, str]]:
    """What the hub is asked, in this order. Raises: CommandError."""
    asked: list[dict[str, str]] = []
    limits = {ANY: _seconds("--each", args.each)} if args.each else {}
    for text in args.phase:
        phase, equals, time = text.partition("=")
        if not equals:
            raise CommandError(f"--phase {text}: it takes PHASE=TIME, as in movement=30m")
        limits[phase.strip()] = _seconds("--phase", time)
    if limits:
        warn = _seconds("--warn", args.warn) if args.warn else min(limits.values()) // 10
        written = ",".join(f"{phase}={seconds}" for phase, seconds in limits.items())
        asked.append({"what": "set", "limits": written, "warn": str(warn), "then": args.then or "default"})
    elif args.off:
        asked.append({"what": "set"})
    elif args.then or args.warn:
        raise CommandError("--then and --warn go with --each or --phase")
    if args.give:
        asked.append({"what": "give", "seconds": str(_seconds("--give", args.give))})
    if args.pause is not None:
        asked.append({"what": "pause", "why": args.pause})
    if args.resume:
        asked.append({"what": "resume"})
    if args.end:
        asked.append({"what": "end", "then": args.end})
    return asked


def _seconds(name: str, text: str) -> int:
    """Raises: CommandError."""
    seconds = seconds_of(text)
    if not seconds:
        raise CommandError(f"{name} {text}: a time is written as 90s, 10m, 2h, 3d or 1h30m; {duration(90)} is 90s")
    return seconds
