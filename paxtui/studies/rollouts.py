"""Rollouts: statesmen play on from a position with other dice, and the prediction judges where they get.

A rollout plays to the beginning of a later Game Turn, or to the end of the game. Position and seed fix its result.
Rollouts run in processes of their own, `python -m paxtui.studies.rollouts`, as the bots of a screen do.
"""

from __future__ import annotations

import gc
import os
import queue
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from subprocess import DEVNULL, PIPE, Popen
from typing import Any, BinaryIO, NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui.bots.pax.registry import CARETAKER
from paxtui.engine.bots import BotRequest
from paxtui.engine.log import Header, Parsed, digest, encode_header
from paxtui.engine.seating import SeatOccupant
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.state.model import State
from paxtui.session.bot_process import (
    BotResponse,
    compute_response,
    pack_message,
    read_message,
    serve_standard_streams,
)
from paxtui.session.bot_runner import next_step
from paxtui.session.game_host import empty_clock
from paxtui.session.games import load_game
from paxtui.session.hosts import bot_runner
from paxtui.session.pax_host import PaxHost
from paxtui.studies.review import Chances, position_chances

TURNS = 2
"""Number of Game Turns that a rollout plays, the current one included."""
MOST_LINES = 900
"""Number of lines of the log after which a rollout ends wherever it is: a War of many Powers can be long."""
STATESMAN = SeatOccupant(by="bot", level="normal")
"""Who plays each seat."""
NICENESS = 10
"""Added to the niceness of a process of rollouts: a screen or a server beside it answers first."""
COMMAND = (sys.executable, "-m", "paxtui.studies.rollouts")


class Rollout(msgspec.Struct, frozen=True):
    """A rollout to play.

    Attributes:
        position: index of the position among those of its run.
        number: its number among the rollouts of the position.
        state: the position, encoded by its game.
        seed: seed of the dice and of the preferences of the statesmen.
    """

    position: int
    number: int
    state: Any
    seed: str


class RolloutResult(NamedTuple):
    """The result of a rollout: its position and number, and the chances to win at its end."""

    position: int
    number: int
    chances: Chances


def play_rollout(rules: PaxGame, header: Header, state: State, seed: str) -> Chances:
    """Play on from a position and return the chances at the end. Takes about a second."""
    fresh = replace(
        header, seed=seed, commitment="", dice="plain", start=rules.encode_state(state), game="rollout", undo="free"
    )
    data = encode_header(fresh)
    host = PaxHost(rules, Parsed(fresh, (), "", data, digest(data)), None, empty_clock, seed)
    host.seat(dict.fromkeys(host.seats, STATESMAN))
    _play(host, state.turn + TURNS)
    return position_chances(host.tables, host.state)


def _play(host: PaxHost, turn: int) -> None:
    """Let the bots play until a Game Turn begins."""

    def is_done() -> bool:
        return host.is_over or host.state.turn >= turn or host.version > MOST_LINES

    while not is_done():
        before = host.version
        host.advance()
        course = bot_runner(host).course()
        step = next(course, None)
        while step is not None and not is_done():
            step = next_step(course, _answer(host, step) if isinstance(step, BotRequest) else None)
        if host.version == before:
            host.take_defaults()


def _answer(host: PaxHost, asked: BotRequest) -> BotResponse:
    """Run a bot. In a War Phase the caretaker answers for the statesman, whose own plans of War take seconds."""
    return compute_response(host.rules, replace(asked, bot=CARETAKER) if host.state.phase == "war" else asked)


# --- processes --------------------------------------------------------------------------------------------------------


class RolloutPool:
    """Processes that play the rollouts of one game.

    Args:
        header: the header of the game.
        jobs: number of processes.
    """

    def __init__(self, header: Header, jobs: int) -> None:
        self._header, self._jobs = header, jobs
        self._processes: list[Popen[bytes]] = []
        self._is_ended = False

    def run(self, rollouts: Sequence[Rollout]) -> Iterator[RolloutResult]:
        """Play rollouts and yield their results in any order; stop early after `end`.

        Raises:
            OSError: a process cannot start, or dies.
        """
        todo: queue.SimpleQueue[Rollout] = queue.SimpleQueue()
        done: queue.SimpleQueue[RolloutResult | OSError] = queue.SimpleQueue()
        for rollout in rollouts:
            todo.put(rollout)
        try:
            for _ in range(min(self._jobs, len(rollouts))):
                if not self._is_ended:
                    process = Popen(COMMAND, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
                    self._processes.append(process)
                    threading.Thread(target=self._serve, args=(process, todo, done), daemon=True).start()
            for _ in range(len(rollouts)):
                if self._is_ended:
                    return
                result = done.get()
                if self._is_ended:
                    return
                if isinstance(result, OSError):
                    raise result
                yield result
        finally:
            self._kill()

    def end(self) -> None:
        """Kill the processes; `run` returns. May be called from any thread."""
        self._is_ended = True
        self._kill()

    def _kill(self) -> None:
        for process in self._processes:
            process.kill()

    def _serve(
        self,
        process: Popen[bytes],
        todo: queue.SimpleQueue[Rollout],
        done: queue.SimpleQueue[RolloutResult | OSError],
    ) -> None:
        """Give rollouts to a process until none is left."""
        assert process.stdin is not None and process.stdout is not None
        with process:
            try:
                process.stdin.write(pack_message(replace(self._header, start=None, seed="", commitment="")))
                while True:
                    rollout = todo.get_nowait()
                    process.stdin.write(pack_message(rollout))
                    process.stdin.flush()
                    data = read_message(process.stdout)
                    if data is None:
                        raise OSError("a process of the rollouts has ended; start the review again to continue")
                    chances = msgspec.msgpack.decode(data, type=Chances)
                    done.put(RolloutResult(rollout.position, rollout.number, chances))
            except queue.Empty:
                pass
            except OSError as error:
                done.put(error)
            with suppress(OSError):
                process.stdin.close()


def serve_rollouts(requests: BinaryIO, results: BinaryIO) -> None:
    """Play rollouts until the input ends."""
    first = read_message(requests)
    if first is None:
        return
    header = msgspec.msgpack.decode(first, type=Header)
    rules = load_game(header)
    assert isinstance(rules, PaxGame)
    gc.freeze()  # rules and tables are permanent: the garbage collector need not scan them
    while (data := read_message(requests)) is not None:
        asked = msgspec.msgpack.decode(data, type=Rollout)
        results.write(pack_message(play_rollout(rules, header, rules.decode_state(asked.state), asked.seed)))
        results.flush()


if __name__ == "__main__":
    with suppress(OSError, AttributeError):  # Windows has no priorities of this kind
        os.nice(NICENESS)
    serve_standard_streams(serve_rollouts)
