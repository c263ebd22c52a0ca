"""A reverse tunnel through another machine, so that a server needs no open port: OpenSSH's -R, started again."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from paxtui.cli.runtime import CommandError

RETRY_S, LONGEST_RETRY_S = 1.0, 15.0
"""Wait before the next start; it doubles up to the second value, in seconds."""

STABLE_S = 60.0
"""Time after which a tunnel counts as established, so that the wait starts small again, in seconds."""

SSH_OPTIONS = (
    *("-N", "-T", "-o", "BatchMode=yes", "-o", "ExitOnForwardFailure=yes"),
    *("-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3", "-o", "ConnectTimeout=20"),
)
"""Options of ssh: no shell, no questions; it ends when the port is taken or the other machine is silent."""


class Forward(NamedTuple):
    """A port of the other machine that leads to this one.

    Attributes:
        port: the port, the same on both machines.
        address: where this machine listens.
        is_public: whether the other machine offers it to all, which its sshd must allow, or only to itself.
    """

    port: int
    address: str
    is_public: bool

    @property
    def option(self) -> str:
        """The argument of -R."""
        return f"{'' if self.is_public else '127.0.0.1'}:{self.port}:{self.address or '127.0.0.1'}:{self.port}"


class Tunnel:
    """Keep a tunnel open.

    Args:
        to: what follows `ssh`: options, and at the end USER@HOST.
        forwards: the ports.
        tell: prints a message.
        sleep: waits for some seconds.

    Raises:
        CommandError: `to` names no machine.
    """

    def __init__(
        self,
        to: str,
        forwards: Sequence[Forward],
        tell: Callable[[str], None] = lambda text: print(text, flush=True),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        try:
            self._words = shlex.split(to)
        except ValueError as error:
            raise CommandError(f"--via ssh {to}: {error}") from None
        if not self._words or self._words[-1].startswith("-"):
            raise CommandError(f"--via ssh {to}: it takes USER@HOST, as in --via ssh ann@pax.example.org")
        self._forwards, self._tell, self._sleep = forwards, tell, sleep

    @property
    def host(self) -> str:
        """The name of the other machine."""
        return self._words[-1].rpartition("@")[2]

    @property
    def command(self) -> list[str]:
        ways = [word for forward in self._forwards for word in ("-R", forward.option)]
        return ["ssh", *SSH_OPTIONS, *ways, *self._words]

    async def run(self) -> None:
        """Start ssh, and start it again when it ends, until the task is cancelled."""
        loop, wait_s = asyncio.get_running_loop(), RETRY_S
        self._tell(f"Through a tunnel:   {self.host}, port {', '.join(str(way.port) for way in self._forwards)}")
        while True:
            began = loop.time()
            reason = await self._run_once()
            if loop.time() - began > STABLE_S:
                wait_s = RETRY_S
            self._tell(f"The tunnel through {self.host} has ended ({reason}). Next try in {wait_s:.0f} seconds.")
            await self._sleep(wait_s)
            wait_s = min(2 * wait_s, LONGEST_RETRY_S)

    async def _run_once(self) -> str:
        """Run ssh until it ends; return why."""
        try:
            process = await asyncio.create_subprocess_exec(
                *self.command, stdin=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
            )
        except OSError as error:
            return str(error.strerror or error)
        last = b""
        try:
            assert process.stderr is not None
            async for line in process.stderr:
                last = line.strip() or last
            code = await process.wait()
        finally:
            with suppress(ProcessLookupError):
                process.terminate()
            await process.wait()
        return last.decode("utf-8", "replace")[:200] or f"exit code {code}"
