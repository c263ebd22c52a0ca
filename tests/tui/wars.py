"""Positions at War for tests of the screen."""

from __future__ import annotations

from typing import Any

from tests.rules.harness import army, held, marker, naval, tables

FAR_EAST: dict[str, Any] = {
    "phase": "war",
    "wars": [{"alliances": [["japan", "britain"], ["russia"]], "phase": "maneuver"}],
    "areas": {
        "korea": held("japan", "protectorate", army("japan", 10), army("japan", 1)),
        "manchuria": held("russia", "protectorate", army("japan", 3), army("britain", 3), army("russia", 3)),
    },
    "sea_zones": {
        "north_china_sea": {"merchant_fleets": ["japan", "britain"], "units": [naval("japan", 3)]},
        "south_china_sea": {"merchant_fleets": ["britain"], "units": [naval("russia", 1)]},
    },
}
"""Japan and Britain against Russia, in the Maneuver Phase of the allies: all three have Armies in Manchuria, and a
Russian fleet in the South China Sea has nowhere to coal."""


def far_east(phase: str = "maneuver", **war: Any) -> dict[str, Any]:
    """Return this War in another Phase, or with other fields."""
    return {**FAR_EAST, "wars": [{**FAR_EAST["wars"][0], "phase": phase, **war}]}


EMPTY: dict[str, Any] = {
    area: {"markers": [], "units": []}
    for area in sorted(
        {start.area for start in tables().start_markers}
        | {unit.place for unit in tables().start_units if unit.place in tables().areas}
    )
}
"""The Areas occupied in 1880, without markers and units."""

OTTOMAN_AID: dict[str, Any] = {
    "phase": "war",
    "wars": [
        {
            "kind": "ottoman",
            "alliances": [["ottoman_empire"], ["italy"]],
            "phase": "alliances",
            "turn_of": 1,
            "over": ["tripoli"],
        }
    ],
    "areas": {
        "tripoli": held("italy", "protectorate", army("italy", 3)),
        "anatolia": {"markers": [], "units": [army("ottoman_empire", 5)] * 3},
    },
}
"""Italy has taken Tripoli; Powers may come to the aid of the Ottoman Empire."""

SPOILS: dict[str, Any] = {
    "phase": "war",
    "wars": [
        {
            "alliances": [["germany", "italy"], ["britain"]],
            "phase": "end",
            "cycle": 3,
            "conquered": [{"area": area, "alliance": 1} for area in ("fiji", "kenya", "hong_kong")],
        }
    ],
    "areas": {
        **EMPTY,
        "papua": held("germany", "protectorate", army("germany", 3)),
        "fiji": held("britain", "protectorate"),
        "kenya": {
            "markers": [marker("britain", "protectorate"), marker("france", "influence")],
            "units": [army("italy", 3)],
        },
        "hong_kong": held("britain", "possession"),
    },
}
"""Germany and Italy have won: `r` goes on to the spoils, Hong Kong first, then Kenya and Fiji."""

PEACE: dict[str, Any] = {
    **FAR_EAST,
    "wars": [
        {
            **FAR_EAST["wars"][0],
            "conquered": [{"area": "manchuria", "alliance": 1}, {"area": "inner_mongolia", "alliance": 1}],
        }
    ],
    "areas": {
        "korea": held("japan", "protectorate", army("japan", 10)),
        "manchuria": held("russia", "protectorate", army("japan", 3), army("britain", 3)),
        "inner_mongolia": held("russia", "protectorate"),
    },
    "powers": {"russia": {"treasury": 40}},
}
"""The allies have conquered Manchuria and Inner Mongolia and may make peace."""

CALL_FOR_AID: dict[str, Any] = {
    "phase": "war",
    "casus_belli": [{"holder": "germany", "against": "russia", "rule": "STA-024"}],
    "treaties": [
        {
            "id": "abcde", "name": "Kronstadt", "form": "treaty", "drafter": "france",
            "parties": ["france", "russia"], "signed": ["france", "russia"], "stage": "in_force",
            "clauses": [{"kind": "defensive"}], "public": True, "drafted": 1, "since": 1,
        }
    ],
    "areas": {"manchuria": held("russia", "protectorate", army("russia", 3))},
}  # fmt: skip
"""Germany may declare War on Russia, whom France has promised to defend."""

SECRET_TREATY: dict[str, Any] = {
    "phase": "war",
    "casus_belli": [{"holder": "russia", "against": "japan", "rule": "STA-024"}],
    "treaties": [
        {
            "id": "hxddn", "name": "Trieste", "form": "treaty", "drafter": "italy", "parties": ["italy", "britain"],
            "signed": ["italy", "britain"], "stage": "in_force", "since": 1, "drafted": 1,
            "clauses": [{"kind": "defensive", "against": ["france"]}],
        }
    ],
}  # fmt: skip
"""Russia may declare War on Japan. A secret Treaty exists, so that all other Powers are asked."""
