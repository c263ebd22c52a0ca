"""Events in plain words: one line each, with the dice, for the log pane, `show`, and the plain mode."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.narration import (
    dice_narration,
    ledger_narration,
    map_narration,
    sequence_narration,
    treaty_narration,
    war_narration,
)
from paxtui.pax.narration.known import Known
from paxtui.pax.state.model import State

_WORDS: dict[type, Callable[[Tables, Any], str]] = {
    **sequence_narration.WORDS,
    **ledger_narration.WORDS,
    **dice_narration.WORDS,
    **map_narration.WORDS,
    **treaty_narration.WORDS,
    **war_narration.WORDS,
}
_NAMED: dict[type, Callable[[Tables, Any, Known], str]] = {
    **sequence_narration.NAMED,
    **map_narration.NAMED,
    **treaty_narration.NAMED,
    **war_narration.NAMED,
}


class Narrator:
    """Tells events, and calls by its name whatever it has heard of before.

    Args:
        tables: the tables of the game.
        start: the position at which the game begins, with what stands in it.
    """

    def __init__(self, tables: Tables, start: State | None = None) -> None:
        self.known = Known(tables)
        if start is not None:
            self.known.learn_all(start.treaties, start.choices, start.casus_belli, start.wars)

    def learn(self, events: Iterable[ev.Event]) -> None:
        """Hear of events without telling them."""
        for event in events:
            self.known.learn(event)

    def tell(self, event: ev.Event) -> str:
        """The event in one line of plain words, with a capital letter; "" where there is nothing to tell."""
        self.known.learn(event)
        named = _NAMED.get(type(event))
        tables = self.known.tables
        text = named(tables, event, self.known) if named else _WORDS[type(event)](tables, event)
        first = 2 if text.startswith("⚔ ") else 0
        return text[:first] + text[first : first + 1].upper() + text[first + 1 :]


def describe(tables: Tables, event: ev.Event) -> str:
    """An event by itself in one line of plain words; "" where there is nothing to tell.

    What it names by an id is called by its kind only: a `Narrator` knows more.
    """
    return Narrator(tables).tell(event)
