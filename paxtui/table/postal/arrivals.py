"""Forms that come in: tried before they are sent, taken for the stop they are for, and kept aside where they cannot be.

Rules: PBM-018
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.orders.actions import Sheet
from paxtui.pax.postal.forms import Fault, Form
from paxtui.pax.postal.reading import read_form
from paxtui.pax.words.names import index
from paxtui.table.disk.files import StoreError
from paxtui.table.postal.folder import FORM, Folder, read_small, write
from paxtui.table.postal.keys import own_key
from paxtui.table.postal.letters import SEALED, opened_form, sealed_form
from paxtui.table.postal.terms import Terms, said

Now = Callable[[], datetime]
"""What time it is, with a zone."""

REFUSED = "refused"
"""Where forms lie that were not taken."""


def now_utc() -> datetime:
    """The time now."""
    return datetime.now(UTC)


class Arrived(NamedTuple):
    """What has come in for a stop.

    Attributes:
        sheets: the forms that are taken, by seat.
        refused: name of each file that is not, with the reason.
    """

    sheets: dict[str, Sheet]
    refused: dict[str, str]


def text_of(data: bytes) -> str:
    """The text of a form. Raises: Refusal `not_text`."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refusal("not_text", (), f"The form is not in UTF-8 (byte {error.start + 1}).") from None


def powers_at(tables: Tables, seat: str) -> tuple[str, ...]:
    """The Powers that a seat plays."""
    return (seat, *(power for power, row in tables.powers.items() if row.seat == seat))


def seat_of(tables: Tables, form: Form) -> str:
    """The seat that a form names, "" where it names none. Raises: Refusal, where there is no such Power."""
    name = form.head.get("seat", "")
    return index(tables).powers.find(name) if name else ""


def checked(tables: Tables, text: str, known: str = "") -> tuple[Form, str, tuple[Fault, ...]]:
    """A form, its seat ("" where nobody says), and everything that is wrong with it.

    Args: the tables; the text; whose it is, where that is known otherwise.
    """
    form, faults = read_form(tables, text)
    try:
        seat = seat_of(tables, form) or known
    except Refusal as refusal:
        line = next(n for n, one in enumerate(text.splitlines(), 1) if one.strip().casefold().startswith("seat"))
        return form, "", (Fault(line, 1, refusal.message), *faults)
    if seat:
        form, faults = read_form(tables, text, powers_at(tables, seat))
    return form, seat, faults


def right_stop(terms: Terms, players: tuple[str, ...], form: Form, seat: str) -> None:
    """Whether a form is for the stop at which the game is.

    Raises: Refusal `other_game`, `other_stop`, `unknown_seat`, `game_over`.
    """
    if terms.over:
        raise Refusal("game_over", ("SET-003",), "The game is over.")
    if form.head.get("game", terms.game) != terms.game:
        raise Refusal("other_game", (), f"The form is for game {form.head['game'][:40]}, and this is {terms.game}.")
    if form.head.get("stop", str(terms.stop)) != str(terms.stop):
        named = form.head["stop"][:20]
        raise Refusal("other_stop", (), f"The form is for stop {named}; forms are taken for stop {terms.stop}.")
    if seat not in players:
        raise Refusal("unknown_seat", (), f"The form names no seat of this game: {', '.join(players)}.")


def submit_to(folder: Folder, terms: Terms, tables: Tables, text: str, seat: str, now: Now = now_utc) -> Path:
    """Hand in the form of a seat; it takes the place of an earlier one.

    Args: the directory; its terms; the tables; the form; the seat, "" for the one that the form names; the time.
    Returns: where it lies.
    Raises: Refusal, with every fault of the form, or where it is not for this stop or too late; OSError.
    """
    form, named, faults = checked(tables, text, seat)
    if faults:
        raise Refusal("bad_form", (), "\n".join(map(str, faults)))
    if seat and seat != named:
        raise Refusal("other_seat", (), f"The form is for {named}, not for {seat}.")
    right_stop(terms, tuple(terms.players), form, named)
    at = now()
    if terms.closed(at):
        raise Refusal("late", (), f"The deadline was {said(terms.deadline)}: the form comes too late.")
    path = folder.form_of(terms.stop, named)
    if terms.desk_key:
        path = path.with_suffix(SEALED)
        write(path, sealed_form(terms, own_key(terms, named), text))
    else:
        write(path, text)
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


def collected(folder: Folder, terms: Terms, tables: Tables) -> Arrived:
    """The forms that lie there for the present stop. Nothing is changed. Raises: OSError."""
    found = Arrived({}, {})
    directory = folder.orders_of(terms.stop)
    secret = bytes.fromhex(read_small(folder.key).decode()) if terms.desk_key else b""
    for path in sorted(directory.iterdir()) if directory.is_dir() else ():
        if path.suffix not in (FORM, SEALED) or not path.is_file():
            continue
        try:
            sheet = _sheet(terms, tables, path, secret)
        except (Refusal, StoreError) as problem:
            found.refused[path.name] = str(problem)
        else:
            found.sheets[sheet.seat] = sheet
    return found


def _sheet(terms: Terms, tables: Tables, path: Path, secret: bytes) -> Sheet:
    """The form in a file. Raises: Refusal, StoreError, OSError."""
    seat, data = path.stem, read_small(path)
    if (path.suffix == SEALED) != bool(secret):
        asks = "sealed by 'paxtui postal submit'" if secret else "not sealed"
        raise Refusal("other_seals", (), f"Forms of this game are {asks}.")
    text = opened_form(data, secret, terms, seat) if secret else text_of(data)
    form, named, faults = checked(tables, text, seat)
    if named and named != seat:
        raise Refusal("other_seat", (), f"The file is named for {seat}, and the form is for {named}.")
    right_stop(terms, tuple(terms.players), form, seat)
    if faults:
        raise Refusal("bad_form", (), "; ".join(map(str, faults)))
    if terms.closed(datetime.fromtimestamp(path.stat().st_mtime, UTC)):
        raise Refusal("late", (), "It came after the deadline.")
    return Sheet(seat, text)


def put_aside(directory: Path, refused: dict[str, str]) -> None:
    """Move files of a directory that were not taken aside, each with the reason. Raises: OSError."""
    aside = directory / REFUSED
    for name, why in refused.items():
        aside.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            (directory / name).rename(aside / name)
        write(aside / f"{name}.why.txt", why + "\n")
