"""Rule 4: War on a Minor Power, over a Casus Belli and for a prize, with 3 to 2 in armies and in fleets.

Rules: ORD-009, ORD-010, ORD-048, ETI-036 (R-ORD-03, R-ORD-04, R-ORD-05)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from paxtui.bots.caretaker.desk import Desk, brings_great_war
from paxtui.bots.caretaker.superiority import Purchase, cheapest, free_pieces, needed
from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.tables import Tables
from paxtui.pax.expansion.special_garrisons import INDIAN, KEPT, WESTERN, india_zone, is_heavy, western_zone
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import GameOver, Trial
from paxtui.pax.state.causes import CasusBelli
from paxtui.pax.state.model import State, every_unit, units_at
from paxtui.pax.state.pieces import ARMY, CONTROL, NAVAL
from paxtui.pax.war import declarations
from paxtui.pax.war.alliances import begun
from paxtui.pax.war.campaign.reach import reach
from paxtui.pax.words.spoken import power_name

PRIZE = 5
"""Printed Economic Value in pounds of an Area that makes a Minor Power worth a War."""


class Forces(NamedTuple):
    """Strength points of armies and of fleets."""

    armies: int
    fleets: int


def arm(desk: Desk) -> None:
    """In the Movement/Status Change Phase: buy what a War on a Minor Power asks for; all of it, or nothing.

    Rules: ORD-009, ORD-010, ORD-048
    """
    for foe in foes(desk):
        if not _allowed_in_principle(desk, foe.against):
            continue
        lack = lacking(desk.tables, desk.state, desk.power, foe.against)
        if lack != (0, 0):
            desk.all_or_none(partial(_buy, desk, lack, foe.against))


def declare(desk: Desk) -> None:
    """In the Negotiation Phase: declare War on the Minor Powers over which the 3 to 2 is there.

    Rules: ORD-005, ORD-006, ORD-009, ORD-048, ETI-036
    """
    for foe in foes(desk):
        if lacking(desk.tables, desk.state, desk.power, foe.against) != (0, 0):
            continue
        power = "" if desk.power == desk.seat else desk.power
        war = ac.DeclareWar((foe.against,), (foe.id,), power)
        if not brings_great_war(desk.tables, desk.state, desk.seat, war):
            desk.do(war, f"Rule 4: War on {power_name(desk.tables, foe.against)}, with 3 to 2 in every arm")


def foes(desk: Desk) -> list[CasusBelli]:
    """A Casus Belli against each Minor Power that has a prize within reach. Rules: ORD-009 (R-ORD-05)."""
    found: dict[str, CasusBelli] = {}
    for cause in declarations.usable(desk.tables, desk.state, desk.power):
        if cause.against in desk.state.minors and any(prizes(desk.tables, desk.state, desk.power, cause.against)):
            found.setdefault(cause.against, cause)
    return list(found.values())


def prizes(tables: Tables, state: State, power: str, minor: str) -> Iterator[str]:
    """Areas of value under a Minor Power's Control that the Power's forces can reach by link or by coal.

    Rules: ORD-009
    """
    held = [
        area
        for area, here in state.areas.items()
        if tables.areas[area].value >= PRIZE
        and any(m.power == minor and m.established and m.marker in CONTROL for m in here.markers)
    ]
    if not held:
        return
    linked = linked_areas(tables, state, power)
    coaled = reach(tables, state, begun(state, power, (minor,), ()), power)
    yield from (area for area in held if area in linked or area in coaled)


def lacking(tables: Tables, state: State, power: str, minor: str) -> Forces:
    """Strength points that the Power lacks for 3 to 2 over the armies and over the fleets of a Minor Power.

    A kind that it has none of is left out.

    Rules: ORD-010 (R-ORD-03)
    """
    own, theirs = forces(tables, state, power), forces(tables, state, minor)
    return Forces(*(max(0, needed(b) - a) if b else 0 for a, b in zip(own, theirs, strict=True)))


def forces(tables: Tables, state: State, power: str) -> Forces:
    """Strength points of a Power that can take part in a War: all but what a special garrison keeps."""
    units = [u for u in every_unit(state) if u.power == power]
    zone = india_zone(tables, state) if power == INDIAN else western_zone(tables) if power == WESTERN else ()
    bound = sum(is_heavy(u, power) for place in zone for u in units_at(state, place))
    armies = sum(u.strength for u in units if u.kind == ARMY) - 10 * min(KEPT, bound)
    return Forces(armies, sum(u.strength for u in units if u.kind == NAVAL))


def _buy(desk: Desk, lack: Forces, minor: str) -> bool:
    """Buy armies and fleets, the cheapest sets; both or neither, and with what is left below the Great War."""
    why = f"Rule 4: 3 to 2 over {power_name(desk.tables, minor)}"
    armies = cheapest(desk.tables, free_pieces(desk.tables, desk.state, desk.power), ARMY, lack.armies)
    if armies is None or not desk.build(armies.strengths, why):
        return False
    fleets = cheapest(desk.tables, free_pieces(desk.tables, desk.state, desk.power), NAVAL, lack.fleets)
    if fleets is None or not _build_fleets(desk, fleets, why):
        return False
    return desk.state.tension + declarations.TENSION < 100


def _build_fleets(desk: Desk, fleets: Purchase, why: str) -> bool:
    return not fleets.strengths or desk.do(ac.Build(tuple(f"N{s}" for s in fleets.strengths)), why)


def _allowed_in_principle(desk: Desk, minor: str) -> bool:
    """Whether a declaration, were it made now, would leave the game going. Rules: ORD-005, ORD-006."""
    trial = Trial(desk.tables, desk.state)
    try:
        declarations.queue(trial, desk.power, (minor,), ())
    except GameOver:
        return False
    return True

