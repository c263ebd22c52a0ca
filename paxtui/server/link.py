"""Connections between hubs: a hub passes a player to the hub that holds the game.

Both ends present the same certificate, which only the hubs of a server have, and accept no other. So each knows that
the other is a hub, and nobody else can read what they send.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from paxtui.server.messages import LENGTH_BYTES, MAX_HUB_MESSAGE, frame_message

CONNECT_S = 2.0
"""Time to connect to another hub, in seconds."""

ANSWER_S = 10.0
"""Time for the answer to a request, in seconds."""

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
"""Serves a connection until it ends."""


def make_link_key() -> bytes:
    """Return a new certificate with its private key, in PEM. Raises: ImportError without `cryptography`."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "paxtui hub")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=365 * 50))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)


class HubLink:
    """The connections of a hub with others.

    Args:
        key: file with certificate and private key.

    Raises:
        OSError: the file cannot be read.
    """

    def __init__(self, key: Path) -> None:
        self._server_context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._client_context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        for context in (self._server_context, self._client_context):
            context.minimum_version = ssl.TLSVersion.TLSv1_3
            context.check_hostname = False  # the certificate is the same for all hubs
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_cert_chain(key)
            context.load_verify_locations(key)
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[None]] = set()

    async def listen(self, address: str, port: int, serve: Serve) -> int:
        """Accept connections of other hubs; return the port. Raises: OSError."""

        async def receive(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(_finish(serve(reader, writer)))
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)

        self._server = await asyncio.start_server(receive, address, port, ssl=self._server_context)
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Accept no more connections, and end those of other hubs."""
        if self._server is not None:
            self._server.close()
            serving = tuple(self._serving)
            for task in serving:
                task.cancel()
            await asyncio.gather(*serving, return_exceptions=True)
            await self._server.wait_closed()

    async def _connect(self, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to another hub. Raises: OSError."""
        host, _, port = address.rpartition(":")
        if not port.isdecimal():
            raise OSError(f"{address!r} is not the address of a hub")
        connecting = asyncio.open_connection(host.strip("[]"), int(port), ssl=self._client_context)
        return await asyncio.wait_for(connecting, CONNECT_S)  # its TimeoutError is an OSError

    async def ask(self, address: str, message: bytes) -> bytes:
        """Send a request to another hub and return its answer with the length prefix. Raises: OSError."""
        reader, writer = await self._connect(address)
        try:
            writer.write(frame_message(message))
            async with asyncio.timeout(ANSWER_S):
                prefix = await reader.readexactly(LENGTH_BYTES)
                size = int.from_bytes(prefix, "big")
                if size > MAX_HUB_MESSAGE:
                    raise ConnectionError("the other hub sends too much")
                return prefix + await reader.readexactly(size)
        except asyncio.IncompleteReadError:
            raise ConnectionError("the other hub closed the connection") from None
        finally:
            writer.close()

    async def pass_on(
        self, address: str, begin: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Connect a client with another hub until one of them ends.

        Args: the hub; what the client has sent already; the client.
        Raises: OSError: the hub cannot be reached.
        """
        hub_reader, hub_writer = await self._connect(address)
        try:
            hub_writer.write(begin)
            pumps = [
                asyncio.create_task(_pump(reader, hub_writer)),
                asyncio.create_task(_pump(hub_reader, writer)),
            ]
            try:
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
        finally:
            hub_writer.close()


async def _finish(serving: Awaitable[None]) -> None:
    await serving


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send on what arrives, until the connection ends."""
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
