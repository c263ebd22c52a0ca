"""A web server in the process of the test, with a client that repeats its input."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from paxtui.engine.refusal import Refusal
from paxtui.server.client_process import PseudoTerminal
from paxtui.server.web.cookies import CookieSigner
from paxtui.server.web.server import WebServer

CODE = "ABCD-EFGH-JKLM"
SECRET = "the plan of France"


class Echo:
    """A client that writes a greeting, and then repeats its input."""

    def __init__(self, terminal: PseudoTerminal) -> None:
        self.terminal = terminal
        self._ended = asyncio.Event()
        self._device = os.dup(terminal._other)
        os.set_blocking(self._device, False)
        asyncio.get_running_loop().add_reader(self._device, self._repeat)
        self.draw(b"hello")

    def draw(self, data: bytes) -> None:
        """Write output."""
        os.write(self._device, data)

    def _repeat(self) -> None:
        data = os.read(self._device, 4096)
        self.draw(b"[" + data + b"]")
        if data == b"q":
            self._ended.set()

    async def wait(self) -> int:
        """Wait for the key q, or for `close`."""
        await self._ended.wait()
        return 0

    def close(self) -> None:
        """End it."""
        if self._device >= 0:
            asyncio.get_running_loop().remove_reader(self._device)
            os.close(self._device)
            self._device = -1
        self.terminal.close()
        self._ended.set()


class Backend:
    """One seat behind one code."""

    keep_s: float | None = None
    asks_name = True

    def __init__(self) -> None:
        self.code, self.keys, self.clients = CODE, set[str](), list[Echo]()
        self.addresses: list[str] = []
        self.closed: list[str] = []

    async def redeem(self, key: str, code: str, name: str, address: str) -> None:
        """Accept the code once."""
        self.addresses.append(address)
        if not code or code != self.code:
            raise Refusal("wrong_code", (), "This code is not valid.")
        self.code = ""
        self.keys.add(key)

    async def device_code(self, key: str) -> str:
        self.code = "ANOTHER"
        return self.code

    async def is_player(self, key: str) -> bool:
        return key in self.keys

    async def admits(self, key: str) -> bool:
        return key in self.keys

    def report(self, reason: str) -> None:
        self.closed.append(reason)

    async def start(self, key: str, size: tuple[int, int]) -> Echo:
        if key not in self.keys:
            raise Refusal("no_seat", (), "You have no seat here.")
        self.clients.append(Echo(PseudoTerminal(*size)))
        return self.clients[-1]


class Site:
    """The server and a browser."""

    def __init__(self, server: WebServer, backend: Any, port: int, browser: aiohttp.ClientSession) -> None:
        self.server, self.backend, self.port, self.browser = server, backend, port, browser
        self.url = f"http://127.0.0.1:{port}"
        self.origin = {"Origin": self.url}

    async def join(self, code: str = CODE, **headers: str) -> tuple[int, str]:
        """Redeem a code; return status and text."""
        form = {"code": code, "name": "Pierre"}
        async with self.browser.post(f"{self.url}/join", data=form, headers={**self.origin, **headers}) as answer:
            return answer.status, await answer.text()

    @asynccontextmanager
    async def terminal(self, query: str = "", **headers: str) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        """Open the WebSocket."""
        async with self.browser.ws_connect(f"{self.url}/ws{query}", headers={**self.origin, **headers}) as socket:
            yield socket

    def browsers(self) -> aiohttp.ClientSession:
        """A browser without cookies."""
        return aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))


@asynccontextmanager
async def site(backend: Any = None, public_url: str = "") -> AsyncIterator[Site]:
    """Serve on a free port."""
    backend = backend or Backend()
    server = WebServer(backend, CookieSigner(b"key"), public_url)
    port = await server.listen("127.0.0.1", 0)
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
        try:
            yield Site(server, backend, port, browser)
        finally:
            await server.close()


async def shown(socket: aiohttp.ClientWebSocketResponse, wanted: bytes) -> tuple[bytes, list[Any]]:
    """Read until some output arrives; return all output and all messages. Raises: AssertionError if none arrives."""
    output, messages = b"", []
    while wanted not in output:
        message = await asyncio.wait_for(socket.receive(), 60)
        if message.type is aiohttp.WSMsgType.BINARY:
            output += message.data
        elif message.type is aiohttp.WSMsgType.TEXT:
            messages.append(message.json())
        else:
            raise AssertionError(f"{message} after {output!r}")
    return output, messages
