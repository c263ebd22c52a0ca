"""A Negotiation Phase of seven Powers with two disputes, for tests of Treaties."""

from __future__ import annotations

from paxtui.games.pax.position.setup import seats_for
from tests.rules.harness import army, at_home, marker, naval

SEVEN = tuple(seats_for(7))
ITALIAN_AREAS = ("kenya", "tunis", "madagascar", "marocco", "tanganyika", "ashantee")
"""Areas that Italy defends weakly: France, with an Influence in Kenya, would win a War over it."""
NEGOTIATION = {
    "phase": "negotiation", "turn": 3, "powers": {p: {"treasury": 40} for p in SEVEN},
    "homes": {
        **at_home("france", *[army("france", 10)] * 5, naval("france", 10), naval("france", 10)),
        **at_home("italy", army("italy", 1)),
    },
    "areas": {
        **{a: {"markers": [marker("italy", "protectorate")], "units": [army("italy", 1)]} for a in ITALIAN_AREAS[1:]},
        "kenya": {
            "markers": [marker("italy", "protectorate"), marker("france", "influence")], "units": [army("italy", 1)],
        },
        "formosa": {
            "markers": [marker("britain", "protectorate"), marker("japan", "influence")], "units": [army("britain", 3)],
        },
    },
    "casus_belli": [
        {"id": "cb1", "holder": "japan", "against": "britain", "area": "formosa", "cause": "control_over_influence"},
        {"id": "cb2", "holder": "france", "against": "italy", "area": "kenya", "cause": "control_over_influence"},
    ],
}  # fmt: skip
