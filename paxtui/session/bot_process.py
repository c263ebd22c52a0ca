"""Run bots in a separate process, so that the screen stays responsive.

The process starts with the first request and ends with the program. If it dies, it is restarted once for the same
request; then the bot has failed. A response depends only on the request. A bot error gives a response that says so.

The process is `python -m paxtui.session.bot_process`; it ends when its input does. Messages are MessagePack with a
length prefix of four bytes.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from subprocess import DEVNULL, PIPE, Popen
from time import monotonic
from typing import IO, Any, BinaryIO

import msgspec
from msgspec.structs import replace

from paxtui.engine.bots import BotAction, BotRequest, SearchReport
from paxtui.engine.game import Game
from paxtui.engine.game_log import GameLog
from paxtui.engine.log import Header
from paxtui.session.game_host import SeatViews
from paxtui.session.games import bots_of, load_game


class BotResponse(msgspec.Struct, frozen=True):
    """The response of a bot.

    Attributes:
        acts: to be tried in turn.
        failure: why there are none, in a few words; "" if the bot has not failed.
        searched, budget: the part of a search that is done, and the whole. Partial responses precede the last one.
    """

    acts: Sequence[BotAction] = ()
    failure: str = ""
    searched: int = 0
    budget: int = 0

    @property
    def is_partial(self) -> bool:
        """Whether the bot searches on."""
        return self.searched < self.budget


def bot_request(table: SeatViews, seat: str, bot: str) -> BotRequest:
    """Return the request for a move of a seat. Raises: Refusal `unknown_seat`."""
    return BotRequest(bot, seat, taste_seed(table, seat), table.state_for(seat))


def reply_request(
    table: SeatViews, seat: str, bot: str, writers: Sequence[str], askers: Sequence[str] = ()
) -> BotRequest:
    """Return the request for replies to drafts, and to dispatches of these seats. Raises: as `bot_request`.

    Args: the game; the seat; its bot; the seats; those of them that ask what the bot wants.
    """
    return replace(bot_request(table, seat, bot), what="replies", writers=tuple(writers), askers=tuple(askers))


def last_word_request(table: SeatViews, seat: str, bot: str) -> BotRequest:
    """Return the request for a last word, when all others are ready. Raises: as `bot_request`."""
    return replace(bot_request(table, seat, bot), what="last word")


def taste_seed(table: SeatViews, seat: str) -> str:
    """Return the seed of a bot's preferences: a hash that does not reveal the seed of the dice."""
    secret = table.game.secret("taste") or table.game.header.game
    return sha256(f"paxtui/taste|{secret}|{seat}".encode("utf-8", "surrogatepass")).hexdigest()


def compute_response(game: Game[Any], asked: BotRequest, report: SearchReport | None = None) -> BotResponse:
    """Run a bot; an error gives a response with its failure."""
    try:
        return BotResponse(compute_acts(game, asked, report))
    except Exception as error:  # an error of a bot must not end the game
        return BotResponse(failure=f"because it failed ({type(error).__name__})")


def compute_acts(game: Game[Any], asked: BotRequest, report: SearchReport | None = None) -> list[BotAction]:
    """Run a bot and return its acts. Raises: any error of the bot."""
    return bots_of(game).choose(game, asked, report)


LENGTH_BYTES = 4
"""Size of the length prefix, in bytes."""
NICENESS = 5
"""Niceness of the process, so that the screen has priority."""


class BotQuery(msgspec.Struct, frozen=True):
    """A request whose position is encoded by its game, and the header of the game without its start."""

    question: BotRequest
    header: Header


def pack_message(message: object) -> bytes:
    """Encode a message with its length prefix."""
    data = msgspec.msgpack.encode(message)
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def read_message(stream: IO[bytes]) -> bytes | None:
    """Read a message without its length prefix; None at the end of the stream."""
    length = stream.read(LENGTH_BYTES)
    if len(length) < LENGTH_BYTES:
        return None
    size = int.from_bytes(length, "big")
    data = stream.read(size)
    return data if len(data) == size else None


def serve_requests(questions: BinaryIO, thoughts: BinaryIO) -> None:
    """Answer requests until the input ends."""
    decoder = msgspec.msgpack.Decoder(BotQuery)
    header: Header | None = None
    game: Game[Any] | None = None

    def send_progress(searched: int, budget: int, acts: Sequence[BotAction]) -> None:
        if searched < budget:
            thoughts.write(pack_message(BotResponse(acts, searched=searched, budget=budget)))
            thoughts.flush()

    while (data := read_message(questions)) is not None:
        asked = decoder.decode(data)
        if game is None or asked.header != header:
            header, game = asked.header, load_game(asked.header)
        question = replace(asked.question, state=game.decode_state(asked.question.state))
        thoughts.write(pack_message(compute_response(game, question, send_progress)))
        thoughts.flush()


def serve_standard_streams(serve: Callable[[BinaryIO, BinaryIO], None]) -> None:
    """Serve requests on standard input with low priority; nothing else may write to standard output.

    Args: reads requests from the first stream and writes responses to the second.
    """
    responses = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    os.nice(NICENESS)
    with suppress(OSError):  # the parent may have ended
        serve(sys.stdin.buffer, responses)


ATTEMPTS = 2
"""Maximum number of processes that may die over a request."""
PROCESS_DIED = BotResponse(failure="because its process ended twice")
IDLE_S = 60.0
"""Idle time after which the process ends, in seconds."""
INTERRUPTED = BotResponse(failure="because its search was stopped")
PROCESS_COMMAND = (sys.executable, "-m", "paxtui.session.bot_process")


class BotProcess:
    """A client of the bot process.

    Args:
        command: the command line of the process; tests replace it.
        clock: monotonic seconds.

    Attributes:
        progress: the last partial response to the pending request; None without one.
    """

    def __init__(self, command: Sequence[str] = PROCESS_COMMAND, clock: Callable[[], float] = monotonic) -> None:
        self._command, self._clock = command, clock
        self._used = clock()
        self.progress: BotResponse | None = None
        self._process: Popen[bytes] | None = None
        self._one = asyncio.Lock()
        self._hurried = asyncio.Event()
        self._last: asyncio.Future[BotResponse] | None = None
        self._ended = False

    @property
    def pid(self) -> int | None:
        """The id of the process, None if it is not running."""
        return self._process.pid if self._process is not None else None

    def get_ready(self) -> None:
        """Start the process before the first request; errors are reported by that request."""
        with suppress(OSError):
            self._start()

    async def think(self, game: GameLog[Any], asked: BotRequest) -> BotResponse:
        """Send a request about a game and return the response; a bot that fails or is interrupted responds so.

        The response of a bot whose search is interrupted is the best that it has found.
        """
        rules = game.rules
        if asked.bot in bots_of(rules).instant:
            self._hurried.clear()
            return compute_response(rules, asked)
        async with self._one:
            self._ended, self.progress = False, None
            question = replace(asked, state=rules.encode_state(asked.state))
            header = replace(game.header, start=None, seed="", commitment="")  # the seed stays here
            message = pack_message(BotQuery(question, header))
            answered = self._last = asyncio.ensure_future(self._answer(message, self._last))
            hurried = asyncio.ensure_future(self._hurried.wait())
            try:
                await asyncio.wait((answered, hurried), return_when=asyncio.FIRST_COMPLETED)
            finally:
                # not earlier: `hurry` may be called before the bot has begun
                self._hurried.clear()
                hurried.cancel()
            self._used = self._clock()
            found, self.progress = self.progress, None
            if answered.done():
                return answered.result()
            return BotResponse(found.acts) if found is not None else INTERRUPTED

    def hurry(self) -> None:
        """Stop waiting for the current response; it is discarded when it arrives."""
        self._hurried.set()

    def end(self) -> None:
        """Kill the process. Calling it twice does nothing."""
        self._ended = True
        self._kill()

    def end_if_idle(self) -> None:
        """End a process that is idle for `IDLE_S` seconds; the next request starts another."""
        thinks = self._one.locked() or (self._last is not None and not self._last.done())
        if self._process is not None and not thinks and self._clock() - self._used >= IDLE_S:
            self._kill()

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()  # the thread that reads its output finds the end, and closes it

    def _start(self) -> Popen[bytes]:
        """Return the process; start it if necessary. Raises: OSError."""
        if self._process is None or self._process.poll() is not None:
            self._used = self._clock()
            self._process = Popen(self._command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        return self._process

    async def _answer(self, message: bytes, before: asyncio.Future[BotResponse] | None) -> BotResponse:
        """Return the response to the latest request, after discarding earlier ones."""
        if before is not None:
            await asyncio.wait((before,))
        for _ in range(ATTEMPTS):
            if self._ended:
                break
            try:
                return await self._exchange(self._start(), message)
            except (OSError, ValueError, msgspec.MsgspecError):
                self._kill()
        return PROCESS_DIED

    async def _exchange(self, process: Popen[bytes], message: bytes) -> BotResponse:
        """Send a message and return the last response; keep the partial ones of the pending request."""
        mine, data = asyncio.current_task(), await asyncio.to_thread(_exchange, process, message)
        while (response := msgspec.msgpack.decode(data, type=BotResponse)).is_partial:
            if mine is self._last and not self._hurried.is_set():
                self.progress = response
            data = await asyncio.to_thread(_exchange, process, b"")
        return response


def _exchange(process: Popen[bytes], message: bytes) -> bytes:
    """Send a message, if there is one, and return the next answer. Raises: OSError, ValueError if the process dies."""
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(message)
        process.stdin.flush()
        data = read_message(process.stdout)
        if data is None:
            raise EOFError
        return data
    except (OSError, EOFError) as died:
        process.stdout.close()
        with suppress(OSError):  # what has not been read goes with it
            process.stdin.close()
        raise BrokenPipeError from died


if __name__ == "__main__":
    serve_standard_streams(serve_requests)
