"""The view: every key of the contract, nothing secret, and no repeated work."""

from __future__ import annotations

import json

import pytest

from paxtui.engine.log import redact_header
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.position.view import RECORD_LINES, view_for_seat
from paxtui.games.pax.state.diplomacy import CasusBelli
from paxtui.games.pax.state.model import Result
from paxtui.games.pax.visibility import visible_raw
from paxtui.session.pax_host import PaxHost
from tests.engine.counter_game import redact
from tests.rules.harness import army, marker, naval, start, tables

KEYS = {
    *("version", "year", "turn", "phase", "waiting", "pending", "ready", "players", "minors", "options"),
    *("powers", "areas", "homes", "sea_zones", "capes", "indexes", "events_in_force", "casus_belli"),
    *("treaties", "congress", "wars", "result"),
}


def test_a_view_has_every_key_and_lists_everything():
    g = start()
    seen = view_for_seat(g.tables, g.state, ARBITER, 5)
    assert set(seen) == KEYS
    assert (seen["version"], seen["year"], seen["turn"], seen["phase"]) == (5, 1880, 1, "random_events")
    assert set(seen["areas"]) == set(g.tables.areas)
    assert set(seen["homes"]) == set(g.tables.powers)
    assert set(seen["sea_zones"]) == set(g.tables.sea_zones)
    assert set(seen["powers"]) == {*seats_for(7), "austria_hungary"}
    for area in seen["areas"].values():
        assert set(area) == {"type", "unrest", "codominion", "canal", "markers", "units"}
    for power in seen["powers"].values():
        assert set(power) >= {"treasury", "victory_points", "merchants_due", "record"}
        assert tuple(power["record"]) == RECORD_LINES
    for zone in seen["sea_zones"].values():
        assert set(zone) == {"merchant_fleets", "units"}
        assert zone["units"] == []
    assert seen["result"] is None
    assert (seen["wars"], seen["treaties"], seen["casus_belli"]) == ([], [], [])
    assert seen["players"] == list(seats_for(7))
    assert json.loads(json.dumps(seen)) == seen


def test_markers_and_units_have_the_shape_of_a_position():
    g = start(
        {
            "areas": {
                "manchuria": {
                    "unrest": True,
                    "markers": [marker("russia", "protectorate", False)],
                    "units": [army("russia", 10)],
                },
                "canada": {"units": [army("britain", 3), naval("britain", 1, "north_pacific")]},
                "hong_kong": {"units": [army("britain", 3), naval("britain", 1)]},
                "panama": {"canal": True},
            },
            "homes": {
                "france": {"units": [naval("france", 3, "mediterranean")]},
                "britain": {"units": [naval("britain", 3, "north_atlantic")]},
            },
            "sea_zones": {"black_sea": {"merchant_fleets": ["russia"]}},
            "indexes": {"european_tensions": 12, "chinese_resentment": 7},
        }
    )
    seen = g.view()
    assert seen["areas"]["manchuria"]["markers"] == [
        {"power": "russia", "marker": "protectorate", "established": False}
    ]
    assert seen["areas"]["manchuria"]["unrest"] is True
    assert seen["areas"]["manchuria"]["units"] == [{"power": "russia", "kind": "army", "strength": 10}]
    # a coast is named only if there are several
    assert seen["areas"]["canada"]["units"][1] == naval("britain", 1, "north_pacific")
    assert seen["areas"]["hong_kong"]["units"][1] == naval("britain", 1)
    assert seen["homes"]["france"]["units"] == [naval("france", 3, "mediterranean")]
    assert seen["homes"]["britain"]["units"] == [naval("britain", 3)]
    assert seen["areas"]["panama"]["canal"] is True
    assert seen["areas"]["guiana"]["codominion"] == list(g.state.areas["guiana"].codominion)
    assert len(seen["areas"]["guiana"]["codominion"]) == 3
    assert seen["sea_zones"]["black_sea"]["merchant_fleets"] == ["russia"]
    assert seen["indexes"] == {"european_tensions": 12, "chinese_resentment": 7}


def test_record_sheet_of_the_start_has_known_lines_only():
    record = start({"phase": "colonial_combat"}).view()["powers"]["britain"]["record"]
    assert (record["01"], record["02"], record["16"], record["21"]) == (1, 15, 58, 388)
    assert [record[line] for line in ("10", "15", "22", "23", "27", "31")] == [None] * 6


def test_view_has_causes_of_war_and_the_result():
    g = start()
    state = g.state
    causes = (CasusBelli("cb1", "russia", "japan", "", "EVT-001"), CasusBelli("cb2", "france", "italy", "tunis", "X"))
    g.state = type(state)(**{f: getattr(state, f) for f in state.__struct_fields__} | {"casus_belli": causes})
    assert g.view()["casus_belli"] == [
        {
            "id": "cb1",
            "area": None,
            "holder": "russia",
            "against": "japan",
            "rule": "EVT-001",
            "cause": "",
            "lapses": "turn",
            "reconstructed": False,
        },
        {
            "id": "cb2",
            "area": "tunis",
            "holder": "france",
            "against": "italy",
            "rule": "X",
            "cause": "",
            "lapses": "negotiation",
            "reconstructed": False,
        },
    ]
    result = Result("great_war", 4, ("russia",), {"britain": 1, "russia": 2}, {"britain": 90, "russia": 3})
    g.state = type(state)(**{f: getattr(state, f) for f in state.__struct_fields__} | {"result": result})
    assert g.view()["result"] == {
        "reason": "great_war",
        "turn": 4,
        "culprits": ["russia"],
        "ranks": {"britain": 1, "russia": 2},
    }


def test_view_shows_own_choices_only():
    g = start({"phase": "negotiation", "powers": {"france": {"treasury": 20}}})
    g.act("france", "pay italy 5")
    g.act("france", "pay germany 5")
    assert [c["seat"] for c in g.view()["pending"]] == ["italy", "germany"]
    assert [c["seat"] for c in g.view("italy")["pending"]] == ["italy"]
    assert g.view("france")["pending"] == g.view(SPECTATOR)["pending"] == []
    [choice] = g.view("italy")["pending"]
    assert choice == {
        "id": g.state.choices[0].id,
        "seat": "italy",
        "power": "italy",
        "kind": "money",
        "options": ["accept", "decline"],
        "default": "decline",
    }


def test_only_seats_spectators_and_the_arbiter_have_a_view_and_a_menu():
    g = start()
    for seat in ("spain", "austria_hungary", "", "nobody"):
        for asked in (g.view, lambda seat: legal_actions(g.tables, g.state, seat)):
            with pytest.raises(Refusal) as refused:
                asked(seat)
            assert (refused.value.code, refused.value.rules) == ("unknown_seat", ())


def test_view_and_log_hide_seed_and_dice():
    seed = "a-very-secret-seed"
    table = PaxHost.new(tables(), seats_for(7), seed)
    table.game.queue_dice([6, 5, 6, 5, 6, 5, 6, 5, 6, 5])
    table.act(ARBITER, "advance")
    table.game.queue_dice([2, 2, 2])
    for seat in (*seats_for(7), SPECTATOR, ARBITER):
        seen = table.view(seat)
        assert seed not in json.dumps(seen)
        assert not {"seed", "queue", "dice"} & set(seen)
    for seat in (*seats_for(7), SPECTATOR):
        assert table.header_for(seat).seed == ""
        assert table.header_for(seat).start is None
        for line in table.lines_for(seat):
            assert line.queue == ()
            assert line.dice == 0
    assert redact_header(table.game.header, ARBITER).seed == seed
    assert len(redact(table.game.lines, "france", visible_raw)) == len(table.game.lines)


def test_unchanged_areas_of_a_view_are_reused():
    g = start({"phase": "movement", "powers": {"france": {"treasury": 20}}})
    before = g.view()
    g.act("france", "place interest siam")
    after = g.view()
    assert after["areas"]["cuba"] is before["areas"]["cuba"]
    assert after["areas"]["siam"] != before["areas"]["siam"]
    assert before["areas"]["siam"]["markers"] == []
