"""Play by mail: a directory through which forms come in and reports go out.

for the gamemaster:
  paxtui postal new spring                          begin a game of seven in the directory spring
  paxtui postal new spring --player france=Ann      with the names of the players
  paxtui postal new spring --players 4 --wish "Ann=france,britain,germany,united_states" --wish ...
                                                    seats by the lists of what each would like to play
  paxtui postal status spring                       what has arrived, what is missing, when the deadline is
  paxtui postal adjudicate spring --dry-run         the reports as they would be
  paxtui postal adjudicate spring                   open the forms, carry them out, write the reports
  paxtui postal deadline spring 2026-12-24T18:00+01:00
  paxtui postal report spring --stop 3 --seat italy print a report again

for a player:
  paxtui postal check italy.form                    everything that is wrong with a form, by line and column
  paxtui postal submit spring italy.form            hand it in, in place of an earlier one

A form is plain text, one order a line; a blank one, with what is asked and how it is written, lies beside each
report. What lies in spring/desk is the gamemaster's alone: the log, with the seed of the dice. The forms are not
sealed: whoever can read spring/orders can read them.
"""

from __future__ import annotations

import argparse

from paxtui.cli.postal import desk, player
from paxtui.pax.postal.deadlines import WAITS


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `postal`."""
    sub = part.add_subparsers(dest="what", metavar="WHAT", required=True)

    new = sub.add_parser("new", help="begin a game in a directory of its own")
    _directory(new)
    new.add_argument("--players", type=int, default=7, metavar="N", help="4 to 8 (default 7)")
    new.add_argument("--player", action="append", default=[], metavar="SEAT=NAME", help="who plays a seat")
    new.add_argument("--wish", action="append", default=[], metavar="NAME=SEAT,SEAT,...", help="a player's list")
    new.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    kinds = ", ".join(f"{kind} ({wait.days})" for kind, wait in WAITS.items())
    new.add_argument("--days", action="append", default=[], metavar="KIND=N", help=f"how long a stop lasts: {kinds}")
    new.add_argument("--seed", default="", help="seed of the dice (default: a secret one)")
    new.set_defaults(do=desk.new)

    status = sub.add_parser("status", help="what has arrived, what is missing, when the deadline is")
    _directory(status)
    status.set_defaults(do=desk.status)

    adjudicate = sub.add_parser("adjudicate", help="open the forms, carry them out and write the reports")
    _directory(adjudicate)
    adjudicate.add_argument("--dry-run", action="store_true", help="only print the reports as they would be")
    adjudicate.set_defaults(do=desk.adjudicate)

    deadline = sub.add_parser("deadline", help="set another deadline")
    _directory(deadline)
    deadline.add_argument("time", metavar="TIME", help="with its zone, as in 2026-12-24T18:00+01:00")
    deadline.set_defaults(do=desk.deadline)

    report = sub.add_parser("report", help="print a report, made of the log anew")
    _directory(report)
    report.add_argument("--stop", type=int, default=0, metavar="N", help="with which it began (default: the last)")
    report.add_argument("--seat", default="", metavar="SEAT", help="whose (default: the public one)")
    report.set_defaults(do=desk.report)

    check = sub.add_parser("check", help="try a form: everything that is wrong with it")
    check.add_argument("file", metavar="FILE", help="the form, - for the standard input")
    check.add_argument("--seat", default="", metavar="SEAT", help="whose it is, where it does not say so")
    check.set_defaults(do=player.check)

    submit = sub.add_parser("submit", help="hand a form in, in place of an earlier one")
    _directory(submit)
    submit.add_argument("file", metavar="FILE", help="the form, - for the standard input")
    submit.add_argument("--seat", default="", metavar="SEAT", help="whose it is, where it does not say so")
    submit.set_defaults(do=player.submit)


def _directory(part: argparse.ArgumentParser) -> None:
    part.add_argument("dir", metavar="DIR", help="the directory of the game")


def run(args: argparse.Namespace) -> int:
    """Do what is asked."""
    code: int = args.do(args)
    return code
