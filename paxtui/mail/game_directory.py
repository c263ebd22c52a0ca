"""Directory of a mail game: file layout, public terms, and parsing and formatting of deadlines.

    postal.json               public terms: game, stop, deadline, players
    orders/0003/italy.form    form of a seat for stop 3
    orders/0003/refused/      refused forms, each with the reason
    reports/0003/public.txt   public report at the start of stop 3, also as .md and .html; italy.txt is for Italy only
    reports/0003/italy.form   blank form; italy.position is the position for the order sheet
    desk/game.jsonl           log with the dice seed and all secrets; readable by the owner only

Rules: PBM-001, PBM-002
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from shutil import rmtree

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.mail.stops import STOP_DEADLINES, StopKind
from paxtui.session.storage.files import StorageError, read_regular, readable_json, replace_file

TERMS_FILE, LOG_FILE = "postal.json", "game.jsonl"
FORM_SUFFIX, TEXT_SUFFIX, MARKDOWN_SUFFIX, PAGE_SUFFIX = ".form", ".txt", ".md", ".html"
PUBLIC_REPORT = "public"

LARGEST_FORM = 256 * 1024
"""Maximum size of a form, in bytes."""


class GameDirectory:
    """The directory of a mail game. Args: where it is."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def made(cls, root: Path) -> GameDirectory:
        """Create a directory; empty folders of a failed attempt are reused.

        Raises: Refusal `exists`; OSError.
        """
        folder = cls(root)
        if root.exists() and not folder._is_bare():
            raise Refusal("exists", (), f"{root} is not empty. A mail game needs a new directory.")
        root.mkdir(parents=True, exist_ok=True)
        folder.desk.mkdir(mode=0o700, exist_ok=True)
        for part in (folder.orders, folder.reports):
            part.mkdir(exist_ok=True)
        return folder

    def _is_bare(self) -> bool:
        """Whether the directory contains only empty folders of a mail game."""
        own = (self.desk, self.orders, self.reports)
        return all(path in own and path.is_dir() and not any(path.iterdir()) for path in self.root.iterdir())

    def discard(self) -> None:
        """Remove all files of a game that could not begin. The directory itself stays."""
        for path in (self.desk, self.orders, self.reports):
            rmtree(path, ignore_errors=True)
        with suppress(OSError):
            self.terms.unlink()

    @property
    def terms(self) -> Path:
        """Path of the public terms."""
        return self.root / TERMS_FILE

    @property
    def desk(self) -> Path:
        """Private directory of the gamemaster."""
        return self.root / "desk"

    @property
    def game(self) -> Path:
        """Path of the log."""
        return self.desk / LOG_FILE

    @property
    def key(self) -> Path:
        """Path of the gamemaster's secret key in a sealed game."""
        return self.desk / "key"

    def secret(self) -> bytes:
        """Read the gamemaster's secret key. Raises: OSError."""
        return bytes.fromhex(read_small(self.key).decode())

    @property
    def orders(self) -> Path:
        """Directory of forms, with one folder for each stop."""
        return self.root / "orders"

    @property
    def reports(self) -> Path:
        """Directory of reports, with one folder for each stop."""
        return self.root / "reports"

    def orders_of(self, stop: int) -> Path:
        """Return the folder for the forms of a stop."""
        return self.orders / f"{stop:04}"

    def reports_of(self, stop: int) -> Path:
        """Return the folder for the reports at the start of a stop."""
        return self.reports / f"{stop:04}"

    def form_of(self, stop: int, seat: str) -> Path:
        """Return the path of a seat's form."""
        return self.orders_of(stop) / f"{seat}{FORM_SUFFIX}"

    def check(self) -> None:
        """Check that a mail game exists here. Raises: Refusal `no_mail_game`."""
        if not self.terms.is_file():
            raise Refusal("no_mail_game", (), f"No mail game in {self.root}; 'paxtui postal new' creates one.")


def read_small(path: Path) -> bytes:
    """Read a file that others may have written. Raises: StorageError if it is too large; OSError."""
    if path.stat().st_size > LARGEST_FORM:
        raise StorageError(path, f"the file has more than {LARGEST_FORM} bytes")
    return read_regular(path)


def write_whole(path: Path, data: str | bytes, mode: int = 0o644) -> None:
    """Write a file atomically. Raises: OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, data.encode() if isinstance(data, str) else data, mode)


TERMS_FORMAT = 1


class MailTerms(msgspec.Struct, frozen=True, kw_only=True):
    """The file `postal.json`.

    Attributes:
        format: version of this file.
        game: id of the game.
        stop: number of the current stop; 0 before the first.
        deadline: ISO 8601 with a time zone; "" for none.
        waits_for: seats whose forms the stop requires.
        asks: description of the required orders.
        players: known names by seat.
        days: days of each kind of stop that differ from the defaults.
        over: the game has ended.
        desk_key: public key of the gamemaster in a sealed game; "" in an open game.
        keys: public keys of the taken seats in a sealed game.
        two_step: forms are locked with a key that their players send after the deadline.
        opening: deadline for these keys, once submissions are closed; "" before.
        boxes: digests of the locked forms at that time, by seat.
        paused: seconds left when the game was paused; 0 while it runs.
        fair: commitment of the seed for fair dice; "" for other dice.
        dice: awaited step of fair dice: hashes, words, or "" for none.
        hashes: hashes of the words for the dice, by seat.
        away: end of each seat's vacation: a date, or the year of a Game Turn.
    """

    format: int = TERMS_FORMAT
    game: str
    stop: int = 0
    deadline: str = ""
    waits_for: tuple[str, ...] = ()
    asks: str = ""
    players: dict[str, str] = {}
    days: dict[StopKind, int] = {}
    over: bool = False
    desk_key: str = ""
    keys: dict[str, str] = {}
    two_step: bool = False
    opening: str = ""
    boxes: dict[str, str] = {}
    paused: int = 0
    fair: str = ""
    dice: str = ""
    hashes: dict[str, str] = {}
    away: dict[str, str] = {}

    def days_for(self, kind: StopKind) -> int:
        """Return the days that a kind of stop lasts. Rules: PBM-002, PBM-052, PBM-053, PBM-073."""
        return self.days.get(kind, STOP_DEADLINES[kind].days)

    def closed(self, now: datetime) -> bool:
        """Whether the deadline has passed."""
        return has_passed(self.deadline, now)


def read_terms(folder: GameDirectory) -> MailTerms:
    """Read the terms of a mail game. Raises: Refusal `no_mail_game`, `bad_postal`; OSError."""
    folder.check()
    return _decode_terms(folder.terms, read_small(folder.terms))


def _decode_terms(path: Path, data: bytes) -> MailTerms:
    try:
        terms = msgspec.json.decode(data, type=MailTerms)
        if terms.deadline:
            parse_zoned_time(terms.deadline)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal("bad_postal", (), f"{path} cannot be read: {error}.") from None
    if terms.format > TERMS_FORMAT:
        raise Refusal("bad_postal", (), f"{path} was written by a newer version of paxtui.")
    return terms


def write_terms(folder: GameDirectory, terms: msgspec.Struct) -> None:
    """Save the terms. Raises: OSError."""
    write_whole(folder.terms, readable_json(terms))


def parse_zoned_time(text: str) -> datetime:
    """Parse a time with its time zone. Raises: Refusal `no_time`."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise Refusal("no_time", (), f"'{text[:40]}' is not a time with a time zone, such as 2026-12-24T18:00+01:00.")
    return found


def has_passed(deadline: str, now: datetime) -> bool:
    """Whether a deadline has passed; never so for ""."""
    return bool(deadline) and now >= parse_zoned_time(deadline)


def deadline_text(deadline: str) -> str:
    """Format a deadline in the reader's time zone."""
    return parse_zoned_time(deadline).astimezone().strftime("%A, %d %B %Y, %H:%M %Z") if deadline else "no deadline"


def deadline_utc_text(deadline: str) -> str:
    """Format a deadline in UTC."""
    return parse_zoned_time(deadline).astimezone(UTC).strftime("%A, %d %B %Y, %H:%M UTC") if deadline else "no deadline"


_RELATIVE_TIME = re.compile(r"\+\s*(\d{1,4})\s*(d|days?|h|hours?)?", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
NOON = " 12:00"


def parse_deadline(text: str, deadline: str, now: datetime, zone: tzinfo | None = None) -> str:
    """Parse a time that a user typed; return ISO 8601 with a time zone.

    Args: `now`, `+3` or `+12h` (from the deadline, or from now if it has passed), `2026-12-24 18:00` in the user's
        zone, `2026-12-24` for noon of that day, or a time with a zone; the deadline, "" for none; now; the user's
        zone, None for that of the computer.
    Raises: Refusal `no_time`.
    """
    typed = " ".join(text.split())
    if typed.casefold() == "now":
        return now.isoformat()
    found = _RELATIVE_TIME.fullmatch(typed)
    if found:
        start = max(now, parse_zoned_time(deadline)) if deadline else now
        hours = bool(found[2]) and found[2].casefold().startswith("h")
        on = timedelta(hours=int(found[1])) if hours else timedelta(days=int(found[1]))
        return (start + on).isoformat(timespec="minutes")
    try:
        when = datetime.fromisoformat(typed + NOON if _DATE.fullmatch(typed) else typed)
    except ValueError:
        raise Refusal(
            "no_time", (), f"'{typed[:40]}' is not a time. Use +3 (days), +12h, 2026-12-24 18:00 or 2026-12-24.",
        ) from None  # fmt: skip
    if when.tzinfo is None:
        when = when.replace(tzinfo=zone) if zone is not None else when.astimezone()
    return when.isoformat(timespec="minutes")


def time_left_text(deadline: str, now: datetime) -> str:
    """Format the time until a deadline."""
    if not deadline:
        return "no deadline"
    rest = parse_zoned_time(deadline) - now
    hours = abs(round(rest.total_seconds() / 3600))
    long = f"{hours // 24} days" if hours >= 48 else f"{hours} hour{'s' * (hours != 1)}"
    return f"in {long}" if rest > timedelta(0) else f"passed {long} ago"
