"""What a place would mean for Units that have to leave another one in War.

Rules: WCB-034, SUP-008, SUP-019 (R-WCB-10)
"""

from __future__ import annotations

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.combat.retreats import sent
from paxtui.pax.decide import played
from paxtui.pax.menus.trial import TRIAL
from paxtui.pax.orders.actions import Choose
from paxtui.pax.reports.war.peril import perils
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Pending
from paxtui.pax.state.war import ATTACK
from paxtui.pax.war.campaign import conquest, ways


def end_of(tables: Tables, text: str) -> str:
    """The place to which an answer to a retreat sends its Unit: "A3 manchuria > korea"."""
    _, place = sent((text,))[0]
    return place if place in tables.areas or ways.is_sea(tables, place) else HOME + place


def hungry(tables: Tables, state: State, choice: Pending, answer: tuple[str, ...]) -> frozenset[str] | Refusal:
    """The places in which Units of the Power that retreats would be out of supply when they have gone.

    What the enemy conquers by it is conquered then.

    Args: the tables; the position; the choice, a `WarRetreat`; where every Unit is sent.
    Returns: the places, or why they cannot all go there.
    Rules: SUP-001, SUP-008, SUP-019 (R-WCB-10)
    """
    try:
        play = played(tables, state, choice.seat, Choose(choice.id, answer), Dice(TRIAL))
    except Refusal as refusal:
        return refusal
    found: set[str] = set()
    for war in play.state.wars:
        if war.stage == ATTACK:
            conquest.close(play, war)
    for war in play.state.wars:
        mine = perils(tables, play.state, war, war.side_of(choice.power))
        found.update(peril.place for peril in mine if peril.power == choice.power)
    return frozenset(found)
