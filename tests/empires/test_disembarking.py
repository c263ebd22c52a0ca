"""Corps that land from ships (EIA 7.3.5)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.empires.land import coast, corps, depot, fleet, guard
from tests.empires.scripted_game import ScriptedGame


def aboard(where: str, box: str = "", *more: Any) -> ScriptedGame:
    """A French corps aboard a fleet, in France's movement step."""
    return coast(
        corps("i", "france", ""),
        fleet("f1", "france", where, box, cargo=("i",)),
        *more,
        depot("brest", "france"),
        at="movement",
    )


@pytest.mark.eia("7.3.5")
def test_from_the_sea_a_corps_lands_next_to_its_fleet_or_is_lost() -> None:
    game = aboard("adriatic")
    assert game.refused("france", "disembark i in brest") == "not_adjacent"
    game.act("france", "disembark i in trieste")
    assert game.state.corps["i"].where == "trieste"
    assert game.state.fleets["f1"].cargo == ()
    lost = aboard("adriatic")
    lost.act("france", "done")
    assert "i" not in lost.state.corps
    assert lost.state.fleets["f1"].cargo == ()


@pytest.mark.eia("7.3.5")
def test_corps_disembarks_from_a_port_or_its_box_into_that_area_only() -> None:
    for box in ("port", "blockade"):
        game = aboard("brest", box)
        assert game.refused("france", "disembark i in inland") == "not_adjacent"
        game.act("france", "disembark i in brest")


@pytest.mark.eia("7.3.5a")
def test_a_landing_uses_up_the_allowance_and_counts_as_crossing_a_river() -> None:
    game = aboard("adriatic", "", corps("m", "austria", "island", 20))
    game.act("france", "disembark i in island")
    assert game.refused("france", "march i to ancona") in ("too_far", "must_stop")
    trek = game.state.campaign.treks["i"]
    assert trek.over_river
    assert game.refused("france", "force march i to ancona") == "no_force_march"
    game.act("france", "done", 1)
    battle = game.state.campaign.battle
    assert battle is not None
    assert battle.river


@pytest.mark.eia("7.3.5b")
def test_corps_disembarks_into_a_friendly_besieged_port_while_there_is_room() -> None:
    pieces = (guard("brest", "france", 8), corps("m", "austria", "brest", 20))
    game = aboard("brest", "port", *pieces)
    assert game.refused("france", "disembark i in brest into port") == "no_port"
    game.state = replace(game.state, campaign=replace(game.state.campaign, sieges={"brest": "austria"}))
    game.act("france", "disembark i in brest into port")
    assert game.state.corps["i"].inside
    full = aboard("brest", "port", guard("brest", "france", 12), corps("m", "austria", "brest", 20))
    full.state = replace(full.state, campaign=replace(full.state.campaign, sieges={"brest": "austria"}))
    assert full.refused("france", "disembark i in brest into port") == "no_room"
