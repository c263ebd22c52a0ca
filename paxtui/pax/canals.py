"""Canals between the Caribbean Sea and the South Pacific.

Rules: CAN-001 to CAN-004, CAN-006, CAN-009, CAN-010, CAN-013, CAN-014
"""

from __future__ import annotations

from paxtui.pax import actions as ac
from paxtui.pax import duties
from paxtui.pax import events as ev
from paxtui.pax.board import canals
from paxtui.pax.model import INFLUENCE, LEVEL
from paxtui.pax.placement import check_words
from paxtui.pax.play import Play, refuse
from paxtui.pax.status import at, established, level

PRICE = 30
"""Pounds for a canal (CAN-003)."""
POINTS = 15
"""Victory Points for the first canal of the game (CAN-009)."""


def build(play: Play, power: str, action: ac.Canal) -> None:
    """Build a canal in an Area: it is there at once and for ever, the first of the game brings its points at once.

    Raises: Refusal `no_canal_here`, `canal_there`, `unrest`, `no_influence`, `no_money`.
    Rules: CAN-001, CAN-002, CAN-003, CAN-004, CAN-009, CAN-010, CAN-013, CAN-014 (R-CAN-03, Decision 14)
    """
    check_words(play, action.area)
    area = play.tables.areas[action.area]
    here = at(play.state, action.area)
    if area.passage != "canal":
        places = [a.name for a in play.tables.areas.values() if a.passage == "canal"]
        refuse("no_canal_here", ("CAN-001",), f"A canal can be built in {' or '.join(places)} only.")
    if here.canal:
        refuse("canal_there", ("CAN-014",), f"{area.name} has its canal already.")
    if here.unrest:
        refuse("unrest", ("CAN-004",), f"{area.name} is in Unrest: no canal can be built there this turn.")
    if level(established(play.state, action.area, power)) < LEVEL[INFLUENCE]:
        refuse(
            "no_influence",
            ("CAN-002",),
            f"Whoever builds a canal needs an established Influence or Control marker in {area.name} itself.",
        )
    duties.check_spending(play, power, PRICE)
    first = not canals(play.state)
    play.money(power, -PRICE, f"canal in {area.name}", ("CAN-003",))
    play.emit(ev.CanalBuilt(area=action.area, power=power, rules=("CAN-001", "CAN-002", "CAN-006")))
    if first:
        play.victory_points(power, POINTS, f"first canal, in {area.name}", ("CAN-009", "CAN-013"), bonus=True)
