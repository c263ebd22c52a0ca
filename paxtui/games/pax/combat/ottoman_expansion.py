"""The optional expansion of the Ottoman Empire into neighbouring Areas with continuing Unrest.

The Empire's possession is a Possession marker of `EXPANSION` with one army of its own kind, outside the six pieces that
China and the Ottomans share. If the Ottomans put down a later revolt there, the Area becomes part of the Empire.
"""

from __future__ import annotations

from paxtui.games.pax.board.adjacency import area_type, board, distances
from paxtui.games.pax.board.status import area_state, controls
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import OTTOMAN_EMPIRE, POSSESSION
from paxtui.games.pax.transaction import Transaction

OTTOMAN = "ottoman"
"""Type of the Areas of the Empire."""
HELP_ARMIES = 2
"""Number of armies that reinforce a possession in revolt."""


def belongs_to_empire(tables: Tables, state: State, area: str) -> bool:
    """Return whether the Area is Ottoman or a possession of the Empire."""
    return area_type(tables, state, area) == OTTOMAN or controls(state, area, OTTOMAN_EMPIRE)


def heart_area(tables: Tables) -> str:
    """Return the Area at the heart of the Empire, the one with the straits. Rules: OTT-012."""
    return next(a.id for a in tables.areas.values() if a.type == OTTOMAN and a.passage == "straits")


def connected_areas(tables: Tables, state: State) -> frozenset[str]:
    """Return Areas of the Empire and possessions with an overland connection to its heart.

    Rules: EVT-033 (R-EVT-15)
    """
    routes = board(tables, state).routes

    def own_neighbours(area: str) -> list[str]:
        near = routes.get(area, ())
        return [a for a in near if not a.startswith(HOME) and belongs_to_empire(tables, state, a)]

    return frozenset(distances((heart_area(tables),), own_neighbours))


def falls_to_ottomans(tables: Tables, state: State, area: str) -> bool:
    """Return whether the Area, in continuing Unrest, falls to the Ottoman Empire. Rules: EVT-033 (R-EVT-15)."""
    if not state.options.ottoman_expansion or not area_state(state, area).unrest:
        return False
    if belongs_to_empire(tables, state, area):
        return False
    connected = connected_areas(tables, state)
    return any(other in connected for other in board(tables, state).routes.get(area, ()))


def _army(tables: Tables) -> str:
    return f"A{tables.other_armies.strength}"


def take_area(play: Transaction, area: str) -> None:
    """Make the Area an Ottoman possession with its own army. Rules: EVT-033, EVT-034."""
    play.establish(area, OTTOMAN_EMPIRE, POSSESSION, None, ("EVT-033",))
    play.emit(
        events.UnitsBuilt(power=OTTOMAN_EMPIRE, units=(_army(play.tables),), place=area, rules=("EVT-033", "EVT-034"))
    )


def reinforce_possession(play: Transaction) -> None:
    """Send two more armies to the possession in Unrest, of several to the most valuable. Rules: EVT-038, EVT-039."""
    if not play.state.options.ottoman_expansion:
        return
    areas = play.tables.areas
    revolts = [a for a in areas if area_state(play.state, a).unrest and controls(play.state, a, OTTOMAN_EMPIRE)]
    if not revolts:
        return
    best = max(areas[a].value for a in revolts)
    area = play.draw_one([a for a in revolts if areas[a].value == best])
    units = (_army(play.tables),) * HELP_ARMIES
    play.emit(events.UnitsBuilt(power=OTTOMAN_EMPIRE, units=units, place=area, rules=("EVT-038", "EVT-039")))


def annex_possession(play: Transaction, area: str) -> None:
    """Annex a possession after the Ottomans put down its revolt; its armies leave the map. Rules: EVT-040, EVT-041."""
    play.emit(events.AreaTypeChanged(area=area, to=OTTOMAN, rules=("EVT-040",)))
    play.lower(area, OTTOMAN_EMPIRE, POSSESSION, "", "part of the Ottoman Empire", ("EVT-040",), None)
    dissolve_armies(play, area, "EVT-041")


def dissolve_armies(play: Transaction, area: str, rule: str = "EVT-038") -> None:
    """Remove all Ottoman armies in the Area after annexation or expulsion."""
    units = tuple(u.name for u in area_state(play.state, area).units if u.power == OTTOMAN_EMPIRE)
    if units:
        play.emit(events.UnitsLost(power=OTTOMAN_EMPIRE, units=units, place=area, reason="ottoman", rules=(rule,)))
