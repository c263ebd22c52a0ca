"""What is sealed in a mail game: a form on its way to the desk, and a report on its way to a seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.table.postal import seals
from paxtui.table.postal.keys import SeatKey
from paxtui.table.postal.terms import Terms

SEALED = ".sealed"
LOCKED = "locked"
"""Code of the refusal of a form whose key has not come."""

T = TypeVar("T")


class FormLetter(msgspec.Struct, frozen=True, tag="form"):
    """A form, with the game, the stop and the seat it is for: signed with it, so that none can be used elsewhere."""

    game: str
    stop: int
    seat: str
    text: str


class LockedLetter(msgspec.Struct, frozen=True, tag="locked"):
    """A form in a box that its player opens after the deadline: a signed `FormLetter`, in base 64."""

    game: str
    stop: int
    seat: str
    box: str


class SignedForm(NamedTuple):
    """A form as it was sent. Attributes: its text; the signature of its letter, in hexadecimal."""

    text: str
    signature: str


class ReportLetter(msgspec.Struct, frozen=True, tag="report"):
    """A seat's report, the form to be filled in ("" where nothing is asked), the report as a page, the position."""

    game: str
    stop: int
    seat: str
    report: str
    form: str = ""
    page: str = ""
    position: str = ""


def sealed_form(terms: Terms, key: SeatKey, text: str) -> bytes:
    """A form on its way to the desk."""
    letter = FormLetter(terms.game, terms.stop, key.seat, text)
    return seals.sealed(msgspec.json.encode(letter), key.seed, key.desk)


def opened_form(
    data: bytes, secret: bytes, terms: Terms, seat: str, unlock: Callable[[str], bytes] | None = None
) -> SignedForm:
    """The form in a letter. Args: it; the desk's key; the terms; the seat; opens the box of a locked form.

    Raises: Refusal `no_key_yet`, `not_for_us`, `bad_signature`, `not_text`, `other_game`, `other_seat`, `other_stop`,
        `locked`.
    """
    key = terms.keys.get(seat)
    if key is None:
        raise Refusal("no_key_yet", (), f"Nobody has taken the seat of {seat[:40]} with its code.")
    signed = seals.unsealed(data, secret)
    letter = _form(terms, seat, seals.verified(signed, key))
    if isinstance(letter, LockedLetter) != terms.two_step:
        asks = "locked until the deadline" if terms.two_step else "not locked"
        raise Refusal("other_seals", (), f"Forms of this game are {asks}.")
    if isinstance(letter, LockedLetter):
        if unlock is None:
            raise Refusal(LOCKED, (), "The key of this form has not come.")
        signed = unlock(letter.box)
        letter = _form(terms, seat, seals.verified(signed, key))
    message = signed[seals.SIGNATURE :]
    if not isinstance(letter, FormLetter) or msgspec.json.encode(letter) != message:
        raise Refusal("not_text", (), "What is in the letter cannot be read.")
    return SignedForm(letter.text, signed[: seals.SIGNATURE].hex())


def _form(terms: Terms, seat: str, message: bytes) -> FormLetter | LockedLetter:
    """The letter for the present stop. Raises: Refusal `not_text`, `other_game`, `other_seat`, `other_stop`."""
    try:
        letter: FormLetter | LockedLetter = msgspec.json.decode(message, type=FormLetter | LockedLetter)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Refusal("not_text", (), "What is in the letter cannot be read.") from None
    if letter.game != terms.game:
        raise Refusal("other_game", (), f"The form is for game {letter.game[:40]}, and this is {terms.game}.")
    if letter.seat != seat:
        raise Refusal("other_seat", (), f"The letter is named for {seat}, and the form is for {letter.seat[:40]}.")
    if letter.stop != terms.stop:
        raise Refusal("other_stop", (), f"The form is for stop {letter.stop}; forms are taken for stop {terms.stop}.")
    return letter


def sealed_report(letter: ReportLetter, secret: bytes, key: str) -> bytes:
    """A report on its way to a seat."""
    return seals.sealed(msgspec.json.encode(letter), secret, key)


def opened_report(data: bytes, key: SeatKey) -> ReportLetter:
    """The report in a letter from the desk. Raises: Refusal `not_for_us`, `bad_signature`, `not_text`, `other_game`."""
    letter = read_letter(seals.opened(data, key.seed, key.desk), ReportLetter)
    if (letter.game, letter.seat) != (key.game, key.seat):
        raise Refusal("other_game", (), "The letter is for another game or seat.")
    return letter


def read_letter(data: bytes, kind: type[T]) -> T:
    """What a letter says. Raises: Refusal `not_text`."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Refusal("not_text", (), "What is in the letter cannot be read.") from None
