"""War: what is declared, how it is fought, and whom the statesman comes to help."""

from __future__ import annotations

from paxtui.bots.act import Act
from paxtui.bots.caretaker import answers as general_orders
from paxtui.bots.caretaker import campaign, war_on_minors
from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.statesman.outlook import Outlook
from paxtui.pax.state.questions import Pending

CALM = 40
"""European Tensions up to which a War over little is risked."""


def declare(outlook: Outlook, desk: Desk) -> None:
    """Declare War on Minor Powers, with 3 to 2 in every arm, where Europe is calm and its own temper bold."""
    if outlook.who.care < 1.0 and desk.state.tension < CALM:
        war_on_minors.declare(desk)


def orders(outlook: Outlook, desk: Desk) -> list[Act]:
    """What it does in the present Phase of a War."""
    return campaign.orders(desk.tables, desk.state, desk.seat)


def answer(outlook: Outlook, desk: Desk, choice: Pending) -> Act:
    """Come when a Treaty calls; declare no War over what a Congress has left."""
    return general_orders.answer(desk, choice)
