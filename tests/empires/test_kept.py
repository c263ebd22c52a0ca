"""The exercises kept in `saves/exercises/`: their scripts play to the end, and their logs are accounted for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paxtui.table.exercises.desk import Desk
from tests.empires.kept import SAVES, names, played


@pytest.mark.parametrize("name", names())
def test_a_kept_exercise_is_played_again_line_by_line(name: str, tmp_path: Path) -> None:
    standing = played(name, tmp_path / "again.jsonl")
    again, kept = ((folder / file).read_text("utf-8").splitlines() for folder, file in (
        (tmp_path, "again.jsonl"), (SAVES, f"{name}.jsonl"),
    ))  # fmt: skip
    first, then = json.loads(kept[0]), json.loads(again[0])
    assert then.pop("program") and first.pop("program")
    assert then == first
    for one, other in zip(again[1:], kept[1:], strict=True):
        assert {**json.loads(one), "prev": ""} == {**json.loads(other), "prev": ""}
    assert standing["waiting"] == []


@pytest.mark.parametrize("name", names())
def test_a_kept_exercise_is_verified(name: str) -> None:
    with Desk.open(SAVES / f"{name}.jsonl", write=False) as desk:
        assert desk.verify() == []


def test_the_channel_was_fought_for_until_november() -> None:
    with Desk.open(SAVES / "channel-1805-0.2.0.jsonl", write=False) as desk:
        assert desk.state.result is not None and desk.state.result.winners == ("great_britain",)
        kinds = {event["type"] for line in desk.game.lines_after(1) for event in line.events}
    assert kinds >= {
        "stack_moved", "interception_rolled", "evasion_rolled", "wind_rolled", "fired", "ships_lost", "fleet_removed",
        "naval_combat_decided", "ships_placed", "fleet_placed", "ships_transferred", "fleets_barred", "place_announced",
    }  # fmt: skip
