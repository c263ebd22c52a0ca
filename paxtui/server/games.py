"""The games of a house. Few are open; of the others, which sleep, only that is in memory which the lobby and the clock
need, and the log is on the disk. A game wakes when somebody enters, when the host does something to it, and when its
clock has to be looked at.

How a game stands, as everybody is told of it who looks at the house; and what is kept of a game that sleeps.

What is said at a table: kept in a file beside the log, told to everybody there, and never faster than it is read.
"""

from __future__ import annotations

import gc
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui.engine.log import BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions.seats import occupant_label
from paxtui.games.pax.reports.todo import todo_items
from paxtui.games.pax.text.free_text import ChatLine, clean_chat
from paxtui.server.access_control import ServerTerms
from paxtui.server.data_directory import DataDirectory, Journal
from paxtui.server.hosted_game import HostedGame, SuspendedGame
from paxtui.server.limits import RateLimits
from paxtui.server.notifications import Notify, TurnNotifier
from paxtui.session.bot_process import BotProcess
from paxtui.session.fair_dice import SteadyClock
from paxtui.session.game_host import Clock, GameHost
from paxtui.session.storage.files import StorageError, append_private, read_regular

MOST_TASKS = 3
"""Things that wait for a seat which are named."""


class GameStanding(msgspec.Struct, frozen=True):
    """How a game stands.

    Attributes:
        name: what it is called in the house.
        year: of the calendar of the game.
        turn: Game Turn.
        phase: of the sequence of play.
        over: it has ended.
        seats: all of them, in the order of the table.
        bots: what those are called that play themselves, by seat.
        here: the seats at which somebody is.
        waits_for: the seats that the game waits for.
        ready: the seats that are ready.
        since: since when each person's seat is waited for, ISO 8601 in UTC.
        thinks: bots are at their moves.
        asleep: only this is in memory, and the log is on the disk.
        lines: of the log.
        dice: where its dice come from, in a few words.
        clock: how much time there is, in sentences; "" where there is no clock.
    """

    name: str
    year: int
    turn: int
    phase: str
    over: bool
    seats: tuple[str, ...]
    bots: dict[str, str]
    here: tuple[str, ...]
    waits_for: tuple[str, ...]
    ready: tuple[str, ...]
    since: dict[str, str]
    thinks: bool
    asleep: bool
    lines: int
    dice: str
    clock: str


def game_standing(hosted: HostedGame, since: Mapping[str, str]) -> GameStanding:
    """How an open game stands. Args: it; since when each person's seat is waited for."""
    table, state = hosted.table, hosted.table.state
    return GameStanding(
        hosted.name,
        table.tables.turns[state.turn - 1].year,
        state.turn,
        state.phase,
        state.result is not None,
        state.players,
        {seat: occupant_label(sitter) for seat in state.players if (sitter := table.occupant(seat)).is_automatic},
        hosted.here,
        table.waiting,
        state.ready,
        dict(since),
        hosted.thinks,
        False,
        table.version,
        hosted.dice_status,
        hosted.time.told,
    )


def seat_tasks(hosted: HostedGame, seat: str) -> tuple[str, ...]:
    """What waits for a seat of an open game, in sentences, the most pressing first."""
    table = hosted.table
    return tuple(must.text for must in todo_items(table.tables, table.state_for(seat), seat)[:MOST_TASKS])


class SuspendedStanding(NamedTuple):
    """A game that sleeps.

    Attributes:
        standing: how it stands.
        tasks: what waits for the seats of persons.
        rest: what it goes on with when it wakes.
        tip: the hash of the last line of its log.
    """

    standing: GameStanding
    tasks: dict[str, tuple[str, ...]]
    rest: SuspendedGame
    tip: str

    def told(self, tick: float) -> GameStanding:
        """How it stands now. Args: the clock that nobody sets, in seconds."""
        return replace(self.standing, clock=self.rest.time.told(tick))


def suspend_game(hosted: HostedGame, since: Mapping[str, str]) -> SuspendedStanding:
    """What is kept of a game that is closed by this. Args: it; since when each person's seat is waited for."""
    standing = replace(game_standing(hosted, since), asleep=True)
    persons = () if standing.over else (seat for seat in standing.seats if seat not in standing.bots)
    tasks = {seat: found for seat in persons if (found := seat_tasks(hosted, seat))}
    return SuspendedStanding(standing, tasks, hosted.fall_asleep(), hosted.table.game.tip)


BURST_LINES, BURST_WINDOW_S = 6, 12.0
"""Lines that one person may say within so many seconds."""

KEPT_LINES = 2000
"""Lines of a table that are remembered, and given to whoever comes; the file keeps all."""


class TalkLog:
    """The talk of one table.

    Args:
        path: its file; it need not be there yet.
        clock: seconds that only go up, for how fast somebody talks.

    Attributes:
        lines: what has been said, the newest last.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path, self._clock = path, clock
        self._said: dict[str, deque[float]] = {}
        found, whole = _read_lines(path)
        self.lines: deque[ChatLine] = deque(found, KEPT_LINES)
        self._torn = b"" if whole else b"\n"

    def after(self, number: int, until: str = "") -> tuple[ChatLine, ...]:
        """The lines after line `number`. Args: it; the time of the last line that is wanted, "" for all."""
        return tuple(line for line in self.lines if line.n > number and (not until or line.time <= until))

    def say(self, who: str, seat: str, name: str, text: str, now: str) -> ChatLine:
        """Say something.

        Args:
            who: whose haste is looked at: a player, or a seat of whoever keeps the table.
            seat: the seat it comes from.
            name: what he is called.
            text: his words.
            now: the time, ISO 8601 in UTC.

        Raises: Refusal `empty`, `too_long`, `too_fast`; OSError when it cannot be kept: then nobody has heard it.
        """
        words = clean_chat(text)
        lately = self._said.setdefault(who, deque(maxlen=BURST_LINES))
        at = self._clock()
        if len(lately) == BURST_LINES and at - lately[0] < BURST_WINDOW_S:
            raise Refusal("too_fast", (), "That is faster than anybody reads: wait some seconds.")
        line = ChatLine(self.lines[-1].n + 1 if self.lines else 1, now, seat, name, words)
        append_private(self._path, self._torn + msgspec.json.encode(line) + b"\n")
        self._torn = b""
        lately.append(at)
        self.lines.append(line)
        return line


def _read_lines(path: Path) -> tuple[list[ChatLine], bool]:
    """The lines of a file, and whether it ends with a whole one: half a line at its end was told to nobody."""
    try:
        data = read_regular(path)
    except FileNotFoundError:
        return [], True
    found: list[ChatLine] = []
    for piece in data.splitlines():
        try:
            found.append(msgspec.json.decode(piece, type=ChatLine))
        except (msgspec.MsgspecError, ValueError):
            continue
    return found, not data or data.endswith(b"\n")


REST_S = 60.0
"""Seconds after which a game in which nothing goes on falls asleep."""

MOST_AWAKE = 8
"""Games in which nothing goes on that are open at once; the one that has been quiet for longest falls asleep first."""


class GameRegistry:
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
        house: DataDirectory,
        terms: ServerTerms,
        clock: Clock,
        steady: SteadyClock,
        tell: Notify | None,
        journal: Journal,
        limits: RateLimits | None = None,
    ) -> None:
        self._house, self._terms, self._tell = house, terms, tell
        self._clock, self._steady, self._journal = clock, steady, journal
        self._limits = limits or RateLimits(steady)
        self.thinker = BotProcess()
        self.advice = True
        self._open: dict[str, HostedGame] = {}
        self._talks: dict[str, TalkLog] = {}
        self._due: dict[str, TurnNotifier] = {}
        self._last: dict[str, float] = {}  # when an open game was needed last, on the clock that nobody sets
        self._asleep: dict[str, SuspendedStanding] = {}

    @property
    def names(self) -> list[str]:
        """All of them, by name."""
        return self._house.names()

    @property
    def open(self) -> tuple[HostedGame, ...]:
        """Those that are awake."""
        return tuple(self._open.values())

    def awake(self, name: str) -> HostedGame | None:
        """A game, where it is open."""
        return self._open.get(name)

    def talk(self, hosted: HostedGame) -> TalkLog:
        """The talk of an open game."""
        return self._talks[hosted.name]

    def game(self, name: str) -> HostedGame:
        """A game; one that sleeps wakes. Raises: Refusal `no_such_game`, `cannot_open`."""
        hosted = self._open.get(name) or self._wake(name)
        self._last[name] = self._steady()
        return hosted

    def standing(self, name: str) -> GameStanding:
        """How a game stands; none wakes by it. Raises: Refusal `no_such_game`, `cannot_open`."""
        asleep = self._asleep.get(name)
        if asleep is not None:
            self._house.game_file(name)
            return asleep.told(self._steady())
        return game_standing(self.game(name) if name not in self._open else self._open[name], self._due[name].since)

    def tasks(self, name: str, seat: str) -> tuple[str, ...]:
        """What waits for a seat, in sentences, the most pressing first; no game wakes by it.

        Raises: Refusal `no_such_game`, `cannot_open`.
        """
        asleep = self._asleep.get(name)
        return asleep.tasks.get(seat, ()) if asleep is not None else seat_tasks(self.game(name), seat)

    # --- waking and falling asleep --------------------------------------------------------------------------------

    def _wake(self, name: str) -> HostedGame:
        """Open a game that is not open."""
        path, before = self._house.game_file(name), self._asleep.get(name)
        try:
            talk = TalkLog(self._house.talk / f"{name}.jsonl")
            with _without_gc():
                table = GameHost.open(path, clock=self._clock)
        except (OSError, BrokenLog, StorageError) as error:
            raise Refusal("cannot_open", (), f"The game {name} cannot be opened: {error}") from None
        if before is not None and not _continues_log(table, before):
            table.close()
            raise Refusal("cannot_open", (), f"The log of {name} is no longer the one that was played here.")
        notes, rest = path.with_suffix(".clock"), before.rest if before else None
        hosted = HostedGame(name, table, self.thinker, self._clock, self._steady, notes, rest)
        due = TurnNotifier(name, table, self._tell, before.standing.since if before else None)
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
            if now - self._last[name] >= REST_S or len(quiet) - at > MOST_AWAKE:
                self._let_sleep(name)
        self.thinker.end_if_idle()

    def _let_sleep(self, name: str) -> None:
        hosted = self._open.pop(name)
        self._asleep[name] = suspend_game(hosted, self._due.pop(name).since)
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


def _continues_log(table: GameHost, before: SuspendedStanding) -> bool:
    """Whether a game that is opened again has every line that it had when it fell asleep."""
    lines = before.standing.lines
    if table.version == lines:
        return table.game.tip == before.tip
    return table.version > lines and table.game.line(lines + 1).prev == before.tip


@contextmanager
def _without_gc() -> Iterator[None]:
    """Have the collector wait meanwhile: what a log is read into is looked through often, and none of it is waste."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
