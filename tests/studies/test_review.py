"""Reviews: the chances of each Game Turn and the turning points, and what they may show of a running game."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.session.game_host import SeatLog
from paxtui.session.pax_host import PaxHost
from paxtui.studies.review import describe_point, review_game, with_advice

SAVES = Path(__file__).parents[2] / "saves"


@pytest.fixture(scope="module")
def whole_game():
    return PaxHost.open(SAVES / "ten-turns-four-players.jsonl", write=False)


@pytest.fixture(scope="module")
def running_game():
    return PaxHost.open(SAVES / "congress-0.2.0.jsonl", write=False)


def test_a_finished_game_has_chances_for_each_turn_and_its_result_at_the_end(whole_game):
    review = review_game(whole_game)
    assert [turn.turn for turn in review.turns] == [*range(1, 11), 10]
    assert [turn.is_end for turn in review.turns] == [False] * 10 + [True]
    assert all(sum(turn.chances.values()) == pytest.approx(1, abs=0.01) for turn in review.turns)
    winners = {seat for seat, rank in whole_game.state.result.ranks.items() if rank == 1}
    assert {seat for seat, chance in review.turns[-1].chances.items() if chance} == winners
    assert review.seat == ARBITER and review.version == whole_game.version


def test_turning_points_are_in_order_and_name_their_line_and_their_chances(whole_game):
    review = review_game(whole_game)
    assert len(review.points) == 5
    assert [point.line for point in review.points] == sorted(point.line for point in review.points)
    for point in review.points:
        said = describe_point(whole_game.tables, point)
        assert said.startswith(f"{point.year}: ") and " % to " in said
        assert point.place and point.power and point.change >= 0.03


def test_the_prediction_names_no_act_whose_effect_its_game_turn_contradicts(whole_game):
    """In 1888 Germany gains by its Protectorate in New Hebrides, but Great Britain gains by the Game Turn."""
    review = review_game(whole_game)
    turns = {turn.turn: turn for turn in review.turns[:-1]}
    for point in review.points:
        seat = point.changed_seats[0]
        end = turns.get(point.turn + 1, review.turns[-1])
        assert (end.chances[seat] - turns[point.turn].chances[seat]) * (point.after[seat] - point.before[seat]) > 0


def test_the_log_of_a_seat_from_a_server_is_reviewed_without_the_orders_that_it_hides(whole_game, tmp_path):
    path = tmp_path / "france.jsonl"
    path.write_bytes(SeatLog(whole_game, "france").whole())
    of_seat = PaxHost.open(path, write=False)
    assert any(line.kind == "act" and line.action is None for line in of_seat.game.lines)
    review = with_advice(of_seat, review_game(of_seat))
    assert len(review.points) == 5 and review.turns[-1].is_end


def test_a_running_game_with_persons_is_reviewed_by_common_knowledge(running_game):
    review = review_game(running_game)
    assert review.seat == SPECTATOR and not review.turns[-1].is_end
    with pytest.raises(Refusal, match="when the game is over"):
        review_game(running_game, ARBITER)


def test_the_review_of_a_seat_contains_no_secret_of_another(running_game):
    """Germany pays Italy in a secret article of their Treaty: no other seat's review names it."""
    told = {seat: str(review_game(running_game, seat)) for seat in ("italy", "britain")}
    assert "secret" not in told["britain"]
    lines = running_game.lines_for("britain")
    assert max(turn.line for turn in review_game(running_game, "britain").turns) <= len(lines) + 1
