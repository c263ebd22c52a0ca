"""War Resolution: what a War that is decided leaves behind.

Rules: WEN-034, WEN-035, WEN-051, SUP-024
"""

from __future__ import annotations

from paxtui.pax.play.play import Play
from paxtui.pax.state.war import War
from paxtui.pax.war.outcome import homecoming


def resolve(play: Play, war: War) -> bool:
    """Do what is left of the Resolution of a War; whether nothing is left to be chosen and it is over.

    Rules: WEN-034, WEN-051, SUP-024
    """
    homecoming.surrendered(play, war)
    homecoming.from_the_sea(play, war)
    homecoming.strangers(play, war)
    return True
