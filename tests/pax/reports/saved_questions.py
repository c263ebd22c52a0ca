"""Questions of saved games with their positions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.questions import Pending
from paxtui.session.pax_host import PaxHost
from tests.places import SAVES


@cache
def saved_question(name: str, kind: type) -> tuple[Tables, State, Pending]:
    """The first question of a kind in a saved game, with its position."""
    with PaxHost.open(SAVES / f"{name}.jsonl", write=False) as table:
        states: Iterator[State] = (table.game.seek(n) for n in range(1, table.version + 1))
        for state in states:
            for choice in state.choices:
                if isinstance(choice.about, kind):
                    return table.tables, state, choice
    raise AssertionError(kind)
