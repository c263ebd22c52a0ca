"""`paxtui bench`: its figures as JSON and as a table with verdicts."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from time import perf_counter

import pytest

from paxtui.cli.main import main
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import data_path
from tools.bench import command as bench
from tools.bench import core, games, hub, screen
from tools.bench.core import Sample
from tools.bench.screen import Client, NoTerminal, first_frame

SCREEN_FIGURES = ("key_to_frame_ms_p95", "key_to_frame_ms_p99", "scroll_fps", "bytes_per_cursor_move")
"""Figures measured on a pseudo-terminal, besides those of the first frame."""
HUB_FIGURES = (
    *("ssh_connect_ms", "ssh_connect_16_s", "ssh_client_pss_mb", "ssh_key_to_frame_extra_ms"),
    *("table_act_to_players_ms_p95", "table_act_to_last_screen_ms_p95", "hub_act_ms_p99"),
    *("hub_200_asleep_mb", "hub_8_awake_mb", "hub_wake_ms_p95"),
)
"""Figures measured with clients of a shared game."""
SAVINGS = tuple(f"{part}_saves" for part in screen.RENDERING_PARTS)


@pytest.fixture(autouse=True)
def short_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the measurements short; the figures have no meaning."""
    monkeypatch.setattr(core, "SECONDS", 0.0)
    monkeypatch.setattr(core, "RUNS", 1)
    monkeypatch.setattr(core, "LONG_LOG", 600)
    monkeypatch.setattr(core, "MENU_POSITIONS", 4)
    monkeypatch.setattr(core, "VIEW_POSITIONS", 4)
    monkeypatch.setattr(core, "APPENDS", 5)
    monkeypatch.setattr(screen, "REDRAW_RUNS", 1)
    monkeypatch.setattr(screen, "ROUNDS", 1)
    monkeypatch.setattr(screen, "HELD", 0.5)
    monkeypatch.setattr(screen, "KEYS", screen.KEYS[6:18])  # keys for arrows and panes
    monkeypatch.setattr(screen, "ARROWS", screen.ARROWS[:2])
    monkeypatch.setattr(screen, "RENDERING_ROUNDS", 1)
    monkeypatch.setattr(games, "GAME_RUNS", 1)
    monkeypatch.setattr(games, "GAMES", 2)
    monkeypatch.setattr(games, "STATESMEN_SEATS", seats_for(4))
    monkeypatch.setattr(games, "STATESMEN_TURNS", 2)
    monkeypatch.setattr(games, "STOPS", 1)
    monkeypatch.setattr(games, "ORDERS", 10)
    monkeypatch.setattr(games, "PROVED", 4)


def test_json_is_one_object_with_all_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--json", "--no-client"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert list(figures) == list(bench.BOUNDS)
    measured = {name: value for name, value in figures.items() if value is not None}
    assert set(bench.BOUNDS) - set(measured) == {
        "first_frame_ms",
        "client_rss_mb",
        *SCREEN_FIGURES,
        *SAVINGS,
        *HUB_FIGURES,
    }
    assert all(value > 0 for value in measured.values())
    assert figures["log_bytes"] == data_path(bench.SAMPLE).stat().st_size


def test_table_has_bounds_and_verdicts(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bench.BOUNDS, "fold_events_per_s", (">=", 1e12))
    assert main(["bench", "--no-client", "--no-games"]) == 0
    rows = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert rows["fold_events_per_s"].endswith("FAIL")
    assert rows["log_bytes"].split()[-1] == "pass"
    assert "no bound" in rows["append_fsync_ms_median"]
    assert "not measured" in rows["first_frame_ms"]


def test_figures_are_compared_with_older_ones(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_text(json.dumps({"log_bytes": 2, "fold_events_per_s": 1, "view_ms_p95": 1e9, "first_frame_ms": None}))
    assert main(["bench", "--no-client", "--no-games", "--against", str(old)]) == 0
    rows = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert rows["log_bytes"].endswith("worse") and not rows["fold_events_per_s"].endswith("worse")
    assert float(rows["view_ms_p95"].split()[-1]) > 1000, "less time is better"
    assert "first_frame_ms" not in rows and "menu_ms_p95" not in rows, "only figures of both"
    old.write_text("[]")
    assert main(["bench", "--no-client", "--no-games", "--against", str(old)]) == 2
    assert "old.json" in capsys.readouterr().err


def test_ratio_of_figures() -> None:
    more = {"fast": True, "slow": False, "none": True}
    now = {"fast": 3.0, "slow": 2.0, "none": None, "other": 1.0}
    assert bench.ratios({"fast": 2.0, "slow": 1.0, "none": 1.0, "other": 1.0}, now, more) == {"fast": 1.5, "slow": 0.5}


@pytest.mark.parametrize("part", screen.RENDERING_PARTS)
def test_each_part_of_the_rendering_can_be_left_to_textual(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen, "UNMOVED", 20.0)  # long enough for a frame on a busy machine
    sample = core.Sample(data_path(bench.SAMPLE))
    log = tmp_path / "bench.jsonl"
    screen.write_cut_log(sample.path, screen.middle_line(sample), log)
    few = screen.RENDERING_PARTS[part]._replace(keys=screen.RENDERING_PARTS[part].keys[:4])
    own, of_textual = (screen.rendering_cost(few, log, tmp_path, textual) for textual in (False, True))
    assert own > 0 and of_textual > 0
    assert not few.bytes or of_textual > 2 * own, "bytes do not depend on the machine"


def test_missing_file_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["bench", "--no-client", "--game", str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl" in capsys.readouterr().err


def test_percentile_and_throughput() -> None:
    assert core.percentile(list(range(1, 101)), 95) == 95
    assert core.percentile([3.0], 95) == 3.0
    assert core.throughput(lambda: None, 10) > 0


def test_first_frame_ends_with_the_last_byte_before_a_pause(tmp_path: Path) -> None:
    program = (
        "import sys, time; print('PAX BRITANNICA', flush=True); time.sleep(0.05); "
        "print('done', *__import__('os').get_terminal_size(), flush=True); time.sleep(5)"
    )
    frame = first_frame([sys.executable, "-c", program], tmp_path)
    assert 50 < frame.ms < 4900
    assert 1 < frame.rss_mb < 200


def test_client_that_ends_without_a_frame_is_reported(tmp_path: Path) -> None:
    with pytest.raises(NoTerminal, match="no such game"):
        first_frame([sys.executable, "-c", "print('no such game')"], tmp_path)


def test_screen_is_measured_on_a_full_board() -> None:
    sample = core.Sample(data_path(bench.SAMPLE))
    line = screen.middle_line(sample)
    state = sample.seek(line)
    assert screen.piece_count(state) >= 300
    assert state.phase == "movement" and 2 < state.turn < 9
    figures = screen.measure_screen(sample)
    assert set(figures) == set(SCREEN_FIGURES) and all(isinstance(value, float) for value in figures.values())
    assert 0 < figures["key_to_frame_ms_p95"] <= figures["key_to_frame_ms_p99"]
    assert figures["scroll_fps"] > 0
    assert 50 < figures["bytes_per_cursor_move"] < 60_000
    assert screen.map_redraw(sample) > 0


def test_cut_log_ends_at_its_line(tmp_path: Path) -> None:
    log = tmp_path / "cut.jsonl"
    screen.write_cut_log(data_path(bench.SAMPLE), 365, log)
    with PaxHost.open(log, write=False) as table:
        assert table.game.version == 365 and not table.notice


ECHO = """
import os, sys, time, tty
tty.setraw(0)
print('PAX BRITANNICA', end='', flush=True)
while key := os.read(0, 9):
    if key == b'p':
        os.write(1, bytes([27]) + b']22;default' + bytes([7]))
        time.sleep(0.15)
    if key != b'-':
        time.sleep(0.05)
        os.write(1, b'ab')
        time.sleep(0.02)
        os.write(1, b'cde')
"""


def test_key_is_timed_to_the_last_byte_of_its_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "STILL", 0.6)
    with Client([sys.executable, "-c", ECHO], tmp_path) as client:
        client.first_frame()
        start = perf_counter()
        shown = screen.press_key(client, b"x")
        assert shown is not None and shown.bytes == 5
        assert 70 <= shown.ms <= (perf_counter() - start - 0.6) * 1000, "the pause after it is not counted"
        assert screen.press_key(client, b"-") is None  # nothing on the screen changes


def test_mouse_pointer_shape_is_no_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "STILL", 0.1)
    monkeypatch.setattr(screen, "UNMOVED", 5.0)
    with Client([sys.executable, "-c", ECHO], tmp_path) as client:
        client.first_frame()
        shown = screen.press_key(client, b"p")
        assert shown is not None and shown.ms >= 200, "the frame is so much later"


@pytest.mark.skipif(shutil.which("ssh") is None, reason="openssh-client is missing: .ci/system-packages")
def test_shared_game_is_measured_with_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in (("SINGLE_RUNS", 1), ("AT_ONCE", 2), ("PLAYERS", 2), ("SCREENS", 3), ("ACTS", 2), ("GAMES", 30)):
        monkeypatch.setattr(hub, name, few)
    monkeypatch.setattr(hub, "ARROWS", hub.ARROWS[:2])
    monkeypatch.setattr(hub, "SEATS", 4)
    figures = hub.measure_hub(Sample(data_path(bench.SAMPLE)))
    assert set(figures) == set(HUB_FIGURES)
    assert all(value >= 0 for value in figures.values()) and figures["table_act_to_last_screen_ms_p95"] > 0


def test_missing_ssh_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub.shutil, "which", lambda name: None)
    with pytest.raises(NoTerminal, match="no ssh"):
        hub.measure_hub(Sample(data_path(bench.SAMPLE)))
