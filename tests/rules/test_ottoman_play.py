"""Random Ottoman Wars: each order of a menu is accepted, and no piece is misplaced."""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import Any

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import controllers
from paxtui.games.pax.board.tables import HOME
from paxtui.games.pax.events import events
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.state.model import all_units
from paxtui.games.pax.state.pieces import ARMY
from paxtui.games.pax.war import empire
from tests.rules import wars
from tests.rules.harness import UNLIMITED, Bench, army, held, here, naval

OTTOMANS = "ottoman_empire"
WARS = 12 * max(1, int(os.environ.get("PAXTUI_FUZZ", "1")))
"""Number of Wars; `PAXTUI_FUZZ=40` plays some hundred."""
ACTS = 400
"""Maximum number of acts in a War."""
ORDERS = ("attack", "choose", "move", "pass", "join", "invite", "announce", "deny", "allow")
EMPIRE = ("anatolia", "quwait", "tripoli")


def begun(seed: int) -> Bench:
    """An Ottoman War as its first window opens, over one Area or two, with Units of its enemies around."""
    dice = random.Random(seed)
    placers = dice.sample(["italy", "france", "britain", "russia"], dice.choice([1, 1, 2]))
    areas: dict[str, Any] = {area: here() for area in (*EMPIRE, "egypt")}
    for power, area in zip(placers, dice.sample(EMPIRE, len(placers)), strict=True):
        fleets = [naval(power, 3)] if dice.random() < 0.4 else []
        areas[area] = held(power, "protectorate", *(army(power, dice.choice([1, 3, 10])) for _ in "ab"), *fleets)
    egypt = dice.choice([None, *placers, "germany", "germany"])
    if egypt:
        areas["egypt"] = held(egypt, "protectorate", army(egypt, 3))
    areas["anatolia"]["units"] = [*areas["anatolia"].get("units", []), *[army(OTTOMANS, 5)] * 3]
    seas = {"mediterranean": {"merchant_fleets": ["italy", "france", "britain", "russia"], "units": []}}
    over = [a for a in EMPIRE if areas[a].get("markers")]
    war = {"alliances": [[OTTOMANS], placers], "kind": "ottoman", "phase": "alliances", "turn_of": 1}
    g = wars.bench(7, UNLIMITED)
    settings = {**war, "declared": placers, "over": over}
    g.do(ARBITER, actions.SetPosition({"phase": "war", "wars": [settings], "areas": areas, "sea_zones": seas}))
    g.seed = f"ottoman {seed}"
    return g


def faults(g: Bench) -> list[str]:
    """Violations of the rules in the position."""
    found = []
    for war in g.state.wars:
        open_ = empire.roamed_areas(g.tables, g.state, war)
        for event in g.of(events.UnitsMoved):
            end = event.path[-1]
            if event.power == OTTOMANS and end not in open_:
                found.append(f"an Ottoman Army goes to {end}")
            owner = end.removeprefix(HOME)
            if end.startswith(HOME) and event.power not in (owner, g.tables.powers[owner].seat):
                found.append(f"{event.power} in {end}")
        for clash in g.of(events.BattleFought):
            if any(war.side_of(p) == 0 for p in (*clash.attackers, *clash.defenders)):
                found.append(f"a neutral fights in {clash.place}")
    for area, there in g.state.areas.items():
        if len(controllers(g.state, area)) > 1 and not there.codominion:
            found.append(f"two hold {area}")
        if any(u.kind == ARMY and u.coast for u in there.units):
            found.append(f"an army on a coast of {area}")
    if not g.state.wars and any(u.power == OTTOMANS for u in all_units(g.state)):
        found.append("an Ottoman Army outlives its War")
    return found


def step(g: Bench, dice: random.Random) -> str:
    """Let an awaited seat give an order of its menu."""
    seat = dice.choice(g.waiting())
    texts = {t: t.partition(": ")[2] or t for t in legal_actions(g.tables, g.state, seat).texts()}
    texts = {text: order for text, order in texts.items() if order.startswith(ORDERS)}
    assert texts, (seat, list(legal_actions(g.tables, g.state, seat).texts()))
    kinds: dict[str, list[str]] = {}
    for text, order in texts.items():
        kinds.setdefault(order.split()[0], []).append(text)
    kind = "attack" if "attack" in kinds else dice.choice(list(kinds))
    if "pass" in kinds and dice.random() < (0.85 if "join" in kinds else 0.15):
        kind = "pass"
    text = dice.choice(kinds[kind])
    g.act(seat, text)
    return kind


def played(seed: int) -> tuple[Bench, Counter[str]]:
    """A War played to its end."""
    g, dice, done = begun(seed), random.Random(seed), Counter[str]()
    for _ in range(ACTS):
        if not g.state.wars or g.state.result:
            return g, done
        if g.waiting():
            done[step(g, dice)] += 1
        else:
            g.advance()
        assert faults(g) == [], seed
    raise AssertionError(f"the War of seed {seed} does not end: {g.state.wars}")


def test_every_ottoman_war_comes_to_an_end() -> None:
    ways, allied, kinds = Counter[str](), Counter[bool](), Counter[str]()
    for seed in range(WARS):
        g, done = played(seed)
        kinds += done
        ways[next((e.test for e in g.all_of(events.WarDecided)), "game over")] += 1
        allied[any(e.rolls for e in g.all_of(events.InitiativeRolled))] += 1
    print(ways, allied, kinds)
    assert allied[True] and allied[False] and len(ways) > 2, (ways, allied)
    assert kinds["attack"] and kinds["move"] and kinds["join"] and kinds["invite"]
