"""Where the Merchant Fleets sail: where they open most that the Power has not got yet, and keep open what it has."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.statesman.ambitions import free_trade
from paxtui.bots.statesman.outlook import Outlook
from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.status import controllers, established
from paxtui.pax.expansion.placement import OPEN_TYPES
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.model import State
from paxtui.pax.words.spoken import the_zone

BEST = 14
"""So many of the best new Areas count, for there are not pieces and pounds for all."""
HOPED = 0.5
"""What trade that is open is worth to a Power that has not got it yet, as a share of trade that it has."""
WORTH_SAILING = 1.1
"""How much more a fleet must open elsewhere before it sails."""


def sail(outlook: Outlook, desk: Desk) -> None:
    """Place the fleets that are due, then move one or two that open little where they are."""
    tables, power = desk.tables, desk.power
    while desk.state.powers[power].merchants_due:
        free = [z for z in tables.sea_zones if power not in desk.state.sea_zones.get(z, ())]
        best = max(free, key=lambda z: (_with(outlook, desk.state, "", z), z), default="")
        if not best or not desk.do(ac.Merchant("new", best), f"A fleet in {the_zone(tables, best)} opens most"):
            break
    if any(tables.events[d].extra and tables.events[d].with_player == power for d in desk.state.events):
        return  # what the King demands must stay within reach
    for _ in range(2 if outlook.who.looks_on else 1):
        if not _move_one(outlook, desk):
            return


def _move_one(outlook: Outlook, desk: Desk) -> bool:
    """Move the fleet that gains most by sailing, if any does."""
    tables, state, power = desk.tables, desk.state, desk.power
    own = [z for z, fleets in state.sea_zones.items() if power in fleets]
    free = [z for z in tables.sea_zones if z not in own]
    now = reach(outlook, state)
    moves = [(_with(outlook, state, a, b), a, b) for a in own for b in free]
    most, start, end = max(moves, default=(0.0, "", ""))
    if most <= now * WORTH_SAILING + 10:
        return False
    return desk.do(ac.Merchant(start, end), f"The fleet opens more in {the_zone(tables, end)}")


def _with(outlook: Outlook, state: State, start: str, end: str) -> float:
    """What is in reach once a fleet has sailed, or a new one has come."""
    zones = dict(state.sea_zones)
    if start:
        zones[start] = tuple(p for p in zones[start] if p != outlook.power)
    zones[end] = (*zones.get(end, ()), outlook.power)
    return reach(outlook, replace(state, sea_zones=zones))


def reach(outlook: Outlook, state: State) -> float:
    """Pounds for what the Power's links keep open to it, and for the best of what they open."""
    tables, power = outlook.tables, outlook.power
    kept, hoped = 0.0, []
    for area in linked_areas(tables, state, power):
        own = established(state, area, power)
        if own is not None:
            kept += max(0.0, outlook.worth(state, area, own.marker))
            continue
        trade = free_trade(outlook, state, area)
        if not controllers(state, area) and tables.areas[area].type in OPEN_TYPES:
            trade = max(trade, 0.8 * outlook.worth(state, area, "protectorate"))
        hoped.append(trade)
    return kept + HOPED * sum(sorted(hoped, reverse=True)[:BEST])
