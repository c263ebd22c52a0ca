"""A kept campaign: statistics, replay on the screen, and commands for Pax Britannica that say so in one sentence."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from paxtui.cli.main import main
from paxtui.tui.app import PaxApp
from paxtui.tui.base.screen import TextPanel
from paxtui.tui.exercise.screen import ExerciseScreen
from tests.places import SAVES

SAVES = str(SAVES / "empires" / "ulm-1805.jsonl")


def test_the_statistics_have_the_points_of_each_month(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", SAVES, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["points"]["ticks"] == ["Sep", "Oct", "Nov", "Dec", "Jan", "Feb"]
    assert {len(values) for chart in found.values() for values in chart["values"].values()} == {6}
    assert main(["stats", SAVES, "factors"]) == 0
    assert "Factors in corps" in capsys.readouterr().out
    assert main(["stats", SAVES, "points", "--html"]) == 0
    assert "Empires in Arms" in capsys.readouterr().out
    assert main(["stats", SAVES, "tension"]) == 2
    assert "there are points, money, factors" in capsys.readouterr().err


def test_a_seat_sees_no_factors_of_hidden_corps(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", SAVES, "factors", "--json", "--seat", "france", "--at", "30"]) == 0
    values = json.loads(capsys.readouterr().out)["factors"]["values"]
    assert values["France"][-1] > 100 > values["Russia"][-1] == 0


@pytest.mark.parametrize(
    "words",
    [["chronicle"], ["review"], ["share"], ["study"], ["picture"], ["show", "--toml"]],
    ids=lambda words: words[0],
)
def test_other_commands_refuse_because_they_are_for_pax_britannica(
    words: list[str], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([words[0], SAVES, *words[1:]]) == 2
    told = capsys.readouterr().err.strip()
    assert "Pax Britannica" in told and len(told.splitlines()) == 1


async def test_saved_campaign_is_replayed_on_the_screen(home: Path) -> None:
    app = PaxApp(replay=Path(SAVES))
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ExerciseScreen)
        head, chart = (screen.query_one(f"#exercise-{name}", TextPanel) for name in ("head", "map"))
        assert re.search(r"Over\. Won by .+, \d+ to \d+\.", head.text.plain) and not screen.session.menu
        last = screen.session.version
        screen.session.look_at(40)
        await pilot.press("full_stop", "right_square_bracket")
        await pilot.pause()
        assert f"Line 51 of {last}" in head.text.plain and "September 1805" in head.text.plain
        before = chart.text.plain
        await pilot.press("end")
        await pilot.pause()
        assert "Over. Won by" in head.text.plain and chart.text.plain != before
        await pilot.press("b")
        await pilot.pause()
        assert "Field combat in " in app.screen.words()
