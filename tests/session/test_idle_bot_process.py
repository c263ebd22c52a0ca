"""The process of the bots ends when it has been idle for a while."""

from __future__ import annotations

import asyncio

from paxtui.session.advice import ADVISER
from paxtui.session.bot_process import IDLE_S, BotProcess
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables


async def test_idle_process_ends_and_the_next_request_starts_another() -> None:
    table = PaxHost.new(load_tables(), ("britain", "france", "germany", "united_states"), "1898")
    while table.state.phase != "movement":
        table.advance()
    now = [0.0]
    bot_process = BotProcess(clock=lambda: now[0])
    request = LocalSession(table).bots.advice_request("france", ADVISER)
    try:
        bot_process.end_if_idle()  # no process yet
        pending = asyncio.ensure_future(bot_process.think(table.game, request))
        await asyncio.sleep(0)
        now[0] = 2 * IDLE_S
        bot_process.end_if_idle()  # it is working
        response = await pending
        assert response.acts and not response.failure
        process = bot_process._process
        now[0] += IDLE_S - 1
        bot_process.end_if_idle()
        assert process is not None and process.poll() is None
        now[0] += 1
        bot_process.end_if_idle()
        assert bot_process.pid is None and process.poll() is not None
        assert (await bot_process.think(table.game, request)).acts == response.acts
    finally:
        bot_process.end()
