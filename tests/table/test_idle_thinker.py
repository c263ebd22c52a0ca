"""The process in which bots think ends when nobody asks it anything for a while."""

from __future__ import annotations

import asyncio

from paxtui.table.authority import Table
from paxtui.table.desk.advice import ADVISER
from paxtui.table.session import Session
from paxtui.table.tables import load_tables
from paxtui.table.thinker import IDLE, Thinker


async def test_an_idle_process_ends_and_the_next_question_starts_another() -> None:
    table = Table.new(load_tables(), ("britain", "france", "germany", "united_states"), "1898")
    while table.state.phase != "movement":
        table.advance()
    now = [0.0]
    thinker = Thinker(clock=lambda: now[0])
    asked = Session(table, seat="france").question(ADVISER)
    try:
        thinker.end_if_idle()  # there is none
        thinks = asyncio.ensure_future(thinker.think(table.tables, {}, asked))
        await asyncio.sleep(0)
        now[0] = 2 * IDLE
        thinker.end_if_idle()  # it is at work
        thought = await thinks
        assert thought.acts and not thought.failure
        process = thinker._process
        now[0] += IDLE - 1
        thinker.end_if_idle()
        assert process is not None and process.poll() is None
        now[0] += 1
        thinker.end_if_idle()
        assert thinker.pid is None and process.poll() is not None
        assert (await thinker.think(table.tables, {}, asked)).acts == thought.acts
    finally:
        thinker.end()
