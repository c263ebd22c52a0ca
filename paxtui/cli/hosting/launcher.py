"""Starts and stops the player's own server from the app. The server keeps running after the app closes."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from paxtui.cli.hosting.admin import ask_hub, default_root, is_running, stop_server
from paxtui.cli.hosting.serve import is_free, move_game_in
from paxtui.cli.hosting.store import open_with_storage
from paxtui.cli.runtime import CommandError
from paxtui.engine.log import BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.server.data_directory import DataDirectory
from paxtui.session.storage.extras import install_command
from paxtui.tui.start_screens.hosting import HostingInfo, SeatInvitation

DEFAULT_LISTEN = ":2222"
"""Default SSH listen address."""

DEFAULT_WEB = ":8080"
"""Default listen address for browsers; another port is taken if it is not free."""

START_TIMEOUT_S = 30.0
"""Maximum time for the server to start, in seconds."""

BROWSER_LINE = r"In a browser: +http://\S+:(\d+)\n"
"""What `paxtui serve` prints when browsers can connect, with the port."""

UNROUTED_ADDRESS = ("192.0.2.1", 9)
"""Unassigned address, used to find the local address of outgoing traffic. Nothing is sent."""


class ServerLauncher:
    """Starts, uses and stops the player's own server.

    Args:
        root: its data directory; by default beside the saved games.
        listen: SSH listen address, as in `paxtui serve`.
        web: listen address for browsers.
    """

    def __init__(self, root: Path | None = None, listen: str = DEFAULT_LISTEN, web: str = DEFAULT_WEB) -> None:
        self._root, self._listen, self._web = root, listen, web

    @property
    def data_directory(self) -> DataDirectory:
        """Return the data directory. Raises: OSError, StorageError."""
        return DataDirectory(self._root or default_root())

    def missing(self) -> str:
        """Return what is not installed on this computer, as a sentence; "" for nothing."""
        return "" if find_spec("asyncssh") else f"Hosting needs one more library: {install_command('ssh')}"

    def host(self, path: Path) -> HostingInfo:
        """Move a saved game to the server, and start it if needed. Raises: Refusal, OSError."""
        data_directory = open_with_storage(self.data_directory.root)
        new = data_directory.games / path.name
        if path.resolve() != new.resolve():
            if data_directory.storage.exists(new):
                message = f"Your server already has a game {path.stem}. Give this game another name."
                raise Refusal("taken", (), message)
            try:
                move_game_in(data_directory, path)
            except (CommandError, BrokenLog) as error:
                raise Refusal("cannot_open", (), f"This game cannot be hosted: {error}.") from None
        output = self._opened(data_directory)
        port = re.search(r"ssh -p (\d+)", output)
        key = re.search(r"SHA256:\S+", output)
        line = f"ssh -p {port[1] if port else self._listen.rpartition(':')[2]} {_own_address()}"
        web = re.search(BROWSER_LINE, output)
        url = f"http://{_own_address()}:{web[1]}" if web else ""
        return HostingInfo(path.stem, line, key[0] if key else "", self._offers(data_directory, path.stem), url)

    @property
    def _web_options(self) -> list[str]:
        """The options of the web server; none if its libraries are missing."""
        if not all(map(find_spec, ("aiohttp", "textual_serve"))):
            return []
        return ["--web", self._web if is_free(self._web) else f"{self._web.rpartition(':')[0]}:0"]

    def _opened(self, data_directory: DataDirectory) -> str:
        """Start the server and return its output. Raises: Refusal, OSError."""
        log = data_directory.root / "serve.log"
        if not is_running(data_directory):
            words = [sys.executable, "-X", "utf8", "-m", "paxtui.cli.main", "serve", "--data", str(data_directory.root)]
            web = self._web_options
            descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            try:
                process = subprocess.Popen(
                    [*words, "--listen", self._listen, *web],
                    stdin=subprocess.DEVNULL,
                    stdout=descriptor,
                    stderr=descriptor,
                    start_new_session=True,
                )
            finally:
                os.close(descriptor)
            end = time.monotonic() + START_TIMEOUT_S
            while time.monotonic() < end:
                output = log.read_text("utf-8", "replace")
                if "SHA256:" in output and (not web or re.search(BROWSER_LINE, output)) and is_running(data_directory):
                    return output
                if process.poll() is not None:
                    raise Refusal("not_open", (), f"The server could not be started: {_failure_reason(output)}")
                time.sleep(0.05)
            process.terminate()
            raise Refusal("not_open", (), f"The server has not started within {START_TIMEOUT_S:.0f} seconds.")
        return log.read_text("utf-8", "replace") if log.exists() else ""

    def _offers(self, data_directory: DataDirectory, game: str) -> tuple[SeatInvitation, ...]:
        """List the seats of a game, with a new code for each free seat without one.

        Raises:
            Refusal, OSError: the request failed.
        """
        status = next(g for g in self._ask(data_directory, "status")["games"] if g["game"] == game)
        if "trouble" in status:
            raise Refusal("cannot_open", (), str(status["trouble"]))
        holders = {
            seat: player["name"] or "a player"
            for player in self._ask(data_directory, "players")
            for there, seat in player["seats"]
            if there == game
        }
        found = []
        for seat in status["seats"]:
            if seat not in status["free"]:
                found.append(SeatInvitation(seat, holder=holders.get(seat, "a bot")))
            elif seat in status["invited"]:
                found.append(SeatInvitation(seat, holder="already offered, with its own code"))
            else:
                found.append(SeatInvitation(seat, code=self.offer(game, seat)))
        return tuple(found)

    def offer(self, game: str, seat: str) -> str:
        """Create a new code for a seat. Raises: Refusal, OSError."""
        return str(self._ask(self.data_directory, "invite", game=game, seat=seat)["code"])

    def close(self) -> None:
        """Stop the server and wait for its end. Raises: Refusal, OSError."""
        try:
            stop_server(self.data_directory)
        except CommandError as error:
            raise Refusal("not_closed", (), f"{error}.") from None

    def _ask(self, data_directory: DataDirectory, ask: str, **about: str) -> Any:
        try:
            return ask_hub(data_directory, ask, **about)
        except CommandError as error:
            raise Refusal("not_open", (), f"{error}.") from None


def _own_address() -> str:
    """Address of this computer in its local network."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(UNROUTED_ADDRESS)
            return str(probe.getsockname()[0])
    except OSError:
        return socket.gethostname()


def _failure_reason(output: str) -> str:
    """Last line of a program's output."""
    lines = [line for line in output.splitlines() if line.strip()]
    return lines[-1].removeprefix("paxtui: ") if lines else "no reason given"
