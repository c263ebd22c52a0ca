"""The clock of a hosted game: time accounting, commands of the host, and what clients are sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from paxtui.engine.clock import (
    ClockNote,
    ClockSet,
    Paused,
    Resumed,
    TimeGiven,
    TimeOut,
    TimeoutAction,
    describe_clock_note,
    duration_text,
)
from paxtui.engine.free_text import clean_text
from paxtui.engine.refusal import Refusal
from paxtui.server import messages
from paxtui.session.fair_dice import SteadyClock
from paxtui.session.game_clock import BackgroundClock, GameClock
from paxtui.session.game_host import Clock, GameHost
from paxtui.session.storage.interface import FILES, Storage

CLOCK_TOLERANCE_S = 2.0
"""Drift of a client's countdown after which the hub sends the time again, in seconds."""

ActFor = Callable[[Sequence[str], TimeoutAction], None]
"""Callback that carries out the timeout action of the game for late seats."""


class SuspendedClock(NamedTuple):
    """The clock of a suspended game.

    Attributes:
        clock: the remaining time.
        rules: the clock rules in a sentence; "" for a game without a clock.
        pause: the pause in a sentence; "" if not paused.
        warn: seconds before the end at which players are warned.
        warned: whether the warning was sent.
    """

    clock: BackgroundClock
    rules: str
    pause: str
    warn: float
    warned: bool

    def describe(self, tick: float) -> str:
        """Return the state of the clock in a line. Args: the monotonic time in seconds."""
        return _clock_text(self.rules, self.pause, self.clock.left(tick))

    @property
    def alarm(self) -> float | None:
        """Return the monotonic time in seconds at which the game must be resumed; None for never."""
        saved, checked_at = self.clock.saved, self.clock.checked_at
        if not saved.wait or self.pause or checked_at is None:
            return None
        until = saved.left - (0.0 if self.warned else self.warn)
        return checked_at[1] + max(0.0, until)


class HostedClock:
    """The clock of one open game.

    Args:
        table: the game.
        clock: the time, ISO 8601 in UTC.
        steady: monotonic seconds.
        file: where the remaining time is saved; None for nowhere.
        act_for: carries out the timeout action for late seats.
        before: the clock of the game before it was resumed; None for a game that was not suspended.
        storage: where the file is stored.
    """

    def __init__(
        self,
        table: GameHost,
        clock: Clock,
        steady: SteadyClock,
        file: Path | None,
        act_for: ActFor,
        before: SuspendedClock | None = None,
        storage: Storage = FILES,
    ) -> None:
        self._table, self._steady, self._act_for = table, steady, act_for
        self._clock = GameClock(table, clock, steady, file, before.clock if before else None, storage)
        self._last, self._last_at = messages.TimeLeft(), steady()
        self._warned = before is not None and before.warned
        self._rang = 0, (0, "")  # the log line of the last timeout; its Game Turn and Phase

    def close(self) -> None:
        """Stop the clock."""
        self._act_for = lambda late, then: None

    @property
    def asleep(self) -> SuspendedClock:
        """The state to continue from after the game is suspended."""
        return SuspendedClock(
            self._clock.background, self._rules, self._pause, self._clock.timing.clock.warn, self._warned
        )

    @property
    def runs(self) -> bool:
        """Whether the game has a clock."""
        return bool(self._clock.timing.clock.limits)

    @property
    def paused(self) -> bool:
        return self._clock.timing.paused

    def check_open(self) -> None:
        """Raise Refusal `paused` while the game is paused."""
        if self.paused:
            why = self._clock.timing.why
            raise Refusal("paused", (), f"The game is paused{f': {why}' if why else ''}.")

    def look(self, busy: bool) -> None:
        """Account for the elapsed time and do what is due. Args: whether the clock must wait for work in progress.

        Raises: Refusal, OSError.
        """
        late = self._clock.look(busy)
        if late:
            self._act_for(late, self._clock.timing.clock.then)

    def warning(self) -> float | None:
        """Return the remaining seconds once when they fall below the warning limit; else None."""
        now = self.now
        few = 0 <= now.left <= now.warn and not now.paused
        warned, self._warned = self._warned, few
        return now.left if few and not warned else None

    # --- host commands --------------------------------------------------------------------------------------------

    def arbitrate(self, what: str, about: Mapping[str, str]) -> None:
        """Carry out a command of the host: `set`, `give`, `pause`, `resume`, or `end` the time of the late seats.

        Raises: Refusal `bad_clock`, `paused`, `not_paused`, `nobody_late`; OSError.
        """
        if what == "end":
            late = self._table.waiting_persons
            if not late:
                raise Refusal("nobody_late", (), "The game is not waiting for any seat.")
            self._table.announce(
                _parse_clock_note({"type": "time_out", "seats": list(late), "then": about.get("then", "")})
            )
            self._act_for(late, "caretaker" if about.get("then") == "caretaker" else "default")
            return
        if what == "give" and self._clock.left is None:
            raise Refusal("bad_clock", (), "No clock is running.")
        limits = dict(part.partition("=")[::2] for part in about.get("limits", "").split(",") if part)
        wanted: dict[str, object] = {
            "set": {**{k: v for k, v in about.items() if k in ("then", "warn")}, "limits": limits},
            "give": {"seconds": about.get("seconds", "")},
            "pause": {"why": clean_text(about.get("why", ""))},
            "resume": {},
        }
        content = wanted.get(what)
        if not isinstance(content, dict):
            raise Refusal("bad_clock", (), f"There is no clock command {what!r}.")
        self._table.announce(_parse_clock_note({"type": _TYPES[what], **content}))

    # --- queries --------------------------------------------------------------------------------------------------

    @property
    def now(self) -> messages.TimeLeft:
        """Return the remaining time as a message."""
        timing, left = self._clock.timing, self._clock.left
        return messages.TimeLeft(-1.0 if left is None else left, timing.clock.warn, timing.paused)

    def news(self) -> messages.TimeLeft | None:
        """Return the same if it differs from a client's own countdown; else None."""
        now, at, last = self.now, self._steady(), self._last
        counted = last.left - (at - self._last_at if last.left >= 0 and not last.paused else 0.0)
        same = (now.paused, now.warn, now.left < 0) == (last.paused, last.warn, last.left < 0)
        if same and abs(max(0.0, counted) - max(0.0, now.left)) <= CLOCK_TOLERANCE_S:
            return None
        self._last, self._last_at = now, at
        return now

    @property
    def status_text(self) -> str:
        """Return the state of the clock in a line; "" for a game without a clock."""
        return _clock_text(self._rules, self._pause, self._clock.left)

    @property
    def rules_text(self) -> str:
        """Return the clock in sentences, without the time that is left; "" for a game without a clock."""
        return f"{self._rules} {self._pause}".strip()

    @property
    def seats_for_host_decision(self) -> tuple[str, ...]:
        """Return the late seats of this Phase for which the host must decide."""
        asked, rang = self._clock.timing.asked, self._clock.timing.rang
        if not asked:
            return ()
        if self._rang[0] != rang:
            self._rang = rang, self._table.moment_of(self._table.game.seek(rang))
        is_present = self._rang[1] == self._table.moment
        return tuple(seat for seat in asked if seat in self._table.waiting_persons) if is_present else ()

    @property
    def _rules(self) -> str:
        clock, names = self._clock.timing.clock, self._table.game.rules
        rules = describe_clock_note(names, msgspec.to_builtins(clock)) if clock.limits else ""
        late = ", ".join(map(names.seat_name, self.seats_for_host_decision))
        asked = f"The time of {late} is over. The host must decide (--end or --give)." if late else ""
        return " ".join(part for part in (rules, asked) if part)

    @property
    def _pause(self) -> str:
        timing = self._clock.timing
        return f"Paused{f': {timing.why}' if timing.why else ''}." if timing.paused else ""


def _clock_text(rules: str, pause: str, left: float | None) -> str:
    """Describe a clock. Args: its rules and its pause as sentences; the remaining seconds."""
    rest = pause or ("" if left is None else f"{duration_text(left)} left.".capitalize())
    return " ".join(part for part in (rules, rest) if part)


_TYPES = {"set": "clock_set", "give": "time_given", "pause": "paused", "resume": "resumed"}
_KINDS: dict[object, type[ClockNote]] = {
    kind.__struct_config__.tag: kind for kind in (ClockSet, TimeGiven, TimeOut, Paused, Resumed)
}


def _parse_clock_note(fields: Mapping[str, object]) -> ClockNote:
    try:
        note: ClockNote = msgspec.convert(dict(fields), _KINDS[fields["type"]], strict=False)
    except msgspec.ValidationError as error:
        raise Refusal("bad_clock", (), f"The clock settings are invalid: {error}.") from None
    return note
