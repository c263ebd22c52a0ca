"""The time of one hosted game: what the host may say about it, and what those who sit there are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions.clock import (
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
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.text.free_text import clean_text
from paxtui.server import messages
from paxtui.session.fair_dice import SteadyClock
from paxtui.session.game_clock import BackgroundClock, GameClock
from paxtui.session.game_host import Clock, GameHost

CLOCK_TOLERANCE_S = 2.0
"""Seconds by which the time that a client counts may differ before it is told anew."""

ActFor = Callable[[Sequence[str], TimeoutAction], None]
"""Does for seats what the table has chosen for when their time is over."""


class SuspendedClock(NamedTuple):
    """The time of a game that sleeps.

    Attributes:
        clock: what is left.
        rules: what the table has chosen, in a sentence; "" where it has no clock.
        pause: that it is paused, in a sentence; "" where it is not.
        warn: seconds before the end at which it is said.
        warned: that has been done.
    """

    clock: BackgroundClock
    rules: str
    pause: str
    warn: float
    warned: bool

    def told(self, tick: float) -> str:
        """What there is to know of it, in a line. Args: the clock that nobody sets, now, in seconds."""
        return _clock_text(self.rules, self.pause, self.clock.left(tick))

    @property
    def alarm(self) -> float | None:
        """When it is due to be looked at, in seconds of the clock that nobody sets; None for never."""
        kept, looked = self.clock.kept, self.clock.looked
        if not kept.wait or self.pause or looked is None:
            return None
        until = kept.left - (0.0 if self.warned else self.warn)
        return looked[1] + max(0.0, until)


class HostedClock:
    """The clock of one game, and who is told of it.

    Args:
        table: the game.
        clock: the time of day, ISO 8601 in UTC.
        steady: seconds on a clock that nobody sets.
        file: where what is left is written down, None for nowhere.
        act_for: does what is due for seats whose time is over.
        before: the time of the same game while it slept; None where it has not.
    """

    def __init__(
        self,
        table: GameHost,
        clock: Clock,
        steady: SteadyClock,
        file: Path | None,
        act_for: ActFor,
        before: SuspendedClock | None = None,
    ) -> None:
        self._table, self._steady, self._act_for = table, steady, act_for
        self._clock = GameClock(table, clock, steady, file, before.clock if before else None)
        self._last, self._last_at = messages.TimeLeft(), steady()
        self._warned = before is not None and before.warned
        self._rang = 0, (0, "")  # the line by which some time was over, and the Game Turn and Phase of it

    def close(self) -> None:
        """Do nothing for anybody any more."""
        self._act_for = lambda late, then: None

    @property
    def asleep(self) -> SuspendedClock:
        """The time as it is to go on while the game sleeps."""
        return SuspendedClock(
            self._clock.unwatched, self._rules, self._pause, self._clock.timing.clock.warn, self._warned
        )

    @property
    def runs(self) -> bool:
        """Whether the table has a clock."""
        return bool(self._clock.timing.clock.limits)

    @property
    def paused(self) -> bool:
        """Whether the table is paused."""
        return self._clock.timing.paused

    def check_open(self) -> None:
        """Raises: Refusal `paused`, while the table is."""
        if self.paused:
            why = self._clock.timing.why
            raise Refusal("paused", (), f"The table is paused{f': {why}' if why else ''}.")

    def look(self, busy: bool) -> None:
        """Count the time that has passed, and do what is due. Args: whether something goes on that the clock waits for.

        Raises: Refusal, OSError.
        """
        late = self._clock.look(busy)
        if late:
            self._act_for(late, self._clock.timing.clock.then)

    def warning(self) -> float | None:
        """Seconds that are left, once for each time when they have become few; else None."""
        now = self.now
        few = 0 <= now.left <= now.warn and not now.paused
        warned, self._warned = self._warned, few
        return now.left if few and not warned else None

    # --- the host -------------------------------------------------------------------------------------------------

    def arbitrate(self, what: str, said: Mapping[str, str]) -> None:
        """Do what the host wants: `set`, `give`, `pause`, `resume`, or `end` the time of those who are waited for.

        Raises: Refusal `bad_clock`, `paused`, `not_paused`, `nobody_late`; OSError.
        """
        if what == "end":
            late = self._clock.late
            if not late:
                raise Refusal("nobody_late", (), "The table waits for nobody.")
            self._table.announce(
                _parse_clock_note({"type": "time_out", "seats": list(late), "then": said.get("then", "")})
            )
            self._act_for(late, "caretaker" if said.get("then") == "caretaker" else "default")
            return
        if what == "give" and self._clock.left is None:
            raise Refusal("bad_clock", (), "There is no clock now to which time could be given.")
        limits = dict(part.partition("=")[::2] for part in said.get("limits", "").split(",") if part)
        wanted: dict[str, object] = {
            "set": {**{k: v for k, v in said.items() if k in ("then", "warn")}, "limits": limits},
            "give": {"seconds": said.get("seconds", "")},
            "pause": {"why": clean_text(said.get("why", ""))},
            "resume": {},
        }
        content = wanted.get(what)
        if not isinstance(content, dict):
            raise Refusal("bad_clock", (), f"Nobody knows what {what!r} means.")
        self._table.announce(_parse_clock_note({"type": _TYPES[what], **content}))

    # --- telling --------------------------------------------------------------------------------------------------

    @property
    def now(self) -> messages.TimeLeft:
        """How much time is left, for a client."""
        timing, left = self._clock.timing, self._clock.left
        return messages.TimeLeft(-1.0 if left is None else left, timing.clock.warn, timing.paused)

    def news(self) -> messages.TimeLeft | None:
        """The same, where it is other than clients can count themselves; else None."""
        now, at, last = self.now, self._steady(), self._last
        counted = last.left - (at - self._last_at if last.left >= 0 and not last.paused else 0.0)
        same = (now.paused, now.warn, now.left < 0) == (last.paused, last.warn, last.left < 0)
        if same and abs(max(0.0, counted) - max(0.0, now.left)) <= CLOCK_TOLERANCE_S:
            return None
        self._last, self._last_at = now, at
        return now

    @property
    def told(self) -> str:
        """What there is to know of the time, in a line; "" where there is no clock."""
        return _clock_text(self._rules, self._pause, self._clock.left)

    @property
    def seats_for_host_decision(self) -> tuple[str, ...]:
        """The seats whose time is over in this Phase, when the host has to decide what is done for them."""
        asked, rang, state = self._clock.timing.asked, self._clock.timing.rang, self._table.state
        if not asked:
            return ()
        if self._rang[0] != rang:
            then = self._table.game.seek(rang)
            self._rang = rang, (then.turn, then.phase)
        return tuple(s for s in asked if s in self._clock.late) if self._rang[1] == (state.turn, state.phase) else ()

    @property
    def _rules(self) -> str:
        clock, tables = self._clock.timing.clock, self._table.tables
        rules = describe_clock_note(tables, msgspec.to_builtins(clock)) if clock.limits else ""
        names = ", ".join(power_name(tables, seat) for seat in self.seats_for_host_decision)
        asked = f"The host is asked: the time of {names} is over (--end or --give)." if names else ""
        return " ".join(part for part in (rules, asked) if part)

    @property
    def _pause(self) -> str:
        timing = self._clock.timing
        return f"Paused{f': {timing.why}' if timing.why else ''}." if timing.paused else ""


def _clock_text(rules: str, pause: str, left: float | None) -> str:
    """What there is to know of the time. Args: its rules and its pause as sentences; seconds that are left."""
    rest = pause or ("" if left is None else f"{duration_text(left)} left.".capitalize())
    return " ".join(part for part in (rules, rest) if part)


_TYPES = {"set": "clock_set", "give": "time_given", "pause": "paused", "resume": "resumed"}
_KINDS: dict[object, type[ClockNote]] = {
    kind.__struct_config__.tag: kind for kind in (ClockSet, TimeGiven, TimeOut, Paused, Resumed)
}


def _parse_clock_note(said: Mapping[str, object]) -> ClockNote:
    """A note of what was said in texts. Raises: Refusal `bad_clock`."""
    try:
        note: ClockNote = msgspec.convert(dict(said), _KINDS[said["type"]], strict=False)
    except msgspec.ValidationError as error:
        raise Refusal("bad_clock", (), f"This is no clock: {error}.") from None
    return note
