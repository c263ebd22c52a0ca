"""Areas that change hands in War: conquered, and conquered back. No marker changes before the War is over.

Rules: SUP-003, SUP-004, SUP-005, SUP-006, SUP-029, REB-027, REB-028, OTT-013 (R-SUP-07, R-REB-08, R-REB-19, R-OTT-15)
"""

from __future__ import annotations

from paxtui.pax.board.status import at, controllers
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, CHINA, EXPANSION
from paxtui.pax.state.war import REBELLION, War
from paxtui.pax.war import empire


def close(play: Play, war: War) -> None:
    """At the end of every Attack Phase an enemy Area is conquered where the Armies of one Alliance stand alone.

    China conquers nothing: what its Armies take from the colonial Powers in a Rebellion are their markers.

    Rules: EVT-036, SUP-003, SUP-004, SUP-005, SUP-006 (R-REB-19)
    """
    if war.kind == REBELLION and war.turn_of != war.side_of(CHINA):
        _overrun(play, war)
    for area, here in play.state.areas.items():
        if not here.units:
            continue
        sides = {war.side_of(u.power) for u in here.units if u.kind == ARMY} - {0}
        if len(sides) != 1:
            continue
        (side,) = sides
        rebels = war.kind == REBELLION and side == war.side_of(CHINA)
        spared = rebels or empire.spared(play.tables, play.state, war, side, area)
        if not spared and (hostile(play.state, war, side, area) or _unmarked(play, war, side, area)):
            conquer(play, war, side, area, ("SUP-003", "SUP-005"))


def _unmarked(play: Play, war: War, side: int, area: str) -> bool:
    """Whether enemies of the Ottoman Empire take an Area of it that nobody Controls: a defeated one, not conquered yet.

    Rules: OTT-013 (R-OTT-15)
    """
    theirs = side != war.side_of(EXPANSION) and empire.unmarked(play.tables, play.state, war, area)
    return theirs and not war.conqueror(area) and area in war.defeated


def _overrun(play: Play, war: War) -> None:
    """At the end of an Attack Phase of the colonial Powers all markers go where Chinese Armies stand alone.

    With the Control marker gone the Area fights by itself again.

    Rules: REB-027, REB-028 (R-REB-08)
    """
    for area in play.state.areas:
        alone = empire.armies(play.state, area, (CHINA,)) and not empire.held_down(play.state, war, area)
        if alone:
            for m in at(play.state, area).markers:
                play.lower(
                    area, m.power, m.marker, "", "overrun by the Chinese", ("REB-027", "REB-028"), None, m.established
                )


def conquer(play: Play, war: War, side: int, area: str, rules: tuple[str, ...]) -> None:
    """An Alliance takes an Area of the enemy; where no other belligerent has a marker it is its own again.

    Rules: SUP-003, SUP-005, SUP-016, SUP-029 (R-SUP-07)
    """
    others = any(war.side_of(p) not in (0, side) for p in controllers(play.state, area))
    if side != war.side_of(EXPANSION) and empire.unmarked(play.tables, play.state, war, area):
        others = True
    play.emit(ev.AreaConquered(war=war.id, area=area, alliance=side if others else 0, rules=rules))


def hostile(state: State, war: War, side: int, area: str) -> bool:
    """Whether an Area is the enemy's for an Alliance now: conquered by him, or Controlled by him and not conquered.

    Rules: SUP-003, SUP-004, SUP-029
    """
    conqueror = war.conqueror(area)
    if conqueror:
        return conqueror != side
    return any(war.side_of(p) not in (0, side) for p in controllers(state, area))
