"""What is bought in a turn: the best use of each pound, as long as it beats keeping it."""

from __future__ import annotations

from functools import partial

from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.statesman import armies
from paxtui.bots.statesman.outlook import Outlook
from paxtui.bots.statesman.prospects import Prospect, prospects
from paxtui.pax.expansion.placement import highest
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import PowersAct

ROUNDS = {"easy": 1, "normal": 2, "hard": 3}
"""How often the list is made anew after what stood on it has been bought."""


def expand(outlook: Outlook, desk: Desk) -> None:
    """Buy what is worth buying."""
    for _ in range(ROUNDS.get(outlook.who.level, 1)):
        before = len(desk.acts)
        taken: set[str] = set()
        for prospect in prospects(outlook, desk):
            if prospect.area not in taken and prospect.price <= desk.treasury:
                if desk.all_or_none(partial(_buy, outlook, desk, prospect)):
                    taken.add(prospect.area)
        if len(desk.acts) == before:
            return


def _buy(outlook: Outlook, desk: Desk, prospect: Prospect) -> bool:
    """Draw up what a purchase takes; whether all of it can be done."""
    if not prospect.marker:
        return desk.do(ac.Canal(prospect.area), prospect.why)
    force = prospect.force
    if force is not None:
        purse = armies.for_armies(desk) - prospect.price
        force = armies.best(outlook, desk, prospect.area, prospect.prize, purse)
        if force is None or force.gain <= outlook.now * prospect.price:
            return False
    own = highest(desk.state, prospect.area, desk.power)
    act: PowersAct = (ac.Upgrade if own else ac.Place)(prospect.marker, prospect.area)
    if not desk.do(act, prospect.why):
        return False
    return force is None or armies.send(desk, force, prospect.area, prospect.why)

