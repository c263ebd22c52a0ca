"""The engine's orders in War: General Orders 9 to 11, for Minor Powers without an ally and for abandoned Powers.

In a Maneuver Phase first the Units out of supply turn back, then the forces that are free to go are sent against the
largest enemy force that they can beat; in an Attack Phase whatever has 3 to 2 attacks.

Rules: WAR-021, ORD-036 to ORD-045 (Decision 29, R-ORD-11 to R-ORD-13, R-ORD-22)
"""

from __future__ import annotations

from paxtui.pax.play.play import Play
from paxtui.pax.state.pieces import ARMY, NAVAL
from paxtui.pax.state.war import ATTACK, MANEUVER, REBELLION, War
from paxtui.pax.war.alliances import by_engine
from paxtui.pax.war.campaign import battle
from paxtui.pax.war.command import empire_acts, general_orders, march
from paxtui.pax.war.command.advance import advance
from paxtui.pax.war.command.forces import abroad, fleets_on_both_sides, go, now, stands
from paxtui.pax.war.command.landing import land


def act(play: Play, war: War) -> None:
    """What the engine does in the present Phase for the Powers that it commands.

    It may be asked again after a choice: what is done is not done twice.

    Rules: WAR-021, ORD-036
    """
    if empire_acts.act(play, war):
        return
    powers = by_engine(play.tables, play.state, war, war.turn_of)
    if war.stage == MANEUVER:
        for power in powers:
            if power in play.tables.powers:  # an Empire has no garrisons, and nowhere to go but its own Areas
                _maneuver(play, war.id, power)
    elif war.stage == ATTACK:
        _attack(play, war, powers)


def _maneuver(play: Play, id_: str, power: str) -> None:
    """Move the Units of a Power: those out of supply first, then those that are free to go.

    Rules: ORD-037, ORD-039, ORD-040, ORD-041, ORD-043, ORD-044, ORD-045
    """
    for unit, place in abroad(play.state, power):
        war = now(play, id_)
        if war is None or not stands(play.state, unit, place):
            continue
        if general_orders.out_of_supply(play.tables, play.state, war, unit, place):
            way = march.to_supply(play.tables, play.state, war, unit, place)
            if way and not general_orders.last_of_garrison(play.state, unit, place):
                go(play, war, unit, place, way.first, "")
    war = now(play, id_)
    if war is None:
        return
    if war.kind == REBELLION:
        land(play, war, power)
        return
    advance(play, war, power, ARMY)
    if fleets_on_both_sides(play.state, war, power):
        advance(play, war, power, NAVAL)


def _attack(play: Play, war: War, powers: tuple[str, ...]) -> None:
    """Attack wherever the odds allow it. Rules: ORD-038, WCB-009."""
    for place, kind in battle.places(play.tables, play.state, war):
        ours = battle.attackers(play.state, war, place, kind)
        if not any(u.power in powers for u in ours):
            continue
        if general_orders.enough(*battle.strengths(play.tables, play.state, war, place, kind)):
            battle.fight(play, war, place, kind)
            if any(c.about.pressing for c in play.state.choices):
                return
