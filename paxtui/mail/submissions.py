"""Order forms of a mail game: check, submit, withdraw and collect them.

Also contains vacations (`vacation: 14`, `until 1888` or `until 2026-12-24` in a form) and the form that the caretaker
writes by the General Orders for a seat without one.

Rules: PBM-018, PBM-113, PBM-114
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.bots.pax.caretaker import general_orders
from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions.actions import SubmittedForm
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.mail.forms import FormFault, OrderForm, parse_form
from paxtui.games.pax.mail.stops import congress_seats, seats_to_ask
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.text.parsing import name_index
from paxtui.games.pax.visibility import visible_state
from paxtui.mail import sealed_letters
from paxtui.mail.game_directory import (
    FORM_SUFFIX,
    GameDirectory,
    MailTerms,
    deadline_text,
    deadline_utc_text,
    has_passed,
    read_small,
    write_whole,
)
from paxtui.mail.keys import accepted_key, player_key
from paxtui.mail.sealed_letters import LOCKED_MARK, SEALED_SUFFIX, SignedForm, open_form, seal_form
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import StorageError

MailClock = Callable[[], datetime]
"""Returns the current time, with its time zone."""

REFUSED_FOLDER = "refused"
"""Folder for refused forms."""


def now_utc() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class ReceivedForms(NamedTuple):
    """Forms received for a stop.

    Attributes:
        sheets: Accepted forms by seat.
        refused: Names of the refused files, each with the reason.
        locked: Digests of the forms still locked, by seat.
    """

    sheets: dict[str, SubmittedForm]
    refused: dict[str, str]
    locked: dict[str, str]


class MailStatus(NamedTuple):
    """Status of a mail game.

    Attributes:
        terms: The public terms.
        arrived: Seats whose forms have arrived.
        missing: Seats whose forms are missing, and seats that ask for more time.
        refused: Files that will not be accepted, each with the reason.
        closed: The deadline has passed.
        unlocked: For locked forms: no more keys are awaited.
        extend: Extra days requested in forms, by seat.
        keys_missing: Seats whose keys are awaited.
    """

    terms: MailTerms
    arrived: tuple[str, ...]
    missing: tuple[str, ...]
    refused: dict[str, str]
    closed: bool
    unlocked: bool = True
    extend: Mapping[str, int] = {}
    keys_missing: tuple[str, ...] = ()

    @property
    def may_open(self) -> bool:
        """Whether the forms may be adjudicated: all have arrived or the deadline has passed; the same for the keys.

        Rules: PBM-073
        """
        terms = self.terms
        if terms.over or not terms.stop or terms.paused:
            return False
        return self.unlocked if terms.two_step else self.closed or not self.missing


def mail_status(folder: GameDirectory, terms: MailTerms, table: PaxHost, now: datetime) -> MailStatus:
    """Return the status of a mail game. Raises: OSError."""
    if not terms.stop:
        here = tuple(seat for seat in terms.players if seat not in terms.waits_for)
        return MailStatus(terms, here, terms.waits_for, {}, terms.closed(now))
    arrived = collect_forms(folder, terms, table.tables)
    there = {*arrived.sheets, *arrived.locked}
    asking = {seat: parse_form(table.tables, sheet.text)[0].head for seat, sheet in arrived.sheets.items()}
    extend = {seat: int(head["extend"]) for seat, head in asking.items() if "extend" in head}
    missing = tuple(seat for seat in terms.waits_for if seat not in there or seat in extend)
    here = tuple(seat for seat in table.state.players if seat in there)
    unlocked = has_passed(terms.opening, now) or (bool(terms.opening) and not arrived.locked)
    locked = tuple(seat for seat in table.state.players if terms.opening and seat in arrived.locked)
    return MailStatus(terms, here, missing, arrived.refused, terms.closed(now), unlocked, extend, locked)


def close_submissions(
    folder: GameDirectory, terms: MailTerms, table: PaxHost, now: datetime
) -> tuple[MailTerms, str] | None:
    """Accept no more locked forms once all have arrived or the deadline has passed.

    Returns: the new terms and the notice for the players; None if submissions stay open.
    Raises: OSError.
    """
    if not terms.two_step or terms.opening or terms.over or not terms.stop or terms.paused:
        return None
    there = collect_forms(folder, terms, table.tables).locked
    if not (terms.closed(now) or set(terms.waits_for) <= set(there)):
        return None
    until = (now + timedelta(days=sealed_letters.KEYS_DAYS)).isoformat(timespec="seconds")
    boxes = ", ".join(f"{power_name(table.tables, seat)} {box[:16]}" for seat, box in there.items()) or "none"
    text = (
        f"No more forms of stop {terms.stop} are taken ({boxes}); keys are waited for until {deadline_utc_text(until)}."
    )
    return replace(terms, opening=until, boxes=there), text


def decode_form(data: bytes) -> str:
    """Decode the text of a form. Raises: Refusal `not_text`."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refusal("not_text", (), f"The form is not UTF-8 (byte {error.start + 1}).") from None


def seat_powers(tables: Tables, seat: str) -> tuple[str, ...]:
    """Return the Powers that a seat plays."""
    return (seat, *(power for power, row in tables.powers.items() if row.seat == seat))


def check_form(tables: Tables, text: str, known: str = "") -> tuple[OrderForm, str, tuple[FormFault, ...]]:
    """Parse a form and check it.

    Args:
        tables: Static game data.
        text: Text of the form.
        known: Seat of the sender, if known from another source.

    Returns: the form, its seat ("" if unknown), and all its faults.
    """
    form, faults = parse_form(tables, text)
    name = form.head.get("seat", "")
    try:
        seat = name_index(tables).powers.find(name) if name else known
    except Refusal as refusal:
        line = next(n for n, one in enumerate(text.splitlines(), 1) if one.strip().casefold().startswith("seat"))
        return form, "", (FormFault(line, 1, refusal.message), *faults)
    if seat:
        form, faults = parse_form(tables, text, seat_powers(tables, seat))
    return form, seat, faults


def check_stop(terms: MailTerms, players: tuple[str, ...], form: OrderForm, seat: str) -> None:
    """Check that a form is for the current stop.

    Raises: Refusal `other_game`, `other_stop`, `unknown_seat`, `game_over`.
    """
    if terms.over:
        raise Refusal("game_over", ("SET-003",), "The game is over.")
    if form.head.get("game", terms.game) != terms.game:
        raise Refusal("other_game", (), f"The form is for game {form.head['game'][:40]}, but this is {terms.game}.")
    if form.head.get("stop", str(terms.stop)) != str(terms.stop):
        named = form.head["stop"][:20]
        raise Refusal("other_stop", (), f"The form is for stop {named}, but the current stop is {terms.stop}.")
    if seat not in players:
        raise Refusal("unknown_seat", (), f"The form names no seat of this game: {', '.join(players)}.")


def submit_form(
    folder: GameDirectory, terms: MailTerms, tables: Tables, text: str, seat: str, now: MailClock = now_utc
) -> Path:
    """Submit the form of a seat; it replaces an earlier one.

    Args:
        folder: Directory of the game.
        terms: Its terms.
        tables: Static game data.
        text: Text of the form.
        seat: The seat; "" for the one that the form names.
        now: Returns the current time.

    Returns: path of the stored form.

    Raises:
        Refusal: The form has faults (all are listed), is for another stop, or is too late.
        OSError: The form cannot be written.
    """
    form, named, faults = check_form(tables, text, seat)
    if faults:
        raise Refusal("bad_form", (), "\n".join(map(str, faults)))
    if seat and seat != named:
        meant, given = power_name(tables, named), power_name(tables, seat)
        raise Refusal("other_seat", (), f"The form is for {meant}, not for {given}.")
    check_stop(terms, tuple(terms.players), form, named)
    at = now()
    check_deadline(terms, at)
    path = folder.form_of(terms.stop, named)
    if terms.desk_key:
        path = path.with_suffix(SEALED_SUFFIX)
        make = sealed_letters.lock_form if terms.two_step else seal_form
        write_whole(path, make(terms, accepted_key(terms, named), text))
    else:
        write_whole(path, text)
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


def check_deadline(terms: MailTerms, at: datetime) -> None:
    """Check that forms are still accepted. Raises: Refusal `late`."""
    if terms.closed(at) or terms.opening:
        raise Refusal("late", (), f"Too late: the deadline was {deadline_text(terms.deadline)}.")
    if terms.boxes:
        raise Refusal("late", (), "Submissions for this stop are closed, because the gamemaster has opened the forms.")


WITHDRAWN = "withdraw orders"
"""Text of a sealed form that withdraws the previous one."""

WITHDRAWAL = "Withdrawn by its player."


def withdraw_form(folder: GameDirectory, terms: MailTerms, tables: Tables, seat: str, at: datetime) -> None:
    """Withdraw the form of a seat. In a sealed game, replace it by a sealed withdrawal.

    Raises: Refusal `unknown_seat`, `late`, `nothing_sent`, `locked`; OSError.
    """
    if terms.desk_key and not seat:
        seat = player_key(terms, seat).seat
    if seat not in terms.players:
        raise Refusal("unknown_seat", (), f"Name your seat: one of {', '.join(terms.players)}.")
    check_deadline(terms, at)
    if terms.two_step:
        raise Refusal("locked", (), "A locked form cannot be withdrawn. Send another one, or do not send its key.")
    path = folder.form_of(terms.stop, seat)
    if terms.desk_key:
        path = path.with_suffix(SEALED_SUFFIX)
        write_whole(path, seal_form(terms, accepted_key(terms, seat), WITHDRAWN))
        os.utime(path, (at.timestamp(), at.timestamp()))
        return
    try:
        path.unlink()
    except FileNotFoundError:
        name = power_name(tables, seat)
        raise Refusal("nothing_sent", (), f"No form of {name} for stop {terms.stop} to withdraw.") from None


def collect_forms(folder: GameDirectory, terms: MailTerms, tables: Tables) -> ReceivedForms:
    """Read the forms received for the current stop, without changing anything. Raises: OSError."""
    found = ReceivedForms({}, {}, {})
    directory = folder.orders_of(terms.stop)
    secret = folder.secret() if terms.desk_key else b""
    for path in sorted(directory.iterdir()) if directory.is_dir() else ():
        if path.suffix not in (FORM_SUFFIX, SEALED_SUFFIX) or not path.is_file():
            continue
        try:
            sheet = _read_form(folder, terms, tables, path, secret)
        except (Refusal, StorageError) as problem:
            if isinstance(problem, Refusal) and problem.code == LOCKED_MARK:
                found.locked[path.stem] = sha256(read_small(path)).hexdigest()
            else:
                found.refused[path.name] = str(problem)
        else:
            found.sheets[sheet.seat] = sheet
    return found


def _read_form(folder: GameDirectory, terms: MailTerms, tables: Tables, path: Path, secret: bytes) -> SubmittedForm:
    """Read the form in a file. Raises: Refusal, StorageError, OSError."""
    seat, data = path.stem, read_small(path)
    if (path.suffix == SEALED_SUFFIX) != bool(secret):
        asks = "sealed by 'paxtui postal submit'" if secret else "not sealed"
        raise Refusal("other_seals", (), f"Forms of this game are {asks}.")
    if (terms.opening or terms.boxes) and terms.boxes.get(seat) != sha256(data).hexdigest():
        raise Refusal("late", (), "It arrived after submissions were closed.")
    unlock = sealed_letters.read_unlock_key(folder, terms, seat, secret) if terms.two_step and terms.opening else ""
    opens = (lambda box: sealed_letters.open_box(box, unlock)) if unlock else None
    sent = open_form(data, secret, terms, seat, opens) if secret else SignedForm(decode_form(data), "")
    text = sent.text
    if secret and text.strip() == WITHDRAWN:
        raise Refusal("withdrawn", (), WITHDRAWAL)
    form, named, faults = check_form(tables, text, seat)
    if named and named != seat:
        there, meant = power_name(tables, seat), power_name(tables, named)
        raise Refusal("other_seat", (), f"The file name is for {there}, but the form is for {meant}.")
    check_stop(terms, tuple(terms.players), form, seat)
    if faults:
        raise Refusal("bad_form", (), "; ".join(map(str, faults)))
    if terms.closed(datetime.fromtimestamp(path.stat().st_mtime, UTC)):
        raise Refusal("late", (), "It arrived after the deadline.")
    return SubmittedForm(seat, text, signature=sent.signature)


def quarantine_files(directory: Path, refused: dict[str, str]) -> None:
    """Move refused files of a directory to the refused folder, each with the reason. Raises: OSError."""
    aside = directory / REFUSED_FOLDER
    for name, why in refused.items():
        aside.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            (directory / name).rename(aside / name)
        write_whole(aside / f"{name}.why.txt", why + "\n")


def requested_vacations(table: PaxHost, sheets: Sequence[SubmittedForm], now: datetime) -> dict[str, str]:
    """Return the end of each vacation requested in the forms, by seat: a date (ISO 8601), or year of a Game Turn."""
    found: dict[str, str] = {}
    for sheet in sheets:
        vacation = "" if sheet.missed else parse_form(table.tables, sheet.text)[0].head.get("vacation", "")
        until = vacation.removeprefix("until").strip()
        if until.isdigit() and len(until) < 4:
            until = (now.astimezone(UTC) + timedelta(days=int(until))).date().isoformat()
        if until:
            found[sheet.seat] = until
    return found


def is_vacation_over(table: PaxHost, until: str, now: datetime) -> bool:
    """Whether the date or the Game Turn that ends a vacation has come."""
    if until.isdigit():
        return table.tables.turns[table.state.turn - 1].year >= int(until)
    return now.astimezone(UTC).date() >= date.fromisoformat(until)


IGNORED_VERBS = ("ready", "unready", "pass", "garrison")
"""Actions of the caretaker that are not written in a form."""

MOST_MISSED = 3
"""Stops missed in a row after which a seat is open to another player (R-PBM-16)."""


def awaited_seats(table: PaxHost) -> tuple[str, ...]:
    """Return the seats whose forms the current stop requires: those that can do more than go on.

    A seat that can only go on gets no caretaker's form and misses nothing.

    Rules: PBM-113, PBM-114
    """
    tables, state = table.tables, table.state
    seats = seats_to_ask(tables, state)
    if state.phase != "war" or state.has_pressing_choice:
        return seats
    members = congress_seats(tables, state)
    return tuple(
        seat for seat in seats if seat in members or _has_orders(tables, visible_state(tables, state, seat), seat)
    )


def _has_orders(tables: Tables, state: State, seat: str) -> bool:
    """Whether a seat can do anything except go on or propose peace."""
    menu = legal_actions(tables, state, seat)
    return bool(menu.moves) or any(
        order not in IGNORED_VERBS and not order.startswith("propose ") for order in menu.orders
    )


def caretaker_form(table: PaxHost, seat: str, at: int | None = None) -> SubmittedForm:
    """Return the caretaker's form for a seat, now or after a line of the log. Rules: PBM-113."""
    position = table.state if at is None else table.game.seek(at)
    seen = visible_state(table.tables, position, seat)
    acts = general_orders.choose_caretaker_actions(table.tables, seen, seat, table.game.header.seed)
    lines = [f"{act.text}  # {act.why}" if act.why else act.text for act in acts if act.text not in IGNORED_VERBS]
    fine = [line for line in lines if not parse_form(table.tables, line)[1]]
    return SubmittedForm(seat, "\n".join(fine), missed=True)


def missed_streak(lines: Sequence[Line], seat: str) -> int:
    """Return how many consecutive stops a seat has missed, up to the last one.

    Args:
        lines: Lines of the log in force.
        seat: The seat.

    Rules: PBM-114 (R-PBM-16)
    """
    count = 0
    for line in reversed(lines):
        if not isinstance(line.action, dict) or line.action.get("type") != "adjudicate":
            continue
        sheets = {sheet.get("seat"): sheet for sheet in line.action.get("sheets", ())}
        if seat not in sheets:
            continue  # that stop was not about this seat
        if not sheets[seat].get("missed"):
            break
        count += 1
    return count
