"""An SSH session: identify the player by key, ask for a code if necessary, then run a client in a pseudo-terminal.

`Visitor` asks questions in lines before the client starts; `SessionSetup` controls the session.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncssh

from paxtui.engine.free_text import clean_text
from paxtui.engine.refusal import Refusal
from paxtui.server.client_process import ClientProcess, ClientStarter, PseudoTerminal
from paxtui.server.data_directory import DataDirectory

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


CODE_TRIES = 3
"""Maximum number of codes per connection."""

RESET_SEQUENCE = (
    b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?2004l\x1b[?1004l\x1b[?25h\x1b[?1049l\x1b[0m"
)
"""Terminal reset after a killed client: mouse and bracketed paste off, cursor visible, main screen."""

SLOW = 30.0
"""Timeout for a terminal to accept output, in seconds."""

LONG = 300.0
"""Time limit to type a correct code, in seconds."""

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
        self.clients = ClientStarter(data_directory, forks)
        self._ask_hub = self.clients.ask_hub

    async def receive(self, visitor: Visitor, seated: Callable[[], None] = lambda: None) -> int:
        """Run a session and return its exit code.

        Args: the visitor; callback for a visitor who got a seat by a code.
        Raises: Refusal, ConnectionLost.
        """
        if visitor.process.subsystem:
            raise Refusal("not_here", (), NOT_HERE)
        match (visitor.process.command or "").split():
            case []:
                return await self._play(visitor, seated)
            case ["plain"]:
                return await self._play(visitor, seated, plain=True)
            case ["export", *games]:
                return await self._export(visitor, games)
            case ["name", *name]:
                got = await self._ask_hub("rename", key=visitor.key, name=" ".join(name))
                visitor.print_text(f"Your name is now {got['name']}.")
            case ["notify", *command]:
                got = await self._ask_hub("notify", key=visitor.key, words=" ".join(command))
                visitor.print_text(str(got["text"]))
            case ["key"]:
                got = await self._ask_hub("key_code", key=visitor.key)
                visitor.print_text(f"Connect with the other key, and type this code there, once: {got['code']}")
            case _:
                raise Refusal("not_here", (), NOT_HERE)
        return 0

    async def _play(self, visitor: Visitor, seated: Callable[[], None], plain: bool = False) -> int:
        """Run a client. Args: as `receive`; whether to play line by line. Raises: Refusal, ConnectionLost."""
        process = visitor.process
        if process.term_type is None:
            raise Refusal("no_terminal", (), "The game needs a terminal: ssh -t makes one.")
        try:
            player, game, seat = await self._seat_of(visitor)
        except EOFError:
            return 1
        if game:
            seated()
        plain = plain or process.term_type in ("dumb", "unknown", "")
        environment = {**process.env, "TERM": process.term_type}
        client = await self.clients.start(player, (game, seat), process.term_size[:2], environment, plain)
        return await _run_client(process, client, plain)

    # --- seat -----------------------------------------------------------------------------------------------------

    async def _seat_of(self, visitor: Visitor) -> tuple[str, str, str]:
        """Return player, game and seat; no game for the lobby. Raises: Refusal, ConnectionLost, EOFError."""
        return await self.clients.find_place(visitor.key, visitor.name) or await self._invited(visitor)

    async def _invited(self, visitor: Visitor) -> tuple[str, str, str]:
        """Ask for a code, up to a maximum of tries. Raises: Refusal, ConnectionLost, EOFError."""
        visitor.print_text(WELCOME.format(name=visitor.name or "a player"))
        loop = asyncio.get_running_loop()
        until = loop.time() + LONG
        for _ in range(CODE_TRIES):
            try:
                code = await asyncio.wait_for(visitor.ask("Your invitation code:"), until - loop.time())
                player, game, seat = await self.clients.redeem(visitor.key, code, visitor.name, visitor.address)
                return (player, game, seat) if game else await self._seat_of(visitor)
            except TimeoutError:
                raise Refusal("no_code", (), "You need an invitation code.") from None
            except Refusal as refusal:
                visitor.print_text(refusal.message)
        raise Refusal("wrong_code", (), "Ask the host for an invitation code.")

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


async def _run_client(process: asyncssh.SSHServerProcess[bytes], client: ClientProcess, plain: bool) -> int:
    """Run a client until it or the connection ends; return its exit code."""
    terminal, tasks = client.terminal, list[asyncio.Task[Any]]()
    try:
        drawn = asyncio.create_task(_forward_output(process, terminal))
        ended = asyncio.create_task(client.wait())
        tasks = [drawn, ended, asyncio.create_task(_forward_input(process, terminal))]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if ended.done():
            terminal.close_program_end()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.shield(drawn), 2)
            return ended.result()
        return 1
    finally:
        for task in tasks:
            task.cancel()
        client.close()
        if not (plain or process.is_closing()):
            process.stdout.write(RESET_SEQUENCE)


async def _forward_output(process: asyncssh.SSHServerProcess[bytes], terminal: PseudoTerminal) -> None:
    """Forward output; disconnect a terminal that does not read."""
    while data := await terminal.read():
        process.stdout.write(data)
        await asyncio.wait_for(process.stdout.drain(), SLOW)


async def _forward_input(process: asyncssh.SSHServerProcess[bytes], terminal: PseudoTerminal) -> None:
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
