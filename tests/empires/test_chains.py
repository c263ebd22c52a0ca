"""Depots in chains on a small graph, and what supply over them costs (EIA 7.2.3, 7.4.2)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from paxtui.games.empires.supply_lines import areas_within, chain_lengths, nearest_depot, supply_bill, supply_price

ROW = "abcdefghij"
"""Areas in a row: a is the source."""


def neighbours(area: str) -> Iterable[str]:
    """Return the neighbours in the row."""
    place = ROW.index(area)
    return [ROW[near] for near in (place - 1, place + 1) if 0 <= near < len(ROW)]


def free(area: str) -> bool:
    """Nothing is blocked."""
    return False


@pytest.mark.eia("7.2.3.2")
def test_depots_two_areas_apart_are_a_chain_and_three_are_none() -> None:
    assert chain_lengths("aceh", "a", neighbours, free) == {"a": 1, "c": 2, "e": 3}


@pytest.mark.eia("7.2.3.2.1")
def test_an_area_between_that_is_blocked_cuts_it() -> None:
    assert chain_lengths("ace", "a", neighbours, "d".__eq__) == {"a": 1, "c": 2}


@pytest.mark.eia("7.2.3.2.1")
def test_depots_side_by_side_have_nothing_between_them() -> None:
    assert chain_lengths("abc", "a", neighbours, "bc".__contains__) == {"a": 1, "b": 2, "c": 3}


@pytest.mark.eia("7.2.3.2.3")
def test_depots_beyond_a_gap_are_in_no_valid_chain() -> None:
    assert "h" not in chain_lengths("acefh", "a", neighbours, "bg".__contains__)
    assert chain_lengths("ce", "", neighbours, free) == {}


@pytest.mark.eia("7.4.3.1")
def test_ports_joined_by_sea_are_as_if_adjacent() -> None:
    assert chain_lengths("ai", "a", neighbours, free, {"a": "i"}) == {"a": 1, "i": 2}


@pytest.mark.eia("7.4.2.1.1")
def test_a_corps_three_areas_away_pays_three() -> None:
    found = nearest_depot("d", 3, "a", neighbours, free)
    assert found == ("a", 3)
    assert supply_bill([supply_price(3, winter=False)]) == 3
    assert nearest_depot("e", 3, "a", neighbours, free) is None


@pytest.mark.eia("7.4.2.1.1")
def test_the_way_to_a_depot_is_not_barred() -> None:
    assert nearest_depot("d", 3, "a", neighbours, "c".__eq__) is None
    assert nearest_depot("d", 3, "a", neighbours, "d".__eq__) == ("a", 3)
    assert areas_within("d", 1, neighbours, free) == {"d": 0, "c": 1, "e": 1}


@pytest.mark.eia("7.4.2.1", "7.4.2.1.1")
def test_halves_are_summed_before_they_are_rounded_up() -> None:
    assert supply_bill([supply_price(0, winter=False)]) == 1
    assert supply_bill([supply_price(0, winter=False)] * 3 + [supply_price(2, winter=False)]) == 4


@pytest.mark.eia("7.4.2.1.3")
def test_winter_doubles() -> None:
    assert [supply_price(distance, winter=True) for distance in range(4)] == [2, 4, 8, 12]


@pytest.mark.eia("7.4.1", "7.4.2.1.1")
def test_four_areas_away_there_is_no_depot_supply() -> None:
    with pytest.raises(ValueError, match="4 areas"):
        supply_price(4, winter=False)
