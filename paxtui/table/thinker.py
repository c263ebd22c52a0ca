"""Thoughts of bots, had in a process of their own, so that whoever waits for one can go on drawing and reading keys.

The process is started with the first question and ends with the program. One that dies is started once more for the
same question; if that dies too, the bot has failed, and the next question is tried with a new one.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from subprocess import DEVNULL, PIPE, Popen
from time import monotonic

import msgspec

from paxtui.pax.board.tables import Tables
from paxtui.table.answering import LENGTH, Asked, packed
from paxtui.table.thinking import AT_ONCE, Question, Thought, think

ATTEMPTS = 2
"""Processes that may die over a question."""
DIED = Thought(failure="because the process in which it thinks died twice")
IDLE = 60.0
"""Seconds after which a process that is asked nothing ends."""
HURRIED = Thought(failure="because it was hurried")
COMMAND = (sys.executable, "-m", "paxtui.table.answering")


class Thinker:
    """Has bots think.

    Args:
        command: how the process is started; a test puts another one in its place.
        clock: seconds that only go forward.
    """

    def __init__(self, command: Sequence[str] = COMMAND, clock: Callable[[], float] = monotonic) -> None:
        self._command, self._clock = command, clock
        self._used = clock()
        self._process: Popen[bytes] | None = None
        self._one = asyncio.Lock()
        self._hurried = asyncio.Event()
        self._last: asyncio.Future[Thought] | None = None
        self._ended = False

    @property
    def pid(self) -> int | None:
        """The id of the process, None where there is none."""
        return self._process.pid if self._process is not None else None

    def get_ready(self) -> None:
        """Begin to start the process, for the first question to find it there. What goes wrong is found out then."""
        with suppress(OSError):
            self._start()

    async def think(self, tables: Tables, replaced: Mapping[str, str], asked: Question) -> Thought:
        """What a bot answers; one that has failed, or was hurried, answers with that.

        Args: the tables of the game; those of them that replace shipped ones, as texts by name; the question.
        """
        if asked.bot in AT_ONCE:
            self._hurried.clear()
            return think(tables, asked)
        async with self._one:
            self._ended = False
            message = packed(Asked(asked, dict(replaced)))
            answered = self._last = asyncio.ensure_future(self._answer(message, self._last))
            hurried = asyncio.ensure_future(self._hurried.wait())
            try:
                await asyncio.wait((answered, hurried), return_when=asyncio.FIRST_COMPLETED)
            finally:
                # not before the thought: whoever is asked already may be hurried before it has begun to think
                self._hurried.clear()
                hurried.cancel()
            self._used = self._clock()
            return answered.result() if answered.done() else HURRIED

    def hurry(self) -> None:
        """Wait no longer for the thought that is being had: it is thrown away when it comes."""
        self._hurried.set()

    def end(self) -> None:
        """End the process, whatever it is doing. Doing it twice does nothing."""
        self._ended = True
        self._kill()

    def end_if_idle(self) -> None:
        """End a process that has not been asked for `IDLE` seconds; the next question starts another one."""
        thinks = self._one.locked() or (self._last is not None and not self._last.done())
        if self._process is not None and not thinks and self._clock() - self._used >= IDLE:
            self._kill()

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()  # whoever reads from it finds the end of its output, and closes it

    def _start(self) -> Popen[bytes]:
        """The process, started where there is none. Raises: OSError."""
        if self._process is None or self._process.poll() is not None:
            self._used = self._clock()
            self._process = Popen(self._command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        return self._process

    async def _answer(self, message: bytes, before: asyncio.Future[Thought] | None) -> Thought:
        """What the process answers, when it has answered what it was asked before."""
        if before is not None:
            await asyncio.wait((before,))
        for _ in range(ATTEMPTS):
            if self._ended:
                break
            try:
                data = await asyncio.to_thread(_exchange, self._start(), message)
                return msgspec.msgpack.decode(data, type=Thought)
            except (OSError, ValueError, msgspec.MsgspecError):
                self._kill()
        return DIED


def _exchange(process: Popen[bytes], message: bytes) -> bytes:
    """What a process answers to a message. Raises: OSError, ValueError, where it dies instead."""
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(message)
        process.stdin.flush()
        length = int.from_bytes(process.stdout.read(LENGTH), "big")
        data = process.stdout.read(length)
        if not length or len(data) < length:
            raise EOFError
        return data
    except (OSError, EOFError) as died:
        process.stdout.close()
        with suppress(OSError):  # what has not been read goes with it
            process.stdin.close()
        raise BrokenPipeError from died
