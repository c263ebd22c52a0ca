"""Client processes for the connections of the SSH and web servers, each in a pseudo-terminal.

`ClientStarter` asks the hub who a player is and for tickets, and lets the fork server start clients.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import secrets
import struct
import sys
import termios
import tty
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.server.client import ConnectionLost, HubClient
from paxtui.server.data_directory import DataDirectory
from paxtui.server.fork_server import ClientRequest

COLUMNS, ROWS = (20, 500), (5, 200)
"""Minimum and maximum terminal size that a program is given."""


class PseudoTerminal:
    """A pseudo-terminal.

    Attributes:
        name: path of the terminal device for the program.
    """

    def __init__(self, columns: int, rows: int) -> None:
        """Open a pseudo-terminal with a size. Raises: OSError."""
        self._end, other = os.openpty()
        self._other = other
        self._writing = asyncio.Lock()
        self._waiting: set[asyncio.Future[None]] = set()
        self.name = os.ttyname(other)
        tty.setraw(other)  # do not echo input typed before the program reads
        self.resize(columns, rows)
        os.set_blocking(self._end, False)

    def resize(self, columns: int, rows: int) -> None:
        """Set the size; invalid values are corrected. Raises: OSError when the terminal is closed."""
        if self._end < 0:
            raise OSError(errno.EBADF, "the terminal is closed")
        wide, high = min(max(columns, COLUMNS[0]), COLUMNS[1]), min(max(rows, ROWS[0]), ROWS[1])
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", high, wide, 0, 0))

    def close_program_end(self) -> None:
        """Close the program's end here: reading ends when the program closes its own."""
        if self._other >= 0:
            os.close(self._other)
            self._other = -1

    async def read(self) -> bytes:
        """Read output; empty when the program has ended."""
        with suppress(OSError):
            while True:
                try:
                    return os.read(self._end, 65536)
                except BlockingIOError:
                    await self._ready(reading=True)
        return b""

    async def write(self, data: bytes) -> None:
        """Write input, after that of an earlier call. Raises: OSError when the program has ended."""
        async with self._writing:
            while data:
                try:
                    data = data[os.write(self._end, data) :]
                except BlockingIOError:
                    await self._ready(reading=False)

    async def _ready(self, *, reading: bool) -> None:
        """Wait for the program. Raises: OSError when the terminal is closed meanwhile."""
        loop, end = asyncio.get_running_loop(), self._end
        ready: asyncio.Future[None] = loop.create_future()
        watch, forget = (loop.add_reader, loop.remove_reader) if reading else (loop.add_writer, loop.remove_writer)
        watch(end, lambda: None if ready.done() else ready.set_result(None))
        self._waiting.add(ready)
        try:
            await ready
        finally:
            self._waiting.discard(ready)
            if self._end >= 0:
                forget(end)

    def close(self) -> None:
        """Close the terminal, which ends the program. Waiters are told, as another client may get its number."""
        self.close_program_end()
        end, self._end = self._end, -1
        if self._waiting:
            loop = next(iter(self._waiting)).get_loop()
            loop.remove_reader(end)
            loop.remove_writer(end)
        for ready in self._waiting:
            if not ready.done():
                ready.set_exception(OSError(errno.EBADF, "the terminal is closed"))
        if end >= 0:
            os.close(end)


REPORT_INTERVAL_S = 1.0
"""Interval of reports about closed connections to the hub, in seconds."""

FORK_SERVER_WAIT_S = 30.0
"""Time limit for the fork server to start, in seconds."""

WRONG, OFTEN_WRONG = 1, 5
"""Delay after a wrong code, in seconds; and after many wrong codes from the same address."""

FORWARDED_VARIABLES = ("LANG", "LC_ALL", "LC_CTYPE", "COLORTERM")
"""Environment variables forwarded to a client, besides TERM."""


class ClientProcess:
    """A running client.

    Args:
        terminal: its terminal.
        reader, writer: the connection to the fork server.
    """

    def __init__(self, terminal: PseudoTerminal, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.terminal = terminal
        self._reader, self._writer = reader, writer

    async def wait(self) -> int:
        """Wait for the end and return the exit code."""
        words = (await self._reader.readline()).decode().split()
        return int(words[1]) & 0xFF if len(words) == 2 else 1

    def close(self) -> None:
        """Close the terminal, which ends the client."""
        self.terminal.close()
        self._writer.close()


async def ask_hub(data_directory: DataDirectory, ask: str, **about: str) -> Any:
    """Send a request to the hub in a thread, without blocking others. Raises: Refusal, ConnectionLost."""

    def request() -> Any:
        client = HubClient(data_directory.socket)
        try:
            return client.admin_request(ask, **about)
        finally:
            client.close()

    return await asyncio.to_thread(request)


class ClientStarter:
    """Start clients, and send requests to the hub.

    Args:
        data_directory: the data directory.
        forks: the socket of the fork server.
    """

    def __init__(self, data_directory: DataDirectory, forks: Path) -> None:
        self._data_directory = data_directory
        self._forks = forks
        self._turned_away: Counter[str] = Counter()
        self._reporting: asyncio.Task[None] | None = None

    def report(self, reason: str) -> None:
        """Count a refused or closed connection; the hub receives the count later."""
        self._turned_away[reason] += 1
        if self._reporting is None or self._reporting.done():
            self._reporting = asyncio.get_running_loop().create_task(self._send_report())

    async def _send_report(self) -> None:
        """Send the counts to the hub; retry later if it cannot be reached."""
        while self._turned_away:
            await asyncio.sleep(REPORT_INTERVAL_S)
            reasons = dict(self._turned_away)
            with suppress(Refusal, ConnectionLost):
                await self.ask_hub("turned_away", **{reason: str(count) for reason, count in reasons.items()})
                self._turned_away -= Counter(reasons)

    async def is_player(self, key: str) -> bool:
        """Whether a key has or had a seat. Raises: Refusal, ConnectionLost."""
        return bool((await self.ask_hub("who", key=key))["known"])

    async def ask_hub(self, ask: str, **about: str) -> Any:
        """Send a request to the hub. Raises: Refusal, ConnectionLost."""
        return await ask_hub(self._data_directory, ask, **about)

    async def redeem(self, key: str, code: str, name: str, address: str) -> tuple[str, str, str]:
        """Redeem a code and return player, game and seat; only wrong codes are delayed.

        Raises: Refusal, ConnectionLost.
        """
        try:
            got = await self.ask_hub("redeem", key=key, code=code, name=name, address=address)
        except Refusal as refusal:
            await asyncio.sleep(OFTEN_WRONG if refusal.code == "often_wrong" else WRONG)
            raise
        return str(got["player"]), str(got["game"]), str(got["seat"])

    async def find_place(self, key: str, name: str = "") -> tuple[str, str, str] | None:
        """Return player, game and seat of a key; no game for the lobby; None if the key has no seat.

        Args: the key; the name of a visitor, who is registered if a game admits anybody.
        Raises: Refusal, ConnectionLost.
        """
        got = await self.ask_hub("meet", key=key, name=name)
        if not got["lobby"] and not got["seats"]:
            return None
        game, seat = ("", "") if got["lobby"] else got["seats"][0]
        return str(got["player"]), str(game), str(seat)

    async def start(
        self,
        player: str,
        at: tuple[str, str],
        size: tuple[int, int],
        environment: Mapping[str, str],
        plain: bool = False,
    ) -> ClientProcess:
        """Start a client of a player.

        Args: the player; game and seat, both empty for the lobby; columns and rows; the environment of the user, with
        TERM; whether to play line by line.
        Raises: Refusal, ConnectionLost, OSError.
        """
        game, seat = at
        if game:
            got = await self.ask_hub("ticket", game=game, seat=seat, player=player)
        else:
            got = await self.ask_hub("lobby", player=player)
        terminal = PseudoTerminal(*size)
        try:
            home = str(self._data_directory.player_directory(player))
            clean = environment_for(environment.get("TERM", ""), environment, game)
            order = ClientRequest(terminal.name, str(got["ticket"]), home, clean, plain, lobby=not game)
            reader, writer = await self._fork_server()
            client = ClientProcess(terminal, reader, writer)
            writer.write(msgspec.json.encode(order))
            if not (await reader.readline()).startswith(b"started"):
                writer.close()
                raise Refusal("no_client", (), "The game cannot start for you now.")
        except BaseException:
            terminal.close()
            raise
        return client

    async def _fork_server(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the fork server, waiting while it starts. Raises: Refusal."""
        for _ in range(int(FORK_SERVER_WAIT_S / 0.1)):
            with suppress(OSError):
                return await asyncio.open_unix_connection(str(self._forks))
            await asyncio.sleep(0.1)
        raise Refusal("no_client", (), "The game cannot start for you now. Try again in a minute.")


def report_mistake(error: Exception) -> str:
    """Log the place of an internal error, without data of a game; return the number that the visitor is told."""
    number, trace = secrets.token_hex(3), error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "nowhere" if trace is None else f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
    print(f"error {number}: {type(error).__name__} in {place}", file=sys.stderr, flush=True)
    return number


def environment_for(term: str, theirs: Mapping[str, str], game: str) -> dict[str, str]:
    """Return the complete environment of a client. Args: terminal and environment of the user; the game."""
    environment = {"TERM": _plain_value(term) or "dumb", "PATH": "/usr/bin:/bin", "PAXTUI_TABLE": game}
    return environment | {name: text for name in FORWARDED_VARIABLES if (text := _plain_value(theirs.get(name, "")))}


def _plain_value(text: str) -> str:
    """Keep only letters, digits and the punctuation of locale and colour names."""
    return "".join(c for c in text[:40] if c.isascii() and (c.isalnum() or c in "._-@:+"))
