"""The directory of a hub: games, register, host key, the secret behind its tickets, and its socket.

    games/NAME.jsonl     the games
    players.json         keys, seats, invitations
    journal.jsonl        what happened
    terms.json           what visitors may do
    talk/NAME.jsonl      what was said at a table
    people/ID/           settings and keys of a player
    host_key             the key by which SSH knows the house
    ticket_key           signs tickets, so that clients come back after a restart
    hub.sock             where clients and the house's own doors speak to the hub

Nobody but its owner reads any of it.

The journal of a house: what happened, a line of JSON each; no order, no word of a player's, no key, no code.
"""

from __future__ import annotations

import fcntl
import hmac
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.session.lobby import natural_key
from paxtui.session.storage.files import StorageError, append_private, read_regular, write_new

LONGEST_SOCKET_PATH = 100
"""Bytes of the path of a socket that every system takes."""

TICKET_LIFETIME_S = 14 * 24 * 3600
"""Seconds for which a ticket is good: as long as somebody may stay away with his program open."""


class Ticket(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """What a ticket says.

    Attributes:
        game: the game, by its name in the house.
        seat: the seat, or the spectators'.
        player: who holds the seat, "" for whoever runs the house.
        until: when it ends, in seconds since 1970.
        number: no two are the same.
    """

    game: str
    seat: str
    player: str
    until: int
    number: str


class DataDirectory:
    """The directory of a hub.

    Args:
        root: the directory; it is made where it is not there.

    Raises:
        OSError: it cannot be made.
        StoreError: somebody else may look into it, or its name is too long for a socket.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()
        for part in (self.root, self.games, self.people, self.talk):
            part.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.root.stat().st_mode & 0o077:
            raise StorageError(self.root, "others may look into it: chmod 700 makes it yours alone")
        if len(os.fsencode(self.socket)) > LONGEST_SOCKET_PATH:
            raise StorageError(self.root, f"its name is too long for a socket: at most {LONGEST_SOCKET_PATH - 9} bytes")

    @property
    def games(self) -> Path:
        """Where the games are."""
        return self.root / "games"

    @property
    def people(self) -> Path:
        """Where each player's settings are."""
        return self.root / "people"

    @property
    def talk(self) -> Path:
        """Where what was said at the tables is."""
        return self.root / "talk"

    @property
    def terms(self) -> Path:
        """The file of the terms for visitors."""
        return self.root / "terms.json"

    @property
    def journal(self) -> Path:
        """What happened in the house, a line of JSON each."""
        return self.root / "journal.jsonl"

    @property
    def register(self) -> Path:
        """The file of keys, seats and invitations."""
        return self.root / "players.json"

    @property
    def socket(self) -> Path:
        """Where the hub listens."""
        return self.root / "hub.sock"

    @property
    def host_key(self) -> Path:
        """The key by which SSH knows the house."""
        return self.root / "host_key"

    def player_directory(self, player: str) -> Path:
        """The directory of a player's settings; it is made. Raises: OSError."""
        home = self.people / (player or "host")
        home.mkdir(mode=0o700, exist_ok=True)
        return home

    def game_file(self, name: str) -> Path:
        """The file of a game. Raises: Refusal `no_such_game`."""
        path = self.games / f"{name}.jsonl"
        if not name or "/" in name or name.startswith(".") or not path.is_file():
            raise Refusal("no_such_game", (), f"There is no game {name!r} in this house.")
        return path

    def names(self) -> list[str]:
        """The games of the house, by name."""
        return sorted((path.stem for path in self.games.glob("*.jsonl")), key=natural_key)

    # --- its processes --------------------------------------------------------------------------------------------

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
        """The process of a part of the house, 0 where there is none."""
        try:
            descriptor = os.open(self.root / f"{part}.lock", os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return 0
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            said = os.pread(descriptor, 20, 0)
            return int(said) if said.isdigit() else 0
        finally:
            os.close(descriptor)
        return 0

    # --- tickets --------------------------------------------------------------------------------------------------

    def ticket(self, game: str, seat: str, player: str, now: float) -> str:
        """A ticket for one seat. Args: whose, and the time in seconds since 1970. Raises: OSError."""
        said = msgspec.msgpack.encode(Ticket(game, seat, player, int(now) + TICKET_LIFETIME_S, secrets.token_hex(8)))
        return f"{said.hex()}.{self._sign(said)}"

    def read_ticket(self, text: str, now: float) -> Ticket:
        """What a ticket says. Raises: Refusal `bad_ticket`; OSError."""
        said, _, sign = text.partition(".")
        try:
            data = bytes.fromhex(said)
            if not hmac.compare_digest(sign.encode(), self._sign(data).encode()):
                raise ValueError
            ticket = msgspec.msgpack.decode(data, type=Ticket)
        except (msgspec.MsgspecError, ValueError):
            raise Refusal("bad_ticket", (), "This is no ticket of this house.") from None
        if ticket.until < now:
            raise Refusal("bad_ticket", (), "The ticket is no longer good: log in again.")
        return ticket

    def _sign(self, said: bytes) -> str:
        return hmac.new(self._secret(), said, sha256).hexdigest()

    def _secret(self) -> bytes:
        path = self.root / "ticket_key"
        if not path.exists():
            write_new(path, secrets.token_hex(32).encode() + b"\n")
        return read_regular(path)


LARGEST_JOURNAL = 8 * 1024 * 1024
"""Bytes of the file, after which it is put aside and begun anew; one old one is kept."""


class Journal:
    """The journal.

    Args:
        path: its file; None for nothing kept.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def note(self, event: str, **about: str | int | float) -> None:
        """Note something down. What cannot be written is lost: the games come first."""
        if self._path is None:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = {"time": now, "event": event, "pid": os.getpid(), **about}
        with suppress(OSError):
            if self._path.exists() and self._path.stat().st_size > LARGEST_JOURNAL:
                os.replace(self._path, self._path.with_suffix(".old"))
            append_private(self._path, msgspec.json.encode(line) + b"\n")
