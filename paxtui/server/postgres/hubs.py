"""The hubs of a database: who is there, who holds which game, and what a lobby shows of the games of the others.

Each hub holds an advisory lock while it runs; the lock ends with its connection. A game belongs to the hub that opened
it first. When that hub is gone, the next one that needs the game takes it over.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.server.peers import News
from paxtui.server.postgres.database import CHANNEL, HUB_LOCK, ConnectionBroken, DatabaseAway, DatabaseError
from paxtui.server.postgres.storage import PostgresStorage
from paxtui.server.standings import IndexedStanding
from paxtui.session.storage.interface import StorageAway

GRACE_S = 1.5
"""Seconds in which the others take their locks again after a restart of the database, before a hub counts as gone."""

CHECK_S = 1.0
"""Seconds between two checks which hubs are there."""

ALIVE = (
    "SELECT objid::int FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2"
    f" AND classid = {HUB_LOCK} AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


CLAIM = (
    f"WITH alive AS ({ALIVE}), claim AS (UPDATE paxtui.games SET hub = %s WHERE id = %s AND"
    " (hub IS NULL OR (%s AND hub NOT IN (SELECT * FROM alive))) RETURNING id)"
    " SELECT (SELECT count(*) FROM claim), game.hub, hubs.address, game.standing,"
    f" (SELECT count(pg_notify('{CHANNEL}', 'standing ' || id)) FROM claim),"
    " set_config('synchronous_commit', 'off', true)"
    " FROM paxtui.games game LEFT JOIN paxtui.hubs ON hubs.id = game.hub AND hubs.id IN (SELECT * FROM alive)"
    " WHERE game.id = %s"
)
"""Take over a game that no hub holds, and return who holds it. It need not be on disk: the lock decides who writes."""

PUBLISH = (
    "WITH new AS (SELECT * FROM unnest(%s::text[], %s::bytea[]) AS new (name, standing)),"
    " change AS (UPDATE paxtui.games game SET standing = new.standing FROM new"
    " WHERE game.name = new.name AND game.hub = %s RETURNING id)"
    f" SELECT count(pg_notify('{CHANNEL}', 'standing ' || id)), set_config('synchronous_commit', 'off', true)"
    " FROM change"
)
"""Publish the standings of games of this hub."""


class _Game(NamedTuple):
    """A game as the database has it: its id, its hub (0 for none), and its last standing that a hub published."""

    id: int
    hub: int
    entry: IndexedStanding | None


class PostgresPeers:
    """The other hubs of a database.

    Args:
        storage: the storage of this hub.

    Raises:
        DatabaseError: the database cannot be used.
    """

    def __init__(self, storage: PostgresStorage) -> None:
        self._storage, self._database = storage, storage.database
        self._hub, self._address = 0, ""
        self._session = 0
        self._since = 0.0  # begin of the connection
        self._checked = 0.0
        self._addresses: dict[int, str] = {}
        self._gone_since: dict[int, float] = {}
        self._games: dict[str, _Game] = {}
        self._changed: set[int] = set()  # games whose row another hub has changed
        self._unsaved: dict[str, IndexedStanding] = {}

    def join(self, address: str) -> None:
        """Begin as a hub. Args: ADDR:PORT for the others, "" for none. Raises: DatabaseAway; DatabaseError."""
        self._address = address
        self._database.wait_for_connection()
        try:
            self._database.execute(f"DELETE FROM paxtui.hubs WHERE id NOT IN ({ALIVE})")
            rows = self._database.execute("INSERT INTO paxtui.hubs (address) VALUES (%s) RETURNING id", (address,))
            self._hub = self._storage.hub = int(rows[0][0])
            self._database.listen()
            self._begin_session()
        except ConnectionBroken as broken:
            raise DatabaseAway(broken.message) from None

    def leave(self) -> None:
        """End as a hub: the others may take its games."""
        with suppress(DatabaseError):
            self._database.execute("DELETE FROM paxtui.hubs WHERE id = %s", (self._hub,))
        self._database.close()

    def _begin_session(self) -> None:
        """Take the lock of this hub in a new connection, and read everything. Raises: DatabaseError."""
        if not self._database.try_lock(HUB_LOCK, self._hub):
            raise DatabaseAway("the lock of this hub is not free yet")
        # Another hub that started before the lock was taken has deleted the row.
        own = (self._hub, self._address)
        self._database.execute("INSERT INTO paxtui.hubs (id, address) VALUES (%s, %s) ON CONFLICT DO NOTHING", own)
        self._since, self._session = time.monotonic(), self._database.session
        self._gone_since.clear()
        self._read_hubs()
        self._storage.read_games()
        self._storage.forget()
        self._read_standings(None)

    # --- news -----------------------------------------------------------------------------------------------------

    def take_news(self) -> News:
        """Connect again if necessary, and return what has happened since the last call. Does not wait.

        Raises: DatabaseError: there is no connection now.
        """
        if not self._database.connect_again():
            raise DatabaseAway("the database does not answer")
        is_new = self._session != self._database.session
        if is_new:
            self._begin_session()
        files: list[Path] = []
        lines: set[str] = set()
        notices = self._database.take_notices()
        if any(kind == "games" for kind, _ in notices):
            self._storage.read_games()
            self._read_standings(None)
        for kind, about in notices:
            if kind == "standing":
                self._changed.add(int(about))
            elif kind == "file":
                self._storage.forget(about)
                files.append(self._storage.path(about))
            elif kind == "line":
                lines.add(self._note_line(about))
        if time.monotonic() - self._checked >= CHECK_S:
            self._read_hubs()
        return News(is_new, tuple(dict.fromkeys(files)), frozenset(lines))

    def _note_line(self, about: str) -> str:
        """Count a new line of another hub's game; return the name of the game."""
        id_, _, number = about.partition(" ")
        name = self._storage.game_name(int(id_))
        game = self._games.get(name)
        if game is not None and game.entry is not None:
            standing = replace(game.entry.standing, lines=int(number))
            self._games[name] = game._replace(entry=replace(game.entry, standing=standing))
        return name

    def _read_hubs(self) -> None:
        """Find out which hubs are there. Raises: DatabaseError."""
        self._checked = now = time.monotonic()
        rows = self._database.execute(f"SELECT id, address FROM paxtui.hubs WHERE id IN ({ALIVE})")
        self._addresses = {int(id_): address for id_, address in rows}
        holders = {game.hub for game in self._games.values() if game.hub}
        gone = holders.difference(self._addresses)
        self._gone_since = {hub: self._gone_since.get(hub, now) for hub in gone}

    def _read_changed(self) -> None:
        """Read the rows that other hubs have changed, if any. Raises: DatabaseError."""
        if self._changed:
            self._read_standings(self._changed)
            self._changed = set()

    def _read_standings(self, games: set[int] | None) -> None:
        """Read hub and standing of games, None for all. Raises: DatabaseError."""
        wanted = "SELECT id, name, coalesce(hub, 0), standing FROM paxtui.games"
        if games is None:
            self._games.clear()
            rows = self._database.execute(wanted)
        else:
            rows = self._database.execute(f"{wanted} WHERE id = ANY(%s)", (sorted(games),))
        for id_, name, hub, standing in rows:
            self._games[name] = _Game(int(id_), int(hub), _decode(standing))

    # --- games ----------------------------------------------------------------------------------------------------

    def is_own_game(self, name: str) -> bool:
        """Whether this hub holds a game, as far as it knows."""
        game = self._games.get(name)
        return game is not None and game.hub == self._hub and self._session == self._database.session

    def find(self, name: str) -> IndexedStanding | None:
        """Return the last standing of a game that a hub published. Raises: Refusal `no_such_game`."""
        with suppress(DatabaseError):
            self._read_changed()
        game = self._games.get(name)
        if game is None and not self._storage.game(name):
            raise Refusal("no_such_game", (), f"There is no game {name!r} on this server.")
        return game.entry if game is not None else None

    def set(self, name: str, standing: IndexedStanding) -> None:
        """Note what the lobbies of other hubs show of a game of this hub; `save` tells them."""
        if (game := self._games.get(name)) is not None:
            self._games[name] = game._replace(entry=standing)
            self._unsaved[name] = standing

    def save(self) -> None:
        """Tell the other hubs what has changed; the next time if that fails."""
        if self._unsaved:
            with suppress(DatabaseError):
                standings = list(map(msgspec.json.encode, self._unsaved.values()))
                self._database.execute(PUBLISH, (list(self._unsaved), standings, self._hub))
                self._unsaved.clear()

    def holder(self, name: str) -> str:
        """Return the address of the hub that holds a game, "" for this one; take over a game that nobody holds.

        Raises: StorageAway: it is not known, or the holder has no address; DatabaseError.
        """
        if self.is_own_game(name):
            return ""
        self._database.wait_for_connection()
        if self._session != self._database.session:
            self._begin_session()
        id_, may_take = self._storage.game(name), time.monotonic() - self._since >= GRACE_S
        rows = self._database.execute(CLAIM, (self._hub, id_, may_take, id_))
        if not rows:
            raise NoHolder(name, is_gone=True)
        is_claimed, hub, address, standing = rows[0][:4]
        hub = self._hub if is_claimed else int(hub or 0)
        self._games[name] = _Game(id_, hub, _decode(standing))
        if hub == self._hub:
            return ""
        if not address:
            raise NoHolder(name, is_gone=address is None)
        return str(address)

    def orphans(self) -> list[str]:
        """Return the games that need a hub: theirs has been gone for a while."""
        now = time.monotonic()
        if now - self._since < GRACE_S:
            return []
        with suppress(DatabaseError):
            self._read_changed()
        gone = {hub for hub, since in self._gone_since.items() if now - since >= GRACE_S}
        return [
            name
            for name, game in self._games.items()
            if game.hub in gone and not (game.entry and game.entry.standing.over)
        ]


def _decode(standing: bytes | None) -> IndexedStanding | None:
    """Decode a standing; None for none, or one of another version of paxtui."""
    with suppress(msgspec.MsgspecError):
        return msgspec.json.decode(standing, type=IndexedStanding) if standing else None
    return None


class NoHolder(DatabaseError, StorageAway):
    """The hub of a game cannot be reached."""

    def __init__(self, name: str, is_gone: bool) -> None:
        why = "is gone; another takes the game over" if is_gone else "has no --link for other hubs; connect there"
        super().__init__(f"the hub that holds the game {name} {why}")
