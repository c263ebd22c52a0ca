"""Thoughts of bots, had in a process of their own, so that whoever waits for one can go on drawing and reading keys.

The process is started with the first question and ends with the program. One that dies is started once more for the
same question; if that dies too, the bot has failed, and the next question is tried with a new one.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from subprocess import DEVNULL, PIPE, Popen

import msgspec

from paxtui.pax.board.tables import Tables
from paxtui.table.answering import LENGTH, Asked, packed
from paxtui.table.thinking import AT_ONCE, Question, Thought, think

ATTEMPTS = 2
"""Processes that may die over a question."""
DIED = Thought(failure="because the process in which it thinks died twice")
HURRIED = Thought(failure="because it was hurried")
COMMAND = (sys.executable, "-m", "paxtui.table.answering")


class Thinker:
    """Has bots think.

    Args: how the process is started; a test puts another one in its place.
    """

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._process: Popen[bytes] | None = None
        self._one = asyncio.Lock()
        self._hurried = False

    @property
    def pid(self) -> int | None:
        """The id of the process, None where there is none."""
        return self._process.pid if self._process is not None else None

    async def think(self, tables: Tables, replaced: Mapping[str, str], asked: Question) -> Thought:
        """What a bot answers; one that has failed, or was hurried, answers with that.

        Args: the tables of the game; those of them that replace shipped ones, as texts by name; the question.
        """
        if asked.bot in AT_ONCE:
            return think(tables, asked)
        async with self._one:
            self._hurried = False
            message = packed(Asked(asked, dict(replaced)))
            for _ in range(ATTEMPTS):
                answer = await self._answer(message)
                if self._hurried:
                    return HURRIED
                if answer is not None:
                    return answer
                self.end()
            return DIED

    def hurry(self) -> None:
        """Wait no longer for the thought that is being had."""
        if self._one.locked():
            self._hurried = True
            self.end()

    def end(self) -> None:
        """End the process, whatever it is doing. Doing it twice does nothing."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()  # whoever reads from it finds the end of its output, and closes it

    async def _answer(self, message: bytes) -> Thought | None:
        """What the process answers; None where it dies instead."""
        try:
            if self._process is None or self._process.poll() is not None:
                self._process = Popen(self._command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
            data = await asyncio.to_thread(_exchange, self._process, message)
            return msgspec.msgpack.decode(data, type=Thought)
        except asyncio.CancelledError:
            self.end()  # what it answers now would be taken for the answer to the next question
            raise
        except (OSError, ValueError, msgspec.MsgspecError):
            return None


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
