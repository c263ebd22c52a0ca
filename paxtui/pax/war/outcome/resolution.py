"""War Resolution: what a War that is decided leaves behind.

Rules: WEN-034, WEN-035, WEN-051, SUP-024, REB-037, REB-050
"""

from __future__ import annotations

from paxtui.pax.play.play import Play
from paxtui.pax.state.war import REBELLION, War
from paxtui.pax.war.outcome import cessions, garrisons, homecoming, ottoman_end, returns, spoils


def resolve(play: Play, war: War) -> bool:
    """Do what is left of the Resolution of a War; whether nothing is left to be chosen and it is over.

    Rules: WEN-034, WEN-040, WEN-044, WEN-047, WEN-051, WEN-056, SUP-024, REB-037, REB-050
    """
    ottoman_end.resolve(play, war)
    if war.kind == REBELLION:
        if not cessions.settle(play, war):
            return False
    elif not spoils.divide(play, war):
        return False
    spoils.reduce_conflicts(play, war)
    if not returns.leave(play, war):
        return False
    homecoming.surrendered(play, war)
    homecoming.from_the_sea(play, war)
    homecoming.guests(play, war)
    garrisons.post(play, war)
    return True
