"""The narration of short saved games."""

from __future__ import annotations

import pytest

from tests.golden.playthroughs import GAMES, TEXTS, game_text
from tests.recorded import same_as_recorded


@pytest.mark.parametrize("name", GAMES)
def test_saved_game_is_narrated_as_recorded(name: str) -> None:
    same_as_recorded(TEXTS / f"{name}.txt", game_text(name).splitlines())
