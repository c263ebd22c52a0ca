"""The engine's orders for a Minor Power at War without an ally, and the acts of the unallied Empires.

Rules: WAR-021
"""

from __future__ import annotations

from paxtui.pax.play.play import Play
from paxtui.pax.state.war import ATTACK, War
from paxtui.pax.war import empire_acts
from paxtui.pax.war.alliances import by_engine
from paxtui.pax.war.campaign import battle

ODDS = (3, 2)
"""Attackers to defenders from which the engine starts a combat (ORD-038)."""


def act(play: Play, war: War) -> None:
    """What the engine does in the present Phase for the Powers that it commands: it attacks at 3 to 2.

    It may be asked again after a choice: what is done is not done twice.

    Rules: WAR-021, WCB-009, ORD-038
    """
    if empire_acts.act(play, war) or war.stage != ATTACK:
        return
    powers = by_engine(play.tables, play.state, war, war.turn_of)
    for place, kind in battle.places(play.tables, play.state, war):
        ours = battle.attackers(play.state, war, place, kind)
        theirs = battle.defenders(play.state, war, place, kind)
        if not any(u.power in powers for u in ours):
            continue
        attack, defend = sum(u.strength for u in ours), sum(u.strength for u in theirs)
        if attack * ODDS[1] >= defend * ODDS[0]:
            battle.fight(play, war, place, kind)
            if play.state.choices:
                return
