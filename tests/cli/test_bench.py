"""`paxtui bench`: one object with every figure, and a table that says what passes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from paxtui.cli import bench, measure_core
from paxtui.cli.main import main
from paxtui.cli.measure_client import NoTerminal, first_frame
from paxtui.table.resources import data_path


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short measures: the figures mean nothing here."""
    monkeypatch.setattr(measure_core, "SECONDS", 0.0)
    monkeypatch.setattr(measure_core, "RUNS", 1)
    monkeypatch.setattr(measure_core, "LONG_LOG", 3000)
    monkeypatch.setattr(measure_core, "MENU_POSITIONS", 4)
    monkeypatch.setattr(measure_core, "VIEW_POSITIONS", 4)
    monkeypatch.setattr(measure_core, "APPENDS", 5)


def test_json_is_one_object_with_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--json", "--no-client"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert list(figures) == list(bench.BOUNDS)
    measured = {name: value for name, value in figures.items() if value is not None}
    assert set(bench.BOUNDS) - set(measured) == {"first_frame_ms", "client_rss_mb"}
    assert all(value > 0 for value in measured.values())
    assert figures["log_bytes"] == data_path(bench.SAMPLE).stat().st_size


def test_the_table_names_bounds_and_verdicts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(bench.BOUNDS, "fold_events_per_s", (">=", 1e12))
    assert main(["bench", "--no-client"]) == 0
    rows = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert rows["fold_events_per_s"].endswith("FAIL")
    assert rows["log_bytes"].split()[-1] == "pass"
    assert "no bound" in rows["append_fsync_ms_median"]
    assert "not measured" in rows["first_frame_ms"]


def test_a_wrong_file_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["bench", "--no-client", "--game", str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl" in capsys.readouterr().err


def test_percentile_and_throughput() -> None:
    assert measure_core.percentile(list(range(1, 101)), 95) == 95
    assert measure_core.percentile([3.0], 95) == 3.0
    assert measure_core.throughput(lambda: None, 10) > 0


def test_the_first_frame_is_the_last_byte_before_quiet(tmp_path: Path) -> None:
    program = (
        "import sys, time; print('PAX BRITANNICA', flush=True); time.sleep(0.05); "
        "print('done', *__import__('os').get_terminal_size(), flush=True); time.sleep(5)"
    )
    frame = first_frame([sys.executable, "-c", program], tmp_path)
    assert 50 < frame.ms < 3000
    assert 1 < frame.rss_mb < 200


def test_a_client_that_ends_without_a_frame_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoTerminal, match="no such game"):
        first_frame([sys.executable, "-c", "print('no such game')"], tmp_path)
