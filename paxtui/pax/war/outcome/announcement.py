"""The end of a War that is announced, because the forces left cannot get at each other.

Rules: WEN-052, WEN-053 (R-WEN-05, Decision 17)
"""

from __future__ import annotations

from paxtui.pax.board.status import controllers
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State
from paxtui.pax.state.war import ALLIANCES, REBELLION, RESOLUTION, War
from paxtui.pax.war.alliances import unallied_empire
from paxtui.pax.war.campaign.reach import could_reach
from paxtui.pax.war.outcome.ends import decide, sides

ANNOUNCED = "announced"


def may_announce(tables: Tables, state: State, power: str) -> War | None:
    """The War whose end a Power may announce now, None where there is none.

    Rules: WEN-052 (R-WEN-05)
    """
    for war in state.wars:
        apart = war.kind != REBELLION and not unallied_empire(state, war)
        going_on = apart and war.stage not in (ALLIANCES, RESOLUTION)
        if going_on and war.side_of(power) and _apart(tables, state, war):
            return war
    return None


def _apart(tables: Tables, state: State, war: War) -> bool:
    """Whether of any two Alliances at least one cannot get at what the other has left."""
    numbers = sides(war)
    pairs = [(one, other) for one in numbers for other in numbers if one < other]
    return all(
        _beyond_reach(tables, state, war, one, other) or _beyond_reach(tables, state, war, other, one)
        for one, other in pairs
    )


def _beyond_reach(tables: Tables, state: State, war: War, side: int, enemy: int) -> bool:
    """Whether the Armies of an Alliance could come to no place where an enemy one has Units left outside its Home
    Countries, of which there are some.

    Rules: WEN-052, SUP-017 (R-WEN-05)
    """
    places = [
        place
        for place, units in (*((a, here.units) for a, here in state.areas.items()), *state.at_sea.items())
        if any(war.side_of(u.power) == enemy for u in units)
    ]
    return bool(places) and not any(could_reach(tables, state, war, side, place) for place in places)


def announce(play: Play, power: str, action: ac.AnnounceEnd) -> None:
    """Announce the end of a War: who cannot get at the enemy takes what he can reach, the enemy keeps the rest.

    Raises: Refusal `no_end_to_announce`.
    Rules: WEN-052, WEN-053 (R-WEN-05, Decision 17)
    """
    tables, state = play.tables, play.state
    war = may_announce(tables, state, power)
    if war is None:
        refuse(
            "no_end_to_announce",
            ("WEN-052",),
            "The end of a War is announced by a belligerent once the forces left on one side cannot get at those of "
            "the other.",
        )
    stuck = [
        (one, other)
        for one in sides(war)
        for other in sides(war)
        if one != other and _beyond_reach(tables, state, war, one, other)
    ]
    for side, enemy in stuck:
        for area in state.areas:
            theirs = any(war.side_of(p) == enemy for p in controllers(state, area))
            held = war.conqueror(area) in (0, enemy)
            if (theirs or war.conqueror(area) == enemy) and held and could_reach(tables, state, war, side, area):
                own = not any(war.side_of(p) not in (0, side) for p in controllers(state, area))
                play.emit(
                    ev.AreaConquered(war=war.id, area=area, alliance=0 if own else side, rules=("WEN-053",))
                )
    winners = {side for side, _ in stuck}
    victor = winners.pop() if len(winners) == 1 and len(sides(war)) == 2 else 0
    decide(play, war, ANNOUNCED, victor, ("WEN-052", "WEN-053"), power)
