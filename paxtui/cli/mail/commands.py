"""The command `postal`: play by mail."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from paxtui.cli.game_arguments import add_game_arguments
from paxtui.cli.mail import gamemaster, rounds, screens
from paxtui.cli.mail.rounds import read_form
from paxtui.cli.runtime import CommandError
from paxtui.engine.log import FIRST_RULEBOOK
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.mail.conditions import format_condition
from paxtui.games.pax.mail.forms import OrderForm
from paxtui.games.pax.mail.stops import PACES, STOP_DEADLINES
from paxtui.games.pax.preview.order_form import form_warnings
from paxtui.games.pax.text.parsing import name_index
from paxtui.mail import fair_dice, keys, sealed_letters
from paxtui.mail.game_directory import FORM_SUFFIX, GameDirectory, MailTerms, deadline_text, read_small, read_terms
from paxtui.mail.reports import POSITION_SUFFIX, SeatPosition, read_position
from paxtui.mail.rounds import mail_rulebook
from paxtui.mail.sealed_letters import RECEIPT_SUFFIX, SEALED_SUFFIX, open_receipt, open_report, save_receipt
from paxtui.mail.submissions import check_form, now_utc, submit_form, withdraw_form
from paxtui.session.storage.files import typed_path, write_new
from paxtui.session.tables.loader import load_tables

POSTAL_USAGE = """Play by mail. A directory, which can be shared or sent by e-mail, holds the forms and the reports.

for the gamemaster:
  paxtui postal new spring                          set up a game of seven in the directory spring
  paxtui postal new spring --player france=Ann      with the names of the players
  paxtui postal new spring --players 4 --wish "Ann=france,britain,germany,united_states" --wish ...
                                                    assign seats by each player's preferences
  paxtui postal new spring --from evening.jsonl     continue a saved game by mail
  paxtui postal new channel --game empires --exercise channel-1805    an exercise of Empires in Arms (docs/empires.md)
  paxtui postal new spring --sealed                 sign and encrypt forms; prints an invitation code for each seat
  paxtui postal code spring france                  print a new code, for a player who has lost their key
  paxtui postal desk spring                         open the gamemaster's screen for all of the following
  paxtui postal status spring                       show submitted and missing forms, and the deadline
  paxtui postal adjudicate spring --dry-run         print the resulting reports only
  paxtui postal adjudicate spring                   open the forms, carry out the orders, write the reports
  paxtui postal deadline spring 2026-12-24T18:00+01:00
  paxtui postal mail spring                         fetch e-mail, answer it, send reports (docs/by-mail-letters.md)
  paxtui postal pause spring                        stop the clock; 'postal resume spring' restarts it
  paxtui postal open spring --early                 print forms before the deadline; every report says so
  paxtui postal caretaker spring italy              give Italy to the caretaker bot
  paxtui postal replace spring italy Carla          give Italy to a new player, in a sealed game with a code
  paxtui postal run spring --every 60               adjudicate automatically; without --every once, for cron
  paxtui postal audit spring                        verify every signature, order, die, event and report
  paxtui postal report spring --stop 3 --seat italy print a report again

for a player:
  paxtui postal check italy.form                    list all errors of a form, by line and column
  paxtui postal write spring --seat italy           open the order sheet, with a preview on the map
  paxtui postal submit spring italy.form            submit a form; it replaces an earlier one
  paxtui postal withdraw spring --seat italy        withdraw it
  paxtui postal receipt spring                      print the gamemaster's signed receipt for a sealed form
  paxtui postal join spring CODE --name Ben         take a seat of a sealed game; your key is created
  paxtui postal read spring --form italy.form       print your sealed report, and save the form that came with it

A form is plain text with one order per line. A blank form with instructions comes with each report. The directory
spring/desk is for the gamemaster only: it holds the log and the seed of the dice. Unless the game is sealed, anyone
who can read spring/orders can read the forms.
"""


def run_check(args: argparse.Namespace) -> int:
    """Check a form and print all errors; the exit code is 1 if there is one."""
    tables = load_tables()
    form, seat, faults = check_form(tables, read_form(args.file), _seat_argument(args.seat))
    for fault in faults:
        print(f"{args.file}: {fault}")
    if faults:
        return 1
    print(f"{args.file}: {_form_summary(form)}{f' of {seat}' if seat else ''}")
    for order in form.orders:
        if order.condition is not None:
            print(f"  line {order.line} only if {format_condition(order.condition)}")
    position = args.file.removesuffix(FORM_SUFFIX) + POSITION_SUFFIX
    if seat and args.file != "-" and Path(position).is_file():
        _print_warnings(read_position(Path(position)), seat, read_form(args.file))
    return 0


def run_submit(args: argparse.Namespace) -> int:
    folder = GameDirectory(typed_path(args.dir))
    terms = read_terms(folder)
    if terms.desk_key:
        keys.check_library()
    text, tables = read_form(args.file), load_tables()
    path = submit_form(folder, terms, tables, text, _seat_argument(args.seat))
    print(f"{path}: submitted for stop {terms.stop}; deadline {deadline_text(terms.deadline)}")
    positions = (
        folder.reports_of(terms.stop) / (path.stem + POSITION_SUFFIX),
        Path(args.file).with_suffix(POSITION_SUFFIX),
    )
    position = next((p for p in positions if args.file != "-" and p.is_file()), None)
    if position is not None:
        _print_warnings(read_position(position), path.stem, text)
    if terms.two_step:
        print(f"the form is locked; after the deadline, run 'paxtui postal answer {args.dir}' to send its key")
    return 0


def _print_warnings(position: SeatPosition, seat: str, text: str) -> None:
    """Print warnings about a form, if the position belongs to its seat."""
    if position.seat == seat:
        for warning in form_warnings(position.tables, position.state, seat, text):
            print(f"warning: {warning}")


def run_withdraw(args: argparse.Namespace) -> int:
    """Withdraw the submitted form."""
    folder = GameDirectory(typed_path(args.dir))
    terms, seat = read_terms(folder), _seat_argument(args.seat)
    withdraw_form(folder, terms, load_tables(), seat, now_utc())
    print(f"your form for stop {terms.stop} is withdrawn; deadline {deadline_text(terms.deadline)}")
    return 0


def run_receipt(args: argparse.Namespace) -> int:
    """Print a sealed receipt and save it for `audit`."""
    keys.check_library()
    folder = GameDirectory(typed_path(args.dir))
    terms = read_terms(folder)
    key = keys.player_key(terms, _seat_argument(args.seat))
    path = typed_path(args.file) if args.file else folder.reports_of(terms.stop) / (key.seat + RECEIPT_SUFFIX)
    found, signed, text = open_receipt(read_small(path), key)
    save_receipt(found, signed)
    print(text, end="")
    print(f"signed by the gamemaster at {found.at} for the form with SHA-256 {found.form}; saved for 'postal audit'")
    return 0


def _keep_receipts(folder: GameDirectory, terms: MailTerms, key: keys.SeatKey) -> None:
    """Save the receipts of this stop and the last from the reports directory. Raises: OSError."""
    for stop in (terms.stop - 1, terms.stop):
        path = folder.reports_of(stop) / (key.seat + RECEIPT_SUFFIX)
        if stop > 0 and path.is_file():
            with suppress(Refusal):
                found, signed, _ = open_receipt(read_small(path), key)
                save_receipt(found, signed)


def run_join(args: argparse.Namespace) -> int:
    """Request a seat with an invitation code."""
    keys.check_library()
    folder = GameDirectory(typed_path(args.dir))
    key = keys.request_seat(folder, read_terms(folder), args.code, args.name)
    print(
        f"your request for the seat of {key.seat} is in {folder.orders / 'joining'}; your key is in "
        f"{keys.key_directory()}"
    )
    print("when the gamemaster has accepted your code, 'paxtui postal read' shows your report")
    return 0


def run_answer(args: argparse.Namespace) -> int:
    """Send the answer that the game needs: a word for the dice, or the key of a locked form."""
    folder = GameDirectory(typed_path(args.dir))
    print(_send_answer(folder, _seat_argument(args.seat)) or "no answer needed now")
    return 0


def _send_answer(folder: GameDirectory, seat: str) -> str:
    """Send the answer that the game needs and describe it, "" for none. Raises: Refusal, OSError."""
    terms = read_terms(folder)
    steps = {"hashes": "sent the sealed word for the dice", "words": "revealed your word for the dice"}
    sent = steps.get(fair_dice.send_dice_answer(folder, terms, seat), "")
    if terms.two_step and terms.opening and sealed_letters.send_unlock_key(folder, terms, keys.player_key(terms, seat)):
        sent = f"sent the key of your form for stop {terms.stop}"
    return sent


def run_read(args: argparse.Namespace) -> int:
    """Print a sealed report, and save the form that came with it."""
    keys.check_library()
    folder = GameDirectory(typed_path(args.dir))
    terms = read_terms(folder)
    key = keys.player_key(terms, _seat_argument(args.seat))
    path = folder.reports_of(args.stop or terms.stop) / (key.seat + SEALED_SUFFIX)
    _keep_receipts(folder, terms, key)
    if sent := _send_answer(folder, key.seat):
        print(sent, file=sys.stderr)
    if not terms.stop:
        print("the game has not begun; the gamemaster waits for", terms.asks, file=sys.stderr)
        return 0
    letter = open_report(read_small(path), key)
    print(letter.report, end="")
    if args.form:
        write_new(Path(args.form), letter.form.encode())
        write_new(Path(args.form).with_suffix(POSITION_SUFFIX), letter.position.encode())
    if args.html:
        write_new(Path(args.html), letter.page.encode())
    return 0


def _seat_argument(name: str) -> str:
    return name_index(load_tables()).powers.find(name) if name else ""


def _form_summary(form: OrderForm) -> str:
    orders, standing = len(form.orders), len(form.standing)
    more = f", {standing} standing instruction{'s' * (standing != 1)}" if standing else ""
    return f"{orders} order{'s' * (orders != 1)}{more}"


RunCommand = Callable[[argparse.Namespace], int]
AddCommand = Callable[..., argparse.ArgumentParser]
"""Adds a subcommand. Args: its name; what it runs; its help; whether it takes the directory of a game."""


def postal_arguments(part: argparse.ArgumentParser) -> None:
    sub = part.add_subparsers(dest="what", metavar="WHAT", required=True)

    def add(name: str, do: RunCommand, says: str, has_directory: bool = True) -> argparse.ArgumentParser:
        command: argparse.ArgumentParser = sub.add_parser(name, help=says)
        command.set_defaults(do=do)
        if has_directory:
            command.add_argument("dir", metavar="DIR", help="the directory of the game")
        return command

    _add_gamemaster_commands(add)
    _add_upkeep_commands(add)
    _add_player_commands(add)


def _add_gamemaster_commands(add: AddCommand) -> None:
    """Add the subcommands for setting up and adjudicating a game."""
    new = add("new", gamemaster.run_new_game, "set up a game in a new directory")
    add_game_arguments(new)
    new.add_argument("--players", type=int, default=7, metavar="N", help="4 to 8 (default 7)")
    new.add_argument("--player", action="append", default=[], metavar="SEAT=NAME", help="name of a player")
    new.add_argument(
        "--wish",
        action="append",
        default=[],
        metavar="NAME=SEAT,SEAT,...",
        help="a player's preferred seats, best first",
    )
    new.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    kinds = ", ".join(f"{kind} ({wait.days})" for kind, wait in STOP_DEADLINES.items())
    lasts = f"days until the deadline for a kind of stop, or 3w for weeks (slow: {kinds})"
    new.add_argument("--days", action="append", default=[], metavar="KIND=N", help=lasts)
    new.add_argument("--pace", choices=tuple(PACES), default="slow", help="time until each deadline (default slow)")
    new.add_argument("--seed", default="", help="seed of the dice (default: random and secret)")
    new.add_argument("--from", dest="log", default="", metavar="LOG", help="continue a game that began on the screen")
    new.add_argument("--sealed", action="store_true", help="sign and encrypt forms and reports")
    new.add_argument(
        "--two-step", action="store_true", help="also lock forms until the deadline, even for the gamemaster"
    )
    new.add_argument(
        "--fair", action="store_true", help="fair dice from a secret word of each seat and a committed seed"
    )

    code = add("code", gamemaster.run_code, "print a new invitation code for a seat of a sealed game")
    code.add_argument("seat", metavar="SEAT", help="the seat")

    add("status", gamemaster.run_status, "show submitted and missing forms, and the deadline")

    add("desk", screens.run_desk, "open the gamemaster's screen: each task has a key")

    adjudicate = add("adjudicate", gamemaster.run_adjudicate, "open the forms, carry out the orders, write the reports")
    adjudicate.add_argument("--dry-run", action="store_true", help="only print the resulting reports")

    deadline = add("deadline", gamemaster.run_deadline, "change the deadline")
    deadline.add_argument(
        "time", metavar="TIME", help="now, +3 (days), +12h, or '2026-12-24 18:00', also with a time zone"
    )

    letters = add("mail", screens.run_mail, "fetch e-mail, answer it, send reports (IMAP and SMTP)")
    letters.add_argument("--remind", action="store_true", help="send a reminder to players without a form, once a day")

    report = add("report", gamemaster.run_report, "print a report again")
    report.add_argument("--stop", type=int, default=0, metavar="N", help="with which it began (default: the last)")
    report.add_argument("--format", choices=("text", "markdown", "html"), default="text", help="how (default text)")
    report.add_argument("--seat", default="", metavar="SEAT", help="whose (default: the public one)")


def _add_upkeep_commands(add: AddCommand) -> None:
    """Add the subcommands for pauses, replacements, automatic adjudication and the audit."""
    add("pause", gamemaster.run_pause, "stop the clock")
    add("resume", gamemaster.run_resume, "restart the clock")
    add("audit", gamemaster.run_audit, "verify a game from its files: signatures, orders, dice, events, reports")

    early = add("open", gamemaster.run_open, "print forms before the deadline; every report says so")
    early.add_argument("--early", action="store_true", help="confirm that all players are notified")

    caretaker = add("caretaker", gamemaster.run_caretaker, "give a seat to the caretaker bot")
    caretaker.add_argument("seat", metavar="SEAT", help="the seat")

    replace = add("replace", gamemaster.run_replace, "give a seat to a new player")
    replace.add_argument("seat", metavar="SEAT", help="the seat")
    replace.add_argument("name", metavar="NAME", help="name of the new player")

    run = add(
        "run", gamemaster.run_due, "adjudicate automatically when all forms have arrived or the deadline has passed"
    )
    run.add_argument(
        "--every", type=float, metavar="SECONDS", help="keep running and check at this interval (default: check once)"
    )


def _add_player_commands(add: AddCommand) -> None:
    """Add the subcommands of players."""
    check = add("check", run_check, "check a form and list all errors", has_directory=False)
    check.add_argument("file", metavar="FILE", help="the form, or - for standard input")
    check.add_argument("--seat", default="", metavar="SEAT", help="the seat, if the form does not name it")

    write = add(
        "write",
        screens.run_order_sheet,
        "open the order sheet: write a form on the screen, with a preview of each order",
        has_directory=False,
    )
    write.add_argument(
        "where", metavar="DIR|FILE", help="directory of the game, or a form with its .position file beside it"
    )
    write.add_argument("--seat", default="", metavar="SEAT", help="the seat, if you have several")

    submit = add("submit", run_submit, "submit a form; it replaces an earlier one")
    submit.add_argument("file", metavar="FILE", help="the form, or - for standard input")
    submit.add_argument("--seat", default="", metavar="SEAT", help="the seat, if the form does not name it")

    withdraw = add("withdraw", run_withdraw, "withdraw your form")
    withdraw.add_argument("--seat", default="", metavar="SEAT", help="the seat; required unless the game is sealed")

    receipt = add("receipt", run_receipt, "print and save the gamemaster's signed receipt for your sealed form")
    receipt.add_argument(
        "file", metavar="FILE", nargs="?", default="", help="the receipt file (default: in the reports directory)"
    )
    receipt.add_argument("--seat", default="", metavar="SEAT", help="the seat, if you have several")

    join = add("join", run_join, "take a seat of a sealed game with an invitation code")
    join.add_argument("code", metavar="CODE", help="the invitation code")
    join.add_argument("--name", default="", help="your name")

    answer = add("answer", run_answer, "send a word for the dice or the key of a locked form; 'read' does it too")
    answer.add_argument(
        "--seat", default="", metavar="SEAT", help="the seat; required if you have several or the game is not sealed"
    )

    read = add("read", run_read, "print your sealed report")
    read.add_argument("--seat", default="", metavar="SEAT", help="the seat, if you have several")
    read.add_argument("--stop", type=int, default=0, metavar="N", help="with which it began (default: the last)")
    read.add_argument("--form", default="", metavar="FILE", help="save the form that came with it")
    read.add_argument("--html", default="", metavar="FILE", help="save the report as an HTML page")


def run_postal(args: argparse.Namespace) -> int:
    """Run the subcommand."""
    do = args.do
    if args.what == "new":
        do = do if args.game == FIRST_RULEBOOK else rounds.run_new_round_game
    elif "dir" in args and (folder := GameDirectory(typed_path(args.dir))).terms.is_file():
        if mail_rulebook(folder) != FIRST_RULEBOOK:
            if args.what not in rounds.ROUND_COMMANDS:
                known = ", ".join(rounds.ROUND_COMMANDS)
                raise CommandError(f"'postal {args.what}' is for Pax Britannica only; this game has {known}")
            do = rounds.ROUND_COMMANDS[args.what]
    code: int = do(args)
    return code
