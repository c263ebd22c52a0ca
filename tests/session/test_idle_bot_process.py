"""The process in which bots think ends when nobody asks it anything for a while."""

from __future__ import annotations

import asyncio

from paxtui.session.advice import ADVISER
from paxtui.session.bot_process import IDLE_S, BotProcess
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables


async def test_an_idle_process_ends_and_the_next_question_starts_another() -> None:
    table = PaxHost.new(load_tables(), ("britain", "france", "germany", "united_states"), "1898")
    while table.state.phase != "movement":
        table.advance()
    now = [0.0]
    thinker = BotProcess(clock=lambda: now[0])
    asked = LocalSession(table).bots.advice_request("france", ADVISER)
    try:
        thinker.end_if_idle()  # there is none
        thinks = asyncio.ensure_future(thinker.think(table.game, asked))
        await asyncio.sleep(0)
        now[0] = 2 * IDLE_S
        thinker.end_if_idle()  # it is at work
        thought = await thinks
        assert thought.acts and not thought.failure
        process = thinker._process
        now[0] += IDLE_S - 1
        thinker.end_if_idle()
        assert process is not None and process.poll() is None
        now[0] += 1
        thinker.end_if_idle()
        assert thinker.pid is None and process.poll() is not None
        assert (await thinker.think(table.game, asked)).acts == thought.acts
    finally:
        thinker.end()
