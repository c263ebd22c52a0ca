"""What the Treasury can buy now: each Status marker with its price and what it returns by the end of the game."""

from __future__ import annotations

from typing import NamedTuple

from paxtui.bots.worth import pounds_a_point, worth, years_left
from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.status import at
from paxtui.pax.expansion.placement import highest, price, problems
from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.words.spoken import place_name
from paxtui.table.session import Session


class Purchase(NamedTuple):
    """A Status marker that can be bought.

    Attributes:
        area: the Area's id. marker: the marker's id. price: pounds.
        returns: pounds that it brings by the end of the game beyond what stands there now, its price not deducted.
        points: Victory Points that the returns buy, less those that the price would buy.
        needs_army: whether combat or a garrison has to be paid for as well.
    """

    area: str
    marker: str
    price: int
    returns: float
    points: float
    needs_army: bool


def find_purchases(session: Session) -> list[Purchase]:
    """All markers that the Power at the keyboard may buy with the money it has, the best return on a pound first.

    Only those that bring more than they cost. Risks and what rivals do are not part of the figures.
    """
    tables, state, power = session.tables, session.live, session.power
    if state.phase != "movement" or power not in state.powers:
        return []
    purse, divisor = state.powers[power].treasury, pounds_a_point(tables, power)
    found = []
    for area in linked_areas(tables, state, power):
        if area in state.homes or at(state, area).unrest or not divisor:
            continue
        own = highest(state, area, power)
        held = worth(tables, state, power, area, own.marker) if own else 0.0
        for marker in tables.markers:
            kind = tables.markers[marker]
            cost = price(tables, state, power, area, marker)
            if not 0 <= cost <= purse or (kind.only_for and tables.areas[area].upgrade != marker):
                continue
            if problems(tables, state, power, area, marker):
                continue
            returns = worth(tables, state, power, area, marker) - held
            if returns > cost:
                needs_army = marker in CONTROL and not (own and own.marker in CONTROL and own.established)
                found.append(Purchase(area, marker, cost, returns, (returns - cost) / divisor, needs_army))
    return sorted(found, key=lambda p: (-(p.returns - p.price) / max(1, p.price), -p.points, p.area, p.marker))


def describe_purchases(session: Session, found: list[Purchase]) -> tuple[list[str], list[str]]:
    """A line for each purchase, and a sentence about it."""
    tables = session.tables
    kinds = [f"{tables.markers[p.marker].sign} {tables.markers[p.marker].name}" for p in found]
    names = [place_name(tables, p.area) for p in found]
    room, space = max(map(len, kinds), default=0), max(map(len, names), default=0)
    lines = [
        f"{kind:<{room}}  {name:<{space}}  £{p.price:>3}  {p.points:>+6.1f} points{'  + army' * p.needs_army}"
        for p, kind, name in zip(found, kinds, names, strict=True)
    ]
    years = years_left(tables, session.live)
    more = []
    for p in found:
        turns = f"{years} more incomes" if years != 1 else "1 more income"
        army = f" Strength of the Area: {tables.areas[p.area].strength}; armies are not in the price." * p.needs_army
        more.append(f"£{p.price} now returns £{p.returns:.0f} by the end ({turns}, and lines 28 and 29).{army}")
    return lines, more
