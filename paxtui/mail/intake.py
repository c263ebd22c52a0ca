"""Process the content of a letter: a form for the current stop, a join letter, an unlock key or a dice word.

The sender is authenticated by the token in the subject, or in a sealed game by the signature of the seat's key.

Rules: PBM-001, PBM-018
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.text.display import power_name
from paxtui.mail import keys, message_parser
from paxtui.mail.fair_dice import DICE_SUFFIX, DiceLetter, dice_letter_path
from paxtui.mail.game_directory import (
    FORM_SUFFIX,
    TERMS_FILE,
    GameDirectory,
    MailTerms,
    deadline_utc_text,
    read_small,
    write_whole,
)
from paxtui.mail.gamemaster import GamemasterService
from paxtui.mail.keys import JOIN_SUFFIX, accept_join_letter, join_letter_path, read_code_hashes
from paxtui.mail.message_parser import EnclosedFile, IncomingMessage, OrderSource, enclosed_files, order_sources
from paxtui.mail.order_extraction import NO_ORDERS, REMEDY, ExtractedOrders, extract_orders, has_orders
from paxtui.mail.sealed_letters import (
    LOCKED_MARK,
    RECEIPT_SUFFIX,
    SEALED_SUFFIX,
    UNLOCK_SUFFIX,
    decode_unlock_key,
    open_form,
    read_letter,
    receipt_text,
    unlock_path,
    withdrawal_receipt_text,
)
from paxtui.mail.submissions import (
    WITHDRAWN,
    check_deadline,
    check_form,
    check_stop,
    decode_form,
    seat_powers,
    submit_form,
    withdraw_form,
)


def is_proof(file: EnclosedFile) -> bool:
    """Whether a file is an unlock key or a dice letter."""
    return file.name.endswith((UNLOCK_SUFFIX, DICE_SUFFIX))


def file_seat(file: EnclosedFile) -> str:
    """Return the seat in a file name; the name of a dice letter also contains its stage."""
    stem = PurePosixPath(file.name).stem
    return stem.rpartition("-")[0] if file.name.endswith(DICE_SUFFIX) else stem


def take_proof(folder: GameDirectory, terms: MailTerms, file: EnclosedFile, seat: str, secret: bytes) -> None:
    """Store an unlock key or a dice letter of a seat.

    Args: `secret`: the gamemaster's secret key; empty in an open game.
    Raises: Refusal `no_key_yet`, `not_yet`, `other_game`, `not_for_us`, `bad_signature`, `not_text`; OSError.
    """
    if secret and seat not in terms.keys:
        raise Refusal("no_key_yet", (), f"No player has joined for {seat} yet.")
    data = keys.open_sealed_message(file.data, secret, terms.keys[seat]) if secret else file.data
    if file.name.endswith(UNLOCK_SUFFIX):
        if not (terms.two_step and terms.opening):
            text = "Keys are accepted only between the close of submissions and the adjudication."
            raise Refusal("not_yet", (), text)
        decode_unlock_key(data, terms, seat)
        write_whole(unlock_path(folder, terms.stop, seat), file.data)
        return
    stage = PurePosixPath(file.name).stem.rpartition("-")[2]
    if not terms.dice or stage != terms.dice:
        raise Refusal("not_yet", (), f"The dice do not need {stage[:20]} now.")
    word = read_letter(data, DiceLetter)
    if (word.game, word.seat) != (terms.game, seat):
        raise Refusal("other_game", (), "The word is for another game or seat.")
    write_whole(dice_letter_path(folder, seat, stage), file.data)


def requested_proof(terms: MailTerms, seat: str) -> tuple[str, str]:
    """Return the proof that a seat must send now: its kind, and a description; "" for none."""
    if terms.opening and seat in terms.boxes:
        what, file = f"key {terms.opening}", f"orders/{terms.stop:04}/{seat}{UNLOCK_SUFFIX}"
        why = "Submissions are closed. Now the key of your locked form is needed; paxtui has kept it on your computer."
    elif terms.dice in ("hashes", "words") and seat in terms.waits_for:
        what, file = f"dice {terms.dice}", f"orders/dice/{seat}-{terms.dice}{DICE_SUFFIX}"
        why = f"This game has fair dice, to which each player contributes. Needed now: {terms.asks}."
    elif not terms.stop and terms.desk_key and seat not in terms.keys:
        what, file = "join", f"orders/joining/{seat}.join"
        why = "A seat of a sealed game is reserved for you. Ask the gamemaster for its invitation code."
        type_ = f"Save {TERMS_FILE} in a new directory and run\n    paxtui postal join DIR CODE --name YOURS\n"
        return what, f"{why}\n{type_}{_deliver_file(file)}"
    else:
        return "", ""
    until = terms.opening or terms.deadline
    when = f" Until {deadline_utc_text(until)}." if until else ""
    type_ = f"Save {TERMS_FILE} in your directory of the game and run\n    paxtui postal answer DIR --seat {seat}\n"
    return what, f"{why}{when}\n{type_}{_deliver_file(file)}"


def _deliver_file(file: str) -> str:
    return f"Then reply, keep the subject, and attach the new file {file}.\n"


class IntakeResult(NamedTuple):
    """Result of processing a letter.

    Attributes:
        seats: Seats whose forms or keys were accepted.
        says: Reply to the sender.
        digests: Digests of the sealed forms.
        files: Attachments of the reply, by name.
    """

    seats: tuple[str, ...]
    says: str
    digests: tuple[str, ...] = ()
    files: Mapping[str, bytes] = MappingProxyType({})


def take_message(
    service: GamemasterService,
    tables: Tables,
    terms: MailTerms,
    written: IncomingMessage,
    at: datetime,
    seats: tuple[str, ...],
    known: frozenset[str] = frozenset(),
) -> IntakeResult:
    """Process the content of a letter.

    Args:
        service: Gamemaster service of the game.
        tables: Static game data.
        terms: Terms of the game.
        written: The letter.
        at: Time when the mail server received it.
        seats: Seats of the sender's address.
        known: Digests of the sealed forms already received.

    Raises:
        Refusal: The letter cannot be accepted; the text says why.
        OSError: A file cannot be written.
    """
    if terms.desk_key:
        return _take_sealed(service, tables, terms, written, at, seats, known)
    mark = written.mark
    if mark is None:
        text = "Its subject has no reply token. Reply to the letter with your report and keep the subject"
        raise Refusal("no_pass", (), f"{text}: it proves that the orders are yours.")
    if mark.game != terms.game:
        raise Refusal("other_game", (), f"It is for game {mark.game}, but this is {terms.game}.")
    if not message_parser.is_valid_token(message_parser.token_key(service.folder), mark) or mark.seat not in seats:
        text = "The reply token in its subject is not the one sent to you for this seat and stop. If you did not"
        text += " write this letter, it was written in your name by another person. It was ignored."
        raise Refusal("forged", (), text)
    if mark.stop != terms.stop:
        text = f"It replies to the report of stop {mark.stop}, but the current stop is {terms.stop}."
        raise Refusal("other_stop", (), text)
    words = [file for file in enclosed_files(written) if is_proof(file)]
    for file in words:
        if file_seat(file) != mark.seat:
            own = power_name(tables, mark.seat)
            raise Refusal("forged", (), f"The file {file.name[:60]} is for another seat than {own}.")
        take_proof(service.folder, terms, file, mark.seat, b"")
    if words:
        return IntakeResult((mark.seat,), f"The word for the dice of {power_name(tables, mark.seat)} was accepted.")
    return _take_orders(service, tables, terms, written, at, mark.seat)


def _take_orders(
    service: GamemasterService, tables: Tables, terms: MailTerms, written: IncomingMessage, at: datetime, seat: str
) -> IntakeResult:
    """Accept the orders of a letter in an open game. Raises: Refusal, OSError."""
    found = letter_orders(tables, written, seat_powers(tables, seat))
    if found.withdraws:
        withdraw_form(service.folder, terms, tables, seat, at)
        return IntakeResult((), withdrawal_receipt_text(tables, seat, terms))
    text = found.text
    path = service.folder.form_of(terms.stop, seat)
    if found.only_head and path.is_file():  # a request for more time keeps the earlier orders
        before = [line for line in decode_form(read_small(path)).splitlines() if not _EXTEND.match(line)]
        text = "\n".join((*text.splitlines(), *before)) + "\n"
    submit_form(service.folder, terms, tables, text, seat, lambda: at)
    says = receipt_text(tables, service.position(seat), terms, seat, text, found.remarks)
    return IntakeResult((seat,), says)


class LetterOrders(NamedTuple):
    """Orders of a letter.

    Attributes:
        text: The form.
        remarks: Remarks on how the letter was read, for the receipt.
        withdraws: The letter withdraws the orders.
        only_head: The letter asks for more time (`extend: 3`) or a vacation and contains no orders.
    """

    text: str
    remarks: tuple[str, ...] = ()
    withdraws: bool = False
    only_head: bool = False


_EXTEND = re.compile(r"\s*(?:extend|vacation)\s*:", re.IGNORECASE)


def letter_orders(tables: Tables, written: IncomingMessage, own: tuple[str, ...]) -> LetterOrders:
    """Return the orders in the text of a letter or in an attached text file.

    Args: `own`: the Powers of the sender's seat.
    Raises: Refusal `no_orders`, `two_forms`, `bad_form`, `not_text`.
    """
    body, *files = order_sources(written)
    letter = extract_orders(tables, body.text, own)
    attached = [(file, _file_orders(tables, file, own)) for file in files]
    full = [(file, found) for file, found in attached if found.has_orders]
    if len({found.text for _, found in full}) > 1:
        names = " and ".join(file.name for file, _ in full)
        raise Refusal("two_forms", (), f"The letter has {len(full)} attachments with orders ({names}). Send only one.")
    if full and has_orders(letter.text) and letter.text != full[0][1].text:
        text = f"Both the letter and {full[0][0].name} contain orders. Send only one of them."
        raise Refusal("two_forms", (), text)
    source, found = full[0] if full else (body, letter)
    if found.faults:
        faults = [f"{source.name}, {fault}" if source.name else str(fault) for fault in found.faults]
        remedy = () if source.name.endswith(FORM_SUFFIX) else (REMEDY,)
        raise Refusal("bad_form", (), "\n".join((*faults, *remedy)))
    no_orders = any(one.no_orders for one in (letter, *(found for _, found in attached)))
    if not found.has_orders:
        if letter.withdraws:
            return LetterOrders("", withdraws=True)
        if not no_orders and any(_EXTEND.match(line) for line in letter.text.splitlines()):
            return LetterOrders(letter.text, _receipt_remarks(body, letter, letter), only_head=True)
        if not no_orders:
            raise Refusal("no_orders", (), _no_orders(letter, files))
        return LetterOrders("# no orders\n", _receipt_remarks(source, found, letter))
    if letter.withdraws or no_orders:
        claim = "withdraws your orders" if letter.withdraws else "says 'no orders'"
        text = f"Your letter {claim} but also contains orders. Orders always replace earlier ones"
        raise Refusal("two_forms", (), f"{text}: leave out the other line.")
    return LetterOrders(found.text, _receipt_remarks(source, found, letter))


def _file_orders(tables: Tables, file: OrderSource, own: tuple[str, ...]) -> ExtractedOrders:
    """Return the orders of an attached file; a `.form` file is used unchanged."""
    if not file.name.endswith(FORM_SUFFIX):
        return extract_orders(tables, file.text, own)
    _, _, faults = check_form(tables, file.text, own[0])
    lines = file.text.splitlines()
    others = [line for line in lines if line.strip().casefold() not in NO_ORDERS]
    if len(others) < len(lines) and not has_orders("\n".join(others)):
        return ExtractedOrders(no_orders=True)
    return ExtractedOrders(file.text, faults=faults)


def _no_orders(letter: ExtractedOrders, files: Sequence[OrderSource]) -> str:
    reasons = [f"the file {file.name} contains no orders" for file in files]
    reasons += [f"{line} (not read as orders)" for line in letter.ignored]
    seen = "".join(f"\n  {line}" for line in reasons)
    return (
        "Your letter contains no orders. Your earlier orders, if any, still count. Write one order per line above the "
        "quoted letter, or attach a text file. If you have no orders, write a line 'no orders'; to withdraw your "
        f"orders, write 'withdraw orders'.{seen}"
    )


def _receipt_remarks(source: OrderSource, found: ExtractedOrders, letter: ExtractedOrders) -> tuple[str, ...]:
    out = [f"Your orders were read from the attached file {source.name}."] if source.name else []
    if found.joined:
        out.append("Lines joined that your mail program had wrapped:")
        out += [f"  {line}" for line in found.joined]
    ignored = found.ignored if not source.name else (*letter.ignored, *(f"{source.name}, {i}" for i in found.ignored))
    if source.name:
        ignored += tuple(f"line {fault.line}: not read, because the orders are attached" for fault in letter.faults)
    if ignored:
        out.append("Not read as orders:")
        out += [f"  {line}" for line in ignored]
    return tuple(out)


def _take_sealed(
    service: GamemasterService,
    tables: Tables,
    terms: MailTerms,
    written: IncomingMessage,
    at: datetime,
    own: tuple[str, ...],
    known: frozenset[str],
) -> IntakeResult:
    """Accept the sealed files of a letter; signatures identify them. Raises: Refusal, OSError."""
    files = enclosed_files(written)
    if not files:
        text = "It has no sealed form attached. Forms of this game are sealed: 'paxtui postal submit' writes one."
        raise Refusal("no_form", (), f"{text} The text of the letter is ignored.")
    secret = service.folder.secret()
    seats, digests, answers, receipts = [], [], list[str](), dict[str, bytes]()
    for file in files:
        seat = file_seat(file)
        if seat not in terms.players:
            raise Refusal("unknown_seat", (), f"The name of the file {file.name[:60]} matches no seat of this game.")
        if seat not in own:
            whose = power_name(tables, seat)
            raise Refusal("forged", (), f"The file is for {whose}, but your address does not belong to its player.")
        name = power_name(tables, seat)
        if file.name.endswith(JOIN_SUFFIX):
            accept_join_letter(file.data, secret, terms, read_code_hashes(service.folder))
            write_whole(join_letter_path(service.folder, seat, file.data), file.data)
            answers.append(f"The seat of {name} is yours: your code was accepted. Your report follows, sealed for you.")
        elif is_proof(file):
            take_proof(service.folder, terms, file, seat, secret)
            what = "key of the form" if file.name.endswith(UNLOCK_SUFFIX) else "word for the dice"
            answers.append(f"The {what} of {name} was accepted.")
        else:
            digest = sha256(file.data).hexdigest()
            if digest in known:
                text = "This sealed form was already accepted. An old form does not replace a newer one."
                raise Refusal("twice", (), text)
            _take_form(service, tables, terms, file, seat, secret, at)
            digests.append(digest)
            receipts[seat + RECEIPT_SUFFIX] = service.receipt_for(seat, file.data)
            answers.append(
                f"Your form for {name}, stop {terms.stop}, was accepted. You can replace it until the deadline "
                f"({deadline_utc_text(terms.deadline)}). The attached receipt is signed by the gamemaster and sealed "
                f"for you. Save it and read it with\n    paxtui postal receipt DIR {seat}{RECEIPT_SUFFIX}"
            )
        seats.append(seat)
    return IntakeResult(tuple(seats), "\n\n".join(answers), tuple(digests), receipts)


def _take_form(
    service: GamemasterService,
    tables: Tables,
    terms: MailTerms,
    file: EnclosedFile,
    seat: str,
    secret: bytes,
    at: datetime,
) -> None:
    """Accept a sealed form. Raises: Refusal, OSError."""
    try:
        text = open_form(file.data, secret, terms, seat).text
    except Refusal as refusal:
        if refusal.code != LOCKED_MARK:
            raise
        text = ""  # it is checked when its key arrives
    if text.strip() == WITHDRAWN:
        text = ""
    form, named, faults = check_form(tables, text, seat)
    if named != seat:
        there, meant = power_name(tables, seat), power_name(tables, named) if named else "nobody"
        raise Refusal("other_seat", (), f"The file name is for {there}, but the form is for {meant}.")
    check_stop(terms, tuple(terms.players), form, seat)
    if faults:
        raise Refusal("bad_form", (), "\n".join(map(str, faults)))
    check_deadline(terms, at)
    path = service.folder.form_of(terms.stop, seat).with_suffix(SEALED_SUFFIX)
    write_whole(path, file.data)
    os.utime(path, (at.timestamp(), at.timestamp()))
