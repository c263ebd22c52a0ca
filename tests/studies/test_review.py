"""Reviews: the chances of each Game Turn and the turning points, and what they may show of a running game."""

from __future__ import annotations

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.session.game_host import SeatLog
from paxtui.session.pax_host import PaxHost
from paxtui.studies.review import describe_point, review_game, with_advice
from tests.places import SAVES


@pytest.fixture(scope="module")
def running_game():
    return PaxHost.open(SAVES / "congress-0.2.0.jsonl", write=False)


def test_finished_game_has_chances_of_each_turn_and_its_result(game, predicted):
    assert [turn.turn for turn in predicted.turns] == [*range(1, 11), 10]
    assert [turn.is_end for turn in predicted.turns] == [False] * 10 + [True]
    assert all(sum(turn.chances.values()) == pytest.approx(1, abs=0.01) for turn in predicted.turns)
    winners = {seat for seat, rank in game.state.result.ranks.items() if rank == 1}
    assert {seat for seat, chance in predicted.turns[-1].chances.items() if chance} == winners
    assert predicted.seat == ARBITER and predicted.version == game.version


def test_turning_points_are_in_order_and_name_line_and_chances(game, predicted):
    assert len(predicted.points) == 5
    assert [point.line for point in predicted.points] == sorted(point.line for point in predicted.points)
    for point in predicted.points:
        text = describe_point(game.tables, point)
        assert text.startswith(f"{point.year}: ") and " % to " in text
        assert point.place and point.power and point.change >= 0.03


def test_turning_points_agree_with_their_game_turn(predicted):
    """In 1888 Germany gains by its Protectorate in New Hebrides, but Great Britain gains by the Game Turn."""
    turns = {turn.turn: turn for turn in predicted.turns[:-1]}
    for point in predicted.points:
        seat = point.changed_seats[0]
        end = turns.get(point.turn + 1, predicted.turns[-1])
        assert (end.chances[seat] - turns[point.turn].chances[seat]) * (point.after[seat] - point.before[seat]) > 0


def test_log_of_a_seat_is_reviewed_without_hidden_orders(game, tmp_path):
    path = tmp_path / "france.jsonl"
    path.write_bytes(SeatLog(game, "france").whole())
    of_seat = PaxHost.open(path, write=False)
    assert any(line.kind == "act" and line.action is None for line in of_seat.game.lines)
    review = with_advice(of_seat, review_game(of_seat))
    assert len(review.points) == 5 and review.turns[-1].is_end


def test_running_game_is_reviewed_by_public_information(running_game):
    review = review_game(running_game)
    assert review.seat == SPECTATOR and not review.turns[-1].is_end
    with pytest.raises(Refusal, match="when the game is over"):
        review_game(running_game, ARBITER)


def test_review_of_a_seat_contains_no_secret_of_another(running_game):
    """Germany pays Italy in a secret article of their Treaty: no other seat's review names it."""
    texts = {seat: str(review_game(running_game, seat)) for seat in ("italy", "britain")}
    assert "secret" in texts["italy"] and "secret" not in texts["britain"]
    lines = running_game.lines_for("britain")
    assert max(turn.line for turn in review_game(running_game, "britain").turns) <= len(lines) + 1


def test_review_of_a_seat_is_that_of_its_own_log(running_game, tmp_path):
    """Other seats see the payment of the secret article as a gift: each sees all Treasuries."""
    for seat in running_game.state.players:
        path = tmp_path / f"{seat}.jsonl"
        path.write_bytes(SeatLog(running_game, seat).whole())
        whole, own = review_game(running_game, seat), review_game(PaxHost.open(path, write=False), seat)
        assert (whole.turns, whole.points, whole.candidates) == (own.turns, own.points, own.candidates)
        gifts = [one.text for one in whole.candidates if "gift of Germany" in one.text]
        assert len(gifts) == (seat not in ("germany", "italy")) and "Dreibund" not in str(gifts)
