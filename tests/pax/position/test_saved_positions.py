"""Positions of saved games as texts: the summary, and the differences from 1880."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.games.pax.position.view import position_summary
from paxtui.games.pax.position.writer import diff_positions, dump_position, write_toml
from tests.pax.saved_games import saved_game
from tests.recorded import same_as_recorded
from tests.rules.harness import tables

MOMENTS = {
    "congress": (20,),
    "ottoman-war": (50,),
    "rebellion-won": (30,),
    "scenes": (10, 30, 50),
    "spanish-american": (16,),
    "ten-turns": (300,),
    "tension": (12,),
}
"""Lines of saved games: a Congress, Wars with conquests and prisoners, Codominions, canals, the end."""


@pytest.mark.parametrize("name", MOMENTS)
def test_position_texts_are_as_recorded(name: str) -> None:
    game = saved_game(f"{name}-0.2.0")
    lines: list[str] = []
    for line in MOMENTS[name]:
        state = game.after(line)
        written = write_toml(diff_positions(dump_position(game.states[0]), dump_position(state)))
        lines += [
            f"======== line {line}",
            *position_summary(tables(), state).splitlines(),
            "--------",
            *written.splitlines(),
        ]
    same_as_recorded(Path(__file__).with_name("saved_positions") / f"{name}.txt", lines)
