"""What a player of a mail game asks: to take a seat, to try a form, to hand it in, and to read his report."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.postal.condition_words import text_of_condition
from paxtui.pax.postal.forms import Form
from paxtui.pax.reports.order_sheet import warned
from paxtui.pax.words.names import index
from paxtui.table.disk.files import typed_path, write_new
from paxtui.table.postal import dice, keys, locks, seals
from paxtui.table.postal.arrivals import checked, now_utc, submit_to, text_of, withdraw_form
from paxtui.table.postal.folder import FORM, Folder, read_small
from paxtui.table.postal.letters import SEALED, opened_report
from paxtui.table.postal.position import POSITION, SeatPosition, read_position
from paxtui.table.postal.receipts import RECEIPT, keep_receipt, opened_receipt
from paxtui.table.postal.terms import Terms, read_terms, said
from paxtui.table.tables import load_tables


def read(name: str) -> str:
    """The form that is named. Raises: Refusal, OSError."""
    data = sys.stdin.buffer.read() if name == "-" else read_small(typed_path(name))
    return text_of(data)


def check(args: argparse.Namespace) -> int:
    """Say everything that is wrong with a form; its exit code is 1 where there is anything."""
    tables = load_tables()
    form, seat, faults = checked(tables, read(args.file), _seat(args.seat))
    for fault in faults:
        print(f"{args.file}: {fault}")
    if faults:
        return 1
    print(f"{args.file}: {_summary(form)}{f' of {seat}' if seat else ''}")
    for order in form.orders:
        if order.condition is not None:
            print(f"  line {order.line} only if {text_of_condition(order.condition)}")
    position = args.file.removesuffix(FORM) + POSITION
    if seat and args.file != "-" and Path(position).is_file():
        _warn(tables, read_position(Path(position)), seat, read(args.file))
    return 0


def submit(args: argparse.Namespace) -> int:
    """Hand a form in."""
    folder = Folder(typed_path(args.dir))
    terms = read_terms(folder)
    if terms.desk_key:
        seals.check()
    text, tables = read(args.file), load_tables()
    path = submit_to(folder, terms, tables, text, _seat(args.seat))
    print(f"{path}: taken for stop {terms.stop}; deadline {said(terms.deadline)}")
    positions = (folder.reports_of(terms.stop) / (path.stem + POSITION), Path(args.file).with_suffix(POSITION))
    position = next((p for p in positions if args.file != "-" and p.is_file()), None)
    if position is not None:
        _warn(tables, read_position(position), path.stem, text)
    if terms.two_step:
        print(f"it is locked: after the deadline 'paxtui postal answer {args.dir}' sends its key")
    return 0


def _warn(tables: Tables, position: SeatPosition, seat: str, text: str) -> None:
    """Print what is likely to go wrong with a form, if the position is that of its seat."""
    if position.seat == seat:
        for warning in warned(tables, position.state, seat, text):
            print(f"warning: {warning}")


def withdraw(args: argparse.Namespace) -> int:
    """Withdraw the form that was handed in."""
    folder = Folder(typed_path(args.dir))
    terms, seat = read_terms(folder), _seat(args.seat)
    withdraw_form(folder, terms, load_tables(), seat, now_utc())
    print(f"your form for stop {terms.stop} is withdrawn; deadline {said(terms.deadline)}")
    return 0


def receipt(args: argparse.Namespace) -> int:
    """Print a sealed receipt, and keep it for `audit`."""
    seals.check()
    folder = Folder(typed_path(args.dir))
    terms = read_terms(folder)
    key = keys.own_key(terms, _seat(args.seat))
    path = typed_path(args.file) if args.file else folder.reports_of(terms.stop) / (key.seat + RECEIPT)
    found, signed, text = opened_receipt(read_small(path), key)
    keep_receipt(found, signed)
    print(text, end="")
    print(f"signed by the desk at {found.at} for the form with SHA-256 {found.form}; kept for 'paxtui postal audit'")
    return 0


def _keep_receipts(folder: Folder, terms: Terms, key: keys.SeatKey) -> None:
    """Keep the receipts of this stop and the last, which lie beside the reports. Raises: OSError."""
    for stop in (terms.stop - 1, terms.stop):
        path = folder.reports_of(stop) / (key.seat + RECEIPT)
        if stop > 0 and path.is_file():
            with suppress(Refusal):
                found, signed, _ = opened_receipt(read_small(path), key)
                keep_receipt(found, signed)


def join(args: argparse.Namespace) -> int:
    """Take a seat with a code."""
    seals.check()
    folder = Folder(typed_path(args.dir))
    key = keys.join(folder, read_terms(folder), args.code, args.name)
    print(f"your request for the seat of {key.seat} is in {folder.orders / 'joining'}; your key is in {keys.ring()}")
    print("the seat is yours when the desk has accepted the code: 'paxtui postal read' shows your report then")
    return 0


def answer(args: argparse.Namespace) -> int:
    """Send what the game wants of the player's program: a word for the dice, the key of a locked form."""
    folder = Folder(typed_path(args.dir))
    print(_answer(folder, _seat(args.seat)) or "nothing is wanted of you now")
    return 0


def _answer(folder: Folder, seat: str) -> str:
    """Send what the game wants of the player's program; what was sent, "" for nothing. Raises: Refusal; OSError."""
    terms = read_terms(folder)
    told = {"hashes": "your word for the dice is sealed", "words": "your word for the dice is told"}
    sent = told.get(dice.answer(folder, terms, seat), "")
    if terms.two_step and terms.opening and locks.unlock(folder, terms, keys.own_key(terms, seat)):
        sent = f"the key of your form for stop {terms.stop} is sent"
    return sent


def read_report(args: argparse.Namespace) -> int:
    """Print a sealed report, and write the form that came with it."""
    seals.check()
    folder = Folder(typed_path(args.dir))
    terms = read_terms(folder)
    key = keys.own_key(terms, _seat(args.seat))
    path = folder.reports_of(args.stop or terms.stop) / (key.seat + SEALED)
    _keep_receipts(folder, terms, key)
    if sent := _answer(folder, key.seat):
        print(sent, file=sys.stderr)
    if not terms.stop:
        print("the game has not begun: the desk waits for", terms.asks, file=sys.stderr)
        return 0
    letter = opened_report(read_small(path), key)
    print(letter.report, end="")
    if args.form:
        write_new(Path(args.form), letter.form.encode())
        write_new(Path(args.form).with_suffix(POSITION), letter.position.encode())
    if args.html:
        write_new(Path(args.html), letter.page.encode())
    return 0


def _seat(name: str) -> str:
    return index(load_tables()).powers.find(name) if name else ""


def _summary(form: Form) -> str:
    orders, standing = len(form.orders), len(form.standing)
    more = f", {standing} standing instruction{'s' * (standing != 1)}" if standing else ""
    return f"{orders} order{'s' * (orders != 1)}{more}"
