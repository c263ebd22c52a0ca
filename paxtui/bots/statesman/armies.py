"""The force that pays best against an Area: what stands there, what is at home, and what is bought for it."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import NamedTuple

from paxtui.bots.campaign import Force
from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.statesman.outlook import Outlook
from paxtui.pax.board import counters
from paxtui.pax.expansion import duties
from paxtui.pax.expansion.special_garrisons import heavies_free
from paxtui.pax.state.pieces import ARMY

POUND_A_STRENGTH = 3.0
"""Pounds that a lost strength point costs to build again."""
KEPT = 0.55
"""What a new army is still worth after the combat it was bought for, as a share of its price."""
MOST = {10: 3, 3: 3, 1: 5}
"""Units of each strength that one attack takes at most."""
DARE = 0.55
"""Chance to win below which nothing is attacked."""


class Expedition(NamedTuple):
    """A force for an Area.

    Attributes:
        armies: strengths that leave home. new: those among them that are built first.
        chance: to win. gain: pounds at the end, the price of the marker not counted. price: pounds for new armies.
    """

    armies: tuple[int, ...]
    new: tuple[int, ...]
    chance: float
    gain: float
    price: int


def free_at_home(desk: Desk) -> Counter[int]:
    """Army Units that may leave the Home Country, by strength; the Western Garrison stays."""
    home = Counter(desk.armies_at_home())
    if home[10]:
        home[10] = min(home[10], heavies_free(desk.tables, desk.state, desk.power, desk.home, ""))
    return home


def pieces(desk: Desk) -> dict[int, int]:
    """Pieces of each strength that may still be bought."""
    return {s: counters.free(desk.tables, desk.state, desk.power, str(s)) for s in desk.tables.units}


def for_armies(desk: Desk) -> int:
    """Pounds that may go into Army Units."""
    limit = duties.cap(desk.tables, desk.state, desk.power)
    return desk.treasury if limit is None else min(limit, desk.treasury)


def best(
    outlook: Outlook, desk: Desk, area: str, prize: float, purse: int, there: tuple[int, ...] = ()
) -> Expedition | None:
    """The force that brings most against an Area; None where none brings anything.

    Args: the judgement; the paper; the Area; pounds at the end for winning it; pounds that armies may cost; strengths
        of its own armies that stand there already.
    """
    tables = desk.tables
    against = tables.areas[area].strength
    home, free = free_at_home(desk), pieces(desk)
    last = outlook.years == 0
    kept = 0.0 if last else KEPT
    found: Expedition | None = None
    for counts in product(*(range(min(n, home[s] + free.get(s, 0)) + 1) for s, n in MOST.items())):
        armies = tuple(s for s, n in zip(MOST, counts, strict=True) for _ in range(n))
        whole = tuple(sorted(armies + there, reverse=True))
        if not whole or sum(armies) > 3 * against + 10:
            continue
        new = tuple(s for s, n in zip(MOST, counts, strict=True) for _ in range(max(0, n - home[s])))
        price = sum(tables.units[s].army for s in new)
        if price > purse or any(new.count(s) > free.get(s, 0) for s in set(new)):
            continue
        odds = Force(whole).odds(tables, against)
        if odds.win < DARE:
            continue
        gain = odds.win * prize - odds.loss * POUND_A_STRENGTH * (0.0 if last else outlook.now)
        gain -= outlook.now * price * (1.0 - kept) + (0.0 if last else 0.8 * sum(armies))
        if found is None or gain > found.gain:
            found = Expedition(armies, new, odds.win, gain, price)
    return found if found and found.gain > 0 else None


def send(desk: Desk, force: Expedition, area: str, why: str) -> bool:
    """Build what is missing and send the force from home."""
    if not force.armies:
        return True
    return desk.build(force.new, why) and desk.move(force.armies, desk.home, area, why)


def standing(desk: Desk, area: str) -> tuple[int, ...]:
    """Strengths of the Power's armies in an Area."""
    here = desk.state.areas[area]
    return tuple(u.strength for u in here.units if u.power == desk.power and u.kind == ARMY)
