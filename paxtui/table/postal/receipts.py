"""Receipts for forms: the orders as they were read, what speaks against them, and in sealed games the desk's signature.

A signed receipt names the digest of the sealed form. Whoever holds one can prove that the desk had the form.

Rules: PBM-018
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.reports.order_sheet import tried
from paxtui.pax.state.model import State
from paxtui.pax.words.spoken import power_name
from paxtui.table.disk.files import write_over
from paxtui.table.postal import seals
from paxtui.table.postal.folder import read_small
from paxtui.table.postal.keys import SeatKey, ring
from paxtui.table.postal.letters import read_letter
from paxtui.table.postal.terms import Terms, said_anywhere

RECEIPT = ".receipt"


class Receipt(msgspec.Struct, frozen=True, tag="receipt"):
    """What the desk signs. Attributes: game, stop and seat; SHA-256 of the sealed form; when; whether it withdraws."""

    game: str
    stop: int
    seat: str
    form: str
    at: str
    withdrawn: bool = False


class ReceiptLetter(msgspec.Struct, frozen=True, tag="receipt_letter"):
    """A receipt on its way to a seat. Attributes: the signed `Receipt`, in hexadecimal; its text."""

    receipt: str
    text: str


def receipt_text(
    tables: Tables, state: State, terms: Terms, seat: str, form: str, remarks: Sequence[str] = ()
) -> str:
    """The answer to a form that was taken: its orders, tried on the position that the seat knows, and warnings."""
    name = power_name(tables, seat)
    lines = [
        f"Your orders for {name}, stop {terms.stop}, have been taken. Until the deadline "
        f"({said_anywhere(terms.deadline)}) "
        "another letter with orders replaces them, and the line 'withdraw orders' takes them back.",
        "",
        *_orders(tables, state, seat, form),
    ]
    if remarks:
        lines += ["", *remarks]
    return "\n".join(lines) + "\n"


def withdrawn_text(tables: Tables, seat: str, terms: Terms) -> str:
    """The answer to a form that was withdrawn."""
    return (
        f"Your orders for {power_name(tables, seat)}, stop {terms.stop}, have been withdrawn. Nothing of yours "
        "lies here "
        f"now. The deadline is {said_anywhere(terms.deadline)}; without a form the caretaker plays for you.\n"
    )


def _orders(tables: Tables, state: State, seat: str, form: str) -> Iterator[str]:
    sheet = tried(tables, state, seat, form)
    if not sheet.lines:
        yield "You give no orders."
        return
    yield "The orders as they were read:"
    for line in sheet.lines:
        kind = "standing: " if line.standing else ""
        yield f"{line.number:4}  {kind}{line.text}"
        if line.why:
            yield f"      WARNING: as things stand this cannot be carried out. {line.why}"
        elif line.waits:
            yield f"      {line.waits}"
        if line.price:
            yield f"      {'costs' if line.price > 0 else 'brings'} £{abs(line.price)}"
    if sheet.warnings:
        yield ""
        yield "Warnings:"
        yield from (f"  - {warning.text}" for warning in sheet.warnings)


def sealed_receipt(receipt: Receipt, text: str, secret: bytes, key: str) -> bytes:
    """A receipt signed by the desk and sealed for its seat. Args: it; its text; the desk's secret key; the seat's."""
    signed = seals.signed(msgspec.json.encode(receipt), secret)
    return seals.sealed(msgspec.json.encode(ReceiptLetter(signed.hex(), text)), secret, key)


def opened_receipt(data: bytes, key: SeatKey) -> tuple[Receipt, bytes, str]:
    """A receipt, its signed form and its text.

    Raises: Refusal `not_for_us`, `bad_signature`, `not_text`, `other_game`.
    """
    letter = read_letter(seals.opened(data, key.seed, key.desk), ReceiptLetter)
    try:
        signed = bytes.fromhex(letter.receipt)
    except ValueError:
        raise Refusal("not_text", (), "What is in the letter cannot be read.") from None
    receipt = read_letter(seals.verified(signed, key.desk), Receipt)
    if (receipt.game, receipt.seat) != (key.game, key.seat):
        raise Refusal("other_game", (), "The receipt is for another game or seat.")
    return receipt, signed, letter.text


def keep_receipt(receipt: Receipt, signed: bytes) -> None:
    """Keep a signed receipt in the player's own data directory, where `audit` looks for it. Raises: OSError."""
    ring().mkdir(mode=0o700, parents=True, exist_ok=True)
    name = f"{receipt.game}-{receipt.stop:04}-{receipt.seat}-{receipt.form[:12]}{RECEIPT}"
    write_over(ring() / name, signed)


def kept_receipts(game: str, desk_key: str) -> list[Receipt]:
    """The receipts of a game in the player's own data directory whose signature is the desk's. Raises: OSError."""
    found = []
    for path in sorted(ring().glob(f"{game}-*{RECEIPT}")) if desk_key else ():
        try:
            receipt = read_letter(seals.verified(read_small(path), desk_key), Receipt)
        except Refusal:
            continue
        if receipt.game == game:
            found.append(receipt)
    return found
