"""Views of seats in saved games: the differences from the start of the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.games.pax.position.view import view_for_seat
from paxtui.games.pax.visibility import visible_state
from tests.pax.changes import changes
from tests.pax.saved_games import saved_game
from tests.recorded import same_as_recorded
from tests.rules.harness import tables

MOMENTS = {
    "congress": (("italy", 5), ("france", 24)),
    "great-war": (("spectator", 5),),
    "ottoman-war": (("france", 19), ("russia", 50)),
    "rebellion-won": (("france", 30),),
    "scenes": (("italy", 10), ("britain", 30), ("germany", 50)),
    "spanish-american": (("arbiter", 18),),
    "tension": (("japan", 12),),
}
"""Seats and lines of each game."""


@pytest.mark.parametrize("name", MOMENTS)
def test_views_of_saved_games_are_as_recorded(name: str) -> None:
    game, lines = saved_game(f"{name}-0.2.0"), list[str]()
    for seat, line in MOMENTS[name]:
        first, now = (view_for_seat(tables(), visible_state(tables(), game.after(n), seat), seat, n) for n in (1, line))
        lines += [f"======== {seat}, line {line}", *changes(first, now)]
    same_as_recorded(Path(__file__).with_name("saved_views") / f"{name}.txt", lines)
