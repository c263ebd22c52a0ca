"""Random Wars (`tools.random_wars`) from random positions: each ends, and the accounts stay balanced.

`PAXTUI_FUZZ=50 pytest tests/pax/test_random_wars.py` plays fifty times as many.
`python -m tools.random_wars` plays thousands and counts them.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from paxtui.games.pax.events.war import END_TEST_NAMES
from paxtui.games.pax.state.pieces import ARMY, CHINA, OTTOMAN_EMPIRE, Unit
from tools.random_wars.__main__ import main
from tools.random_wars.checks import misplaced_units
from tools.random_wars.openings import TURNS, play, start_war
from tools.random_wars.warrior import COUNTED

pytestmark = pytest.mark.random

MORE = max(1, int(os.environ.get("PAXTUI_FUZZ", "1")))


@pytest.mark.parametrize("seed", range(len(TURNS) * MORE))
def test_random_war_ends_and_leaves_a_clean_position(seed: int) -> None:
    play(seed, wild=0.1)


def test_random_wars_end_in_several_ways() -> None:
    count = Counter[str]()
    for seed in range(600, 600 + len(TURNS) * MORE):
        count += play(seed).count
    assert set(count) <= {*END_TEST_NAMES, *COUNTED}, count
    assert all(count[what] for what in ("no_units", "stalemate", "announced", "three Alliances", "BattleFought")), count
    assert count["stalemate"] * 2 <= sum(count[test] for test in END_TEST_NAMES), count


def test_misplaced_units_are_found() -> None:
    state = start_war(4).state
    assert misplaced_units(state, state, []) == []
    area = next(name for name, there in state.areas.items() if not there.markers)
    for stranger in (Unit("spectator", ARMY, 1), Unit(CHINA, ARMY, 5), Unit(OTTOMAN_EMPIRE, ARMY, 5)):
        wrong = replace(state.areas[area], units=(stranger,))
        assert misplaced_units(state, replace(state, areas={**state.areas, area: wrong}), [])


def test_run_of_random_wars_is_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wars.jsonl"
    words = ["--first", "4", "--count", "1", "--resume", str(file)]
    assert main(words) == 0
    first, lines = capsys.readouterr().out, file.read_text()
    assert main(words) == 0
    assert (capsys.readouterr().out, file.read_text()) == (first, lines)
    assert "siege" in first and lines.count("\n") == 1
