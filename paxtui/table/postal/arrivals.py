"""Forms that come in: tried before they are sent, taken for the stop they are for, and kept aside where they cannot be.

Rules: PBM-018
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.orders.actions import Sheet
from paxtui.pax.postal.forms import Fault, Form
from paxtui.pax.postal.reading import read_form
from paxtui.pax.words.names import index
from paxtui.pax.words.spoken import power_name
from paxtui.table.authority import Table
from paxtui.table.disk.files import StoreError
from paxtui.table.postal import locks
from paxtui.table.postal.folder import FORM, Folder, read_small, write
from paxtui.table.postal.keys import own_key, valid_key
from paxtui.table.postal.letters import LOCKED, SEALED, SignedForm, opened_form, sealed_form
from paxtui.table.postal.terms import Terms, moment, said, said_anywhere

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
        locked: digests of the forms that lie there locked, by seat.
    """

    sheets: dict[str, Sheet]
    refused: dict[str, str]
    locked: dict[str, str]


class Status(NamedTuple):
    """How a mail game stands.

    Attributes:
        terms: what everybody may know.
        arrived: seats whose forms lie there.
        missing: seats that are waited for still, and seats that ask for more time.
        refused: files that will not be taken, with the reason.
        closed: the deadline has passed.
        unlocked: where forms are locked, whether no key is waited for any more.
        extend: days of more time that forms ask for, by seat.
        keys_missing: seats whose keys are waited for.
    """

    terms: Terms
    arrived: tuple[str, ...]
    missing: tuple[str, ...]
    refused: dict[str, str]
    closed: bool
    unlocked: bool = True
    extend: Mapping[str, int] = {}
    keys_missing: tuple[str, ...] = ()

    @property
    def may_open(self) -> bool:
        """Whether the forms may be opened: all are in or the deadline has passed, and so are their keys.

        Rules: PBM-073
        """
        terms = self.terms
        if terms.over or not terms.stop or terms.paused:
            return False
        return self.unlocked if terms.two_step else self.closed or not self.missing


def status_of(folder: Folder, terms: Terms, table: Table, now: datetime) -> Status:
    """How a mail game stands. Raises: OSError."""
    if not terms.stop:
        here = tuple(seat for seat in terms.players if seat not in terms.waits_for)
        return Status(terms, here, terms.waits_for, {}, terms.closed(now))
    arrived = collected(folder, terms, table.tables)
    there = {*arrived.sheets, *arrived.locked}
    asking = {seat: read_form(table.tables, sheet.text)[0].head for seat, sheet in arrived.sheets.items()}
    extend = {seat: int(head["extend"]) for seat, head in asking.items() if "extend" in head}
    missing = tuple(seat for seat in terms.waits_for if seat not in there or seat in extend)
    here = tuple(seat for seat in table.state.players if seat in there)
    late = bool(terms.opening) and now >= moment(terms.opening)
    unlocked = bool(terms.opening) and (late or not arrived.locked)
    locked = tuple(seat for seat in table.state.players if terms.opening and seat in arrived.locked)
    return Status(terms, here, missing, arrived.refused, terms.closed(now), unlocked, extend, locked)


def boxes_closed(folder: Folder, terms: Terms, table: Table, now: datetime) -> tuple[Terms, str] | None:
    """Take no more locked forms once all are in or the deadline has passed: the terms then, and what is told of it.

    Raises: OSError.
    """
    if not terms.two_step or terms.opening or terms.over or not terms.stop or terms.paused:
        return None
    there = collected(folder, terms, table.tables).locked
    if not (terms.closed(now) or set(terms.waits_for) <= set(there)):
        return None
    until = (now + timedelta(days=locks.KEYS_DAYS)).isoformat(timespec="seconds")
    boxes = ", ".join(f"{power_name(table.tables, seat)} {box[:16]}" for seat, box in there.items()) or "none"
    text = f"No more forms of stop {terms.stop} are taken ({boxes}); keys are waited for until {said_anywhere(until)}."
    return replace(terms, opening=until, boxes=there), text


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
        meant, given = power_name(tables, named), power_name(tables, seat)
        raise Refusal("other_seat", (), f"The form is for {meant}, not for {given}.")
    right_stop(terms, tuple(terms.players), form, named)
    at = now()
    in_time(terms, at)
    path = folder.form_of(terms.stop, named)
    if terms.desk_key:
        path = path.with_suffix(SEALED)
        make = locks.locked_form if terms.two_step else sealed_form
        write(path, make(terms, valid_key(terms, named), text))
    else:
        write(path, text)
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


def in_time(terms: Terms, at: datetime) -> None:
    """Raises: Refusal `late`, when no more forms are taken."""
    if terms.closed(at) or terms.opening:
        raise Refusal("late", (), f"The deadline was {said(terms.deadline)}: the form comes too late.")
    if terms.boxes:
        raise Refusal("late", (), "The gamemaster has looked at the forms of this stop: no more forms are taken.")


WITHDRAWN = "withdraw orders"
"""Text of a sealed form that withdraws the one before."""

WITHDRAWAL = "Its player has withdrawn it."


def withdraw_form(folder: Folder, terms: Terms, tables: Tables, seat: str, at: datetime) -> None:
    """Withdraw the form of a seat: delete it, or in a sealed game replace it by a sealed withdrawal.

    Raises: Refusal `unknown_seat`, `late`, `nothing_sent`, `locked`; OSError.
    """
    if terms.desk_key and not seat:
        seat = own_key(terms, seat).seat
    if seat not in terms.players:
        raise Refusal("unknown_seat", (), f"Name your seat: one of {', '.join(terms.players)}.")
    in_time(terms, at)
    if terms.two_step:
        raise Refusal("locked", (), "A locked form cannot be withdrawn. Send another one, or do not send its key.")
    path = folder.form_of(terms.stop, seat)
    if terms.desk_key:
        path = path.with_suffix(SEALED)
        write(path, sealed_form(terms, valid_key(terms, seat), WITHDRAWN))
        os.utime(path, (at.timestamp(), at.timestamp()))
        return
    try:
        path.unlink()
    except FileNotFoundError:
        name = power_name(tables, seat)
        raise Refusal("nothing_sent", (), f"There is no form of {name} for stop {terms.stop} to withdraw.") from None


def collected(folder: Folder, terms: Terms, tables: Tables) -> Arrived:
    """The forms that lie there for the present stop. Nothing is changed. Raises: OSError."""
    found = Arrived({}, {}, {})
    directory = folder.orders_of(terms.stop)
    secret = bytes.fromhex(read_small(folder.key).decode()) if terms.desk_key else b""
    for path in sorted(directory.iterdir()) if directory.is_dir() else ():
        if path.suffix not in (FORM, SEALED) or not path.is_file():
            continue
        try:
            sheet = _sheet(folder, terms, tables, path, secret)
        except (Refusal, StoreError) as problem:
            if isinstance(problem, Refusal) and problem.code == LOCKED:
                found.locked[path.stem] = sha256(read_small(path)).hexdigest()
            else:
                found.refused[path.name] = str(problem)
        else:
            found.sheets[sheet.seat] = sheet
    return found


def _sheet(folder: Folder, terms: Terms, tables: Tables, path: Path, secret: bytes) -> Sheet:
    """The form in a file. Raises: Refusal, StoreError, OSError."""
    seat, data = path.stem, read_small(path)
    if (path.suffix == SEALED) != bool(secret):
        asks = "sealed by 'paxtui postal submit'" if secret else "not sealed"
        raise Refusal("other_seals", (), f"Forms of this game are {asks}.")
    if (terms.opening or terms.boxes) and terms.boxes.get(seat) != sha256(data).hexdigest():
        raise Refusal("late", (), "It came when no more forms were taken.")
    unlock = locks.key_sent(folder, terms, seat, secret) if terms.two_step and terms.opening else ""
    opens = (lambda box: locks.opened_box(box, unlock)) if unlock else None
    sent = opened_form(data, secret, terms, seat, opens) if secret else SignedForm(text_of(data), "")
    text = sent.text
    if secret and text.strip() == WITHDRAWN:
        raise Refusal("withdrawn", (), WITHDRAWAL)
    form, named, faults = checked(tables, text, seat)
    if named and named != seat:
        there, meant = power_name(tables, seat), power_name(tables, named)
        raise Refusal("other_seat", (), f"The file is named for {there}, and the form is for {meant}.")
    right_stop(terms, tuple(terms.players), form, seat)
    if faults:
        raise Refusal("bad_form", (), "; ".join(map(str, faults)))
    if terms.closed(datetime.fromtimestamp(path.stat().st_mtime, UTC)):
        raise Refusal("late", (), "It came after the deadline.")
    return Sheet(seat, text, signature=sent.signature)


def put_aside(directory: Path, refused: dict[str, str]) -> None:
    """Move files of a directory that were not taken aside, each with the reason. Raises: OSError."""
    aside = directory / REFUSED
    for name, why in refused.items():
        aside.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            (directory / name).rename(aside / name)
        write(aside / f"{name}.why.txt", why + "\n")
