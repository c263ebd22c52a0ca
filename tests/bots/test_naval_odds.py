"""The odds of naval combats agree with the combat tables."""

from __future__ import annotations

import pytest

from paxtui.bots.empires.fleets import NavalOdds, Squadron, Wind, naval_odds
from tests.empires.sea import TABLES

WINDS: tuple[Wind, ...] = ("attacker", "defender", "nobody", "dice")


def british_odds(ours: int, theirs: int, wind: Wind = "nobody", nelson: bool = False) -> NavalOdds:
    british = Squadron(ours, 1, ("great_britain",), nelson)
    return naval_odds(TABLES, british, Squadron(theirs, 2, ("france",), False), wind)


@pytest.mark.parametrize("wind", WINDS)
def test_odds_grow_with_ships(wind: Wind) -> None:
    few, same, many = (british_odds(count, 12, wind) for count in (6, 12, 24))
    assert few.points < same.points < many.points
    assert few.ships < same.ships < many.ships
    assert 0 <= many.defeat <= few.defeat <= 1


def test_wind_gauge_improves_odds() -> None:
    first, last = british_odds(20, 20, "attacker"), british_odds(20, 20, "defender")
    assert first.win > british_odds(20, 20, "dice").win > last.win


def test_victory_is_worth_the_fleets_of_the_loser() -> None:
    certain = british_odds(60, 2, "attacker")
    assert (certain.win, certain.defeat, certain.points) == (1, 0, 4), "two fleets: two points won and two lost"
    assert british_odds(60, 2, "attacker", nelson=True).points == 5, "and one for Nelson"


def test_losses_agree_with_the_tables() -> None:
    odds = naval_odds(TABLES, Squadron(10, 1, ("france",), False), Squadron(10, 1, ("spain",), False), "nobody")
    assert odds.ships == pytest.approx(0)
    assert odds.win < odds.defeat, "when both lose the same, the defender has won"
