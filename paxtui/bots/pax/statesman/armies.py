"""Armies of the statesman bot: expeditions, suppression of revolts, garrisons and recalls."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import product
from typing import NamedTuple

from paxtui.bots.pax.caretaker import forces
from paxtui.bots.pax.caretaker.forces import HEAVY_STRENGTH, surplus_armies
from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.statesman import evaluation
from paxtui.bots.pax.statesman.evaluation import GARRISON_UPKEEP, PositionValuation
from paxtui.bots.pax.valuation import ColonialOdds, colonial_odds, fixed_areas, free_units
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.status import area_state, controllers, controls, established
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.expansion import duties
from paxtui.games.pax.expansion.garrisons import free_heavy_armies, has_garrison
from paxtui.games.pax.state.pieces import ARMY, CONTROL, INFLUENCE
from paxtui.games.pax.text.display import place_name

STRENGTH_POINT_COST = 3.0
"""Cost in pounds of rebuilding a lost strength point."""
KEPT_VALUE_SHARE = 0.55
"""Remaining value of a new army after its first combat, as a share of its price."""
MAX_UNITS = {10: 3, 3: 3, 1: 5}
"""Maximum number of Units of each strength in one attack."""
MIN_WIN_CHANCE = 0.55
"""Minimum chance to win for an attack."""


class Expedition(NamedTuple):
    """A force for an Area.

    Attributes:
        armies: strengths of the armies that leave home.
        new: strengths among them that are built first.
        chance: chance to win.
        gain: pounds at the end, without the price of the marker.
        price: pounds for new armies.
    """

    armies: tuple[int, ...]
    new: tuple[int, ...]
    chance: float
    gain: float
    price: int

    def describe_success(self, done: str = "won") -> str:
        """Return how likely it is that something is `done`: `won with a chance of 83%`."""
        odds = f"{self.chance:.0%}"
        return f"certain to be {done}" if odds == "100%" else f"{done} with a chance of {odds}"


def free_at_home(planner: Planner) -> Counter[int]:
    """Army Units that may leave the Home Country, by strength; the Western Garrison stays."""
    home = Counter(planner.armies_at_home())
    if home[10]:
        home[10] = min(home[10], free_heavy_armies(planner.tables, planner.state, planner.power, planner.home, ""))
    return home


def army_budget(planner: Planner) -> int:
    """Pounds available for Army Units."""
    limit = duties.spending_cap(planner.tables, planner.state, planner.power)
    return planner.treasury if limit is None else min(limit, planner.treasury)


class _Force(NamedTuple):
    """A force that is likely to win: Units of each strength in MAX_UNITS, its Units, its strength, and the odds."""

    counts: tuple[int, ...]
    armies: tuple[int, ...]
    strength: int
    odds: ColonialOdds


@cached(most=2048, by=lambda tables, most, against, there: ((most, against, there), (tables,)))
def _likely_forces(tables: Tables, most: tuple[int, ...], against: int, there: tuple[int, ...]) -> list[_Force]:
    """All forces with at most so many Units of each strength in MAX_UNITS that are likely to win with those there."""
    found = []
    for counts in product(*(range(n + 1) for n in most)):
        armies = tuple(s for s, n in zip(MAX_UNITS, counts, strict=True) for _ in range(n))
        whole = tuple(sorted(armies + there, reverse=True)) if there else armies
        if not whole or sum(armies) > 3 * against + 10:
            continue
        odds = colonial_odds(tables, whole, against)
        if odds.win >= MIN_WIN_CHANCE:
            found.append(_Force(counts, armies, sum(armies), odds))
    return found


def best_expedition(
    valuation: PositionValuation, planner: Planner, area: str, prize: float, purse: int, there: tuple[int, ...] = ()
) -> Expedition | None:
    """Find the most profitable force against an Area; return None if none is profitable.

    Args:
        valuation: the valuation.
        planner: the planner.
        area: the Area.
        prize: pounds at the end for winning it.
        purse: maximum pounds for armies.
        there: strengths of its own armies in the Area.
    """
    tables = planner.tables
    against = tables.areas[area].strength
    home, free = free_at_home(planner), free_units(tables, planner.state, planner.power)
    last = valuation.turns_left == 0
    kept = 0.0 if last else KEPT_VALUE_SHARE
    losses, keep = (0.0, 0.0) if last else (valuation.pound_now, 0.8)
    ready = [(home[s], tables.units[s].army) for s in MAX_UNITS]
    best, most, paid = None, 0.0, 0
    for force in _likely_forces(
        tables, tuple(min(n, home[s] + free.get(s, 0)) for s, n in MAX_UNITS.items()), against, there
    ):
        price = sum([(n - have) * each for n, (have, each) in zip(force.counts, ready, strict=True) if n > have])
        if price > purse:
            continue
        gain = force.odds.win * prize - force.odds.loss * STRENGTH_POINT_COST * losses
        gain -= valuation.pound_now * price * (1.0 - kept) + keep * force.strength
        if gain > most:
            best, most, paid = force, gain, price
    if best is None:
        return None
    new = tuple(s for s, n in zip(MAX_UNITS, best.counts, strict=True) for _ in range(max(0, n - home[s])))
    return Expedition(best.armies, new, best.odds.win, most, paid)


def send_expedition(planner: Planner, force: Expedition, area: str, why: str) -> bool:
    """Build the missing armies and send the force from home."""
    if not force.armies:
        return True
    return planner.build(force.new, why) and planner.move(force.armies, planner.home, area, why)


def armies_in(planner: Planner, area: str) -> tuple[int, ...]:
    """Strengths of the Power's armies in an Area."""
    here = planner.state.areas[area]
    return tuple(u.strength for u in here.units if u.power == planner.power and u.kind == ARMY)


def recall_armies(planner: Planner) -> None:
    """Move armies home that no garrison needs; from there they can go anywhere."""
    for area, loose in surplus_armies(planner):
        planner.move(loose, area, planner.home, f"Not needed in {place_name(planner.tables, area)} any more")


def suppress_revolts(valuation: PositionValuation, planner: Planner) -> None:
    """Suppress the revolts that are worth it, the most valuable Area first."""
    state, power = planner.state, planner.power
    found = []
    for area, here in state.areas.items():
        own = established(state, area, power)
        if not here.unrest or own is None:
            continue
        if own.marker in CONTROL:
            prize = valuation.marker_value(state, area, own.marker)
            prize += evaluation.bonus_value(valuation, evaluation.state_without_markers(state, area, power), area)
        elif own.marker == INFLUENCE and not controllers(state, area):
            prize = valuation.marker_value(state, area, INFLUENCE)
        else:
            continue
        found.append((valuation.with_error(f"{area}/revolt", prize), area))
    for prize, area in sorted(found, reverse=True):
        planner.add_all_or_none(partial(_suppress_revolt, valuation, planner, area, prize))


def _suppress_revolt(valuation: PositionValuation, planner: Planner, area: str, prize: float) -> bool:
    """Send the most profitable force against a revolt; return whether one was sent."""
    there = armies_in(planner, area)
    force = best_expedition(valuation, planner, area, prize, army_budget(planner), there)
    if force is None:
        return False
    name = place_name(planner.tables, area)
    success = force.describe_success("put down")
    why = f"The revolt in {name} is {success}, to keep what is worth about £{prize:.0f}"
    return send_expedition(planner, force, area, why)


def garrison_areas(planner: Planner) -> None:
    """Send an army to each Area under Control without one, the most valuable first."""
    state, power = planner.state, planner.power
    bare = [
        area
        for area in state.areas
        if controls(state, area, power) and not area_state(state, area).unrest and not has_garrison(state, area, power)
    ]
    for area in sorted(bare, key=lambda a: (-planner.tables.areas[a].value, a)):
        why = f"A garrison for {place_name(planner.tables, area)}, or its Control is lost"
        planner.add_all_or_none(partial(forces.send_garrison, planner, area, why))


def reinforce_new_control(valuation: PositionValuation, planner: Planner) -> None:
    """Send the army that wins a new Control marker; without one its price is lost."""
    state, power = planner.state, planner.power
    for area, here in state.areas.items():
        fresh = [m for m in here.markers if m.power == power and m.marker in CONTROL and not m.established]
        if not fresh or here.unrest or armies_in(planner, area) or established(state, area, power) in fresh:
            continue
        prize = max(
            valuation.marker_value(state, area, fresh[0].marker), float(planner.tables.markers[fresh[0].marker].price)
        )
        force = best_expedition(valuation, planner, area, prize, army_budget(planner))
        if force is not None:
            name = place_name(planner.tables, area)
            why = f"The new marker in {name} needs an army, with which it is {force.describe_success()}"
            planner.add_all_or_none(partial(send_expedition, planner, force, area, why))


def lighten_garrisons(valuation: PositionValuation, planner: Planner) -> None:
    """Replace heavy garrison armies by small ones if that saves more than it costs."""
    if valuation.turns_left < 1:
        return
    fixed = fixed_areas(planner.tables, planner.state, planner.power)
    for area, here in planner.state.areas.items():
        if here.unrest or not controls(planner.state, area, planner.power):
            continue
        own = established(planner.state, area, planner.power)
        if own is None or planner.tables.markers[own.marker].only_for:
            continue
        there = armies_in(planner, area)
        if len(there) != 1 or there[0] <= GARRISON_UPKEEP or (there[0] == HEAVY_STRENGTH and area in fixed):
            continue
        planner.add_all_or_none(partial(_relieve_garrison, valuation, planner, area, there[0]))


def _relieve_garrison(valuation: PositionValuation, planner: Planner, area: str, heavy: int) -> bool:
    """Send a small army and bring the heavy one home; return whether both succeeded."""
    why = f"A small garrison is enough in {place_name(planner.tables, area)}"
    if 1 not in planner.armies_at_home():
        saved = (heavy - GARRISON_UPKEEP) * valuation.future_pounds
        if saved <= planner.tables.units[1].army * valuation.pound_now or not planner.build((1,), why):
            return False
    return planner.move([1], planner.home, area, why) and planner.move([heavy], area, planner.home, why)
