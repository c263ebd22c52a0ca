"""Positions written by hand: the refusals of impossible ones, with place and rules, in `impossible.txt`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from paxtui.games.pax.position.setup import new_game, read_position, seats_for
from paxtui.games.pax.position.writer import diff_positions, dump_position
from tests.recorded import answer, same_as_recorded
from tests.rules.harness import army, here, marker, naval, new, tables

SEATS = seats_for(7)
WAR = {"alliances": [["japan"], ["russia"]], "phase": "maneuver"}
OTTOMAN = {"kind": "ottoman", "alliances": [["ottoman_empire"], ["italy"]], "phase": "maneuver"}
TREATY = {"parties": ["france", "italy"], "clauses": [{"kind": "defensive"}]}


def area(name: str, **row: Any) -> dict[str, Any]:
    return {"areas": {name: row}}


def war(**more: Any) -> dict[str, Any]:
    return {"phase": "war", "wars": [{**WAR, **more}]}


PATCHES: list[Any] = [
    None,
    [],
    "phase",
    {"phases": 1},
    {1: 2},
    {"turn": 0},
    {"turn": 11},
    {"turn": True},
    {"turn": "3"},
    {"phase": "winter"},
    {"phase": 3},
    {"phase": "congress"},
    {"areas": []},
    {"areas": {"atlantis": {}}},
    {"areas": {"egypt": []}},
    area("egypt", value=8),
    area("egypt", markers={}),
    area("egypt", markers=["britain"]),
    area("egypt", markers=[{}]),
    area("egypt", markers=[{**marker("britain", "interest"), "flag": 1}]),
    area("egypt", markers=[marker("atlantis", "interest")]),
    area("egypt", markers=[marker("britain", "colony")]),
    area("egypt", markers=[marker("britain", "state")]),
    area("egypt", markers=[marker("britain", "dominion")]),
    area("egypt", markers=[{**marker("britain", "interest"), "established": 1}]),
    area("egypt", markers=[{**marker("britain", "interest"), "since": -1}]),
    area("egypt", markers=[marker("britain", "interest"), marker("britain", "influence")]),
    area("egypt", markers=[new("britain"), new("britain", "influence")]),
    area("egypt", markers=[marker("britain", "possession"), marker("france", "possession")]),
    {
        **area("egypt", markers=[marker("britain", "possession"), marker("france", "possession")]),
        "phase": "negotiation",
    },
    area("egypt", units={}),
    area("egypt", units=[1]),
    area("egypt", units=[{}]),
    area("egypt", units=[army("britain", 2)]),
    area("egypt", units=[army("britain", True)]),
    area("egypt", units=[{**army("britain"), "kind": "guard"}]),
    area("egypt", units=[army("atlantis")]),
    area("egypt", units=[army("china", 5)]),
    area("egypt", units=[army("china")]),
    area("egypt", units=[army("ottoman_empire", 5)]),
    area("egypt", units=[naval("britain", 3, "caribbean")]),
    area("egypt", units=[{**army("britain"), "halted": "no"}]),
    area("kashmir", units=[naval("britain", 3)]),
    area("egypt", unrest=1),
    area("egypt", canal=True),
    area("panama", canal=True),
    area("egypt", canal="yes"),
    area("egypt", type="island"),
    area("egypt", type="ottoman"),
    area("egypt", codominion="britain"),
    area("egypt", codominion=["britain", "france"]),
    {"areas": {"egypt": here(marker("britain", "possession"), codominion=["britain"])}},
    {"areas": {"egypt": here(marker("britain", "possession"), codominion=["britain", "britain"])}},
    {
        "areas": {
            "canada": here(
                marker("britain", "dominion"),
                marker("france", "possession"),
                marker("russia", "possession"),
                codominion=["france", "russia"],
            )
        }
    },
    {"homes": {"atlantis": {}}},
    {"homes": {"belgium": {"units": [army("france")]}}},
    {"homes": {"italy": {"markers": []}}},
    {"homes": {"italy": {"units": [naval("italy", 3, "baltic")]}}},
    {"homes": {"italy": {"units": [army("italy", 10)] * 7}}},
    {"sea_zones": {"cape_horn": {}}},
    {"sea_zones": {"atlantis": {}}},
    {"sea_zones": {"baltic": {"fleets": []}}},
    {"sea_zones": {"baltic": {"merchant_fleets": "italy"}}},
    {"sea_zones": {"baltic": {"merchant_fleets": ["atlantis"]}}},
    {"sea_zones": {"baltic": {"merchant_fleets": ["italy", "italy"]}}},
    {"sea_zones": {"baltic": {"units": [naval("italy", 3)]}}},
    {"capes": {"baltic": {}}},
    {"capes": {"cape_horn": []}},
    {"capes": {"cape_horn": {"units": [naval("italy", 3)]}}},
    {"powers": {"belgium": {"treasury": 5}}},
    {"powers": {"italy": {"treasury": -1}}},
    {"powers": {"italy": {"money": 1}}},
    {"powers": {"italy": {"merchants_due": 20}}},
    {"powers": {"italy": {"had_control": 2}}},
    {"powers": {"italy": {"victory_points": "9"}}},
    {"indexes": {"tension": 1}},
    {"indexes": {"european_tensions": 100}},
    {"indexes": {"chinese_resentment": -1}},
    {"events_in_force": ["9-9"]},
    {"events_in_force": "2-5"},
    {"balkan_wars": -1},
    {"abandoned": ["belgium"]},
    {"casus_belli": {}},
    {"casus_belli": [{}]},
    {"casus_belli": [{"holder": "italy", "against": "italy"}]},
    {"casus_belli": [{"holder": "italy", "against": "france", "area": "atlantis"}]},
    {"casus_belli": [{"holder": "atlantis", "against": "ottoman_empire"}]},
    {"casus_belli": [{"holder": "italy", "against": "france", "why": "pride"}]},
    {"treaties": [1]},
    {"treaties": [{"parties": []}]},
    {"treaties": [{**TREATY, "clauses": [{"kind": "friendly"}]}]},
    {"treaties": [{**TREATY, "clauses": [{"kind": "pay", "price": 3}]}]},
    {"treaties": [{**TREATY, "stage": "torn"}]},
    {"treaties": [{**TREATY, "signed": ["atlantis"]}]},
    {"treaties": [{**TREATY, "clauses": [{"kind": "pay", "upon": "x"}]}]},
    {"active_minors": {"italy": "egypt"}},
    {"active_minors": {"spain": "atlantis"}},
    {"moved_minors": {"spain": 1}},
    {"moved_minors": {"spain egypt": 0}},
    {"moved_minors": {"italy egypt": 1}},
    {"moved_minors": []},
    {"wars": [WAR]},
    {"phase": "war", "wars": [1]},
    {"phase": "war", "wars": [{}]},
    {"phase": "war", "wars": {"a": 1}},
    war(alliances=None),
    war(alliances=[["japan"]]),
    war(alliances=[["japan"], []]),
    war(alliances=["japan", "russia"]),
    war(alliances=[["japan"], ["atlantis"]]),
    war(alliances=[["japan"], ["russia", "japan"]]),
    war(alliances=[["germany"], ["austria_hungary"]]),
    war(kind="feud"),
    war(phase="winter"),
    war(size=3),
    war(order=[1]),
    war(order=[2, 2]),
    war(order=3),
    war(turn_of=3),
    war(turn_of=-1),
    war(phase="initiative", turn_of=1),
    war(phase="attack", turn_of=0),
    war(declared=["italy"]),
    war(declared="japan"),
    war(cycle=0),
    war(quiet=3),
    war(commands={"spain": "france"}),
    war(commands=[]),
    war(coaling=[{"area": "atlantis", "to": 1}]),
    war(coaling=[{"area": "siam", "to": 3}]),
    war(coaling=[{"area": "siam", "for": 1}]),
    war(coaling=["siam"]),
    war(denied=[{"passage": "bosporus", "to": "japan"}]),
    war(denied=[{"passage": "suez", "to": "italy"}]),
    war(denied=[{"passage": "suez", "to": "japan", "by": "italy"}]),
    war(conquered=[{"area": "siam", "alliance": 0}]),
    war(conquered=[{"area": "atlantis", "alliance": 1}]),
    war(defeated=["atlantis"]),
    war(defeated="fukien"),
    war(surrendered=[{"power": "italy", "kind": "army", "strength": 1}]),
    war(surrendered=[{"power": "japan", "kind": "guard", "strength": 1}]),
    war(surrendered=[{"power": "japan", "kind": "army", "strength": 2}]),
    war(surrendered=[{"power": "japan", "kind": "army", "strength": 0}]),
    war(began=[{"power": "italy", "area": "siam"}]),
    war(began=[{"power": "japan", "area": "atlantis"}]),
    war(unsupplied=["italy siam"]),
    war(unsupplied=["atlantis"]),
    war(unsupplied=["japan japan siam"]),
    war(unsupplied=[""]),
    war(unsupplied=[3]),
    war(marching=["japan siam"]),
    war(marching=["italy siam A1"]),
    war(marching=["japan atlantis A1"]),
    war(defended=[{"minor": "spain", "power": "japan"}]),
    war(defended=[{"minor": "japan", "power": "italy"}]),
    war(over="siam"),
    war(over=[None, "siam"]),
    {"phase": "war", "wars": [{**WAR, "alliances": [["japan"], ["spain"]], "commands": {"spain": "japan"}}]},
    {"phase": "war", "wars": [{**WAR, "alliances": [["japan"], ["spain"]], "commands": {"spain": "atlantis"}}]},
    {"phase": "war", "wars": [WAR, {**WAR, "alliances": [["japan"], ["italy"]]}]},
    {"phase": "war", "wars": [{**OTTOMAN, "alliances": [["italy"], ["ottoman_empire"]], "phase": "alliances"}]},
    {"phase": "war", "wars": [WAR], "homes": {"russia": {"units": [army("japan")]}}},
    {"phase": "war", "wars": [WAR], "areas": {"siam": {"units": [army("ottoman_empire", 5)]}}},
    {"phase": "war", "wars": [OTTOMAN], "areas": {"siam": {"units": [army("ottoman_empire", 5)]}}},
    {"phase": "war", "wars": [WAR], "sea_zones": {"baltic": {"units": [naval("italy", 3)]}}},
]


def test_impossible_positions_are_refused_as_recorded() -> None:
    begun = new_game(tables(), SEATS, {})

    def difference(patch: Any) -> Any:
        return diff_positions(dump_position(begun), dump_position(read_position(tables(), SEATS, begun.options, patch)))

    lines = [f"{patch}  ->  {answer(difference, patch)}" for patch in PATCHES]
    same_as_recorded(Path(__file__).with_name("impossible.txt"), lines)
