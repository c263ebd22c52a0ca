"""Rule 6: special garrisons that are rebuilt, and events that demand an expenditure, met and no more than met.

Rules: ORD-017, ORD-019, ORD-049 (R-ORD-18, R-ORD-19)
"""

from __future__ import annotations

from functools import partial

from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.caretaker.superiority import Purchase, free_pieces, rank, sets
from paxtui.bots.caretaker.unrest import raise_force
from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.tables import RandomEvent, Tables
from paxtui.pax.expansion import duties
from paxtui.pax.expansion.placement import price, problems
from paxtui.pax.expansion.special_garrisons import HEAVY
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, NAVAL, PROTECTORATE
from paxtui.pax.words.spoken import place_name


def rebuild(desk: Desk) -> None:
    """Russia's Western Garrison and Britain's Indian Army are brought up to three Army (10) Units, as funds allow.

    Rules: ORD-017
    """
    while due := duties.rebuilding(desk.tables, desk.state, desk.power):
        if not desk.build((HEAVY,), f"Rule 6: the {due.what} is brought up to strength"):
            return


def of_events(desk: Desk) -> None:
    """Meet what the Random Events of the turn demand of the Power.

    Rules: ORD-019, ORD-049
    """
    for dice in desk.state.events:
        event = desk.tables.events[dice]
        if event.pressure is not None and event.pressure.power == desk.power:
            crown = ac.Upgrade(event.pressure.marker, event.pressure.area)
            desk.do(crown, f"Rule 6: {event.title}, met rather than lose Victory Points")
        if event.spend_at_least and event.power == desk.power:
            _spend(desk, event)
        if event.extra and event.with_player == desk.power:
            _expand(desk)


def _spend(desk: Desk, event: RandomEvent) -> None:
    """Buy Units for what is still due, at the least expense; what would bring on the Great War is left.

    Rules: ORD-019, ORD-006 (R-ORD-18, R-ORD-19)
    """
    for purchase in spendings(desk.tables, desk.state, desk.power, event):
        letter = "N" if event.spend_on == NAVAL else "A"
        names = tuple(f"{letter}{s}" for s in purchase.strengths)
        if desk.do(ac.Build(names), f"Rule 6: {event.title}, no more than is demanded"):
            return


def spendings(tables: Tables, state: State, power: str, event: RandomEvent) -> list[Purchase]:
    """Purchases for what an event still demands, the best first: those that meet it, or come as near as money allows.

    Rules: ORD-019 (R-ORD-18, R-ORD-19)
    """
    due = duties.outstanding(tables, state, power)
    purse = state.powers[power].treasury
    if due <= 0:
        return []
    kind = NAVAL if event.spend_on == NAVAL else ARMY
    free = free_pieces(tables, state, power)
    enough: list[Purchase] = []
    short: list[Purchase] = []
    for pounds in range(due, 0, -1):
        for purchase in sets(tables, free, kind, pounds=pounds):
            if purchase.pounds <= purse:
                (enough if purchase.pounds >= due else short).append(purchase)
    short.sort(key=lambda p: (-p.pounds, p.tension, len(p.strengths)))
    return list(dict.fromkeys((*sorted(enough, key=rank), *short)))


def _expand(desk: Desk) -> None:
    """Buy and place the Protectorate that King Leopold demands: the cheapest, where it is won most easily.

    Rules: ORD-049
    """
    tables, power = desk.tables, desk.power
    if not duties.leopold_price(tables, desk.state, power):
        return
    areas = [
        a for a in linked_areas(tables, desk.state, power) if not problems(tables, desk.state, power, a, PROTECTORATE)
    ]
    for area in sorted(areas, key=lambda a: _ease(tables, desk.state, power, a)):
        why = f"Rule 6: the King demands a colony; {place_name(tables, area)} is the cheapest"
        if desk.do(ac.Place(PROTECTORATE, area), why):
            desk.all_or_none(partial(raise_force, desk, area, why))
            return


def _ease(tables: Tables, state: State, power: str, area: str) -> tuple[int, int, int, str]:
    """The least price first, then the weakest Area, then the richest."""
    row = tables.areas[area]
    return price(tables, state, power, area, PROTECTORATE), row.strength, -row.value, area
