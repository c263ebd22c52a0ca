"""How far counters go and what areas cost (EIA 7.3.1)."""

from __future__ import annotations

import pytest

from paxtui.games.empires.board import can_force_march, entry_cost, movement_allowance, points_used


@pytest.mark.eia("7.3.1.1")
@pytest.mark.parametrize(
    ("counter", "swift", "points"),
    [
        ("cavalry", False, 5),
        ("cavalry", True, 5),
        ("cossack", False, 5),
        ("freikorps", False, 5),
        ("infantry", True, 4),
        ("artillery", True, 4),
        ("infantry", False, 3),
        ("artillery", False, 3),
        ("guerrilla", False, 1),
    ],
)
def test_allowances(counter: str, swift: bool, points: int) -> None:
    assert movement_allowance(counter, swift) == points


@pytest.mark.eia("7.3.1.1")
def test_guerrillas_walk_one_area_whatever_it_costs() -> None:
    assert points_used("guerrilla", 3) == 1
    assert points_used("infantry", 3) == 3


@pytest.mark.eia("7.3.1.2")
def test_a_force_march_is_one_more_for_infantry_and_artillery_only() -> None:
    assert movement_allowance("infantry", True, forced=True) == 5
    assert movement_allowance("artillery", False, forced=True) == 4
    for counter in ("cavalry", "cossack", "freikorps", "guerrilla"):
        assert not can_force_march(counter)
        with pytest.raises(ValueError, match="force march"):
            movement_allowance(counter, False, forced=True)


@pytest.mark.eia("7.3.1.3", "7.3.1.3.1")
@pytest.mark.parametrize(("terrain", "cost"), [("clear", 1), ("forest", 1), ("marsh", 2), ("mountain", 2)])
def test_marsh_and_mountain_cost_two(terrain: str, cost: int) -> None:
    assert entry_cost(terrain, river=False, arrow=False, enemy_corps=False) == cost


@pytest.mark.eia("7.3.1.3.2")
def test_a_river_costs_only_against_an_enemy_corps() -> None:
    assert entry_cost("clear", river=True, arrow=False, enemy_corps=True) == 2
    assert entry_cost("clear", river=True, arrow=False, enemy_corps=False) == 1
    assert entry_cost("clear", river=False, arrow=False, enemy_corps=True) == 1


@pytest.mark.eia("7.3.1.3.3")
def test_a_crossing_arrow_always_costs_one_more() -> None:
    assert entry_cost("clear", river=False, arrow=True, enemy_corps=False) == 2


@pytest.mark.eia("7.3.1.3.4")
def test_over_a_river_into_a_mountain_with_an_enemy_corps_is_three() -> None:
    assert entry_cost("mountain", river=True, arrow=False, enemy_corps=True) == 3
