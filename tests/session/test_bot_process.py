"""Bots in a separate process: they act as in this process, and the game survives its death."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import msgspec
import pytest

from paxtui.bots.pax.registry import PaxBots
from paxtui.engine.bots import BotRequest
from paxtui.engine.log import Line
from paxtui.engine.seating import BEFORE_PERSONS, SeatOccupant
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.bot_process import (
    INTERRUPTED,
    PROCESS_COMMAND,
    PROCESS_DIED,
    BotProcess,
    bot_request,
    compute_response,
)
from paxtui.session.game_host import empty_clock
from paxtui.session.hosts import new_game
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import Session
from tests.rules.harness import tables
from tests.waiting import until

STEADY = SeatOccupant(by="bot", level="steady")
FOUR = tuple(seats_for(4))
DIES = (sys.executable, "-c", "import sys; sys.stdin.buffer.read(1)")


@pytest.fixture(autouse=True)
def no_instant_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the quick bots use the process too."""
    monkeypatch.setattr(PaxBots, "instant", ())


def start_game() -> PaxHost:
    """Start a game with bots at all seats but Britain's."""
    table = PaxHost.new(tables(), FOUR, "3", {}, undo="free", game_id="x", clock=empty_clock)
    table.seat(dict.fromkeys(FOUR[1:], STEADY))
    return table


async def run_bots(session: Session, bot_process: BotProcess) -> int:
    """Let the bots of a step-by-step session act; return the number of requests."""
    request_count = 0
    while (at := session.bots.current) is not None:
        response = await bot_process.think(session.view.game_log, at) if isinstance(at, BotRequest) else None
        request_count += response is not None
        session.bots.step(response)
    return request_count


def lines(table: PaxHost) -> list[Line]:
    """Return the lines of the log without their hashes."""
    return [msgspec.structs.replace(line, prev="") for line in table.game.lines]


async def test_log_is_the_same_with_a_bot_process() -> None:
    here, there = start_game(), start_game()
    at_once = LocalSession(here, bot_order=BEFORE_PERSONS)
    step_by_step = LocalSession(there, step_by_step=True, bot_order=BEFORE_PERSONS)
    bot_process = BotProcess()
    try:
        request_count = 0
        for act in ("", "place influence persia", "ready"):
            for session in (at_once, step_by_step):
                session.act_text(act) if act else session.advance()
            request_count += await run_bots(step_by_step, bot_process)
            assert lines(here) == lines(there)
        assert request_count > 3 and bot_process.pid is not None and here.version > 20
    finally:
        bot_process.end()


async def test_dead_process_is_restarted_once(tmp_path: Path) -> None:
    script = tmp_path / "once.py"
    script.write_text(
        "import os, sys\n"
        f"mark = {str(tmp_path / 'mark')!r}\n"
        "if not os.path.exists(mark):\n    open(mark, 'w').close(); sys.exit(3)\n"
        f"os.execv({PROCESS_COMMAND[0]!r}, {list(PROCESS_COMMAND)!r})\n",
        encoding="utf-8",
    )
    request = bot_request(start_game(), "france", "steady")
    bot_process = BotProcess((sys.executable, str(script)))
    try:
        assert (await bot_process.think(start_game().game, request)).acts == compute_response(
            PaxGame(tables()), request
        ).acts
        assert (tmp_path / "mark").exists()
    finally:
        bot_process.end()


async def test_caretaker_acts_if_the_process_dies_twice() -> None:
    table = start_game()
    session = LocalSession(table, step_by_step=True, bot_order=BEFORE_PERSONS)
    session.advance()
    bot_process = BotProcess(DIES)
    assert await bot_process.think(table.game, bot_request(table, "france", "steady")) == PROCESS_DIED
    await run_bots(session, bot_process)
    notices = [entry.text for entry in session.view.log() if entry.kind == "stand_in"]
    assert len(notices) == 3 and notices[0].endswith("because its process ended twice.")
    assert session.waiting() == ("britain",) and table.verify() == []


async def test_hurry_returns_at_once() -> None:
    bot_process = BotProcess((sys.executable, "-c", "import time; time.sleep(60)"))
    waiting = asyncio.create_task(bot_process.think(start_game().game, bot_request(start_game(), "france", "steady")))
    await until(lambda: bot_process.pid is not None)
    bot_process.hurry()
    assert await asyncio.wait_for(waiting, 50) == INTERRUPTED
    bot_process.end()
    assert bot_process.pid is None


async def test_interrupted_response_is_not_used_for_the_next_request(tmp_path: Path) -> None:
    script = tmp_path / "slow.py"
    script.write_text(
        f"import os, time\ntime.sleep(0.3)\nos.execv({PROCESS_COMMAND[0]!r}, {list(PROCESS_COMMAND)!r})\n", "utf-8"
    )
    bot_process, table = BotProcess((sys.executable, str(script))), start_game()
    table.advance()
    requests = [bot_request(table, seat, "steady") for seat in ("france", "germany")]
    try:
        waiting = asyncio.create_task(bot_process.think(start_game().game, requests[0]))
        await until(lambda: bot_process.pid is not None)
        bot_process.hurry()
        assert await waiting == INTERRUPTED
        assert (await bot_process.think(start_game().game, requests[1])).acts == compute_response(
            PaxGame(tables()), requests[1]
        ).acts
    finally:
        bot_process.end()


async def test_bot_of_an_exercise_uses_the_process() -> None:
    table = new_game("empires", "1", scenario="cabinet-1805")
    request = bot_request(table, table.waiting[0], "steady")
    bot_process = BotProcess()
    try:
        response = await bot_process.think(table.game, request)
        assert response.acts and response.acts == compute_response(table.rules, request).acts
        assert bot_process.pid is not None
    finally:
        bot_process.end()
