"""Months, phases, and who acts when (chapter 3)."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from paxtui.games.empires.calendar import LAND, NAVAL, movement_sequence, opening_slots, phase_slots
from paxtui.games.empires.decider import waiting_powers
from paxtui.games.empires.events.base import MonthBegan, PhaseBegan, SlotsGiven
from paxtui.games.empires.position import starting_state
from paxtui.games.empires.state import Slot
from paxtui.session.protocol import EngineSession
from paxtui.session.tables.exercises import load_exercise
from tests.empires.scripted_game import start_game

TABLES = load_exercise("cabinet-1805")
ALL = ("great_britain", "russia", "turkey", "austria", "prussia", "france", "spain")
STATE = replace(starting_state(TABLES), powers=ALL)


@pytest.mark.eia("3.3")
def test_at_sea_britain_moves_first_and_spain_last() -> None:
    assert [group[0] for group in movement_sequence(TABLES, STATE, NAVAL)] == list(ALL)


@pytest.mark.eia("3.4")
def test_on_land_france_moves_first_and_spain_last() -> None:
    moves = [group[0] for group in movement_sequence(TABLES, STATE, LAND)]
    assert moves == ["france", "russia", "turkey", "austria", "prussia", "great_britain", "spain"]


@pytest.mark.eia("3.3")
def test_britain_moves_where_it_has_announced() -> None:
    moves = movement_sequence(TABLES, replace(STATE, places={NAVAL: "france"}), NAVAL)
    assert [group[0] for group in moves][-3:] == ["france", "great_britain", "spain"]


@pytest.mark.eia("3.2")
def test_reinforcements_come_in_two_steps_each_with_its_own_order() -> None:
    found = phase_slots(TABLES, STATE, "reinforcement")
    assert found[0].powers == ("spain",)
    assert [slot.powers[0] for slot in found if slot.step == "navy"][-1] == "great_britain"
    assert [slot.powers[0] for slot in found if slot.step == "army"][-1] == "france"
    assert [slot.step for slot in found] == ["navy"] * 7 + ["army"] * 7


@pytest.mark.eia("3.4")
def test_france_announces_its_place_before_movement_on_land() -> None:
    exercise = replace(TABLES.exercise, phases=("land",))
    game = start_game(replace(TABLES, exercise=exercise))
    assert waiting_powers(game.tables, game.state) == ("france",)
    assert game.refused("austria", "announce first") == "not_your_step"
    assert game.refused("france", "announce spain") == "no_place"
    game.act("france", "announce prussia")
    slots = game.events_of(SlotsGiven)[0].slots
    assert [slot.powers[0] for slot in slots[1:-1:4]] == ["austria", "prussia", "france"]
    assert [slot.step for slot in slots[1:5]] == ["depots", "movement", "supply", "combat"]


@pytest.mark.eia("3.4")
def test_in_a_scenario_france_always_goes_first_on_land() -> None:
    exercise = replace(TABLES.exercise, phases=("land",), order="scenario")
    tables = replace(TABLES, exercise=exercise)
    assert opening_slots(tables, starting_state(tables), LAND)[0] == Slot("depots", ("france",))


@pytest.mark.eia("3.1", "4.1")
def test_the_political_phase_has_its_nine_steps_in_order() -> None:
    steps = [slot.step for slot in phase_slots(TABLES, STATE, "political")]
    assert steps[:4] == ["diplomacy", "declarations", "calls", "peace"]
    assert steps[4:] == ["alliances", "minors", "breaking", "free_states", "combined"]


@pytest.mark.eia("3.5")
def test_the_economic_phase_comes_in_every_third_month_only() -> None:
    exercise = replace(TABLES.exercise, phases=("political", "economic"))
    game = start_game(replace(TABLES, exercise=exercise))
    while len(game.events_of(MonthBegan)) < 2:
        game.act(waiting_powers(game.tables, game.state)[0], "done")
    months = [event.turn for event in game.events_of(MonthBegan)]
    phases = [event.phase for event in game.events_of(PhaseBegan)]
    assert months == [21663, 21664]
    assert phases == ["economic", "political", "political"], "March has one, April has none"


@pytest.mark.eia("3.6")
def test_a_month_is_recorded_and_after_the_last_one_the_exercise_is_over() -> None:
    game = start_game(replace(TABLES, exercise=replace(TABLES.exercise, last="1805-03")))
    while game.state.result is None:
        game.act(waiting_powers(game.tables, game.state)[0], "done")
    assert game.state.result.winners == ("france", "austria", "prussia")
    assert not game.events_of(MonthBegan)
    assert game.refused("france", "done") == "over"


@pytest.mark.eia("3.0")
def test_same_requests_make_the_same_log_and_pax_logs_are_unchanged() -> None:
    session = EngineSession()
    ask = json.dumps({"method": "new", "params": {"game": "empires", "exercise": "cabinet-1805"}})
    assert session.handle(ask) == session.handle(ask)
    assert json.loads(session.handle(json.dumps({"method": "new"})))["result"]["phase"] != "political"
    bad = session.handle(json.dumps({"method": "new", "params": {"game": "chess"}}))
    assert json.loads(bad)["error"]["code"] == "bad_params"
