"""The log of a game in the database.

A line counts when its transaction has committed. The writer holds an advisory lock of the connection that writes. After
the connection broke, the writer takes the lock again and compares the last line: only then is the outcome known.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from paxtui.engine.log import BrokenLog, digest, parse
from paxtui.server.postgres.database import (
    CHANNEL,
    GAME_LOCK,
    AlreadyThere,
    ConnectionBroken,
    Database,
)
from paxtui.session.storage.files import StorageError
from paxtui.session.storage.interface import LockedElsewhere, OutcomeUnknown, StorageAway
from paxtui.session.storage.log_store import CompressedBuffer, read_link

INSERT_LINE = (
    "WITH line AS (INSERT INTO paxtui.lines VALUES (%s, %s, %s) RETURNING n) "
    f"SELECT pg_notify('{CHANNEL}', 'line ' || %s || ' ' || n) FROM line"
)


def lock_and_read(
    database: Database, games: Sequence[int], files: Sequence[str]
) -> tuple[dict[int, bytes | None], list[tuple[Any, ...]]]:
    """Take the locks of games, and then read their logs and some files, all in one round trip.

    Returns: the lines of each game, None if another hub has its lock; name, content, version of each file that exists.
    Raises: DatabaseError.
    """
    wanted = list(games)
    locked, lines, found = database.execute_together(
        [
            ("SELECT id, pg_try_advisory_lock(%s, id) FROM unnest(%s::int[]) AS id", (GAME_LOCK, wanted)),
            ("SELECT game, line FROM paxtui.lines WHERE game = ANY(%s) ORDER BY game, n", (wanted,)),
            ("SELECT name, data, version FROM paxtui.files WHERE name = ANY(%s)", (list(files),)),
        ]
    )
    logs: dict[int, list[bytes]] = {game: [] for game in wanted}
    for game, line in lines:
        logs[game].append(bytes(line))
    return {int(game): b"".join(logs[game]) if is_locked else None for game, is_locked in locked}, found


class PostgresLog:
    """A log that is open for writing. Use `PostgresLog.open`.

    Attributes: as `StoredLog`.
    """

    def __init__(self, database: Database, path: Path, game: int, data: bytes) -> None:
        parsed = parse(data)
        if parsed.sound < len(data):
            raise BrokenLog(len(parsed.lines) + 2, "its last line is incomplete, which no transaction writes")
        self.path = path
        self.header, self.lines, self.notice = parsed.header, parsed.lines, parsed.notice
        self._database, self._game = database, game
        self._session = database.session
        self._log = CompressedBuffer(parsed.raw)
        self._tip, self._version = parsed.tip, len(parsed.lines) + 1
        self._lost = ""
        self._is_closed = False

    @classmethod
    def open(cls, database: Database, path: Path, game: int, data: bytes | None) -> PostgresLog:
        """Open a log that `lock_and_read` has read.

        Args: the connection; path and id of the game; its lines, None if another hub has the lock.
        Raises: LockedElsewhere; BrokenLog.
        """
        if data is None:
            raise LockedElsewhere(path)
        try:
            return cls(database, path, game, data)
        except BaseException:
            database.unlock(GAME_LOCK, game)
            raise

    @property
    def tip(self) -> str:
        """Hash of the last stored line."""
        return self._tip

    @property
    def version(self) -> int:
        """Number of the last stored line."""
        return self._version

    @property
    def log(self) -> bytes:
        """All stored lines, in the file format."""
        return bytes(self._log)

    @property
    def saving(self) -> bool:
        """Always False: `append` waits for the database."""
        return False

    @property
    def failed(self) -> str:
        """Why no more lines can be stored; usually empty."""
        return self._lost

    @property
    def trouble(self) -> str:
        """The same, after taking the lock again if the connection was another one."""
        if not self._lost and not self._is_closed and self._session != self._database.session:
            try:
                self.regain()
            except StorageAway as away:
                return away.message
            except StorageError as error:
                self._lost = self._lost or error.message
        return self._lost

    @property
    def must_reopen(self) -> bool:
        """Whether the log must be opened again."""
        return bool(self._lost)

    def wait_at_most(self, seconds: float) -> None:
        """Do nothing: a hub answers only what is stored."""

    def append(self, data: bytes) -> None:
        """Append one encoded line and return when its transaction has committed.

        Raises:
            ValueError: it is not a single line, or does not follow from the last one.
            OutcomeUnknown: the connection broke, and the outcome cannot be found out.
            StorageError: the log is closed, or another hub has taken it; nothing was stored.
            DatabaseError: nothing was stored.
        """
        if self._is_closed or self._lost:
            raise self._error(self._lost or f"the log of {self.path.stem} is closed")
        link = read_link(data)
        if (link.n, link.prev) != (self._version + 1, self._tip):
            raise ValueError(f"line {link.n} does not follow line {self._version} of {self.path}")
        if self._session != self._database.session or not self._database.is_connected:
            self.regain()
        try:
            self._insert(link.n, data)
        except ConnectionBroken as broken:
            self._settle(link.n, data, broken)
        except AlreadyThere:
            raise self._lose("another hub has written to it") from None
        self._log.add(data)
        self._tip, self._version = digest(data), link.n

    def _insert(self, number: int, data: bytes) -> None:
        self._database.execute(INSERT_LINE, (self._game, number, data, str(self._game)))

    def _settle(self, number: int, data: bytes, broken: ConnectionBroken) -> None:
        """Find out whether a line was stored although the connection broke; store it if not.

        Raises: OutcomeUnknown, also if another hub has taken the log meanwhile.
        """
        try:
            self.regain(sent=data)
            if self._last()[0] < number:
                self._insert(number, data)
        except StorageError as error:
            self._lost = self._lost or f"the game {self.path.stem} is opened again: {error}"
            raise OutcomeUnknown(self.path, str(broken)) from None

    def regain(self, sent: bytes = b"") -> None:
        """Take the lock in a new connection, and check that the last line is ours.

        Args: a line whose outcome is unknown, which may have been stored.
        Raises: DatabaseAway; StorageError if another hub has the lock or has written.
        """
        self._database.wait_for_connection()
        if not self._database.try_lock(GAME_LOCK, self._game):
            raise self._lose("another hub has taken it")
        number, line = self._last()
        if not ((number == self._version and digest(line) == self._tip) or (sent and line == sent)):
            self._database.unlock(GAME_LOCK, self._game)
            raise self._lose("another hub has written to it")
        self._session = self._database.session

    def _last(self) -> tuple[int, bytes]:
        """Return number and content of the last stored line. Raises: DatabaseError."""
        rows = self._database.execute(
            "SELECT n, line FROM paxtui.lines WHERE game = %s ORDER BY n DESC LIMIT 1", (self._game,)
        )
        return (int(rows[0][0]), bytes(rows[0][1])) if rows else (0, b"")

    def _lose(self, why: str) -> StorageError:
        """Stop writing; return the error to raise."""
        self._lost = f"the game {self.path.stem} continues on another hub: {why}"
        return self._error(self._lost)

    def _error(self, message: str) -> StorageError:
        error = StorageError(self.path, message)
        error.strerror = message
        return error

    def close(self) -> None:
        """Release the lock. A second call does nothing."""
        if not self._is_closed:
            self._is_closed = True
            if self._session == self._database.session:
                self._database.unlock(GAME_LOCK, self._game)
