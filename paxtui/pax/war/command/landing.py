"""General Order 10: where the engine lands forces in a Chinese Rebellion.

Rules: ORD-040, ORD-041, ORD-042 (R-ORD-12, R-ORD-22)
"""

from __future__ import annotations

from paxtui.pax.play.play import Play
from paxtui.pax.state.pieces import ARMY
from paxtui.pax.state.war import War
from paxtui.pax.war import empire
from paxtui.pax.war.command.forces import free, go, merits, now, stands
from paxtui.pax.war.command.general_orders import enough


def land(play: Play, war: War, power: str) -> None:
    """In a Chinese Rebellion the free Armies go to the nearest Chinese Area, Formosa left out, and land there.

    A landing that would have to fight at less than 3 to 2 is not made; the next Area is tried.

    Rules: ORD-040, ORD-041, ORD-042 (R-ORD-12, R-ORD-22)
    """
    forces = free(play.tables, play.state, war, power, ARMY)
    china = [a for a in sorted(empire.land(play.tables, play.state, war)) if _mainland(play, war, a)]
    for force in forces:
        together = sum(f.unit.strength for f in forces if f.place == force.place)
        ranks = {
            area: (way.far, *merits(play.tables, play.state, power, area))
            for area in china
            if (way := force.way(area)) and _may_land(play, war, area, together)
        }
        best = min(ranks.values(), default=None)
        tied = [area for area, rank in ranks.items() if rank == best]
        if not tied or force.place in china:
            continue
        area = tied[play.dice.draw(len(tied))] if len(tied) > 1 else tied[0]
        way = force.way(area)
        if way and stands(play.state, force.unit, force.place):
            go(play, war, force.unit, force.place, way.first, area)
        if now(play, war.id) is None:
            return


def _mainland(play: Play, war: War, area: str) -> bool:
    """Whether an Overland Route leads on from an Area through the Empire; from Formosa none does. Rules: ORD-040."""
    return bool(empire.steps(play.tables, play.state, war, area))


def _may_land(play: Play, war: War, area: str, strength: int) -> bool:
    """Whether Armies may go to an Area that would have to be attacked at once. Rules: ORD-040 (R-ORD-22)."""
    if not empire.resists(play.tables, play.state, war, area):
        return True
    foes = empire.armies(play.state, area, (empire.of(war),))
    defend = empire.strength(play.tables, play.state, war, area) + sum(u.strength for u in foes)
    return enough(strength, defend)
