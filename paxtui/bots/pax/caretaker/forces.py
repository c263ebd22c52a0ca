"""General Orders, Rules 6 to 8: required force, garrisons, Unrest, the Indian Army, and returning armies.

Rules: ORD-010, ORD-018, ORD-020, ORD-021, ORD-022, ORD-023, ORD-024, ORD-025 to ORD-035 (R-ORD-03, R-ORD-08,
R-ORD-09, R-ORD-10, R-ORD-19, R-ORD-20, R-ORD-21, R-ORD-23)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.valuation import fixed_areas, free_units
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.adjacency import area_type, board
from paxtui.games.pax.board.routes import link_path, linked_areas
from paxtui.games.pax.board.status import area_state, controllers, controls, established
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.expansion.garrisons import (
    HEAVY,
    INDIAN,
    KEPT_ARMIES,
    free_heavy_armies,
    has_garrison,
    india_zone,
    is_heavy,
)
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY, CONTROL, INFLUENCE, PROTECTORATE
from paxtui.games.pax.text.display import place_name

ATTACK, DEFEND = 3, 2
"""Superiority that the General Orders require: 3 to 2."""


class UnitPurchase(NamedTuple):
    """New Units by strength, the strongest first."""

    strengths: tuple[int, ...]
    pounds: int
    tension: int


def is_superior(force: int, against: int) -> bool:
    """Whether a force has at least 3 to 2 over strength points."""
    return force > 0 and force * DEFEND >= against * ATTACK


def points_needed(against: int) -> int:
    """Minimum strength points for 3 to 2 over others; at least 1."""
    return max(1, -(-against * ATTACK // DEFEND))


def unit_sets(
    tables: Tables, free: dict[int, int], kind: str, points: int = 0, pounds: int = 0
) -> Iterator[UnitPurchase]:
    """Sets of new Units of a kind that reach a strength, or a price, none with a weakest Unit that is not needed.

    Args: the tables; pieces that are free, by strength; army or naval; strength points to reach, or pounds to spend.
    """
    heavy = sorted(tables.units, reverse=True)
    weak = heavy.pop()
    prices = {s: cost.army if kind == ARMY else cost.naval for s, cost in tables.units.items()}
    worth = {s: prices[s] if pounds else s for s in prices}
    goal = pounds or points
    most = [range(min(free.get(s, 0), -(-goal // worth[s])) + 1) for s in heavy]
    for counts in product(*most):
        strengths = [s for s, n in zip(heavy, counts, strict=True) for _ in range(n)]
        left = goal - sum(worth[s] for s in strengths)
        light = max(0, -(-left // worth[weak]))
        if light > free.get(weak, 0):
            continue
        strengths += [weak] * light
        tension = 0 if kind == ARMY else sum(tables.units[s].tension for s in strengths)
        yield UnitPurchase(tuple(strengths), sum(prices[s] for s in strengths), tension)


def purchase_rank(purchase: UnitPurchase) -> tuple[int, int, int]:
    """Sort key of purchases: lowest price, then lowest tension, then fewest Units."""
    return purchase.pounds, purchase.tension, len(purchase.strengths)


def cheapest_purchase(tables: Tables, free: dict[int, int], kind: str, points: int) -> UnitPurchase | None:
    """Find the best set of new Units for so many strength points; None if there are not enough pieces.

    Rules: ORD-010, ORD-023 (R-ORD-19)
    """
    if points <= 0:
        return UnitPurchase((), 0, 0)
    return min(unit_sets(tables, free, kind, points=points), key=purchase_rank, default=None)


def fewest_units(strengths: list[int], points: int) -> tuple[int, ...] | None:
    """Choose from existing Units those that reach the strength points with the least excess, then the fewest.

    Returns:
        Their strengths; None if all together are too weak.
    """
    best: dict[int, tuple[int, ...]] = {0: ()}
    for strength in sorted(strengths, reverse=True):
        for reached, units in sorted(best.items(), reverse=True):
            total, more = reached + strength, (*units, strength)
            if reached < points and (total not in best or len(more) < len(best[total])):
                best[total] = more
    found = [total for total in best if total >= points]
    return best[min(found)] if found else None


def suppress_unrest(planner: Planner, area: str) -> bool:
    """Send an army with 3 to 2, after a new Protectorate if the Power has only an Influence; else do nothing.

    Rules: ORD-022, ORD-023, ORD-024
    """
    why = f"Rule 7a: 3 to 2 over {place_name(planner.tables, area)}"

    def steps() -> bool:
        if not controls(planner.state, area, planner.power):
            if not planner.do(actions.Upgrade(PROTECTORATE, area), f"{why}, with a Protectorate"):
                return False
        return raise_force(planner, area, why)

    return planner.add_all_or_none(steps)


def raise_force(planner: Planner, area: str, why: str) -> bool:
    """Raise the armies in an Area to 3 to 2 over its Combat Strength: from home, else bought, without excess.

    Returns:
        Whether the force suffices; if not, some actions may already be planned.

    Rules: ORD-022, ORD-023, ORD-032
    """
    tables, power = planner.tables, planner.power
    missing = points_needed(tables.areas[area].strength) - strength_there(planner, area)
    if missing <= 0:
        return True
    home = _armies_free_to_leave(planner, area)
    chosen = fewest_units(home, missing)
    bought: tuple[int, ...] = ()
    if chosen is None:
        purchase = cheapest_purchase(tables, free_units(tables, planner.state, power), ARMY, missing - sum(home))
        if purchase is None or not planner.build(purchase.strengths, why):
            return False
        chosen, bought = tuple(home), purchase.strengths
    return planner.move((*chosen, *bought), planner.home, area, why)


def strength_there(planner: Planner, area: str) -> int:
    """Strength points of the armies that would attack the Area: the Power's and its partners'.

    Rules: ORD-032 (R-ORD-09, R-ORD-21)
    """
    here = area_state(planner.state, area)
    own = sum(u.strength for u in here.units if u.power == planner.power and u.kind == ARMY)
    shared = planner.power in here.codominion
    partners = sum(u.strength for u in here.units if u.power != planner.power and u.power in here.codominion)
    return own + (partners if shared else 0)


def _armies_free_to_leave(planner: Planner, area: str) -> list[int]:
    """Strengths of the Army Units at home that may go to an Area, the weakest first."""
    home = planner.armies_at_home()
    heavy = free_heavy_armies(planner.tables, planner.state, planner.power, planner.home, area)
    return [s for n, s in enumerate(home) if s < 10 or n >= len(home) - heavy]


GARRISON, CONTROLLED, INFLUENCED = range(3)
"""Kinds of tasks, in the order for tasks of equal value (ORD-028)."""
HEAVY_STRENGTH = 10


class GarrisonTask(NamedTuple):
    """A task under Rule 7, sorted by its fields.

    Attributes:
        poverty: the negated Economic Value: the richest Area first.
        kind: GARRISON, CONTROLLED or INFLUENCED.
        force: Combat Strength: negated for a garrison (highest first), lowest first for Unrest.
        die: the tie-breaker.
    """

    poverty: int
    kind: int
    force: int
    die: int
    area: str


def maintain_control(planner: Planner) -> None:
    """Garrison Areas and suppress Unrest, the most valuable first, within Units and funds.

    Rules: ORD-020, ORD-021, ORD-027, ORD-028, ORD-029, ORD-030, ORD-031
    """
    tried: set[str] = set()
    while left := [task for task in garrison_tasks(planner) if task.area not in tried]:
        task = left[0]
        tried.add(task.area)
        if task.kind != GARRISON:
            _garrison_with_link(planner, task.area, partial(suppress_unrest, planner, task.area))
        else:
            why = f"Rule 7b: a garrison for {place_name(planner.tables, task.area)}"
            _garrison_with_link(planner, task.area, partial(send_garrison, planner, task.area, why))


def garrison_tasks(planner: Planner) -> list[GarrisonTask]:
    """List the Areas without a garrison and the Areas in Unrest, in order of priority.

    Rules: ORD-020, ORD-027, ORD-028, ORD-029, ORD-030
    """
    return sorted(_yield_tasks(planner))


def _yield_tasks(planner: Planner) -> Iterator[GarrisonTask]:
    state, power = planner.state, planner.power
    for area, here in state.areas.items():
        own = established(state, area, power)
        if own is None:
            continue
        row = planner.tables.areas[area]
        held = own.marker in CONTROL
        if here.unrest:
            if held or (own.marker == INFLUENCE and not controllers(state, area)):
                kind = CONTROLLED if held else INFLUENCED
                yield GarrisonTask(-row.value, kind, row.strength, planner.dice(f"unrest/{area}", 1 << 20), area)
        elif held and not has_garrison(state, area, power):
            yield GarrisonTask(-row.value, GARRISON, -row.strength, planner.dice(f"garrison/{area}", 1 << 20), area)


# --- garrisons --------------------------------------------------------------------------------------------------------


def send_garrison(planner: Planner, area: str, why: str) -> bool:
    """Send a garrison: an Army (1) from home, a new one, the smallest Unit at home, or a surplus one abroad.

    Rules: ORD-025, ORD-026, ORD-033
    """
    home = planner.armies_at_home()
    if 1 in home and planner.move([1], planner.home, area, why):
        return True
    if planner.add_all_or_none(lambda: planner.build((1,), why) and planner.move([1], planner.home, area, why)):
        return True
    if any(planner.move([s], planner.home, area, why) for s in dict.fromkeys(home)):
        return True
    spare = f"Rule 8: a Unit not needed elsewhere garrisons {place_name(planner.tables, area)}"
    return any(
        planner.move([s], start, area, spare) for start, loose in surplus_armies(planner) for s in dict.fromkeys(loose)
    )


def _garrison_with_link(planner: Planner, area: str, steps: Callable[[], bool]) -> bool:
    """Act in an Area whose Communication Link will last; first garrison the Areas of the link.

    Does nothing if the link will be lost anyway.

    Rules: ORD-031 (R-ORD-10)
    """
    if area not in linked_areas(planner.tables, planner.state, planner.power):
        return planner.add_all_or_none(steps)  # none to lose: what may go there by the rules may go

    def chain() -> bool:
        while not _does_link_last(planner, area):
            bare = set(_ungarrisoned_areas(planner.state, planner.power)) - {area}
            weak = [p for p in link_path(planner.tables, planner.state, planner.power, area) if p in bare]
            name = place_name(planner.tables, area)
            if not weak or not send_garrison(planner, weak[0], f"Rule 7: a garrison on the way to {name}"):
                return False
        return steps()

    return planner.add_all_or_none(chain)


def _does_link_last(planner: Planner, area: str) -> bool:
    """Whether the Area stays linked when other Control without a garrison is lost."""
    gone = set(_ungarrisoned_areas(planner.state, planner.power)) - {area}
    if not gone:
        return True
    areas = dict(planner.state.areas)
    for bare in gone:
        here = areas[bare]
        areas[bare] = replace(here, markers=tuple(m for m in here.markers if m.power != planner.power))
    return area in linked_areas(planner.tables, replace(planner.state, areas=areas), planner.power)


def _ungarrisoned_areas(state: State, power: str) -> list[str]:
    return [a for a in state.areas if controls(state, a, power) and not has_garrison(state, a, power)]


# --- what comes home --------------------------------------------------------------------------------------------------


def bring_armies_home(planner: Planner) -> None:
    """Move surplus armies home; Rule 7 sends them from there.

    Rules: ORD-033, ORD-034, ORD-035
    """
    for area, loose in surplus_armies(planner):
        why = f"Rule 8: not needed in {place_name(planner.tables, area)}"
        planner.move(loose, area, planner.home, why)


def surplus_armies(planner: Planner) -> list[tuple[str, list[int]]]:
    """Army Units not needed as garrisons, by Area: all but the smallest.

    None in China or a restless Turkey; special garrisons stay.

    Rules: ORD-033, ORD-034, ORD-035
    """
    state, power = planner.state, planner.power
    fixed = fixed_areas(planner.tables, state, power)
    restless = _is_turkey_restless(planner)
    found = []
    for area, here in state.areas.items():
        kind = area_type(planner.tables, state, area)
        if here.unrest or kind == "chinese_empire" or (kind == "ottoman" and restless):
            continue
        armies = sorted(u.strength for u in here.units if u.power == power and u.kind == ARMY and not u.halted)
        bound = [s for s in armies if s == HEAVY_STRENGTH and area in fixed]
        loose = [s for s in armies if s not in bound]
        staying = bool(bound) or any(u.power == power and u.kind == ARMY and u.halted for u in here.units)
        if controls(state, area, power) and not staying:
            loose = loose[1:]
        if loose:
            found.append((area, loose))
    return found


def _is_turkey_restless(planner: Planner) -> bool:
    """Whether an Ottoman Area without Control is in Unrest. Rules: ORD-035."""
    return any(
        here.unrest
        and area_type(planner.tables, planner.state, area) == "ottoman"
        and not controllers(planner.state, area)
        for area, here in planner.state.areas.items()
    )


CHINA = "chinese_empire"


class IndianArmyPost(NamedTuple):
    """A post for a Unit of the Indian Army.

    `rank`: 0 for a garrison, 1 for Unrest, 2 beside a dispute, 3 beside China.
    """

    rank: int
    value: int
    area: str

    def why(self, name: str) -> str:
        """Return the order in a few words for the name of the Area."""
        what = ("garrisons", "puts down the Unrest in", "stands beside a dispute in", "stands beside China in")
        return f"Rule 6: the Indian Army {what[self.rank]} {name}"


def place_indian_army(planner: Planner) -> None:
    """Move the spare Units of the Indian Army to the most urgent posts, within its limits.

    Rules: ORD-018
    """
    if planner.power != INDIAN:
        return
    for start, rank in spare_indian_units(planner):
        for post in sorted(indian_army_posts(planner), key=lambda p: (p.rank, -p.value, p.area)):
            if post.rank >= rank:
                break
            if post.area != start and planner.add_all_or_none(partial(_send_to_post, planner, start, post)):
                break


def spare_indian_units(planner: Planner) -> list[tuple[str, int]]:
    """Army (10) Units that may move, with the rank of their post; those that must leave home come first."""
    state, zone = planner.state, india_zone(planner.tables, planner.state)
    inside = sum(is_heavy(u, INDIAN) for area in zone for u in area_state(state, area).units)
    away = KEPT_ARMIES - inside
    found = [(planner.home, len(POST_TEXTS)) for s in planner.armies_at_home() if s == HEAVY][: max(0, away)]
    for area in sorted(zone):
        armies = [u for u in area_state(state, area).units if u.power == INDIAN and u.kind == ARMY]
        heavy = sum(is_heavy(u, INDIAN) and not u.halted for u in armies)
        held = min(
            (p.rank for p in indian_army_posts(planner, occupied=True) if p.area == area), default=len(POST_TEXTS)
        )
        loose = heavy if len(armies) > heavy or not controls(state, area, INDIAN) else heavy - 1
        found += [(area, held)] * loose
    return found


POST_TEXTS = ("garrison", "unrest", "dispute", "china")
"""Purposes of the Indian Army, the most urgent first."""


def indian_army_posts(planner: Planner, occupied: bool = False) -> Iterator[IndianArmyPost]:
    """Posts for the Indian Army within its limits; `occupied` includes posts that it already holds."""
    tables, state = planner.tables, planner.state
    routes = board(tables, state).routes
    disputed = {c.area for c in state.casus_belli if c.holder == INDIAN and c.area}
    for area in india_zone(tables, state):
        here, value = area_state(state, area), tables.areas[area].value
        held = controls(state, area, INDIAN)
        armies = [u for u in here.units if u.power == INDIAN and u.kind == ARMY]
        own = established(state, area, INDIAN)
        if here.unrest:
            enough = is_superior(_force_at(planner, area), _indian_units_at(planner, area))
            if own and (held or own.marker == INFLUENCE) and (occupied or not enough):
                yield IndianArmyPost(1, value, area)
            continue
        if not held:
            continue
        if not armies:
            yield IndianArmyPost(0, value, area)
        if occupied or not any(u.strength == HEAVY for u in armies):
            beside = routes.get(area, ())
            if disputed & set(beside):
                yield IndianArmyPost(2, value, area)
            elif any(area_type(tables, state, b) == CHINA for b in beside if b in tables.areas):
                yield IndianArmyPost(3, value, area)


def _send_to_post(planner: Planner, start: str, post: IndianArmyPost) -> bool:
    """Send an Army (10) to a post; to Unrest only with 3 to 2, and a Protectorate if needed."""
    why = post.why(place_name(planner.tables, post.area))
    if post.rank == 1:
        if not is_superior(_force_at(planner, post.area) + HEAVY, _indian_units_at(planner, post.area)):
            return False
        if not controls(planner.state, post.area, INDIAN) and not planner.do(
            actions.Upgrade(PROTECTORATE, post.area), why
        ):
            return False
    return planner.move([HEAVY], start, post.area, why)


def _force_at(planner: Planner, area: str) -> int:
    return sum(u.strength for u in area_state(planner.state, area).units if u.power == INDIAN and u.kind == ARMY)


def _indian_units_at(planner: Planner, area: str) -> int:
    return planner.tables.areas[area].strength
