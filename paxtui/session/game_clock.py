"""The clock of a game: the remaining time and the late seats.

A monotonic clock counts seconds while the program runs. The remaining time is saved with the time of day, so that the
next process continues from it. If the system clock was set, or the program was away, the game is paused with a reason.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from paxtui.engine.clock import ClockState, Paused, TimeOut, clock_state, duration_text
from paxtui.engine.game import Phase
from paxtui.engine.seats import ARBITER
from paxtui.session.fair_dice import SteadyClock, clock_time
from paxtui.session.game_host import Clock, GameHost
from paxtui.session.storage.interface import FILES, Storage

JUMP_S = 30.0
"""Difference between system and monotonic clock that counts as a set clock, in seconds."""

MINIMUM_LEFT_S = 60.0
"""Remaining time if it ran out while the program was away, in seconds."""


class _SavedClock(msgspec.Struct, forbid_unknown_fields=True):
    """The saved state.

    Attributes:
        wait: what the clock runs for, "" for nothing.
        left: the remaining seconds.
        at: when it was saved, ISO 8601.
        given: the last line with extra time that is counted in.
        paused: whether the clock was paused.
    """

    wait: str = ""
    left: float = 0.0
    at: str = ""
    given: int = 0
    paused: bool = False


class BackgroundClock(NamedTuple):
    """The clock of a game that is not open.

    Attributes:
        saved: the remaining time at the last check.
        checked_at: the time of that check, by system and monotonic clock; None for no check.
    """

    saved: _SavedClock
    checked_at: tuple[datetime, float] | None

    def left(self, tick: float) -> float | None:
        """Return the remaining seconds; None without a clock. Args: the monotonic time."""
        if not self.saved.wait:
            return None
        gone = 0.0 if self.saved.paused or self.checked_at is None else tick - self.checked_at[1]
        return max(0.0, self.saved.left - gone)


class GameClock:
    """The clock of one game.

    Args:
        table: the game.
        clock: the time of day, ISO 8601 in UTC.
        steady: monotonic seconds.
        file: where it is saved, None for nowhere.
        before: the background clock of the same game; None if this process has none.
        storage: where the file is stored.
    """

    def __init__(
        self,
        table: GameHost,
        clock: Clock,
        steady: SteadyClock,
        file: Path | None = None,
        before: BackgroundClock | None = None,
        storage: Storage = FILES,
    ) -> None:
        self._table, self._clock, self._steady, self._file = table, clock, steady, file
        self._storage = storage
        self._timing, self._read = ClockState(), 1
        self._saved, self._checked_at = before or BackgroundClock(self._read_saved(), None)

    @property
    def background(self) -> BackgroundClock:
        """The background clock to continue from."""
        return BackgroundClock(self._saved, self._checked_at)

    @property
    def timing(self) -> ClockState:
        """The timing notes of the log."""
        if self._read < self._table.version:
            self._timing = clock_state(self._table.game.lines_after(self._read), self._timing)
            self._read = self._table.version
        return self._timing

    @property
    def left(self) -> float | None:
        """The remaining seconds at the last check; None without a clock."""
        return max(0.0, self._saved.left) if self._saved.wait else None

    def look(self, busy: bool = False) -> tuple[str, ...]:
        """Account for the elapsed time.

        Args: whether the clock must wait for work in progress.
        Returns: the late seats; the log names them already, and the caller carries out the timeout action.
        Raises: OSError.
        """
        now, tick = clock_time(self._clock), self._steady()
        before, self._checked_at = self._checked_at, (now, tick)
        passed = 0.0 if before is None else tick - before[1]
        timing, wait = self.timing, self._wait_key()
        if wait != self._saved.wait:
            given = timing.given[-1][0] if timing.given else 0
            self._save(_SavedClock(wait, float(timing.clock.limit(self._phase.id)), "", given, timing.paused), now)
        elif wait and before is None:
            self._resume(now)
            timing = self.timing  # which may be paused now
        elif wait and not timing.paused:
            self._saved.left -= passed
        self._add_extra_time(timing, now)
        if timing.paused != self._saved.paused:
            self._saved.paused = timing.paused
            self._save(self._saved, now)
        if before is not None and wait and not timing.paused:
            gone = (now - before[0]).total_seconds()
            if abs(gone - passed) > JUMP_S:
                self._pause(f"the clock of the server was set from {_hour(before[0])} to {_hour(now)}", now)
        if not wait or self.timing.paused or self._saved.left > 0 or busy:
            return ()
        late = self._table.waiting_persons
        self._table.announce(TimeOut(late, timing.clock.then))
        return late

    def _wait_key(self) -> str:
        """Return a key of what the clock runs for, which changes with the waiting seats; "" without a clock."""
        if not self.timing.clock.limits:
            return ""
        table, phase, late = self._table, self._phase, self._table.waiting_persons
        if not late or table.is_over or not self.timing.clock.limit(phase.id):
            return ""
        parts = [str(phase.turn), phase.id, *filter(None, (phase.step,)), str(self.timing.rang)]
        if not phase.is_open:
            parts += [*late, *sorted(one.id for one in table.rules.pending(table.state, ARBITER) if one.seat in late)]
        return " ".join(parts)

    @property
    def _phase(self) -> Phase:
        return self._table.rules.phase(self._table.state)

    def _add_extra_time(self, timing: ClockState, now: datetime) -> None:
        more = [(n, seconds) for n, seconds in timing.given if n > self._saved.given]
        if more and self._saved.wait:
            self._saved.left += sum(seconds for _, seconds in more)
            self._saved.given = more[-1][0]
            self._save(self._saved, now)

    def _resume(self, now: datetime) -> None:
        """Continue from the state that another process saved."""
        saved = self._saved
        if saved.paused:
            return
        then = datetime.fromisoformat(saved.at)
        away = (now - then).total_seconds()
        saved.left -= max(0.0, away)
        if away < -JUMP_S or saved.left <= 0:
            saved.left = max(saved.left, MINIMUM_LEFT_S)
            if not self.timing.paused:
                why = "was set back" if away < -JUMP_S else "kept running while the server was stopped"
                self._pause(f"the clock {why}, from {_hour(then)} to {_hour(now)}", now)

    def _pause(self, why: str, now: datetime) -> None:
        self._table.announce(Paused(f"{why}; the host resumes the game, with {duration_text(self._saved.left)} left"))
        self._saved.paused = True
        self._save(self._saved, now)

    def _read_saved(self) -> _SavedClock:
        """Return the saved state; a new one if it is missing or invalid."""
        with suppress(OSError, ValueError, msgspec.MsgspecError):
            if self._file is not None:
                saved = msgspec.json.decode(self._storage.read(self._file), type=_SavedClock)
                if datetime.fromisoformat(saved.at).tzinfo is not None:
                    return saved
        return _SavedClock()

    def _save(self, saved: _SavedClock, now: datetime) -> None:
        """Save the remaining time. Write errors are ignored."""
        self._saved = saved
        saved.at = now.isoformat()
        if self._file is not None:
            with suppress(OSError):
                self._storage.replace(self._file, msgspec.json.encode(saved) + b"\n")


def _hour(time: datetime) -> str:
    return f"{time:%d %b %H:%M} UTC"
