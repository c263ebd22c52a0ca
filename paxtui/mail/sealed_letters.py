"""Sealed and locked forms, sealed reports, unlock keys and receipts.

A locked form is encrypted with a key that its player sends after the deadline. Without that key the form counts as
missing. A signed receipt names the digest of the sealed form and proves that the gamemaster received it.

Rules: PBM-018
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.preview.order_form import preview_form
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import power_name
from paxtui.mail import keys
from paxtui.mail.game_directory import GameDirectory, MailTerms, deadline_utc_text, read_small, write_whole
from paxtui.mail.keys import SeatKey, key_directory
from paxtui.session.storage.files import replace_file

SEALED_SUFFIX = ".sealed"
LOCKED_MARK = "locked"
"""Code of the refusal of a form whose key has not arrived."""

T = TypeVar("T")


class FormLetter(msgspec.Struct, frozen=True, tag="form"):
    """A form with its game, stop and seat. All are signed together, so it is valid nowhere else."""

    game: str
    stop: int
    seat: str
    text: str


class LockedLetter(msgspec.Struct, frozen=True, tag="locked"):
    """A locked form. `box`: a signed and encrypted `FormLetter`, in base 64."""

    game: str
    stop: int
    seat: str
    box: str


class SignedForm(NamedTuple):
    """A form as it was sent.

    Attributes:
        text: Text of the form.
        signature: Signature of its letter, in hexadecimal.
    """

    text: str
    signature: str


class ReportLetter(msgspec.Struct, frozen=True, tag="report"):
    """The report of a seat, its blank form ("" for none), the report as HTML and the position."""

    game: str
    stop: int
    seat: str
    report: str
    form: str = ""
    page: str = ""
    position: str = ""


def seal_form(terms: MailTerms, key: SeatKey, text: str) -> bytes:
    """Sign and seal a form for the gamemaster."""
    letter = FormLetter(terms.game, terms.stop, key.seat, text)
    return keys.seal_message(msgspec.json.encode(letter), key.seed, key.desk)


def open_form(
    data: bytes, secret: bytes, terms: MailTerms, seat: str, unlock: Callable[[str], bytes] | None = None
) -> SignedForm:
    """Open a sealed form.

    Args:
        data: The sealed letter.
        secret: The gamemaster's secret key.
        terms: Terms of the game.
        seat: Seat of the sender.
        unlock: Opens the box of a locked form.

    Raises: Refusal `no_key_yet`, `not_for_us`, `bad_signature`, `not_text`, `other_game`, `other_seat`, `other_stop`,
        `locked`.
    """
    key = terms.keys.get(seat)
    if key is None:
        raise Refusal("no_key_yet", (), f"No player has joined for {seat[:40]} yet.")
    signed = keys.unseal_message(data, secret)
    letter = _form_letter(terms, seat, keys.verify_message(signed, key))
    if isinstance(letter, LockedLetter) != terms.two_step:
        asks = "locked until the deadline" if terms.two_step else "not locked"
        raise Refusal("other_seals", (), f"Forms of this game are {asks}.")
    if isinstance(letter, LockedLetter):
        if unlock is None:
            raise Refusal(LOCKED_MARK, (), "The key of this form has not arrived.")
        signed = unlock(letter.box)
        letter = _form_letter(terms, seat, keys.verify_message(signed, key))
    message = signed[keys.SIGNATURE_BYTES :]
    if not isinstance(letter, FormLetter) or msgspec.json.encode(letter) != message:
        raise Refusal("not_text", (), "The content of the letter cannot be read.")
    return SignedForm(letter.text, signed[: keys.SIGNATURE_BYTES].hex())


def _form_letter(terms: MailTerms, seat: str, message: bytes) -> FormLetter | LockedLetter:
    """Parse a letter for the current stop. Raises: Refusal `not_text`, `other_game`, `other_seat`, `other_stop`."""
    try:
        letter: FormLetter | LockedLetter = msgspec.json.decode(message, type=FormLetter | LockedLetter)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Refusal("not_text", (), "The content of the letter cannot be read.") from None
    if letter.game != terms.game:
        raise Refusal("other_game", (), f"The form is for game {letter.game[:40]}, but this is {terms.game}.")
    if letter.seat != seat:
        raise Refusal("other_seat", (), f"The letter is for {seat}, but the form is for {letter.seat[:40]}.")
    if letter.stop != terms.stop:
        raise Refusal("other_stop", (), f"The form is for stop {letter.stop}, but the current stop is {terms.stop}.")
    return letter


def open_report(data: bytes, key: SeatKey) -> ReportLetter:
    """Open a sealed report. Raises: Refusal `not_for_us`, `bad_signature`, `not_text`, `other_game`."""
    letter = read_letter(keys.open_sealed_message(data, key.seed, key.desk), ReportLetter)
    if (letter.game, letter.seat) != (key.game, key.seat):
        raise Refusal("other_game", (), "The letter is for another game or seat.")
    return letter


def read_letter(data: bytes, kind: type[T]) -> T:
    """Parse a letter of the given type. Raises: Refusal `not_text`."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Refusal("not_text", (), "The content of the letter cannot be read.") from None


KEYS_DAYS = 3
"""Days to wait for unlock keys after submissions close."""

UNLOCK_SUFFIX = ".unlock"


class UnlockLetter(msgspec.Struct, frozen=True, tag="unlock"):
    """The key of a locked form."""

    game: str
    stop: int
    seat: str
    key: str


def lock_form(terms: MailTerms, key: SeatKey, text: str) -> bytes:
    """Lock, sign and seal a form; its key is kept in the player's data directory. Raises: OSError."""
    form = FormLetter(terms.game, terms.stop, key.seat, text)
    lock = keys.new_secret_key()
    replace_file(_kept_key(terms, key.seat), lock.hex().encode())
    box = keys.lock_message(keys.sign_message(msgspec.json.encode(form), key.seed), lock)
    letter = LockedLetter(terms.game, terms.stop, key.seat, b64encode(box).decode())
    return keys.seal_message(msgspec.json.encode(letter), key.seed, key.desk)


def send_unlock_key(folder: GameDirectory, terms: MailTerms, key: SeatKey) -> bool:
    """Send the key of this stop's form if it is due. Returns: whether it was sent. Raises: OSError."""
    path, key_file = unlock_path(folder, terms.stop, key.seat), _kept_key(terms, key.seat)
    if not terms.opening or path.exists() or not key_file.exists():
        return False
    letter = UnlockLetter(terms.game, terms.stop, key.seat, read_small(key_file).decode("ascii", "replace"))
    write_whole(path, keys.seal_message(msgspec.json.encode(letter), key.seed, key.desk))
    return True


def read_unlock_key(folder: GameDirectory, terms: MailTerms, seat: str, secret: bytes) -> str:
    """Return the key of a seat's form, or "" if it has not arrived.

    Args: `secret`: the gamemaster's secret key.
    Raises: Refusal if the file is no unlock letter for this form; OSError.
    """
    path = unlock_path(folder, terms.stop, seat)
    if not path.is_file() or seat not in terms.keys:
        return ""
    return decode_unlock_key(keys.open_sealed_message(read_small(path), secret, terms.keys[seat]), terms, seat)


def decode_unlock_key(message: bytes, terms: MailTerms, seat: str) -> str:
    """Return the key in an unlock letter for the current stop. Raises: Refusal `not_text`, `other_stop`."""
    letter = read_letter(message, UnlockLetter)
    if (letter.game, letter.stop, letter.seat) != (terms.game, terms.stop, seat):
        raise Refusal("other_stop", (), "The key is for another game, stop or seat.")
    return letter.key


def open_box(box: str, key: str) -> bytes:
    """Decrypt a locked box; the result begins with its signature. Raises: Refusal `locked`."""
    try:
        return keys.unlock_message(b64decode(box, validate=True), bytes.fromhex(key))
    except ValueError:
        raise Refusal("locked", (), "The key does not open the form.") from None


def unlock_path(folder: GameDirectory, stop: int, seat: str) -> Path:
    """Return the path of the key of a form."""
    return folder.orders_of(stop) / f"{seat}{UNLOCK_SUFFIX}"


def _kept_key(terms: MailTerms, seat: str) -> Path:
    return key_directory() / f"{terms.game}-{seat}-{terms.stop}.lock"


RECEIPT_SUFFIX = ".receipt"


class Receipt(msgspec.Struct, frozen=True, tag="receipt"):
    """The signed content of a receipt.

    Attributes:
        game, stop, seat: What the form is for.
        form: SHA-256 of the sealed form.
        at: Time of receipt.
        withdrawn: The form withdraws the previous one.
    """

    game: str
    stop: int
    seat: str
    form: str
    at: str
    withdrawn: bool = False


class ReceiptLetter(msgspec.Struct, frozen=True, tag="receipt_letter"):
    """A receipt sent to a seat.

    Attributes:
        receipt: The signed `Receipt`, in hexadecimal.
        text: Text of the receipt.
    """

    receipt: str
    text: str


def receipt_text(
    tables: Tables, state: State, terms: MailTerms, seat: str, form: str, remarks: Sequence[str] = ()
) -> str:
    """Return the reply to an accepted form: its orders, tried on the position known to the seat, and warnings."""
    name = power_name(tables, seat)
    lines = [
        f"Your orders for {name}, stop {terms.stop}, were accepted. Until the deadline "
        f"({deadline_utc_text(terms.deadline)}), another letter with orders replaces them, and the line "
        "'withdraw orders' withdraws them.",
        "",
        *_order_lines(tables, state, seat, form),
    ]
    if remarks:
        lines += ["", *remarks]
    return "\n".join(lines) + "\n"


def withdrawal_receipt_text(tables: Tables, seat: str, terms: MailTerms) -> str:
    """Return the reply to a withdrawn form."""
    return (
        f"Your orders for {power_name(tables, seat)}, stop {terms.stop}, were withdrawn. The deadline is "
        f"{deadline_utc_text(terms.deadline)}; without orders, the caretaker plays for you.\n"
    )


def _order_lines(tables: Tables, state: State, seat: str, form: str) -> Iterator[str]:
    sheet = preview_form(tables, state, seat, form)
    if not sheet.lines:
        yield "You give no orders."
        return
    yield "Your orders:"
    for line in sheet.lines:
        kind = "standing: " if line.standing else ""
        yield f"{line.number:4}  {kind}{line.text}"
        if line.why:
            yield f"      WARNING: not possible in the current position. {line.why}"
        elif line.waits:
            yield f"      {line.waits}"
        if line.price:
            yield f"      {'costs' if line.price > 0 else 'pays'} £{abs(line.price)}"
    if sheet.warnings:
        yield ""
        yield "Warnings:"
        yield from (f"  - {warning.text}" for warning in sheet.warnings)


def seal_receipt(receipt: Receipt, text: str, secret: bytes, key: str) -> bytes:
    """Sign a receipt and seal it. Args: the receipt; its text; the gamemaster's secret key; the seat's public key."""
    signed = keys.sign_message(msgspec.json.encode(receipt), secret)
    return keys.seal_message(msgspec.json.encode(ReceiptLetter(signed.hex(), text)), secret, key)


def open_receipt(data: bytes, key: SeatKey) -> tuple[Receipt, bytes, str]:
    """Open a sealed receipt.

    Returns: the receipt, its signed form and its text.
    Raises: Refusal `not_for_us`, `bad_signature`, `not_text`, `other_game`.
    """
    letter = read_letter(keys.open_sealed_message(data, key.seed, key.desk), ReceiptLetter)
    try:
        signed = bytes.fromhex(letter.receipt)
    except ValueError:
        raise Refusal("not_text", (), "The content of the letter cannot be read.") from None
    receipt = read_letter(keys.verify_message(signed, key.desk), Receipt)
    if (receipt.game, receipt.seat) != (key.game, key.seat):
        raise Refusal("other_game", (), "The receipt is for another game or seat.")
    return receipt, signed, letter.text


def save_receipt(receipt: Receipt, signed: bytes) -> None:
    """Save a signed receipt in the player's data directory for `audit`. Raises: OSError."""
    key_directory().mkdir(mode=0o700, parents=True, exist_ok=True)
    name = f"{receipt.game}-{receipt.stop:04}-{receipt.seat}-{receipt.form[:12]}{RECEIPT_SUFFIX}"
    replace_file(key_directory() / name, signed)


def saved_receipts(game: str, desk_key: str) -> list[Receipt]:
    """Return the saved receipts of a game that have a valid signature of the gamemaster. Raises: OSError."""
    found = []
    for path in sorted(key_directory().glob(f"{game}-*{RECEIPT_SUFFIX}")) if desk_key else ():
        try:
            receipt = read_letter(keys.verify_message(read_small(path), desk_key), Receipt)
        except Refusal:
            continue
        if receipt.game == game:
            found.append(receipt)
    return found
