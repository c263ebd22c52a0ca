"""Thoughts of bots in a process of their own: the same as in this one, and none of its ends ends a game."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import msgspec
import pytest

from paxtui.engine.log import Line
from paxtui.pax.orders.seating import Sitter
from paxtui.pax.position.setup import seats_for
from paxtui.table import thinker as thinkers
from paxtui.table.authority import Table, no_clock
from paxtui.table.session import Session
from paxtui.table.thinker import COMMAND, DIED, HURRIED, Thinker
from paxtui.table.thinking import Question, question, think
from tests.rules.harness import tables

STEADY = Sitter(by="bot", level="steady")
FOUR = tuple(seats_for(4))
DIES = (sys.executable, "-c", "import sys; sys.stdin.buffer.read(1)")


@pytest.fixture(autouse=True)
def every_thought_takes_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick bots think in the process too."""
    monkeypatch.setattr(thinkers, "AT_ONCE", ())


def begun() -> Table:
    """A game in which bots sit everywhere but in Britain."""
    table = Table.new(tables(), FOUR, "3", {}, undo="free", game_id="x", clock=no_clock)
    table.seat(dict.fromkeys(FOUR[1:], STEADY))
    return table


async def watched(session: Session, thinker: Thinker) -> int:
    """Let the bots of a leisurely session move; how many thoughts that took."""
    thoughts = 0
    while (at := session.bots_at) is not None:
        thought = await thinker.think(session.tables, {}, at) if isinstance(at, Question) else None
        thoughts += thought is not None
        session.bots_go_on(thought)
    return thoughts


def lines(table: Table) -> list[Line]:
    """The log without its hashes."""
    return [msgspec.structs.replace(line, prev="") for line in table.game.lines]


async def test_the_log_is_the_same_wherever_the_bots_think() -> None:
    here, there = begun(), begun()
    at_once, leisurely = Session(here), Session(there, leisurely=True)
    thinker = Thinker()
    try:
        thoughts = 0
        for act in ("", "place influence persia", "ready"):
            for session in (at_once, leisurely):
                session.act(act) if act else session.advance()
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
        f"os.execv({COMMAND[0]!r}, {list(COMMAND)!r})\n",
        encoding="utf-8",
    )
    asked = question(begun(), "france", "steady")
    thinker = Thinker((sys.executable, str(script)))
    try:
        assert (await thinker.think(tables(), {}, asked)).acts == think(tables(), asked).acts
        assert (tmp_path / "mark").exists()
    finally:
        thinker.end()


async def test_where_it_dies_twice_a_line_says_so_and_the_caretaker_acts() -> None:
    table = begun()
    session = Session(table, leisurely=True)
    session.advance()
    thinker = Thinker(DIES)
    assert await thinker.think(tables(), {}, question(table, "france", "steady")) == DIED
    await watched(session, thinker)
    told = [entry.text for entry in session.log() if entry.kind == "stand_in"]
    assert len(told) == 3 and told[0].endswith("because the process in which it thinks died twice.")
    assert session.waiting() == ("britain",) and table.verify() == []


async def test_who_hurries_gets_an_answer_at_once() -> None:
    thinker = Thinker((sys.executable, "-c", "import time; time.sleep(60)"))
    waiting = asyncio.create_task(thinker.think(tables(), {}, question(begun(), "france", "steady")))
    while thinker.pid is None:
        await asyncio.sleep(0.01)
    thinker.hurry()
    assert await asyncio.wait_for(waiting, 5) == HURRIED
    thinker.end()
    assert thinker.pid is None


async def test_a_thought_that_was_hurried_is_not_taken_for_the_next_one(tmp_path: Path) -> None:
    script = tmp_path / "slow.py"
    script.write_text(f"import os, time\ntime.sleep(0.3)\nos.execv({COMMAND[0]!r}, {list(COMMAND)!r})\n", "utf-8")
    thinker, table = Thinker((sys.executable, str(script))), begun()
    table.advance()
    asked = [question(table, seat, "steady") for seat in ("france", "germany")]
    try:
        waiting = asyncio.create_task(thinker.think(tables(), {}, asked[0]))
        while thinker.pid is None:
            await asyncio.sleep(0.01)
        thinker.hurry()
        assert await waiting == HURRIED
        assert (await thinker.think(tables(), {}, asked[1])).acts == think(tables(), asked[1]).acts
    finally:
        thinker.end()
