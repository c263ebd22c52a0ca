"""Cape Zones (SET-019, MOV-005): refused in peace, with the rule."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions.notation import parse_order
from paxtui.games.pax.actions.structured import decode_action
from paxtui.games.pax.position.setup import read_position, seats_for
from paxtui.games.pax.state.options import Options
from tests.refusals import refused
from tests.rules.harness import Bench, moving, tables

CAPES = {
    "cape_horn": ("cape_horn", "Cape Horn", "cape h", "CAPE-HORN"),
    "cape_of_good_hope": ("cape_of_good_hope", "Cape of Good Hope", "cape of", "capeofgood"),
}
"""Spellings of each Cape Zone."""

ORDERS = {
    "merchant south_atlantic > {}": "MOV-005",
    "merchant {} > oceania": "MOV-005",
    "merchant new > {}": "MOV-005",
    "move A1 home > south_atlantic > {} > indian_ocean > bengal": "SET-019",
    "move A1 home > {}": "SET-019",
    "move N10 home > {}": "SET-019",
    "move N10 home > hong_kong ({})": "SET-019",
    "move N10 home > home ({})": "SET-019",
    "build N3 {}": "SET-019",
    "build N3 ({})": "SET-019",
    "treaty Seas with france: no units by britain in {}": "SET-019",
    "treaty Seas with france: at most 4 naval by britain in indian_ocean, {}": "SET-019",
}
"""Every order that can name a Sea Zone."""


def game() -> Bench:
    """A Movement/Status Change Phase with a due Merchant Fleet."""
    return moving(powers={"britain": {"merchants_due": 1}}, turn=4)


@pytest.mark.rule("SET-019", "MOV-005")
@pytest.mark.parametrize(
    ("cape", "spelling"), [(cape, spelling) for cape, names in CAPES.items() for spelling in names]
)
@pytest.mark.parametrize("order", ORDERS)
def test_order_that_names_a_cape_is_refused(order: str, cape: str, spelling: str) -> None:
    g = game()
    refusal = g.refused("britain", order.format(spelling))
    assert refusal.code == "cape" and {"SET-019", ORDERS[order]} <= set(refusal.rules)
    assert tables().capes[cape].name in refusal.message and "only in War" in refusal.message


ACTIONS: list[dict[str, Any]] = [
    {"type": "merchant", "start": "south_atlantic", "to": "{}"},
    {"type": "merchant", "start": "{}", "to": "oceania"},
    {"type": "move", "units": ["A1"], "path": ["home", "{}", "bengal"]},
    {"type": "move", "units": ["N10"], "path": ["home", "hong_kong"], "coast": "{}"},
    {"type": "build", "units": ["N3"], "box": "{}"},
]


@pytest.mark.rule("SET-019", "MOV-005")
@pytest.mark.parametrize("cape", CAPES)
@pytest.mark.parametrize("raw", ACTIONS)
def test_protocol_action_that_names_a_cape_is_refused(raw: dict[str, Any], cape: str) -> None:
    def filled(value: Any) -> Any:
        return [filled(v) for v in value] if isinstance(value, list) else value.replace("{}", cape)

    g = game()
    action = decode_action(g.tables, {key: filled(value) for key, value in raw.items()})
    assert g.refused("britain", action).code == "cape"


@pytest.mark.rule("SET-019", "MOV-005")
@pytest.mark.parametrize("cape", CAPES)
def test_position_with_a_cape_is_refused(cape: str) -> None:
    patch = {"sea_zones": {cape: {"merchant_fleets": ["britain"]}}}
    refusal = refused(read_position, tables(), seats_for(7), Options(), patch)
    assert refusal.code == "impossible_position" and {"SET-019", "MOV-005"} <= set(refusal.rules)


def test_capes_do_not_make_names_ambiguous() -> None:
    # the Area that begins alike is still meant alone
    move = parse_order(tables(), "move A3 home > cape")
    assert move == parse_order(tables(), "move A3 home > cape_colony")
    try:
        parse_order(tables(), "merchant south_atlantic > cape")
    except Refusal as refusal:
        assert refusal.code == "ambiguous" and set(refusal.detail["candidates"]) == {"Cape Horn", "Cape of Good Hope"}
    else:
        raise AssertionError("one Cape is meant as well as the other")
    # what is no name at all stays a misspelling
    assert refused(parse_order, tables(), "merchant south_atlantic > caep").code == "notation"
