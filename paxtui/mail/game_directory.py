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
from paxtui.session.storage.files import StorageError, read_regular, replace_file

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
            raise Refusal("exists", (), f"{root} is not empty: a mail game has a directory of its own.")
        root.mkdir(parents=True, exist_ok=True)
        folder.desk.mkdir(mode=0o700, exist_ok=True)
        for part in (folder.orders, folder.reports):
            part.mkdir(exist_ok=True)
        return folder

    def _is_bare(self) -> bool:
        """Whether nothing lies there but empty folders of a mail game."""
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
            raise Refusal("no_mail_game", (), f"There is no mail game in {self.root}: 'paxtui postal new' begins one.")


def read_small(path: Path) -> bytes:
    """Read a file that others may have written. Raises: StoreError if it is too large; OSError."""
    if path.stat().st_size > LARGEST_FORM:
        raise StorageError(path, f"it has more than {LARGEST_FORM} bytes")
    return read_regular(path)


def write_whole(path: Path, data: str | bytes, mode: int = 0o644) -> None:
    """Write a file atomically. Raises: OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, data.encode() if isinstance(data, str) else data, mode)


TERMS_FORMAT = 1


class MailTerms(msgspec.Struct, frozen=True, kw_only=True):
    """The file `postal.json`.

    Attributes:
        format: of this file.
        game: id of the game.
        stop: number of the stop that forms are taken for; 0 before the first.
        deadline: until when, ISO 8601 with a zone; "" for none.
        waits_for: seats whose forms the stop is about.
        asks: what the stop is about, in words.
        players: names by seat, where they are known.
        days: how long each kind of stop lasts, where it differs from what is usual.
        over: the game has ended.
        desk_key: the public key of the desk, where forms are sealed; "" where they are not.
        keys: the public keys of the seats that have been taken, where forms are sealed.
        two_step: forms are locked by a key that their players send after the deadline.
        opening: until when these keys are waited for, once no more forms are taken; "" before.
        boxes: digests of the locked forms that were there then, by seat.
        paused: seconds that were left when the game was paused; 0 while it goes on.
        fair: the promise of the seed, where the dice are fair; "" where they are not.
        dice: what of fair dice is waited for: hashes, words, or nothing more.
        hashes: the hashes of the words for the dice, by seat.
        away: until when the players of seats are on vacation: a date, or the year of a Game Turn.
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
        """How many days a stop of a kind lasts. Rules: PBM-002, PBM-052, PBM-053, PBM-073."""
        return self.days.get(kind, STOP_DEADLINES[kind].days)

    def closed(self, now: datetime) -> bool:
        """Whether the deadline has passed."""
        return bool(self.deadline) and now >= datetime.fromisoformat(self.deadline)


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
        raise Refusal("bad_postal", (), f"{path} was written by a newer program.")
    return terms


def write_terms(folder: GameDirectory, terms: MailTerms) -> None:
    """Save the terms. Raises: OSError."""
    write_whole(folder.terms, msgspec.json.format(msgspec.json.encode(terms), indent=1) + b"\n")


def parse_zoned_time(text: str) -> datetime:
    """Parse a time with its time zone. Raises: Refusal `no_time`."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise Refusal("no_time", (), f"'{text[:40]}' is no time with a zone: write it as in 2026-12-24T18:00+01:00.")
    return found


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
    """The time that somebody means, ISO 8601 with its zone.

    Args: `now`, `+3` or `+12h` (from the deadline, or from now where that has passed), `2026-12-24 18:00` in his own
        zone, `2026-12-24` for noon of that day, or a time with its zone; the deadline, "" for none; now; his zone,
        None for that of the machine.
    Raises: Refusal `no_time`.
    """
    said = " ".join(text.split())
    if said.casefold() == "now":
        return now.isoformat()
    found = _RELATIVE_TIME.fullmatch(said)
    if found:
        start = max(now, parse_zoned_time(deadline)) if deadline else now
        hours = bool(found[2]) and found[2].casefold().startswith("h")
        on = timedelta(hours=int(found[1])) if hours else timedelta(days=int(found[1]))
        return (start + on).isoformat(timespec="minutes")
    try:
        when = datetime.fromisoformat(said + NOON if _DATE.fullmatch(said) else said)
    except ValueError:
        raise Refusal(
            "no_time", (), f"'{said[:40]}' is no time: write +3 (days), +12h, 2026-12-24 18:00 or 2026-12-24.",
        ) from None  # fmt: skip
    if when.tzinfo is None:
        when = when.replace(tzinfo=zone) if zone is not None else when.astimezone()
    return when.isoformat(timespec="minutes")


def time_left_text(deadline: str, now: datetime) -> str:
    """How long it is to a deadline, in words."""
    if not deadline:
        return "no deadline"
    rest = parse_zoned_time(deadline) - now
    hours = abs(round(rest.total_seconds() / 3600))
    long = f"{hours // 24} days" if hours >= 48 else f"{hours} hour{'s' * (hours != 1)}"
    return f"in {long}" if rest > timedelta(0) else f"passed {long} ago"
