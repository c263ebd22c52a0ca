"""What is bought in a turn: the purchases that together bring most for the money there is.

Who has money for everything buys everything. Who has not buys what cannot wait: an Area that rivals want is gone next
turn, an Interest is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.statesman import armies, rivalry
from paxtui.bots.statesman.outlook import Outlook
from paxtui.bots.statesman.prospects import Prospect, prospects
from paxtui.pax.expansion.placement import highest
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import PowersAct
from paxtui.pax.play.play import BRINK

ROUNDS = {"easy": 1, "normal": 3, "hard": 4}
"""How often the list is made anew after what stood on it has been bought."""

MARGIN = 10
"""Points below the Great War at which the statesman provokes nobody any more: others may do so at the same time."""


def expand(outlook: Outlook, desk: Desk) -> None:
    """Buy what is worth buying."""
    if outlook.who.level == "hard":
        outlook.sought = rivalry.sought(outlook.tables, desk.state, desk.power)
    calm = BRINK - round(MARGIN * outlook.who.care) - desk.state.tension
    for _ in range(ROUNDS.get(outlook.who.level, 1)):
        before = len(desk.acts)
        listed = prospects(outlook, desk)
        purse = round(desk.treasury * outlook.who.spends)
        chosen = chosen_for(listed, purse) if outlook.who.looks_on else listed
        for prospect in sorted(chosen, key=lambda p: (-p.lost / max(p.cost, 2), p.area, p.marker)):
            if prospect.cost > purse or (prospect.steps and prospect.steps > calm):
                continue
            desk.faithful = not outlook.who.faithless or prospect.gain < outlook.breach(desk.state)
            if desk.all_or_none(partial(_buy, outlook, desk, prospect)):
                calm -= prospect.steps
                purse = min(purse - prospect.cost, desk.treasury)
        desk.faithful = True
        if len(desk.acts) == before:
            return


def chosen_for(listed: Sequence[Prospect], purse: int) -> list[Prospect]:
    """The purchases, one an Area, by which least is lost if the others have to wait.

    Args: all that might be bought; pounds there are.
    """
    by_area: dict[str, list[Prospect]] = {}
    for prospect in listed:
        by_area.setdefault(prospect.area, []).append(prospect)
    # pounds spent -> what is saved by it, and the purchases as a chain, the last one first
    best: dict[int, tuple[float, _Chain]] = {0: (0.0, None)}
    for options in by_area.values():
        grown = dict(best)
        for spent, (saved, chain) in best.items():
            for option in options:
                total = spent + option.cost
                if total <= purse and saved + option.lost > grown.get(total, (-1.0, None))[0]:
                    grown[total] = saved + option.lost, (option, chain)
        best = grown
    _, chain = max(best.values(), key=lambda found: found[0])
    chosen = []
    while chain is not None:
        option, chain = chain
        chosen.append(option)
    return chosen


_Chain = tuple[Prospect, "_Chain"] | None


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

