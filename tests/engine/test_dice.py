from collections import Counter

import pytest

from paxtui.engine import dice
from paxtui.engine.dice import Dice, commitment, die, draw
from paxtui.engine.refusal import Refusal


def test_numbers_of_a_seed_never_change():
    # Saved games depend on these numbers: never change them.
    assert [die("seed", n) for n in range(12)] == [5, 1, 3, 4, 3, 1, 6, 1, 1, 3, 4, 2]
    assert [draw("seed", n, 100) for n in range(6)] == [65, 48, 79, 86, 69, 52]


def test_dice_are_fair_and_in_range():
    counts = Counter(die("fair", n) for n in range(12_000))
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    chi_square = sum((count - 2000) ** 2 / 2000 for count in counts.values())
    assert chi_square < 20.5  # 5 degrees of freedom, one in a thousand; the seed is fixed


def test_biased_random_bytes_are_rejected(monkeypatch):
    monkeypatch.setattr(dice, "_blocks", lambda *_: iter([bytes([255, 252, 7]) + bytes(29)]))
    assert die("x", 0) == 2
    monkeypatch.setattr(dice, "_blocks", lambda *_: iter([b"\xff" * 8 + bytes([0] * 7 + [5]) + bytes(16)]))
    assert draw("x", 0, 3) == 2


def test_draws_are_in_range_and_reach_all_sides():
    assert {draw("x", n, 3) for n in range(100)} == {0, 1, 2}
    assert {draw("x", n, 1) for n in range(5)} == {0}
    assert draw("x", 0, 2**32) < 2**32


@pytest.mark.parametrize("sides", [0, -1, 2**32 + 1])
def test_draw_needs_a_valid_number_of_sides(sides):
    with pytest.raises(ValueError):
        draw("x", 0, sides)


def test_seeds_and_domains_give_different_numbers():
    assert [die("a", n) for n in range(30)] != [die("b", n) for n in range(30)]
    assert [die("a", n) - 1 for n in range(30)] != [draw("a", n, 6) for n in range(30)]
    # A seed that ends in a digit must not run together with the number.
    assert [die("a1", n) for n in range(10)] != [die("a", 10 + n) for n in range(10)]


def test_queue_is_used_first_and_uses_no_seeded_number():
    dice = Dice("seed", 3, [6, 2])
    assert dice.roll() == 6
    assert dice.index == 3
    assert dice.roll_many(2) == (2, die("seed", 3))
    assert (dice.index, dice.queue_left, dice.queue_taken) == (4, (), (6, 2))


def test_draw_does_not_use_the_queue():
    dice = Dice("seed", 0, [6])
    assert dice.draw(100) == 65
    assert (dice.index, dice.queue_left) == (1, (6,))
    assert dice.roll() == 6


@pytest.mark.parametrize("bad", [0, 7, -1, True, "3", 2.0, None])
def test_only_dice_can_be_queued(bad):
    with pytest.raises(Refusal) as refused:
        Dice("seed", 0, [1, bad])
    assert refused.value.code == "bad_die"
    assert refused.value.rules == ()


def test_seed_with_a_lone_surrogate_gives_dice():
    assert 1 <= die("\ud800", 0) <= 6


def test_commitments_differ():
    assert commitment("a") != commitment("b")
    assert len(commitment("a")) == 64
