"""The storage of a server in a PostgreSQL database: each log is a row for each line, each file a row."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, LiteralString, NamedTuple

from paxtui.engine.log import Header, encode_header
from paxtui.server.postgres.database import CHANNEL, GAME_LOCK, AlreadyThere, ConnectionBroken, Database
from paxtui.server.postgres.logs import PostgresLog, lock_and_read
from paxtui.session.storage.interface import SEED_SUFFIX, ChangedElsewhere, StoredLog
from paxtui.session.storage.log_store import LOG_SUFFIX

GAMES = "games/"
"""Folder of the logs."""

FILES_OF_A_GAME = SEED_SUFFIX, ".clock", ".ahead.json"
"""Suffixes of the files beside a log that are read when it is opened."""


class _ReadGame(NamedTuple):
    """A locked log that was read.

    Attributes:
        session: the connection that has the lock.
        log: its lines, None if another hub has the lock.
        files: content and version of the files beside it, by name; nothing for a file that does not exist.
    """

    session: int
    log: bytes | None
    files: dict[str, list[tuple[Any, ...]]]


class PostgresStorage:
    """The storage of a server in a database.

    Args:
        database: the connection.
        root: the data directory; paths below it are names in the database.

    Attributes:
        hub: id of the hub that new games belong to; None for none.
    """

    def __init__(self, database: Database, root: Path) -> None:
        self.database = database
        self.root = root.absolute()
        self._prefix = f"{self.root}/"
        self.hub: int | None = None
        self._games: dict[str, int] = {}
        self._versions: dict[str, int] = {}
        self._existing: dict[str, bool] = {}  # whether a file exists
        self._lines: dict[int, int] = {}  # number of lines of each game
        self._counted = -math.inf  # when they were counted, monotonic
        self._fetched: dict[str, list[tuple[Any, ...]]] = {}  # files of the game that was opened last
        self._ahead: dict[str, _ReadGame] = {}  # games that are about to be opened
        self.read_games()

    def name(self, path: Path) -> str:
        """Return the name of a file or log in the database."""
        name = str(path.absolute())
        if not name.startswith(self._prefix):
            raise ValueError(f"{path} is not below {self.root}")
        return name[len(self._prefix) :]

    def path(self, name: str) -> Path:
        """Return the path of a name in the database."""
        return self.root / name

    def read_games(self) -> None:
        """Read the names of all games again: another hub may have made one. Raises: DatabaseError."""
        self._games = {name: int(id_) for name, id_ in self.query("SELECT name, id FROM paxtui.games")}
        self._names = {id_: name for name, id_ in self._games.items()}

    def game(self, name: str) -> int:
        """Return the id of a game, 0 for none. Raises: DatabaseError."""
        if name not in self._games:
            self.read_games()
        return self._games.get(name, 0)

    def game_name(self, game: int) -> str:
        """Return the name of a game, "" for none that is known."""
        return self._names.get(game, "")

    def query(self, statement: LiteralString, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Carry out a statement that may be repeated, and wait for a database that is away. Raises: DatabaseError."""
        self.database.wait_for_connection()
        try:
            return self.database.execute(statement, values)
        except ConnectionBroken:
            self.database.wait_for_connection()
            return self.database.execute(statement, values)

    def _log_name(self, path: Path) -> str:
        """Return the name of the game of a log, "" for a file."""
        name = self.name(path)
        return name[len(GAMES) : -len(LOG_SUFFIX)] if name.startswith(GAMES) and name.endswith(LOG_SUFFIX) else ""

    # --- reading ------------------------------------------------------------------------------------------------------

    def names(self, directory: Path) -> list[str]:
        return list(self._games) if f"{self.name(directory)}/" == GAMES else []

    def files(self, root: Path) -> list[Path]:
        names = [f"{GAMES}{name}{LOG_SUFFIX}" for name in self._games]
        names += [name for (name,) in self.query("SELECT name FROM paxtui.files")]
        return [self.path(name) for name in sorted(names)]

    def exists(self, path: Path) -> bool:
        """Whether there is a log or file."""
        if game := self._log_name(path):
            return self.game(game) > 0
        name = self.name(path)
        if self.hub is None or name not in self._existing:  # a hub is told what others change
            self._existing[name] = bool(self.query("SELECT 1 FROM paxtui.files WHERE name = %s", (name,)))
        return self._existing[name]

    def forget(self, name: str = "") -> None:
        """Forget whether a file exists, "" for all: another hub may have made it."""
        if name:
            self._existing.pop(name, None)
        else:
            self._existing.clear()

    def state(self, path: Path) -> tuple[int, int]:
        """Return the number of lines of a log, as of the last second, and the id of its game."""
        game = self._game_of(path)
        if time.monotonic() - self._counted >= 1:
            self._lines = dict(self.query("SELECT game, max(n) FROM paxtui.lines GROUP BY game"))
            self._counted = time.monotonic()
        return self._lines.get(game, 0), game

    def read(self, path: Path) -> bytes:
        """Return a log or file. Raises: FileNotFoundError."""
        if self._log_name(path):
            game = self._game_of(path)
            rows = self.query("SELECT line FROM paxtui.lines WHERE game = %s ORDER BY n", (game,))
            return b"".join(bytes(line) for (line,) in rows)
        name = self.name(path)
        if name in self._fetched:
            rows = self._fetched.pop(name)
        else:
            rows = self.query("SELECT data, version FROM paxtui.files WHERE name = %s", (name,))
        self._versions[name] = int(rows[0][1]) if rows else 0
        if not rows:
            raise FileNotFoundError(2, "No such file", str(path))
        return bytes(rows[0][0])

    def _game_of(self, path: Path) -> int:
        """Return the id of the game of a log. Raises: FileNotFoundError."""
        game = self.game(self._log_name(path))
        if not game:
            raise FileNotFoundError(2, "No such game", str(path))
        return game

    # --- writing ------------------------------------------------------------------------------------------------------

    def replace(self, path: Path, data: bytes) -> None:
        """Write a file; refuse if another hub changed it since it was read here. Raises: ChangedElsewhere."""
        name = self.name(path)
        self.database.wait_for_connection()
        try:
            done = self._replace(name, data)
        except ConnectionBroken:
            known = self._versions.get(name)
            done = self.exists(path) and self.read(path) == data
            if not done and known == self._versions.get(name):
                done = self._replace(name, data)
        if not done:
            raise ChangedElsewhere(path)

    def _replace(self, name: str, data: bytes) -> bool:
        """Write a file and tell the other hubs; return False if it has another version. Raises: DatabaseError."""
        self._fetched.pop(name, None)
        self.forget(name)
        known = self._versions.get(name)
        rows = self.database.execute(
            "WITH file AS (INSERT INTO paxtui.files AS old (name, data) VALUES (%s, %s) ON CONFLICT (name) DO UPDATE"
            " SET data = excluded.data, version = old.version + 1 WHERE %s::bigint IS NULL OR old.version = %s::bigint"
            f" RETURNING version) SELECT version, pg_notify('{CHANNEL}', 'file ' || %s) FROM file",
            (name, data, known, known, name),
        )
        if not rows:
            return False
        self._versions[name] = int(rows[0][0])
        return True

    def append(self, path: Path, data: bytes) -> None:
        """Append to a file; create it if missing."""
        self.database.wait_for_connection()
        try:
            self._append(self.name(path), data)
        except ConnectionBroken:
            if not (self.exists(path) and self.read(path).endswith(data)):
                self._append(self.name(path), data)

    def _append(self, name: str, data: bytes) -> None:
        self._versions.pop(name, None)
        self._fetched.pop(name, None)
        self.forget(name)
        self.database.execute(
            "INSERT INTO paxtui.files AS old (name, data) VALUES (%s, %s) ON CONFLICT (name) DO UPDATE"
            " SET data = old.data || excluded.data, version = old.version + 1",
            (name, data),
        )

    def remove(self, path: Path) -> None:
        """Remove a file, or the log of a game that was not made to its end."""
        if game := self._log_name(path):
            id_ = self.game(game)
            self.query("DELETE FROM paxtui.games WHERE id = %s", (id_,))
            self.query("DELETE FROM paxtui.lines WHERE game = %s", (id_,))
            self._games.pop(game, None)
            return
        self._versions.pop(self.name(path), None)
        self._fetched.pop(self.name(path), None)
        self.forget(self.name(path))
        self.query("DELETE FROM paxtui.files WHERE name = %s", (self.name(path),))

    # --- logs ---------------------------------------------------------------------------------------------------------

    def create_log(self, path: Path, header: Header) -> StoredLog:
        """Create a log and open it. Raises: FileExistsError."""
        self.add_log(path, encode_header(header))
        return self.open_log(path)

    def add_log(self, path: Path, data: bytes) -> None:
        """Add a complete log. Raises: FileExistsError; DatabaseError: nothing was added."""
        name, lines = self._log_name(path), data.splitlines(keepends=True)
        self.database.wait_for_connection()
        game = 0

        def add() -> None:
            nonlocal game
            rows = self.database.execute(
                "INSERT INTO paxtui.games (name, hub) VALUES (%s, %s) RETURNING id", (name, self.hub)
            )
            game = int(rows[0][0])
            self.database.copy_rows(
                "COPY paxtui.lines FROM STDIN", ((game, n, line) for n, line in enumerate(lines, 1))
            )
            self.database.notify("games")

        try:
            self.database.in_transaction(add)
        except AlreadyThere:
            raise FileExistsError(17, "A game with this name exists", str(path)) from None
        self._games[name], self._names[game] = game, name

    @contextmanager
    def read_ahead(self, games: Sequence[str]) -> Iterator[None]:
        """Lock and read several games in one round trip, so that `open_log` inside the block needs none.

        Args: names of games; unknown ones are ignored.
        Raises: DatabaseError.
        """
        self._ahead |= self._lock_and_read([name for name in games if self.game(name) and name not in self._ahead])
        try:
            yield
        finally:
            for name in games:
                read = self._ahead.pop(name, None)
                if read is not None and read.log is not None and read.session == self.database.session:
                    self.database.unlock(GAME_LOCK, self._games[name])

    def _lock_and_read(self, games: Sequence[str]) -> dict[str, _ReadGame]:
        """Lock games and read their logs and the files beside them. Raises: DatabaseError."""
        self.database.wait_for_connection()
        files = {name: [f"{GAMES}{name}{suffix}" for suffix in FILES_OF_A_GAME] for name in games}
        for name, some in files.items():
            some.append(f"talk/{name}{LOG_SUFFIX}")
        ids = [self._games[name] for name in games]
        logs, rows = lock_and_read(self.database, ids, [file for some in files.values() for file in some])
        found = {name: [(data, version)] for name, data, version in rows}
        session = self.database.session
        return {
            name: _ReadGame(session, logs[id_], {file: found.get(file, []) for file in files[name]})
            for name, id_ in zip(games, ids, strict=True)
        }

    def open_log(self, path: Path) -> StoredLog:
        """Open a log to continue it. Raises: FileNotFoundError; LockedElsewhere; BrokenLog."""
        game = self._game_of(path)
        name = self._log_name(path)
        read = self._ahead.pop(name, None)
        if read is None or read.session != self.database.session:
            read = self._lock_and_read([name])[name]
        self._fetched = read.files
        return PostgresLog.open(self.database, path, game, read.log)
