"""Thoughts of bots in a process of their own: the same as in this one, and none of its ends ends a game."""

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
def every_thought_takes_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick bots think in the process too."""
    monkeypatch.setattr(PaxBots, "instant", ())


def begun() -> PaxHost:
    """A game in which bots sit everywhere but in Britain."""
    table = PaxHost.new(tables(), FOUR, "3", {}, undo="free", game_id="x", clock=empty_clock)
    table.seat(dict.fromkeys(FOUR[1:], STEADY))
    return table


async def watched(session: Session, thinker: BotProcess) -> int:
    """Let the bots of a leisurely session move; how many thoughts that took."""
    thoughts = 0
    while (at := session.bots.current) is not None:
        thought = await thinker.think(session.view.game_log, at) if isinstance(at, BotRequest) else None
        thoughts += thought is not None
        session.bots.step(thought)
    return thoughts


def lines(table: PaxHost) -> list[Line]:
    """The log without its hashes."""
    return [msgspec.structs.replace(line, prev="") for line in table.game.lines]


async def test_the_log_is_the_same_wherever_the_bots_think() -> None:
    here, there = begun(), begun()
    at_once = LocalSession(here, bot_order=BEFORE_PERSONS)
    leisurely = LocalSession(there, step_by_step=True, bot_order=BEFORE_PERSONS)
    thinker = BotProcess()
    try:
        thoughts = 0
        for act in ("", "place influence persia", "ready"):
            for session in (at_once, leisurely):
                session.act_text(act) if act else session.advance()
            thoughts += await watched(leisurely, thinker)
            assert lines(here) == lines(there)
        assert thoughts > 3 and thinker.pid is not None and here.version > 20
    finally:
        thinker.end()


async def test_a_process_that_dies_is_started_once_more(tmp_path: Path) -> None:
    script = tmp_path / "once.py"
    script.write_text(
        "import os, sys\n"
        f"mark = {str(tmp_path / 'mark')!r}\n"
        "if not os.path.exists(mark):\n    open(mark, 'w').close(); sys.exit(3)\n"
        f"os.execv({PROCESS_COMMAND[0]!r}, {list(PROCESS_COMMAND)!r})\n",
        encoding="utf-8",
    )
    asked = bot_request(begun(), "france", "steady")
    thinker = BotProcess((sys.executable, str(script)))
    try:
        assert (await thinker.think(begun().game, asked)).acts == compute_response(PaxGame(tables()), asked).acts
        assert (tmp_path / "mark").exists()
    finally:
        thinker.end()


async def test_where_it_dies_twice_a_line_says_so_and_the_caretaker_acts() -> None:
    table = begun()
    session = LocalSession(table, step_by_step=True, bot_order=BEFORE_PERSONS)
    session.advance()
    thinker = BotProcess(DIES)
    assert await thinker.think(table.game, bot_request(table, "france", "steady")) == PROCESS_DIED
    await watched(session, thinker)
    told = [entry.text for entry in session.view.log() if entry.kind == "stand_in"]
    assert len(told) == 3 and told[0].endswith("because its process ended twice.")
    assert session.waiting() == ("britain",) and table.verify() == []


async def test_who_hurries_gets_an_answer_at_once() -> None:
    thinker = BotProcess((sys.executable, "-c", "import time; time.sleep(60)"))
    waiting = asyncio.create_task(thinker.think(begun().game, bot_request(begun(), "france", "steady")))
    await until(lambda: thinker.pid is not None)
    thinker.hurry()
    assert await asyncio.wait_for(waiting, 50) == INTERRUPTED
    thinker.end()
    assert thinker.pid is None


async def test_a_thought_that_was_hurried_is_not_taken_for_the_next_one(tmp_path: Path) -> None:
    script = tmp_path / "slow.py"
    script.write_text(
        f"import os, time\ntime.sleep(0.3)\nos.execv({PROCESS_COMMAND[0]!r}, {list(PROCESS_COMMAND)!r})\n", "utf-8"
    )
    thinker, table = BotProcess((sys.executable, str(script))), begun()
    table.advance()
    asked = [bot_request(table, seat, "steady") for seat in ("france", "germany")]
    try:
        waiting = asyncio.create_task(thinker.think(begun().game, asked[0]))
        await until(lambda: thinker.pid is not None)
        thinker.hurry()
        assert await waiting == INTERRUPTED
        assert (await thinker.think(begun().game, asked[1])).acts == compute_response(PaxGame(tables()), asked[1]).acts
    finally:
        thinker.end()


async def test_a_bot_of_an_exercise_thinks_in_the_process_too() -> None:
    table = new_game("empires", "1", scenario="cabinet-1805")
    asked = bot_request(table, table.waiting[0], "steady")
    thinker = BotProcess()
    try:
        thought = await thinker.think(table.game, asked)
        assert thought.acts and thought.acts == compute_response(table.rules, asked).acts
        assert thinker.pid is not None
    finally:
        thinker.end()
