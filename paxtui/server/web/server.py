"""The web server: pages, cookies, and a WebSocket for each terminal."""

from __future__ import annotations

import asyncio
import logging
import secrets
import ssl
import time
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from aiohttp import web

from paxtui.engine.refusal import Refusal
from paxtui.server.client import ConnectionLost
from paxtui.server.client_process import ClientStarter, report_mistake
from paxtui.server.data_directory import DataDirectory
from paxtui.server.limits import ConnectionQuotas, RateLimit, network_of
from paxtui.server.proxy_protocol import ProxyListener, TrustedProxies, plain_address
from paxtui.server.web.cookies import COOKIE_LIFETIME_S, CookieSigner, Identity
from paxtui.server.web.pages import HSTS_HEADER, SECURITY_HEADERS, join_page, page, static_files
from paxtui.server.web.terminals import (
    CLOSE_S,
    HEARTBEAT_S,
    LOGIN,
    MAX_MESSAGE,
    REFUSED,
    BrowserSocket,
    BrowserTerminal,
    Client,
)

IDLE_CONNECTION_S, KEEPALIVE_S = 60, 15
"""Time after which a connection without a terminal is closed; and time between two requests, in seconds."""

LARGEST_FORM = 4096
"""Maximum size of a form, in bytes."""

LONGEST_HEADER = 4096
"""Maximum length of a request line or header, in bytes."""

KEEP_CLIENT_S = 120.0
"""Time for which a client waits for a browser that has lost its connection, in seconds."""

MOST_WAITING = 2
"""Maximum number of clients of one player that wait for a lost browser; the oldest ends."""

REQUESTS, FORMS, STARTS = (400, 0.05), (60, 2.0), (20, 3.0)
"""Requests and forms of a player or address, and new clients of a player: how many at once, seconds for one more."""

TOO_MANY_S = 1.0
"""Delay of the answer to one request too many, in seconds."""

_THIS_MACHINE = TrustedProxies(("127.0.0.0/8", "::1"))

ENVIRONMENT = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
"""Environment of clients in browsers."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Backend(Protocol):
    """What the server shows: hosted games, or the program of one player."""

    keep_s: float | None
    asks_name: bool

    async def redeem(self, key: str, code: str, name: str, address: str) -> None:
        """Give a seat to a key. Raises: Refusal, ConnectionLost."""

    async def device_code(self, key: str) -> str:
        """Return a code that gives the seats of a key to another one. Raises: Refusal, ConnectionLost."""

    async def is_player(self, key: str) -> bool:
        """Whether a key has or had a seat. Raises: Refusal, ConnectionLost."""

    async def start(self, key: str, size: tuple[int, int]) -> Client:
        """Start a client. Raises: Refusal `no_seat`: the key has no seat; ConnectionLost, OSError."""

    async def admits(self, key: str) -> bool:
        """Whether a key may still use its running client. Raises: Refusal, ConnectionLost."""

    def report(self, reason: str) -> None:
        """Count a refused or closed connection."""


class HubBackend:
    """The hosted games of a server.

    Args:
        data_directory: the data directory.
        forks: the socket of the fork server.
    """

    keep_s: float | None = KEEP_CLIENT_S
    asks_name = True

    def __init__(self, data_directory: DataDirectory, forks: Path) -> None:
        self._clients = ClientStarter(data_directory, forks)
        self.report = self._clients.report
        self.is_player = self._clients.is_player

    async def redeem(self, key: str, code: str, name: str, address: str) -> None:
        """Redeem a code, or register a visitor without one. Raises: Refusal, ConnectionLost."""
        if code:
            await self._clients.redeem(key, code, name, address)
        elif await self._clients.find_place(key, name) is None:
            raise _no_seat()

    async def device_code(self, key: str) -> str:
        """Return a code that adds a key to the player of another one. Raises: Refusal, ConnectionLost."""
        return str((await self._clients.ask_hub("key_code", key=key))["code"])

    async def admits(self, key: str) -> bool:
        """Whether a key has a seat or may use the lobby."""
        try:
            return await self._clients.find_place(key) is not None
        except Refusal:
            return False

    async def start(self, key: str, size: tuple[int, int]) -> Client:
        """Start a client in the player's game or in the lobby."""
        place = await self._clients.find_place(key)
        if place is None:
            raise _no_seat()
        player, game, seat = place
        return await self._clients.start(player, (game, seat), size, ENVIRONMENT)


def _no_seat() -> Refusal:
    return Refusal("no_seat", (), "You have no seat here. Ask the host for an invitation.")


class GuardedConnection(asyncio.Protocol):
    """A TCP connection that counts in the quotas.

    Args: the quotas; the protocol of aiohttp; where to register; the address, None for that of the peer.
    """

    def __init__(
        self,
        quotas: ConnectionQuotas,
        protocol: asyncio.Protocol,
        register: dict[asyncio.BaseTransport, GuardedConnection],
        address: str | None = None,
    ) -> None:
        self._quotas, self._protocol, self._register = quotas, protocol, register
        self._given = address
        self.address = self.key = ""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection and start its timeout."""
        if isinstance(transport, asyncio.Transport):
            self._transport = transport
        peer = transport.get_extra_info("peername")
        self.address = self._given if self._given is not None else str(peer[0]) if peer else ""
        self._register[transport] = self
        self._quotas.connect(self)
        asyncio.get_running_loop().call_later(IDLE_CONNECTION_S, self._expire)
        self._protocol.connection_made(transport)

    def _expire(self) -> None:
        if self in self._quotas.silent:
            self.cut_off()

    def cut_off(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.abort()

    def begin_session(self, key: str, is_player: bool) -> str:
        """Count the connection with a key. Returns: the reason for a refusal, else ""."""
        self.key = key
        self._quotas.show_key(self)
        return self._quotas.begin_session(self, is_player)

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection from the quotas."""
        self._quotas.disconnect(self, bool(self.key))
        if self._transport is not None:
            self._register.pop(self._transport, None)
        self._protocol.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._protocol.data_received(data)

    def eof_received(self) -> bool | None:
        """Pass the end on."""
        return self._protocol.eof_received()

    def pause_writing(self) -> None:
        """Pass backpressure on."""
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        """Pass the end of backpressure on."""
        self._protocol.resume_writing()


class WebServer:
    """The web server.

    Args:
        backend: what it shows.
        signer: signs the cookies.
        public_url: the address that players type, if a proxy on this machine passes requests on; "" for none.
        tls: certificate and key; None for plain HTTP.
        trusted: proxies that report the address of each visitor, by the PROXY protocol or by X-Forwarded-For.
    """

    def __init__(
        self,
        backend: Backend,
        signer: CookieSigner,
        public_url: str = "",
        tls: ssl.SSLContext | None = None,
        trusted: TrustedProxies | None = None,
    ) -> None:
        self._backend, self._signer, self._tls = backend, signer, tls
        self._trusted = trusted or TrustedProxies()
        self._public = urlsplit(public_url.rstrip("/"))
        self._port = 0
        self._connections: dict[asyncio.BaseTransport, GuardedConnection] = {}
        self._terminals: dict[str, BrowserTerminal] = {}
        self.quotas = ConnectionQuotas(backend.report)
        self._requests, self._forms, self._starts = (
            RateLimit(limit, interval_s, time.monotonic) for limit, interval_s in (REQUESTS, FORMS, STARTS)
        )
        app = web.Application(client_max_size=LARGEST_FORM, middlewares=[self._answer_errors])
        app.on_response_prepare.append(self._add_headers)
        app.add_routes(
            [
                web.get("/", self._show_terminal),
                web.get("/join", self._show_join),
                web.post("/join", self._join),
                web.get("/device", self._show_device),
                web.post("/device", self._add_device),
                web.get("/ws", self._open_socket),
                web.get("/static/{name}", self._send_file),
            ]
        )
        logging.getLogger("aiohttp").addHandler(logging.NullHandler())  # its messages may quote requests
        self._runner = web.AppRunner(
            app,
            access_log=None,
            handle_signals=False,
            keepalive_timeout=KEEPALIVE_S,
            max_line_size=LONGEST_HEADER,
            max_field_size=LONGEST_HEADER,
            handler_cancellation=True,
            shutdown_timeout=1,
        )
        self._server: asyncio.Server | ProxyListener | None = None

    # --- starting and stopping ----------------------------------------------------------------------------------------

    async def listen(self, address: str, port: int) -> int:
        """Start to accept connections and return the port. Raises: OSError."""
        static_files()
        if self._runner.server is None:
            await self._runner.setup()
        server = self._runner.server
        assert server is not None

        def protocol(accepted: object = None, visitor: str | None = None) -> asyncio.Protocol:
            return GuardedConnection(self.quotas, server(), self._connections, visitor)

        if self._trusted:
            self._server = ProxyListener(self._trusted, protocol, False, self._backend.report, self._tls)
            self._port = self._server.listen(address, port)
        else:
            loop = asyncio.get_running_loop()
            self._server = await loop.create_server(protocol, address or None, port, ssl=self._tls, backlog=128)
            self._port = int(self._server.sockets[0].getsockname()[1])
        return self._port

    async def close(self) -> None:
        """Stop accepting connections, and end the clients."""
        if self._server is not None:
            self._server.close()
        for terminal in tuple(self._terminals.values()):
            terminal.end()
        for connection in tuple(self._connections.values()):
            connection.cut_off()
        await self._runner.cleanup()

    # --- requests -------------------------------------------------------------------------------------------------

    async def _add_headers(self, request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(SECURITY_HEADERS)
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers["Server"] = "paxtui"
        if self._is_secure:
            response.headers.update(HSTS_HEADER)

    @web.middleware
    async def _answer_errors(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer an internal error with a number: no game data may reach the visitor or the log."""
        try:
            await self._check_rate(request)
            return await handler(request)
        except web.HTTPException as answer:
            return web.Response(status=answer.status, text=f"{answer.status} {answer.reason}", headers=_allowed(answer))
        except ConnectionLost:
            return web.Response(status=HTTPStatus.SERVICE_UNAVAILABLE, text="The server is restarting. Try again.")
        except (ConnectionError, asyncio.CancelledError):
            raise
        except UnicodeError:  # bytes in a form or header that are no text
            return web.Response(status=HTTPStatus.BAD_REQUEST, text="400 Bad Request")
        except Exception as error:
            text = f"Internal error, number {report_mistake(error)}. The game is safe."
            return web.Response(status=HTTPStatus.INTERNAL_SERVER_ERROR, text=text)

    async def _check_rate(self, request: web.Request) -> None:
        """Count a request of a player, or of the address of a visitor. Raises: HTTPTooManyRequests, after a while."""
        identity = self._identity(request)
        who = identity.key if identity else network_of(self._address(request))
        for limit in (self._requests, *((self._forms,) if request.method == "POST" else ())):
            if limit.wait_s(who):
                self._backend.report("too many requests")
                await asyncio.sleep(TOO_MANY_S)
                raise web.HTTPTooManyRequests
            limit.use(who)

    @property
    def _is_secure(self) -> bool:
        return self._tls is not None or self._public.scheme == "https"

    @property
    def _cookie_name(self) -> str:
        """Name of the cookie. Cookies do not know ports, so that servers on one machine need different names."""
        return "__Host-paxtui" if self._is_secure else f"paxtui-{self._port}"

    def _identity(self, request: web.Request) -> Identity | None:
        """Return the owner of the cookie of a request."""
        return self._signer.read(request.cookies.get(self._cookie_name, ""), time.time())

    def _set_cookie(self, response: web.Response, identity: Identity) -> None:
        response.set_cookie(
            self._cookie_name,
            self._signer.write(identity),
            max_age=identity.until - int(time.time()),
            httponly=True,
            samesite="Lax",
            secure=self._is_secure,
            path="/",
        )

    def _is_own_origin(self, request: web.Request) -> bool:
        """Whether a page of this server sent a request."""
        origin = urlsplit(request.headers.get("Origin", ""))
        if self._public.netloc:
            return (origin.scheme, origin.netloc) == (self._public.scheme, self._public.netloc)
        scheme = "http" if self._tls is None else "https"
        return bool(origin.netloc) and (origin.scheme, origin.netloc) == (scheme, request.headers.get("Host", ""))

    def _address(self, request: web.Request) -> str:
        """Return the address of the visitor: that of the connection, or the one that a proxy reports for it."""
        connection = self._connections.get(request.transport) if request.transport is not None else None
        given, peer = connection.address if connection else "", plain_address(request.remote or "")
        if given and given != peer:
            return given  # by the PROXY protocol
        proxies = self._trusted if peer in self._trusted else _THIS_MACHINE if self._public.netloc else None
        if proxies is None or peer not in proxies:
            return peer
        # some proxies add a second header to that of the visitor
        return proxies.forwarded_for(",".join(request.headers.getall("X-Forwarded-For", ())), peer)

    # --- pages ----------------------------------------------------------------------------------------------------

    async def _send_file(self, request: web.Request) -> web.StreamResponse:
        file = static_files().get(request.match_info["name"])
        if file is None:
            raise web.HTTPNotFound
        headers = {"ETag": file.etag, "Cache-Control": "no-cache", "Content-Type": file.type, "Vary": "Accept-Encoding"}
        if request.headers.get("If-None-Match") == file.etag:
            return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
        if file.packed is not file.data and "gzip" in request.headers.get("Accept-Encoding", ""):
            return web.Response(body=file.packed, headers={**headers, "Content-Encoding": "gzip"})
        return web.Response(body=file.data, headers=headers)

    async def _show_terminal(self, request: web.Request) -> web.StreamResponse:
        """Show the terminal to the owner of a cookie, and renew the cookie; others get the page for the code."""
        identity = self._identity(request)
        if identity is None:
            return web.Response(status=HTTPStatus.SEE_OTHER, headers={"Location": "/join"})
        response = web.Response(text=page("terminal"), content_type="text/html")
        if identity.until - time.time() < COOKIE_LIFETIME_S / 2:
            self._set_cookie(response, self._signer.renew(identity.id, time.time()))
        return response

    async def _show_join(self, request: web.Request) -> web.StreamResponse:
        asks_name = self._backend.asks_name and self._identity(request) is None
        return web.Response(text=join_page(asks_name), content_type="text/html")

    async def _join(self, request: web.Request) -> web.StreamResponse:
        """Redeem a code, and give the browser a cookie if it has none."""
        if not self._is_own_origin(request):
            raise web.HTTPForbidden
        form = await request.post()
        code, name = (str(form.get(field, ""))[:LONGEST_FIELD] for field in ("code", "name"))
        identity = self._identity(request) or self._signer.new(time.time())
        try:
            await self._backend.redeem(identity.key, code, name, self._address(request))
        except Refusal as refusal:
            return web.Response(status=HTTPStatus.FORBIDDEN, text=refusal.message)
        response = web.Response(status=HTTPStatus.NO_CONTENT)
        self._set_cookie(response, identity)
        return response

    async def _show_device(self, request: web.Request) -> web.StreamResponse:
        return web.Response(text=page("device"), content_type="text/html")

    async def _add_device(self, request: web.Request) -> web.StreamResponse:
        """Return a code that adds another browser to the player."""
        identity = self._identity(request)
        if identity is None or not self._is_own_origin(request):
            raise web.HTTPForbidden
        try:
            return web.Response(text=await self._backend.device_code(identity.key))
        except Refusal as refusal:
            return web.Response(status=HTTPStatus.FORBIDDEN, text=refusal.message)

    # --- terminals ------------------------------------------------------------------------------------------------

    async def _open_socket(self, request: web.Request) -> web.StreamResponse:
        """Connect a browser with its client."""
        identity = self._identity(request)
        if not self._is_own_origin(request):
            raise web.HTTPForbidden
        response = web.WebSocketResponse(
            heartbeat=HEARTBEAT_S, max_msg_size=MAX_MESSAGE, compress=False, timeout=CLOSE_S, autoping=False
        )
        if not request.headers.get("Sec-WebSocket-Key", "").isascii() or not response.can_prepare(request):
            raise web.HTTPBadRequest
        await response.prepare(request)
        socket = BrowserSocket(request, response)
        try:
            if identity is None:
                await socket.close(LOGIN)
            else:
                await self._serve(request, socket, identity.key)
        except Refusal as refusal:
            await socket.close(LOGIN if refusal.code == "no_seat" else REFUSED, refusal.message)
        except (ConnectionLost, OSError):
            socket.abort()  # the browser tries again
        return response

    async def _serve(self, request: web.Request, socket: BrowserSocket, key: str) -> None:
        connection = self._connections.get(request.transport) if request.transport is not None else None
        if connection is None:
            return
        connection.address = self._address(request)  # a proxy keeps connections for several visitors
        refused = connection.begin_session(key, await self._backend.is_player(key))
        if refused:
            raise Refusal("too_many", (), refused)
        size = _number(request.query.get("width", ""), 80), _number(request.query.get("height", ""), 24)
        terminal = self._terminals.get(request.query.get("terminal", ""))
        if terminal is None or terminal.over or not secrets.compare_digest(terminal.key, key):
            received = -1
            if self._starts.wait_s(key):
                raise Refusal("too_fast", (), "You open the game too often. Try again in a minute.")
            self._starts.use(key)
            terminal = BrowserTerminal(key, await self._backend.start(key, size), size, self._backend.keep_s)
            self._keep(terminal)
        elif await self._backend.admits(key):
            received = _number(request.query.get("received", ""), -1)
        else:
            terminal.end()
            raise Refusal("no_seat", (), "You have no seat here any more.")
        await terminal.serve(socket, received, size)

    def _keep(self, new: BrowserTerminal) -> None:
        """Register a terminal; forget those that have ended, and end old ones of the player that nobody looks at."""
        self._terminals = {id_: terminal for id_, terminal in self._terminals.items() if not terminal.over}
        waiting = [t for t in self._terminals.values() if t.key == new.key and not t.is_shown]
        for terminal in waiting[: max(0, len(waiting) - MOST_WAITING + 1)]:
            terminal.end()
        self._terminals[new.id] = new


LONGEST_FIELD = 80
"""Maximum length of a field of a form, in characters."""


def _number(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else default


def _allowed(answer: web.HTTPException) -> dict[str, str]:
    """Return the headers that a refused method must have."""
    return {name: value for name, value in answer.headers.items() if name == "Allow"}


def tls_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return the TLS settings for a certificate. Raises: OSError, ssl.SSLError."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    return context
