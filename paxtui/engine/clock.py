"""Clocks and pauses: notes of the arbiter in the log, visible to all seats.

They change no position, no rule reads them, and no undo removes them. The host measures the time and writes the notes;
the actions that follow a timeout are ordinary ones. The last note about the clock applies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, get_args

import msgspec

from paxtui.engine.free_text import clean_text
from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, Names
from paxtui.engine.upcast import Raw

MAX_PAUSE_REASON = 200
"""Maximum length of the reason for a pause, in characters."""

MIN_CLOCK_S, MAX_CLOCK_S = 10, 60 * 24 * 3600
"""Minimum time limit, in seconds."""

OTHER_PHASES = "any"
"""Key of the time limit of all other Phases."""

TimeoutAction = Literal["default", "caretaker", "arbiter"]
"""Action at a timeout: take defaults, let the substitute bot act, or ask the arbiter."""

_TIME = re.compile(r"(?:(\d{1,4})d)?(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,7})s)?")

_Seconds = Annotated[int, msgspec.Meta(ge=MIN_CLOCK_S, le=MAX_CLOCK_S)]


class _TimeNote(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    pass


class ClockSet(_TimeNote, frozen=True, tag="clock_set"):
    """Set time limits for the Phases.

    Attributes:
        limits: seconds by Phase, and for all others; empty for no clock.
        then: action at a timeout.
        warn: seconds before the timeout at which a warning is given.
    """

    limits: dict[str, _Seconds] = {}
    then: TimeoutAction = "default"
    warn: Annotated[int, msgspec.Meta(ge=0, le=MAX_CLOCK_S)] = 60

    def limit(self, phase: str) -> int:
        """Return the time limit of a Phase in seconds, 0 for none."""
        return self.limits.get(phase, self.limits.get(OTHER_PHASES, 0))


class TimeGiven(_TimeNote, frozen=True, tag="time_given"):
    """Extend the present Phase, in seconds."""

    seconds: _Seconds


class TimeOut(_TimeNote, frozen=True, tag="time_out"):
    """Timeout of some seats; the resulting actions follow in the log."""

    seats: tuple[str, ...]
    then: TimeoutAction


class Paused(_TimeNote, frozen=True, tag="paused"):
    """Pause the game and its clock. `why` is a short reason, or ""."""

    why: str = ""


class Resumed(_TimeNote, frozen=True, tag="resumed"):
    """Continue the game."""


ClockNote = ClockSet | TimeGiven | TimeOut | Paused | Resumed

_TAGS = frozenset(kind.__struct_config__.tag for kind in get_args(ClockNote))


def is_clock_note(content: object) -> bool:
    """Return whether the content of a note is about clocks and pauses."""
    return isinstance(content, dict) and content.get("type") in _TAGS


def read_clock_note(content: object) -> ClockNote:
    """Return the note in a log.

    Raises:
        ValueError: it is malformed.
    """
    note: ClockNote = msgspec.convert(content, ClockNote)
    return note


class ClockState(msgspec.Struct, frozen=True):
    """Clock and pause as of a line of the log.

    Attributes:
        clock: time limits by Phase.
        paused: whether the game is paused.
        why: reason of the pause.
        given: lines that extended the time, with their seconds.
        rang: line of the last timeout, 0 for none.
        asked: seats of that line, if the host was asked about them and has not answered.
    """

    clock: ClockSet = ClockSet()
    paused: bool = False
    why: str = ""
    given: tuple[tuple[int, int], ...] = ()
    rang: int = 0
    asked: tuple[str, ...] = ()


def clock_state(lines: Iterable[Line], before: ClockState | None = None) -> ClockState:
    """Return the clock after some lines.

    Args:
        before: the clock before them.
    """
    state = before or ClockState()
    for line in lines:
        if line.kind == "note" and line.seat == ARBITER and is_clock_note(line.action):
            try:
                state = _apply_note(state, line.n, read_clock_note(line.action))
            except ValueError:
                continue  # `verify` reports it
    return state


def _apply_note(state: ClockState, n: int, note: ClockNote) -> ClockState:
    match note:
        case ClockSet():
            return msgspec.structs.replace(state, clock=note, asked=())
        case TimeGiven(seconds):
            return msgspec.structs.replace(state, given=(*state.given, (n, seconds)), asked=())
        case TimeOut(seats, then):
            return msgspec.structs.replace(state, rang=n, asked=seats if then == "arbiter" else ())
        case Paused(why):
            return msgspec.structs.replace(state, paused=True, why=why)
        case Resumed():
            return msgspec.structs.replace(state, paused=False, why="")


def make_clock_note(seats: Sequence[str], phases: Sequence[str], note: ClockNote, state: ClockState) -> Raw:
    """Return the content of a note, checked against the earlier notes.

    Args: the seats and Phases of the game; the note; the clock before it.

    Raises:
        Refusal: `bad_clock`, `unknown_seat`, `paused`, `not_paused`.
    """
    match note:
        case ClockSet(limits, _, warn):
            unknown = [phase for phase in limits if phase not in (*phases, OTHER_PHASES)]
            if unknown:
                raise Refusal(
                    "bad_clock", (), f"There is no Phase {unknown[0]!r}: {', '.join(phases)} and {OTHER_PHASES}."
                )
            if limits and warn >= min(limits.values()):
                raise Refusal("bad_clock", (), "The warning must come before the time is over.")
        case TimeOut(late, _):
            strange = [seat for seat in late if seat not in seats]
            if strange or not late:
                raise Refusal("unknown_seat", (), f"There is no seat {(*strange, '')[0]!r} whose time could be over.")
            if state.paused:
                raise Refusal("paused", (), "The game is paused, and its clock is stopped.")
        case Paused(why):
            if state.paused:
                raise Refusal("paused", (), "The game is already paused.")
            if clean_text(why) != why or len(why) > MAX_PAUSE_REASON:
                raise Refusal("bad_clock", (), f"The reason for a pause has {MAX_PAUSE_REASON} characters at most.")
        case Resumed():
            if not state.paused:
                raise Refusal("not_paused", (), "The game is not paused.")
        case TimeGiven():
            pass
    raw: Raw = msgspec.to_builtins(note)
    return raw


def rewrite_clock_note(seats: Sequence[str], phases: Sequence[str], line: Line, lines: Iterable[Line]) -> Raw:
    """Return the content of a note as `make_clock_note` would write it now.

    Raises:
        Refusal: as `make_clock_note`.
        ValueError: it is malformed, or not by the arbiter.
    """
    if line.seat != ARBITER:
        raise ValueError("only the arbiter can set the time")
    return make_clock_note(seats, phases, read_clock_note(line.action), clock_state(lines))


def parse_duration(text: str) -> int:
    """Return the seconds of a text such as 90s, 10m, 2h, 3d or 1h30m; 0 if it is malformed."""
    parts = _TIME.fullmatch(text.strip().lower())
    if parts is None:
        return 0
    return sum(int(count or 0) * size for count, size in zip(parts.groups(), (86400, 3600, 60, 1), strict=True))


def countdown_text(seconds: float) -> str:
    """Format a time as a countdown: "4:32", "1:05:00", "2d 3h"."""
    whole = int(seconds)
    if whole >= 86400:
        return f"{whole // 86400}d {whole % 86400 // 3600}h"
    if whole >= 3600:
        return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{whole // 60}:{whole % 60:02}"


def duration_text(seconds: float) -> str:
    """Format a time in words: "2 days", "1 day 3 hours", "45 minutes", "30 seconds"."""
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


def describe_clock_note(names: Names, content: object) -> str:
    """Describe a note in a sentence; "" if it is malformed."""
    try:
        note = read_clock_note(content)
    except ValueError:
        return ""
    match note:
        case ClockSet(limits, then, _):
            if not limits:
                return "The game now has no clock."
            own = {names.phase_name(phase): s for phase, s in limits.items() if phase != OTHER_PHASES}
            named = [f"{name} {duration_text(s)}" for name, s in own.items()]
            other = (
                [f"{'any other' if named else 'each'} Phase {duration_text(limits[OTHER_PHASES])}"]
                if OTHER_PHASES in limits
                else []
            )
            return f"The clock: {', '.join(named + other)}; when the time is over {_TIMEOUT_TEXTS[then]}."
        case TimeGiven(seconds):
            return f"The host gives {duration_text(seconds)} more."
        case TimeOut(seats, then):
            late = ", ".join(filter(None, map(names.seat_name, seats)))
            return f"The time is over for {late}: {_TIMEOUT_TEXTS[then]}."
        case Paused(why):
            return f"The game is paused{f': {why}' if why else ''}."
        case Resumed():
            return "The game is resumed."
