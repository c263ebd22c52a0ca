"""Undo in War: possible until a die is rolled or another player acts."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.model import units_at
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.tui.wars import FAR_EAST, far_east


def at_war(patch: dict[str, Any] = FAR_EAST) -> PaxHost:
    """Return a game with strict undo, as on a server, at a position in War."""
    table = PaxHost.new(load_tables(), seats_for(7), "7", {}, clock=lambda: "")
    table.act("arbiter", {"type": "set_position", "patch": patch})
    assert table.game.header.undo == "strict"
    return table


def names(table: PaxHost, place: str, power: str) -> list[str]:
    """Return the names of a Power's Units in a place."""
    return sorted(u.name for u in units_at(table.state, place) if u.power == power)


def test_undo_of_a_move_restores_the_position():
    table = at_war()
    before = table.state
    table.act("japan", "move A1 korea > manchuria")
    assert names(table, "manchuria", "japan") == ["A1", "A3"]
    table.act("japan", "undo")
    assert table.state == before
    table.act("japan", "redo")
    assert names(table, "manchuria", "japan") == ["A1", "A3"]


def test_moves_are_undone_one_by_one():
    table = at_war()
    table.act("japan", "move A1 korea > manchuria")
    table.act("japan", "move N3 north_china_sea > south_china_sea")
    table.act("japan", "undo")
    assert names(table, "north_china_sea", "japan") == ["N3"] and names(table, "manchuria", "japan") == ["A1", "A3"]
    table.act("japan", "undo")
    assert names(table, "korea", "japan") == ["A1", "A10"]


def test_pass_can_be_undone_while_an_ally_must_act():
    table = at_war()
    table.act("britain", "pass")
    assert table.state.ready == ("britain",)
    table.act("britain", "undo")
    assert table.state.ready == () and table.state.wars[0].stage == "maneuver"


def test_pass_that_ends_the_phase_can_be_undone_before_a_die():
    table = at_war(far_east(alliances=[["japan"], ["russia", "britain"]]))
    table.act("japan", "pass")
    assert table.state.wars[0].stage == "attack"
    table.act("japan", "undo")
    assert table.state.wars[0].stage == "maneuver" and table.state.ready == ()


def test_undo_after_an_act_of_an_ally_needs_consent():
    table = at_war()
    table.act("japan", "move A1 korea > manchuria")
    line = table.version
    table.act("britain", "move A3 manchuria > korea")
    with pytest.raises(Refusal) as refused:
        table.act("japan", "undo")
    assert refused.value.code == "undo_barrier" and "britain" in str(refused.value.detail)
    table.act("japan", f"undo {line - 1}")
    assert names(table, "manchuria", "japan") == ["A1", "A3"], "it waits for Britain's consent"
    table.act("britain", f"undo {line - 1}")
    assert names(table, "korea", "japan") == ["A1", "A10"] and names(table, "manchuria", "britain") == ["A3"]


def test_attack_cannot_be_undone_after_its_die():
    table = at_war(far_east("attack"))
    table.act("japan", "attack manchuria")
    table.act("britain", f"choose {table.state.choices[0].id} attack")
    with pytest.raises(Refusal) as refused:
        table.act("britain", "undo")
    assert refused.value.code == "undo_barrier"


def test_attack_can_be_undone_until_the_ally_answers():
    table = at_war(far_east("attack"))
    before = table.state
    table.act("japan", "attack manchuria")
    assert table.state.choices
    table.act("japan", "undo")
    assert table.state == before


COALING: dict[str, Any] = {
    **FAR_EAST,
    "areas": {
        **FAR_EAST["areas"],
        "cochinchina": {"markers": [{"power": "france", "marker": "possession"}], "units": []},
    },
}
"""France controls Cochinchina on the South China Sea, where the fleets of both sides may need coal."""


def test_volunteered_coaling_can_be_undone_until_another_acts():
    table = at_war(COALING)
    table.act("france", "volunteer cochinchina to russia")
    assert [c.area for c in table.state.wars[0].coaling] == ["cochinchina"]
    table.act("france", "undo")
    assert not table.state.wars[0].coaling
    table.act("france", "volunteer cochinchina to russia")
    table.act("japan", "move A1 korea > manchuria")
    with pytest.raises(Refusal) as refused:
        table.act("france", "undo")
    assert refused.value.code == "undo_barrier"


def test_undo_of_a_denied_passage_removes_its_casus_belli():
    patch = {**FAR_EAST, "areas": {**FAR_EAST["areas"], "egypt": HELD_BY_BRITAIN}}
    table = at_war({**patch, "wars": [{**FAR_EAST["wars"][0], "alliances": [["japan"], ["russia"]]}]})
    before = table.state
    table.act("britain", "deny suez to russia")
    assert table.state.wars[0].denied and table.state.casus_belli
    table.act("britain", "undo")
    assert table.state == before


HELD_BY_BRITAIN: dict[str, Any] = {
    "markers": [{"power": "britain", "marker": "protectorate"}],
    "units": [{"power": "britain", "kind": "army", "strength": 1}],
}
"""Egypt in British hands."""
