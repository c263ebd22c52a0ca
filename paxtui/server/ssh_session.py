"""An SSH session: identify the player by key, ask for a code if necessary, then run a client in a pseudo-terminal.

`Visitor` asks questions in lines before the client starts; `SessionSetup` controls the session.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import struct
import termios
import tty
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncssh
import msgspec

from paxtui.engine.free_text import clean_text
from paxtui.engine.refusal import Refusal
from paxtui.server.client import ConnectionLost, HubClient
from paxtui.server.data_directory import DataDirectory
from paxtui.server.fork_server import ClientRequest

LONGEST_LINE = 80
"""Maximum length of an answer, in characters."""


class Visitor:
    """An SSH user before the client starts.

    Args:
        process: the SSH process.
        key: the public key.
        address: the remote address.
    """

    def __init__(self, process: asyncssh.SSHServerProcess[bytes], key: str, address: str) -> None:
        self.process = process
        self.key = key
        self.address = address
        self._typed = ""

    @property
    def name(self) -> str:
        """The user name of the SSH connection."""
        return str(self.process.get_extra_info("username") or "")

    def print_text(self, text: str) -> None:
        """Print text in lines, without control characters."""
        for line in text.split("\n"):
            self.process.stdout.write(clean_text(line).encode() + b"\r\n")

    async def ask(self, question: str) -> str:
        """Ask a question and return the answer. Raises: EOFError if the user disconnects."""
        out = self.process.stdout
        out.write(clean_text(question).encode() + b" ")
        answer = ""
        while True:
            sign = await self._sign()
            if sign in "\r\n":
                out.write(b"\r\n")
                return answer.strip()
            if sign in "\x03\x04":
                raise EOFError
            if sign in "\x08\x7f":
                if answer:
                    answer = answer[:-1]
                    out.write(b"\b \b")
            elif sign.isprintable() and len(answer) < LONGEST_LINE:
                answer += sign
                out.write(sign.encode())

    async def _sign(self) -> str:
        """Return the next typed character; input typed ahead is kept. Raises: EOFError."""
        while not self._typed:
            try:
                data = await self.process.stdin.read(64)
            except asyncssh.TerminalSizeChanged:
                continue
            if not data:
                raise EOFError
            self._typed = data.decode("utf-8", "ignore")
        sign, self._typed = self._typed[0], self._typed[1:]
        return sign


COLUMNS, ROWS = (20, 500), (5, 200)
"""Minimum and maximum terminal size that a program is given."""

RESET_SEQUENCE = (
    b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?2004l\x1b[?1004l\x1b[?25h\x1b[?1049l\x1b[0m"
)
"""Terminal reset after a killed client: mouse and bracketed paste off, cursor visible, main screen."""


class PseudoTerminal:
    """A pseudo-terminal.

    Attributes:
        name: path of the terminal device for the program.
    """

    def __init__(self, columns: int, rows: int) -> None:
        """Open a pseudo-terminal with a size. Raises: OSError."""
        self._end, other = os.openpty()
        self._other = other
        self.name = os.ttyname(other)
        tty.setraw(other)  # do not echo input typed before the program reads
        self.resize(columns, rows)
        os.set_blocking(self._end, False)

    def resize(self, columns: int, rows: int) -> None:
        """Set the size; invalid values are corrected."""
        wide, high = min(max(columns, COLUMNS[0]), COLUMNS[1]), min(max(rows, ROWS[0]), ROWS[1])
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", high, wide, 0, 0))

    def handed_over(self) -> None:
        """Close the program's end here: reading ends when the program closes its own."""
        if self._other >= 0:
            os.close(self._other)
            self._other = -1

    async def read(self) -> bytes:
        """Read output; empty when the program has ended."""
        while True:
            try:
                return os.read(self._end, 65536)
            except BlockingIOError:
                await self._ready(reading=True)
            except OSError:
                return b""

    async def write(self, data: bytes) -> None:
        """Write input. Raises: OSError when the program has ended."""
        while data:
            try:
                data = data[os.write(self._end, data) :]
            except BlockingIOError:
                await self._ready(reading=False)

    async def _ready(self, *, reading: bool) -> None:
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        watch, forget = (loop.add_reader, loop.remove_reader) if reading else (loop.add_writer, loop.remove_writer)
        watch(self._end, lambda: None if ready.done() else ready.set_result(None))
        try:
            await ready
        finally:
            forget(self._end)

    def close(self) -> None:
        """Close the terminal, which ends the program."""
        self.handed_over()
        with suppress(OSError):
            os.close(self._end)


CODE_TRIES = 3
"""Maximum number of codes per connection."""

WRONG, OFTEN_WRONG = 1, 5
"""Delay after a wrong code, in seconds; and after many wrong codes from the same address."""

REPORT_INTERVAL_S = 1.0
"""Interval of reports about closed connections to the hub, in seconds."""

SLOW = 30.0
"""Timeout for a terminal to accept output, in seconds."""

LONG = 300.0
"""Time limit to type a correct code, in seconds."""

FORK_SERVER_WAIT_S = 30.0
"""Time limit for the fork server to start, in seconds."""

FORWARDED_VARIABLES = ("LANG", "LC_ALL", "LC_CTYPE", "COLORTERM")
"""Environment variables forwarded to a client, besides TERM."""

NOT_HERE = """\
Only the game is here: no shell, no files, no forwarding. Commands:
  export GAME   print the log of your seat
  name NEW      change your name at the table
  key           make a code that adds another key of yours
  notify        set how you learn that your seat must act
  plain         play line by line"""

WELCOME = """\
Welcome to paxtui. This key has no seat here yet. Type the code that the host gave you.
You will be called {name}; `name NEW` after the ssh command changes that later."""


class SessionSetup:
    """Control SSH sessions.

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
                await self._ask_hub("turned_away", **{reason: str(count) for reason, count in reasons.items()})
                self._turned_away -= Counter(reasons)

    async def is_player(self, key: str) -> bool:
        """Whether a key has or had a seat. Raises: Refusal, ConnectionLost."""
        return bool((await self._ask_hub("who", key=key))["known"])

    async def receive(self, visitor: Visitor, seated: Callable[[], None] = lambda: None) -> int:
        """Run a session and return its exit code. Args: callback for a visitor who got a seat by a code.

        Raises: Refusal, ConnectionLost.
        """
        process = visitor.process
        words = (process.command or "").split()
        if process.subsystem or (words and words != ["plain"] and words[0] not in ("export", "name", "key", "notify")):
            raise Refusal("not_here", (), NOT_HERE)
        if words and words[0] == "export":
            return await self._export(visitor, words[1:])
        if words and words[0] == "name":
            got = await self._ask_hub("rename", key=visitor.key, name=" ".join(words[1:]))
            visitor.print_text(f"Your name is {got['name']} now.")
            return 0
        if words and words[0] == "notify":
            got = await self._ask_hub("notify", key=visitor.key, words=" ".join(words[1:]))
            visitor.print_text(str(got["text"]))
            return 0
        if words == ["key"]:
            got = await self._ask_hub("key_code", key=visitor.key)
            visitor.print_text(f"Connect with the other key, and type this code there, once: {got['code']}")
            return 0
        if process.term_type is None:
            raise Refusal("no_terminal", (), "The game needs a terminal: ssh -t makes one.")
        try:
            player, game, seat = await self._seat_of(visitor)
        except EOFError:
            return 1
        if game:
            seated()
        lobby = not game
        if lobby:
            got = await self._ask_hub("lobby", player=player)
        else:
            got = await self._ask_hub("ticket", game=game, seat=seat, player=player)
        ticket = str(got["ticket"])
        plain = bool(words) or process.term_type in ("dumb", "unknown", "")
        environment = environment_for(process.term_type, process.env, game)
        terminal = PseudoTerminal(*process.term_size[:2])
        home = str(self._data_directory.player_directory(player))
        return await self._play(
            visitor, terminal, ClientRequest(terminal.name, ticket, home, environment, plain, lobby)
        )

    async def _ask_hub(self, ask: str, **about: str) -> Any:
        """Send a request to the hub in a thread, without blocking others. Raises: Refusal, ConnectionLost."""

        def request() -> Any:
            wire = HubClient(self._data_directory.socket)
            try:
                return wire.admin_request(ask, **about)
            finally:
                wire.close()

        return await asyncio.to_thread(request)

    # --- seat -----------------------------------------------------------------------------------------------------

    async def _seat_of(self, visitor: Visitor) -> tuple[str, str, str]:
        """Return player, game and seat; no game for the lobby. Raises: Refusal, ConnectionLost, EOFError."""
        got = await self._ask_hub("meet", key=visitor.key, name=visitor.name)
        if got["lobby"]:
            return str(got["player"]), "", ""
        if got["seats"]:
            (game, seat), *_ = got["seats"]
            return str(got["player"]), str(game), str(seat)
        return await self._invited(visitor)

    async def _invited(self, visitor: Visitor) -> tuple[str, str, str]:
        """Ask for a code, up to a maximum of tries. Raises: Refusal, ConnectionLost, EOFError."""
        visitor.print_text(WELCOME.format(name=visitor.name or "a player"))
        loop = asyncio.get_running_loop()
        until = loop.time() + LONG
        for _ in range(CODE_TRIES):
            try:
                code = await asyncio.wait_for(visitor.ask("Your code of invitation:"), until - loop.time())
                player, game, seat = await self._redeemed(visitor, code)
                return (player, game, seat) if game else await self._seat_of(visitor)
            except TimeoutError:
                raise Refusal("no_code", (), "Come back with a code of invitation.") from None
            except Refusal as refusal:
                visitor.print_text(refusal.message)
        raise Refusal("wrong_code", (), "Ask the host for an invitation code.")

    async def _redeemed(self, visitor: Visitor, code: str) -> tuple[str, str, str]:
        """Redeem a code; only wrong codes are delayed. Raises: Refusal, ConnectionLost."""
        about = {"key": visitor.key, "code": code, "name": visitor.name, "address": visitor.address}
        try:
            got = await self._ask_hub("redeem", **about)
        except Refusal as refusal:
            await asyncio.sleep(OFTEN_WRONG if refusal.code == "often_wrong" else WRONG)
            raise
        return str(got["player"]), str(got["game"]), str(got["seat"])

    # --- game -----------------------------------------------------------------------------------------------------

    async def _play(self, visitor: Visitor, terminal: PseudoTerminal, order: ClientRequest) -> int:
        """Run a client until it or the connection ends; return its exit code."""
        reader, writer = await self._fork_server()
        tasks: list[asyncio.Task[Any]] = []
        try:
            writer.write(msgspec.json.encode(order))
            if not (await reader.readline()).startswith(b"started"):
                raise Refusal("no_client", (), "The table cannot seat anybody now.")
            drawn = asyncio.create_task(_forward_output(visitor.process, terminal))
            ended = asyncio.create_task(reader.readline())
            tasks = [drawn, ended, asyncio.create_task(_forward_input(visitor.process, terminal))]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if ended.done():
                terminal.handed_over()
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(asyncio.shield(drawn), 2)
                word = (await ended).decode().split()
                return int(word[1]) & 0xFF if len(word) == 2 else 1
            return 1
        finally:
            for task in tasks:
                task.cancel()
            terminal.close()
            writer.close()
            if not (order.plain or visitor.process.is_closing()):
                visitor.process.stdout.write(RESET_SEQUENCE)

    async def _fork_server(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the fork server, waiting while it starts. Raises: Refusal."""
        for _ in range(int(FORK_SERVER_WAIT_S / 0.1)):
            with suppress(OSError):
                return await asyncio.open_unix_connection(str(self._forks))
            await asyncio.sleep(0.1)
        raise Refusal("no_client", (), "The table cannot seat anybody now: try again in a minute.")

    # --- export ---------------------------------------------------------------------------------------------------

    async def _export(self, visitor: Visitor, words: list[str]) -> int:
        """Send the log of the player's seat. Raises: Refusal, ConnectionLost."""
        known = await self._ask_hub("who", key=visitor.key)
        seats = {str(game): str(seat) for game, seat in known["seats"]}
        if len(words) != 1 or words[0] not in seats:
            raise Refusal("no_such_game", (), f"export takes one of your games: {', '.join(seats) or 'you have none'}.")
        got = await self._ask_hub("log", game=words[0], seat=seats[words[0]])
        visitor.process.stdout.write(str(got["log"]).encode())
        await visitor.process.stdout.drain()
        return 0


async def _forward_output(process: asyncssh.SSHServerProcess[bytes], terminal: PseudoTerminal) -> None:
    """Forward output; disconnect a terminal that does not read."""
    while data := await terminal.read():
        process.stdout.write(data)
        await asyncio.wait_for(process.stdout.drain(), SLOW)


async def _forward_input(process: asyncssh.SSHServerProcess[bytes], terminal: PseudoTerminal) -> None:
    """Forward input and resizes."""
    while True:
        try:
            data = await process.stdin.read(4096)
        except asyncssh.TerminalSizeChanged as size:
            terminal.resize(size.width, size.height)
            continue
        except (asyncssh.BreakReceived, asyncssh.SignalReceived):
            continue
        if not data:
            return
        await terminal.write(data)


def environment_for(term: str, theirs: Mapping[str, str], game: str) -> dict[str, str]:
    """Return the complete environment of a client. Args: terminal and environment of the user; the game."""
    environment = {"TERM": _plain_value(term) or "dumb", "PATH": "/usr/bin:/bin", "PAXTUI_TABLE": game}
    return environment | {name: text for name in FORWARDED_VARIABLES if (text := _plain_value(theirs.get(name, "")))}


def _plain_value(text: str) -> str:
    """Keep only letters, digits and the punctuation of locale and colour names."""
    return "".join(c for c in text[:40] if c.isascii() and (c.isalnum() or c in "._-@:+"))
