"""The bots of Empires in Arms as `paxtui.engine.bots.BotPlayer`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from paxtui.engine.bots import BotAction, BotRequest, SearchReport
from paxtui.engine.game import Game
from paxtui.engine.seating import BotLevel, SeatOccupant

STEADY, EASY, HARD = "steady", "easy", "hard"


class EmpiresBots:
    """Three skills. In exercises they play alike; in a campaign on land they differ."""

    names: Mapping[str, str] = {
        STEADY: "masses corps, keeps a line of depots, besieges and withdraws",
        EASY: "in a campaign: errs, and minds supply and danger little",
        HARD: "in a campaign: attacks at lower odds and weighs cities more",
    }
    instant: tuple[str, ...] = ()  # up to a second in an exercise on land
    substitute = STEADY

    def parse_name(self, text: str) -> SeatOccupant:
        """Parse the name of a bot.

        Raises:
            ValueError: the name is unknown.
        """
        name = text.strip().casefold()
        if name not in self.names:
            raise ValueError(f"there is no bot {text!r}; there are {', '.join(self.names)}")
        return SeatOccupant(by="bot", level=msgspec.convert(name, type=BotLevel))

    def name_of(self, occupant: SeatOccupant) -> str:
        """Return the name of a bot; "" if the occupant is not a bot."""
        if occupant.by != "bot":
            return ""
        return occupant.level if occupant.level in self.names else STEADY

    def choose(self, game: Game[Any], request: BotRequest, report: SearchReport | None = None) -> list[BotAction]:
        """Choose the next action of a seat; none if play does not wait for it."""
        from paxtui.bots.empires.player import choose_action

        if request.seat not in game.waiting_seats(request.state):
            return []
        level = request.bot if request.bot in self.names else STEADY
        return [BotAction(game.format_order(choose_action(game.tables, request.state, request.seat, level)))]
