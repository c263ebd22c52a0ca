"""Months, phases, and who acts when (chapter 3)."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from paxtui.empires.position.start import start
from paxtui.empires.time.order_of_powers import LAND, NAVAL, sequence, slots
from paxtui.table.exercises.reader import load_exercise
from paxtui.table.protocol import EngineSession
from paxtui.table.tables import load_tables
from tests.empires.conversation import Conversation

TABLES = load_exercise("cabinet-1805")
ALL = ("great_britain", "russia", "turkey", "austria", "prussia", "france", "spain")
STATE = replace(start(TABLES), powers=ALL)


@pytest.mark.eia("3.3")
def test_at_sea_britain_moves_first_and_spain_last() -> None:
    assert [group[0] for group in sequence(TABLES, STATE, NAVAL)] == list(ALL)


@pytest.mark.eia("3.4")
def test_on_land_france_moves_first_and_spain_last() -> None:
    moves = [group[0] for group in sequence(TABLES, STATE, LAND)]
    assert moves == ["france", "russia", "turkey", "austria", "prussia", "great_britain", "spain"]


@pytest.mark.eia("3.3", "6.1")
def test_britain_moves_where_it_has_announced() -> None:
    moves = sequence(TABLES, replace(STATE, places={NAVAL: "france"}), NAVAL)
    assert [group[0] for group in moves][-3:] == ["france", "great_britain", "spain"]


@pytest.mark.eia("3.2")
def test_reinforcements_come_in_two_steps_each_with_its_own_order() -> None:
    found = slots(TABLES, STATE, "reinforcement")
    assert found[0].powers == ("spain",)
    assert [slot.powers[0] for slot in found if slot.step == "navy"][-1] == "great_britain"
    assert [slot.powers[0] for slot in found if slot.step == "army"][-1] == "france"
    assert [slot.step for slot in found] == ["navy"] * 7 + ["army"] * 7


@pytest.mark.eia("7.1")
def test_france_announces_its_place_through_the_protocol() -> None:
    game = Conversation("cabinet-1805")
    game.until("land", "announce")
    assert game.standing["waiting"] == ["france"]
    assert game.refused("austria", "announce first") == "not_your_step"
    assert game.refused("france", "announce spain") == "no_place"
    told = game.act("france", "announce prussia")["events"]
    slots = [slot["powers"] for event in told if event["type"] == "slots_given" for slot in event["slots"]]
    assert [powers[0] for powers in slots[1::4]] == ["austria", "prussia", "france"]


@pytest.mark.eia("3.0")
def test_the_same_request_makes_the_same_log_and_pax_is_as_it_was() -> None:
    session = EngineSession(load_tables())
    ask = json.dumps({"method": "new", "params": {"game": "empires", "exercise": "cabinet-1805"}})
    assert session.handle(ask) == session.handle(ask)
    assert json.loads(session.handle(json.dumps({"method": "new"})))["result"]["phase"] != "political"
    bad = session.handle(json.dumps({"method": "new", "params": {"game": "chess"}}))
    assert json.loads(bad)["error"]["code"] == "bad_params"
