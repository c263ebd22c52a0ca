"""Random Chinese Rebellions from random positions: each ends, and the accounts stay balanced.

`PAXTUI_FUZZ=50 pytest tests/pax/test_random_rebellions.py` plays fifty times as many.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Any

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import controllers, is_chinese
from paxtui.games.pax.events import events
from paxtui.games.pax.state.pieces import ARMY, CHINA
from tests.pax.walk import T, Walk
from tests.rules.harness import army, here
from tools.random_wars.openings import GREAT, INLAND, PORTS, random_holding

pytestmark = pytest.mark.random

MORE = max(1, int(os.environ.get("PAXTUI_FUZZ", "1")))
SEAS = ("north_china_sea", "south_china_sea", "indian_ocean", "north_pacific")


def rising(seed: int) -> Walk:
    """A game at its Chinese Resentment Phase, with an Index that makes a Rebellion certain."""
    random = Random(seed)
    walk = Walk(seed, players=random.choice([4, 5, 7, 7]), options={"counter_limits": "unlimited"})
    powers = random.sample(GREAT, random.randint(1, 5))
    areas: dict[str, Any] = {area: here() for area in (*PORTS, *INLAND)}
    for area in random.sample((*PORTS, *INLAND), random.randint(1, 7)):
        areas[area] = random_holding(random, random.choice(powers), area)
    homes = {p: {"units": [army(p, 10), army(p, 3), army(p, 3)]} for p in powers}
    seas = {zone: {"merchant_fleets": powers} for zone in SEAS}
    indexes = {"chinese_resentment": 180, "european_tensions": random.randint(0, 40)}
    patch = {"phase": "chinese_resentment", "areas": areas, "homes": homes, "sea_zones": seas, "indexes": indexes}
    walk.decide(ARBITER, actions.SetPosition(patch))  # raises the refusal of a wrong position
    walk.act(ARBITER, actions.SetPosition(patch))
    return walk


def misplaced(walk: Walk) -> list[str]:
    """Misplaced units: Chinese Armies outside China or after the Rebellion, and foreign units after it."""
    fought = any(w.kind == "rebellion" for w in walk.state.wars)
    wrong = []
    for name, there in walk.state.areas.items():
        for unit in there.units:
            if unit.power == CHINA and not (fought and unit.kind == ARMY and is_chinese(T, walk.state, name)):
                wrong.append(f"a Chinese Army in {name}")
            elif unit.power != CHINA and not fought and unit.power not in controllers(walk.state, name):
                wrong.append(f"{unit.power} in {name}")
    return wrong


def play(seed: int, wild: float = 0.1) -> tuple[Walk, list[events.Event]]:
    """Play a random Rebellion to its end. Returns: the game and all its events."""
    walk, happened = rising(seed), list[events.Event]()
    act = walk.act

    def noting(*args: Any, **words: Any) -> list[events.Event] | None:
        events = act(*args, **words)
        happened.extend(events or ())
        return events

    walk.act = noting  # type: ignore[method-assign]
    walk.act(ARBITER, actions.Step())
    for n in range(4000):
        if walk.over or walk.state.phase != "war":
            break
        walk.turn(wild=wild, thorough=n % 20 == 0)
    assert walk.over or walk.state.phase != "war", "the Rebellion came to no end"
    return walk, happened


@pytest.mark.parametrize("seed", range(12 * MORE))
def test_random_rebellion_ends_and_leaves_a_clean_position(seed: int) -> None:
    walk, happened = play(seed)
    assert any(isinstance(e, events.WarArose) for e in happened)
    if not walk.over:
        assert misplaced(walk) == [] and walk.state.wars == () and walk.state.at_sea == {}
        fought = happened[: next(n for n, e in enumerate(happened) if isinstance(e, events.WarOver))]
        raised = [e for e in fought if isinstance(e, events.TensionRaised) and "ETI-013" in e.rules]
        assert raised == [], "markers lost in a Rebellion do not raise the tensions"


def test_random_rebellions_are_won_and_lost() -> None:
    ends = Counter[str]()
    for seed in range(500, 500 + 12 * MORE):
        _, happened = play(seed, wild=0.0)
        ends.update(e.test for e in happened if isinstance(e, events.WarDecided))
    assert {"rebels_won", "rebels_beaten"} <= set(ends), ends
