"""The hubs of a database: who is there, who holds which game, and what a lobby shows of the games of the others.

Each hub holds an advisory lock while it runs; the lock ends with its connection. A game belongs to the hub that opened
it first. When that hub is gone, the next one that needs the game takes it over.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.server.peers import News
from paxtui.server.postgres.database import CHANNEL, HUB_LOCK, ConnectionBroken, DatabaseAway, DatabaseError
from paxtui.server.postgres.storage import PostgresStorage
from paxtui.server.standings import IndexedStanding
from paxtui.session.storage.files import StorageError
from paxtui.session.storage.interface import StorageAway

GRACE_S = 1.5
"""Seconds in which the others take their locks again after a restart of the database, before a hub counts as gone."""

LATE_S = 10.0
"""Seconds after which any hub takes over a game, if the right one has not done it."""

UNEQUAL = 20
"""Difference in games from which a hub leaves games to a hub with fewer."""

CHECK_S = 1.0
"""Seconds between two checks which hubs are there."""

ALIVE = (
    "SELECT objid::int FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2"
    f" AND classid = {HUB_LOCK} AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


CLAIM = (
    f"WITH alive AS MATERIALIZED ({ALIVE}), free AS (SELECT id FROM paxtui.games WHERE id = ANY(%s) AND"
    " (hub IS NULL OR (%s AND hub NOT IN (SELECT * FROM alive))) ORDER BY id FOR UPDATE),"
    " claim AS (UPDATE paxtui.games game SET hub = %s FROM free WHERE game.id = free.id RETURNING game.id)"
    f" SELECT id, pg_notify('{CHANNEL}', 'standing ' || id), set_config('synchronous_commit', 'off', true) FROM claim"
)
"""Take over games that no hub holds, and return them. It need not be on disk: the lock decides who writes."""

LAST_LINES = (
    "SELECT name, (SELECT max(n) FROM paxtui.lines WHERE lines.game = game.id)"
    " FROM paxtui.games game WHERE id = ANY(%s)"
)
"""The number of lines of games."""

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
        self._has_left = False
        self._since = 0.0  # begin of the connection
        self._checked = 0.0
        self._addresses: dict[int, str] = {}
        self._gone_since: dict[int, float] = {}
        self._games: dict[str, _Game] = {}
        self._changed: set[int] = set()  # games whose row another hub has changed
        self._unsaved: dict[str, IndexedStanding] = {}
        self._resting: set[tuple[str, int]] = set()  # games of hubs that are gone, and that need none now

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
        """End as a hub: the others may take its games. What still runs does not connect again."""
        self._has_left = True
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
        if self._has_left or not self._database.connect_again():
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

    def _read_standings(self, games: Iterable[int] | None) -> None:
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
        game = self._games.get(name)
        if game is None or game.id in self._changed:
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
        found = self.holders([name], [name])[name]
        if isinstance(found, StorageError):
            raise found
        return found

    def holders(self, names: Sequence[str], own: Collection[str] = ()) -> dict[str, str | StorageError]:
        """Return for each game the address of the hub that holds it, "" for this one; take over what nobody holds.

        Games of a hub that is gone go to another one if that has many fewer.

        Args: the games; those of them that this hub takes over in any case.
        Returns: addresses, or a StorageAway if the holder is not known or has no address.
        Raises: DatabaseError.
        """
        others = [name for name in names if not self.is_own_game(name)]
        found: dict[str, str | StorageError] = dict.fromkeys(names, "")
        if not others:
            return found
        self._database.wait_for_connection()
        if self._session != self._database.session:
            self._begin_session()
        ids = {name: self._storage.game(name) for name in others}
        self._read_hubs()
        self._read_standings({*ids.values(), *self._changed})
        self._changed.clear()
        lighter = self._lighter_hub()
        for is_last in (False, True):  # another hub may take a game over at the same moment
            free = []
            for name in others:
                game = self._games.get(name)
                hub = game.hub if game is not None else 0
                if hub == self._hub:
                    found[name] = ""
                elif hub in self._addresses:
                    found[name] = self._addresses[hub] or NoHolder(name, is_gone=False)
                elif hub and lighter and name not in own:
                    found[name] = self._addresses[lighter]
                else:
                    free.append(name)
            if not free or is_last:
                break
            may_take = time.monotonic() - self._since >= GRACE_S
            self._database.execute(CLAIM, ([ids[name] for name in free], may_take, self._hub))
            self._read_standings([ids[name] for name in free])
        return found | {name: NoHolder(name, is_gone=True) for name in free}

    def _lighter_hub(self) -> int:
        """Return the hub with the fewest games if it has many fewer than this one, else 0."""
        counts = Counter(game.hub for game in self._games.values())
        reached = (hub for hub, address in self._addresses.items() if address)
        lightest = min(reached, key=lambda hub: counts[hub], default=self._hub)
        return lightest if counts[lightest] + UNEQUAL <= counts[self._hub] else 0

    def _right_hub(self, name: str) -> int:
        """Return the hub that takes over a game for which no player asks: each takes its share."""
        return max(self._addresses, key=lambda hub: crc32(f"{name} {hub}".encode()), default=self._hub)

    def read_ahead(self, names: Sequence[str]) -> AbstractContextManager[None]:
        """Read several games of this hub at once. Raises: DatabaseError."""
        return self._storage.read_ahead(names)

    def orphans(self) -> list[str]:
        """Return the games that this hub must continue: theirs has been gone for a while, and something may be due."""
        now = time.monotonic()
        if now - self._since < GRACE_S:
            return []
        with suppress(DatabaseError):
            self._read_changed()
        gone = {hub: now - since for hub, since in self._gone_since.items() if now - since >= GRACE_S}
        found = {
            name: game
            for name, game in self._games.items()
            if game.hub in gone and (name, game.hub) not in self._resting
            if gone[game.hub] >= LATE_S or self._right_hub(name) == self._hub
        }
        if not found:
            return []
        try:
            last = dict(self._database.execute(LAST_LINES, ([game.id for game in found.values()],)))
        except DatabaseError:
            return []
        self._resting |= {(name, game.hub) for name, game in found.items() if _rests(game.entry, last.get(name))}
        return [name for name, game in found.items() if (name, game.hub) not in self._resting]


def _rests(entry: IndexedStanding | None, lines: int | None) -> bool:
    """Whether a game needs no hub until a player comes: no clock runs, and no bot is to move.

    Args: its last standing; the number of its lines.
    """
    if entry is None or entry.standing.lines != lines:
        return False
    return entry.standing.over or (entry.standing.asleep and not entry.runs)


def _decode(standing: bytes | None) -> IndexedStanding | None:
    """Decode a standing; None for none, or one of another version of paxtui."""
    with suppress(msgspec.MsgspecError):
        return msgspec.json.decode(standing, type=IndexedStanding) if standing else None
    return None


class NoHolder(DatabaseError, StorageAway):
    """The hub of a game cannot be reached."""

    def __init__(self, name: str, is_gone: bool) -> None:
        why = (
            "has stopped; another hub takes the game over" if is_gone else "has no --link for other hubs; connect there"
        )
        super().__init__(f"the hub that holds the game {name} {why}")
