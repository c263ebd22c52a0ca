"""Addresses of visitors behind a proxy: the PROXY protocol, versions 1 and 2, and X-Forwarded-For.

Only proxies that the host trusts are believed. The specification of the PROXY protocol:
https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple

HEADER_S, POLL_S = 5.0, 0.02
"""Time for a proxy to send its header; and how often an incomplete one is looked at, in seconds."""

MOST_WAITING = 128
"""Maximum number of connections whose header has not arrived; for one more the oldest is closed."""

BACKLOG = 128
"""Number of connections that the system accepts before the server does."""

ACCEPT_AGAIN_S = 1.0
"""Pause after the system could not accept a connection, as without free descriptors, in seconds."""

SIGNATURE = b"\r\n\r\n\x00\r\nQUIT\n"
"""The first bytes of a header of version 2."""

LONGEST_LINE, LONGEST_HEADER = 107, 1024
"""Maximum length of a header of version 1; and of one of version 2 that is accepted, in bytes."""

_LINE_START = b"PROXY "
_FIXED = len(SIGNATURE) + 4
_ADDRESS_LENGTHS = {0x1: 4, 0x2: 16}
_LINE_FAMILIES: dict[bytes, type[IPv4Address | IPv6Address]] = {b"TCP4": IPv4Address, b"TCP6": IPv6Address}
_LINE_FIELDS, _MOST_PORT = 6, 65535


class MalformedHeader(ValueError):
    """A connection of a trusted proxy begins with a malformed header of the PROXY protocol."""


class ProxyHeader(NamedTuple):
    """A header of the PROXY protocol.

    Attributes:
        address: the address of the visitor; "" if the connection is one of the proxy itself.
        length: the length of the header, in bytes.
    """

    address: str
    length: int


def is_header(data: bytes) -> bool:
    """Whether data may begin with a header. Args: the first bytes, at least one."""
    return any(start.startswith(data[: len(start)]) for start in (_LINE_START, SIGNATURE))


def parse_header(data: bytes) -> ProxyHeader | None:
    """Parse the header at the beginning of some data; None if more data is needed.

    Raises: MalformedHeader. No bytes raise any other exception.
    """
    if not data:
        return None
    if not is_header(data):
        raise MalformedHeader("there is no header")
    return _parse_line(data) if data[:1] == _LINE_START[:1] else _parse_binary(data)


def _parse_line(data: bytes) -> ProxyHeader | None:
    line, end, _ = data[:LONGEST_LINE].partition(b"\r\n")
    if not end:
        if len(data) >= LONGEST_LINE:
            raise MalformedHeader("the line is too long")
        return None
    length = len(line) + len(end)
    fields = line.split(b" ")
    if fields[1] == b"UNKNOWN":
        return ProxyHeader("", length)
    family = _LINE_FAMILIES.get(fields[1])
    if family is None or len(fields) != _LINE_FIELDS or not all(map(_is_port, fields[4:])):
        raise MalformedHeader("the line has wrong fields")
    try:
        address, _ = (family(field.decode("ascii")) for field in fields[2:4])
    except ValueError:
        raise MalformedHeader("the line has a wrong address") from None
    return ProxyHeader(_plain(address), length)


def _is_port(field: bytes) -> bool:
    return field.isdigit() and len(field) <= len(str(_MOST_PORT)) and int(field) <= _MOST_PORT


def _parse_binary(data: bytes) -> ProxyHeader | None:
    if len(data) < _FIXED:
        return None
    command, family = data[len(SIGNATURE)], data[len(SIGNATURE) + 1]
    length = _FIXED + int.from_bytes(data[_FIXED - 2 : _FIXED], "big")
    if command not in (0x20, 0x21):
        raise MalformedHeader("the header has another version or command")
    if length > LONGEST_HEADER:
        raise MalformedHeader("the header is too long")
    if len(data) < length:
        return None
    size = _ADDRESS_LENGTHS.get(family >> 4)
    if command == 0x20 or size is None:  # LOCAL, or neither IPv4 nor IPv6
        return ProxyHeader("", length)
    if family & 0xF != 0x1:
        raise MalformedHeader("the header is not of a TCP connection")
    if length < _FIXED + 2 * size + 4:
        raise MalformedHeader("the header is too short")
    return ProxyHeader(_plain(ip_address(data[_FIXED : _FIXED + size])), length)


def _plain(address: IPv4Address | IPv6Address) -> str:
    """Return an address in its usual form: one of IPv4 within IPv6 as IPv4, and no zone."""
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or IPv6Address(int(address)))
    return str(address)


class TrustedProxies:
    """The proxies that the host trusts.

    Args:
        texts: addresses and networks such as `10.0.0.0/8`.

    Raises:
        ValueError: a text is neither; it names the text.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._networks = [ip_network(text.strip(), strict=False) for text in texts]

    def __bool__(self) -> bool:
        return bool(self._networks)

    def __contains__(self, address: str) -> bool:
        try:
            found = ip_address(plain_address(address))
        except ValueError:
            return False
        return any(found in network for network in self._networks)

    def forwarded_for(self, header: str, peer: str) -> str:
        """Return the address of a visitor: the last one of X-Forwarded-For that is not of a trusted proxy.

        Args: the header, "" for none; the address of the proxy, which is returned if the header is malformed.
        """
        for text in reversed(header.split(",")):
            address = plain_address(text.strip())
            if not address:
                return peer
            if address not in self:
                return address
        return peer


def plain_address(text: str) -> str:
    """Return an address in its usual form; "" if a text is not one."""
    try:
        return _plain(ip_address(text))
    except ValueError:
        return ""


class ProxyListener:
    """Accepts connections, and reads the header of those that come from a trusted proxy.

    Args:
        trusted: the proxies.
        protocol: makes the protocol of a connection from its socket and the address of the visitor.
        is_required: whether a connection of a trusted proxy without a header is closed. Else it has the address "".
        report: callback with the reason for each connection that is closed.
        tls: the TLS settings of the connections; None for none.
    """

    def __init__(
        self,
        trusted: TrustedProxies,
        protocol: Callable[[socket.socket, str], asyncio.BaseProtocol],
        is_required: bool,
        report: Callable[[str], None],
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._trusted, self._protocol, self._is_required, self._report = trusted, protocol, is_required, report
        self._tls = tls
        self._waiting: dict[socket.socket, asyncio.Task[None]] = {}
        self._accepted: set[asyncio.Task[None]] = set()
        self._socket: socket.socket | None = None

    @property
    def sockets(self) -> tuple[socket.socket, ...]:
        """The listening socket."""
        return (self._socket,) if self._socket is not None else ()

    def listen(self, address: str, port: int) -> int:
        """Start to accept connections and return the port. Raises: OSError."""
        both = not address and socket.has_dualstack_ipv6()
        family = socket.AF_INET6 if both or ":" in address else socket.AF_INET
        self._socket = socket.create_server((address, port), family=family, backlog=BACKLOG, dualstack_ipv6=both)
        self._socket.setblocking(False)
        asyncio.get_running_loop().add_reader(self._socket, self._accept_all)
        return int(self._socket.getsockname()[1])

    def close(self) -> None:
        """Stop accepting connections."""
        if self._socket is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()
            self._socket = None
        for task in tuple(self._waiting.values()):
            task.cancel()

    def _accept_all(self) -> None:
        for _ in range(BACKLOG):
            if self._socket is None:
                return
            try:
                connection, peer = self._socket.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:  # no free descriptor: the connection waits
                loop = asyncio.get_running_loop()
                loop.remove_reader(self._socket)
                loop.call_later(ACCEPT_AGAIN_S, self._accept_again)
                return
            connection.setblocking(False)
            address = plain_address(str(peer[0]).partition("%")[0])
            if address in self._trusted:
                self._wait_for_header(connection, address)
            else:
                self._accept(connection, address)

    def _accept(self, connection: socket.socket, visitor: str) -> None:
        task = asyncio.get_running_loop().create_task(self._connect(connection, visitor))
        self._accepted.add(task)
        task.add_done_callback(self._accepted.discard)

    async def _connect(self, connection: socket.socket, visitor: str) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.connect_accepted_socket(lambda: self._protocol(connection, visitor), connection, ssl=self._tls)
        except OSError:  # ssl.SSLError is one
            connection.close()

    def _accept_again(self) -> None:
        if self._socket is not None:
            asyncio.get_running_loop().add_reader(self._socket, self._accept_all)

    def _wait_for_header(self, connection: socket.socket, peer: str) -> None:
        if len(self._waiting) >= MOST_WAITING:
            next(iter(self._waiting.values())).cancel()
        task = asyncio.get_running_loop().create_task(self._read_header(connection, peer))
        self._waiting[connection] = task
        task.add_done_callback(lambda done: self._waiting.pop(connection, None))

    async def _read_header(self, connection: socket.socket, peer: str) -> None:
        """Read the header and pass the connection on; close it if there is none in time."""
        try:
            async with asyncio.timeout(HEADER_S):
                address = await self._address(connection, peer)
        except (MalformedHeader, TimeoutError, OSError):
            self._report("malformed proxy header")
            connection.close()
        except asyncio.CancelledError:
            self._report("without a proxy header")
            connection.close()
            raise
        else:
            self._accept(connection, address)

    async def _address(self, connection: socket.socket, peer: str) -> str:
        """Read a header and nothing else. Raises: MalformedHeader, OSError."""
        while True:
            await _readable(connection)
            data = connection.recv(LONGEST_HEADER, socket.MSG_PEEK)
            if not data:
                raise MalformedHeader("the connection has ended")
            if not self._is_required and not is_header(data):
                return ""
            header = parse_header(data)
            if header is not None:
                connection.recv(header.length)
                return header.address or peer
            await asyncio.sleep(POLL_S)  # what was looked at stays readable


async def _readable(connection: socket.socket) -> None:
    """Wait until there is something to read."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()

    def wake() -> None:
        loop.remove_reader(connection)
        if not ready.done():
            ready.set_result(None)

    loop.add_reader(connection, wake)
    try:
        await ready
    finally:
        with suppress(ValueError):
            loop.remove_reader(connection)
