"""Whole games without a screen: equal seeds, saved results, interrupted runs, and workers that die."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from statistics import fmean
from unittest.mock import Mock
from xml.etree import ElementTree

import msgspec
import pytest

from paxtui.cli.main import main
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.phases import PHASES
from paxtui.session.pax_host import PaxHost
from paxtui.simulation import match as contest
from paxtui.simulation import workers
from paxtui.simulation.batch import BatchError, BatchPlan, run_batch
from paxtui.simulation.match import Match, Outcome, failed_outcome, play_match
from paxtui.simulation.report import batch_page, batch_report
from tests.rules.harness import tables
from tests.waiting import PATIENCE

BOTS = dict.fromkeys(seats_for(4), "caretaker")


def match(number: int = 1, **more: object) -> Match:
    """A game of four caretakers."""
    return Match(**{"number": number, "seed": f"s-{number}", "bots": BOTS, **more})


MACHINE_FIELDS = ("seconds", "cpu", "phases", "file", "attempts")


def reproducible_fields(outcome: Outcome) -> dict[str, object]:
    """Return the fields of an outcome that do not depend on the machine."""
    raw: dict[str, object] = msgspec.to_builtins(outcome)
    return {name: value for name, value in raw.items() if name not in MACHINE_FIELDS}


def test_match_plays_to_the_end_and_saves_a_valid_log(tmp_path: Path) -> None:
    outcome = play_match(match(file=str(tmp_path / "g.jsonl")))
    assert (outcome.error, outcome.reason, outcome.turn, outcome.pushed) == ("", "last_turn", 10, 0)
    assert len(outcome.tension) == len(outcome.resentment) == len(outcome.by_turn["france"]) == 10
    assert 0 < sum(outcome.phases.values()) <= outcome.seconds and set(outcome.phases) <= set(PHASES)
    assert next(iter(outcome.phases)) == PHASES[0] and outcome.phases["movement"] > 0
    with PaxHost.open(tmp_path / "g.jsonl", write=False) as table:
        assert table.state.result is not None and table.verify() == []
        for seat, points in outcome.points.items():
            parts = (points.treasury, points.bonuses, points.ending, points.income, points.penalty)
            assert sum(parts) == outcome.totals[seat] == table.state.result.totals[seat]


def test_finished_game_is_audited_with_check(monkeypatch: pytest.MonkeyPatch) -> None:
    audited: list[PaxHost] = []
    monkeypatch.setattr(contest, "play_to_end", lambda table: table.advance())
    monkeypatch.setattr(contest, "match_outcome", lambda table, match, *_: Outcome(1, "", {}))
    monkeypatch.setattr(contest, "check_course", audited.append)
    assert not play_match(match()).error and not audited
    assert not play_match(match(check=True)).error and len(audited) == 1


def test_equal_seeds_give_equal_games_in_worker_processes(tmp_path: Path) -> None:
    here = [play_match(match(n)) for n in (1, 2)]
    there = sorted(workers.play_all([match(1), match(2)], 2), key=lambda outcome: outcome.number)
    assert [reproducible_fields(o) for o in here] == [reproducible_fields(o) for o in there]


def test_exception_becomes_the_outcome_of_its_game() -> None:
    broken = play_match(match(bots={"britain": "caretaker"}))
    assert broken.error and not broken.ranks


@pytest.mark.parametrize("deaths", [1, 2])
def test_game_of_a_dead_worker_is_restarted_once(deaths: int, monkeypatch: pytest.MonkeyPatch) -> None:
    give = workers.Worker.give

    def deadly(self: workers.Worker, one: Match, attempt: int) -> None:
        give(self, one, attempt)
        if one.number == 2 and attempt <= deaths:
            self.process.kill()

    monkeypatch.setattr(workers.Worker, "give", deadly)
    found = {outcome.number: outcome for outcome in workers.play_all([match(n) for n in (1, 2, 3)], 2)}
    assert sorted(found) == [1, 2, 3] and not found[1].error and not found[3].error
    assert found[2].attempts == 2 and bool(found[2].error) == (deaths == 2)
    report = "\n".join(batch_report([found[n] for n in (1, 2, 3)]))
    assert ("the worker died" in report) == (deaths == 2) and ("Restarted after" in report) == (deaths == 1)


def test_interrupted_run_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned = BatchPlan(games=3, seed="r", bots=BOTS)
    whole = run_batch(planned, 1, tmp_path / "whole", False, lambda outcome: None)
    part = tmp_path / "part"
    run_batch(planned, 1, part, False, lambda outcome: None)
    results = (part / "results.jsonl").read_bytes().splitlines(keepends=True)
    torn = results[0] + results[1][:20]
    (part / "results.jsonl").write_bytes(torn)
    with monkeypatch.context() as full_disk, pytest.raises(OSError, match="disk full"):
        full_disk.setattr(os, "replace", Mock(side_effect=OSError("disk full")))
        run_batch(planned, 1, part, True, lambda outcome: None)
    assert (part / "results.jsonl").read_bytes() == torn
    played: list[int] = []
    again = run_batch(planned, 1, part, True, lambda outcome: played.append(outcome.number))
    assert played == [2, 3] and [reproducible_fields(o) for o in again] == [reproducible_fields(o) for o in whole]
    assert len((part / "results.jsonl").read_bytes().splitlines()) == 3
    with pytest.raises(BatchError, match="--resume"):
        run_batch(planned, 1, part, False, lambda outcome: None)
    with pytest.raises(BatchError, match="a different run"):
        run_batch(BatchPlan(games=4, seed="r", bots=BOTS), 1, part, True, lambda outcome: None)


def test_report_page_is_self_contained() -> None:
    outcomes = [play_match(match(n)) for n in (1, 2)]
    lost = failed_outcome(match(3), "<the worker> died")
    text = batch_page(PaxGame(tables()), [*outcomes, lost])
    root = ElementTree.fromstring(text.replace("<!doctype html>", ""))
    assert "http:" not in text and "https:" not in text and "<script" not in text
    lines = root.findall(".//polyline")
    assert [len(line.attrib["points"].split()) for line in lines] == [11] * 4 + [10] * 2  # four seats, two indexes
    cells = [cell.text for cell in root.iter("td")]
    assert "france" in cells and f"{fmean(o.totals['france'] for o in outcomes):.1f}" in cells
    assert any("<the worker> died" in (item.text or "") for item in root.iter("li"))


def test_command_prints_report_or_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["simulate", "--games", "1", "--players", "4", "--seats", "caretaker", "france=steady"]
    assert main([*words, "--out", str(tmp_path / "run")]) == 0
    assert "| france | steady |" in capsys.readouterr().out
    assert (tmp_path / "run" / "games" / "1.jsonl").exists() and (tmp_path / "run" / "report.md").exists()
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bots"]["france"] == "steady"


@pytest.mark.parametrize(
    "words",
    [
        ["--seats", "genius"],
        ["--seats", "italy=caretaker", "--players", "4"],
        ["--options", "no_such=yes"],
        ["--options", "fiji"],
        ["--players", "9"],
        ["--games", "0"],
        ["--resume"],
    ],
)
def test_invalid_arguments_are_reported(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", *words]) == 2
    assert capsys.readouterr().err.startswith("paxtui: ")


# How workers begin

TEST_OF_FORKED_WORKERS = """
from paxtui.simulation.workers import Worker, may_fork
assert may_fork()
first = Worker()
second = Worker([first])
first.connection.close()  # as if the parent had died: no message, but the end of the stream
first.process.join(30)
assert first.process.exitcode == 0, "it waits forever, because the other worker holds the pipe, too"
assert second.process.is_alive()
second.end()
"""


def test_forked_worker_ends_when_its_parent_closes_the_pipe() -> None:
    # in a separate process: the test process has threads and is not forked
    subprocess.run([sys.executable, "-c", TEST_OF_FORKED_WORKERS], check=True, timeout=PATIENCE)


def test_process_with_threads_is_not_forked() -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert not workers.may_fork()
    finally:
        stop.set()
        thread.join()


# Other games


def test_command_simulates_an_exercise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    words = ["--game", "empires", "--exercise", "channel-1805", "--games", "1", "--check", "--out", str(out)]
    assert main(["simulate", *words]) == 0
    assert "| great_britain | steady |" in capsys.readouterr().out
    outcome = msgspec.json.decode((out / "results.jsonl").read_bytes().splitlines()[0], type=Outcome)
    assert outcome.turn == 5 and set(outcome.ranks) == {"great_britain", "france", "spain"} and not outcome.tension
    assert "Great Britain" in (out / "report.html").read_text("utf-8")
    assert main(["verify", str(out / "games/1.jsonl")]) == 0
    assert main(["simulate", *words, "--resume"]) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--game", "empires", "--exercise", "nowhere"], "no scenario 'nowhere'"),
        (["--game", "empires", "--players", "4"], "--players: "),
        (["--game", "empires", "--seats", "statesman"], "statesman"),
        (["--game", "empires", "--seats", "italy=steady"], "italy"),
    ],
)
def test_invalid_arguments_of_an_exercise_are_reported(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", *words]) == 2
    assert message in capsys.readouterr().err


def test_plan_without_a_game_is_of_pax_britannica() -> None:
    plan = msgspec.json.decode(b'{"games":1,"seed":"1","bots":{}}', type=BatchPlan)
    assert plan.game == "pax" and plan == BatchPlan(games=1, seed="1", bots={})
