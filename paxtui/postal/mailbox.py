"""Letters fetched from an IMAP server. A letter stays unread there until it has been dealt with."""

from __future__ import annotations

import imaplib
import re
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from time import mktime
from typing import NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.postal.settings import Server

WAIT = 30
"""Seconds after which a server that says nothing is given up."""

LARGEST = 512 * 1024
"""Bytes of the largest letter that is fetched."""

MOST = 500
"""Letters of one round; what is more waits for the next."""

_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")


class Received(NamedTuple):
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

    def unread(self) -> Iterator[Received]:
        """The letters that nobody has dealt with, the first first."""
        found = self._do("search", *self._server.uid("search", "UNSEEN"))
        for uid in (found[0] or b"").split()[:MOST]:
            yield self._fetched(uid.decode())

    def _fetched(self, uid: str) -> Received:
        told = b" ".join(self._do("fetch", *self._server.uid("fetch", uid, "(RFC822.SIZE INTERNALDATE)")))
        size = _SIZE.search(told)
        when = imaplib.Internaldate2tuple(told)
        if size is None or when is None:
            raise Refusal("mailbox", (), f"The server does not say how large letter {uid} is and when it came.")
        bytes_, at = int(size[1]), datetime.fromtimestamp(mktime(when), UTC)
        wanted = "(BODY.PEEK[])" if bytes_ <= LARGEST else "(BODY.PEEK[HEADER])"
        data = max(self._do("fetch", *self._server.uid("fetch", uid, wanted)), key=len)[:LARGEST]
        return Received(f"{self._folder}/{self._validity}/{uid}", uid, at, bytes_, data)

    def dealt_with(self, letter: Received) -> None:
        """Mark a letter as read."""
        self._do("store", *self._server.uid("store", letter.uid, "+FLAGS", "(\\Seen)"))

    def _do(self, what: str, status: str, data: Sequence[object]) -> list[bytes]:
        """What the server has answered."""
        if status != "OK":
            said = b" ".join(_bytes(data)).decode("ascii", "replace")
            raise Refusal("mailbox", (), f"The IMAP server refuses to {what}: {said[:200]}")
        return _bytes(data)


def _bytes(data: Sequence[object]) -> list[bytes]:
    """All texts of an answer."""
    out: list[bytes] = []
    for each in data:
        pieces = each if isinstance(each, tuple) else (each,)
        out += [piece for piece in pieces if isinstance(piece, bytes)]
    return out or [b""]


@contextmanager
def opened(server: Server) -> Iterator[Mailbox]:
    """Log in and open the mailbox; log out at the end. Raises: Refusal `mailbox`, `no_password`; OSError."""
    port = server.port
    try:
        if server.security == "tls":
            tls = ssl.create_default_context()
            imap: imaplib.IMAP4 = imaplib.IMAP4_SSL(server.host, port, ssl_context=tls, timeout=WAIT)
        else:
            imap = imaplib.IMAP4(server.host, port, timeout=WAIT)
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
