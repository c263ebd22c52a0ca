"""Targets of the forces of an abandoned Power (ORD-043, ORD-045)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from paxtui.engine.dice import Dice
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.war import automatic_orders
from tests.rules.wars import at_war


def force(**distances: int) -> Any:
    """A force in its Home Country with its distances to some Areas."""
    ways = {place: SimpleNamespace(far=far, first=place) for place, far in distances.items()}
    return SimpleNamespace(place="home:france", unit=SimpleNamespace(strength=5), way=ways.get)


@pytest.mark.rule("ORD-045")
@pytest.mark.parametrize("swap", [False, True])
def test_nearest_undefended_area_is_the_target(swap: bool) -> None:
    near, far = ("tunis", "egypt") if swap else ("egypt", "tunis")
    g = at_war([["france"], ["italy"]])
    forces = [force(**{near: 1, far: 3}), force(**{near: 5, far: 3})]
    targets = [automatic_orders.AdvanceTarget(far, 0), automatic_orders.AdvanceTarget(near, 0)]
    best = automatic_orders._best_target(
        Transaction(g.tables, g.state, Dice("test")), "france", "army", cast(Any, forces), targets
    )
    assert best == automatic_orders.AdvanceTarget(near, 0)
