"""The games of a house. Few are open; of the others, which sleep, only that is in memory which the lobby and the clock
need, and the log is on the disk. A game wakes when somebody enters, when the host does something to it, and when its
clock has to be looked at.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from paxtui.engine.log import BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.net.hosted import Hosted
from paxtui.net.house import House
from paxtui.net.keeping.due import Due, Tell
from paxtui.net.keeping.journal import Journal
from paxtui.net.keeping.standing import Asleep, Standing, fallen_asleep, standing_of, tasks_of
from paxtui.net.keeping.talk import Talk
from paxtui.net.keeping.terms import HouseTerms
from paxtui.net.limits import Limits
from paxtui.table.arbiter.live_words import Steady
from paxtui.table.authority import Clock, Table
from paxtui.table.disk.files import StoreError
from paxtui.table.thinker import Thinker

REST = 60.0
"""Seconds after which a game in which nothing goes on falls asleep."""

AWAKE = 8
"""Games in which nothing goes on that are open at once; the one that has been quiet for longest falls asleep first."""


class Games:
    """The games of a house.

    Args:
        house: the directory.
        terms: what visitors may do.
        clock: the time, ISO 8601 in UTC.
        steady: seconds on a clock that nobody sets.
        tell: is told of each seat that must act from now on; None where nobody wants to know.
        journal: where is noted down what happens.
        limits: how often somebody may do something.

    Attributes:
        thinker: has the bots think.
        advice: whether players may ask a statesman for advice.
    """

    def __init__(
        self,
        house: House,
        terms: HouseTerms,
        clock: Clock,
        steady: Steady,
        tell: Tell | None,
        journal: Journal,
        limits: Limits | None = None,
    ) -> None:
        self._house, self._terms, self._tell = house, terms, tell
        self._clock, self._steady, self._journal = clock, steady, journal
        self._limits = limits or Limits(steady)
        self.thinker = Thinker()
        self.advice = True
        self._open: dict[str, Hosted] = {}
        self._talks: dict[str, Talk] = {}
        self._due: dict[str, Due] = {}
        self._last: dict[str, float] = {}  # when an open game was needed last, on the clock that nobody sets
        self._asleep: dict[str, Asleep] = {}

    @property
    def names(self) -> list[str]:
        """All of them, by name."""
        return self._house.names()

    @property
    def open(self) -> tuple[Hosted, ...]:
        """Those that are awake."""
        return tuple(self._open.values())

    def awake(self, name: str) -> Hosted | None:
        """A game, where it is open."""
        return self._open.get(name)

    def talk(self, hosted: Hosted) -> Talk:
        """The talk of an open game."""
        return self._talks[hosted.name]

    def game(self, name: str) -> Hosted:
        """A game; one that sleeps wakes. Raises: Refusal `no_such_game`, `cannot_open`."""
        hosted = self._open.get(name) or self._wake(name)
        self._last[name] = self._steady()
        return hosted

    def standing(self, name: str) -> Standing:
        """How a game stands; none wakes by it. Raises: Refusal `no_such_game`, `cannot_open`."""
        asleep = self._asleep.get(name)
        if asleep is not None:
            self._house.game_file(name)
            return asleep.told(self._steady())
        return standing_of(self.game(name) if name not in self._open else self._open[name], self._due[name].since)

    def tasks(self, name: str, seat: str) -> tuple[str, ...]:
        """What waits for a seat, in sentences, the most pressing first; no game wakes by it.

        Raises: Refusal `no_such_game`, `cannot_open`.
        """
        asleep = self._asleep.get(name)
        return asleep.tasks.get(seat, ()) if asleep is not None else tasks_of(self.game(name), seat)

    # --- waking and falling asleep --------------------------------------------------------------------------------

    def _wake(self, name: str) -> Hosted:
        """Open a game that is not open."""
        path, before = self._house.game_file(name), self._asleep.get(name)
        try:
            talk = Talk(self._house.talk / f"{name}.jsonl")
            with _uncollected():
                table = Table.open(path, clock=self._clock)
        except (OSError, BrokenLog, StoreError) as error:
            raise Refusal("cannot_open", (), f"The game {name} cannot be opened: {error}") from None
        if before is not None and not _goes_on(table, before):
            table.close()
            raise Refusal("cannot_open", (), f"The log of {name} is no longer the one that was played here.")
        notes, rest = path.with_suffix(".clock"), before.rest if before else None
        hosted = Hosted(name, table, self.thinker, self._clock, self._steady, notes, rest)
        due = Due(name, table, self._tell, before.standing.since if before else None)
        self._open[name], self._talks[name], self._due[name] = hosted, talk, due
        self._asleep.pop(name, None)
        self._journal.note("woken" if before else "opened", game=name, lines=table.version)
        hosted.advice = self.advice
        hosted.delay = self._terms.of(name).delay
        hosted.limits = self._limits
        hosted.changed = lambda: due.look(self._clock(), hosted.here)
        hosted.hurry = lambda left: due.hurry(left, hosted.here)
        hosted.ask_host = due.ask_host
        hosted.begin()
        return hosted

    def rest(self) -> None:
        """Let the games sleep in which nothing has gone on for a while, and those that are too many."""
        now = self._steady()
        quiet = []
        for name, hosted in self._open.items():
            if hosted.is_quiet and self._due[name].is_settled:
                quiet.append(name)
            else:
                self._last[name] = now
        quiet.sort(key=lambda name: self._last[name])
        for at, name in enumerate(quiet):
            if now - self._last[name] >= REST or len(quiet) - at > AWAKE:
                self._let_sleep(name)
        self.thinker.end_if_idle()

    def _let_sleep(self, name: str) -> None:
        hosted = self._open.pop(name)
        self._asleep[name] = fallen_asleep(hosted, self._due.pop(name).since)
        del self._talks[name], self._last[name]
        self._journal.note("asleep", game=name, lines=self._asleep[name].standing.lines)

    def ring(self) -> None:
        """Wake the games whose clocks have to be looked at."""
        now = self._steady()
        for name, asleep in tuple(self._asleep.items()):
            alarm = asleep.rest.time.alarm
            if alarm is not None and alarm <= now:
                with suppress(Refusal):  # whoever enters is told why
                    self.game(name)

    def close(self) -> None:
        """Let go of all of them."""
        for hosted in self._open.values():
            hosted.close()
        self._open.clear()
        self._asleep.clear()
        self.thinker.end()


def _goes_on(table: Table, before: Asleep) -> bool:
    """Whether a game that is opened again has every line that it had when it fell asleep."""
    lines = before.standing.lines
    if table.version == lines:
        return table.game.tip == before.tip
    return table.version > lines and table.game.line(lines + 1).prev == before.tip


@contextmanager
def _uncollected() -> Iterator[None]:
    """Have the collector wait meanwhile: what a log is read into is looked through often, and none of it is waste."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
