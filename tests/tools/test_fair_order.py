"""The comparison of a person's seat with a bot's."""

from __future__ import annotations

import pytest

from tools.fair_order import PairedResult, play_as_person, play_by_advice, rank_of, results_table


def test_bot_acts_for_a_person_to_the_end_of_the_game() -> None:
    table = play_as_person("1", "germany", "caretaker")
    lines = table.game.effective_lines()
    assert table.is_over and rank_of(table, "germany") in range(1, 8) and table.verify() == []
    assert not table.occupant("germany").is_automatic and any(line.seat == "germany" for line in lines)


def test_table_counts_wins_by_seat() -> None:
    results = [
        PairedResult("italy", "1", 1, 3, False),
        PairedResult("italy", "2", 2, 1, False),
        PairedResult("japan", "1", 1, 1, True),
    ]
    rows = results_table(results).splitlines()
    assert rows[2:] == [
        "| italy | 2 | 1 | 1 | 1.50 | 2.00 | 0 |",
        "| japan | 1 | 1 | 1 | 1.00 | 1.00 | 1 |",
        "| all | 3 | 2 | 2 | 1.33 | 1.67 | 1 |",
    ]


@pytest.mark.slow
def test_following_advice_plays_like_its_statesman() -> None:
    bot, advised = (play("a", "germany", "statesman:normal", turns=2) for play in (play_as_person, play_by_advice))
    acts = [[(line.seat, line.action) for line in table.game.lines] for table in (bot, advised)]
    count = min(map(len, acts))
    assert acts[0][:count] == acts[1][:count] and advised.state.turn == 3
