"""Undo in War: moves, passes and what is volunteered come back until a die falls or another acts."""

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
    """A table of strict undo, as friends keep it, at a position at War."""
    table = PaxHost.new(load_tables(), seats_for(7), "7", {}, clock=lambda: "")
    table.act("arbiter", {"type": "set_position", "patch": patch})
    assert table.game.header.undo == "strict"
    return table


def names(table: PaxHost, place: str, power: str) -> list[str]:
    """A Power's Units in a place, by their names."""
    return sorted(u.name for u in units_at(table.state, place) if u.power == power)


def test_a_move_comes_back_with_all_that_came_of_it():
    table = at_war()
    before = table.state
    table.act("japan", "move A1 korea > manchuria")
    assert names(table, "manchuria", "japan") == ["A1", "A3"]
    table.act("japan", "undo")
    assert table.state == before
    table.act("japan", "redo")
    assert names(table, "manchuria", "japan") == ["A1", "A3"]


def test_moves_come_back_one_by_one_the_last_first():
    table = at_war()
    table.act("japan", "move A1 korea > manchuria")
    table.act("japan", "move N3 north_china_sea > south_china_sea")
    table.act("japan", "undo")
    assert names(table, "north_china_sea", "japan") == ["N3"] and names(table, "manchuria", "japan") == ["A1", "A3"]
    table.act("japan", "undo")
    assert names(table, "korea", "japan") == ["A1", "A10"]


def test_a_pass_comes_back_as_long_as_an_ally_is_waited_for():
    table = at_war()
    table.act("britain", "pass")
    assert table.state.ready == ("britain",)
    table.act("britain", "undo")
    assert table.state.ready == () and table.state.wars[0].stage == "maneuver"


def test_a_pass_that_ends_the_phase_comes_back_as_long_as_no_die_has_fallen():
    table = at_war(far_east(alliances=[["japan"], ["russia", "britain"]]))
    table.act("japan", "pass")
    assert table.state.wars[0].stage == "attack"
    table.act("japan", "undo")
    assert table.state.wars[0].stage == "maneuver" and table.state.ready == ()


def test_once_an_ally_has_acted_an_act_stands_until_he_agrees():
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


def test_an_attack_never_comes_back_once_its_die_has_fallen():
    table = at_war(far_east("attack"))
    table.act("japan", "attack manchuria")
    table.act("britain", f"choose {table.state.choices[0].id} attack")
    with pytest.raises(Refusal) as refused:
        table.act("britain", "undo")
    assert refused.value.code == "undo_barrier"


def test_an_attack_comes_back_until_the_ally_has_answered():
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
"""France holds Cochinchina on the South China Sea, where the fleets of both sides may have to coal."""


def test_what_is_volunteered_comes_back_until_another_acts():
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


def test_a_passage_denied_comes_back_with_its_casus_belli():
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
