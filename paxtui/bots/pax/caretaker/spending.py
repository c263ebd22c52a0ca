"""Rules 5 and 6: new Merchant Fleets, special garrisons, expenditure for events, and losses in a deficit.

Rules: ADM-020, ORD-002, ORD-013, ORD-014, ORD-015, ORD-016, ORD-017, ORD-019, ORD-049 (R-ORD-15, R-ORD-17, R-ORD-18,
R-ORD-19)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from paxtui.bots.pax.caretaker.forces import UnitPurchase, purchase_rank, raise_force, unit_sets
from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.valuation import free_units
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.routes import areas_opened_by_fleet, linked_areas, steps_from_home
from paxtui.games.pax.board.tables import RandomEvent, Tables
from paxtui.games.pax.expansion import duties
from paxtui.games.pax.expansion.garrisons import HEAVY
from paxtui.games.pax.expansion.placement import marker_price, may_place
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY, LEVEL, NAVAL, PROTECTORATE
from paxtui.games.pax.state.questions import Deficit, Pending
from paxtui.games.pax.text.display import place_name, the_zone


def rebuild_garrisons(planner: Planner) -> None:
    """Russia's Western Garrison and Britain's Indian Army are brought up to three Army (10) Units, as funds allow.

    Rules: ORD-017
    """
    while due := duties.required_rebuilding(planner.tables, planner.state, planner.power):
        if not planner.build((HEAVY,), f"Rule 6: the {due.what} is brought up to strength"):
            return


def meet_event_demands(planner: Planner) -> None:
    """Meet what the Random Events of the turn demand of the Power.

    Rules: ORD-019, ORD-049
    """
    for dice in planner.state.events:
        event = planner.tables.events[dice]
        if event.pressure is not None and event.pressure.power == planner.power:
            crown = actions.Upgrade(event.pressure.marker, event.pressure.area)
            planner.do(crown, f"Rule 6: {event.title}, met rather than lose Victory Points")
        if event.spend_at_least and event.power == planner.power:
            _spend_on_event(planner, event)
        if event.extra and event.with_player == planner.power:
            _place_demanded_protectorate(planner)


def _spend_on_event(planner: Planner, event: RandomEvent) -> None:
    """Buy Units for what is still due, at the least expense; what would bring on the Great War is left.

    Rules: ORD-019, ORD-006 (R-ORD-18, R-ORD-19)
    """
    for purchase in event_purchases(planner.tables, planner.state, planner.power, event):
        letter = "N" if event.spend_on == NAVAL else "A"
        names = tuple(f"{letter}{s}" for s in purchase.strengths)
        if planner.do(actions.Build(names), f"Rule 6: {event.title}, no more than is demanded"):
            return


def event_purchases(tables: Tables, state: State, power: str, event: RandomEvent) -> list[UnitPurchase]:
    """Purchases for what an event still demands, the best first: those that meet it, or come as near as money allows.

    Rules: ORD-019 (R-ORD-18, R-ORD-19)
    """
    due = duties.outstanding_pounds(tables, state, power)
    purse = state.powers[power].treasury
    if due <= 0:
        return []
    kind = NAVAL if event.spend_on == NAVAL else ARMY
    free = free_units(tables, state, power)
    enough: list[UnitPurchase] = []
    short: list[UnitPurchase] = []
    for pounds in range(due, 0, -1):
        for purchase in unit_sets(tables, free, kind, pounds=pounds):
            if purchase.pounds <= purse:
                (enough if purchase.pounds >= due else short).append(purchase)
    short.sort(key=lambda p: (-p.pounds, p.tension, len(p.strengths)))
    return list(dict.fromkeys((*sorted(enough, key=purchase_rank), *short)))


def _place_demanded_protectorate(planner: Planner) -> None:
    """Buy and place the Protectorate that King Leopold demands: the cheapest, where it is won most easily.

    Rules: ORD-049
    """
    tables, power = planner.tables, planner.power
    if not duties.leopold_price(tables, planner.state, power):
        return
    areas = [
        a
        for a in linked_areas(tables, planner.state, power)
        if may_place(tables, planner.state, power, a, PROTECTORATE)
    ]
    for area in sorted(areas, key=lambda a: _placement_rank(tables, planner.state, power, a)):
        why = f"Rule 6: the King demands a colony; {place_name(tables, area)} is the cheapest"
        if planner.do(actions.Place(PROTECTORATE, area), why):
            planner.add_all_or_none(partial(raise_force, planner, area, why))
            return


def _placement_rank(tables: Tables, state: State, power: str, area: str) -> tuple[int, int, int, str]:
    """The least price first, then the weakest Area, then the richest."""
    row = tables.areas[area]
    return marker_price(tables, state, power, area, PROTECTORATE), row.strength, -row.value, area


class FleetOpening(NamedTuple):
    """What a fleet in a Sea Zone would open.

    Attributes:
        values: Economic Values of the Areas that the Power could reach then and cannot now, the highest first.
        steps: Sea Zones from the Home Country, the first one counted.
    """

    values: tuple[int, ...]
    steps: int


def place_new_fleets(planner: Planner) -> None:
    """Place every Merchant Fleet that is due. Rules: ORD-013, ORD-014, ORD-015, ORD-016."""
    while planner.state.powers[planner.power].merchants_due:
        found = fleet_openings(planner.tables, planner.state, planner.power)
        if not found:
            return
        zone = best_sea_zone(found, lambda sides: planner.dice("fleet", sides))
        areas = areas_opened_by_fleet(planner.tables, planner.state, planner.power, zone)
        richest = max(areas, key=lambda a: (planner.tables.areas[a].value, a), default="")
        gain = f", which opens {place_name(planner.tables, richest)}" if richest else ""
        if not planner.do(
            actions.Merchant("new", zone), f"Rule 5: a new fleet for {the_zone(planner.tables, zone)}{gain}"
        ):
            return


def fleet_openings(tables: Tables, state: State, power: str) -> dict[str, FleetOpening]:
    """What a fleet would open in each Sea Zone in which the Power has none."""
    steps = steps_from_home(tables, state, power)
    found = {}
    for zone in tables.sea_zones:
        if power not in state.sea_zones.get(zone, ()):
            values = sorted(
                (tables.areas[a].value for a in areas_opened_by_fleet(tables, state, power, zone)), reverse=True
            )
            found[zone] = FleetOpening(tuple(values), steps.get(zone, len(tables.sea_zones)))
    return found


def best_sea_zone(found: Mapping[str, FleetOpening], dice: Callable[[int], int]) -> str:
    """The Sea Zone to choose: the highest values first, then the greatest distance from home, then the dice.

    Args: what each Sea Zone opens; a number from 0 for so many sides.
    Rules: ORD-013, ORD-014, ORD-015, ORD-016
    """
    top = max(found.values())
    equal = sorted(zone for zone, opening in found.items() if opening == top)
    return equal[dice(len(equal))] if len(equal) > 1 else equal[0]


class DeficitLoss(NamedTuple):
    """A set of pieces, by what makes one better than another: the first in this order is given up.

    Attributes:
        steps: points of European Tensions.
        value: Economic Value of the Areas whose markers go, in pounds.
        pieces: their texts, in the order of the alphabet.
    """

    steps: int
    value: int
    pieces: tuple[str, ...]


def choose_deficit_loss(tables: Tables, choice: Pending, deficit: Deficit, tense: bool) -> tuple[str, ...]:
    """Of the sets with the least excess that of the fewest steps of tension, then of the lowest value.

    Args: the tables; the question; what it is about; whether a marker given up raises the tensions.
    Returns: texts of the options; the default, where nothing fits.
    Rules: ORD-002 (R-ORD-17)
    """
    # (pounds saved, Armies near India) -> the best set that saves so much
    best: dict[tuple[int, int], DeficitLoss] = {(0, 0): DeficitLoss(0, 0, ())}
    for text, count in sorted(Counter(o for o in choice.options if isinstance(o, str)).items()):
        what, area = text.split()
        level = LEVEL.get(what, 0)
        steps, value = (level if tense else 0), (tables.areas[area].value if level else 0)
        near = int(text in deficit.near_india)
        grown = dict(best)
        for (saved, used), loss in best.items():
            for n in range(1, count + 1):
                key = saved + n * deficit.saves[text], used + n * near
                if key[0] > deficit.exactly or key[1] > deficit.of_india:
                    break
                more = DeficitLoss(loss.steps + n * steps, loss.value + n * value, (*loss.pieces, *[text] * n))
                grown[key] = min(more, grown.get(key, more))
        best = grown
    found = [loss.pieces for (saved, _), loss in sorted(best.items(), key=lambda e: e[1]) if saved == deficit.exactly]
    default = (choice.default,) if isinstance(choice.default, str) else choice.default
    return found[0] if found else default
