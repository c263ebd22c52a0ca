"""A game against bots whose search takes as long as a test wants."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from paxtui.engine.bots import BotRequest
from paxtui.engine.game_log import GameLog
from paxtui.engine.seating import SeatOccupant
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.bot_process import INTERRUPTED, BotProcess, BotResponse, compute_response
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from tests.rules.harness import tables
from tests.tui.playing import QUIET

FOUR = tuple(seats_for(4))


class SlowBots(BotProcess):
    """A bot process that answers only when the test allows it."""

    def __init__(self) -> None:
        super().__init__()
        self.may_end = asyncio.Event()
        self.is_time_short = False

    async def think(self, game: GameLog[Any], asked: BotRequest) -> BotResponse:
        """Return the response of the bot, when the test allows it."""
        await self.may_end.wait()
        return INTERRUPTED if self.is_time_short else compute_response(game.rules, asked)

    def hurry(self) -> None:
        """Answer now."""
        self.is_time_short = True
        self.may_end.set()


def start_with_slow_bots(home: Path, persons: int = 1, **settings: Any) -> PaxApp:
    """Start a game of four with people at the first seats and slow bots at the others."""
    path = home / "game.jsonl"
    with PaxHost.new(tables(), FOUR, "3", {}, path=path, undo="free", clock=empty_clock) as table:
        table.seat(dict.fromkeys(FOUR[persons:], SeatOccupant(by="bot", level="steady")))
    app = PaxApp(path=path, settings=Settings(**{**QUIET, "bots": "0.1 s", "bot_order": "before you", **settings}))
    app.leisurely = True
    app.thinker = SlowBots()
    return app
