"""What a letter brings is taken: a form for the present stop, or the letter by which a seat of a sealed game is taken.

In an open game the pass in the subject proves whose it is, in a sealed one the signature of the seat's key.

Rules: PBM-001, PBM-018
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.words.spoken import power_name
from paxtui.postal import passes
from paxtui.postal.extraction import NO_ORDERS, REMEDY, Extracted, extract_orders, has_orders
from paxtui.postal.proofs import is_proof, seat_of_file, take_proof
from paxtui.postal.reading import Enclosed, Source, Written, enclosed, sources
from paxtui.table.postal.arrivals import (
    WITHDRAWN,
    checked,
    in_time,
    powers_at,
    right_stop,
    submit_to,
    text_of,
    withdraw_form,
)
from paxtui.table.postal.desk import Desk
from paxtui.table.postal.folder import FORM, read_small, write
from paxtui.table.postal.keys import JOINING, codes_of, joined, joining_of
from paxtui.table.postal.letters import LOCKED, SEALED, opened_form
from paxtui.table.postal.locks import UNLOCKING
from paxtui.table.postal.receipts import RECEIPT, receipt_text, withdrawn_text
from paxtui.table.postal.terms import Terms, said_anywhere


class Intake(NamedTuple):
    """What has been taken.

    Attributes:
        seats: for which seats.
        says: the answer to the sender.
        digests: of sealed forms.
        files: what the answer encloses, by name.
    """

    seats: tuple[str, ...]
    says: str
    digests: tuple[str, ...] = ()
    files: Mapping[str, bytes] = MappingProxyType({})


def taken_from(
    desk: Desk,
    tables: Tables,
    terms: Terms,
    written: Written,
    at: datetime,
    seats: tuple[str, ...],
    known: frozenset[str] = frozenset(),
) -> Intake:
    """Take what a letter brings.

    Args: the desk; the tables; the terms; the letter; when the server got it; the seats of its sender's address; the
            digests of sealed forms that have come already.
    Raises: Refusal that says what is wrong; OSError.
    """
    if terms.desk_key:
        return _sealed(desk, tables, terms, written, at, seats, known)
    mark = written.mark
    if mark is None:
        raise Refusal(
            "no_pass", (), "Its subject has no mark. Answer the letter that brought your report, and leave the subject "
            "as it is: it proves that the orders are yours.",
        )  # fmt: skip
    if mark.game != terms.game:
        raise Refusal("other_game", (), f"It is about game {mark.game}, and this is {terms.game}.")
    if not passes.is_true(passes.key_of(desk.folder), mark) or mark.seat not in seats:
        raise Refusal(
            "forged", (), "The mark in its subject is not the one that was sent to you for this seat and stop. If you "
            "have not written this letter, somebody else has written it in your name: nothing of it was taken.",
        )  # fmt: skip
    if mark.stop != terms.stop:
        raise Refusal(
            "other_stop", (), f"It answers the report of stop {mark.stop}, and orders are taken for stop {terms.stop}.",
        )  # fmt: skip
    words = [file for file in enclosed(written) if is_proof(file)]
    for file in words:
        if seat_of_file(file) != mark.seat:
            own = power_name(tables, mark.seat)
            raise Refusal("forged", (), f"The file {file.name[:60]} is for another seat than {own}.")
        take_proof(desk.folder, terms, file, mark.seat, b"")
    if words:
        return Intake((mark.seat,), f"The word for the dice of {power_name(tables, mark.seat)} has been taken.")
    return _take_orders(desk, tables, terms, written, at, mark.seat)


def _take_orders(
    desk: Desk, tables: Tables, terms: Terms, written: Written, at: datetime, seat: str
) -> Intake:
    """Take the orders of a letter in an open game. Raises: Refusal, OSError."""
    found = orders_of(tables, written, powers_at(tables, seat))
    if found.withdraws:
        withdraw_form(desk.folder, terms, tables, seat, at)
        return Intake((), withdrawn_text(tables, seat, terms))
    text = found.text
    path = desk.folder.form_of(terms.stop, seat)
    if found.only_head and path.is_file():  # more time is asked for: the orders that were sent stand
        before = [line for line in text_of(read_small(path)).splitlines() if not _EXTEND.match(line)]
        text = "\n".join((*text.splitlines(), *before)) + "\n"
    submit_to(desk.folder, terms, tables, text, seat, lambda: at)
    says = receipt_text(tables, desk.position(seat), terms, seat, text, found.remarks)
    return Intake((seat,), says)


class Orders(NamedTuple):
    """The orders of a letter.

    Attributes:
        text: the form.
        remarks: what a receipt says of the reading.
        withdraws: the letter takes the orders back.
        only_head: the letter asks for more time (`extend: 3`) or a vacation and holds no orders.
    """

    text: str
    remarks: tuple[str, ...] = ()
    withdraws: bool = False
    only_head: bool = False


_EXTEND = re.compile(r"\s*(?:extend|vacation)\s*:", re.IGNORECASE)


def orders_of(tables: Tables, written: Written, own: tuple[str, ...]) -> Orders:
    """The orders in the text of a letter or in an attached text file.

    Args: the tables; the letter; the Powers of the seat that sends it.
    Raises: Refusal `no_orders`, `two_forms`, `bad_form`, `not_text`.
    """
    body, *files = sources(written)
    letter = extract_orders(tables, body.text, own)
    attached = [(file, _extracted(tables, file, own)) for file in files]
    full = [(file, found) for file, found in attached if found.has_orders]
    if len({found.text for _, found in full}) > 1:
        names = " and ".join(file.name for file, _ in full)
        raise Refusal("two_forms", (), f"The letter encloses {len(full)} files with orders ({names}): send one.")
    if full and has_orders(letter.text) and letter.text != full[0][1].text:
        raise Refusal(
            "two_forms", (), f"There are orders in your letter and in {full[0][0].name}: send one of them.",
        )  # fmt: skip
    source, found = full[0] if full else (body, letter)
    if found.faults:
        faults = [f"{source.name}, {fault}" if source.name else str(fault) for fault in found.faults]
        remedy = () if source.name.endswith(FORM) else (REMEDY,)
        raise Refusal("bad_form", (), "\n".join((*faults, *remedy)))
    no_orders = any(one.no_orders for one in (letter, *(found for _, found in attached)))
    if not found.has_orders:
        if letter.withdraws:
            return Orders("", withdraws=True)
        if not no_orders and any(_EXTEND.match(line) for line in letter.text.splitlines()):
            return Orders(letter.text, _remarks(body, letter, letter), only_head=True)
        if not no_orders:
            raise Refusal("no_orders", (), _no_orders(letter, files))
        return Orders("# no orders\n", _remarks(source, found, letter))
    if letter.withdraws or no_orders:
        said = "withdraws your orders" if letter.withdraws else "says 'no orders'"
        raise Refusal(
            "two_forms", (), f"Your letter {said} and holds orders as well. A letter with orders replaces an earlier "
            "one by itself: leave the other line out.",
        )  # fmt: skip
    return Orders(found.text, _remarks(source, found, letter))


def _extracted(tables: Tables, file: Source, own: tuple[str, ...]) -> Extracted:
    """The orders in an attached file; a form is taken as it is."""
    if not file.name.endswith(FORM):
        return extract_orders(tables, file.text, own)
    _, _, faults = checked(tables, file.text, own[0])
    no_orders = any(line.strip().casefold() in NO_ORDERS for line in file.text.splitlines())
    if no_orders and not has_orders("\n".join(
        line for line in file.text.splitlines() if line.strip().casefold() not in NO_ORDERS
    )):  # fmt: skip
        return Extracted(no_orders=True)
    return Extracted(file.text, faults=faults)


def _no_orders(letter: Extracted, files: Sequence[Source]) -> str:
    """Why a letter without orders is not taken."""
    looked = [f"the file {file.name} holds no orders" for file in files]
    looked += [f"{line} (not read as orders)" for line in letter.ignored]
    seen = "".join(f"\n  {line}" for line in looked)
    return (
        "Your letter holds no orders, so nothing has changed: orders that you sent before still stand. Write your "
        "orders "
        "one a line above the quoted letter, or attach them as a text file. To send a form without orders write a line "
        f"that says 'no orders'; to take back what you sent write 'withdraw orders'.{seen}"
    )


def _remarks(source: Source, found: Extracted, letter: Extracted) -> tuple[str, ...]:
    """What a receipt says of how a letter was read."""
    out = [f"Your orders were read from the attached file {source.name}."] if source.name else []
    if found.joined:
        out.append("Joined, because the mail program had wrapped them:")
        out += [f"  {line}" for line in found.joined]
    ignored = found.ignored if not source.name else (*letter.ignored, *(f"{source.name}, {i}" for i in found.ignored))
    if source.name:
        ignored += tuple(f"line {fault.line}: not read, because the orders are attached" for fault in letter.faults)
    if ignored:
        out.append("Not read as orders:")
        out += [f"  {line}" for line in ignored]
    return tuple(out)


def _sealed(
    desk: Desk,
    tables: Tables,
    terms: Terms,
    written: Written,
    at: datetime,
    own: tuple[str, ...],
    known: frozenset[str],
) -> Intake:
    """Take sealed letters that are enclosed: each is what it says by its signature. Raises: Refusal, OSError."""
    files = enclosed(written)
    if not files:
        raise Refusal(
            "no_form", (), "It encloses no sealed form: 'paxtui postal submit' makes one. Forms of this game are "
            "sealed, and what stands in the letter itself is not looked at.",
        )  # fmt: skip
    secret = bytes.fromhex(read_small(desk.folder.key).decode())
    seats, digests, said, receipts = [], [], list[str](), dict[str, bytes]()
    for file in files:
        seat = seat_of_file(file)
        if seat not in terms.players:
            raise Refusal("unknown_seat", (), f"The file {file.name[:60]} is named for no seat of this game.")
        if seat not in own:
            whose = power_name(tables, seat)
            raise Refusal("forged", (), f"The file is for {whose}, and your address is none of its player's.")
        name = power_name(tables, seat)
        if file.name.endswith(JOINING):
            joined(file.data, secret, terms, codes_of(desk.folder))
            write(joining_of(desk.folder, seat, file.data), file.data)
            said.append(f"The seat of {name} is yours: your code has been accepted. Your report follows, sealed "
            "for you.")
        elif is_proof(file):
            take_proof(desk.folder, terms, file, seat, secret)
            what = "key of the form" if file.name.endswith(UNLOCKING) else "word for the dice"
            said.append(f"The {what} of {name} has been taken.")
        else:
            digest = sha256(file.data).hexdigest()
            if digest in known:
                raise Refusal(
                    "twice", (), "The same sealed form has come before, and it was taken then. An old form does not "
                    "replace a newer one.",
                )  # fmt: skip
            _take_form(desk, tables, terms, file, seat, secret, at)
            digests.append(digest)
            receipts[seat + RECEIPT] = desk.receipt_for(seat, file.data)
            said.append(
                f"Your form for {name}, stop {terms.stop}, has been taken. Another one replaces it until the deadline "
                f"({said_anywhere(terms.deadline)}). The enclosed receipt is signed by the desk and sealed for "
                "you: save it "
                f"and read it with\n    paxtui postal receipt DIR {seat}{RECEIPT}"
            )
        seats.append(seat)
    return Intake(tuple(seats), "\n\n".join(said), tuple(digests), receipts)


def _take_form(
    desk: Desk, tables: Tables, terms: Terms, file: Enclosed, seat: str, secret: bytes, at: datetime
) -> None:
    """Take a sealed form. Raises: Refusal, OSError."""
    try:
        text = opened_form(file.data, secret, terms, seat).text
    except Refusal as refusal:
        if refusal.code != LOCKED:
            raise
        text = ""  # it is looked at when its key has come
    if text.strip() == WITHDRAWN:
        text = ""
    form, named, faults = checked(tables, text, seat)
    if named != seat:
        there, meant = power_name(tables, seat), power_name(tables, named) if named else "nobody"
        raise Refusal("other_seat", (), f"The file is named for {there}, and the form is for {meant}.")
    right_stop(terms, tuple(terms.players), form, seat)
    if faults:
        raise Refusal("bad_form", (), "\n".join(map(str, faults)))
    in_time(terms, at)
    path = desk.folder.form_of(terms.stop, seat).with_suffix(SEALED)
    write(path, file.data)
    os.utime(path, (at.timestamp(), at.timestamp()))
