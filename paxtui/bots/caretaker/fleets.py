"""Rule 5: where a new Merchant Fleet goes.

Rules: ORD-013, ORD-014, ORD-015, ORD-016 (R-ORD-15)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.bots.caretaker.desk import Desk
from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.paths import steps_from_home
from paxtui.pax.board.tables import Tables
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.model import State
from paxtui.pax.words.spoken import place_name, the_zone


class Opening(NamedTuple):
    """What a fleet in a Sea Zone would open.

    Attributes:
        values: Economic Values of the Areas that the Power could reach then and cannot now, the highest first.
        steps: Sea Zones from the Home Country, the first one counted.
    """

    values: tuple[int, ...]
    steps: int


def place_new(desk: Desk) -> None:
    """Place every Merchant Fleet that is due. Rules: ORD-013, ORD-014, ORD-015, ORD-016."""
    while desk.state.powers[desk.power].merchants_due:
        found = openings(desk.tables, desk.state, desk.power)
        if not found:
            return
        zone = best(found, lambda sides: desk.dice("fleet", sides))
        areas = _opened(desk.tables, desk.state, desk.power, zone)
        richest = max(areas, key=lambda a: (desk.tables.areas[a].value, a), default="")
        gain = f", which opens {place_name(desk.tables, richest)}" if richest else ""
        if not desk.do(ac.Merchant("new", zone), f"Rule 5: a new fleet for {the_zone(desk.tables, zone)}{gain}"):
            return


def openings(tables: Tables, state: State, power: str) -> dict[str, Opening]:
    """What a fleet would open in each Sea Zone in which the Power has none."""
    steps = steps_from_home(tables, state, power)
    found = {}
    for zone in tables.sea_zones:
        if power not in state.sea_zones.get(zone, ()):
            values = sorted((tables.areas[a].value for a in _opened(tables, state, power, zone)), reverse=True)
            found[zone] = Opening(tuple(values), steps.get(zone, len(tables.sea_zones)))
    return found


def best(found: Mapping[str, Opening], dice: Callable[[int], int]) -> str:
    """The Sea Zone to choose: the highest values first, then the greatest distance from home, then the dice.

    Args: what each Sea Zone opens; a number from 0 for so many sides.
    Rules: ORD-013, ORD-014, ORD-015, ORD-016
    """
    top = max(found.values())
    equal = sorted(zone for zone, opening in found.items() if opening == top)
    return equal[dice(len(equal))] if len(equal) > 1 else equal[0]


def _opened(tables: Tables, state: State, power: str, zone: str) -> frozenset[str]:
    """The Areas to which a fleet in the Sea Zone would be a Communication Link where there is none."""
    fleets = {**state.sea_zones, zone: (*state.sea_zones.get(zone, ()), power)}
    return linked_areas(tables, replace(state, sea_zones=fleets), power) - linked_areas(tables, state, power)
