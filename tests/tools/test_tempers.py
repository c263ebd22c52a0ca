"""Statistics of statesmen of each temper."""

from __future__ import annotations

from collections import Counter

from tools.tempers import TEMPERS, tempers_of_game, tempers_table


def test_each_game_has_all_tempers_and_each_seat_gets_all_of_them() -> None:
    games = [tempers_of_game(number) for number in range(len(TEMPERS))]
    assert all(set(game.values()) == set(TEMPERS) for game in games)
    assert {game["italy"] for game in games} == set(TEMPERS)


def test_table_has_means_by_temper() -> None:
    one = {"bold": Counter(seats=2, won=1, points=600, wars=3), "": Counter(seats=1, points=250)}
    rows = tempers_table([one, one]).splitlines()
    assert rows[2].startswith("| none | 2 | 0 | 250.00 |")
    assert rows[4].startswith("| bold | 4 | 2 | 300.00 | 0.00 | 1.50 |")
