"""A run on a dask cluster: the same games, on a local cluster of two workers, whichever of them dies.

Starting it takes some seconds: it is the one test that plays over a cluster.
"""

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

playing = workers.play_on_worker


def deadly(raw: bytes, replaced: Mapping[str, str]) -> tuple[bytes, bytes]:
    """What a worker does that dies over some games; who has died before is kept beside the logs."""
    match = msgspec.json.decode(raw, type=Match)
    mark = Path(match.file).with_suffix(".died")
    if match.number == ALWAYS or (match.number == ONCE and not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return playing(raw, replaced)


def test_a_cluster_plays_the_same_games_whichever_of_its_workers_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "play_on_worker", deadly)
    planned = BatchPlan(games=4, seed="c", bots=dict.fromkeys(seats_for(4), "caretaker"))
    told: list[int] = []
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, worker_dashboard_address=None, silence_logs=50
    ) as local:
        where = local.scheduler_address.replace("tcp://", workers.SCHEME)
        found = run_batch(planned, 1, tmp_path / "run", False, lambda outcome: told.append(outcome.number), where)
    assert sorted(told) == [1, 2, 3, 4]
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
    ("words", "said"),
    [
        (["--executor", "slurm://x"], "dask://HOST"),
        (["--executor", "dask://"], "dask://HOST"),
        (["--executor", "dask://host:many"], "dask://HOST"),
        (["--executor", "dask://127.0.0.1:1"], "no answer from a dask scheduler at tcp://127.0.0.1:1"),
        (["--executor", "dask://nowhere.invalid"], "no answer from a dask scheduler at tcp://nowhere.invalid:8786"),
        (["--executor", "dask://host", "--jobs", "2"], "cannot be combined with --jobs"),
    ],
)
def test_a_host_that_is_none_is_a_clear_error(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "CONNECT_S", 0.3)
    assert main(["simulate", "--games", "1", *words]) == 2
    assert said in capsys.readouterr().err


def test_dask_is_imported_by_a_run_on_a_cluster_only() -> None:
    code = "import paxtui.cli.headless, paxtui.simulation.batch, sys; print({'dask', 'distributed'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
