"""Defaults of fields in logs and tables are empty, or listed here: a changed default would change old games."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import msgspec
import pytest

from paxtui import engine
from paxtui.engine.refusal import Refusal
from paxtui.games.pax import actions, board, events, menus, preview, state
from paxtui.games.pax.board.tables import OtherArmies
from paxtui.games.pax.state.options import Options
from tests.rules.harness import start

LISTED_DEFAULTS = {
    "MarkerLowered.established": True,
    "Header.rulebook": "pax",
    "UnitsMoved.reason": "move",
    "TreatyRejected.reason": "rejected",
    "BallotCast.answer": ("", ""),
    "SeatReady.ready": True,
    "RandomEventRolled.happens": True,
    "UnrestBegan.happens": True,
    "MinorDirected.accepted": True,
    "AreaDefeated.defeated": True,
    "PassageDenied.denied": True,
    "Proposal.stage": "tabled",
    "Congress.asked": -1,
    "State.next_choice": 1,
    "State.next_cause": 1,
    "State.next_war": 1,
    "War.kind": "war",
    "War.stage": "alliances",
    "War.cycle": 1,
    "Marker.established": True,
    "Treaty.stage": "draft",
    "Draft.form": "treaty",
    "BotRequest.what": "move",
    "SeatOccupant.by": "person",
    "Power.vp_points": 1,
    "RandomEvent.spend_on": "units",
    "RandomEvent.units_at_most": -1,
    "ControlTest.at_least": 1,
    "TreatyTest.revealed": True,
    "OtherArmies.strength": 5,
    "OtherArmies.count": 6,
    "Tables.other_armies": OtherArmies(),
    "Header.format": 1,
    "Header.undo": "strict",
    "Header.dice": "plain",
    "ClockSet.then": "default",
    "ClockSet.warn": 60,
    "Header.rules": 1,
    "Line.kind": "act",
    "Difference.index": -1,
    "WarForecast.at": -1,
}
"""Fields whose default is not empty. Those of `Options` are in `options.toml`."""


def structs() -> Iterator[type[msgspec.Struct]]:
    """Every struct of logs, orders, positions and tables, except the options."""
    for package in (engine, actions, board, events, menus, preview, state):
        for module in walk_packages(package.__path__, package.__name__ + "."):
            for found in vars(import_module(module.name)).values():
                if isinstance(found, type) and issubclass(found, msgspec.Struct) and found.__module__ == module.name:
                    if found is not Options:
                        yield found


def defaults(struct: type[msgspec.Struct]) -> dict[str, Any]:
    """The defaults of a struct."""
    found = {}
    for field in msgspec.structs.fields(struct):
        if field.default is not msgspec.NODEFAULT:
            found[field.name] = field.default
        elif field.default_factory is not msgspec.NODEFAULT:
            found[field.name] = field.default_factory()
    return found


@pytest.mark.parametrize(
    "struct", sorted(set(structs()), key=lambda s: (s.__module__, s.__name__)), ids=lambda s: s.__name__
)
def test_field_defaults_are_empty_or_listed(struct: type[msgspec.Struct]) -> None:
    for name, value in defaults(struct).items():
        key = f"{struct.__name__}.{name}"
        assert value == LISTED_DEFAULTS.get(key, type(value)()), f"{key}: list this default above, and never change it"


def test_listed_defaults_exist() -> None:
    there = {f"{s.__name__}.{name}" for s in structs() for name in defaults(s)}
    assert set(LISTED_DEFAULTS) <= there


def test_default_stage_is_encoded_like_a_missing_one() -> None:
    draft = {"id": "abcde", "name": "Rome", "form": "treaty", "parties": ["france", "italy"], "clauses": []}
    with_stage = {**draft, "stage": "".join(("dr", "aft"))}  # equal, but not the same object, as if read from a file
    written = [msgspec.json.encode(start({"treaties": [row]}).state) for row in (draft, with_stage)]
    assert written[0] == written[1]


def test_unknown_stage_of_an_agreement_is_refused() -> None:
    draft = {"id": "abcde", "name": "Rome", "form": "treaty", "parties": ["france", "italy"], "clauses": []}
    with pytest.raises(Refusal, match="stage of an agreement"):
        start({"treaties": [{**draft, "stage": "asleep"}]})
