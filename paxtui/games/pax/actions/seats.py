"""Who sits where: a person, a bot with its level and temper, or nobody; in the log it is a note of the arbiter's.

No rule of the game asks for it, it changes no position, and no undo takes it back. A seat that no line names has a
person, so that logs from before such lines mean what they meant. The last line that names a seat is the one that
holds.

The caretaker stands in for a bot: in the log a note of the arbiter's, which says for whom, and why.

A bot that fails, or whose every answer is refused, must not stop a game. The note changes no position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.text.free_text import clean_text

SEATING_NOTE = "seating"
"""Type of the note."""

MAX_PERSON_NAME = 60
"""Characters of a person's name."""

_KEY = re.compile("[0-9a-f]{64}", re.ASCII)

OccupantKind = Literal["person", "bot", "nobody"]
BotLevel = Literal["", "caretaker", "steady", "easy", "normal", "hard"]
BotTemper = Literal["", "cautious", "bold", "treacherous"]


class SeatOccupant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sits at a seat.

    Attributes:
        by: a person, a bot, or nobody: then the seat is ready at once and every question gets its default.
        name: of the person whose seat it is, where that is known; with a bot, the person it sits in for.
        level: which bot it is, and how well it plays.
        temper: how a bot treats its neighbours.
        hidden: only the arbiter knows the temper.
        key: the public key with which the seat signs its forms in a game by mail, in hexadecimal; "" where none does.
    """

    by: OccupantKind = "person"
    name: str = ""
    level: BotLevel = ""
    temper: BotTemper = ""
    hidden: bool = False
    key: str = ""

    @property
    def is_automatic(self) -> bool:
        """Whether the table moves the seat."""
        return self.by != "person"

    @property
    def is_substitute(self) -> bool:
        """Whether a bot sits in for a person until that one is back."""
        return self.by == "bot" and bool(self.name)

    @property
    def is_abandoned(self) -> bool:
        """Whether the seat is abandoned: nobody sits there, or the caretaker for nobody in particular.

        Rules: ORD-001 (R-ORD-14)
        """
        return self.by == "nobody" or (self.level == "caretaker" and not self.name)


PERSON = SeatOccupant()
"""Who sits where no line says anything."""


class _SeatingNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The note as it stands in a log."""

    type: Literal["seating"]
    seats: dict[str, SeatOccupant]


def make_seating_note(state: State, seats: Mapping[str, SeatOccupant]) -> Raw:
    """The note that seats somebody; only the seats that it names change.

    Raises: Refusal `unknown_seat`, `bad_sitter`.
    """
    told: dict[str, SeatOccupant] = {}
    for seat, sitter in seats.items():
        if seat not in state.players:
            raise Refusal("unknown_seat", (), f"There is no seat {seat!r}; the seats are {', '.join(state.players)}.")
        if (sitter.by == "bot") != bool(sitter.level):
            raise Refusal("bad_sitter", (), "A bot has a level, and nobody else has.")
        if sitter.by != "bot" and (sitter.temper or sitter.hidden):
            raise Refusal("bad_sitter", (), "Only a bot has a temper.")
        if sitter.by == "nobody" and sitter.name:
            raise Refusal("bad_sitter", (), "At an empty seat there is nobody who has a name.")
        if len(sitter.name) > MAX_PERSON_NAME or clean_text(sitter.name) != sitter.name:
            raise Refusal("bad_sitter", (), f"A person's name has {MAX_PERSON_NAME} characters at most, in one line.")
        if sitter.key and not _KEY.fullmatch(sitter.key):
            raise Refusal("bad_sitter", (), "A key is 64 hexadecimal digits.")
        told[seat] = sitter
    if not told:
        raise Refusal("bad_sitter", (), "Somebody has to be seated.")
    note: Raw = msgspec.to_builtins(_SeatingNote("seating", told))
    return note


def rewrite_seating_note(state: State, line: Line) -> Raw:
    """What a note of this kind would say that was written now.

    Raises: Refusal, as `content`; ValueError for one that is not the arbiter's, or that cannot be read.
    """
    if line.seat != ARBITER:
        raise ValueError("only the arbiter says who sits where")
    return make_seating_note(state, msgspec.convert(line.action, _SeatingNote).seats)


def is_seating_note(said: object) -> bool:
    """Whether the content of a note says who sits where."""
    return isinstance(said, dict) and said.get("type") == SEATING_NOTE


def seat_occupants(lines: Iterable[Line], before: Mapping[str, SeatOccupant] | None = None) -> dict[str, SeatOccupant]:
    """Who sits where after some lines of a log. Args: the lines; who sat where before them."""
    sitters = dict(before or {})
    for line in lines:
        if line.kind == "note" and line.seat == ARBITER:
            sitters |= _occupants_in_note(line.action)
    return sitters


def _occupants_in_note(said: object) -> dict[str, SeatOccupant]:
    """Whom a note seats: nobody where it cannot be read, for `verify` to tell."""
    try:
        return msgspec.convert(said, _SeatingNote).seats
    except msgspec.ValidationError:
        return {}


def visible_seating(raw: Raw, seat: str) -> Raw:
    """The note as a seat may have it: without the tempers that are the arbiter's to know."""
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


# --- words ------------------------------------------------------------------------------------------------------------


def occupant_label(sitter: SeatOccupant, seats: int = 1) -> str:
    """Who sits there, in a few words: "a person", "Ann", "steady bot", "bold statesman (hard)", "caretaker".

    Args: who; at how many seats.
    """
    several = "s" if seats > 1 else ""
    if sitter.by == "nobody":
        return "nobody"
    if sitter.by == "person":
        return sitter.name or ("persons" if several else "a person")
    if sitter.level == "caretaker":
        bot = f"caretaker{several}"
    elif sitter.level == "steady":
        bot = f"steady bot{several}"
    else:
        bot = f"{sitter.temper} statesm{'en' if several else 'an'} ({sitter.level})".lstrip()
    return f"{bot} for {sitter.name}" if sitter.name else bot


def occupants_label(tables: Tables, sitters: Mapping[str, SeatOccupant]) -> str:
    """Who sits where in a line: "Great Britain: a person; France, Germany: steady bots"."""
    groups: dict[SeatOccupant, list[str]] = {}
    for seat, sitter in sitters.items():
        groups.setdefault(sitter, []).append(power_name(tables, seat))
    return "; ".join(f"{', '.join(names)}: {occupant_label(who, len(names))}" for who, names in groups.items())


def describe_seating(tables: Tables, said: object) -> str:
    """The note in a sentence; "" for one that cannot be read."""
    parts = occupants_label(tables, _occupants_in_note(said))
    return f"Who sits where: {parts}." if parts else ""


BOT_FALLBACK = "stand_in"
"""Type of the note."""

MAX_REASON_LENGTH = 200
"""Characters of the reason."""


class _FallbackNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The note as it stands in a log."""

    type: Literal["stand_in"]
    seat: str
    bot: str
    why: str


def make_fallback_note(state: State, seat: str, bot: str, why: str) -> Raw:
    """The note that the caretaker acts for a bot. Raises: Refusal `unknown_seat`."""
    if seat not in state.players:
        raise Refusal("unknown_seat", (), f"There is no seat {seat!r}; the seats are {', '.join(state.players)}.")
    note: Raw = msgspec.to_builtins(
        _FallbackNote("stand_in", seat, clean_text(bot)[:MAX_REASON_LENGTH], clean_text(why)[:MAX_REASON_LENGTH])
    )
    return note


def rewrite_fallback_note(state: State, line: Line) -> Raw:
    """What a note of this kind would say that was written now.

    Raises: Refusal, as `content`; ValueError for one that is not the arbiter's, or that cannot be read.
    """
    if line.seat != ARBITER:
        raise ValueError("only the arbiter says who stands in")
    said = msgspec.convert(line.action, _FallbackNote)
    return make_fallback_note(state, said.seat, said.bot, said.why)


def is_fallback_note(said: object) -> bool:
    """Whether the content of a note says that the caretaker stands in."""
    return isinstance(said, dict) and said.get("type") == BOT_FALLBACK


def describe_fallback(tables: Tables, said: object) -> str:
    """The note in a sentence; "" for one that cannot be read."""
    try:
        note = msgspec.convert(said, _FallbackNote)
    except msgspec.ValidationError:
        return ""
    if note.seat not in tables.powers:
        return ""
    return f"{power_name(tables, note.seat)}: the caretaker acts for the bot ({note.bot}), {note.why}."
