"""Reports of saved games are as recorded in `game_reports/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pax.reports.game_reports import LONG, SHORT, game_report
from tests.recorded import same_as_recorded


@pytest.mark.parametrize("name", [*SHORT, *LONG])
def test_reports_of_saved_games_are_as_recorded(name: str) -> None:
    same_as_recorded(Path(__file__).with_name("game_reports") / f"{name}.txt", game_report(name))
