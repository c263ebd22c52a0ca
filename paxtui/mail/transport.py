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

Letters fetched from an IMAP server. A letter stays unread there until it has been dealt with.

Letters sent by an SMTP server.

A command of the gamemaster's own that is told of what happens: a form has come, reports have gone out.
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
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import SMTP
from email.utils import parseaddr
from ipaddress import ip_address
from pathlib import Path
from time import mktime
from typing import Literal, NamedTuple

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.mail.game_directory import GameDirectory, read_small

Security = Literal["tls", "starttls", "none"]

DEFAULT_PORTS: dict[str, dict[Security, int]] = {
    "imap": {"tls": 993, "starttls": 143, "none": 143},
    "smtp": {"tls": 465, "starttls": 587, "none": 25},
}


class MailServer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
    imap: MailServer
    smtp: MailServer
    players: dict[str, str] = {}
    hook: str = ""
    name: str = "Pax Britannica"

    def seats_of(self, address: str) -> tuple[str, ...]:
        """The seats whose player has an address."""
        return tuple(seat for seat, known in self.players.items() if known.casefold() == address.casefold())


def settings_path(folder: GameDirectory) -> Path:
    """Where the settings of a game lie."""
    return folder.desk / "mail.toml"


def read_settings(folder: GameDirectory, seats: Iterable[str]) -> MailSettings:
    """The settings of a game.

    Args: its directory; its seats.
    Raises: Refusal `no_mail_settings`, `bad_mail_settings` that says what is wrong; OSError.
    """
    path = settings_path(folder)
    if not path.is_file():
        raise Refusal("no_mail_settings", (), f"There is no {path}: docs/by-mail.md says what it holds.")
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
    """Raises: ValueError that says what is wrong."""
    for what, address in (("address", settings.address), *settings.players.items()):
        if not is_address(address):
            raise ValueError(f"'{address[:60]}' ({what}) is no address such as ann@example.org")
    if strangers := [seat for seat in settings.players if seat not in seats]:
        raise ValueError(f"there is no seat {strangers[0][:40]!r} under [players]; the seats are {', '.join(seats)}")
    for server in (settings.imap, settings.smtp):
        if server.security == "none" and not _is_local(server.host):
            raise ValueError(f"security = \"none\" would send the password to {server.host} for everybody to read")


def is_address(text: str) -> bool:
    """Whether a text is the address of somebody, and nothing else."""
    name, at, host = text.rpartition("@")
    return parseaddr(text) == ("", text) and bool(name and at and host) and text.isascii() and text.isprintable()


def _is_local(host: str) -> bool:
    """Whether a server is on this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


IMAP_TIMEOUT_S = 30
"""Seconds after which a server that says nothing is given up."""

LARGEST_LETTER = 512 * 1024
"""Bytes of the largest letter that is fetched."""

MOST_LETTERS = 500
"""Letters of one round; what is more waits for the next."""

_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")


class ReceivedLetter(NamedTuple):
    """A letter as it lies in the mailbox.

    Attributes:
        place: where it lies there, the same as long as it does.
        uid: its number.
        at: when the server got it.
        size: its bytes.
        data: all of it; its head alone where it is too large to be fetched.
    """

    place: str
    uid: str
    at: datetime
    size: int
    data: bytes


class Mailbox:
    """A mailbox that is open. Raises everywhere: Refusal `mailbox`; OSError."""

    def __init__(self, server: imaplib.IMAP4, folder: str) -> None:
        self._server = server
        self._folder = folder
        self._validity = "0"
        self._do("select", *server.select(folder))
        with suppress(imaplib.IMAP4.error):
            found = server.response("UIDVALIDITY")[1]
            self._validity = found[0].decode() if found and found[0] else "0"

    def unread(self) -> Iterator[ReceivedLetter]:
        """The letters that nobody has dealt with, the first first."""
        found = self._do("search", *self._server.uid("search", "UNSEEN"))
        for uid in (found[0] or b"").split()[:MOST_LETTERS]:
            yield self._fetched(uid.decode())

    def _fetched(self, uid: str) -> ReceivedLetter:
        told = b" ".join(self._do("fetch", *self._server.uid("fetch", uid, "(RFC822.SIZE INTERNALDATE)")))
        size = _SIZE.search(told)
        when = imaplib.Internaldate2tuple(told)
        if size is None or when is None:
            raise Refusal("mailbox", (), f"The server does not say how large letter {uid} is and when it came.")
        bytes_, at = int(size[1]), datetime.fromtimestamp(mktime(when), UTC)
        wanted = "(BODY.PEEK[])" if bytes_ <= LARGEST_LETTER else "(BODY.PEEK[HEADER])"
        data = max(self._do("fetch", *self._server.uid("fetch", uid, wanted)), key=len)[:LARGEST_LETTER]
        return ReceivedLetter(f"{self._folder}/{self._validity}/{uid}", uid, at, bytes_, data)

    def mark_processed(self, letter: ReceivedLetter) -> None:
        """Mark a letter as read."""
        self._do("store", *self._server.uid("store", letter.uid, "+FLAGS", "(\\Seen)"))

    def _do(self, what: str, status: str, data: Sequence[object]) -> list[bytes]:
        """What the server has answered."""
        if status != "OK":
            said = b" ".join(_answer_bytes(data)).decode("ascii", "replace")
            raise Refusal("mailbox", (), f"The IMAP server refuses to {what}: {said[:200]}")
        return _answer_bytes(data)


def _answer_bytes(data: Sequence[object]) -> list[bytes]:
    """All texts of an answer."""
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
    """An open line to an SMTP server."""

    def __init__(self, server: smtplib.SMTP) -> None:
        self._server = server

    def send(self, letter: bytes) -> None:
        """Send a letter to whom it names. Raises: Refusal `not_sent`; OSError."""
        message = message_from_bytes(letter, policy=SMTP)
        try:
            self._server.send_message(message)
        except smtplib.SMTPException as error:
            raise Refusal("not_sent", (), f"The SMTP server does not take the letter: {str(error)[:200]}") from None


@contextmanager
def open_sender(server: MailServer) -> Iterator[SmtpSender]:
    """Log in where a user is named; hang up at the end. Raises: Refusal `not_sent`, `no_password`; OSError."""
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
"""Seconds after which the command is ended."""


def run_hook(command: str, event: str, told: dict[str, str]) -> str:
    """Run the command. What it prints is not looked at; nothing secret is told to it.

    Args: it, "" for none; what has happened (`arrived`, `refused`, `sent`); names and values for its environment.
    Returns: what has gone wrong, in a sentence; "" where nothing has.
    """
    if not command:
        return ""
    names = {f"PAXTUI_{name.upper()}": value for name, value in {"event": event, **told}.items()}
    try:
        words = shlex.split(command)
        done = subprocess.run(
            words, env={**os.environ, **names}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, timeout=HOOK_TIMEOUT_S, check=False,
        )  # fmt: skip
    except (OSError, ValueError, IndexError) as error:
        return f"The hook could not be run: {error}."
    except subprocess.TimeoutExpired:
        return f"The hook was ended after {HOOK_TIMEOUT_S} seconds."
    return f"The hook ended with {done.returncode}." if done.returncode else ""
