"""Thoughts of bots, had in a process of their own, so that whoever waits for one can go on drawing and reading keys.

The process is started with the first question and ends with the program. One that dies is started once more for the
same question; if that dies too, the bot has failed, and the next question is tried with a new one.

What a bot is asked: the position as its seat knows it, and what it would do there; in this process or in another.

A thought depends on what is in the question and on nothing else, so that it is the same wherever it is had. A bot that
stumbles gives a thought that says so.

The process in which bots think for a screen: questions come in on its input, thoughts go out, until nobody asks.

It is started as `python -m paxtui.session.bot_process` by `thinker`, and ends when its input does. Each message is a
number
of four bytes, how long it is, and then as many bytes of MessagePack.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from subprocess import DEVNULL, PIPE, Popen
from time import monotonic
from typing import BinaryIO, Literal

import msgspec
from msgspec.structs import replace

from paxtui.bots.pax.profiles import BotAction
from paxtui.bots.pax.registry import CARETAKER, STEADY, bot_replies, choose_bot_actions
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.position.view import view_for_seat
from paxtui.games.pax.state.model import State
from paxtui.session.game_host import GameHost
from paxtui.session.tables.loader import load_tables_from_header

INSTANT_BOTS = (CARETAKER, STEADY)
"""Bots whose thoughts take no time worth waiting for."""


class BotRequest(msgspec.Struct, frozen=True):
    """What is asked of a bot.

    Attributes:
        bot: which, by its name.
        seat: the seat that it plays.
        seed: of its taste, which says nothing about the dice of the game.
        version: number of the last line that the seat has.
        state: the position as the seat knows it.
        what: "move"; "counsel" where the drafts before the seat are weighed first, and then its move; "replies" where
            it is to answer drafts and dispatches, and do nothing else; "last word" where it has moved, and all others
            are ready.
        writers: seats whose dispatches wait for a word from this one.
    """

    bot: str
    seat: str
    seed: str
    version: int
    state: State
    what: Literal["move", "counsel", "replies", "last word"] = "move"
    writers: Sequence[str] = ()


class BotResponse(msgspec.Struct, frozen=True):
    """What a bot would do.

    Attributes:
        acts: to be tried in turn.
        failure: why there are none, in a few words; "" where the bot has not failed.
    """

    acts: Sequence[BotAction] = ()
    failure: str = ""


def bot_request(table: GameHost, seat: str, bot: str) -> BotRequest:
    """What a bot is asked at a seat now. Raises: Refusal `unknown_seat`."""
    return BotRequest(bot, seat, taste_seed(table, seat), table.version_for(seat), table.state_for(seat))


def reply_request(table: GameHost, seat: str, bot: str, writers: Sequence[str]) -> BotRequest:
    """What a bot is asked about the drafts before it, and the dispatches of these seats. Raises: as `question`."""
    return replace(bot_request(table, seat, bot), what="replies", writers=tuple(writers))


def advice_request(table: GameHost, seat: str, bot: str) -> BotRequest:
    """What a bot is asked that shall say what it would do in the place of a seat's player. Raises: as `question`."""
    return replace(bot_request(table, seat, bot), what="counsel")


def last_word_request(table: GameHost, seat: str, bot: str) -> BotRequest:
    """What a bot is asked when all others are ready, and it has moved. Raises: as `question`."""
    return replace(bot_request(table, seat, bot), what="last word")


def taste_seed(table: GameHost, seat: str) -> str:
    """The seed of the taste of who plays a seat: a hash from which the seed of the dice cannot be had, nor a die."""
    secret = table.game.secret("taste") or table.game.header.game
    return sha256(f"paxtui/taste|{secret}|{seat}".encode("utf-8", "surrogatepass")).hexdigest()


def compute_response(tables: Tables, asked: BotRequest) -> BotResponse:
    """What a bot answers; one that stumbles answers with its failure."""
    try:
        return BotResponse(compute_acts(tables, asked))
    except Exception as error:  # a mistake of a bot's must not end the game of those who sit with it
        return BotResponse(failure=f"because it failed ({type(error).__name__})")


def compute_acts(tables: Tables, asked: BotRequest) -> list[BotAction]:
    """What a bot would do. Raises: whatever the bot stumbles over."""
    state, seat = asked.state, asked.seat
    if asked.what == "replies":
        return bot_replies(asked.bot, tables, state, seat, asked.seed, asked.writers)
    seen = partial(view_for_seat, tables, state, seat, asked.version)
    answers = bot_replies(asked.bot, tables, state, seat, asked.seed) if asked.what == "counsel" else []
    return answers + choose_bot_actions(asked.bot, tables, state, seen, seat, asked.seed, asked.what == "last word")


LENGTH_BYTES = 4
"""Bytes that say how long a message is."""
NICENESS = 5
"""How much it stands back behind the screen when both want to be reckoned."""


class BotQuery(msgspec.Struct, frozen=True):
    """A question, and the tables of its game that replace shipped ones, as texts by their names."""

    question: BotRequest
    tables: dict[str, str]


def pack_message(message: object) -> bytes:
    """A message as it travels."""
    data = msgspec.msgpack.encode(message)
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def serve_requests(questions: BinaryIO, thoughts: BinaryIO) -> None:
    """Answer questions, one after the other, until there are no more."""
    decoder = msgspec.msgpack.Decoder(BotQuery)
    replaced: dict[str, str] = {}
    tables = load_tables_from_header(replaced)
    while len(length := questions.read(LENGTH_BYTES)) == LENGTH_BYTES:
        asked = decoder.decode(questions.read(int.from_bytes(length, "big")))
        if asked.tables != replaced:
            replaced = asked.tables
            tables = load_tables_from_header(replaced)
        thoughts.write(pack_message(compute_response(tables, asked.question)))
        thoughts.flush()


def run_process() -> None:
    """Answer what comes in on the standard input; nothing else may write to the standard output."""
    thoughts = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the screen
    os.nice(NICENESS)
    with suppress(OSError):  # whoever asked may be gone
        serve_requests(sys.stdin.buffer, thoughts)


if __name__ == "__main__":
    run_process()


ATTEMPTS = 2
"""Processes that may die over a question."""
PROCESS_DIED = BotResponse(failure="because the process in which it thinks died twice")
IDLE_S = 60.0
"""Seconds after which a process that is asked nothing ends."""
INTERRUPTED = BotResponse(failure="because it was hurried")
PROCESS_COMMAND = (sys.executable, "-m", "paxtui.session.bot_process")


class BotProcess:
    """Has bots think.

    Args:
        command: how the process is started; a test puts another one in its place.
        clock: seconds that only go forward.
    """

    def __init__(self, command: Sequence[str] = PROCESS_COMMAND, clock: Callable[[], float] = monotonic) -> None:
        self._command, self._clock = command, clock
        self._used = clock()
        self._process: Popen[bytes] | None = None
        self._one = asyncio.Lock()
        self._hurried = asyncio.Event()
        self._last: asyncio.Future[BotResponse] | None = None
        self._ended = False

    @property
    def pid(self) -> int | None:
        """The id of the process, None where there is none."""
        return self._process.pid if self._process is not None else None

    def get_ready(self) -> None:
        """Begin to start the process, for the first question to find it there. What goes wrong is found out then."""
        with suppress(OSError):
            self._start()

    async def think(self, tables: Tables, replaced: Mapping[str, str], asked: BotRequest) -> BotResponse:
        """What a bot answers; one that has failed, or was hurried, answers with that.

        Args: the tables of the game; those of them that replace shipped ones, as texts by name; the question.
        """
        if asked.bot in INSTANT_BOTS:
            self._hurried.clear()
            return compute_response(tables, asked)
        async with self._one:
            self._ended = False
            message = pack_message(BotQuery(asked, dict(replaced)))
            answered = self._last = asyncio.ensure_future(self._answer(message, self._last))
            hurried = asyncio.ensure_future(self._hurried.wait())
            try:
                await asyncio.wait((answered, hurried), return_when=asyncio.FIRST_COMPLETED)
            finally:
                # not before the thought: whoever is asked already may be hurried before it has begun to think
                self._hurried.clear()
                hurried.cancel()
            self._used = self._clock()
            return answered.result() if answered.done() else INTERRUPTED

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
        if self._process is not None and not thinks and self._clock() - self._used >= IDLE_S:
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

    async def _answer(self, message: bytes, before: asyncio.Future[BotResponse] | None) -> BotResponse:
        """What the process answers, when it has answered what it was asked before."""
        if before is not None:
            await asyncio.wait((before,))
        for _ in range(ATTEMPTS):
            if self._ended:
                break
            try:
                data = await asyncio.to_thread(_exchange, self._start(), message)
                return msgspec.msgpack.decode(data, type=BotResponse)
            except (OSError, ValueError, msgspec.MsgspecError):
                self._kill()
        return PROCESS_DIED


def _exchange(process: Popen[bytes], message: bytes) -> bytes:
    """What a process answers to a message. Raises: OSError, ValueError, where it dies instead."""
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(message)
        process.stdin.flush()
        length = int.from_bytes(process.stdout.read(LENGTH_BYTES), "big")
        data = process.stdout.read(length)
        if not length or len(data) < length:
            raise EOFError
        return data
    except (OSError, EOFError) as died:
        process.stdout.close()
        with suppress(OSError):  # what has not been read goes with it
            process.stdin.close()
        raise BrokenPipeError from died
