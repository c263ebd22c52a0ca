"""How the letters of a mail game travel: the file `desk/mail.toml`, which only the gamemaster reads.

    address = "pax@example.org"            # whom the players write to
    hook = "/home/me/told"                 # optional: a command that is told of what happens

    [imap]
    host = "imap.example.org"
    user = "pax"
    password_file = "/home/me/.pax-password"

    [smtp]
    host = "smtp.example.org"
    user = "pax"
    password_file = "/home/me/.pax-password"

    [players]
    france = "ann@example.org"
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable
from email.utils import parseaddr
from ipaddress import ip_address
from pathlib import Path
from typing import Literal

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.table.postal.folder import Folder, read_small

Security = Literal["tls", "starttls", "none"]

PORTS: dict[str, dict[Security, int]] = {
    "imap": {"tls": 993, "starttls": 143, "none": 143},
    "smtp": {"tls": 465, "starttls": 587, "none": 25},
}


class Server(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mail server and who we are there.

    Attributes:
        host: its name.
        user: our name there; "" where nobody is asked for one.
        port: 0 for the usual one.
        security: how the line is kept secret; `none` only on this machine.
        password_file: a file that holds the password; password_env: a variable of the environment.
        folder: the mailbox that is read.
    """

    host: str
    user: str = ""
    port: int = 0
    security: Security = "tls"
    password_file: str = ""
    password_env: str = ""
    folder: str = "INBOX"

    def password(self) -> str:
        """The password. Raises: Refusal `no_password`; OSError."""
        if self.password_env:
            found = os.environ.get(self.password_env)
            if found is None:
                raise Refusal("no_password", (), f"The variable {self.password_env} is not set.")
            return found
        if self.password_file:
            return read_small(Path(self.password_file).expanduser()).decode().strip()
        return ""


class MailSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file.

    Attributes:
        address: whom the players write to.
        imap, smtp: the servers.
        players: addresses by seat.
        hook: a command that is told of what happens; "" for none.
        name: what the desk is called in its letters.
    """

    address: str
    imap: Server
    smtp: Server
    players: dict[str, str] = {}
    hook: str = ""
    name: str = "Pax Britannica"

    def seats_of(self, address: str) -> tuple[str, ...]:
        """The seats whose player has an address."""
        return tuple(seat for seat, known in self.players.items() if known.casefold() == address.casefold())


def path_of(folder: Folder) -> Path:
    """Where the settings of a game lie."""
    return folder.desk / "mail.toml"


def read_settings(folder: Folder, seats: Iterable[str]) -> MailSettings:
    """The settings of a game.

    Args: its directory; its seats.
    Raises: Refusal `no_mail_settings`, `bad_mail_settings` that says what is wrong; OSError.
    """
    path = path_of(folder)
    if not path.is_file():
        raise Refusal("no_mail_settings", (), f"There is no {path}: docs/by-mail.md says what it holds.")
    try:
        raw = tomllib.loads(read_small(path).decode())
        for kind in PORTS:
            server = raw.get(kind)
            if isinstance(server, dict) and not server.get("port"):
                server["port"] = PORTS[kind].get(server.get("security", "tls"), 0)
        settings = msgspec.convert(raw, MailSettings)
        _check(settings, tuple(seats))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError, ValueError) as error:
        raise Refusal("bad_mail_settings", (), f"{path}: {error}.") from None
    return settings


def _check(settings: MailSettings, seats: tuple[str, ...]) -> None:
    """Raises: ValueError that says what is wrong."""
    for what, address in (("address", settings.address), *settings.players.items()):
        if not is_address(address):
            raise ValueError(f"'{address[:60]}' ({what}) is no address such as ann@example.org")
    if strangers := [seat for seat in settings.players if seat not in seats]:
        raise ValueError(f"there is no seat {strangers[0][:40]!r} under [players]; the seats are {', '.join(seats)}")
    for server in (settings.imap, settings.smtp):
        if server.security == "none" and not _is_here(server.host):
            raise ValueError(f"security = \"none\" would send the password to {server.host} for everybody to read")


def is_address(text: str) -> bool:
    """Whether a text is the address of somebody, and nothing else."""
    name, at, host = text.rpartition("@")
    return parseaddr(text) == ("", text) and bool(name and at and host) and text.isascii() and text.isprintable()


def _is_here(host: str) -> bool:
    """Whether a server is on this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
