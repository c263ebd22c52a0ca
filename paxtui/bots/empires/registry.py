"""The bots of Empires in Arms as `paxtui.engine.bots.BotPlayer`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paxtui.engine.bots import BotAction, BotRequest, SearchReport
from paxtui.engine.game import Game
from paxtui.engine.seating import SeatOccupant

STEADY = "steady"


class EmpiresBots:
    """One bot: it tries every action of its menu and takes the one that looks best."""

    names: Mapping[str, str] = {STEADY: "tries every action that is offered and takes the one that looks best"}
    instant: tuple[str, ...] = ()  # up to a second in an exercise on land
    substitute = STEADY

    def parse_name(self, text: str) -> SeatOccupant:
        """Parse the name of a bot.

        Raises:
            ValueError: the name is unknown.
        """
        if text.strip().casefold() != STEADY:
            raise ValueError(f"there is no bot {text!r}; there is {STEADY}")
        return SeatOccupant(by="bot", level="steady")

    def name_of(self, occupant: SeatOccupant) -> str:
        """Return the name of a bot; "" if the occupant is not a bot."""
        return STEADY if occupant.by == "bot" else ""

    def choose(self, game: Game[Any], request: BotRequest, report: SearchReport | None = None) -> list[BotAction]:
        """Choose the next action of a seat; none if play does not wait for it."""
        from paxtui.bots.empires.player import choose_action

        if request.seat not in game.waiting_seats(request.state):
            return []
        return [BotAction(game.format_order(choose_action(game.tables, request.state, request.seat)))]
