"""What a letter brings is taken: a form for the present stop, or the letter by which a seat of a sealed game is taken.

In an open game the pass in the subject proves whose it is, in a sealed one the signature of the seat's key.

Rules: PBM-001, PBM-018
"""

from __future__ import annotations

import os
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.words.spoken import power_name
from paxtui.postal import passes
from paxtui.postal.proofs import is_proof, seat_of_file, take_proof
from paxtui.postal.reading import Enclosed, Written, enclosed, form_of
from paxtui.table.postal.arrivals import checked, right_stop, submit_to
from paxtui.table.postal.desk import Desk
from paxtui.table.postal.folder import read_small, write
from paxtui.table.postal.keys import JOINING, codes_of, joined, joining_of
from paxtui.table.postal.letters import LOCKED, SEALED, opened_form
from paxtui.table.postal.terms import Terms, said_anywhere


class Intake(NamedTuple):
    """What has been taken: for which seats, in words, and the digests of sealed forms."""

    seats: tuple[str, ...]
    says: str
    digests: tuple[str, ...] = ()


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
    if not words:
        submit_to(desk.folder, terms, tables, form_of(written), mark.seat, lambda: at)
    return Intake((mark.seat,), power_name(tables, mark.seat))


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
    seats, digests = [], []
    for file in files:
        seat = seat_of_file(file)
        if seat not in terms.players:
            raise Refusal("unknown_seat", (), f"The file {file.name[:60]} is named for no seat of this game.")
        if seat not in own:
            whose = power_name(tables, seat)
            raise Refusal("forged", (), f"The file is for {whose}, and your address is none of its player's.")
        if file.name.endswith(JOINING):
            joined(file.data, secret, terms, codes_of(desk.folder))
            write(joining_of(desk.folder, seat), file.data)
        elif is_proof(file):
            take_proof(desk.folder, terms, file, seat, secret)
        else:
            digest = sha256(file.data).hexdigest()
            if digest in known:
                raise Refusal("twice", (), "The same sealed form has come before: an old one does not replace a newer.")
            _take_form(desk, tables, terms, file, seat, secret, at)
            digests.append(digest)
        seats.append(seat)
    return Intake(tuple(seats), ", ".join(power_name(tables, seat) for seat in seats), tuple(digests))


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
    form, named, faults = checked(tables, text, seat)
    if named != seat:
        there, meant = power_name(tables, seat), power_name(tables, named) if named else "nobody"
        raise Refusal("other_seat", (), f"The file is named for {there}, and the form is for {meant}.")
    right_stop(terms, tuple(terms.players), form, seat)
    if faults:
        raise Refusal("bad_form", (), "\n".join(map(str, faults)))
    if terms.closed(at) or terms.opening:
        raise Refusal("late", (), f"The deadline was {said_anywhere(terms.deadline)}: the form comes too late.")
    path = desk.folder.form_of(terms.stop, seat).with_suffix(SEALED)
    write(path, file.data)
    os.utime(path, (at.timestamp(), at.timestamp()))
