"""Rollouts of a review: equal seeds, resumed reviews, turning points, and the file of a review."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from shutil import copy

import msgspec
import pytest
from msgspec.structs import replace

from paxtui.cli.main import main
from paxtui.studies.act_analysis import act_positions, advise
from paxtui.studies.review import (
    CHANCE,
    MAX_POINTS,
    acts_to_compare,
    describe_point,
    turn_lines,
    with_advice,
    with_candidates,
)
from paxtui.studies.review_file import ReviewError, load_review, review_path, save_review
from paxtui.studies.review_job import ReviewJob
from paxtui.studies.review_refinement import merge, refine
from paxtui.studies.rollouts import Rollout, RolloutPool, RolloutResult, play_rollout
from tests.places import SAVES


class InstantPool:
    """A pool whose rollouts cost nothing: their result depends on their seed. It ends after `most` rollouts."""

    def __init__(self, seats, most=10_000):
        self.seats, self.most = seats, most

    def run(self, rollouts):
        for one in rollouts[: self.most]:
            winner = self.seats[sum(one.seed.encode()) % len(self.seats)]
            yield RolloutResult(one.position, one.number, {seat: float(seat == winner) for seat in self.seats})


def last_step(steps):
    *_, last = steps
    return last


def test_resumed_review_has_the_same_result(game, predicted):
    wanted = merge(predicted, None, 4)
    whole = last_step(refine(game, wanted, InstantPool(predicted.seats)))
    assert whole.review.is_refined and whole.done == whole.total
    stopped = last_step(refine(game, wanted, InstantPool(predicted.seats, most=whole.total // 3)))
    assert not stopped.review.is_refined and stopped.done < whole.done
    rest = last_step(refine(game, merge(predicted, stopped.review), InstantPool(predicted.seats)))
    assert rest.review == whole.review and rest.total < whole.total


def test_rollouts_of_another_seed_or_count_are_dropped(game, predicted):
    whole = last_step(refine(game, merge(predicted, None, 2), InstantPool(predicted.seats))).review
    assert merge(predicted, whole) == whole
    assert not any(turn.rollouts for turn in merge(predicted, whole, 2, "other").turns)
    assert not any(turn.rollouts for turn in merge(predicted, whole, 4).turns)


def test_large_loss_of_a_game_turn_is_a_turning_point(game, predicted):
    change = {"britain": 0.1, "france": 0.1, "germany": 0.1, "united_states": 0.7}
    turns = [replace(turn, refined=turn.predicted, rollouts=50) for turn in predicted.turns]
    turns[3] = replace(turns[3], refined=change)
    review = replace(merge(predicted, None, 50), turns=tuple(turns))
    advised = with_advice(game, review)
    lost = [point for point in advised.points if point.is_turn]
    lost_turn = next(point for point in lost if point.turn == 4)
    assert lost_turn.seat == "united_states" and lost_turn.before == change
    assert lost_turn.text.startswith("The United States does not place a") and "a statesman would" in lost_turn.text
    assert with_advice(game, advised) == advised
    assert not any(point.is_turn for point in merge(predicted, advised).candidates), "they are found anew"


def test_turning_points_prefer_significant_changes(predicted, game):
    """With ten rollouts, the largest change may be chance for rivals, but not for the seat that acts."""
    of_rival, own, small = predicted.candidates[:3]
    rivals = [seat for seat in predicted.seats if seat != of_rival.seat]
    chances = dict.fromkeys(predicted.seats, 0.25)

    def measured(point, seat, change, error):
        errors = {**dict.fromkeys(predicted.seats, 0.0), seat: error}
        return replace(point, before=chances, after={**chances, seat: 0.25 + change}, errors=errors, rollouts=10)

    doubtful = measured(of_rival, rivals[0], 0.10, 0.06)
    sure = measured(own, own.seat, 0.10, 0.05)
    many = measured(of_rival, rivals[0], 0.10, 0.04)  # of many rivals one changes by 2.5 standard errors by chance
    too_small = measured(small, small.seat, 0.02, 0.001)
    found = with_candidates(predicted, (doubtful, sure, too_small))
    assert found.points == (doubtful, sure)
    assert [point.may_be_chance for point in (doubtful, many, sure)] == [True, True, False]
    assert [CHANCE in describe_point(game.tables, point) for point in found.points] == [True, False]
    others = [measured(replace(own, line=n, turn=20 + n), own.seat, 0.11, 0.05) for n in range(1, MAX_POINTS)]
    assert doubtful not in with_candidates(predicted, (doubtful, sure, *others)).points


def test_act_is_explained_once(predicted):
    first, second, *_ = predicted.points
    again = replace(second, turn=first.turn, place=first.place, after=first.before, before=first.before)
    found = with_candidates(predicted, (first, replace(again, after={**first.after})))
    assert len(found.points) == 1


def test_rollouts_compare_acts_that_explain_the_curve(predicted):
    acts = list(acts_to_compare(predicted))
    first = acts[0]
    turns = {turn.turn: turn for turn in predicted.turns}
    rises = {seat: turns[first.turn + 1].chances[seat] - turns[first.turn].chances[seat] for seat in predicted.seats}
    seat = max(rises, key=lambda seat: abs(rises[seat]))
    assert (first.after[seat] - first.before[seat]) * rises[seat] > 0
    assert max(sum(other.turn == act.turn for other in acts) for act in acts) <= 2


def test_act_positions_differ_only_by_the_marker(game, predicted):
    point = next(point for point in predicted.candidates if point.seat)
    positions = act_positions(game, point.line)
    assert positions.without.phase == positions.with_act.phase != "movement"
    changed = [a for a, here in positions.with_act.areas.items() if here != positions.without.areas[a]]
    assert changed == [point.place]
    assert advise(game, point.line, "").startswith("a statesman would ")


@pytest.mark.slow
def test_rollout_is_the_same_in_a_worker_process(game):
    state = game.game.seek(list(turn_lines(game))[-3])
    here, other = (play_rollout(game.rules, game.game.header, state, seed) for seed in ("seed/1", "seed/2"))
    encoded = game.rules.encode_state(state)
    results = list(RolloutPool(game.game.header, 1).run([Rollout(0, 7, encoded, "seed/1")]))
    assert results == [RolloutResult(0, 7, here)] and here != other
    assert sum(here.values()) == pytest.approx(1, abs=0.01)


def test_ended_pool_runs_no_rollouts(game):
    pool = RolloutPool(game.game.header, 1)
    pool.end()
    assert list(pool.run([Rollout(0, 0, game.game.header.start, "1")])) == []


@pytest.fixture
def log(tmp_path):
    return Path(copy(SAVES / "ten-turns-four-players.jsonl", tmp_path / "game.jsonl"))


def test_review_is_saved_and_loaded(game, predicted, log):
    assert load_review(log, game) is None
    save_review(log, game, predicted)
    assert load_review(log, game) == predicted


def _truncated(review):
    return b'{"format": 1, "review": {"game": '


def _other_format(review):
    return msgspec.json.encode({"format": 2, "review": {}})


def _other_log(review):
    return msgspec.json.encode({"format": 1, "review": replace(review, tip="0" * 32)})


def _other_seats(review):
    return msgspec.json.encode({"format": 1, "review": replace(review, seats=("japan",))})


@pytest.mark.parametrize(
    ("contents", "problem"),
    [
        (_truncated, "is damaged"),
        (_other_format, "is a review of format 2"),
        (_other_log, "is a review of another log"),
        (_other_seats, "is damaged"),
    ],
)
def test_unusable_review_file_is_reported_and_kept(game, predicted, log, capsys, contents, problem):
    path, data = review_path(log), contents(predicted)
    path.write_bytes(data)
    with pytest.raises(ReviewError, match=problem):
        save_review(log, game, predicted)
    assert main(["review", str(log)]) == 2
    message = capsys.readouterr().err
    assert problem in message and "rename or delete it" in message and len(message.splitlines()) == 1
    assert path.read_bytes() == data


def test_command_prints_review_without_rollouts(log, predicted, capsys, monkeypatch):
    assert main(["review", str(log), "--rollouts", "0"]) == 0
    printed = capsys.readouterr().out
    assert "Chances to win" in printed and "Turning points" in printed and "A statesman would" in printed
    monkeypatch.setattr("paxtui.cli.review.review_game", lambda host, seat: predicted)
    assert main(["review", str(log), "--rollouts", "0", "--json"]) == 0
    assert len(msgspec.json.decode(capsys.readouterr().out)["points"]) == 5
    assert not review_path(log).exists()


def test_rollouts_of_a_running_game_are_refused(capsys):
    assert main(["review", str(SAVES / "congress-0.2.0.jsonl"), "--rollouts", "2"]) == 2
    assert "when the game is over" in capsys.readouterr().err


@pytest.mark.parametrize(("command", "problem"), [("os.kill(os.getpid(), 9)", "has ended"), ("pass", "")])
def test_job_reports_death_of_its_process(log, command, problem):
    seen = []
    job = ReviewJob(log, command=(sys.executable, "-c", f"import os\n{command}"))
    asyncio.run(job.run(seen.append))
    assert problem in seen[-1].error and bool(problem) == bool(seen[-1].error) and not job.is_running
