"""The odds that bots compute, compared with the Combat Results Tables by hand."""

from __future__ import annotations

import pytest

from paxtui.bots.pax.valuation import colonial_odds
from tests.rules.harness import tables


@pytest.mark.parametrize(
    ("armies", "strength", "wins", "lost"),
    [
        # Table 1, 3-1: EX DR DR DE DE DE; the EX takes one of three Armies (1)
        ((1, 1, 1), 1, 6, 1),
        # the same column with a single Army (3): the EX takes it, and the Area stands
        ((3,), 1, 5, 3),
        # Table 1, 1-1: E AR EX EX DR DE; equal strength makes EX an E
        ((3,), 3, 2, 9),
        # Table 2, 2-1: EX HX HX DR DR DE; EX takes the (10), HX (half of 5, so 3) the (3)
        ((10, 3), 5, 6, 16),
        # nothing to beat, nothing rolled
        ((1,), 0, 6, 0),
        # no Armies
        ((), 3, 0, 0),
        # 1 against 15 is less than 1-10, in its column: E E E E E AR
        ((1,), 15, 0, 5),
    ],
)
def test_odds_agree_with_the_combat_tables(armies: tuple[int, ...], strength: int, wins: int, lost: int) -> None:
    found = colonial_odds(tables(), armies, strength)
    assert found.win == pytest.approx(wins / 6)
    assert found.loss == pytest.approx(lost / 6)


def test_ten_times_the_strength_wins_for_certain() -> None:
    for strength in (1, 3, 5, 10):
        chances = [colonial_odds(tables(), (1,) * n, strength).win for n in range(strength, 10 * strength + 1)]
        assert chances[-1] == 1.0
        assert chances[0] < 0.6
