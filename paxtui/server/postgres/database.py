"""A connection to a PostgreSQL database: schema, reconnecting, notifications, and errors in plain sentences."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, LiteralString, NamedTuple

import psycopg
from psycopg import conninfo, errors

from paxtui.session.storage.files import StorageError
from paxtui.session.storage.interface import StorageAway

SCHEMA_VERSION = 1
"""Version of the tables. A database with a later one is not opened."""

SCHEMA: LiteralString = """
CREATE SCHEMA IF NOT EXISTS paxtui;
CREATE TABLE paxtui.version (number int NOT NULL);
CREATE TABLE paxtui.hubs (id serial PRIMARY KEY, address text NOT NULL);
CREATE TABLE paxtui.games (id serial PRIMARY KEY, name text NOT NULL UNIQUE, hub int, standing bytea);
CREATE TABLE paxtui.lines (game int NOT NULL, n int NOT NULL, line bytea NOT NULL, PRIMARY KEY (game, n));
CREATE TABLE paxtui.files (name text PRIMARY KEY, data bytea NOT NULL, version bigint NOT NULL DEFAULT 1);
"""
"""The tables. Line 1 of a game is its header. A file has the name that it would have below the data directory."""

CHANNEL = "paxtui"
"""Channel of the notifications; see `Notice`."""

SCHEMA_LOCK, GAME_LOCK, HUB_LOCK = 0x70617830, 0x70617831, 0x70617832
"""First numbers of the advisory locks: of the schema, of each game's writer, of each running hub."""

CONNECT_S = 2
"""Time to connect, in seconds."""

PATIENCE_S = 3.0
"""Time for which a write waits for a database that has gone away, in seconds."""

RETRY_S = 0.1, 2.0
"""First and longest pause before the next attempt to connect, in seconds."""

KEEPALIVE_S = 1
"""Seconds after which either side asks a silent one whether it is there."""


class DatabaseError(StorageError):
    """The database cannot be used; the message says why."""

    def __init__(self, message: str) -> None:
        super().__init__(Path("postgresql"), message)
        self.strerror = message


class DatabaseAway(DatabaseError, StorageAway):
    """The database cannot be reached now. Nothing was stored. Players are not told its name."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.strerror = "the database of the server does not answer"


class ConnectionBroken(DatabaseError):
    """The connection broke during a statement. It is unknown whether the statement was carried out."""


class AlreadyThere(DatabaseError):
    """A row with this key exists."""


_NUMBER = re.compile("[0-9]{1,9}")


class Notice(NamedTuple):
    """A notification of another hub.

    Attributes:
        kind: "line" for a new line of a log, "file" for a changed file, "games" for a new game, "standing" for a game
        with another hub or standing.
        about: id of the game, for a line with its number; or name of the file.
    """

    kind: str
    about: str

    @property
    def is_valid(self) -> bool:
        """Whether paxtui sends such a notification: everybody who may use the database can send others."""
        numbers = self.about.split(" ")
        count = {"line": 2, "standing": 1}.get(self.kind, 0)
        return not count or (len(numbers) == count and all(map(_NUMBER.fullmatch, numbers)))


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split("\n", 1)[0].split())


class Database:
    """A connection that is opened again when it breaks. All locks of this process belong to it.

    Args:
        url: a URL of libpq, as postgresql://ann@db.example.org/paxtui.
        make: whether to create the tables if they are missing.

    Attributes:
        session: number of the connection; another one has none of the locks of those before.

    Raises:
        DatabaseError: it cannot be used.
    """

    def __init__(self, url: str, make: bool = True) -> None:
        try:
            known = conninfo.conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            text = f"this is not the URL of a database ({_first_line(error)}); write postgresql://USER@HOST/DATABASE"
            raise DatabaseError(text) from None
        self._url = url
        place = f"{known.get('host') or 'this machine'}"
        self.name = f"{known.get('dbname') or known.get('user') or 'default'} on {place}"
        self._application = f"paxtui {token_hex(6)}"
        self._connection: psycopg.Connection[Any] | None = None
        self.session = 0
        self._next_try, self._pause, self._lost_at = 0.0, RETRY_S[0], 0.0
        self._listening = False
        self.connect()
        self._check_schema(make)

    # --- connecting -------------------------------------------------------------------------------------------------

    @property
    def is_connected(self) -> bool:
        """Whether the connection is open, as far as known."""
        return self._connection is not None and not self._connection.closed

    def fileno(self) -> int:
        """Return the descriptor of the connection for an event loop; -1 without one."""
        return self._connection.fileno() if self._connection is not None and self.is_connected else -1

    def connect(self) -> None:
        """Open the connection. Locks of earlier connections are free afterwards. Raises: DatabaseError."""
        self.close()
        try:
            self._connection = psycopg.connect(
                self._url,
                autocommit=True,
                client_encoding="utf8",
                connect_timeout=CONNECT_S,
                application_name=self._application,
                keepalives_idle=KEEPALIVE_S,
                keepalives_interval=KEEPALIVE_S,
                keepalives_count=3,
                tcp_user_timeout=3000 * KEEPALIVE_S,
            )
            self._connection.execute(
                f"SET tcp_keepalives_idle={KEEPALIVE_S}; SET tcp_keepalives_interval={KEEPALIVE_S};"
                f" SET tcp_keepalives_count=3; SET tcp_user_timeout={3000 * KEEPALIVE_S};"
                " SET synchronous_commit=on"
            )
            # An earlier connection of this process may still write; its locks end with it.
            self._connection.execute(
                "SELECT pg_terminate_backend(pid, %s) FROM pg_stat_activity WHERE application_name = %s"
                " AND pid <> pg_backend_pid()",
                (1000 * CONNECT_S, self._application),
            )
            if self._listening:
                self._connection.execute(f"LISTEN {CHANNEL}")
        except psycopg.Error as error:
            self.close()
            raise DatabaseAway(f"the database {self.name} cannot be opened: {_first_line(error)}") from None
        self.session += 1
        self._pause = RETRY_S[0]

    def connect_again(self) -> bool:
        """Try to open a broken connection if it is time for that. Returns: whether there is a connection now."""
        if self.is_connected:
            return True
        if time.monotonic() < self._next_try:
            return False
        try:
            self.connect()
        except DatabaseError:
            self._next_try, self._pause = time.monotonic() + self._pause, min(2 * self._pause, RETRY_S[1])
        return self.is_connected

    def wait_for_connection(self) -> None:
        """Open a broken connection again, and wait for that a moment after it broke. Raises: DatabaseAway."""
        until = self._lost_at + PATIENCE_S
        while not self.connect_again():
            if time.monotonic() > until:
                raise DatabaseAway(f"the database {self.name} does not answer")
            time.sleep(RETRY_S[0])

    def close(self) -> None:
        """Close the connection, which frees all locks."""
        if self._connection is not None:
            self._lost_at = time.monotonic()
            with suppress(psycopg.Error):
                self._connection.close()
            self._connection = None

    # --- statements ---------------------------------------------------------------------------------------------------

    def execute(self, statement: LiteralString, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Carry out one statement as a transaction of its own, and return its rows.

        Raises:
            DatabaseAway: there is no connection; nothing was done.
            ConnectionBroken: the outcome is unknown.
            DatabaseError: the database refused it; nothing was done.
        """
        with self._errors() as connection:
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

    def execute_together(
        self, statements: Sequence[tuple[LiteralString, Sequence[Any]]]
    ) -> list[list[tuple[Any, ...]]]:
        """Send several statements at once, in this order, and return the rows of each. Raises: as `execute`."""
        with self._errors() as connection, connection.pipeline():
            cursors = [connection.execute(statement, values) for statement, values in statements]
            return [cursor.fetchall() for cursor in cursors]

    def copy_rows(self, statement: LiteralString, rows: Iterable[Sequence[Any]]) -> None:
        """Send many rows with COPY. Raises: as `execute`."""
        with self._errors() as connection, connection.cursor().copy(statement) as copy:
            for row in rows:
                copy.write_row(row)

    @contextmanager
    def _errors(self) -> Iterator[psycopg.Connection[Any]]:
        """Yield the connection, and turn its errors into those of `execute`."""
        connection = self._connection
        if connection is None or connection.closed:
            raise DatabaseAway(f"the database {self.name} does not answer")
        try:
            yield connection
        except errors.UniqueViolation as error:
            raise AlreadyThere(f"the database {self.name} has this already: {_first_line(error)}") from None
        except errors.InsufficientPrivilege as error:
            raise DatabaseError(f"the database {self.name} does not permit this: {_first_line(error)}") from None
        except psycopg.Error as error:
            if connection.closed or isinstance(error, psycopg.OperationalError):
                self.close()
                raise ConnectionBroken(f"the connection to the database {self.name} broke") from None
            raise DatabaseError(f"the database {self.name} refuses this: {_first_line(error)}") from None

    def in_transaction(self, work: Callable[[], None]) -> None:
        """Carry out statements in one transaction. Raises: as `execute`."""
        self.execute("BEGIN")
        try:
            work()
            self.execute("COMMIT")
        except BaseException:
            with suppress(DatabaseError):
                self.execute("ROLLBACK")
            raise

    def try_lock(self, kind: int, number: int) -> bool:
        """Take an advisory lock of this connection, if it is free. Raises: as `execute`."""
        return bool(self.execute("SELECT pg_try_advisory_lock(%s, %s)", (kind, number))[0][0])

    def unlock(self, kind: int, number: int) -> None:
        """Release an advisory lock. A connection that is lost has released it already."""
        with suppress(DatabaseError):
            self.execute("SELECT pg_advisory_unlock(%s, %s)", (kind, number))

    # --- notifications ------------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """Receive the notifications of other hubs from now on. Raises: as `execute`."""
        self._listening = True
        self.execute(f"LISTEN {CHANNEL}")

    def notify(self, kind: str, about: str = "") -> None:
        """Tell the other hubs. Raises: as `execute`."""
        self.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"{kind} {about}"))

    def take_notices(self) -> list[Notice]:
        """Return the notifications of other hubs that have arrived, without waiting; none without a connection."""
        connection = self._connection
        if connection is None or connection.closed:
            return []
        found = []
        try:
            for one in connection.notifies(timeout=0):
                notice = Notice(*one.payload.partition(" ")[::2])
                if one.pid != connection.info.backend_pid and notice.is_valid:
                    found.append(notice)
        except psycopg.Error:
            self.close()
        return found

    # --- schema -------------------------------------------------------------------------------------------------------

    def _check_schema(self, make: bool) -> None:
        """Create the tables if there are none. Raises: DatabaseError."""
        try:
            if self._schema_version() == 0:
                if not make:
                    raise DatabaseError(f"the database {self.name} has no games of paxtui")
                self._make_schema()
        except DatabaseError:
            self.close()
            raise
        found = self._schema_version()
        if found > SCHEMA_VERSION:
            self.close()
            text = f"the database {self.name} has tables of version {found}, and this paxtui knows {SCHEMA_VERSION}"
            raise DatabaseError(f"{text}; use the newer paxtui")

    def _schema_version(self) -> int:
        """Return the version of the tables, 0 for none. Raises: DatabaseError."""
        if self.execute("SELECT to_regclass('paxtui.version')")[0][0] is None:
            return 0
        return int(self.execute("SELECT coalesce(max(number), 0) FROM paxtui.version")[0][0])

    def _make_schema(self) -> None:
        """Create the tables; several hubs may try at the same time. Raises: DatabaseError."""

        def make() -> None:
            self.execute("SELECT pg_advisory_xact_lock(%s)", (SCHEMA_LOCK,))
            if self._schema_version() == 0:
                self.execute(SCHEMA)
                self.execute("INSERT INTO paxtui.version VALUES (%s)", (SCHEMA_VERSION,))

        try:
            self.in_transaction(make)
        except DatabaseError as error:
            if "permission" in str(error):
                text = f"you may not create tables in the database {self.name}"
                raise DatabaseError(f"{text}; its owner types GRANT CREATE ON DATABASE ... TO ...") from None
            raise
