"""The short games that are kept are told as they were recorded."""

from __future__ import annotations

import pytest

from tests.golden.playthroughs import GAMES, differences


@pytest.mark.parametrize("name", GAMES)
def test_a_kept_game_reads_as_recorded(name: str) -> None:
    """python -m tests.golden.playthroughs record writes the texts anew: read them as a diff before committing."""
    assert differences(name) == []
