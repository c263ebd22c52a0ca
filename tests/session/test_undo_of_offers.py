"""Undo of private offers with free undo: it also takes back the answer."""

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
    """Return a game with free undo in which Italy has transferred its Interest in Tunis to the United States."""
    table = PaxHost.new(load_tables(), seats_for(7), "7", {}, undo="free", clock=lambda: "")
    table.act("arbiter", {"type": "set_position", "patch": HELD})
    table.act("italy", "transfer tunis to united_states")
    [choice] = table.state.choices
    table.act("united_states", {"type": "choose", "id": choice.id, "answer": ["accept"]})
    assert [m.power for m in table.state.areas["tunis"].markers] == ["united_states"]
    return table


def test_undo_of_an_offer_reverts_its_acceptance():
    table = accepted()
    table.act("italy", "undo")
    assert [m.power for m in table.state.areas["tunis"].markers] == ["italy"]
    assert table.state.choices == () and table.verify() == []
    table.act("italy", "redo")
    assert [m.power for m in table.state.areas["tunis"].markers] == ["united_states"]


def test_undo_of_an_offer_reverts_acts_after_the_answer():
    table = accepted()
    table.act("france", "place interest tripoli")
    table.act("italy", "undo")
    assert not table.state.areas["tripoli"].markers

    table.act("italy", "transfer tunis to united_states")
    table.act("france", "place interest tripoli")
    table.act("italy", "undo")  # the offer has no answer yet
    assert [m.power for m in table.state.areas["tripoli"].markers] == ["france"] and table.state.choices == ()


def test_undo_of_an_offer_keeps_other_acts_of_the_partner():
    """Otherwise others would see from the missing act that the two had an agreement."""
    table = PaxHost.new(load_tables(), seats_for(7), "7", {}, undo="free", clock=lambda: "")
    table.act("arbiter", {"type": "set_position", "patch": HELD})
    table.act("italy", "treaty Zq with france: non_aggression until 1892")
    table.act("france", f"sign {table.state.treaties[-1].id}")
    table.act("france", "place interest tripoli")
    before = table.version_for("japan")
    table.act("italy", "undo")
    assert table.state.treaties == () and table.version_for("japan") == before
    assert [m.power for m in table.state.areas["tripoli"].markers] == ["france"] and table.verify() == []


def test_older_log_that_kept_the_acceptance_is_verified():
    table = accepted()
    offer, answer = (line.n for line in table.game.lines[-2:])
    table.game._append_undo("italy", "undo", offer - 1, (answer,), "")  # as earlier versions wrote it
    assert [m.power for m in table.state.areas["tunis"].markers] == ["united_states"]
    assert table.verify() == []
