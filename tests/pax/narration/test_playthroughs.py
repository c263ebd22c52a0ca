"""The short games that are kept are told as they were recorded."""

from __future__ import annotations

import pytest

from tests.golden.playthroughs import GAMES, TEXTS, told
from tests.recorded import same_as_recorded


@pytest.mark.parametrize("name", GAMES)
def test_a_kept_game_reads_as_recorded(name: str) -> None:
    same_as_recorded(TEXTS / f"{name}.txt", told(name).splitlines())
