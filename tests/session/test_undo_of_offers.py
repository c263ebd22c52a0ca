"""Undo of what a seat has offered in private: in a game of free undo the answer goes with it."""

from __future__ import annotations

from paxtui.games.pax.position.setup import seats_for
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.rules.harness import marker

HELD = {
    "phase": "movement",
    "powers": {"france": {"treasury": 60}},
    "areas": {"tunis": {"markers": [marker("italy", "interest")]}},
}


def accepted() -> PaxHost:
    """A game of free undo in which Italy has handed its Interest in Tunis to the United States."""
    table = PaxHost.new(load_tables(), seats_for(7), "7", {}, undo="free", clock=lambda: "")
    table.act("arbiter", {"type": "set_position", "patch": HELD})
    table.act("italy", "transfer tunis to united_states")
    [choice] = table.state.choices
    table.act("united_states", {"type": "choose", "id": choice.id, "answer": ["accept"]})
    assert [m.power for m in table.state.areas["tunis"].markers] == ["united_states"]
    return table


def test_an_offer_is_not_taken_back_without_its_acceptance():
    table = accepted()
    table.act("italy", "undo")
    assert [m.power for m in table.state.areas["tunis"].markers] == ["italy"]
    assert table.state.choices == () and table.verify() == []
    table.act("italy", "redo")
    assert [m.power for m in table.state.areas["tunis"].markers] == ["united_states"]


def test_what_others_have_done_since_the_answer_goes_too_and_before_it_stays():
    table = accepted()
    table.act("france", "place interest tripoli")
    table.act("italy", "undo")
    assert not table.state.areas["tripoli"].markers

    table.act("italy", "transfer tunis to united_states")
    table.act("france", "place interest tripoli")
    table.act("italy", "undo")  # nobody who knows of it has answered yet
    assert [m.power for m in table.state.areas["tripoli"].markers] == ["france"] and table.state.choices == ()


def test_what_the_partner_has_done_beside_it_stays():
    """Else the others could tell by what vanishes that there was something between the two."""
    table = PaxHost.new(load_tables(), seats_for(7), "7", {}, undo="free", clock=lambda: "")
    table.act("arbiter", {"type": "set_position", "patch": HELD})
    table.act("italy", "treaty Zq with france: non_aggression until 1892")
    table.act("france", f"sign {table.state.treaties[-1].id}")
    table.act("france", "place interest tripoli")
    before = table.version_for("japan")
    table.act("italy", "undo")
    assert table.state.treaties == () and table.version_for("japan") == before
    assert [m.power for m in table.state.areas["tripoli"].markers] == ["france"] and table.verify() == []


def test_a_log_in_which_the_acceptance_stayed_is_accounted_for():
    table = accepted()
    offer, answer = (line.n for line in table.game.lines[-2:])
    table.game._go("italy", "undo", offer - 1, (answer,), "")  # as an earlier program wrote it
    assert [m.power for m in table.state.areas["tunis"].markers] == ["united_states"]
    assert table.verify() == []
