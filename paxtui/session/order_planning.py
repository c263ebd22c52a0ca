"""Planning orders: reinforcements for a place, profitable purchases, and `garrison all`.

Rules: MOV-006, MOV-010, STA-005, STA-006, STA-037, STA-038, STA-048
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from paxtui.bots.pax.valuation import marker_value, pounds_per_point, years_left
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.routes import army_paths, can_start_move, linked_areas, naval_destinations
from paxtui.games.pax.board.status import area_state, controls, free_pieces
from paxtui.games.pax.board.tables import HOME
from paxtui.games.pax.expansion.garrisons import (
    INDIAN,
    KEPT_ARMIES,
    has_garrison,
    india_zone,
    is_heavy,
    missing_garrisons,
)
from paxtui.games.pax.expansion.placement import highest_marker, marker_price, may_place
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.preview.odds import combat_odds, describe_odds
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import ARMY, CONTROL, Unit, home_place
from paxtui.games.pax.text.display import join_with_and, place_name, sentence
from paxtui.session.session import Session


class Purchase(NamedTuple):
    """A Status marker that can be bought.

    Attributes:
        area: the Area's id. marker: the marker's id. price: pounds.
        returns: extra pounds by the end of the game, compared with the present marker; the price is not deducted.
        points: Victory Points that the returns buy, less those that the price would buy.
        needs_army: whether combat or a garrison must be paid as well.
    """

    area: str
    marker: str
    price: int
    returns: float
    points: float
    needs_army: bool


def find_purchases(session: Session) -> list[Purchase]:
    """Return the affordable markers of the acting Power that return more than their price, best return per pound
    first.

    Risks and acts of rivals are not part of the figures.
    """
    tables, state, power = session.tables, session.live, session.power
    if state.phase != "movement" or power not in state.powers:
        return []
    purse, divisor = state.powers[power].treasury, pounds_per_point(tables, power)
    found = []
    for area in linked_areas(tables, state, power):
        if area in state.homes or area_state(state, area).unrest or not divisor:
            continue
        own = highest_marker(state, area, power)
        held = marker_value(tables, state, power, area, own.marker) if own else 0.0
        for marker in tables.markers:
            kind = tables.markers[marker]
            cost = marker_price(tables, state, power, area, marker)
            if not 0 <= cost <= purse or (kind.only_for and tables.areas[area].upgrade != marker):
                continue
            if not may_place(tables, state, power, area, marker):
                continue
            returns = marker_value(tables, state, power, area, marker) - held
            if returns > cost:
                needs_army = marker in CONTROL and not (own and own.marker in CONTROL and own.established)
                found.append(Purchase(area, marker, cost, returns, (returns - cost) / divisor, needs_army))
    return sorted(found, key=lambda p: (-(p.returns - p.price) / max(1, p.price), -p.points, p.area, p.marker))


def describe_no_purchase(session: Session) -> str:
    """Return why the Treasury can buy nothing that returns its price, as a sentence."""
    tables, state, power = session.tables, session.live, session.power
    if state.phase != "movement" or power not in state.powers:
        return "Markers are bought in the Movement/Status Change Phase."
    left = {pool: free_pieces(tables, state, power, pool) for pool in POOL_MARKERS}
    none = [f"{names} ({pool} pieces)" for pool, names in POOL_MARKERS.items() if not left[pool]]
    if none:
        others = "" if len(none) == len(left) else " None of the others that you can afford returns its price."
        return f"You have no piece left for {' or '.join(none)}. Withdraw a marker to free one.{others}"
    return f"No marker that you can afford with £{state.powers[power].treasury} returns its price by the end."


def describe_purchases(session: Session, found: list[Purchase]) -> tuple[list[str], list[str]]:
    """Describe each purchase in a line, and add a sentence about it."""
    tables = session.tables
    kinds = [f"{tables.markers[p.marker].sign} {tables.markers[p.marker].name}" for p in found]
    names = [place_name(tables, p.area) for p in found]
    room, space = max(map(len, kinds), default=0), max(map(len, names), default=0)
    lines = [
        f"{kind:<{room}}  {name:<{space}}  £{p.price:>3}  {p.points:>+6.1f} points{'  + army' * p.needs_army}"
        for p, kind, name in zip(found, kinds, names, strict=True)
    ]
    years = years_left(session.live)
    more = []
    for p in found:
        turns = f"{years} more incomes" if years != 1 else "1 more income"
        army = f" Strength of the Area: {tables.areas[p.area].strength}; armies are not in the price." * p.needs_army
        kept = f"If you keep it, £{p.price} now returns £{p.returns:.0f} by the end ({turns}, and lines 28 and 29)."
        more.append(f"{kept}{army}")
    return lines, more


POOL_MARKERS = {"round": "Interest and Influence", "hexagon": "Protectorate and Possession"}
"""The markers that share a kind of piece."""
GARRISON_ALL = "garrison all"
"""The order as typed."""
LIGHT_STRENGTH = 1
"""Strength of the new armies."""
HEAVY_STRENGTH = 10
"""Strength of armies that stay at home, for Wars and special garrisons."""


class GarrisonOrders(NamedTuple):
    """The orders that garrison as many Areas as possible.

    Attributes:
        orders: one purchase at most, then a move for each Area.
        built: how many armies are bought.
        price: pounds for them.
        garrisoned: Areas that get an army, the most important first.
        left_out: Areas that no army can reach, or for which money or pieces run out.
    """

    orders: tuple[actions.Action, ...] = ()
    built: int = 0
    price: int = 0
    garrisoned: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def plan_garrisons(session: Session) -> GarrisonOrders:
    """Find an army for each Area without one: light armies at home first, then new ones of strength 1.

    An Area in Unrest is left out: sending an army there means combat.
    """
    tables, state, power = session.tables, session.live, session.power
    if state.phase != "movement" or power not in state.powers:
        return GarrisonOrders()
    own = "" if power == session.seat else power
    bare = [area for area in missing_garrisons(tables, state, power) if not area_state(state, area).unrest]
    moves: list[actions.Action] = []
    built, garrisoned = 0, []
    for area in bare:
        for is_new, strength in _candidates(state, power):
            move = actions.Move((f"A{strength}",), (HOME + power, area), power=own)
            build = actions.Build((f"A{strength}",), "", own)
            after = _after(session, state, [build, move] if is_new else [move])
            if after is not None:
                state, built = after, built + is_new
                moves.append(move)
                garrisoned.append(area)
                break
    purchase: list[actions.Action] = [actions.Build((f"A{LIGHT_STRENGTH}",) * built, "", own)] if built else []
    price = session.live.powers[power].treasury - state.powers[power].treasury
    left_out = tuple(area for area in bare if area not in garrisoned)
    return GarrisonOrders((*purchase, *moves), built, price, tuple(garrisoned), left_out)


def _candidates(state: State, power: str) -> Iterator[tuple[bool, int]]:
    """Return the available armies, the cheapest first: whether they must be built, and their strength."""
    units = (u for u in units_at(state, HOME + power) if u.power == power and u.kind == ARMY and not u.halted)
    light = Counter(u.strength for u in units if u.strength < HEAVY_STRENGTH)
    if light[LIGHT_STRENGTH]:
        yield False, LIGHT_STRENGTH
    yield True, LIGHT_STRENGTH
    yield from ((False, strength) for strength in sorted(light) if strength > LIGHT_STRENGTH)


def _after(session: Session, state: State, orders: list[actions.Action]) -> State | None:
    """Return the position after some orders of the seat; None if one of them is refused."""
    for order in orders:
        trial = run_trial(session.tables, state, session.seat, order)
        if isinstance(trial, Refusal):
            return None
        state = trial.state
    return state


def describe_garrisons(session: Session, plan: GarrisonOrders) -> str:
    """Describe the orders and their cost, in sentences, one per line."""
    tables = session.tables

    def names(areas: tuple[str, ...]) -> str:
        return join_with_and([place_name(tables, area) for area in areas])

    lines = []
    if plan.orders:
        money = session.live.powers[session.power].treasury
        armies = (
            f"{plan.built} new A{LIGHT_STRENGTH} for £{plan.price}" if plan.built else "armies at home, free of charge"
        )
        at_home = len(plan.garrisoned) - plan.built
        if plan.built and at_home:
            armies += f", {at_home} from home"
        lines.append(f"{len(plan.garrisoned)} Areas get an army ({armies}): {names(plan.garrisoned)}.")
        if plan.price:
            lines.append(f"You have £{money}; £{money - plan.price} remain.")
    if plan.left_out:
        lines.append(f"No money, pieces or route for {names(plan.left_out)}.")
    return "\n".join(lines)


class Reinforcement(NamedTuple):
    """A unit that can reach a place.

    Attributes:
        unit: its name, as A10.
        start: its position.
        steps: length of its route; 0 by sea.
        price: pounds, for a unit that must be built; 0 for others.
        needed: whether it is the only army in an Area that needs one.
        indian: whether it is of the Indian Army, and the place too far from India for it to stay there.
    """

    unit: str
    start: str
    steps: int
    price: int = 0
    needed: bool = False
    indian: bool = False

    @property
    def strength(self) -> int:
        """Its strength points."""
        return int(self.unit[1:])


def find_reinforcements(session: Session, place: str) -> list[Reinforcement]:
    """Return the units of the acting Power that can reach a place: armies from home, new ones, armies elsewhere,
    fleets, and last the armies that are needed where they stand.
    """
    tables, state, power = session.tables, session.live, session.power
    if state.phase != "movement" or power not in state.powers:
        return []
    fleets_too = place in (*naval_destinations(tables, state, power), home_place(power))
    out: list[Reinforcement] = []
    for start in (home_place(power), *state.areas):
        own = [u for u in units_at(state, start) if u.power == power]
        armies = [u for u in own if u.kind == ARMY and not u.halted]
        if start == place or not own:
            continue
        if armies and can_start_move(state, power, start):
            way = army_paths(tables, state, power, start).get(place)
            last = len([u for u in own if u.kind == ARMY]) == 1 and controls(state, start, power)
            bound = _of_indian_army(session, start, place)
            if way:
                out += [
                    Reinforcement(u.name, start, len(way) - 1, 0, last, bound and is_heavy(u, power)) for u in armies
                ]
        if fleets_too:
            out += [Reinforcement(u.name, start, 0) for u in own if u.kind != ARMY and not u.halted]
    way = army_paths(tables, state, power, home_place(power)).get(place)
    costs = [cost for cost in tables.units.values() if cost.army <= state.powers[power].treasury] if way else []
    out += [Reinforcement(f"A{cost.strength}", home_place(power), len(way or ()) - 1, cost.army) for cost in costs]
    return sorted(
        out, key=lambda c: (c.indian, c.needed, c.unit[0] != "A", c.start != home_place(power), c.price, c.steps)
    )


def _of_indian_army(session: Session, start: str, place: str) -> bool:
    """Whether no Army (10) can be spared for a place far from India.

    Rules: STA-045, STA-047
    """
    zone = india_zone(session.tables, session.live)
    if session.power != INDIAN or start not in zone or place in zone:
        return False
    return sum(is_heavy(u, INDIAN) for area in zone for u in units_at(session.live, area)) <= KEPT_ARMIES


def reinforcement_orders(session: Session, place: str, chosen: Iterable[Reinforcement]) -> list[actions.Action]:
    """Return the orders for some reinforcements: builds first; units with the same start move together."""
    own = "" if session.power == session.seat else session.power
    groups: dict[str, list[str]] = {}
    new = []
    for comer in chosen:
        groups.setdefault(comer.start, []).append(comer.unit)
        new += [comer.unit] if comer.price else []
    builds: list[actions.Action] = [actions.Build(tuple(new), "", own)] if new else []
    return [*builds, *(actions.Move(tuple(units), (start, place), power=own) for start, units in groups.items())]


def describe_reinforcements(session: Session, place: str, chosen: Iterable[Reinforcement]) -> str:
    """Describe the odds with some reinforcements and the units already there; "" without an enemy."""
    tables, state, power = session.tables, session.live, session.power
    coming = [c for c in chosen if c.unit.startswith("A")]
    price = sum(c.price for c in coming)
    bare = list(dict.fromkeys(place_name(tables, c.start) for c in coming if c.needed))
    out = [f"£{price} to build."] if price else []
    if place in tables.areas and _must_be_conquered(session, place):
        there = [u.strength for u in _armies(session, place)]
        force = [*there, *(c.strength for c in coming)]
        if force:
            out.append(describe_odds(combat_odds(tables, force, tables.areas[place].strength)))
    elif place in tables.areas and controls(state, place, power) and not has_garrison(state, place, power):
        out.append(sentence(f"{place_name(tables, place)} needs an army"))
    out += [f"Left without an army: {join_with_and(bare)}."] if bare else []
    if any(c.indian for c in coming):
        out.append("The Indian Army must end the Phase near India. You can buy nothing while it is away.")
    return " ".join(out)


def _armies(session: Session, place: str) -> Iterator[Unit]:
    return (u for u in units_at(session.live, place) if u.power == session.power and u.kind == ARMY)


def _must_be_conquered(session: Session, area: str) -> bool:
    """Whether the Power must fight for the Area, now or after it has placed Control there."""
    here = session.live.areas[area]
    fresh = any(m.power == session.power and m.marker in CONTROL and not m.established for m in here.markers)
    return fresh or here.unrest or not controls(session.live, area, session.power)
