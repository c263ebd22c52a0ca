"""Occupants of the seats (person, bot or none) and substitute bots: notes of the arbiter in the log.

They change no position, no rule reads them, and no undo removes them. A seat that no note names has a person, as in
older logs. The last note that names a seat applies. A second kind of note records that the substitute bot acts for a
bot that fails, or whose answers are all refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from paxtui.engine.free_text import clean_text
from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, Names
from paxtui.engine.upcast import Raw

SEATING_NOTE = "seating"
"""Type of the note."""

MAX_PERSON_NAME = 60
"""Maximum length of a person's name, in characters."""

_KEY = re.compile("[0-9a-f]{64}", re.ASCII)

OccupantKind = Literal["person", "bot", "nobody"]
BotLevel = Literal["", "caretaker", "steady", "easy", "normal", "hard", "expert"]
STATESMAN_LEVELS: tuple[BotLevel, ...] = ("easy", "normal", "hard", "expert")
BotTemper = Literal["", "cautious", "bold", "treacherous"]
BotOrder = Literal["with you", "before you", "after you"]
"""When bots act in a simultaneous Phase: in a drawn order among the persons, before all persons, or after them."""
WITH_PERSONS: BotOrder = "with you"
BEFORE_PERSONS: BotOrder = "before you"


class SeatOccupant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Occupant of a seat.

    Attributes:
        by: a person, a bot, or none: then the seat is ready at once and each question gets its default.
        name: of the person, if known; with a bot, the person it replaces.
        level: type and strength of the bot.
        temper: how a bot treats its neighbours.
        hidden: whether only the arbiter knows the temper.
        key: public key for the forms of a mail game, in hexadecimal; "" if they are not signed.
    """

    by: OccupantKind = "person"
    name: str = ""
    level: BotLevel = ""
    temper: BotTemper = ""
    hidden: bool = False
    key: str = ""

    @property
    def is_automatic(self) -> bool:
        """Whether the program acts for the seat."""
        return self.by != "person"

    @property
    def is_abandoned(self) -> bool:
        """Whether the seat has no occupant, or the substitute bot without a person to replace.

        Rules: ORD-001 (R-ORD-14)
        """
        return self.by == "nobody" or (self.level == "caretaker" and not self.name)


PERSON = SeatOccupant()
"""Occupant of a seat that no note names."""


class _SeatingNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: Literal["seating"]
    seats: dict[str, SeatOccupant]


def make_seating_note(seats: Sequence[str], occupants: Mapping[str, SeatOccupant]) -> Raw:
    """Return the content of a note that changes the occupants of the seats it names.

    Raises:
        Refusal: `unknown_seat`, `bad_sitter`.
    """
    if not occupants:
        raise Refusal("bad_sitter", (), "Name who takes the seat.")
    for seat, occupant in occupants.items():
        if seat not in seats:
            raise Refusal("unknown_seat", (), f"There is no seat {seat!r}; the seats are {', '.join(seats)}.")
        if (occupant.by == "bot") != bool(occupant.level):
            raise Refusal("bad_sitter", (), "Only a bot has a level.")
        if occupant.by != "bot" and (occupant.temper or occupant.hidden):
            raise Refusal("bad_sitter", (), "Only a bot has a temper.")
        if occupant.by == "nobody" and occupant.name:
            raise Refusal("bad_sitter", (), "An empty seat cannot have a name.")
        if len(occupant.name) > MAX_PERSON_NAME or clean_text(occupant.name) != occupant.name:
            raise Refusal("bad_sitter", (), f"A person's name has {MAX_PERSON_NAME} characters at most, in one line.")
        if occupant.key and not _KEY.fullmatch(occupant.key):
            raise Refusal("bad_sitter", (), "A key is 64 hexadecimal digits.")
    note: Raw = msgspec.to_builtins(_SeatingNote("seating", dict(occupants)))
    return note


def rewrite_seating_note(seats: Sequence[str], line: Line) -> Raw:
    """Return the content of a note as `make_seating_note` would write it now.

    Raises:
        Refusal: as `make_seating_note`.
        ValueError: it is malformed, or not by the arbiter.
    """
    if line.seat != ARBITER:
        raise ValueError("only the arbiter assigns seats")
    return make_seating_note(seats, msgspec.convert(line.action, _SeatingNote).seats)


def is_seating_note(content: object) -> bool:
    """Return whether the content of a note names occupants of seats."""
    return isinstance(content, dict) and content.get("type") == SEATING_NOTE


def seat_occupants(lines: Iterable[Line], before: Mapping[str, SeatOccupant] | None = None) -> dict[str, SeatOccupant]:
    """Return the occupants after some lines of a log.

    Args:
        before: the occupants before them.
    """
    occupants = dict(before or {})
    for line in lines:
        if line.kind == "note" and line.seat == ARBITER:
            occupants |= _occupants_in_note(line.action)
    return occupants


def _occupants_in_note(content: object) -> dict[str, SeatOccupant]:
    """Return the occupants in a note; none if it is malformed, which `verify` reports."""
    try:
        return msgspec.convert(content, _SeatingNote).seats
    except msgspec.ValidationError:
        return {}


def visible_seating(raw: Raw, seat: str) -> Raw:
    """Return the note without the tempers that only the arbiter may know."""
    seats = raw.get("seats")
    if seat == ARBITER or not isinstance(seats, dict):
        return raw
    hidden = ("temper", "hidden")
    return {
        **raw,
        "seats": {
            name: {k: v for k, v in who.items() if k not in hidden}
            if isinstance(who, dict) and who.get("hidden")
            else who
            for name, who in seats.items()
        },
    }


def occupant_label(occupant: SeatOccupant, seats: int = 1) -> str:
    """Describe an occupant: "a person", "Ann", "steady bot", "bold statesman (hard)", "caretaker".

    Args:
        seats: number of seats with this occupant.
    """
    several = "s" if seats > 1 else ""
    if occupant.by == "nobody":
        return "nobody"
    if occupant.by == "person":
        return occupant.name or ("persons" if several else "a person")
    if occupant.level in STATESMAN_LEVELS:
        bot = f"{occupant.temper} statesm{'en' if several else 'an'} ({occupant.level})".lstrip()
    else:
        bot = f"{occupant.level}{'' if occupant.level == 'caretaker' else ' bot'}{several}"
    return f"{bot} for {occupant.name}" if occupant.name else bot


def occupants_label(
    names: Names, occupants: Mapping[str, SeatOccupant], label: Callable[[SeatOccupant, int], str] = occupant_label
) -> str:
    """Describe all occupants in one line: "Great Britain: a person; France, Germany: steady bots"."""
    groups: dict[SeatOccupant, list[str]] = {}
    for seat, occupant in occupants.items():
        groups.setdefault(occupant, []).append(names.seat_name(seat))
    return "; ".join(f"{', '.join(some)}: {label(who, len(some))}" for who, some in groups.items())


def describe_seating(names: Names, content: object) -> str:
    """Describe the note in a sentence; "" if it is malformed."""
    parts = occupants_label(names, _occupants_in_note(content))
    return f"Who sits where: {parts}." if parts else ""


BOT_FALLBACK = "stand_in"
"""Type of the note."""

MAX_REASON_LENGTH = 200
"""Maximum length of the reason, in characters."""


class _FallbackNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: Literal["stand_in"]
    seat: str
    bot: str
    why: str


def make_fallback_note(seats: Sequence[str], seat: str, bot: str, why: str) -> Raw:
    """Return the content of the note that the substitute bot acts for a bot.

    Raises:
        Refusal: `unknown_seat`.
    """
    if seat not in seats:
        raise Refusal("unknown_seat", (), f"There is no seat {seat!r}; the seats are {', '.join(seats)}.")
    note: Raw = msgspec.to_builtins(
        _FallbackNote("stand_in", seat, clean_text(bot)[:MAX_REASON_LENGTH], clean_text(why)[:MAX_REASON_LENGTH])
    )
    return note


def rewrite_fallback_note(seats: Sequence[str], line: Line) -> Raw:
    """Return the content of a note as `make_fallback_note` would write it now.

    Raises:
        Refusal: as `make_fallback_note`.
        ValueError: it is malformed, or not by the arbiter.
    """
    if line.seat != ARBITER:
        raise ValueError("only the arbiter assigns substitutes")
    content = msgspec.convert(line.action, _FallbackNote)
    return make_fallback_note(seats, content.seat, content.bot, content.why)


def is_fallback_note(content: object) -> bool:
    """Return whether the content of a note says that the substitute bot acts."""
    return isinstance(content, dict) and content.get("type") == BOT_FALLBACK


def describe_fallback(names: Names, content: object) -> str:
    """Describe the note in a sentence; "" if it is malformed."""
    try:
        note = msgspec.convert(content, _FallbackNote)
    except msgspec.ValidationError:
        return ""
    name = names.seat_name(note.seat)
    return f"{name}: the caretaker acts for the bot ({note.bot}), {note.why}." if name else ""
