"""The order of the steps of the land phase (EIA 7.1)."""

from __future__ import annotations

import pytest

from paxtui.games.empires.calendar import LAND, movement_sequence, phase_slots
from tests.empires.land import corps, field, tables
from tests.empires.scripted_game import alliance

ALL = ("austria", "france", "great_britain", "prussia", "russia", "spain", "turkey")


@pytest.mark.eia("7.1")
def test_powers_move_in_order_and_france_where_she_announces() -> None:
    game = field(on=tables(powers=ALL, order="campaign", prizes={}, minors=()))
    assert game.state.cursor.step == "announce"
    game.act("france", "announce turkey")
    order = [slot.powers[0] for slot in game.state.cursor.slots if slot.step == "depots"]
    assert order == ["russia", "turkey", "france", "austria", "prussia", "great_britain", "spain"]


@pytest.mark.eia("7.1.1")
def test_free_state_corps_move_with_their_power() -> None:
    game = field(corps("b", "france", "munich", nation="bavaria"), at="movement")
    game.act("france", "march b to augsburg,swabia")
    assert game.state.corps["b"].where == "swabia"


@pytest.mark.eia("7.1.2")
def test_allies_in_combined_movement_move_where_the_later_of_them_does() -> None:
    made = tables(powers=ALL, order="campaign", prizes={}, minors=())
    state = field(on=made, combined=(("russia", "austria"),), relations=(alliance("russia", "austria"),)).state
    groups = movement_sequence(made, state, LAND)
    assert groups[:3] == (("france",), ("turkey",), ("russia", "austria"))


@pytest.mark.eia("7.1.3")
def test_a_power_does_all_its_steps_before_the_next_begins() -> None:
    game = field()
    steps = [(slot.powers, slot.step) for slot in phase_slots(game.tables, game.state, LAND) if slot.step != "landed"]
    assert steps[:5] == [
        (("france",), "depots"),
        (("france",), "movement"),
        (("france",), "supply"),
        (("france",), "combat"),
        (("austria",), "depots"),
    ]
    assert game.refused("austria", "done") == "not_your_step"
    assert game.refused("france", "march x to y") == "not_this_step"
