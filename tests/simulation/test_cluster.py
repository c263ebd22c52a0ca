"""A run on a dask cluster of two local workers, which may die. Only one test starts it, because that takes seconds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest
from distributed import LocalCluster

from paxtui.cli.main import main
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.pax_host import PaxHost
from paxtui.simulation import workers
from paxtui.simulation.batch import BatchPlan, run_batch
from paxtui.simulation.match import Match, play_match

ONCE, ALWAYS = 2, 3
"""Numbers of the games whose worker dies: the first time, and each time."""

play_on_worker = workers.play_on_worker


def play_or_die(raw: bytes, replaced: Mapping[str, str]) -> tuple[bytes, bytes]:
    """Play a game, or die; a file next to the log marks games whose worker has died."""
    match = msgspec.json.decode(raw, type=Match)
    mark = Path(match.file).with_suffix(".died")
    if match.number == ALWAYS or (match.number == ONCE and not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return play_on_worker(raw, replaced)


def test_cluster_replays_games_of_dead_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "play_on_worker", play_or_die)
    planned = BatchPlan(games=4, seed="c", bots=dict.fromkeys(seats_for(4), "caretaker"))
    reported: list[int] = []
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, worker_dashboard_address=None, silence_logs=50
    ) as local:
        where = local.scheduler_address.replace("tcp://", workers.SCHEME)
        found = run_batch(planned, 1, tmp_path / "run", False, lambda outcome: reported.append(outcome.number), where)
    assert sorted(reported) == [1, 2, 3, 4]
    assert [(o.number, o.attempts, bool(o.error)) for o in found] == [
        (1, 1, False), (ONCE, 2, False), (ALWAYS, 2, True), (4, 1, False),
    ]  # fmt: skip
    assert "the worker died" in found[2].error
    for outcome, match in zip(found, planned.matches(None), strict=True):
        if not outcome.error:
            assert outcome.totals == play_match(match).totals
            with PaxHost.open(Path(outcome.file), write=False) as table:
                assert table.state.result is not None and table.state.result.totals == outcome.totals
    report = (tmp_path / "run" / "report.md").read_text("utf-8")
    assert "Restarted after their worker died: 2." in report and "game 3 (seed c-3): the worker died" in report


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--executor", "slurm://x"], "dask://HOST"),
        (["--executor", "dask://"], "dask://HOST"),
        (["--executor", "dask://host:many"], "dask://HOST"),
        (["--executor", "dask://127.0.0.1:1"], "no answer from a dask scheduler at tcp://127.0.0.1:1"),
        (["--executor", "dask://nowhere.invalid"], "no answer from a dask scheduler at tcp://nowhere.invalid:8786"),
        (["--executor", "dask://host", "--jobs", "2"], "cannot be combined with --jobs"),
    ],
)
def test_invalid_executors_are_reported(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "CONNECT_S", 0.3)
    assert main(["simulate", "--games", "1", *words]) == 2
    assert message in capsys.readouterr().err


def test_dask_is_not_imported_without_a_cluster() -> None:
    code = "import paxtui.cli.headless, paxtui.simulation.batch, sys; print({'dask', 'distributed'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
