"""The data directory of a server, readable only by its owner; tickets; the journal.

games/NAME.jsonl     the games
club.json            seasons and favourites
club.sqlite          results read from the logs; can be deleted
players.json         keys, seats, invitations
journal.jsonl        events of the server, one JSON object per line; no orders, messages, keys or codes
terms.json           access terms
talk/NAME.jsonl      chat of a game
people/ID/           settings and keys of a player
host_key             SSH host key
ticket_key           signs tickets, so that clients can reconnect after a restart
web_key              signs the cookies of the web server
link_key             certificate and key for connections between hubs
hub.sock             Unix socket of the hub
forks.sock           Unix socket of the fork server
store.url            URL of the database, if the games are in one
"""

from __future__ import annotations

import fcntl
import hmac
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.session.lobby import natural_key
from paxtui.session.storage.files import (
    LARGEST_CONFIG,
    StorageError,
    append_private,
    read_regular,
    replace_file,
    write_new,
)
from paxtui.session.storage.interface import FILES, Storage

STORE_FILE = "store.url"
"""File with the URL of the database that a hub uses, if it uses one; readable only by its owner."""

NOTIFY_FILE = "notify.json"
"""Name of the file with a player's settings for notifications."""

SETTINGS_FILES = "settings.toml", "keymap.toml"
"""Files of a player's screen settings. A server with a database keeps them there, for all its machines."""

LONGEST_SOCKET_PATH = 100
"""Maximum length of a socket path on all supported systems, in bytes."""

TICKET_LIFETIME_S = 14 * 24 * 3600
"""Lifetime of a reconnect ticket, in seconds."""


class Ticket(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """The content of a ticket.

    Attributes:
        game: the name of the game; "" for the lobby.
        seat: the seat, or that of spectators.
        player: the player id, "" for the host.
        until: expiry, in seconds since 1970.
        number: makes each ticket unique.
    """

    game: str
    seat: str
    player: str
    until: int
    number: str


class DataDirectory:
    """The data directory of a server.

    Args:
        root: the directory; it is created if missing.
        storage: where logs and files of the games, players and club are stored; by default in the directory.

    Attributes:
        games, talk, people: the directories of games, of chat files, and of the players' settings.
        register, terms, journal: files, as above; `register` is players.json.
        host_key, web_key, link_key: files of keys.
        socket, forks: the sockets of the hub and of the fork server.

    Raises:
        OSError: it cannot be created.
        StorageError: other users can read it, or its path is too long for a socket.
    """

    def __init__(self, root: Path, storage: Storage = FILES) -> None:
        self.root = root.absolute()
        self.storage = storage
        self.games, self.talk, self.people = self.root / "games", self.root / "talk", self.root / "people"
        self.register, self.terms = self.root / "players.json", self.root / "terms.json"
        self.journal = self.root / "journal.jsonl"
        self.host_key, self.web_key = self.root / "host_key", self.root / "web_key"
        self.link_key = self.root / "link_key"
        self.socket, self.forks = self.root / "hub.sock", self.root / "forks.sock"
        self._settings_seen: dict[Path, int] = {}  # when settings were changed that the storage has, in ns
        for part in (self.root, self.games, self.people, self.talk):
            part.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.root.stat().st_mode & 0o077:
            raise StorageError(self.root, "other users can read it; type chmod 700 to make it private")
        if len(os.fsencode(self.socket)) > LONGEST_SOCKET_PATH:
            raise StorageError(self.root, f"its name is too long for a socket: at most {LONGEST_SOCKET_PATH - 9} bytes")

    def player_directory(self, player: str) -> Path:
        """Return the directory of a player's settings; create it if missing. Raises: OSError."""
        home = self.people / (player or "host")
        home.mkdir(mode=0o700, exist_ok=True)
        return home

    def fetch_settings(self, player: str) -> None:
        """Bring the screen settings of a player from the storage to this machine, before a client starts."""
        if self.storage is FILES or not player:
            return
        for name in SETTINGS_FILES:
            path = self.player_directory(player) / name
            with suppress(OSError):
                replace_file(path, self.storage.read(path))
                self._settings_seen[path] = path.stat().st_mtime_ns

    def store_settings(self, player: str) -> None:
        """Store the screen settings that a client has changed on this machine; the last change counts."""
        if self.storage is FILES or not player:
            return
        for name in SETTINGS_FILES:
            path = self.people / player / name
            with suppress(OSError):  # the next change is stored again
                changed_at = path.stat().st_mtime_ns
                if self._settings_seen.get(path) == changed_at:
                    continue
                data = read_regular(path)
                with suppress(FileNotFoundError):
                    if self.storage.read(path) == data:  # it also knows the version that is replaced
                        self._settings_seen[path] = changed_at
                        continue
                if len(data) <= LARGEST_CONFIG:
                    self.storage.replace(path, data)
                self._settings_seen[path] = changed_at

    def forget_player(self, player: str) -> None:
        """Delete the settings of a player."""
        for name in (NOTIFY_FILE, *SETTINGS_FILES):
            with suppress(OSError):
                self.storage.remove(self.people / player / name)
        shutil.rmtree(self.people / player, ignore_errors=True)

    def game_file(self, name: str) -> Path:
        """Return the file of a game. Raises: Refusal `no_such_game`."""
        path = self.games / f"{name}.jsonl"
        if not name or "/" in name or name.startswith(".") or not self.storage.exists(path):
            raise Refusal("no_such_game", (), f"There is no game {name!r} on this server.")
        return path

    def names(self) -> list[str]:
        return sorted(self.storage.names(self.games), key=natural_key)

    # --- processes ------------------------------------------------------------------------------------------------

    @contextmanager
    def lock_part(self, part: str) -> Iterator[None]:
        """Hold the lock of a server process. Raises: BlockingIOError when another process holds it; OSError."""
        descriptor = os.open(self.root / f"{part}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, str(os.getpid()).encode(), 0)
            yield
        finally:
            os.close(descriptor)

    def running(self, part: str) -> int:
        """Return the process id of a running server process, 0 for none."""
        try:
            descriptor = os.open(self.root / f"{part}.lock", os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return 0
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            text = os.pread(descriptor, 20, 0)
            return int(text) if text.isdigit() else 0
        finally:
            os.close(descriptor)
        return 0

    def note_port(self, part: str, port: int) -> None:
        """Keep the port on which a server process listens; 0 for none. Raises: OSError."""
        path = self.root / f"{part}.port"
        if port:
            replace_file(path, str(port).encode())
        else:
            path.unlink(missing_ok=True)

    def last_port(self, part: str) -> int:
        """Return the port of the last process of this kind since the start of the server; 0 for none."""
        try:
            text = read_regular(self.root / f"{part}.port")
        except OSError:
            return 0
        return int(text) if text.isdigit() else 0

    # --- tickets --------------------------------------------------------------------------------------------------

    def ticket(self, game: str, seat: str, player: str, now: float) -> str:
        """Create a ticket for one seat. Args: `now`, in seconds since 1970. Raises: OSError."""
        data = msgspec.msgpack.encode(Ticket(game, seat, player, int(now) + TICKET_LIFETIME_S, secrets.token_hex(8)))
        return f"{data.hex()}.{self._sign(data)}"

    def read_ticket(self, text: str, now: float) -> Ticket:
        """Check a ticket and return its content. Raises: Refusal `bad_ticket`; OSError."""
        said, _, sign = text.partition(".")
        try:
            data = bytes.fromhex(said)
            if not hmac.compare_digest(sign.encode(), self._sign(data).encode()):
                raise ValueError
            ticket = msgspec.msgpack.decode(data, type=Ticket)
        except (msgspec.MsgspecError, ValueError):
            raise Refusal("bad_ticket", (), "This ticket is not from this server.") from None
        if ticket.until < now:
            raise Refusal("bad_ticket", (), "The ticket has expired. Log in again.")
        return ticket

    def _sign(self, data: bytes) -> str:
        return hmac.new(load_signing_key(self.root / "ticket_key"), data, sha256).hexdigest()


def make_signing_key() -> bytes:
    """Return a new secret, for tickets or cookies, as its file has it."""
    return secrets.token_hex(32).encode() + b"\n"


def load_signing_key(path: Path) -> bytes:
    """Return the secret of a file; create it if missing, readable only by its owner. Raises: OSError."""
    if not path.exists():
        write_new(path, make_signing_key())
    return read_regular(path)


def read_store_url(root: Path) -> str:
    """Return the URL of the database of a server, "" for files. Raises: OSError."""
    path = root / STORE_FILE
    return read_regular(path).decode().strip() if path.exists() else ""


LARGEST_JOURNAL = 8 * 1024 * 1024
"""Size in bytes at which the journal is rotated; one old file is kept."""


class Journal:
    """The journal.

    Args:
        path: the file; None to keep nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def note(self, event: str, **about: str | int | float) -> None:
        """Append an entry. Write errors are ignored: the games come first."""
        if self._path is None:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = {"time": now, "event": event, "pid": os.getpid(), **about}
        with suppress(OSError):
            if self._path.exists() and self._path.stat().st_size > LARGEST_JOURNAL:
                os.replace(self._path, self._path.with_suffix(".old"))
            append_private(self._path, msgspec.json.encode(line) + b"\n")
