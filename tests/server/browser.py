"""Players in headless Chromium. What the server draws is read from the frames of the WebSocket."""

from __future__ import annotations

import json
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pyte
from playwright.sync_api import Browser, Page, sync_playwright

from tests.tui.terminal import Terminal
from tests.waiting import PATIENCE

CHROMIUM = shutil.which("chromium")
NAMES = {"Up": "ArrowUp", "Down": "ArrowDown", "Left": "ArrowLeft", "Right": "ArrowRight"}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 3, "has_touch": True, "is_mobile": True}
"""A phone."""
WITHOUT_WEBGL = """
const context = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
  return kind.startsWith("webgl") ? null : context.call(this, kind, ...more);
};
"""
"""A script that makes a page draw its text without WebGL. With WebGL on the processor eight pages keep a core busy."""
SMALL = {"width": 720, "height": 432}
"""Size of a page with 80 columns and 24 rows, in pixels."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        try:
            yield browser
        finally:
            browser.close()


class Player(Terminal):
    """A player on a fresh profile of the browser. `screen` repeats what the page shows."""

    attentive = False

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.context = browser.new_context(**({"viewport": SMALL} | options))
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page: Page = self.context.new_page()
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.ByteStream(self.screen)
        self.unread, self.written = bytearray(), bytearray()
        self.rows: list[str] = []
        self.mark = 0
        self.errors: list[str] = []
        self.child = self
        self.sockets = 0
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("websocket", self._watch)

    def _watch(self, socket: Any) -> None:
        self.sockets += 1
        socket.on("framereceived", self._receive)
        socket.on("framesent", self._send)

    def _receive(self, data: bytes | str) -> None:
        if isinstance(data, bytes):
            self.unread += data
            self.written += data

    def _send(self, data: bytes | str) -> None:
        kind, *about = json.loads(data)
        if kind == "resize":
            size = about[0]["height"], about[0]["width"]
            if size != (self.screen.lines, self.screen.columns):
                self.screen.resize(*size)

    def join(self, link: str, name: str) -> None:
        """Open an invitation link, type a name, and play."""
        self.page.goto(link)
        self.page.keyboard.type(name)
        self.page.keyboard.press("Enter")

    def read(self, seconds: float = 0.02) -> None:
        """Process what the page has received."""
        self.page.wait_for_timeout(max(1, seconds * 1000))

    def until(self, condition: Callable[[], object]) -> None:
        """Wait for a condition. Raises: AssertionError with the screen."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, self.text
            self.read()

    def press(self, *keys: str) -> None:
        """Press keys: names of KEYS, or characters."""
        for key in keys:
            self.page.keyboard.press(NAMES.get(key, key))

    def send(self, text: str) -> None:
        """Type a text."""
        self.page.keyboard.type(text)

    def position_of(self, text: str) -> tuple[float, float]:
        """Return the middle of the first cell of a text, in pixels of the page. Raises: AssertionError."""
        found = [(n, row.index(text)) for n, row in enumerate(self.text.splitlines()) if text in row]
        assert found, f"no {text!r} in:\n{self.text}"
        (row, column), box = found[0], self.page.locator(".xterm-screen").bounding_box()
        assert box is not None
        size = box["width"] / self.screen.columns, box["height"] / self.screen.lines
        return box["x"] + (column + 0.5) * size[0], box["y"] + (row + 0.5) * size[1]

    def clipboard(self) -> str:
        """Return the text of the clipboard."""
        return str(self.page.evaluate("navigator.clipboard.readText()"))

    def close(self) -> None:
        """Close the profile."""
        self.context.close()


class Network:
    """A proxy to a server, whose connections can be cut."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.is_up = True
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                try:
                    if not self.is_up:
                        raise ConnectionRefusedError
                    server = socket.create_connection(("127.0.0.1", self._to))
                except OSError:
                    client.close()
                    continue
                self._open += client, server
                for one, other in ((client, server), (server, client)):
                    threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        """Cut all connections, and accept no more."""
        self.is_up = False
        for end in self._open:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def close(self) -> None:
        """Stop the proxy."""
        self.cut()
        self._listener.close()
