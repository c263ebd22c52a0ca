"""The command `postal`: play by mail."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from paxtui.cli.mail import gamemaster, screens
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.mail.conditions import format_condition
from paxtui.games.pax.mail.forms import OrderForm
from paxtui.games.pax.mail.stops import PACES, STOP_DEADLINES
from paxtui.games.pax.preview.order_form import form_warnings
from paxtui.games.pax.text.parsing import name_index
from paxtui.mail import fair_dice, keys, sealed_letters
from paxtui.mail.game_directory import FORM_SUFFIX, GameDirectory, MailTerms, deadline_text, read_small, read_terms
from paxtui.mail.reports import POSITION_SUFFIX, SeatPosition, read_position
from paxtui.mail.sealed_letters import RECEIPT_SUFFIX, SEALED_SUFFIX, open_receipt, open_report, save_receipt
from paxtui.mail.submissions import check_form, decode_form, now_utc, submit_form, withdraw_form
from paxtui.session.storage.files import typed_path, write_new
from paxtui.session.tables.loader import load_tables

POSTAL_USAGE = """Play by mail: a directory through which forms come in and reports go out.

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


def read_form(name: str) -> str:
    """The form that is named. Raises: Refusal, OSError."""
    data = sys.stdin.buffer.read() if name == "-" else read_small(typed_path(name))
    return decode_form(data)


def run_check(args: argparse.Namespace) -> int:
    """Say everything that is wrong with a form; its exit code is 1 where there is anything."""
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
        _print_warnings(tables, read_position(Path(position)), seat, read_form(args.file))
    return 0


def run_submit(args: argparse.Namespace) -> int:
    """Hand a form in."""
    folder = GameDirectory(typed_path(args.dir))
    terms = read_terms(folder)
    if terms.desk_key:
        keys.check_library()
    text, tables = read_form(args.file), load_tables()
    path = submit_form(folder, terms, tables, text, _seat_argument(args.seat))
    print(f"{path}: taken for stop {terms.stop}; deadline {deadline_text(terms.deadline)}")
    positions = (
        folder.reports_of(terms.stop) / (path.stem + POSITION_SUFFIX),
        Path(args.file).with_suffix(POSITION_SUFFIX),
    )
    position = next((p for p in positions if args.file != "-" and p.is_file()), None)
    if position is not None:
        _print_warnings(tables, read_position(position), path.stem, text)
    if terms.two_step:
        print(f"it is locked: after the deadline 'paxtui postal answer {args.dir}' sends its key")
    return 0


def _print_warnings(tables: Tables, position: SeatPosition, seat: str, text: str) -> None:
    """Print what is likely to go wrong with a form, if the position is that of its seat."""
    if position.seat == seat:
        for warning in form_warnings(tables, position.state, seat, text):
            print(f"warning: {warning}")


def run_withdraw(args: argparse.Namespace) -> int:
    """Withdraw the form that was handed in."""
    folder = GameDirectory(typed_path(args.dir))
    terms, seat = read_terms(folder), _seat_argument(args.seat)
    withdraw_form(folder, terms, load_tables(), seat, now_utc())
    print(f"your form for stop {terms.stop} is withdrawn; deadline {deadline_text(terms.deadline)}")
    return 0


def run_receipt(args: argparse.Namespace) -> int:
    """Print a sealed receipt, and keep it for `audit`."""
    keys.check_library()
    folder = GameDirectory(typed_path(args.dir))
    terms = read_terms(folder)
    key = keys.player_key(terms, _seat_argument(args.seat))
    path = typed_path(args.file) if args.file else folder.reports_of(terms.stop) / (key.seat + RECEIPT_SUFFIX)
    found, signed, text = open_receipt(read_small(path), key)
    save_receipt(found, signed)
    print(text, end="")
    print(f"signed by the desk at {found.at} for the form with SHA-256 {found.form}; kept for 'paxtui postal audit'")
    return 0


def _keep_receipts(folder: GameDirectory, terms: MailTerms, key: keys.SeatKey) -> None:
    """Keep the receipts of this stop and the last, which lie beside the reports. Raises: OSError."""
    for stop in (terms.stop - 1, terms.stop):
        path = folder.reports_of(stop) / (key.seat + RECEIPT_SUFFIX)
        if stop > 0 and path.is_file():
            with suppress(Refusal):
                found, signed, _ = open_receipt(read_small(path), key)
                save_receipt(found, signed)


def run_join(args: argparse.Namespace) -> int:
    """Take a seat with a code."""
    keys.check_library()
    folder = GameDirectory(typed_path(args.dir))
    key = keys.request_seat(folder, read_terms(folder), args.code, args.name)
    print(
        f"your request for the seat of {key.seat} is in {folder.orders / 'joining'}; your key is in "
        f"{keys.key_directory()}"
    )
    print("the seat is yours when the desk has accepted the code: 'paxtui postal read' shows your report then")
    return 0


def run_answer(args: argparse.Namespace) -> int:
    """Send what the game wants of the player's program: a word for the dice, the key of a locked form."""
    folder = GameDirectory(typed_path(args.dir))
    print(_send_answer(folder, _seat_argument(args.seat)) or "nothing is wanted of you now")
    return 0


def _send_answer(folder: GameDirectory, seat: str) -> str:
    """Send what the game wants of the player's program; what was sent, "" for nothing. Raises: Refusal; OSError."""
    terms = read_terms(folder)
    told = {"hashes": "your word for the dice is sealed", "words": "your word for the dice is told"}
    sent = told.get(fair_dice.send_dice_answer(folder, terms, seat), "")
    if terms.two_step and terms.opening and sealed_letters.send_unlock_key(folder, terms, keys.player_key(terms, seat)):
        sent = f"the key of your form for stop {terms.stop} is sent"
    return sent


def run_read(args: argparse.Namespace) -> int:
    """Print a sealed report, and write the form that came with it."""
    keys.check_library()
    folder = GameDirectory(typed_path(args.dir))
    terms = read_terms(folder)
    key = keys.player_key(terms, _seat_argument(args.seat))
    path = folder.reports_of(args.stop or terms.stop) / (key.seat + SEALED_SUFFIX)
    _keep_receipts(folder, terms, key)
    if sent := _send_answer(folder, key.seat):
        print(sent, file=sys.stderr)
    if not terms.stop:
        print("the game has not begun: the desk waits for", terms.asks, file=sys.stderr)
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


def postal_arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `postal`."""
    sub = part.add_subparsers(dest="what", metavar="WHAT", required=True)

    new = sub.add_parser("new", help="begin a game in a directory of its own")
    _directory_argument(new)
    new.add_argument("--players", type=int, default=7, metavar="N", help="4 to 8 (default 7)")
    new.add_argument("--player", action="append", default=[], metavar="SEAT=NAME", help="who plays a seat")
    new.add_argument("--wish", action="append", default=[], metavar="NAME=SEAT,SEAT,...", help="a player's list")
    new.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    kinds = ", ".join(f"{kind} ({wait.days})" for kind, wait in STOP_DEADLINES.items())
    lasts = f"how many days a stop lasts, or 3w for weeks: {kinds}"
    new.add_argument("--days", action="append", default=[], metavar="KIND=N", help=lasts)
    new.add_argument("--pace", choices=tuple(PACES), default="slow", help="how long stops last (default slow)")
    new.add_argument("--seed", default="", help="seed of the dice (default: a secret one)")
    new.add_argument("--from", dest="log", default="", metavar="LOG", help="go on with a game that began at a table")
    new.add_argument("--sealed", action="store_true", help="forms and reports are signed and sealed")
    new.add_argument("--two-step", action="store_true", help="locked, too: nobody reads forms before the deadline")
    new.add_argument("--fair", action="store_true", help="fair dice, of a word of each seat and a seed promised before")
    new.set_defaults(do=gamemaster.run_new_game)

    code = sub.add_parser("code", help="a fresh code for a seat of a sealed game")
    _directory_argument(code)
    code.add_argument("seat", metavar="SEAT", help="the seat")
    code.set_defaults(do=gamemaster.run_code)

    status = sub.add_parser("status", help="what has arrived, what is missing, when the deadline is")
    _directory_argument(status)
    status.set_defaults(do=gamemaster.run_status)

    table = sub.add_parser("desk", help="the gamemaster's desk on the screen: all of a turn, a key each")
    _directory_argument(table)
    table.set_defaults(do=screens.run_desk)

    adjudicate = sub.add_parser("adjudicate", help="open the forms, carry them out and write the reports")
    _directory_argument(adjudicate)
    adjudicate.add_argument("--dry-run", action="store_true", help="only print the reports as they would be")
    adjudicate.set_defaults(do=gamemaster.run_adjudicate)

    deadline = sub.add_parser("deadline", help="set another deadline")
    _directory_argument(deadline)
    deadline.add_argument("time", metavar="TIME", help="now, +3 (days), +12h, '2026-12-24 18:00', or with its zone")
    deadline.set_defaults(do=gamemaster.run_deadline)

    letters = sub.add_parser("mail", help="fetch letters, answer them, send reports (IMAP and SMTP)")
    _directory_argument(letters)
    letters.add_argument("--remind", action="store_true", help="remind who has sent nothing, once a day")
    letters.set_defaults(do=screens.run_mail)

    report = sub.add_parser("report", help="print a report, made of the log anew")
    _directory_argument(report)
    report.add_argument("--stop", type=int, default=0, metavar="N", help="with which it began (default: the last)")
    report.add_argument("--format", choices=("text", "markdown", "html"), default="text", help="how (default text)")
    report.add_argument("--seat", default="", metavar="SEAT", help="whose (default: the public one)")
    report.set_defaults(do=gamemaster.run_report)

    _upkeep_arguments(sub.add_parser)

    check = sub.add_parser("check", help="try a form: everything that is wrong with it")
    check.add_argument("file", metavar="FILE", help="the form, - for the standard input")
    check.add_argument("--seat", default="", metavar="SEAT", help="whose it is, where it does not say so")
    check.set_defaults(do=run_check)

    write = sub.add_parser("write", help="the order sheet: a form on the screen, with what each order would bring")
    write.add_argument("where", metavar="DIR|FILE", help="the directory of the game, or the form beside its .position")
    write.add_argument("--seat", default="", metavar="SEAT", help="whose, where you hold several")
    write.set_defaults(do=screens.run_order_sheet)

    submit = sub.add_parser("submit", help="hand a form in, in place of an earlier one")
    _directory_argument(submit)
    submit.add_argument("file", metavar="FILE", help="the form, - for the standard input")
    submit.add_argument("--seat", default="", metavar="SEAT", help="whose it is, where it does not say so")
    submit.set_defaults(do=run_submit)

    withdraw = sub.add_parser("withdraw", help="take back the form that you handed in")
    _directory_argument(withdraw)
    withdraw.add_argument("--seat", default="", metavar="SEAT", help="whose it is; needed in an open game")
    withdraw.set_defaults(do=run_withdraw)

    receipt = sub.add_parser("receipt", help="read the desk's signed receipt for your sealed form, and keep it")
    _directory_argument(receipt)
    receipt.add_argument("file", metavar="FILE", nargs="?", default="", help="as it came (default: beside the reports)")
    receipt.add_argument("--seat", default="", metavar="SEAT", help="where you hold several")
    receipt.set_defaults(do=run_receipt)

    join = sub.add_parser("join", help="take a seat of a sealed game with a code from the desk")
    _directory_argument(join)
    join.add_argument("code", metavar="CODE", help="as the gamemaster gave it")
    join.add_argument("--name", default="", help="what you are called")
    join.set_defaults(do=run_join)

    answer = sub.add_parser("answer", help="send a word for the dice, or the key of a locked form (as 'read' does)")
    _directory_argument(answer)
    answer.add_argument("--seat", default="", metavar="SEAT", help="where you hold several, or the game is open")
    answer.set_defaults(do=run_answer)

    read = sub.add_parser("read", help="read your sealed report")
    _directory_argument(read)
    read.add_argument("--seat", default="", metavar="SEAT", help="where you hold several")
    read.add_argument("--stop", type=int, default=0, metavar="N", help="with which it began (default: the last)")
    read.add_argument("--form", default="", metavar="FILE", help="write the form that came with it")
    read.add_argument("--html", default="", metavar="FILE", help="write the report as a page of HTML")
    read.set_defaults(do=run_read)


def _upkeep_arguments(add: Callable[..., argparse.ArgumentParser]) -> None:
    """What keeps a game going beside its turns."""
    for name, do, says in (
        ("pause", gamemaster.run_pause, "stop the clock"),
        ("resume", gamemaster.run_resume, "let the clock go on"),
        ("audit", gamemaster.run_audit, "prove a game from its files: signatures, orders, dice, events, reports"),
    ):
        part = add(name, help=says)
        _directory_argument(part)
        part.set_defaults(do=do)

    early = add("open", help="look at forms before they are due; every report tells of it")
    _directory_argument(early)
    early.add_argument("--early", action="store_true", help="I know that everybody is told")
    early.set_defaults(do=gamemaster.run_open)

    caretaker = add("caretaker", help="hand a seat to the caretaker: nobody waits for it any more")
    _directory_argument(caretaker)
    caretaker.add_argument("seat", metavar="SEAT", help="the seat")
    caretaker.set_defaults(do=gamemaster.run_caretaker)

    replace = add("replace", help="give a seat to another player")
    _directory_argument(replace)
    replace.add_argument("seat", metavar="SEAT", help="the seat")
    replace.add_argument("name", metavar="NAME", help="who plays it now")
    replace.set_defaults(do=gamemaster.run_replace)

    run = add("run", help="without a gamemaster: adjudicate when all forms are in or the deadline passes")
    _directory_argument(run)
    run.add_argument("--every", type=float, metavar="SECONDS", help="stay, and look that often (default: once)")
    run.set_defaults(do=gamemaster.run_due)


def _directory_argument(part: argparse.ArgumentParser) -> None:
    part.add_argument("dir", metavar="DIR", help="the directory of the game")


def run_postal(args: argparse.Namespace) -> int:
    """Do what is asked."""
    code: int = args.do(args)
    return code
