"""Two bots compared: the same seat, the same seed, the same rivals."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from paxtui.cli.main import main
from paxtui.simulation import batch
from paxtui.simulation.batch import BatchError, BatchPlan, finished_count, prepare_directory
from paxtui.simulation.match import Match, Outcome

SEATS = ("britain", "france", "germany", "united_states")


def scripted_outcomes(matches: list[Match], jobs: int) -> list[Outcome]:
    """Return outcomes without playing: a statesman scores 100 plus the number of the seed, a caretaker 90."""
    out = []
    for match in matches:
        totals = {s: 100 + int(match.seed[-1]) if b == "statesman" else 90 for s, b in match.bots.items()}
        ranks = {s: 1 + sum(t > totals[s] for t in totals.values()) for s in totals}
        out.append(Outcome(match.number, match.seed, match.bots, ranks=ranks, totals=totals, broken={"france": 2}))
    return out


@pytest.fixture
def comparison(monkeypatch: pytest.MonkeyPatch) -> batch.Comparison:
    """A comparison whose games cost nothing."""
    monkeypatch.setattr(batch, "play_all", scripted_outcomes)
    return batch.Comparison(
        tried="statesman", other="caretaker", among="caretaker", seats=SEATS, at=SEATS[:2], seeds=3, seed="x"
    )


def test_pairs_share_seat_seed_and_common_games(comparison: batch.Comparison) -> None:
    games: list[Outcome] = []
    found, failed = batch.run_comparison(comparison, 1, games.append)
    assert not failed and len(found) == 6
    assert len(games) == 6 + 3  # a game of caretakers only serves both seats
    for pair in found:
        assert pair.tried.seed == pair.other.seed == pair.seed
        assert pair.tried.bots[pair.seat] == "statesman" and pair.other.bots[pair.seat] == "caretaker"
        assert {pair.tried.bots[s] for s in SEATS if s != pair.seat} == {"caretaker"}
        assert pair.ahead == 10 + int(pair.seed[-1])


def test_report_counts_pairs_ranks_and_broken_treaties(comparison: batch.Comparison) -> None:
    found, failed = batch.run_comparison(comparison, 1, lambda outcome: None)
    lines = batch.comparison_report(comparison, found, failed)
    france = next(line for line in lines if line.startswith("| france"))
    assert france.split("|")[2:9] == [" 3 ", " 3, 0 (p 0.12) ", " 102 ", " 90 ", " 100 % ", " 100 % ", " 1.00 "]
    assert france.split("|")[10] == " 6 "
    assert next(line for line in lines if line.startswith("| all")).split("|")[2] == " 6 "


def test_rank_counts_before_points(comparison: batch.Comparison) -> None:
    """A statesman that ends the game early in first place has fewer points, but a better result."""
    found, _ = batch.run_comparison(comparison, 1, lambda outcome: None)
    pair = found[0]
    early = structs.replace(pair.tried, totals={**pair.tried.totals, pair.seat: 1})
    late = structs.replace(pair.other, ranks={**pair.other.ranks, pair.seat: 2})
    assert structs.replace(pair, tried=early, other=late).better == 1
    assert structs.replace(pair, tried=late, other=early).better == -1
    assert structs.replace(pair, tried=early).better == -1 and structs.replace(pair, other=pair.tried).better == 0


def test_game_without_a_result_makes_no_pair(comparison: batch.Comparison, monkeypatch: pytest.MonkeyPatch) -> None:
    def lossy(matches: list[Match], jobs: int) -> list[Outcome]:
        first, *rest = scripted_outcomes(matches, jobs)
        return [Outcome(first.number, first.seed, first.bots, error="lost"), *rest]

    monkeypatch.setattr(batch, "play_all", lossy)
    found, failed = batch.run_comparison(comparison, 1, lambda outcome: None)
    assert len(failed) == 1 and len(found) == 5
    assert any("lost" in line for line in batch.comparison_report(comparison, found, failed))


def test_interrupted_comparison_resumes(comparison: batch.Comparison, tmp_path: Path) -> None:
    games: list[Outcome] = []

    def interrupt(outcome: Outcome) -> None:
        games.append(outcome)
        if len(games) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batch.run_comparison(comparison, 1, interrupt, tmp_path)
    assert finished_count(tmp_path) == 4
    found, _ = batch.run_comparison(comparison, 1, games.append, tmp_path, resume=True)
    assert sorted(outcome.number for outcome in games) == list(range(1, 10))
    whole, _ = batch.run_comparison(comparison, 1, lambda outcome: None)
    assert [pair.ahead for pair in found] == [pair.ahead for pair in whole]
    assert "| all | 6 " in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_results_of_another_run_are_not_overwritten(comparison: batch.Comparison, tmp_path: Path) -> None:
    batch.run_comparison(comparison, 1, lambda outcome: None, tmp_path)
    other = structs.replace(comparison, seed="y")
    for planned, resume in ((comparison, False), (other, True)):
        with pytest.raises(BatchError):
            batch.run_comparison(planned, 1, lambda outcome: None, tmp_path, resume)
    with pytest.raises(BatchError):
        prepare_directory(BatchPlan(games=1, seed="x", bots={}), tmp_path, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--pair", "statesman", "genius"], "there is no bot 'genius'"),
        (["--pair", "statesman:clever", "steady"], "clever"),
        (["--pair", "statesman", "steady", "--seats", "steady", "france=caretaker"], "--pair"),
        (["--pair", "statesman", "steady", "--players", "4", "--at", "japan"], "japan"),
        (["--at", "japan"], "--at"),
        (["--seats", "statesman:hard:hard"], "hard"),
    ],
)
def test_invalid_arguments_are_reported(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--games", "1", *words]) == 2
    assert message in capsys.readouterr().err
