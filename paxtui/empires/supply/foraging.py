"""Living off the country: what is added to the die, what a roll costs, and out of which factors.

Rules: EIA 7.4.1, 7.4.5
"""

from __future__ import annotations

import msgspec

MOST_CROWDED = 2
"""The most that other corps of an area add to the die."""

WINTER = 2
"""What winter adds inside the winter zone."""

CITY_STEP, MOST_IN_CITY = 5, 2
"""Factors in a besieged city for which one is added, and the most that is added."""


class March(msgspec.Struct, frozen=True, omit_defaults=True):
    """What counts for the die of a corps that has moved.

    Attributes:
        others: other unbesieged corps in its area, of any power.
        unused: movement points it has left.
        besieging: whether it besieges there, or is going to.
        forced: whether it force marched.
        winter: whether it is winter and the corps is in the winter zone.
        at_home: whether it has been in its power's territory only, this turn.
    """

    others: int = 0
    unused: int = 0
    besieging: bool = False
    forced: bool = False
    winter: bool = False
    at_home: bool = False


def modifiers(march: March) -> tuple[tuple[str, int], ...]:
    """What is added to the die, each with its reason; nothing that is 0.

    Rules: EIA 7.4.1.2.1 to 7.4.1.2.5, 7.4.5.3
    """
    found = (
        ("other corps here", min(MOST_CROWDED, march.others)),
        ("unused movement points", 0 if march.besieging else -march.unused),
        ("force march", int(march.forced)),
        ("winter", WINTER if march.winter else 0),
        ("own territory", -1 if march.at_home else 0),
    )
    return tuple((reason, amount) for reason, amount in found if amount)


def lost(die: int, modifier: int, value: int) -> int:
    """Factors a roll costs: one for each point above the forage value.

    Rules: EIA 7.4.1.1, 7.4.5.2
    """
    return max(0, die + modifier - value)


def besieged_modifier(factors: int) -> int:
    """What is added to the die of a besieged city with this many factors.

    Rules: EIA 7.4.5.1
    """
    return min(MOST_IN_CITY, factors // CITY_STEP)


class Split(msgspec.Struct, frozen=True):
    """Where losses by foraging come from: factors in the corps, and those it detached while it moved."""

    corps: int
    detached: int


def split(corps: int, detached: int, loss: int) -> Split:
    """How many of `loss` factors a corps of `corps` factors loses itself, and how many of those it detached.

    A corps is emptied only if everything is lost that moved with it.

    Rules: EIA 7.4.1.3.1, 7.4.1.3.2
    """
    if loss >= corps + detached:
        return Split(corps, detached)
    own = min(loss, corps - 1)
    return Split(own, loss - own)
