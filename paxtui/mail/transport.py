"""Mail transport: settings (`desk/mail.toml`), IMAP mailbox, SMTP sender and notification hook.

Only the gamemaster reads the settings:

    address = "pax@example.org"            # address that the players write to
    hook = "/home/me/notify"               # optional: command that is run for each event

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

import imaplib
import os
import re
import shlex
import smtplib
import ssl
import subprocess
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from email import message_from_bytes
from email.errors import MessageError
from email.headerregistry import Address
from email.policy import SMTP
from email.utils import parseaddr
from ipaddress import ip_address
from pathlib import Path
from time import mktime
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.mail.game_directory import GameDirectory, read_small

Security = Literal["tls", "starttls", "none"]

DEFAULT_PORTS: dict[str, dict[Security, int]] = {
    "imap": {"tls": 993, "starttls": 143, "none": 143},
    "smtp": {"tls": 465, "starttls": 587, "none": 25},
}


class MailServer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Connection settings of a mail server.

    Attributes:
        host: Host name.
        user: User name; "" for no login.
        port: Port; 0 for the default of the protocol.
        security: Encryption; `none` is allowed only on this machine.
        password_file: File that contains the password.
        password_env: Environment variable that contains the password.
        folder: Mailbox to read.
    """

    host: str
    user: str = ""
    port: int = 0
    security: Security = "tls"
    password_file: str = ""
    password_env: str = ""
    folder: str = "INBOX"

    def password(self) -> str:
        """Return the password. Raises: Refusal `no_password`; OSError."""
        if self.password_env:
            found = os.environ.get(self.password_env)
            if found is None:
                raise Refusal("no_password", (), f"The variable {self.password_env} is not set.")
            return found
        if self.password_file:
            return read_small(Path(self.password_file).expanduser()).decode().strip()
        return ""


class MailSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mail settings of a game.

    Attributes:
        address: Address that the players write to.
        imap, smtp: The servers.
        players: Addresses by seat.
        hook: Command that is run for each event; "" for none.
        name: Display name of the sender.
    """

    address: str
    imap: MailServer
    smtp: MailServer
    players: dict[str, str] = {}
    hook: str = ""
    name: str = "Pax Britannica"

    def seats_of(self, address: str) -> tuple[str, ...]:
        """Return the seats whose player has an address."""
        return tuple(seat for seat, known in self.players.items() if known.casefold() == address.casefold())


def settings_path(folder: GameDirectory) -> Path:
    """Return the path of a game's mail settings."""
    return folder.desk / "mail.toml"


def read_settings(folder: GameDirectory, seats: Iterable[str]) -> MailSettings:
    """Read the mail settings of a game.

    Args:
        folder: Directory of the game.
        seats: Seats of the game.

    Raises:
        Refusal: `no_mail_settings`, or `bad_mail_settings` with the reason.
        OSError: The file cannot be read.
    """
    path = settings_path(folder)
    if not path.is_file():
        raise Refusal("no_mail_settings", (), f"{path} is missing; docs/by-mail-letters.md explains its content.")
    try:
        raw = tomllib.loads(read_small(path).decode())
        for kind in DEFAULT_PORTS:
            server = raw.get(kind)
            if isinstance(server, dict) and not server.get("port"):
                server["port"] = DEFAULT_PORTS[kind].get(server.get("security", "tls"), 0)
        settings = msgspec.convert(raw, MailSettings)
        _check(settings, tuple(seats))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError, ValueError) as error:
        raise Refusal("bad_mail_settings", (), f"{path}: {error}.") from None
    return settings


def _check(settings: MailSettings, seats: tuple[str, ...]) -> None:
    """Validate the settings. Raises: ValueError with the reason."""
    for what, address in (("address", settings.address), *settings.players.items()):
        if not is_address(address):
            raise ValueError(f"'{address[:60]}' ({what}) is not an address such as ann@example.org")
    if strangers := [seat for seat in settings.players if seat not in seats]:
        raise ValueError(f"unknown seat {strangers[0][:40]!r} under [players]; the seats are {', '.join(seats)}")
    for server in (settings.imap, settings.smtp):
        _check_security(server)


def _check_security(server: MailServer) -> None:
    """Raise ValueError if a password would be sent unencrypted."""
    if server.security == "none" and not _is_local(server.host):
        raise ValueError(f'security = "none" would send the password to {server.host} unencrypted')


def smtp_server(raw: Mapping[str, Any]) -> MailServer:
    """Return the settings of an SMTP server from a table of TOML. Raises: Refusal `bad_mail_settings`."""
    try:
        server = msgspec.convert(dict(raw), MailServer)
        _check_security(server)
    except (msgspec.ValidationError, ValueError) as error:
        raise Refusal("bad_mail_settings", (), f"The settings [smtp] are invalid: {error}.") from None
    return replace(server, port=server.port or DEFAULT_PORTS["smtp"][server.security])


def is_address(text: str) -> bool:
    """Whether a text is exactly one mail address, and one that the header of a letter can have."""
    if not text.isascii() or not text.isprintable() or parseaddr(text) != ("", text):
        return False
    try:
        found = Address(addr_spec=text)
    except (MessageError, ValueError, LookupError, AttributeError):  # what the parser raises for odd texts
        return False
    return bool(found.username and found.domain)


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


IMAP_TIMEOUT_S = 30
"""Timeout of a connection, in seconds."""

LARGEST_LETTER = 512 * 1024
"""Maximum size of a letter that is fetched, in bytes."""

MOST_LETTERS = 500
"""Maximum number of letters of one round; the rest waits for the next round."""

_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")


class ReceivedLetter(NamedTuple):
    """A letter in the mailbox.

    Attributes:
        place: Permanent location in the mailbox.
        uid: IMAP UID.
        at: Time when the server received it.
        size: Size in bytes.
        data: The letter; only its header if it is too large.
    """

    place: str
    uid: str
    at: datetime
    size: int
    data: bytes


class Mailbox:
    """An open IMAP mailbox. All methods raise Refusal `mailbox` and OSError. A letter stays unread until processed."""

    def __init__(self, server: imaplib.IMAP4, folder: str) -> None:
        self._server = server
        self._folder = folder
        self._validity = "0"
        self._do("select", *server.select(folder))
        with suppress(imaplib.IMAP4.error):
            found = server.response("UIDVALIDITY")[1]
            self._validity = found[0].decode() if found and found[0] else "0"

    def unread(self) -> Iterator[ReceivedLetter]:
        """Yield the unprocessed letters, oldest first."""
        found = self._do("search", *self._server.uid("search", "UNSEEN"))
        for uid in (found[0] or b"").split()[:MOST_LETTERS]:
            yield self._fetched(uid.decode())

    def _fetched(self, uid: str) -> ReceivedLetter:
        response = b" ".join(self._do("fetch", *self._server.uid("fetch", uid, "(RFC822.SIZE INTERNALDATE)")))
        size = _SIZE.search(response)
        when = imaplib.Internaldate2tuple(response)
        if size is None or when is None:
            raise Refusal("mailbox", (), f"The server does not report the size and date of letter {uid}.")
        bytes_, at = int(size[1]), datetime.fromtimestamp(mktime(when), UTC)
        wanted = "(BODY.PEEK[])" if bytes_ <= LARGEST_LETTER else "(BODY.PEEK[HEADER])"
        data = max(self._do("fetch", *self._server.uid("fetch", uid, wanted)), key=len)[:LARGEST_LETTER]
        return ReceivedLetter(f"{self._folder}/{self._validity}/{uid}", uid, at, bytes_, data)

    def mark_processed(self, letter: ReceivedLetter) -> None:
        """Mark a letter as read."""
        self._do("store", *self._server.uid("store", letter.uid, "+FLAGS", "(\\Seen)"))

    def _do(self, what: str, status: str, data: Sequence[object]) -> list[bytes]:
        """Check the status of a response and return its data."""
        if status != "OK":
            reason = b" ".join(_answer_bytes(data)).decode("ascii", "replace")
            raise Refusal("mailbox", (), f"The IMAP server refuses to {what}: {reason[:200]}")
        return _answer_bytes(data)


def _answer_bytes(data: Sequence[object]) -> list[bytes]:
    out: list[bytes] = []
    for each in data:
        pieces = each if isinstance(each, tuple) else (each,)
        out += [piece for piece in pieces if isinstance(piece, bytes)]
    return out or [b""]


@contextmanager
def open_mailbox(server: MailServer) -> Iterator[Mailbox]:
    """Log in and open the mailbox; log out at the end. Raises: Refusal `mailbox`, `no_password`; OSError."""
    port = server.port
    try:
        if server.security == "tls":
            tls = ssl.create_default_context()
            imap: imaplib.IMAP4 = imaplib.IMAP4_SSL(server.host, port, ssl_context=tls, timeout=IMAP_TIMEOUT_S)
        else:
            imap = imaplib.IMAP4(server.host, port, timeout=IMAP_TIMEOUT_S)
        try:
            if server.security == "starttls":
                imap.starttls(ssl.create_default_context())
            imap.login(server.user, server.password())
            yield Mailbox(imap, server.folder)
        finally:
            with suppress(imaplib.IMAP4.error, OSError):
                imap.logout()
    except imaplib.IMAP4.error as error:
        raise Refusal("mailbox", (), f"The IMAP server {server.host}:{port} says: {str(error)[:200]}") from None


class SmtpSender:
    """An open SMTP connection."""

    def __init__(self, server: smtplib.SMTP) -> None:
        self._server = server

    def send(self, letter: bytes) -> None:
        """Send a letter to the recipients in its header. Raises: Refusal `not_sent`; OSError."""
        message = message_from_bytes(letter, policy=SMTP)
        try:
            self._server.send_message(message)
        except smtplib.SMTPException as error:
            raise Refusal("not_sent", (), f"The SMTP server rejects the letter: {str(error)[:200]}") from None


@contextmanager
def open_sender(server: MailServer) -> Iterator[SmtpSender]:
    """Connect, and log in if a user is set; disconnect at the end. Raises: Refusal `not_sent`, `no_password`;
    OSError.
    """
    try:
        if server.security == "tls":
            tls = ssl.create_default_context()
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=IMAP_TIMEOUT_S, context=tls)
        else:
            smtp = smtplib.SMTP(server.host, server.port, timeout=IMAP_TIMEOUT_S)
        try:
            if server.security == "starttls":
                smtp.starttls(context=ssl.create_default_context())
            if server.user:
                smtp.login(server.user, server.password())
            yield SmtpSender(smtp)
        finally:
            with suppress(smtplib.SMTPException, OSError):
                smtp.quit()
    except smtplib.SMTPException as error:
        where = f"{server.host}:{server.port}"
        raise Refusal("not_sent", (), f"The SMTP server {where} says: {str(error)[:200]}") from None


HOOK_TIMEOUT_S = 60
"""Timeout of the hook command, in seconds."""


def run_hook(command: str, event: str, values: dict[str, str]) -> str:
    """Run the hook command. Its output is ignored, and it receives nothing secret.

    Args:
        command: The command; "" for none.
        event: `arrived`, `refused` or `sent`.
        values: Names and values for its environment.

    Returns: an error message, or "" on success.
    """
    if not command:
        return ""
    names = {f"PAXTUI_{name.upper()}": value for name, value in {"event": event, **values}.items()}
    try:
        words = shlex.split(command)
        done = subprocess.run(
            words, env={**os.environ, **names}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, timeout=HOOK_TIMEOUT_S, check=False,
        )  # fmt: skip
    except (OSError, ValueError, IndexError) as error:
        return f"The hook could not be run: {error}."
    except subprocess.TimeoutExpired:
        return f"The hook was stopped after {HOOK_TIMEOUT_S} seconds."
    return f"The hook failed with exit code {done.returncode}." if done.returncode else ""
