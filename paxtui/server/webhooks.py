"""Send short messages to webhooks: formats of known services, a signature, and checks of the address.

A player's choice of URL must not let the server reach its own network. A URL needs https on port 443, and each address
of its host must be public. The connection goes to the checked address, so a second DNS answer changes nothing. The
owner of the server can allow hosts; for them there is no such check, and http is accepted.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import re
import socket
import ssl
import threading
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from email.header import Header
from hashlib import sha256
from typing import Literal, NamedTuple
from urllib.parse import quote, urlsplit

import msgspec

from paxtui.engine.refusal import Refusal

WebhookFormat = Literal["json", "ntfy", "discord", "slack"]

FORMATS: tuple[WebhookFormat, ...] = ("json", "ntfy", "discord", "slack")

SERVICES: dict[str, WebhookFormat] = {
    "ntfy.sh": "ntfy",
    "discord.com": "discord",
    "discordapp.com": "discord",
    "hooks.slack.com": "slack",
}
"""Formats of known hosts."""

TIMEOUT_S = 10.0
"""Timeout of a request, in seconds."""

MAX_URL_LENGTH = 500
"""Maximum length of a URL, in characters."""

PORTS = {"https": 443, "http": 80}

MOST_LOOKUPS = 16
"""Maximum number of names that are looked up at the same time; name servers may be slow on purpose."""

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 addresses that a gateway translates to the IPv4 address in their last 32 bits."""

_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
"""All IPv6 addresses that are used on the internet, besides those that contain an IPv4 address."""

_NOT_ON_THE_INTERNET = (ipaddress.ip_network("3fff::/20"), ipaddress.ip_network("192.88.99.0/24"))
"""Addresses of examples and of former 6to4 relays, which Python 3.11 takes for public ones."""

_ISATAP = (0x5EFE, 0x02005EFE)
"""Upper half of the interface in IPv6 addresses that contain an IPv4 address in their last 32 bits."""

_HOST = re.compile(
    r"(?!.{254})[a-z0-9_][a-z0-9_-]{0,62}(\.[a-z0-9_][a-z0-9_-]{0,62})*|[0-9a-f:.]*:[0-9a-f:.]*", re.ASCII
)
"""A name, or an address without a zone."""

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Returns the addresses of a host and port. Raises: OSError."""


class WebhookTarget(NamedTuple):
    """A parsed URL.

    Attributes:
        host, port, path: where to send; the path includes the query.
        has_tls: whether to use https.
        is_allowed: whether the owner of the server allows the host.
    """

    host: str
    port: int
    path: str
    has_tls: bool
    is_allowed: bool


def parse_target(url: str, allowed_hosts: Collection[str] = ()) -> WebhookTarget:
    """Parse the URL of a webhook.

    Args: the URL; the allowed hosts, as "host" or "host:port".
    Raises: Refusal `bad_webhook` with the reason.
    """
    if len(url) > MAX_URL_LENGTH or not url.isascii() or not url.isprintable() or " " in url:
        raise Refusal("bad_webhook", (), f"A webhook is a URL of at most {MAX_URL_LENGTH} ASCII characters.")
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        raise Refusal("bad_webhook", (), "This is not a URL. It begins with https:// and a host.") from None
    if parts.scheme not in PORTS or not _HOST.fullmatch(host):
        raise Refusal("bad_webhook", (), "This is not a URL. It begins with https:// and a host.")
    if parts.username is not None or parts.password is not None:
        raise Refusal("bad_webhook", (), "The URL of a webhook contains no user name and no password.")
    port = port or PORTS[parts.scheme]
    allowed = {known.casefold() for known in allowed_hosts}
    is_allowed = f"{host}:{port}" in allowed or (host in allowed and port == PORTS[parts.scheme])
    if not is_allowed and (parts.scheme, port) != ("https", 443):
        text = "A webhook needs https:// and port 443. The host of this server can allow other addresses."
        raise Refusal("bad_webhook", (), text)
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._") + (f"?{parts.query}" if parts.query else "")
    return WebhookTarget(host, port, path, parts.scheme == "https", is_allowed)


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet, as far as its number says."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inside = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if ip in _NAT64 or (int(ip) >> 32) & 0xFFFFFFFF in _ISATAP:
            inside = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inside is not None:
            return is_public(str(inside))
        if ip not in _GLOBAL_UNICAST:
            return False
    if any(ip in network for network in _NOT_ON_THE_INTERNET):
        return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_loopback or ip.is_link_local)


_lookups = threading.BoundedSemaphore(MOST_LOOKUPS)


async def resolve_host(host: str, port: int) -> list[str]:
    """Return the addresses of a host. Raises: OSError.

    Each name has a thread of its own: players choose the names, and bots need the threads that all share.
    """
    if not _lookups.acquire(blocking=False):
        raise OSError(0, "too many names are being looked up; try again later")
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[str]] = loop.create_future()

    def settle(addresses: list[str], error: OSError | None) -> None:
        if answer.done():
            return
        if error is None:
            answer.set_result(addresses)
        else:
            answer.set_exception(error)

    def look_up() -> None:
        found: list[str] = []
        failure: OSError | None = None
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found = list(dict.fromkeys(str(address[0]) for *_, address in rows))
        except OSError as error:
            failure = error
        except UnicodeError:
            failure = OSError(0, f"{host} is not a name")
        finally:
            _lookups.release()
        with suppress(RuntimeError):  # the server has stopped meanwhile
            loop.call_soon_threadsafe(settle, found, failure)

    threading.Thread(target=look_up, daemon=True).start()
    return await answer


async def checked_address(target: WebhookTarget, resolve: Resolve = resolve_host) -> str:
    """Return the address to connect to.

    Raises: Refusal `private_address` if an address of the host is not public and the host is not allowed; OSError.
    """
    addresses = await resolve(target.host, target.port)
    if not addresses:
        raise OSError(0, f"{target.host} has no address")
    if not target.is_allowed and not all(map(is_public, addresses)):
        text = f"{target.host} is not a public address. The host of this server can allow it."
        raise Refusal("private_address", (), text)
    return addresses[0]


async def post(
    target: WebhookTarget,
    body: bytes,
    headers: Mapping[str, str],
    resolve: Resolve = resolve_host,
    tls: ssl.SSLContext | None = None,
) -> int:
    """Send a POST request and return the status of the response. Redirects are not followed.

    Args: the target; body and headers; resolves names; the TLS settings (default: the certificates of the system).
    Raises: Refusal as `checked_address`; OSError; TimeoutError.
    """
    async with asyncio.timeout(TIMEOUT_S):
        address = await checked_address(target, resolve)
        context = (tls or ssl.create_default_context()) if target.has_tls else None
        reader, writer = await asyncio.open_connection(
            address, target.port, ssl=context, server_hostname=target.host if context else None
        )
        try:
            host = f"[{target.host}]" if ":" in target.host else target.host
            default = target.port == PORTS["https" if target.has_tls else "http"]
            lines = [
                f"POST {target.path} HTTP/1.1",
                f"Host: {host}" + ("" if default else f":{target.port}"),
                "User-Agent: paxtui",
                "Connection: close",
                f"Content-Length: {len(body)}",
                *(f"{name}: {value}" for name, value in headers.items()),
            ]
            writer.write("\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + body)
            await writer.drain()
            try:
                version, status, *_ = (await reader.readline()).split()
            except ValueError:
                raise OSError(0, f"{target.host} does not answer like a web server") from None
            if not version.startswith(b"HTTP/1.") or not status.isdigit() or len(status) != 3:
                raise OSError(0, f"{target.host} does not answer like a web server")
            return int(status)
        finally:
            writer.close()


class WebhookMessage(NamedTuple):
    """What a webhook gets.

    Attributes:
        title: the game, in a few words.
        text: what waits, in one line.
        fields: the same for programs, for the format `json`.
    """

    title: str
    text: str
    fields: Mapping[str, object]


def encode_message(message: WebhookMessage, format_: WebhookFormat) -> tuple[bytes, dict[str, str]]:
    """Return body and headers of a message in a format."""
    json = {"Content-Type": "application/json"}
    if format_ == "ntfy":
        title = message.title if message.title.isascii() else Header(message.title, "utf-8", maxlinelen=10_000).encode()
        return message.text.encode(), {"Content-Type": "text/plain; charset=utf-8", "Title": title}
    if format_ == "discord":
        text = _without_markup(message.text, "\\`*_~|>[]()#@<")
        return msgspec.json.encode({"content": text, "allowed_mentions": {"parse": []}}), json
    if format_ == "slack":
        text = message.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return msgspec.json.encode({"text": text}), json
    return msgspec.json.encode({**message.fields, "text": message.text}), json


def _without_markup(text: str, marks: str) -> str:
    return "".join(f"\\{c}" if c in marks else c for c in text)


SIGNATURE, TIMESTAMP = "X-Paxtui-Signature", "X-Paxtui-Timestamp"


def sign(secret: str, body: bytes, now_s: float | None = None) -> dict[str, str]:
    """Return the headers that sign a body: HMAC-SHA256 of "timestamp.body". Args: the time in seconds since 1970."""
    stamp = str(int(time.time() if now_s is None else now_s))
    mark = hmac.new(secret.encode(), stamp.encode() + b"." + body, sha256).hexdigest()
    return {TIMESTAMP: stamp, SIGNATURE: f"sha256={mark}"}
