"""Depots in ports and on fleets (EIA 7.2.2, 7.2.4)."""

from __future__ import annotations

import pytest

from tests.empires.land import besiege, coast, corps, depot, fleet, guard

SOURCE = (depot("brest", "france"), fleet("f1", "france", "brest", "port"))
OPEN = {"control": {"trieste": "france"}}
"""Trieste, which keeps the straits, is French."""


@pytest.mark.eia("7.2.2")
def test_a_depot_goes_into_a_port_that_sea_supply_reaches() -> None:
    here = corps("i", "france", "trieste")
    coast(*SOURCE, here, **OPEN).act("france", "depot trieste")
    assert coast(SOURCE[0], here, **OPEN).refused("france", "depot trieste") == "no_chain", "no fleet"
    boxed = (*SOURCE, here, fleet("a1", "austria", "trieste", "blockade"))
    assert coast(*boxed, **OPEN).refused("france", "depot trieste") == "no_chain"
    assert coast(*SOURCE, here).refused("france", "depot trieste") == "no_chain", "no friendly port"


@pytest.mark.eia("7.2.2.1", "7.4.3.4", "7.4.3.4.2")
def test_in_a_besieged_port_the_depot_stands_in_the_city() -> None:
    pieces = (*SOURCE, guard("ancona", "france"), corps("m", "austria", "ancona"))
    game = besiege(coast(*pieces), "ancona")
    game.act("france", "depot ancona")
    assert game.state.depots[-1].inside
    free = coast(*SOURCE, guard("ancona", "france"))
    free.act("france", "depot ancona")
    assert not free.state.depots[-1].inside


@pytest.mark.eia("7.2.2.2")
def test_an_enemy_depot_may_stand_around_a_port_with_one_inside() -> None:
    pieces = (*SOURCE, guard("ancona", "france"), corps("m", "austria", "ancona"), depot("trieste", "austria"))
    game = besiege(coast(*pieces, depot("ancona", "france", inside=True)), "ancona")
    for _ in range(10):
        if game.state.cursor.powers == ("austria",) and game.state.cursor.step == "depots":
            break
        game.act(game.state.cursor.powers[0], "done")
    game.act("austria", "depot ancona")
    assert {(one.power, one.inside) for one in game.state.depots if one.where == "ancona"} == {
        ("france", True),
        ("austria", False),
    }


@pytest.mark.eia("7.2.4")
def test_a_depot_may_be_placed_on_a_fleet_at_sea() -> None:
    game = coast(*SOURCE, fleet("f2", "france", "adriatic"))
    game.act("france", "depot f2")
    assert game.state.depots[-1].where == "f2"
    assert game.refused("france", "depot f1") == "no_fleet"
    theirs = coast(*SOURCE, fleet("a1", "austria", "adriatic"))
    assert theirs.refused("france", "depot a1") == "no_fleet"
