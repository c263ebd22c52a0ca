"""The short games that are kept are told to their players as they were recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pax.reports.games_told import LONG, SHORT, told
from tests.recorded import same_as_recorded


@pytest.mark.parametrize("name", [*SHORT, *LONG])
def test_a_kept_game_is_reported_as_recorded(name: str) -> None:
    same_as_recorded(Path(__file__).with_name("told") / f"{name}.txt", told(name))
