"""The order `garrison all`: an army for each Area under Control that has none, built where money allows it.

Rules: STA-037, STA-038, STA-048
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import at
from paxtui.pax.board.tables import HOME
from paxtui.pax.decide import played
from paxtui.pax.expansion.garrison_plan import missing
from paxtui.pax.menus.trial import TRIAL
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY
from paxtui.pax.words.spoken import all_of, place_name
from paxtui.table.session import Session

GARRISON_ALL = "garrison all"
"""The order as it is typed."""
SMALLEST = 1
"""Strength of the armies that are built."""
HEAVY = 10
"""Strength of armies that stay at home: they are for Wars and for the special garrisons."""


class GarrisonOrders(NamedTuple):
    """The orders that garrison as many Areas as possible.

    Attributes:
        orders: one purchase at most, then a move for each Area.
        built: how many armies are bought.
        price: pounds for them.
        garrisoned: Areas that get an army, the most important first.
        left_out: Areas that no army can reach, or for which money or pieces run out.
    """

    orders: tuple[ac.Action, ...] = ()
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
    bare = [area for area in missing(tables, state, power) if not at(state, area).unrest]
    moves: list[ac.Action] = []
    built, garrisoned = 0, []
    for area in bare:
        for is_new, strength in _candidates(state, power):
            move = ac.Move((f"A{strength}",), (HOME + power, area), power=own)
            build = ac.Build((f"A{strength}",), "", own)
            after = _after(session, state, [build, move] if is_new else [move])
            if after is not None:
                state, built = after, built + is_new
                moves.append(move)
                garrisoned.append(area)
                break
    purchase: list[ac.Action] = [ac.Build((f"A{SMALLEST}",) * built, "", own)] if built else []
    price = session.live.powers[power].treasury - state.powers[power].treasury
    left_out = tuple(area for area in bare if area not in garrisoned)
    return GarrisonOrders((*purchase, *moves), built, price, tuple(garrisoned), left_out)


def _candidates(state: State, power: str) -> Iterator[tuple[bool, int]]:
    """Armies that may go, the cheapest first: whether each is still to be built, and its strength."""
    units = (u for u in units_at(state, HOME + power) if u.power == power and u.kind == ARMY and not u.halted)
    light = Counter(u.strength for u in units if u.strength < HEAVY)
    if light[SMALLEST]:
        yield False, SMALLEST
    yield True, SMALLEST
    yield from ((False, strength) for strength in sorted(light) if strength > SMALLEST)


def _after(session: Session, state: State, orders: list[ac.Action]) -> State | None:
    """The position after some orders of the seat; None if one of them is refused."""
    try:
        for order in orders:
            state = played(session.tables, state, session.seat, order, Dice(TRIAL)).state
    except Refusal:
        return None
    return state


def describe_garrisons(session: Session, plan: GarrisonOrders) -> str:
    """What the orders do and cost, in sentences; a line each."""
    tables = session.tables

    def names(areas: tuple[str, ...]) -> str:
        return all_of([place_name(tables, area) for area in areas])

    lines = []
    if plan.orders:
        money = session.live.powers[session.power].treasury
        armies = f"{plan.built} new A{SMALLEST} for £{plan.price}" if plan.built else "armies at home, for nothing"
        at_home = len(plan.garrisoned) - plan.built
        if plan.built and at_home:
            armies += f", {at_home} from home"
        lines.append(f"{len(plan.garrisoned)} Areas get an army ({armies}): {names(plan.garrisoned)}.")
        if plan.price:
            lines.append(f"You have £{money}; £{money - plan.price} remain.")
    if plan.left_out:
        lines.append(f"Money, pieces or a way are lacking for {names(plan.left_out)}.")
    return "\n".join(lines)
