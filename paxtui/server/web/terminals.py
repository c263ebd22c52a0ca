"""Terminals in browsers: a client process whose browser may lose the connection and come back.

A browser counts the bytes it has received. When it returns, it gets the output that it missed. A page that was loaded
again, or that missed too much, gets an empty terminal, and the client draws its whole screen.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from typing import Protocol

import msgspec
from aiohttp import WSMsgType, web

from paxtui.server.client_process import PseudoTerminal

KEPT_OUTPUT = 256 * 1024
"""Output that a terminal keeps for a browser that comes back, in bytes."""

MAX_MESSAGE = 64 * 1024
"""Maximum length of a message of a browser, in bytes; a longer one ends the connection."""

MESSAGES_AT_ONCE, MESSAGES_PER_S = 200, 100.0
"""Messages of a browser that are read at once, and then in a second; more of them wait."""

SLOW_S = 30.0
"""Time for a browser to accept output, in seconds."""

HEARTBEAT_S = 20.0
"""Interval of pings; a browser that does not answer has half of it before it is disconnected, in seconds."""

CLOSE_S = 2.0
"""Time for a browser to answer that it closes the connection, in seconds."""

LONGEST_REASON = 120
"""Maximum length of a reason to close, in bytes; the protocol allows 123."""

REDRAW_DELAY_S = 0.05
"""Time between the two changes of size that make a client draw its whole screen, in seconds."""

START_SEQUENCE = b"\x1bc"
"""Reset of the terminal in the browser."""

MODES_SEQUENCE = b"\x1b[?1049h\x1b[?1000h\x1b[?1003h\x1b[?1015h\x1b[?1006h\x1b[?1004h\x1b[?2004h\x1b[?25l"
"""What a client has set at its start: alternate screen, mouse, focus, bracketed paste, no cursor."""

ENDED, LOGIN, REFUSED, ELSEWHERE = 4000, 4401, 4403, 4409
"""Close codes: the client has ended; no seat here; refused, for the reason given; opened in another window."""


class BrowserSocket:
    """A WebSocket of a browser.

    Args:
        request: the request that opened it.
        response: the response, prepared.
    """

    def __init__(self, request: web.Request, response: web.WebSocketResponse) -> None:
        self.response = response
        self._transport = request.transport

    async def send(self, *data: bytes | list[str | int]) -> bool:
        """Send output or messages; return whether the browser accepts them."""
        try:
            async with asyncio.timeout(SLOW_S):
                for part in data:
                    await (self.response.send_bytes(part) if isinstance(part, bytes) else self.response.send_json(part))
        except (TimeoutError, ConnectionError, RuntimeError):
            self.abort()
            return False
        return True

    async def close(self, code: int, reason: str = "") -> None:
        """Close the connection with a code and a reason; do not wait for browsers that are gone."""
        with suppress(TimeoutError, ConnectionError, RuntimeError):
            async with asyncio.timeout(CLOSE_S):
                await self.response.close(code=code, message=reason.encode()[:LONGEST_REASON], drain=False)
        self.abort()

    def abort(self) -> None:
        """Close the connection at once."""
        if self._transport is not None:
            self._transport.abort()


class Client(Protocol):
    """A client process."""

    terminal: PseudoTerminal

    async def wait(self) -> int:
        """Wait for the end and return the exit code."""

    def close(self) -> None:
        """End it."""


class BrowserTerminal:
    """A client process with the browser that shows it.

    Args:
        key: the key of the player.
        client: the process.
        size: columns and rows.
        keep_s: time for which the client waits for a lost browser, in seconds; None for ever.

    Attributes:
        id: by which a browser finds it again.
        over: whether the client has ended.
    """

    def __init__(self, key: str, client: Client, size: tuple[int, int], keep_s: float | None) -> None:
        self.id = secrets.token_urlsafe(16)
        self.key, self._client, self._size, self._keep_s = key, client, size, keep_s
        self.over = False
        self._output = bytearray()
        self._written = 0
        self._socket: BrowserSocket | None = None
        self._lock = asyncio.Lock()
        self._expiry: asyncio.TimerHandle | None = None
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        """Forward output until the client ends."""
        drawn = asyncio.create_task(self._forward_output())
        try:
            await self._client.wait()
            self._client.terminal.close_program_end()
            with suppress(TimeoutError):
                await asyncio.wait_for(drawn, 2)
        finally:
            drawn.cancel()
            await asyncio.gather(drawn, return_exceptions=True)
            self.over = True
            self._client.close()
            if self._expiry is not None:
                self._expiry.cancel()
            socket, self._socket = self._socket, None
            if socket is not None:
                await socket.close(ENDED)

    async def _forward_output(self) -> None:
        while data := await self._client.terminal.read():
            async with self._lock:
                self._output += data
                self._written += len(data)
                del self._output[:-KEPT_OUTPUT]
                await self._send(data)

    async def _send(self, *data: bytes | list[str | int]) -> None:
        """Send to the browser, if there is one; disconnect a browser that does not read."""
        socket = self._socket
        if socket is not None and not await socket.send(*data):
            self.detach(socket)

    async def serve(self, socket: BrowserSocket, received: int, size: tuple[int, int]) -> None:
        """Show the client in a browser until the browser disconnects or the client ends.

        Args: the connection; the bytes that the browser has received, -1 for a new page; columns and rows.
        """
        await self._attach(socket, received, size)
        try:
            await self._read_messages(socket)
        finally:
            self.detach(socket)

    async def _attach(self, socket: BrowserSocket, received: int, size: tuple[int, int]) -> None:
        before, self._socket = self._socket, None
        if before is not None:
            await before.close(ELSEWHERE)
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        async with self._lock:
            missed = self._written - received
            self._socket = socket
            if received >= 0 and 0 <= missed <= len(self._output):
                await self._send(["terminal", self.id, received], bytes(self._output[len(self._output) - missed :]))
            else:
                start = START_SEQUENCE + MODES_SEQUENCE if self._written else START_SEQUENCE
                await self._send(start, ["terminal", self.id, self._written])
                if self._written:
                    await self._redraw(size)
        self._resize(*size)

    async def _redraw(self, size: tuple[int, int]) -> None:
        """Let the client draw its whole screen, which it does after a change of size."""
        self._client.terminal.resize(size[0], size[1] - 1)
        await asyncio.sleep(REDRAW_DELAY_S)

    def _resize(self, columns: int, rows: int) -> None:
        self._size = columns, rows
        self._client.terminal.resize(columns, rows)

    def detach(self, socket: BrowserSocket) -> None:
        """Note that a browser is gone; end the client if it does not come back in time."""
        if self._socket is socket:
            self._socket = None
            if self._keep_s is not None and not self.over:
                self._expiry = asyncio.get_running_loop().call_later(self._keep_s, self.end)

    def end(self) -> None:
        self._task.cancel()

    @property
    def is_shown(self) -> bool:
        """Whether a browser shows it."""
        return self._socket is not None

    # --- messages ---------------------------------------------------------------------------------------------------

    async def _read_messages(self, socket: BrowserSocket) -> None:
        """Read messages until the browser disconnects. Malformed ones end the connection."""
        loop = asyncio.get_running_loop()
        credit, at = float(MESSAGES_AT_ONCE), loop.time()
        async for message in socket.response:
            now = loop.time()
            credit, at = min(MESSAGES_AT_ONCE, credit + (now - at) * MESSAGES_PER_S) - 1, now
            if credit < 0:
                await asyncio.sleep(-credit / MESSAGES_PER_S)
            if message.type is WSMsgType.PING:
                await socket.response.pong(message.data)
            elif message.type is not WSMsgType.PONG and (
                message.type is not WSMsgType.TEXT or not await self._handle(socket, message.data)
            ):
                return

    async def _handle(self, socket: BrowserSocket, text: str) -> bool:
        """Handle a message; return whether it is a valid one."""
        try:
            match msgspec.json.decode(text):
                case ["stdin", str(typed)]:
                    await self._client.terminal.write(typed.encode("utf-8", "ignore"))
                case ["resize", {"width": int(columns), "height": int(rows)}]:
                    self._resize(columns, rows)
                case ["ping", str(stamp)]:
                    await socket.send(["pong", stamp[:40]])
                case ["focus" | "blur"]:
                    pass
                case _:
                    return False
        except (msgspec.MsgspecError, ValueError, RecursionError, OSError):
            return False
        return True
