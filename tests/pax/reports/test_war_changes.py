"""Descriptions of the changes in a War between two positions, in `war_changes.txt`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from paxtui.games.pax.narration.narrator import Narrator
from paxtui.games.pax.reports.war_changes import describe_war_changes
from tests.recorded import same_as_recorded
from tests.rules.harness import army, held, naval, start
from tests.tui.wars import far_east


def changes(before: dict[str, Any], after: dict[str, Any], power: str = "japan") -> list[str]:
    """The changes between two positions, without events, for a Power."""
    one, two = start(before), start(after)
    return [
        line.text for line in describe_war_changes(Narrator(one.tables, one.state), one.state, two.state, (), (power,))
    ]


def later() -> dict[str, Any]:
    """A cycle on: Britain has left, France has come, Manchuria is conquered, and fleets have changed places."""
    now = far_east(
        cycle=2,
        conquered=[{"area": "manchuria", "alliance": 1}],
        surrendered=[{"power": "russia", "kind": "army", "strength": 3}],
        alliances=[["japan"], ["russia", "france"]],
    )
    now["areas"] = {**now["areas"], "manchuria": held("russia", "protectorate", army("japan", 3))}
    now["sea_zones"] = {"south_china_sea": {"merchant_fleets": ["britain"], "units": [naval("japan", 3)]}}
    return now


PAIRS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "nothing": (far_east(), far_east()),
    "a third side": (far_east(), far_east("attack", alliances=[["japan"], ["russia", "france"], ["britain", "spain"]])),
    "two sides again": (far_east("attack", alliances=[["japan"], ["russia"], ["britain", "spain"]]), far_east()),
    "a cycle on": (far_east(), later()),
    "and back": (later(), far_east()),
    "a new war": ({**far_east(), "wars": [], "sea_zones": {}}, later()),
    "nobody takes part": (far_east(), far_east(cycle=3, quiet=2)),
}


def test_war_changes_are_described_as_recorded() -> None:
    lines = [
        line
        for name, pair in PAIRS.items()
        for power in ("japan", "russia")
        for line in (f"{name}, for {power}:", *(f"    {change}" for change in changes(*pair, power)))
    ]
    same_as_recorded(Path(__file__).with_name("war_changes.txt"), lines)
