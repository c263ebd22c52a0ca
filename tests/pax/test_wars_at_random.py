"""Wars of Powers at random, from random positions of the world: each ends, and the books stay balanced.

`PAXTUI_FUZZ=50 pytest tests/pax/test_wars_at_random.py` plays fifty times as many.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from paxtui.engine.seats import ARBITER
from paxtui.pax.board.status import controllers
from paxtui.pax.board.tables import HOME
from paxtui.pax.history import events as ev
from paxtui.pax.legal import legal
from paxtui.pax.narration.war_narration import TESTS
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import parse
from paxtui.pax.play.secrecy import visible
from paxtui.pax.position.view import view
from paxtui.pax.sequence import waiting
from paxtui.pax.state.model import units_at
from paxtui.pax.state.pieces import CHINA, EXPANSION, NAVAL
from tests.pax.walk import T, Walk
from tests.rules.harness import army, held, here, marker, naval

MORE = max(1, int(os.environ.get("PAXTUI_FUZZ", "1")))
GREAT = ("britain", "france", "germany", "russia", "japan", "united_states", "italy")
SMALL = ("spain", "portugal", "belgium")
POWERS = (*GREAT, *SMALL)
COUNTED = ("three Alliances", "mergers", "BattleFought", "PowerLeftWar", "GreatWarBegan")
"""What is counted besides how the Wars end."""
MARTIAL = ("declare", "attack", "choose", "move", "pass")
"""Verbs of who would fight."""
SECRET = "whispered"
"""With what the names and ids of hidden Treaties begin."""


def world(random: Random, powers: list[str]) -> dict[str, Any]:
    """Areas of these Powers in one corner of the world, with forces in and about them, so that they can meet."""
    zone = random.choice(list(T.sea_zones))
    near = [a.id for a in T.areas.values() if zone in a.sea_zones]
    near += [a.id for a in T.areas.values() if random.random() < 0.01 and a.id not in near]
    areas: dict[str, Any] = {area: here() for area in near}
    for power in powers:
        for area in random.sample(near, min(len(near), random.randint(2, 4))):
            if areas[area].get("markers"):
                continue
            units = [army(power, random.choice([1, 3, 3, 10])) for _ in range(random.randint(1, 3))]
            fleets = [naval(power, 3)] if T.areas[area].sea_zones and random.random() < 0.4 else []
            areas[area] = held(power, random.choice(["protectorate", "possession"]), *units, *fleets)
    if random.random() < 0.5 and len(powers) > 1:
        one, two = random.sample(powers, 2)
        area = random.choice(near)
        areas[area] = here(marker(one, "protectorate"), marker(two, "protectorate"))
    return areas


def treaty(random: Random, number: int, powers: list[str]) -> dict[str, Any]:
    """A Treaty between Great Powers that may call them, known to all or not."""
    parties = random.sample([p for p in powers if p in GREAT], 2)
    hidden = random.random() < 0.6
    clause = {"kind": random.choice(["defensive", "defensive", "offensive", "non_aggression"])}
    return {
        "id": f"{SECRET}{number}" if hidden else f"pact{number}", "name": f"{SECRET}{number}" if hidden else "Pact",
        "stage": "in_force", "since": 1, "drafted": 1, "public": not hidden,
        "parties": parties, "signed": parties, "clauses": [clause],
    }  # fmt: skip


def landed(random: Random, areas: dict[str, Any], sides: list[list[str]]) -> None:
    """Put armies of one side into Areas of the other."""
    for there in areas.values():
        holders = [m["power"] for m in there.get("markers", ())]
        foes = [p for side in sides if not set(holders) & set(side) for p in side]
        if len(holders) == 1 and foes and random.random() < 0.7:
            there["units"] = [*there.get("units", ()), army(random.choice(foes), random.choice([3, 3, 10]))]


def eve(seed: int) -> Warrior:
    """A War Phase that opens, in which some Powers may declare War on others; or, every other time, one in the middle
    of a War that others may join."""
    random = Random(seed)
    walk = Warrior(seed)
    europe = random.sample(["britain", "france", "germany", "russia", "italy"], random.choice([1, 2, 2]))
    powers = europe + random.sample(["japan", "united_states", *SMALL], random.choice([2, 2, 3]))
    causes = []
    for _ in range(random.randint(2, 6)):
        one, two = random.sample(powers, 2)
        if one in GREAT:
            causes.append({"holder": one, "against": two})
    if not causes:
        causes = [{"holder": europe[0], "against": powers[-1]}]
    great = [p for p in powers if p in GREAT]
    treaties = [treaty(random, n, powers) for n in range(random.randint(0, 3))] if len(great) > 1 else []
    at_home = [p for p in powers if p in T.homes]
    homes = {p: {"units": [army(p, 3)]} for p in at_home}
    seas = {zone: {"merchant_fleets": powers} for zone in T.sea_zones if random.random() < 0.95}
    patch: dict[str, Any] = {
        "phase": "war", "areas": world(random, powers), "casus_belli": causes, "treaties": treaties,
        "homes": homes, "sea_zones": seas, "indexes": {"european_tensions": random.randint(0, 30)},
    }  # fmt: skip
    if seed % 2:
        sides = [powers[: len(powers) // 2], powers[len(powers) // 2 : -1]]
        landed(random, patch["areas"], sides)
        patch["wars"] = [{"alliances": sides}]
    walk.decide(ARBITER, ac.SetPosition(patch))  # a refusal would say what is wrong
    walk.act(ARBITER, ac.SetPosition(patch))
    return walk


def misplaced(walk: Walk, events: list[ev.Event]) -> list[str]:
    """Where no rule lets Units stand: steps into foreign homes or Areas of nobody at War, and what a War leaves."""
    state = walk.state
    belligerent = {p for war in state.wars for p in (*war.powers, *war.left)}
    guests = [(u.power, home) for home, units in state.homes.items() for u in units if u.power != home]
    wrong = [f"{power} in {HOME}{home}" for power, home in guests if not (state.wars and T.powers[home].seat == power)]
    for event in events:
        end = event.path[-1] if isinstance(event, ev.UnitsMoved) else ""
        if state.wars and end in state.areas and not belligerent.intersection(controllers(state, end)):
            wrong.append(f"a step to {end}")
    for area, there in state.areas.items():
        wrong += [f"an army on a coast of {area}" for u in there.units if u.kind != NAVAL and u.coast]
        for power in {u.power for u in there.units} - {CHINA, EXPANSION} - belligerent:
            if power not in controllers(state, area):
                wrong.append(f"{power} in {area}")
    if not state.wars and state.at_sea:
        wrong.append(f"at sea: {state.at_sea}")
    return wrong


def told(walk: Walk, events: list[ev.Event]) -> list[str]:
    """Seats that learn of a hidden Treaty they are no party to."""
    out = []
    state = walk.state
    hidden = [t for t in state.treaties if not t.public and t.id.startswith(SECRET)]
    for seat in state.players:
        foreign = [t.id for t in hidden if seat not in t.parties]
        if foreign:
            text = json.dumps([view(T, state, seat, 1), [visible(msgspec.to_builtins(e), seat) for e in events]])
            out += [seat for id_ in foreign if id_ in text]
    return out


def _verb(text: str) -> str:
    """What an order begins with, whoever it is for."""
    return text.rpartition(": ")[2].split(" ")[0]


class Warrior(Walk):
    """A game at War, in which everybody fights rather than waits; `count`: how often what has happened."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, players=7, options={"counter_limits": "unlimited"})
        self.count = Counter[str]()

    def act(self, seat: str, action: ac.Action, thorough: bool = False) -> list[ev.Event] | None:
        """Let a seat act, and look at what it has done."""
        events = super().act(seat, action, thorough)
        if events and not isinstance(action, ac.SetPosition):
            assert not (wrong := misplaced(self, events)), wrong
            assert told(self, events) == []
            for event in events:
                self._counted(event)
        return events

    def _counted(self, event: ev.Event) -> None:
        if isinstance(event, ev.WarDecided):
            self.count[event.test] += 1
        elif isinstance(event, ev.WarDeclared | ev.WarsMerged):
            self.count["three Alliances"] += sum(1 for side in event.war.alliances if side) > 2
            self.count["mergers"] += isinstance(event, ev.WarsMerged)
        elif isinstance(event, ev.GreatWarBegan | ev.BattleFought | ev.PowerLeftWar):
            self.count[type(event).__name__] += 1

    def turn(self, wild: float = 0.3, thorough: bool = False) -> None:
        """Somebody fights; now and then somebody does anything at all."""
        due = waiting(T, self.state)
        if not due or self.random.random() < 0.03:
            super().turn(wild, thorough)
            return
        seat = self.random.choice(due)
        orders = [text for text in legal(T, self.state, seat).texts() if _verb(text) in MARTIAL]
        sharp = [text for text in orders if _verb(text) in ("declare", "attack", "choose")]
        bold = [text for text in orders if _verb(text) == "move" and self._towards(seat, text)]
        moves = [text for text in orders if _verb(text) == "move"]
        for some in (sharp, bold, moves, orders):
            if some and (some is orders or self.random.random() < 0.96):
                self.act(seat, parse(T, self.random.choice(some), self.state), thorough)
                return
        super().turn(wild, thorough)

    def _towards(self, seat: str, text: str) -> bool:
        """Whether a move goes where enemies of the seat have Units or Control."""
        end = text.rpartition("> ")[2].split(":")[0].split(" ")[0]
        there = {u.power for u in units_at(self.state, end)}
        there |= set(controllers(self.state, end)) if end in self.state.areas else set()
        return any(war.opposes(seat, power) for war in self.state.wars for power in there)


def play(seed: int, wild: float = 0.1) -> Warrior:
    """Wars at random, to their end."""
    walk = eve(seed)
    for n in range(4000):
        if walk.over or walk.state.phase != "war":
            break
        walk.turn(wild=wild, thorough=n % 20 == 0)
    assert walk.over or walk.state.phase != "war", "the Wars came to no end"
    return walk


@pytest.mark.parametrize("seed", range(6 * MORE))
def test_wars_at_random_end_and_leave_nothing_behind(seed: int) -> None:
    walk = play(seed)
    assert walk.over or (walk.state.wars == () and walk.state.at_sea == {})


def test_wars_at_random_end_in_several_ways() -> None:
    count = Counter[str]()
    for seed in range(500, 500 + 10 * MORE):
        count += play(seed, wild=0.0).count
    assert {"no_units", "stalemate"} <= set(count) <= {*TESTS, *COUNTED}, count
    assert all(count[what] for what in ("three Alliances", "BattleFought", "PowerLeftWar")), count
