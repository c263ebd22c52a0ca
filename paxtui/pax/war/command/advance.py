"""General Order 11: against whom the engine sends forces in a War with a Minor Power or the Ottoman Empire.

Rules: ORD-042 to ORD-045 (R-ORD-13, R-ORD-22)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.pax.board.tables import Tables
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY, NAVAL
from paxtui.pax.state.war import War
from paxtui.pax.war import empire
from paxtui.pax.war.alliances import enemies
from paxtui.pax.war.campaign import conquest
from paxtui.pax.war.command.forces import Force, free, go, merits, now, stands
from paxtui.pax.war.command.general_orders import enough


class Target(NamedTuple):
    """Where forces may be sent, and the strength points that they would meet there."""

    place: str
    strength: int


def advance(play: Play, war: War, power: str, kind: str) -> None:
    """Send the free forces of a kind against the largest enemy force that they outnumber by 3 to 2; the others against
    the next; who outnumbers none stays.

    Rules: ORD-043, ORD-044, ORD-045 (R-ORD-13)
    """
    left = free(play.tables, play.state, war, power, kind)
    targets = list(_targets(play.tables, play.state, war, power, kind))
    while left and targets:
        target = _best(play, war, power, kind, left, targets)
        if target is None:
            return
        targets.remove(target)
        for force in tuple(left):
            way = force.way(target.place)
            if way or force.place == target.place:
                left.remove(force)
            if way and stands(play.state, force.unit, force.place):
                go(play, war, force.unit, force.place, way.first, target.place)
            if now(play, war.id) is None:
                return


def _targets(tables: Tables, state: State, war: War, power: str, kind: str) -> Iterator[Target]:
    """Enemy forces of a kind, and, for Armies, enemy Areas without any.

    Rules: ORD-043, ORD-045
    """
    foes = enemies(war, power)
    side = war.side_of(power)
    for area, here in state.areas.items():
        strength = sum(u.strength for u in here.units if u.kind == kind and u.power in foes)
        if kind == ARMY and empire.against(war, (power,)):
            strength += empire.strength(tables, state, war, area)
        if strength or (kind == ARMY and conquest.hostile(state, war, side, area)):
            yield Target(area, strength)
    if kind == NAVAL:
        for zone, units in state.at_sea.items():
            strength = sum(u.strength for u in units if u.kind == NAVAL and u.power in foes)
            if strength:
                yield Target(zone, strength)


def _best(
    play: Play, war: War, power: str, kind: str, forces: list[Force], targets: list[Target]
) -> Target | None:
    """The target to go for: the largest force that can be beaten, then higher own status, higher Economic Value, lower
    Combat Strength, the nearer one, at last by lot; of Areas without an enemy the nearest.

    Rules: ORD-042, ORD-043, ORD-045 (R-ORD-13, R-ORD-22)
    """
    ranks: dict[Target, tuple[int, ...]] = {}
    for target in targets:
        coming = [f for f in forces if f.place == target.place or f.way(target.place)]
        going = [way.far for f in coming if f.place != target.place and (way := f.way(target.place))]
        posted = sum(
            u.strength
            for u in units_at(play.state, target.place)
            if u.power == power and u.kind == kind and all(f.unit is not u for f in coming)
        )
        ours = posted + sum(f.unit.strength for f in coming)
        if going and enough(ours, target.strength):
            far = min(going)
            near = 0 if target.strength else far
            ranks[target] = (-target.strength, near, *merits(play.tables, play.state, power, target.place), far)
    best = min(ranks.values(), default=None)
    tied = [target for target, rank in ranks.items() if rank == best]
    if not tied:
        return None
    return tied[play.dice.draw(len(tied))] if len(tied) > 1 else tied[0]
