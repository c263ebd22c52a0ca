"""What everybody may know of a mail game without its reports: which it is, where it stands, when the deadline is.

Rules: PBM-002
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.pax.postal.deadlines import WAITS, Kind
from paxtui.table.postal.folder import Folder, read_small, write

FORMAT = 1


class Terms(msgspec.Struct, frozen=True, kw_only=True):
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

    format: int = FORMAT
    game: str
    stop: int = 0
    deadline: str = ""
    waits_for: tuple[str, ...] = ()
    asks: str = ""
    players: dict[str, str] = {}
    days: dict[Kind, int] = {}
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

    def days_for(self, kind: Kind) -> int:
        """How many days a stop of a kind lasts. Rules: PBM-002, PBM-052, PBM-053, PBM-073."""
        return self.days.get(kind, WAITS[kind].days)

    def closed(self, now: datetime) -> bool:
        """Whether the deadline has passed."""
        return bool(self.deadline) and now >= datetime.fromisoformat(self.deadline)


def read_terms(folder: Folder) -> Terms:
    """The terms of a mail game. Raises: Refusal `no_mail_game`, `bad_postal`; OSError."""
    folder.check()
    return _decoded(folder.terms, read_small(folder.terms))


def _decoded(path: Path, data: bytes) -> Terms:
    try:
        terms = msgspec.json.decode(data, type=Terms)
        if terms.deadline:
            moment(terms.deadline)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal("bad_postal", (), f"{path} cannot be read: {error}.") from None
    if terms.format > FORMAT:
        raise Refusal("bad_postal", (), f"{path} was written by a newer program.")
    return terms


def write_terms(folder: Folder, terms: Terms) -> None:
    """Keep the terms. Raises: OSError."""
    write(folder.terms, msgspec.json.format(msgspec.json.encode(terms), indent=1) + b"\n")


def moment(text: str) -> datetime:
    """A time with its zone. Raises: Refusal `no_time`."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise Refusal("no_time", (), f"'{text[:40]}' is no time with a zone: write it as in 2026-12-24T18:00+01:00.")
    return found


def said(deadline: str) -> str:
    """A deadline in the reader's own time, with the zone."""
    return moment(deadline).astimezone().strftime("%A, %d %B %Y, %H:%M %Z") if deadline else "no deadline"


def said_anywhere(deadline: str) -> str:
    """A deadline in universal time, the same wherever it is read."""
    return moment(deadline).astimezone(UTC).strftime("%A, %d %B %Y, %H:%M UTC") if deadline else "no deadline"
