"""Files of exercises: what is missing or unknown is refused by name; and no game opens the logs of another."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.engine.log import BrokenLog, decode_header
from paxtui.games.empires.game import EmpiresGame
from paxtui.session.game_host import GameHost, empty_clock
from paxtui.session.hosts import open_game
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import data_path
from paxtui.session.storage.log_store import read_log, rulebook_of
from paxtui.session.tables.exercises import exercise_names, load_exercise, read_exercise
from paxtui.session.tables.records import TableError

SAVES = Path(__file__).parents[2] / "saves"


def shipped(name: str) -> str:
    """The text of a shipped exercise."""
    return data_path(f"empires/exercises/{name}.toml").read_text("utf-8")


@pytest.mark.parametrize("name", exercise_names())
def test_unpublished_cells_are_marked_as_reconstructed_with_a_reason(name: str) -> None:
    exercise = load_exercise(name).exercise
    assert exercise.cells
    assert all(cell.source == "ours" and cell.why for cell in exercise.cells.values())
    assert "drawn by us" in shipped(name)


def test_missing_cell_of_a_phase_is_refused_by_its_name() -> None:
    text = shipped("channel-1805")
    line = next(one for one in text.splitlines() if one.startswith('"naval.intercept"'))
    with pytest.raises(TableError, match=r"'naval\.intercept' is missing"):
        read_exercise("mine.toml", text.replace(line, ""))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('phases = ["political"]', 'phases = ["politics"]', "there is no phase 'politics'"),
        ('a = "saxony"', 'a = "saxonia"', "there is no area 'saxonia'"),
        ('id = "f2"', 'id = "f1"', "'f1' is given twice"),
        ('last = "1805-08"', 'last = "1805-13"', "not a month"),
        ('powers = ["france",', 'powers = ["franconia",', "there is no Power 'franconia'"),
        ("districts = 2", "districts = true", "int"),
    ],
)
def test_what_does_not_fit_together_is_refused_with_file_and_line(old: str, new: str, reason: str) -> None:
    text = shipped("cabinet-1805")
    assert old in text
    with pytest.raises(TableError) as told:
        read_exercise("mine.toml", text.replace(old, new, 1))
    assert reason in str(told.value) and str(told.value).startswith("mine.toml:")


def test_no_game_opens_the_log_of_another(tmp_path: Path) -> None:
    exercise, pax = SAVES / "empires" / "cabinet-1805.jsonl", SAVES / "ten-turns-0.2.0.jsonl"
    assert (rulebook_of(exercise), rulebook_of(pax)) == ("empires", "pax")
    with pytest.raises(BrokenLog, match="rules 'empires'"):
        PaxHost.open(exercise, write=False)
    with pytest.raises(BrokenLog, match="rules 'pax'"):
        GameHost(EmpiresGame(load_exercise("cabinet-1805")), read_log(pax), None, empty_clock)
    assert [type(open_game(path, write=False)) for path in (exercise, pax)] == [GameHost, PaxHost]
    assert b"rulebook" not in pax.read_bytes().partition(b"\n")[0]
    assert decode_header(exercise.read_bytes().partition(b"\n")[0]).rulebook == "empires"


def test_morale_and_ratings_without_a_leader_come_from_the_table_with_their_source() -> None:
    tables = load_exercise("danube-1805")
    france, austria, bavaria = (tables.morale_of(nation) for nation in ("france", "austria", "bavaria"))
    assert (france.kind, france.infantry, france.guard, france.strategic, france.tactical) == ("dominant", 40, 50, 2, 2)
    assert (austria.infantry, austria.strategic, austria.tactical) == (30, 1, 1)
    assert (bavaria.infantry, bavaria.cavalry) == (20, 30)
    assert all(row.source for row in tables.morale.values())
    with pytest.raises(KeyError):
        tables.morale_of("atlantis")
