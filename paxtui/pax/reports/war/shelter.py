"""What a place would mean for a Unit that has to leave another one in War.

Rules: WCB-034, SUP-008, SUP-019 (R-WCB-10)
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.combat.retreats import sent
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY
from paxtui.pax.state.questions import Pending, WarRetreat
from paxtui.pax.war.campaign import coaling, lines, ways


def end_of(tables: Tables, text: str) -> str:
    """The place to which an answer to a retreat sends its Unit: "A3 manchuria > korea"."""
    _, place = sent((text,))[0]
    return place if place in tables.areas or ways.is_sea(tables, place) else HOME + place


def fed(tables: Tables, state: State, choice: Pending, name: str, end: str) -> bool:
    """Whether a Unit that retreats would be in supply at the place it goes to, as the board stands.

    Args: the tables; the position; the choice, a `WarRetreat`; the Unit's name; the place.
    Rules: SUP-008, SUP-019 (R-WCB-10)
    """
    about = choice.about
    war = next((w for w in state.wars if isinstance(about, WarRetreat) and w.id == about.war), None)
    unit = next((u for u in units_at(state, choice.area) if (u.power, u.name) == (choice.power, name)), None)
    if war is None or unit is None or end.startswith(HOME):
        return True
    if unit.kind == ARMY:
        return lines.army_supplied(tables, state, war, unit.power, end)
    coast = choice.area if end in state.areas and ways.two_coasts(tables, state, end) else ""
    return coaling.coaled(tables, state, war, replace(unit, coast=coast), end)
