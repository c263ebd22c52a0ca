"""The bots by name, as everybody who seats one calls them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from paxtui.bots import steady
from paxtui.bots.act import Act
from paxtui.bots.caretaker import general_orders
from paxtui.pax.board.tables import Tables
from paxtui.pax.orders.seating import Level
from paxtui.pax.state.model import State

CARETAKER: Level = "caretaker"
STEADY: Level = "steady"

BOTS: dict[Level, str] = {
    STEADY: "trades and takes what pays, and provokes nobody",
    CARETAKER: "keeps what is held, by the General Orders for a Power whose player has left",
}
"""The bots that there are, and how each plays."""


def choose_acts(
    level: str, tables: Tables, state: State, view: Callable[[], Mapping[str, Any]], seat: str, seed: str | int
) -> list[Act]:
    """What a bot does now at a seat, to be tried in turn; what is refused is left out.

    Args: the bot by its name; the tables; the position as the seat knows it; gives the same as a view, which is all
        that the steady bot looks at; the seat; the seed of the bot's taste and dice.
    """
    if level == CARETAKER:
        return general_orders.choose_acts(tables, state, seat, seed)
    return [Act(text) for text in steady.choose_acts(tables, view(), seat, seed)]
