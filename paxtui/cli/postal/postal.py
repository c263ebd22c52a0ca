"""Play by mail: a directory through which forms come in and reports go out.

for the gamemaster:
  paxtui postal new spring                          begin a game of seven in the directory spring
  paxtui postal new spring --player france=Ann      with the names of the players
  paxtui postal new spring --players 4 --wish "Ann=france,britain,germany,united_states" --wish ...
                                                    seats by the lists of what each would like to play
  paxtui postal new spring --from evening.jsonl     go on by mail with a game that was played at a table
  paxtui postal new spring --sealed                 forms signed and sealed; a code for each seat is printed
  paxtui postal code spring france                  a fresh code, for a player who has lost his key
  paxtui postal desk spring                         the desk on the screen: all that follows, a key each
  paxtui postal status spring                       what has arrived, what is missing, when the deadline is
  paxtui postal adjudicate spring --dry-run         the reports as they would be
  paxtui postal adjudicate spring                   open the forms, carry them out, write the reports
  paxtui postal deadline spring 2026-12-24T18:00+01:00
  paxtui postal mail spring                         fetch letters, answer them, send reports (docs/by-mail.md)
  paxtui postal pause spring, resume spring         stop the clock, and let it go on
  paxtui postal open spring --early                 look at forms before they are due: every report tells of it
  paxtui postal caretaker spring italy              nobody waits for Italy any more
  paxtui postal replace spring italy Carla          another player for a seat; in a sealed game a code for him
  paxtui postal run spring --every 60               without a gamemaster; without --every once, for cron
  paxtui postal audit spring                        every signature, order, die, event and report proved from the files
  paxtui postal report spring --stop 3 --seat italy print a report again

for a player:
  paxtui postal check italy.form                    everything that is wrong with a form, by line and column
  paxtui postal write spring --seat italy           the order sheet, with the map as it would be
  paxtui postal submit spring italy.form            hand it in, in place of an earlier one
  paxtui postal withdraw spring --seat italy        take it back
  paxtui postal receipt spring                      the desk's signed receipt for a sealed form
  paxtui postal join spring CODE --name Ben         take a seat of a sealed game: a key is made for you
  paxtui postal read spring --form italy.form       your sealed report, and the form that came with it

A form is plain text, one order a line; a blank one, with what is asked and how it is written, lies beside each
report. What lies in spring/desk is the gamemaster's alone: the log, with the seed of the dice. Unless the game is
sealed, whoever can read spring/orders can read the forms.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from paxtui.cli.postal import desk, keeping, mail, player, screen, sheet
from paxtui.pax.postal.deadlines import PACES, WAITS


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
    lasts = f"how many days a stop lasts, or 3w for weeks: {kinds}"
    new.add_argument("--days", action="append", default=[], metavar="KIND=N", help=lasts)
    new.add_argument("--pace", choices=tuple(PACES), default="slow", help="how long stops last (default slow)")
    new.add_argument("--seed", default="", help="seed of the dice (default: a secret one)")
    new.add_argument("--from", dest="log", default="", metavar="LOG", help="go on with a game that began at a table")
    new.add_argument("--sealed", action="store_true", help="forms and reports are signed and sealed")
    new.add_argument("--two-step", action="store_true", help="locked, too: nobody reads forms before the deadline")
    new.add_argument("--fair", action="store_true", help="fair dice, of a word of each seat and a seed promised before")
    new.set_defaults(do=desk.new)

    code = sub.add_parser("code", help="a fresh code for a seat of a sealed game")
    _directory(code)
    code.add_argument("seat", metavar="SEAT", help="the seat")
    code.set_defaults(do=desk.code)

    status = sub.add_parser("status", help="what has arrived, what is missing, when the deadline is")
    _directory(status)
    status.set_defaults(do=desk.status)

    table = sub.add_parser("desk", help="the gamemaster's desk on the screen: all of a turn, a key each")
    _directory(table)
    table.set_defaults(do=screen.desk)

    adjudicate = sub.add_parser("adjudicate", help="open the forms, carry them out and write the reports")
    _directory(adjudicate)
    adjudicate.add_argument("--dry-run", action="store_true", help="only print the reports as they would be")
    adjudicate.set_defaults(do=desk.adjudicate)

    deadline = sub.add_parser("deadline", help="set another deadline")
    _directory(deadline)
    deadline.add_argument("time", metavar="TIME", help="now, +3 (days), +12h, '2026-12-24 18:00', or with its zone")
    deadline.set_defaults(do=desk.deadline)

    letters = sub.add_parser("mail", help="fetch letters, answer them, send reports (IMAP and SMTP)")
    _directory(letters)
    letters.add_argument("--remind", action="store_true", help="remind who has sent nothing, once a day")
    letters.set_defaults(do=mail.mail)

    report = sub.add_parser("report", help="print a report, made of the log anew")
    _directory(report)
    report.add_argument("--stop", type=int, default=0, metavar="N", help="with which it began (default: the last)")
    report.add_argument("--format", choices=("text", "markdown", "html"), default="text", help="how (default text)")
    report.add_argument("--seat", default="", metavar="SEAT", help="whose (default: the public one)")
    report.set_defaults(do=desk.report)

    _keeping(sub.add_parser)

    check = sub.add_parser("check", help="try a form: everything that is wrong with it")
    check.add_argument("file", metavar="FILE", help="the form, - for the standard input")
    check.add_argument("--seat", default="", metavar="SEAT", help="whose it is, where it does not say so")
    check.set_defaults(do=player.check)

    write = sub.add_parser("write", help="the order sheet: a form on the screen, with what each order would bring")
    write.add_argument("where", metavar="DIR|FILE", help="the directory of the game, or the form beside its .position")
    write.add_argument("--seat", default="", metavar="SEAT", help="whose, where you hold several")
    write.set_defaults(do=sheet.write)

    submit = sub.add_parser("submit", help="hand a form in, in place of an earlier one")
    _directory(submit)
    submit.add_argument("file", metavar="FILE", help="the form, - for the standard input")
    submit.add_argument("--seat", default="", metavar="SEAT", help="whose it is, where it does not say so")
    submit.set_defaults(do=player.submit)

    withdraw = sub.add_parser("withdraw", help="take back the form that you handed in")
    _directory(withdraw)
    withdraw.add_argument("--seat", default="", metavar="SEAT", help="whose it is; needed in an open game")
    withdraw.set_defaults(do=player.withdraw)

    receipt = sub.add_parser("receipt", help="read the desk's signed receipt for your sealed form, and keep it")
    _directory(receipt)
    receipt.add_argument("file", metavar="FILE", nargs="?", default="", help="as it came (default: beside the reports)")
    receipt.add_argument("--seat", default="", metavar="SEAT", help="where you hold several")
    receipt.set_defaults(do=player.receipt)

    join = sub.add_parser("join", help="take a seat of a sealed game with a code from the desk")
    _directory(join)
    join.add_argument("code", metavar="CODE", help="as the gamemaster gave it")
    join.add_argument("--name", default="", help="what you are called")
    join.set_defaults(do=player.join)

    answer = sub.add_parser("answer", help="send a word for the dice, or the key of a locked form (as 'read' does)")
    _directory(answer)
    answer.add_argument("--seat", default="", metavar="SEAT", help="where you hold several, or the game is open")
    answer.set_defaults(do=player.answer)

    read = sub.add_parser("read", help="read your sealed report")
    _directory(read)
    read.add_argument("--seat", default="", metavar="SEAT", help="where you hold several")
    read.add_argument("--stop", type=int, default=0, metavar="N", help="with which it began (default: the last)")
    read.add_argument("--form", default="", metavar="FILE", help="write the form that came with it")
    read.add_argument("--html", default="", metavar="FILE", help="write the report as a page of HTML")
    read.set_defaults(do=player.read_report)


def _keeping(add: Callable[..., argparse.ArgumentParser]) -> None:
    """What keeps a game going beside its turns."""
    for name, do, says in (
        ("pause", keeping.pause, "stop the clock"),
        ("resume", keeping.resume, "let the clock go on"),
        ("audit", keeping.audit, "prove a game from its files: signatures, orders, dice, events, reports"),
    ):
        part = add(name, help=says)
        _directory(part)
        part.set_defaults(do=do)

    early = add("open", help="look at forms before they are due; every report tells of it")
    _directory(early)
    early.add_argument("--early", action="store_true", help="I know that everybody is told")
    early.set_defaults(do=keeping.open_forms)

    caretaker = add("caretaker", help="hand a seat to the caretaker: nobody waits for it any more")
    _directory(caretaker)
    caretaker.add_argument("seat", metavar="SEAT", help="the seat")
    caretaker.set_defaults(do=keeping.caretaker)

    replace = add("replace", help="give a seat to another player")
    _directory(replace)
    replace.add_argument("seat", metavar="SEAT", help="the seat")
    replace.add_argument("name", metavar="NAME", help="who plays it now")
    replace.set_defaults(do=keeping.replace)

    run = add("run", help="without a gamemaster: adjudicate when all forms are in or the deadline passes")
    _directory(run)
    run.add_argument("--every", type=float, metavar="SECONDS", help="stay, and look that often (default: once)")
    run.set_defaults(do=keeping.run)


def _directory(part: argparse.ArgumentParser) -> None:
    part.add_argument("dir", metavar="DIR", help="the directory of the game")


def run(args: argparse.Namespace) -> int:
    """Do what is asked."""
    code: int = args.do(args)
    return code
