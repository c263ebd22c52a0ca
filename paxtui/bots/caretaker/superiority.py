"""How strong a force has to be, and the cheapest Units that make it so.

Rules: ORD-010, ORD-022, ORD-023 (R-ORD-03, R-ORD-19)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from paxtui.pax.board import counters
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY

ATTACK, DEFEND = 3, 2
"""The superiority that the orders ask for: 3 to 2."""


class Purchase(NamedTuple):
    """New Units by their strengths, the strong ones first."""

    strengths: tuple[int, ...]
    pounds: int
    tension: int


def superior(force: int, against: int) -> bool:
    """Whether a force is at least 3 to 2 over strength points."""
    return force > 0 and force * DEFEND >= against * ATTACK


def needed(against: int) -> int:
    """The fewest strength points that are 3 to 2 over others; at least 1, for somebody has to be there."""
    return max(1, -(-against * ATTACK // DEFEND))


def sets(tables: Tables, free: dict[int, int], kind: str, points: int = 0, pounds: int = 0) -> Iterator[Purchase]:
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
        yield Purchase(tuple(strengths), sum(prices[s] for s in strengths), tension)


def rank(purchase: Purchase) -> tuple[int, int, int]:
    """What is bought first: the cheapest set, then that of the lowest tension, then that of the fewest Units."""
    return purchase.pounds, purchase.tension, len(purchase.strengths)


def cheapest(tables: Tables, free: dict[int, int], kind: str, points: int) -> Purchase | None:
    """The set of new Units to buy for so many strength points; None where there are not enough pieces.

    Rules: ORD-010, ORD-023 (R-ORD-19)
    """
    if points <= 0:
        return Purchase((), 0, 0)
    return min(sets(tables, free, kind, points=points), key=rank, default=None)


def free_pieces(tables: Tables, state: State, power: str) -> dict[int, int]:
    """Pieces of a Power that may still be bought, by strength."""
    return {s: counters.free(tables, state, power, str(s)) for s in tables.units}


def fewest(strengths: list[int], points: int) -> tuple[int, ...] | None:
    """Of Units that are there, those that reach so many strength points with the least excess, then the fewest.

    Returns: their strengths; None where all of them together do not reach it.
    """
    best: dict[int, tuple[int, ...]] = {0: ()}
    for strength in sorted(strengths, reverse=True):
        for reached, units in sorted(best.items(), reverse=True):
            total, more = reached + strength, (*units, strength)
            if reached < points and (total not in best or len(more) < len(best[total])):
                best[total] = more
    found = [total for total in best if total >= points]
    return best[min(found)] if found else None
