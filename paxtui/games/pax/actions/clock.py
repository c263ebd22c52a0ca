"""Clocks and pauses of a table: in the log they are notes of the arbiter's, told to everybody.

No rule of the game asks for them, they change no position, and no undo takes them back. What time it is nobody here
knows: whoever keeps the table says that the time of some seats is over, and what is done then is an act like any other.
The last line about clocks is the one that holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal, get_args

import msgspec

from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import phase_name, power_name
from paxtui.games.pax.text.free_text import clean_text

MAX_PAUSE_REASON = 200
"""Characters of the reason for a pause."""

MIN_CLOCK_S, MAX_CLOCK_S = 10, 60 * 24 * 3600
"""Seconds that a clock may give."""

TIMED_PHASES = (
    "random_events",
    "administrative",
    "minor_powers",
    "movement",
    "colonial_combat",
    "marker_adjustment",
    "negotiation",
    "congress",
    "chinese_resentment",
    "war",
    "victory_point_record",
    "final_record",
)
"""Phases that may have a clock of their own."""

OTHER_PHASES = "any"
"""Every other Phase."""

TimeoutAction = Literal["default", "caretaker", "arbiter"]
"""What is done when the time is over: defaults are taken, the caretaker acts, or the arbiter is asked."""

_TIME = re.compile(r"(?:(\d{1,4})d)?(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,7})s)?")

_Seconds = Annotated[int, msgspec.Meta(ge=MIN_CLOCK_S, le=MAX_CLOCK_S)]


class _TimeNote(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """One note about time."""


class ClockSet(_TimeNote, frozen=True, tag="clock_set"):
    """From now on each Phase has so much time.

    Attributes:
        limits: seconds by Phase, and for any other; none where there is no clock.
        then: what is done when the time is over.
        warn: seconds before that at which it is said.
    """

    limits: dict[str, _Seconds] = {}
    then: TimeoutAction = "default"
    warn: Annotated[int, msgspec.Meta(ge=0, le=MAX_CLOCK_S)] = 60

    def limit(self, phase: str) -> int:
        """Seconds that a Phase has, 0 for as long as it takes."""
        return self.limits.get(phase, self.limits.get(OTHER_PHASES, 0))


class TimeGiven(_TimeNote, frozen=True, tag="time_given"):
    """The Phase that is played has so many seconds more."""

    seconds: _Seconds


class TimeOut(_TimeNote, frozen=True, tag="time_out"):
    """The time of some seats is over; the acts that come of it are in the lines that follow."""

    seats: tuple[str, ...]
    then: TimeoutAction


class Paused(_TimeNote, frozen=True, tag="paused"):
    """Nobody acts until the table goes on, and the clock stands still. `why`: in a few words, or ""."""

    why: str = ""


class Resumed(_TimeNote, frozen=True, tag="resumed"):
    """The table goes on."""


ClockNote = ClockSet | TimeGiven | TimeOut | Paused | Resumed

_TAGS = frozenset(kind.__struct_config__.tag for kind in get_args(ClockNote))


def is_clock_note(said: object) -> bool:
    """Whether the content of a note is about clocks and pauses."""
    return isinstance(said, dict) and said.get("type") in _TAGS


def read_clock_note(said: object) -> ClockNote:
    """The note that a log has. Raises: ValueError, where it cannot be read."""
    note: ClockNote = msgspec.convert(said, ClockNote)
    return note


class ClockState(msgspec.Struct, frozen=True):
    """What the notes of a log say of time, up to its last line.

    Attributes:
        clock: how much time each Phase has.
        paused: whether the table is paused.
        why: for what reason.
        given: the lines that gave more time, with how many seconds.
        rang: the last line by which the time of some seats was over, 0 for none.
        asked: the seats of that line, when the host was asked about them and has said nothing since.
    """

    clock: ClockSet = ClockSet()
    paused: bool = False
    why: str = ""
    given: tuple[tuple[int, int], ...] = ()
    rang: int = 0
    asked: tuple[str, ...] = ()


def clock_state(lines: Iterable[Line], before: ClockState | None = None) -> ClockState:
    """What the notes of some lines say of time. Args: the lines; what those before them have said."""
    told = before or ClockState()
    for line in lines:
        if line.kind == "note" and line.seat == ARBITER and is_clock_note(line.action):
            try:
                told = _apply_note(told, line.n, read_clock_note(line.action))
            except ValueError:
                continue  # `verify` says so
    return told


def _apply_note(told: ClockState, n: int, note: ClockNote) -> ClockState:
    match note:
        case ClockSet():
            return msgspec.structs.replace(told, clock=note, asked=())
        case TimeGiven(seconds):
            return msgspec.structs.replace(told, given=(*told.given, (n, seconds)), asked=())
        case TimeOut(seats, then):
            return msgspec.structs.replace(told, rang=n, asked=seats if then == "arbiter" else ())
        case Paused(why):
            return msgspec.structs.replace(told, paused=True, why=why)
        case Resumed():
            return msgspec.structs.replace(told, paused=False, why="")


def make_clock_note(state: State, note: ClockNote, told: ClockState) -> Raw:
    """The note as the log has it. Args: the position; what is said; what the notes before it have said.

    Raises: Refusal `bad_clock`, `unknown_seat`, `paused`, `not_paused`.
    """
    match note:
        case ClockSet(limits, _, warn):
            unknown = [phase for phase in limits if phase not in (*TIMED_PHASES, OTHER_PHASES)]
            if unknown:
                raise Refusal(
                    "bad_clock", (), f"There is no Phase {unknown[0]!r}: {', '.join(TIMED_PHASES)} and {OTHER_PHASES}."
                )
            if limits and warn >= min(limits.values()):
                raise Refusal("bad_clock", (), "The warning comes when some of the time has passed.")
        case TimeOut(seats, _):
            strange = [seat for seat in seats if seat not in state.players]
            if strange or not seats:
                raise Refusal("unknown_seat", (), f"There is no seat {(*strange, '')[0]!r} whose time could be over.")
            if told.paused:
                raise Refusal("paused", (), "The table is paused: its clock stands still.")
        case Paused(why):
            if told.paused:
                raise Refusal("paused", (), "The table is paused already.")
            if clean_text(why) != why or len(why) > MAX_PAUSE_REASON:
                raise Refusal("bad_clock", (), f"The reason for a pause has {MAX_PAUSE_REASON} characters at most.")
        case Resumed():
            if not told.paused:
                raise Refusal("not_paused", (), "The table is not paused.")
        case TimeGiven():
            pass
    raw: Raw = msgspec.to_builtins(note)
    return raw


def rewrite_clock_note(state: State, line: Line, lines: Iterable[Line]) -> Raw:
    """What a note of this kind would say that was written now.

    Raises: Refusal, as `content`; ValueError for one that is not the arbiter's, or that cannot be read.
    """
    if line.seat != ARBITER:
        raise ValueError("only the arbiter says what time it is")
    return make_clock_note(state, read_clock_note(line.action), clock_state(lines))


# --- words ------------------------------------------------------------------------------------------------------------


def parse_duration(text: str) -> int:
    """The seconds of a time that is written as 90s, 10m, 2h, 3d or 1h30m; 0 for what is none."""
    parts = _TIME.fullmatch(text.strip().lower())
    if parts is None:
        return 0
    return sum(int(count or 0) * size for count, size in zip(parts.groups(), (86400, 3600, 60, 1), strict=True))


def countdown_text(seconds: float) -> str:
    """So much time as a clock shows it: "4:32", "1:05:00", "2d 3h"."""
    whole = int(seconds)
    if whole >= 86400:
        return f"{whole // 86400}d {whole % 86400 // 3600}h"
    if whole >= 3600:
        return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{whole // 60}:{whole % 60:02}"


def duration_text(seconds: float) -> str:
    """So much time in words: "2 days", "1 day 3 hours", "45 minutes", "30 seconds"."""
    left, parts = int(seconds), []
    for size, name in ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second")):
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {name}{'s' * (count > 1)}")
    return " ".join(parts[:2]) or "no time"


_TIMEOUT_TEXTS: dict[TimeoutAction, str] = {
    "default": "defaults are taken",
    "caretaker": "the caretaker acts",
    "arbiter": "the host is asked",
}


def describe_clock_note(tables: Tables, said: object) -> str:
    """The note in a sentence; "" for one that cannot be read."""
    try:
        note = read_clock_note(said)
    except ValueError:
        return ""
    match note:
        case ClockSet(limits, then, _):
            if not limits:
                return "There is no clock from now on."
            named = [f"{phase_name(phase)} {duration_text(s)}" for phase, s in limits.items() if phase != OTHER_PHASES]
            other = (
                [f"{'any other' if named else 'each'} Phase {duration_text(limits[OTHER_PHASES])}"]
                if OTHER_PHASES in limits
                else []
            )
            return f"The clock: {', '.join(named + other)}; when the time is over {_TIMEOUT_TEXTS[then]}."
        case TimeGiven(seconds):
            return f"The host gives {duration_text(seconds)} more."
        case TimeOut(seats, then):
            names = ", ".join(power_name(tables, seat) for seat in seats if seat in tables.powers)
            return f"The time is over for {names}: {_TIMEOUT_TEXTS[then]}."
        case Paused(why):
            return f"The table is paused{f': {why}' if why else ''}."
        case Resumed():
            return "The table goes on."
