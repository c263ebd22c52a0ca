"""A position that names what the tables do not know is told the name and what it would have to be."""

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
    """Tunis with something else in it."""
    return {"areas": {"tunis": replace(AreaState(), **changes)}}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ""),
        ({"turn": 0}, "there is no Game Turn 0"),
        ({"turn": 1}, ""),
        ({"turn": 10}, ""),
        ({"turn": 11}, "there is no Game Turn 11"),
        ({"frames": ()}, "it is in no Phase"),
        ({"areas": {"atlantis": AreaState()}}, "'atlantis' is no Area"),
        ({"areas": {"x" * 50: AreaState()}}, f"'{'x' * 40}' is no Area"),
        ({"homes": {"china": ()}}, "'china' is no Power"),
        ({"sea_zones": {"cape_horn": ()}}, "'cape_horn' is no Sea Zone"),
        ({"powers": {"ottoman_empire": None}}, "'ottoman_empire' is no Power"),
        ({"players": ("france", "bavaria")}, "'bavaria' is no Power"),
        ({"minors": {"bavaria": "x"}}, "'bavaria' is no Power"),
        ({"ready": ("bavaria",)}, "'bavaria' is no Power"),
        ({"events": ("7-7",)}, "'7-7' is no Random Event"),
        (area(markers=(Marker("bavaria", "interest"),)), "'bavaria' is no Power"),
        (area(markers=(Marker("ottoman_empire", "interest"),)), ""),
        (area(markers=(Marker("france", "castle"),)), "'castle' is no marker"),
        (area(codominion=("bavaria",)), "'bavaria' is no Power"),
        (area(units=(Unit("bavaria", "army", 1),)), "'bavaria' is no Power"),
        (area(units=(Unit("china", "army", 1),)), ""),
        ({"areas": {}}, "the Area 'abyssinia' is missing"),
        ({"powers": {}}, "the player 'britain' is missing"),
        (area(units=(Unit("france", "balloon", 1),)), "'balloon' is no kind of unit"),
        ({"homes": {"france": (Unit("france", "balloon", 1),)}}, "'balloon' is no kind of unit"),
        ({"at_sea": {"cape_horn": ()}}, ""),
        ({"at_sea": {"lake": ()}}, "'lake' is no Sea Zone or Cape Zone"),
        ({"at_sea": {"baltic": (Unit("bavaria", "naval", 1),)}}, "'bavaria' is no Power"),
        ({"sea_zones": {"baltic": ("bavaria",)}}, "'bavaria' is no Power"),
        ({"wars": (War("w1", (("china",), ("bavaria",))),)}, "'bavaria' is no Power"),
        ({"casus_belli": (CasusBelli("c", "france", "bavaria", cause="x"),)}, "'bavaria' is no Power"),
        ({"casus_belli": (CasusBelli("c", "france", "italy", cause="x", area="atlantis"),)}, "'atlantis' is no Area"),
        ({"casus_belli": (CasusBelli("c", "france", "italy", cause="x"),)}, ""),
        ({"treaties": (Treaty("t", "Rome", "treaty", "france", ("france", "bavaria"), ()),)}, "'bavaria' is no Power"),
        (
            {"choices": (Pending("c1", "bavaria", "france", MoneyOffer("italy", "france", 1), (), ""),)},
            "'bavaria' is no Power",
        ),
        (
            {"choices": (Pending("c1", "france", "bavaria", MoneyOffer("italy", "france", 1), (), ""),)},
            "'bavaria' is no Power",
        ),
    ],
)
def test_the_first_unknown_name_is_told(changes: dict[str, Any], said: str) -> None:
    tables, state = position()
    if changes.get("areas"):
        changes = {**changes, "areas": {**state.areas, **changes["areas"]}}
    assert find_unknown_name(tables, replace(state, **changes)) == said


def test_phases_have_to_be_known() -> None:
    tables, state = position()
    frame = replace(state.frames[0], phase="siesta")
    assert find_unknown_name(tables, replace(state, frames=(frame,))) == "'siesta' is no Phase"
    above = (state.frames[0], frame)
    assert find_unknown_name(tables, replace(state, frames=above)) == "'siesta' is no Phase or procedure"
