"""Unknown names in a position are reported with their kind."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.position.reader import find_unknown_name
from paxtui.games.pax.state.diplomacy import CasusBelli, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import AreaState, Marker, Unit
from paxtui.games.pax.state.questions import MoneyOffer, Pending
from paxtui.games.pax.state.war import War
from tests.rules.harness import start


def position() -> tuple[Tables, State]:
    g = start({"phase": "movement"})
    return g.tables, g.state


def area(**changes: Any) -> dict[str, Any]:
    """Tunis with other contents."""
    return {"areas": {"tunis": replace(AreaState(), **changes)}}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ""),
        ({"turn": 0}, "there is no Game Turn 0"),
        ({"turn": 1}, ""),
        ({"turn": 10}, ""),
        ({"turn": 11}, "there is no Game Turn 11"),
        ({"frames": ()}, "it has no Phase"),
        ({"areas": {"atlantis": AreaState()}}, "unknown Area: 'atlantis'"),
        ({"areas": {"x" * 50: AreaState()}}, f"unknown Area: '{'x' * 40}'"),
        ({"homes": {"china": ()}}, "unknown Power: 'china'"),
        ({"sea_zones": {"cape_horn": ()}}, "unknown Sea Zone: 'cape_horn'"),
        ({"powers": {"ottoman_empire": None}}, "unknown Power: 'ottoman_empire'"),
        ({"players": ("france", "bavaria")}, "unknown Power: 'bavaria'"),
        ({"minors": {"bavaria": "x"}}, "unknown Power: 'bavaria'"),
        ({"ready": ("bavaria",)}, "unknown Power: 'bavaria'"),
        ({"events": ("7-7",)}, "unknown Random Event: '7-7'"),
        (area(markers=(Marker("bavaria", "interest"),)), "unknown Power: 'bavaria'"),
        (area(markers=(Marker("ottoman_empire", "interest"),)), ""),
        (area(markers=(Marker("france", "castle"),)), "unknown marker: 'castle'"),
        (area(codominion=("bavaria",)), "unknown Power: 'bavaria'"),
        (area(units=(Unit("bavaria", "army", 1),)), "unknown Power: 'bavaria'"),
        (area(units=(Unit("china", "army", 1),)), ""),
        ({"areas": {}}, "the Area 'abyssinia' is missing"),
        ({"powers": {}}, "the player 'britain' is missing"),
        (area(units=(Unit("france", "balloon", 1),)), "unknown kind of unit: 'balloon'"),
        ({"homes": {"france": (Unit("france", "balloon", 1),)}}, "unknown kind of unit: 'balloon'"),
        ({"at_sea": {"cape_horn": ()}}, ""),
        ({"at_sea": {"lake": ()}}, "unknown Sea Zone or Cape Zone: 'lake'"),
        ({"at_sea": {"baltic": (Unit("bavaria", "naval", 1),)}}, "unknown Power: 'bavaria'"),
        ({"sea_zones": {"baltic": ("bavaria",)}}, "unknown Power: 'bavaria'"),
        ({"wars": (War("w1", (("china",), ("bavaria",))),)}, "unknown Power: 'bavaria'"),
        ({"casus_belli": (CasusBelli("c", "france", "bavaria", cause="x"),)}, "unknown Power: 'bavaria'"),
        (
            {"casus_belli": (CasusBelli("c", "france", "italy", cause="x", area="atlantis"),)},
            "unknown Area: 'atlantis'",
        ),
        ({"casus_belli": (CasusBelli("c", "france", "italy", cause="x"),)}, ""),
        (
            {"treaties": (Treaty("t", "Rome", "treaty", "france", ("france", "bavaria"), ()),)},
            "unknown Power: 'bavaria'",
        ),
        (
            {"choices": (Pending("c1", "bavaria", "france", MoneyOffer("italy", "france", 1), (), ""),)},
            "unknown Power: 'bavaria'",
        ),
        (
            {"choices": (Pending("c1", "france", "bavaria", MoneyOffer("italy", "france", 1), (), ""),)},
            "unknown Power: 'bavaria'",
        ),
    ],
)
def test_first_unknown_name_is_reported(changes: dict[str, Any], expected: str) -> None:
    tables, state = position()
    if changes.get("areas"):
        changes = {**changes, "areas": {**state.areas, **changes["areas"]}}
    assert find_unknown_name(tables, replace(state, **changes)) == expected


def test_unknown_phase_is_reported() -> None:
    tables, state = position()
    frame = replace(state.frames[0], phase="siesta")
    assert find_unknown_name(tables, replace(state, frames=(frame,))) == "unknown Phase: 'siesta'"
    above = (state.frames[0], frame)
    assert find_unknown_name(tables, replace(state, frames=above)) == "unknown Phase or procedure: 'siesta'"
