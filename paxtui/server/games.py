"""The games of a server and their standings.

Few games are open. A suspended game keeps in memory only what the lobby and the clock need; its log is on disk. It
resumes when a client enters, when the host changes it, or when its clock is due.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.engine.log import BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.server.access_control import ServerTerms
from paxtui.server.chat import TalkLog
from paxtui.server.data_directory import DataDirectory, Journal
from paxtui.server.hosted_game import HostedGame, SuspendedGame
from paxtui.server.limits import RateLimits
from paxtui.server.notifications import Notify, TurnNotifier
from paxtui.server.peers import Peers
from paxtui.server.standings import (
    GameStanding,
    IndexedStanding,
    StandingIndex,
    Standings,
    game_standing,
    seat_tasks,
)
from paxtui.session.bot_process import BotProcess
from paxtui.session.fair_dice import SteadyClock, clock_time
from paxtui.session.game_host import Clock, GameHost
from paxtui.session.hosts import open_game
from paxtui.session.orders_ahead import OrdersAhead, ahead_path
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import StorageError
from paxtui.session.storage.interface import LockedElsewhere, StorageAway


class SuspendedStanding(NamedTuple):
    """A suspended game.

    Attributes:
        standing: its standing.
        tasks: pending tasks of persons' seats.
        rest: the state to resume from.
        tip: the hash of the last log line.
    """

    standing: GameStanding
    tasks: dict[str, tuple[str, ...]]
    rest: SuspendedGame
    tip: str

    def standing_at(self, tick: float) -> GameStanding:
        """Return the current standing. Args: the monotonic time in seconds."""
        return replace(self.standing, clock=self.rest.time.describe(tick))

    @property
    def entry(self) -> IndexedStanding:
        time = self.rest.time
        standing = replace(self.standing, clock=f"{time.rules} {time.pause}".strip())
        runs = bool(time.rules) and not self.standing.over
        return IndexedStanding(self.tip, standing, self.tasks, runs)


def suspend_game(hosted: HostedGame, since: Mapping[str, str]) -> SuspendedStanding:
    """Close a game and return what is kept of it. Args: the game; since when each person's seat must act."""
    standing = replace(game_standing(hosted, since), asleep=True)
    tasks = person_tasks(hosted, standing)
    return SuspendedStanding(standing, tasks, hosted.fall_asleep(), hosted.host.game.tip)


def person_tasks(hosted: HostedGame, standing: GameStanding) -> dict[str, tuple[str, ...]]:
    """Return the pending tasks of persons' seats."""
    persons = () if standing.over else (seat for seat in standing.seats if seat not in standing.bots)
    return {seat: found for seat in persons if (found := seat_tasks(hosted, seat))}


REST_S = 60.0
"""Idle time after which a game is suspended, in seconds."""

SAVE_S = 10.0
"""Minimum time between two writes of the index of standings, in seconds."""

MOST_AWAKE = 8
"""Maximum number of idle open games; the one that has been idle longest is suspended first."""


PUBLISH_S = 2.0
"""Shortest time between two publications of a game to other hubs, in seconds."""


class GameRegistry:
    """The games of a server.

    Args:
        data_directory: the data directory.
        terms: access terms.
        clock: the time, ISO 8601 in UTC.
        steady: monotonic seconds.
        tell: callback for each seat that must act; None for no notifications.
        journal: the journal.
        limits: rate limits.
        peers: the other hubs that share the storage; None for none.

    Attributes:
        thinker: runs the bots.
        advice: whether players may ask for advice.
    """

    def __init__(
        self,
        data_directory: DataDirectory,
        terms: ServerTerms,
        clock: Clock,
        steady: SteadyClock,
        tell: Notify | None,
        journal: Journal,
        limits: RateLimits,
        peers: Peers | None,
    ) -> None:
        self._data_directory, self._terms, self._tell = data_directory, terms, tell
        self._clock, self._steady, self._journal = clock, steady, journal
        self._limits = limits
        self.thinker = BotProcess()
        self.advice = True
        self._open: dict[str, HostedGame] = {}
        self._talks: dict[str, TalkLog] = {}
        self._due: dict[str, TurnNotifier] = {}
        self._last: dict[str, float] = {}  # last use of an open game, monotonic
        self._asleep: dict[str, SuspendedStanding] = {}
        self._peers = peers
        self._index: Standings = peers or StandingIndex(data_directory)
        self._published: dict[str, tuple[float, str]] = {}  # time of the last publication, and what it showed
        self._saved_at = steady()
        self._is_closed = False

    @property
    def names(self) -> list[str]:
        return self._data_directory.names()

    @property
    def open(self) -> tuple[HostedGame, ...]:
        return tuple(self._open.values())

    def awake(self, name: str) -> HostedGame | None:
        """Return a game if it is open, else None."""
        return self._open.get(name)

    def talk(self, hosted: HostedGame) -> TalkLog:
        """Return the chat of an open game."""
        return self._talks[hosted.name]

    def game(self, name: str) -> HostedGame:
        """Return a game; resume it if suspended. Raises: Refusal `no_such_game`, `cannot_open`."""
        hosted = self._open.get(name) or self._wake(name)
        self._last[name] = self._steady()
        return hosted

    def standing(self, name: str) -> GameStanding:
        """Return the standing of a game without resuming it. Raises: Refusal `no_such_game`, `cannot_open`."""
        asleep = self._asleep.get(name)
        if asleep is not None:
            self._data_directory.game_file(name)
            return asleep.standing_at(self._steady())
        entry = self._indexed(name) or self._ask_peers(name)
        if entry is not None:
            return entry.standing
        return game_standing(self.game(name) if name not in self._open else self._open[name], self._due[name].since)

    def tasks(self, name: str, seat: str) -> tuple[str, ...]:
        """Return the pending tasks of a seat, the most urgent first, without resuming the game.

        Raises: Refusal `no_such_game`, `cannot_open`.
        """
        known = self._asleep.get(name) or self._indexed(name)
        return known.tasks.get(seat, ()) if known is not None else seat_tasks(self.game(name), seat)

    def is_read(self, name: str, delay: int = 0) -> bool:
        """Whether the standing of a game, as it was some minutes ago, is known without reading its log.

        Raises: Refusal `no_such_game`.
        """
        if name in self._open:
            return True
        known = self._asleep.get(name) or self._indexed(name)
        return known is not None and (not delay or known.standing.over or self.rests_since(name, delay))

    def must_be_read(self, name: str) -> bool:
        """Whether a server that starts must read a game: its standing is unknown, or its clock runs.

        Raises: Refusal `no_such_game`.
        """
        entry = self._indexed(name)
        return name not in self._asleep and (entry is None or entry.runs)

    def rests_since(self, name: str, minutes: int) -> bool:
        """Whether a game is suspended, and its last act older than some minutes. Raises: Refusal `no_such_game`."""
        known = self._asleep.get(name) or self._indexed(name)
        if known is None or not known.standing.moved_at:
            return False
        return datetime.fromisoformat(known.standing.moved_at) <= clock_time(self._clock) - timedelta(minutes=minutes)

    def _indexed(self, name: str) -> IndexedStanding | None:
        """Return the entry of a game that this server has not opened yet. Raises: Refusal `no_such_game`."""
        return None if name in self._open or name in self._asleep else self._index.find(name)

    def _ask_peers(self, name: str) -> IndexedStanding | None:
        """Return the entry of a game that another hub has just opened."""
        if self._peers is None or name in self._open:
            return None
        with suppress(StorageError):
            return self._indexed(name) if self._peers.holder(name) else None
        return None

    def forget_orders_ahead(self, name: str, seat: str) -> None:
        """Delete the orders ahead of a seat that gets another player."""
        with suppress(Refusal, OSError):
            if self._peers is not None and self._peers.holder(name):
                return  # that hub learns of the new player and does it
            if self._data_directory.storage.exists(ahead_path(self._data_directory.game_file(name))):
                self.game(name).forget_orders_ahead(seat)

    # --- suspend and resume ---------------------------------------------------------------------------------------

    def _wake(self, name: str) -> HostedGame:
        path, before, entry = self._data_directory.game_file(name), self._asleep.get(name), self._indexed(name)
        storage = self._data_directory.storage
        if self._is_closed:
            raise Refusal("cannot_open", (), f"The game {name} cannot be opened: the server is stopping.")
        self._check_holder(name)
        try:
            with _without_gc():
                table = open_game(path, clock=self._clock, storage=storage)
            try:
                talk = TalkLog(self._data_directory.talk / f"{name}.jsonl", storage=storage)
            except OSError:
                table.close()
                raise
        except (StorageAway, LockedElsewhere) as error:
            raise Refusal("away", (), f"The game {name} cannot be opened now: {error.strerror}.") from None
        except (OSError, BrokenLog, StorageError) as error:
            raise Refusal("cannot_open", (), f"The game {name} cannot be opened: {error}") from None
        if before is not None and not _continues_log(table, before):
            table.close()
            raise Refusal("cannot_open", (), f"The log of {name} has been changed by another program.")
        notes, rest = path.with_suffix(".clock"), before.rest if before else None
        hosted = HostedGame(name, table, self.thinker, self._clock, self._steady, notes, rest, storage)
        standing = before.standing if before else entry.standing if entry and entry.tip == table.game.tip else None
        due = TurnNotifier(name, table, self._tell, standing.since if standing else None)
        self._open[name], self._talks[name], self._due[name] = hosted, talk, due
        self._asleep.pop(name, None)
        self._journal.note("woken" if before else "opened", game=name, lines=table.version)
        if isinstance(table, PaxHost):
            hosted.set_orders_ahead(OrdersAhead(table, ahead_path(path), storage))
        hosted.advice = self.advice
        hosted.delay = self._terms.of(name).delay
        hosted.limits = self._limits
        hosted.changed = lambda: due.look(self._clock(), hosted.here)
        hosted.hurry = lambda left: due.hurry(left, hosted.here)
        hosted.ask_host = due.ask_host
        hosted.begin()
        if self._peers is not None and self._peers.find(name) is None:
            self._publish(hosted)
            self._index.save()
        return hosted

    def _check_holder(self, name: str) -> None:
        """Take over a game that no hub holds. Raises: Refusal `elsewhere`, `away`."""
        if self._peers is None:
            return
        try:
            held = self._peers.holder(name)
        except StorageError as error:
            raise Refusal("away", (), f"The game {name} cannot be opened now: {error.strerror}.") from None
        if held:
            raise Refusal("elsewhere", (), f"The game {name} is played on another hub of this server.")

    def rest(self) -> None:
        """Suspend idle games, and those above the maximum."""
        for _ in self.rest_steps():
            pass

    def rest_steps(self) -> Iterator[None]:
        """Do the same, at most one game in each step: it takes some milliseconds."""
        now = self._steady()
        quiet = []
        for name, hosted in self._open.items():
            if hosted.is_quiet:
                quiet.append(name)
            else:
                self._last[name] = now
        quiet.sort(key=lambda name: self._last[name])
        due = {
            name: self._last[name]
            for at, name in enumerate(quiet)
            if now - self._last[name] >= REST_S or len(quiet) - at > MOST_AWAKE
        }
        for name, last in due.items():
            game = self._open.get(name)
            if game is not None and game.is_quiet and self._last[name] == last:  # not needed meanwhile
                self._let_sleep(name)
            yield
        self.thinker.end_if_idle()
        if now - self._saved_at >= SAVE_S:
            self._save_index()

    def _save_index(self) -> None:
        self._saved_at = self._steady()
        self._index.save()

    def _let_sleep(self, name: str) -> None:
        hosted, due = self._open.pop(name), self._due.pop(name)
        due.finish()
        self._asleep[name] = suspend_game(hosted, due.since)
        self._index.set(name, self._asleep[name].entry)
        del self._talks[name], self._last[name]
        self._journal.note("asleep", game=name, lines=self._asleep[name].standing.lines)

    def drop(self, name: str) -> HostedGame:
        """Close an open game that goes on at another hub, or must be opened again; return it."""
        hosted = self._open.pop(name)
        self._due.pop(name).finish()
        del self._talks[name], self._last[name]
        hosted.close()
        self._journal.note("dropped", game=name, lines=hosted.host.version)
        return hosted

    def forget_others(self) -> None:
        """Forget suspended games that another hub has taken over."""
        for name in tuple(self._asleep):
            if self._peers is not None and not self._peers.is_own_game(name):
                del self._asleep[name]

    def publish(self) -> None:
        """Tell the other hubs about the open game that has waited longest for it, if there is one.

        One game takes some milliseconds, so that no order waits for many.
        """
        now = self._steady()
        last_at = {name: self._published.get(name, (now - PUBLISH_S, ""))[0] for name in self._open}
        for name in sorted(last_at, key=last_at.__getitem__):
            if now - last_at[name] < PUBLISH_S:
                return
            hosted = self._open[name]
            shown = f"{hosted.host.version} {hosted.here} {hosted.thinks} {hosted.time.rules_text}"
            if shown != self._published.get(name, (0.0, ""))[1]:
                self._publish(hosted)
                self._published[name] = now, shown
                return self._index.save()

    def _publish(self, hosted: HostedGame) -> None:
        self._index.set(hosted.name, self._entry_of(hosted))

    def _entry_of(self, hosted: HostedGame) -> IndexedStanding:
        """Return the standing of an open game for other hubs."""
        standing = replace(game_standing(hosted, self._due[hosted.name].since), clock=hosted.time.rules_text)
        tasks = person_tasks(hosted, standing)
        delayed = self.delayed_standing(hosted.name, standing, hosted.delay) if hosted.delay else None
        runs = hosted.time.runs and not standing.over
        return IndexedStanding(hosted.host.game.tip, standing, tasks, runs, delayed)

    def delayed_standing(self, name: str, there: GameStanding, delay: int) -> GameStanding:
        """Return the standing of a game as spectators see it who are some minutes behind. Raises: Refusal."""
        if self.rests_since(name, delay):
            return replace(there, since={}, clock="")
        entry = self._indexed(name)
        if entry is not None and entry.delayed is not None:
            return entry.delayed
        hosted = self.game(name)
        table, until = hosted.host, hosted.visible_until
        line = hosted.log_of(SPECTATOR).at(until) if until else table.version_for(SPECTATOR)
        moved_at = table.known(SPECTATOR).lines[line - 2].time if line > 1 else ""
        state = table.game.seek(table.log_line(SPECTATOR, max(1, line)))
        phase = table.rules.phase(state)
        return replace(
            there,
            year=phase.year,
            turn=phase.turn,
            phase=phase.id,
            phase_name=phase.name,
            since={},
            clock="",
            moved_at=moved_at,
        )

    def ring(self) -> None:
        """Resume the games whose clocks are due."""
        now = self._steady()
        for name, asleep in tuple(self._asleep.items()):
            alarm = asleep.rest.time.alarm
            if alarm is not None and alarm <= now:
                with suppress(Refusal):  # reported to the next client that enters
                    self.game(name)

    def close(self) -> None:
        """Close all games. None is opened again: a request that is still on its way would keep its log locked."""
        self._is_closed = True
        for name, hosted in self._open.items():
            if hosted.is_quiet:
                self._index.set(name, suspend_game(hosted, self._due[name].since).entry)
            else:
                hosted.close()
        self._save_index()
        self._open.clear()
        self._asleep.clear()
        self.thinker.end()


def _continues_log(table: GameHost, before: SuspendedStanding) -> bool:
    """Whether a resumed log still has every line that it had when it was suspended."""
    lines = before.standing.lines
    if table.version == lines:
        return table.game.tip == before.tip
    return table.version > lines and table.game.line(lines + 1).prev == before.tip


@contextmanager
def _without_gc() -> Iterator[None]:
    """Pause garbage collection while a log is read: the reader creates many objects and no garbage."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
