"""SSH server: public keys only, one session per connection, no forwarding, one exec command."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncssh

from paxtui.engine.refusal import Refusal
from paxtui.server.client import ConnectionLost
from paxtui.server.client_process import report_mistake
from paxtui.server.data_directory import DataDirectory
from paxtui.server.limits import ConnectionQuotas
from paxtui.server.proxy_protocol import ProxyListener, TrustedProxies
from paxtui.server.ssh_session import SessionSetup, Visitor

LOGIN_TIMEOUT_S, KEEPALIVE_S, MOST_MISSED_KEEPALIVES = 20, 30, 4
"""Login timeout in seconds; keepalive interval in seconds; number of unanswered keepalives allowed."""


SESSION_TIMEOUT_S = 30
"""Time after which a connection without a session is closed, in seconds."""

FAREWELL_S = 5
"""Time to deliver the last output before a connection is closed, in seconds."""

NO_KEY = """
This server knows players by their SSH key, and your ssh has shown none.
To make a key, run this on your computer, and press Enter at each question:

  ssh-keygen -t ed25519

Then connect again.
"""

STOPPED = (
    "The server has stopped. Every confirmed order is saved; an order without an answer may be, or may not.\r\n"
    "Connect again when the host has restarted the server.\r\n"
)


class SshServer:
    """The SSH server.

    Args:
        data_directory: the data directory.
        forks: the socket of the fork server.
        shares_address: whether all visitors come from one address, through a tunnel. Limits then count keys instead.
        trusted: proxies, which must send the address of each visitor by the PROXY protocol.
    """

    def __init__(
        self,
        data_directory: DataDirectory,
        forks: Path,
        shares_address: bool = False,
        trusted: TrustedProxies | None = None,
    ) -> None:
        self.shares_address = shares_address
        self._trusted = trusted or TrustedProxies()
        self._addresses: dict[object, str] = {}  # of visitors behind proxies, by the name of the peer
        self.data_directory = data_directory
        self.reception = SessionSetup(data_directory, forks)
        self.admission = ConnectionQuotas(self.reception.clients.report)
        self.sessions: set[asyncio.Task[Any]] = set()
        self.closing = False
        self._server: asyncssh.SSHAcceptor | None = None

    async def listen(self, address: str, port: int) -> int:
        """Start to accept connections and return the port. Raises: OSError."""
        key = load_host_key(self.data_directory)
        os.environ.setdefault("HOME", str(self.data_directory.root))  # asyncssh asks for it; a service may have none
        self._server = await asyncssh.create_server(
            lambda: SshConnection(self),
            address or None,
            port,
            server_host_keys=[key],
            encoding=None,
            line_editor=False,
            agent_forwarding=False,
            x11_forwarding=False,
            allow_scp=False,
            login_timeout=LOGIN_TIMEOUT_S,
            keepalive_interval=KEEPALIVE_S,
            keepalive_count_max=MOST_MISSED_KEEPALIVES,
            encryption_algs=["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com"],
            compression_algs=["none"],
            gss_host=None,
            server_version="paxtui",
            tunnel=self if self._trusted else (),
        )
        return self._server.get_port()

    def address_of(self, peer: tuple[Any, ...] | None) -> str:
        """Return the address of a visitor, "" if it is unknown. Args: the name of the peer of a new connection."""
        address = self._addresses.pop(peer, str(peer[0])) if peer else ""
        return "" if self.shares_address else address

    async def create_server(
        self, factory: Callable[[str, int], asyncio.BaseProtocol], address: str, port: int
    ) -> ProxyListener:
        """Accept connections with headers of the PROXY protocol: asyncssh takes this object for a tunnel.

        Args: makes the protocol of a connection; where to listen.
        Raises: OSError.
        """

        def protocol(connection: socket.socket, visitor: str) -> asyncio.BaseProtocol:
            self._addresses[connection.getpeername()] = visitor
            return factory(visitor, 0)

        listener = ProxyListener(self._trusted, protocol, True, self.reception.clients.report)
        listener.listen(address, port)
        return listener

    async def close(self) -> None:
        """Stop accepting connections, and end the open ones with a message."""
        self.closing = True
        if self._server is not None:
            self._server.close()
        for session in tuple(self.sessions):
            session.cancel()
        if self.sessions:
            await asyncio.wait(self.sessions, timeout=FAREWELL_S)


class SshConnection(asyncssh.SSHServer):
    """An SSH connection with its key and its only session."""

    def __init__(self, front: SshServer) -> None:
        self._front = front
        self.key = self.address = ""
        self._sits = self._shown = self._told = False
        self._connection: asyncssh.SSHServerConnection | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Register the connection and start the session timeout."""
        self._connection = conn
        self.address = self._front.address_of(conn.get_extra_info("peername"))
        self._front.admission.connect(self)
        asyncio.get_running_loop().call_later(SESSION_TIMEOUT_S, self._expire)

    def _expire(self) -> None:
        if self in self._front.admission.silent:
            self._front.reception.clients.report("without a session")
            self.cut_off()

    def cut_off(self) -> None:
        """Close the connection to make room for others."""
        if self._connection is not None:
            self._connection.abort()

    def auth_completed(self) -> None:
        """Count the key."""
        self._front.admission.show_key(self)
        self._shown = True

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection from the quotas."""
        self._front.admission.disconnect(self, self._shown)

    # --- authentication -------------------------------------------------------------------------------------------

    def begin_auth(self, username: str) -> bool:
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def password_auth_supported(self) -> bool:
        return False

    def kbdint_auth_supported(self) -> bool:
        """Allow keyboard-interactive, only to explain how to make a key; it never logs in."""
        return True

    def get_kbdint_challenge(
        self, username: str, lang: str, submethods: str
    ) -> bool | tuple[str, str, str, Sequence[tuple[str, bool]]]:
        """Explain once per connection how to make a key: ssh asks for this only when it has no key."""
        has_told, self._told = self._told, True
        return False if has_told else ("", NO_KEY, "", [])

    def validate_kbdint_response(self, username: str, responses: Sequence[str]) -> bool:
        """Refuse: keys only."""
        return False

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Accept any key; unknown keys are asked for an invitation code."""
        self.key = key.export_public_key().decode().strip()
        return True

    # --- channels -------------------------------------------------------------------------------------------------

    def session_requested(self) -> asyncssh.SSHServerProcess[bytes] | bool:
        """Allow one session per connection."""
        if self._sits:
            return False
        self._sits = True
        return asyncssh.SSHServerProcess(self._serve, None, 3, False)

    def connection_requested(self, dest_host: str, dest_port: int, orig_host: str, orig_port: int) -> bool:
        """Refuse port forwarding."""
        return False

    def server_requested(self, listen_host: str, listen_port: int) -> bool:
        """Refuse reverse port forwarding."""
        return False

    async def _serve(self, process: asyncssh.SSHServerProcess[bytes]) -> None:
        """Run the session; an internal error is reported in a sentence and ends only this connection."""
        code = 1
        task = asyncio.current_task()
        if task is not None:
            self._front.sessions.add(task)
            task.add_done_callback(self._front.sessions.discard)
        try:
            reception, admission = self._front.reception, self._front.admission
            refused = admission.begin_session(self, await reception.clients.is_player(self.key))
            if refused:
                raise Refusal("too_many", (), refused)
            visitor = Visitor(process, self.key, self.address or self.key)
            code = await reception.receive(visitor, lambda: admission.promote(self))
        except (Refusal, ConnectionLost) as error:
            process.stderr.write(f"{error}\n".replace("\n", "\r\n").encode())
        except asyncio.CancelledError:
            if self._front.closing:
                process.stderr.write(STOPPED.encode())
        except (ConnectionError, asyncssh.Error):
            pass
        except Exception as error:  # an internal error: no game data may reach the visitor or the log
            number = report_mistake(error)
            process.stderr.write(f"Internal error, number {number}. The game is safe.\r\n".encode())
        finally:
            if not process.is_closing():
                process.exit(code)
            with suppress(asyncio.TimeoutError, asyncssh.Error, ConnectionError):
                await asyncio.wait_for(process.wait_closed(), FAREWELL_S)  # deliver the last output
            if self._connection is not None:
                self._connection.close()


def load_host_key(data_directory: DataDirectory) -> asyncssh.SSHKey:
    """Load the host key; create it if missing. Raises: OSError."""
    path = data_directory.host_key
    if not path.exists():
        asyncssh.generate_private_key("ssh-ed25519", comment="paxtui").write_private_key(str(path))
        path.chmod(0o600)
    return asyncssh.read_private_key(str(path))


def host_fingerprint(data_directory: DataDirectory) -> str:
    """Return the fingerprint of the host key, which players compare on their first connection."""
    return load_host_key(data_directory).get_fingerprint()
