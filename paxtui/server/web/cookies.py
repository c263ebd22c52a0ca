"""Cookies by which the web server recognizes players: a random identity, its expiry and a signature."""

from __future__ import annotations

import base64
import hmac
import secrets
from hashlib import sha256
from typing import NamedTuple

COOKIE_LIFETIME_S = 60 * 24 * 3600
"""Lifetime of a cookie, in seconds. Opening the page renews a cookie of which less than half is left."""

LONGEST_COOKIE = 200
"""Maximum length of a cookie, in characters."""


class Identity(NamedTuple):
    """The owner of a cookie.

    Attributes:
        id: the random identity, known only to the browser.
        until: expiry, in seconds since 1970.
    """

    id: str
    until: int

    @property
    def key(self) -> str:
        """The key of the player in the register, in the form of a public SSH key. It does not reveal the identity."""
        digest = sha256(b"paxtui/browser|" + self.id.encode()).digest()
        return f"paxtui-browser {base64.b64encode(digest).decode()}"


class CookieSigner:
    """Sign and check cookies. Args: the signing key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def new(self, now: float) -> Identity:
        """Return a new identity. Args: seconds since 1970."""
        return self.renew(secrets.token_urlsafe(24), now)

    @staticmethod
    def renew(id_: str, now: float) -> Identity:
        """Return an identity that expires later. Args: its id; seconds since 1970."""
        return Identity(id_, int(now) + COOKIE_LIFETIME_S)

    def write(self, identity: Identity) -> str:
        """Return the value of the cookie."""
        content = f"{identity.id}.{identity.until}"
        return f"{content}.{self._sign(content)}"

    def read(self, value: str, now: float) -> Identity | None:
        """Return the owner of a cookie, None for a forged or expired one. Args: the value; seconds since 1970."""
        content, _, signature = value[:LONGEST_COOKIE].rpartition(".")
        if not hmac.compare_digest(signature.encode("utf-8", "surrogateescape"), self._sign(content).encode()):
            return None
        id_, _, until = content.rpartition(".")
        return Identity(id_, int(until)) if int(until) > now else None

    def _sign(self, content: str) -> str:
        return hmac.new(self._key, b"paxtui/cookie|" + content.encode("utf-8", "surrogateescape"), sha256).hexdigest()
