"""The optional expansion of the Ottoman Empire into neighbouring Areas whose Unrest nobody puts down.

The Empire's possession is a Possession marker of `EXPANSION` with one army of its own kind, none of the six pieces
that Chinese and Ottomans share. When the Ottomans put down a later revolt there, the Area becomes part of the Empire.

Rules: EVT-033, EVT-034, EVT-038, EVT-039, EVT-040, EVT-041 (R-EVT-15)
"""

from __future__ import annotations

from paxtui.pax.board.neighbours import area_type, board
from paxtui.pax.board.status import at, controls
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import EXPANSION, POSSESSION

OTTOMAN = "ottoman"
"""Type of the Areas of the Empire."""
HELP = 2
"""Armies that come to the help of a possession in revolt."""


def in_force(state: State) -> bool:
    """Whether the game is played with the expansion."""
    return state.options.ottoman_expansion


def belongs(tables: Tables, state: State, area: str) -> bool:
    """Whether the Area is of the Ottoman Empire or its possession."""
    return area_type(tables, state, area) == OTTOMAN or controls(state, area, EXPANSION)


def joined(tables: Tables, state: State) -> frozenset[str]:
    """Areas of the Empire and possessions that hang together overland with its heart, the Area of the straits.

    Rules: EVT-033 (R-EVT-15)
    """
    map_ = board(tables, state)
    todo = [a.id for a in tables.areas.values() if a.type == OTTOMAN and a.passage == "straits"]
    seen = set(todo)
    while todo:
        for other in map_.routes.get(todo.pop(), ()):
            if not other.startswith(HOME) and other not in seen and belongs(tables, state, other):
                seen.add(other)
                todo.append(other)
    return frozenset(seen)


def falls(tables: Tables, state: State, area: str) -> bool:
    """Whether the Area, in Unrest that nobody put down, falls to the Ottoman Empire.

    Rules: EVT-033 (R-EVT-15)
    """
    if not in_force(state) or not at(state, area).unrest or belongs(tables, state, area):
        return False
    heart = joined(tables, state)
    return any(other in heart for other in board(tables, state).routes.get(area, ()))


def _army(tables: Tables) -> str:
    return f"A{tables.other_armies.strength}"


def take(play: Play, area: str) -> None:
    """The Area becomes an Ottoman possession with an army of its own.

    Rules: EVT-033, EVT-034
    """
    play.establish(area, EXPANSION, POSSESSION, None, ("EVT-033",))
    play.emit(
        ev.UnitsBuilt(power=EXPANSION, units=(_army(play.tables),), place=area, rules=("EVT-033", "EVT-034"))
    )


def reinforce(play: Play) -> None:
    """Two more armies go to the possession in Unrest, to the most valuable one where there are several.

    Rules: EVT-038, EVT-039
    """
    if not in_force(play.state):
        return
    areas = play.tables.areas
    revolts = [a for a in areas if at(play.state, a).unrest and controls(play.state, a, EXPANSION)]
    if not revolts:
        return
    best = max(areas[a].value for a in revolts)
    tied = [a for a in revolts if areas[a].value == best]
    area = tied[play.dice.draw(len(tied))] if len(tied) > 1 else tied[0]
    units = (_army(play.tables),) * HELP
    play.emit(ev.UnitsBuilt(power=EXPANSION, units=units, place=area, rules=("EVT-038", "EVT-039")))


def annex(play: Play, area: str) -> None:
    """The Ottomans have put down the revolt: the possession becomes an Area of the Empire, its armies leave the map.

    Rules: EVT-040, EVT-041
    """
    play.emit(ev.AreaTypeChanged(area=area, to=OTTOMAN, rules=("EVT-040",)))
    play.lower(area, EXPANSION, POSSESSION, "", "part of the Ottoman Empire", ("EVT-040",), None)
    dissolve(play, area, "EVT-041")


def dissolve(play: Play, area: str, rule: str = "EVT-038") -> None:
    """Take all Ottoman armies in the Area off the map: it is part of the Empire now, or they were driven out."""
    units = tuple(u.name for u in at(play.state, area).units if u.power == EXPANSION)
    if units:
        play.emit(ev.UnitsLost(power=EXPANSION, units=units, place=area, reason="ottoman", rules=(rule,)))
