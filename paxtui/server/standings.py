"""The standings of games as the lobby shows them, and the index of the standings of suspended games.

The index lets a restarted server show its lobby before it has read the logs. The logs stay the truth: an entry counts
only if its log has not changed since. The index can be deleted at any time.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Protocol

import msgspec

from paxtui import __version__
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import occupant_label
from paxtui.engine.seats import SPECTATOR
from paxtui.server.data_directory import DataDirectory
from paxtui.server.hosted_game import HostedGame
from paxtui.session.storage.files import replace_file

MOST_TASKS = 3
"""Maximum number of pending tasks listed for a seat."""


class GameStanding(msgspec.Struct, frozen=True):
    """The state of a game as shown in the lobby and the status report.

    Attributes:
        name: its name on the server.
        year: game calendar year.
        turn: Game Turn.
        phase: Phase.
        phase_name: the same for players.
        over: whether it has ended.
        seat_names: all seats, in order, with their names for players.
        bots: names of the bots, by seat.
        here: connected seats.
        waits_for: seats that must act.
        ready: seats that are ready.
        since: since when each person's seat must act, ISO 8601 in UTC.
        thinks: whether bots are moving.
        asleep: whether the game is suspended.
        lines: number of log lines.
        dice: source of the dice, in a few words.
        clock: the clock in sentences; "" for a game without a clock.
        moved_at: when spectators saw the last act, ISO 8601 in UTC; "" for a game without an act.
    """

    name: str
    year: int
    turn: int
    phase: str
    phase_name: str
    over: bool
    seat_names: dict[str, str]
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
    moved_at: str = ""

    @property
    def seats(self) -> tuple[str, ...]:
        """All seats, in order."""
        return tuple(self.seat_names)


def game_standing(hosted: HostedGame, since: Mapping[str, str]) -> GameStanding:
    """Return the standing of an open game. Args: the game; since when each person's seat must act."""
    host = hosted.host
    phase = host.rules.phase(host.state)
    lines = host.known(SPECTATOR).lines
    return GameStanding(
        hosted.name,
        phase.year,
        phase.turn,
        phase.id,
        phase.name,
        host.is_over,
        {seat: host.rules.seat_name(seat) for seat in host.seats},
        {seat: occupant_label(who) for seat in host.seats if (who := host.occupant(seat)).is_automatic},
        hosted.here,
        host.waiting,
        host.ready_seats,
        dict(since),
        hosted.thinks,
        False,
        host.version,
        hosted.dice_status,
        hosted.time.status_text,
        lines[-1].time if lines else "",
    )


def seat_tasks(hosted: HostedGame, seat: str) -> tuple[str, ...]:
    """Return the pending tasks of a seat in sentences, the most urgent first."""
    return hosted.host.tasks(seat)[:MOST_TASKS]


INDEX_FILE = "standings.json"
"""Name of the index in the data directory of the server."""


class IndexedStanding(msgspec.Struct, frozen=True):
    """The standing of a suspended game in the index.

    Attributes:
        tip: the hash of the last line of its log.
        standing: its standing; the clock without the time that is left.
        tasks: pending tasks by seat.
        runs: whether its clock runs, so that a restarted server must open the game.
        delayed: the standing for spectators with a delay, for other hubs; None without one.
    """

    tip: str
    standing: GameStanding
    tasks: dict[str, tuple[str, ...]]
    runs: bool
    delayed: GameStanding | None = None


class Standings(Protocol):
    """The standings of games that are not open here."""

    def find(self, name: str) -> IndexedStanding | None:
        """Return the standing of a game if it is known. Raises: Refusal `no_such_game`."""

    def set(self, name: str, standing: IndexedStanding) -> None:
        """Set the standing of a game of this hub."""

    def save(self) -> None:
        """Write the changes. Errors are ignored: the logs have everything."""


class _Entry(msgspec.Struct, frozen=True):
    """A standing, and what `Storage.state` said of its log."""

    state: tuple[int, int]
    game: IndexedStanding


class _IndexFile(msgspec.Struct):
    """The file format: the version of paxtui, whose texts it has, and the games by name."""

    version: str
    games: dict[str, _Entry]


class StandingIndex:
    """The index of the standings of suspended games.

    Args:
        data_directory: the data directory. A missing, damaged or older file counts as empty.
    """

    def __init__(self, data_directory: DataDirectory) -> None:
        self._path, self._data = data_directory.root / INDEX_FILE, data_directory
        self._games: dict[str, _Entry] = {}
        self._is_changed = False
        with suppress(OSError, msgspec.MsgspecError, ValueError, RecursionError):
            found = msgspec.json.decode(self._path.read_bytes(), type=_IndexFile)
            if found.version == __version__:
                self._games = found.games

    def find(self, name: str) -> IndexedStanding | None:
        """Return the standing of a game if its log has not changed since. Raises: Refusal `no_such_game`."""
        path, entry = self._data.game_file(name), self._games.get(name)
        with suppress(OSError):
            if entry is not None and self._data.storage.state(path) == entry.state:
                return entry.game
        return None

    def set(self, name: str, standing: IndexedStanding) -> None:
        """Set the standing of a game that has just been closed."""
        with suppress(Refusal, OSError):
            self._games[name] = _Entry(self._data.storage.state(self._data.game_file(name)), standing)
            self._is_changed = True

    def save(self) -> None:
        """Write the changes. Errors are ignored: the logs have everything."""
        if self._is_changed:
            names = set(self._data.names())
            self._games = {name: entry for name, entry in self._games.items() if name in names}
            with suppress(OSError):
                replace_file(self._path, msgspec.json.encode(_IndexFile(__version__, self._games)))
            self._is_changed = False
