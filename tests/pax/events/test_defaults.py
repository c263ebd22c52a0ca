"""What a log or a table leaves out means nothing, or what is named here: a default that changes changes old games."""

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

SAYING = {
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
"""Fields that say something when they are left out, and what. Those of `Options` stand in `options.toml`."""


def structs() -> Iterator[type[msgspec.Struct]]:
    """Every struct of logs, orders, positions and tables, except the options."""
    for package in (engine, actions, board, events, menus, preview, state):
        for module in walk_packages(package.__path__, package.__name__ + "."):
            for found in vars(import_module(module.name)).values():
                if isinstance(found, type) and issubclass(found, msgspec.Struct) and found.__module__ == module.name:
                    if found is not Options:
                        yield found


def defaults(struct: type[msgspec.Struct]) -> dict[str, Any]:
    """The fields of a struct that may be left out, and what they are then."""
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
def test_what_is_left_out_means_nothing_or_what_is_named(struct: type[msgspec.Struct]) -> None:
    for name, value in defaults(struct).items():
        key = f"{struct.__name__}.{name}"
        assert value == SAYING.get(key, type(value)()), f"{key}: it says something left out; name it above for ever"


def test_nothing_is_named_that_is_not_there() -> None:
    there = {f"{s.__name__}.{name}" for s in structs() for name in defaults(s)}
    assert set(SAYING) <= there


def test_a_stage_said_is_written_like_one_left_out() -> None:
    draft = {"id": "abcde", "name": "Rome", "form": "treaty", "parties": ["france", "italy"], "clauses": []}
    said = {**draft, "stage": "".join(("dr", "aft"))}  # as it comes out of a file: equal, and not the very string
    written = [msgspec.json.encode(start({"treaties": [row]}).state) for row in (draft, said)]
    assert written[0] == written[1]


def test_an_agreement_has_no_stage_that_there_is_not() -> None:
    draft = {"id": "abcde", "name": "Rome", "form": "treaty", "parties": ["france", "italy"], "clauses": []}
    with pytest.raises(Refusal, match="stage of an agreement"):
        start({"treaties": [{**draft, "stage": "asleep"}]})
