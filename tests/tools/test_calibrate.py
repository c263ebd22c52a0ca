"""`tools.calibrate`: measures of games of bots."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.session.tables.loader import load_tables
from paxtui.session.tables.records import new_game_tables, shipped_text
from tools.calibrate.__main__ import main as calibrate
from tools.calibrate.countermix import FIXED, MOST_PIECES, deployed, next_limits, total_pieces, with_limits
from tools.calibrate.fit import solve
from tools.calibrate.games import read_outcomes, read_record
from tools.calibrate.measure import share, winners


@pytest.mark.slow
def test_measure_reads_back_the_games_it_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["measure", "--games", "2", "--players", "4", "--bots", "caretaker", "--out", str(tmp_path)]
    assert calibrate(arguments) == 0
    printed = capsys.readouterr().out
    assert "| 2 games |" in printed and "| britain | 100 %" in printed
    assert calibrate(["measure", "--of", str(tmp_path)]) == 0
    assert capsys.readouterr().out == printed
    assert calibrate(["words", str(tmp_path)]) == 0
    assert "| likely | 0 | 0 % | 0 % | 0 % |" in capsys.readouterr().out, "caretakers sign nothing"


@pytest.mark.slow
def test_record_of_a_game_has_turns_and_new_controls(tmp_path: Path) -> None:
    calibrate(["measure", "--games", "1", "--players", "4", "--bots", "steady", "--out", str(tmp_path)])
    record = read_record(read_outcomes(tmp_path)[0])
    assert [state.turn for state in record.ends] == list(range(1, 11))
    assert sum(record.new_controls) > 5 and winners(record)
    assert all(record.pounds_left(10)[seat] >= 0 for seat in record.outcome.totals)


@pytest.mark.slow
def test_fit_reports_on_unused_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calibrate(["measure", "--games", "4", "--players", "4", "--bots", "caretaker", "--out", str(tmp_path)])
    capsys.readouterr()
    assert calibrate(["fit", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "Brier score" in printed and "| predicted chance |" in printed
    assert calibrate(["fit", str(tmp_path), "--check"]) == 0
    assert "\n0 positions for the fit" in "\n" + capsys.readouterr().out


def test_limits_move_against_differences_within_bounds() -> None:
    tables = load_tables(new_game_tables())
    differences = {"britain": 400.0, "italy": 30.0, "japan": -30.0, "russia": 50.0}
    limits = next_limits(tables, differences)
    assert limits["russia"] == FIXED["russia"]
    assert limits["italy"] <= (tables.counters["italy"].round, tables.counters["italy"].hexagon)
    assert limits["japan"][0] > tables.counters["japan"].round
    assert limits["britain"][1] >= deployed(tables, "britain", "hexagon") > 10
    many = next_limits(tables, dict.fromkeys(tables.counters, -500.0))
    assert total_pieces(tables, many) <= MOST_PIECES
    text = shipped_text("reconstructed/counter_limits.toml")
    assert f"round = {limits['japan'][0]}, hexagon = {limits['japan'][1]}" in with_limits(text, limits)


@pytest.mark.slow
def test_search_plays_rounds_and_writes_limits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["countermix", "--games", "1", "--rounds", "2", "--populations", "caretaker", "--out", str(tmp_path)]
    assert calibrate(arguments) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert load_tables(tmp_path / "2").counters["russia"].round == 10


def test_linear_equations_are_solved() -> None:
    assert solve([[0.0, 2.0], [4.0, 2.0]], [2.0, 10.0]) == [2.0, 1.0]


def test_share_has_its_interval() -> None:
    assert share(0, 0) == "-"
    assert share(15, 30) == "50 % (33 to 67)"
    assert share(0, 30).startswith("0 % (0 to ")
