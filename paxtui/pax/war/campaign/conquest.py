"""Areas that change hands in War: conquered, and conquered back. No marker changes before the War is over.

Rules: SUP-003, SUP-004, SUP-005, SUP-006, SUP-029 (R-SUP-07)
"""

from __future__ import annotations

from paxtui.pax.board.status import controllers
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY
from paxtui.pax.state.war import War


def close(play: Play, war: War) -> None:
    """At the end of every Attack Phase an enemy Area is conquered where the Armies of one Alliance stand alone.

    Rules: SUP-003, SUP-004, SUP-005, SUP-006
    """
    for area, here in play.state.areas.items():
        sides = {war.side_of(u.power) for u in here.units if u.kind == ARMY} - {0}
        if len(sides) != 1:
            continue
        (side,) = sides
        if hostile(play.state, war, side, area):
            conquer(play, war, side, area, ("SUP-003", "SUP-005"))


def conquer(play: Play, war: War, side: int, area: str, rules: tuple[str, ...]) -> None:
    """An Alliance takes an Area of the enemy; where no other belligerent has a marker it is its own again.

    Rules: SUP-003, SUP-005, SUP-016, SUP-029 (R-SUP-07)
    """
    others = any(war.side_of(p) not in (0, side) for p in controllers(play.state, area))
    play.emit(ev.AreaConquered(war=war.id, area=area, alliance=side if others else 0, rules=rules))


def hostile(state: State, war: War, side: int, area: str) -> bool:
    """Whether an Area is the enemy's for an Alliance now: conquered by him, or Controlled by him and not conquered.

    Rules: SUP-003, SUP-004, SUP-029
    """
    conqueror = war.conqueror(area)
    if conqueror:
        return conqueror != side
    return any(war.side_of(p) not in (0, side) for p in controllers(state, area))
