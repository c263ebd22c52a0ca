"""Random campaigns: each order of a menu is accepted, and no Unit is misplaced."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from paxtui.games.pax.board.status import controllers
from paxtui.games.pax.board.tables import HOME
from paxtui.games.pax.events import events
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.state.pieces import ARMY
from tests.rules import wars
from tests.rules.harness import UNLIMITED, Bench, army, held, naval, tables

SIDES = (
    [["japan", "britain"], ["russia"]],
    [["spain", "france", "italy"], ["united_states"]],
    [["japan"], ["russia"], ["britain"]],
    [["britain"], ["france", "spain"]],
)
ORDERS = ("attack", "choose", "move", "pass", "deny", "allow", "volunteer")
"""Verbs of a campaign."""


def crowded(seed: int) -> Bench:
    """A War with Units of both sides in the Areas and Sea Zones around one of them."""
    dice = random.Random(seed)
    sides = SIDES[seed % len(SIDES)]
    powers = [p for side in sides for p in side]
    board = tables()
    zones = board.areas[dice.choice(["cuba", "korea", "egypt", "siam", "panama"])].sea_zones
    near = [a.id for a in board.areas.values() if set(a.sea_zones) & set(zones)]
    areas: dict[str, Any] = {}
    for area in dice.sample(near, min(6, len(near))):
        units = [army(p, dice.choice([1, 3, 10])) for p in powers for _ in range(dice.randint(0, 3))]
        units += [naval(p, 3, dice.choice(board.areas[area].sea_zones)) for p in powers if dice.random() < 0.5]
        areas[area] = held(dice.choice(powers), "possession", *units)
    seas = {
        zone: {
            "merchant_fleets": powers,
            "units": [naval(p, dice.choice([1, 3, 10])) for p in powers] + [army(p, 3) for p in powers],
        }
        for zone in zones
    }
    g = wars.at_war(sides, options=UNLIMITED, areas=areas, sea_zones=seas)
    g.seed = f"campaign {seed}"
    return g


def misplaced(g: Bench) -> list[str]:
    """Misplaced Units after a move: in foreign homes, and in Areas without any belligerent."""
    powers = {p for war in g.state.wars for p in war.powers}
    wrong = []
    for event in g.of(events.UnitsMoved):
        end = event.path[-1]
        if end.startswith(HOME) and end != HOME + event.power:
            wrong.append(f"{event.power} in {end}")
        if end in g.state.areas and not powers.intersection(controllers(g.state, end)):
            wrong.append(f"{event.power} in {end}")
    for area, here in g.state.areas.items():
        coasts = {u.coast for u in here.units if u.kind == ARMY}
        if coasts - {""}:
            wrong.append(f"an army on a coast of {area}")
    return wrong


@pytest.mark.rule("WMV-004", "WMV-009", "WMV-015", "WCB-020", "WCB-022")
@pytest.mark.parametrize("seed", range(4))
def test_menus_of_a_campaign_offer_only_accepted_orders(seed: int) -> None:
    g, dice, done = crowded(seed), random.Random(seed), Counter[str]()
    for _ in range(90):
        if g.state.phase != "war":
            break
        seats = g.waiting()
        if not seats:
            g.advance()
            continue
        seat = dice.choice(seats)
        texts = {t: t.partition(": ")[2] or t for t in legal_actions(g.tables, g.state, seat).texts()}
        texts = {text: order for text, order in texts.items() if order.startswith(ORDERS)}
        assert texts, (seat, list(legal_actions(g.tables, g.state, seat).texts()))
        sharp = [text for text, order in texts.items() if order.startswith(("attack", "choose"))]
        text = dice.choice(sharp) if sharp and dice.random() < 0.8 else dice.choice(list(texts))
        g.act(seat, text)
        done[texts[text].split()[0]] += 1
        assert misplaced(g) == []
    assert done["move"] and done["attack"] and g.all_of(events.BattleFought)
