"""Positions and commands of a War, and closed coasts."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.war import alliances, automatic_orders
from paxtui.games.pax.war.campaign.supply_lines import supply_ground
from paxtui.games.pax.war.war_sequence import _has_automatic_step
from tests.rules.harness import here, marker, naval, tables
from tests.rules.wars import at_war, the_war

SIDES = (("britain",), ("france",))


def test_next_cycle_changes_the_war_position() -> None:
    state = at_war(SIDES).state
    later = replace(state, wars=tuple(replace(war, cycle=war.cycle + 1) for war in state.wars))
    assert alliances.war_positions(state) != alliances.war_positions(later) and alliances.war_positions(
        state
    ) == alliances.war_positions(replace(state))


def test_only_the_current_war_is_found() -> None:
    g = at_war(SIDES)
    play = Transaction(tables(), g.state, Dice("now"))
    assert automatic_orders.find_war(play, the_war(g).id) == the_war(g)
    assert automatic_orders.find_war(play, "another") is None


@pytest.mark.rule("SUP-012")
def test_only_an_enemy_fleet_closes_a_coast() -> None:
    area = here(marker("britain", "possession"), naval("france", 3))
    g = at_war(SIDES, areas={"madagascar": area})
    assert supply_ground(tables(), g.state, the_war(g), 1).shut.get("madagascar")
    assert not supply_ground(tables(), g.state, the_war(g), 2).shut.get("madagascar")


def test_engine_commanded_powers_have_an_automatic_step() -> None:
    g = at_war((("britain",), ("spain",)))
    for number, left in ((1, False), (2, True)):
        war = replace(the_war(g), turn_of=number)
        assert bool(alliances.engine_commanded(tables(), g.state, war, number)) == left
        assert _has_automatic_step(Transaction(tables(), g.state, Dice("left")), war) == left
