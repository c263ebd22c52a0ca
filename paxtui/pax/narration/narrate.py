"""Events in plain words: one line each, with the dice, for the log pane, `show`, and the plain mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.narration import (
    dice_narration,
    ledger_narration,
    map_narration,
    sequence_narration,
    treaty_narration,
)

_WORDS: dict[type, Callable[[Tables, Any], str]] = {
    **sequence_narration.WORDS,
    **ledger_narration.WORDS,
    **dice_narration.WORDS,
    **map_narration.WORDS,
    **treaty_narration.WORDS,
}


def describe(tables: Tables, event: ev.Event) -> str:
    """The event in one line of plain words; "" where it is nothing to tell.

    Args: the tables of the game; the event.
    """
    return _WORDS[type(event)](tables, event)
