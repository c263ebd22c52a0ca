"""The command `web`: the program of one player in a browser on the same computer."""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import os
import secrets
import signal
import sys
import termios
import webbrowser
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from paxtui.cli.runtime import CommandError
from paxtui.engine.refusal import Refusal
from paxtui.session.storage.extras import install_command

if TYPE_CHECKING:
    from paxtui.server.client_process import PseudoTerminal

WEB_USAGE = """Play in a browser on this computer: the same screen as in a terminal.

paxtui opens your browser with a link that works once. Closing the page does not end the game: open it again in the same
browser. Ctrl+C ends the program; all actions are saved.

examples:
  paxtui web
  paxtui web friday.jsonl         continue this game
  paxtui web --port 8080 --no-browser
"""

ADDRESS = "127.0.0.1"
"""The only address that the server listens on."""

WRONG_CODE_S = 1.0
"""Delay after a wrong code, in seconds."""


def web_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("game", nargs="?", default="", metavar="GAME", help="a saved game (default: the start screen)")
    part.add_argument("--port", type=int, default=0, metavar="PORT", help="port (default: a free one)")
    part.add_argument("--no-browser", action="store_true", help="print the link, and open no browser")


def run_web(args: argparse.Namespace) -> int:
    """Serve the program to the browser until a signal ends it. Raises: CommandError."""
    if find_spec("aiohttp") is None or find_spec("textual_serve") is None:
        raise CommandError(f"the browser needs more libraries: {install_command('web')}")
    return asyncio.run(_serve(["play", args.game] if args.game else [], args.port, not args.no_browser))


async def _serve(words: Sequence[str], port: int, opens_browser: bool) -> int:
    from paxtui.server.web.cookies import CookieSigner
    from paxtui.server.web.server import WebServer

    backend = LocalBackend(words)
    server = WebServer(backend, CookieSigner(secrets.token_bytes(32)))
    try:
        taken = await server.listen(ADDRESS, port)
    except OSError as error:
        raise CommandError(f"--port {port}: {error.strerror or error}") from None
    backend.url = f"http://{ADDRESS}:{taken}"
    link = backend.offer_link()
    if opens_browser:
        await asyncio.to_thread(webbrowser.open, link)
    over, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, over.set)
    await over.wait()
    await server.close()
    return 0


class LocalBackend:
    """The program of the player who runs the command. Args: the words of the command that browsers run.

    Attributes:
        url: address of the server.
    """

    keep_s: float | None = None
    asks_name = False

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self.url = self._code = ""

    def offer_link(self) -> str:
        """Print and return a link with a new code."""
        self._code = secrets.token_urlsafe(16)
        link = f"{self.url}/join#{self._code}"
        print(f"Open in your browser: {link}", flush=True)
        return link

    async def redeem(self, key: str, code: str, name: str, address: str) -> None:
        """Accept the code, once. Raises: Refusal `wrong_code`."""
        if not secrets.compare_digest(code.encode(), self._code.encode()):
            await asyncio.sleep(WRONG_CODE_S)
            raise Refusal("wrong_code", (), "This link was used. The terminal shows a new one.")
        self.offer_link()

    async def device_code(self, key: str) -> str:
        """Return the code of the next link."""
        return self._code

    async def is_player(self, key: str) -> bool:
        """Return True: only the code gives a cookie."""
        return True

    async def admits(self, key: str) -> bool:
        """Return True: only the code gives a cookie."""
        return True

    def report(self, reason: str) -> None:
        """Ignore closed connections: no hub counts them."""

    async def start(self, key: str, size: tuple[int, int]) -> LocalProgram:
        return await LocalProgram.start(self._words, size)


class LocalProgram:
    """A program in a pseudo-terminal."""

    def __init__(self, terminal: PseudoTerminal, process: asyncio.subprocess.Process) -> None:
        self.terminal, self._process = terminal, process

    @classmethod
    async def start(cls, words: Sequence[str], size: tuple[int, int]) -> LocalProgram:
        """Start paxtui. Args: its arguments; columns and rows. Raises: OSError."""
        from paxtui.server.client_process import PseudoTerminal
        from paxtui.server.web.server import ENVIRONMENT

        terminal = PseudoTerminal(*size)
        descriptor = os.open(terminal.name, os.O_RDWR | os.O_NOCTTY)
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-X", "utf8", "-m", "paxtui.cli.main", *words),
                stdin=descriptor,
                stdout=descriptor,
                stderr=descriptor,
                env={**os.environ, **ENVIRONMENT},
                start_new_session=True,
                preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # the terminal announces changes of its size
            )
        except BaseException:
            terminal.close()
            raise
        finally:
            os.close(descriptor)
        return cls(terminal, process)

    async def wait(self) -> int:
        """Wait for the end and return the exit code."""
        return await self._process.wait()

    def close(self) -> None:
        """Close the terminal, which ends the program."""
        self.terminal.close()
