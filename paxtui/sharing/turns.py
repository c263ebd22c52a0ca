"""The Game Turns of a game by the lines of its log, as one viewpoint counts them."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from paxtui.games.pax.events import events as ev
from paxtui.session.game_viewer import GameViewer


class GameTurn(NamedTuple):
    """A Game Turn: its number, its year, and its first and last line by the number of the viewpoint."""

    turn: int
    year: int
    first: int
    last: int


def game_turns(view: GameViewer) -> tuple[GameTurn, ...]:
    """Return the Game Turns of a game in order."""
    begun = {view.position(1).turn: 1}
    for seen in view.seen_lines():
        for event in seen.events:
            if isinstance(event, ev.TurnBegan):
                begun[event.turn] = seen.number
    ordered = sorted(begun.items())
    ends = [max(first, following - 1) for (_, first), (_, following) in pairwise(ordered)]
    years = view.tables.turns
    return tuple(
        GameTurn(turn, years[turn - 1].year, first, last)
        for (turn, first), last in zip(ordered, [*ends, view.version], strict=True)
    )
