"""The clock of a table where everybody sits, or looks in: how much time is left, and whose is over.

While the program runs, seconds are counted by a clock that nobody sets; what is left is written down with the time of
day whenever it changes otherwise than by going on, so that the next program goes on from there. Neither a clock that is
set nor a program that was away ends anybody's turn: then the table pauses and says why.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from paxtui.games.pax.actions.clock import ClockState, Paused, TimeOut, clock_state, duration_text
from paxtui.games.pax.sequence import OPEN
from paxtui.session.fair_dice import SteadyClock, clock_time
from paxtui.session.game_host import Clock, GameHost
from paxtui.session.storage.files import read_regular, replace_file

JUMP_S = 30.0
"""Seconds by which the time of day may go wrong between two looks before somebody must have set it."""

MINIMUM_LEFT_S = 60.0
"""Seconds that are left where the program was away as the time ran out."""


class _SavedClock(msgspec.Struct, forbid_unknown_fields=True):
    """What is written down.

    Attributes:
        wait: what is waited for, "" for nothing that has a clock.
        left: seconds that were left for it.
        at: when that was, ISO 8601.
        given: the last line that has given more time, as far as it is counted in.
        paused: whether the clock stood still then.
    """

    wait: str = ""
    left: float = 0.0
    at: str = ""
    given: int = 0
    paused: bool = False


class BackgroundClock(NamedTuple):
    """A clock that goes on while its game is not open.

    Attributes:
        kept: what was left at the last look.
        looked: when that was, by the time of day and on the clock that nobody sets; None where nobody has looked yet.
    """

    kept: _SavedClock
    looked: tuple[datetime, float] | None

    def left(self, tick: float) -> float | None:
        """Seconds that are left; None where there is no clock. Args: the clock that nobody sets, now."""
        if not self.kept.wait:
            return None
        gone = 0.0 if self.kept.paused or self.looked is None else tick - self.looked[1]
        return max(0.0, self.kept.left - gone)


class GameClock:
    """The clock of one table.

    Args:
        table: the game.
        clock: the time of day, ISO 8601 in UTC.
        steady: seconds on a clock that nobody sets.
        file: where it is written down, None for nowhere.
        before: the same clock, which has gone on while the game was not open; None where this program has none.
    """

    def __init__(
        self,
        table: GameHost,
        clock: Clock,
        steady: SteadyClock,
        file: Path | None = None,
        before: BackgroundClock | None = None,
    ) -> None:
        self._table, self._clock, self._steady, self._file = table, clock, steady, file
        self._timing, self._read = ClockState(), 1
        self._kept, self._looked = before or BackgroundClock(self._found(), None)

    @property
    def unwatched(self) -> BackgroundClock:
        """This clock, for as long as nobody looks at it."""
        return BackgroundClock(self._kept, self._looked)

    @property
    def timing(self) -> ClockState:
        """What the log says of time."""
        if self._read < self._table.version:
            self._timing = clock_state(self._table.game.lines_after(self._read), self._timing)
            self._read = self._table.version
        return self._timing

    @property
    def left(self) -> float | None:
        """Seconds that are left, as of the last look; None where there is no clock."""
        return max(0.0, self._kept.left) if self._kept.wait else None

    @property
    def late(self) -> tuple[str, ...]:
        """The seats of persons that are waited for."""
        table = self._table
        return tuple(seat for seat in table.waiting if not table.occupant(seat).is_automatic)

    def look(self, busy: bool = False) -> tuple[str, ...]:
        """Count the time that has passed.

        Args: whether something goes on that the clock waits for.
        Returns: the seats whose time is over: the log says so already, and what is done then is for the caller.
        Raises: OSError.
        """
        now, tick = clock_time(self._clock), self._steady()
        before, self._looked = self._looked, (now, tick)
        passed = 0.0 if before is None else tick - before[1]
        told, wait = self.timing, self._wait()
        if wait != self._kept.wait:
            given = told.given[-1][0] if told.given else 0
            self._keep(_SavedClock(wait, float(told.clock.limit(self._table.state.phase)), "", given, told.paused), now)
        elif wait and before is None:
            self._go_on(now)
            told = self.timing  # which may say now that the table is paused
        elif wait and not told.paused:
            self._kept.left -= passed
        self._give(told, now)
        if told.paused != self._kept.paused:
            self._kept.paused = told.paused
            self._keep(self._kept, now)
        if before is not None and wait and not told.paused:
            gone = (now - before[0]).total_seconds()
            if abs(gone - passed) > JUMP_S:
                self._pause(f"the clock of the house was set from {_hour(before[0])} to {_hour(now)}", now)
        if not wait or self.timing.paused or self._kept.left > 0 or busy:
            return ()
        late = self.late
        self._table.announce(TimeOut(late, told.clock.then))
        return late

    def _wait(self) -> str:
        """What is waited for, in a word that changes when somebody else, or something else, is; "" for no clock."""
        table, state = self._table, self._table.state
        late = self.late
        if not late or state.result is not None or not self.timing.clock.limit(state.phase):
            return ""
        parts = [str(state.turn), state.phase, str(self.timing.rang)]
        if state.phase not in OPEN:
            parts += [*late, *sorted(choice.id for choice in table.state.choices if choice.seat in late)]
        return " ".join(parts)

    def _give(self, told: ClockState, now: datetime) -> None:
        """Count in what the host has given."""
        more = [(n, seconds) for n, seconds in told.given if n > self._kept.given]
        if more and self._kept.wait:
            self._kept.left += sum(seconds for _, seconds in more)
            self._kept.given = more[-1][0]
            self._keep(self._kept, now)

    def _go_on(self, now: datetime) -> None:
        """Go on from what another program has written down."""
        kept = self._kept
        if kept.paused:
            return
        then = datetime.fromisoformat(kept.at)
        away = (now - then).total_seconds()
        left = kept.left - max(0.0, away)
        if away < -JUMP_S or left <= 0:
            kept.left = max(left, MINIMUM_LEFT_S)
            if not self.timing.paused:
                why = "was set back" if away < -JUMP_S else "ran on while the house was closed"
                self._pause(f"the clock {why}, from {_hour(then)} to {_hour(now)}", now)
            return
        kept.left = left

    def _pause(self, why: str, now: datetime) -> None:
        self._table.announce(
            Paused(f"{why}; the host lets the table go on, with {duration_text(self._kept.left)} left")
        )
        self._kept.paused = True
        self._keep(self._kept, now)

    # --- on the disk ----------------------------------------------------------------------------------------------

    def _found(self) -> _SavedClock:
        """What is written down; nothing where it cannot be read, or makes no sense: then the time begins anew."""
        with suppress(OSError, ValueError, msgspec.MsgspecError):
            if self._file is not None:
                kept = msgspec.json.decode(read_regular(self._file), type=_SavedClock)
                if datetime.fromisoformat(kept.at).tzinfo is not None:
                    return kept
        return _SavedClock()

    def _keep(self, kept: _SavedClock, now: datetime) -> None:
        """Write down what is left. What cannot be written is not: the next program begins anew."""
        self._kept = kept
        kept.at = now.isoformat()
        if self._file is not None:
            with suppress(OSError):
                replace_file(self._file, msgspec.json.encode(kept) + b"\n")


def _hour(time: datetime) -> str:
    return f"{time:%d %b %H:%M} UTC"
