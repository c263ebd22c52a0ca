"""Living off the country: dice, what is added, and what is lost (EIA 7.4.1)."""

from __future__ import annotations

import pytest

from paxtui.games.empires.supply_step import (
    ForageMarch,
    besieged_modifier,
    factors_lost,
    forage_modifiers,
    split_losses,
)


@pytest.mark.eia("7.4.1.1")
@pytest.mark.parametrize(("die", "modifier", "value", "loss"), [(6, 0, 4, 2), (1, -3, 1, 0), (6, 2, 3, 5)])
def test_each_point_above_the_forage_value_costs_a_factor(die: int, modifier: int, value: int, loss: int) -> None:
    assert factors_lost(die, modifier, value) == loss


@pytest.mark.eia("7.4.1.2.1")
@pytest.mark.parametrize(("others", "more"), [(0, 0), (1, 1), (2, 2), (3, 2), (7, 2)])
def test_other_corps_add_one_each_up_to_two(others: int, more: int) -> None:
    assert sum(amount for _, amount in forage_modifiers(ForageMarch(others=others))) == more


@pytest.mark.eia("7.4.1.2.2", "7.4.5.3")
def test_unused_points_help_all_but_a_besieger() -> None:
    assert forage_modifiers(ForageMarch(unused=2)) == (("unused movement points", -2),)
    assert forage_modifiers(ForageMarch(unused=2, besieging=True)) == ()


@pytest.mark.eia("7.4.1.2.3")
def test_a_force_march_adds_one() -> None:
    assert forage_modifiers(ForageMarch(forced=True)) == (("force march", 1),)


@pytest.mark.eia("7.4.1.2.4")
def test_winter_adds_two() -> None:
    assert forage_modifiers(ForageMarch(winter=True)) == (("winter", 2),)


@pytest.mark.eia("7.4.1.2.5")
def test_own_territory_takes_one_off() -> None:
    assert forage_modifiers(ForageMarch(at_home=True)) == (("own territory", -1),)


@pytest.mark.eia("7.4.1.2.1", "7.4.1.2.2", "7.4.1.2.4")
def test_what_is_added_adds_up() -> None:
    march = ForageMarch(others=3, unused=1, winter=True, at_home=True)
    assert sum(amount for _, amount in forage_modifiers(march)) == 2 - 1 + 2 - 1


@pytest.mark.eia("7.4.1.3.2")
@pytest.mark.parametrize(
    ("began", "corps", "detached"),
    [(3, 1, 0), (5, 1, 2), (4, 1, 1)],
)
def test_the_example_of_two_detached_and_two_lost(began: int, corps: int, detached: int) -> None:
    """A corps that began with 3, 5 or 4 factors detached two and loses two."""
    lost, lost_behind = split_losses(began - 2, 2, 2)
    assert (began - 2 - lost, 2 - lost_behind) == (corps, detached)


@pytest.mark.eia("7.4.1.3.1", "7.4.1.3.2")
def test_a_corps_goes_with_everything_that_moved_with_it() -> None:
    assert split_losses(1, 2, 3) == (1, 2)
    assert split_losses(1, 2, 6) == (1, 2)
    assert split_losses(1, 2, 2) == (0, 2)
    assert split_losses(4, 0, 2) == (2, 0)


@pytest.mark.eia("7.4.5.1")
@pytest.mark.parametrize(("factors", "more"), [(1, 0), (4, 0), (5, 1), (9, 1), (10, 2), (25, 2)])
def test_a_crowded_besieged_city_adds_one_for_five(factors: int, more: int) -> None:
    assert besieged_modifier(factors) == more
