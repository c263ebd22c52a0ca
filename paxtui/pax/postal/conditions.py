"""Conditions of orders: what the other Powers have to do in the same Phase, with `and`, `or` and `not`.

Rules: PBM-015, PBM-082 (R-PBM-01)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from paxtui.pax.state.pieces import CONTROL

PLACES, UPGRADES, REMOVES = "places", "upgrades", "removes"
MOVES, BUILDS = "moves", "builds"
PAYS, TRANSFERS, CANAL = "pays", "transfers", "canal"

ANY_CONTROL = "control"
"""Stands for every kind of Control marker."""


class Deed(NamedTuple):
    """What a Power does by an order, or may do.

    Attributes:
        verb: one of those above.
        power: who does it.
        what: a kind of marker, or the name of a unit; "" where it may be any.
        place: where, or to where; for money and markers handed over, to whom; "" where it may be anywhere.
        points: strength of a unit, or pounds.
        source: the Area of a marker handed over, the place a unit leaves.
    """

    verb: str
    power: str
    what: str = ""
    place: str = ""
    points: int = 0
    source: str = ""


class Does(msgspec.Struct, frozen=True, tag="does"):
    """A Power does something (`britain places protectorate tunis`).

    Attributes:
        power: who; "" for anyone else.
        verb: one of those above.
        what: a kind of marker, `ANY_CONTROL`, a unit (A3), or A or N for any army or fleet; "" for any.
        place: where, or to where, or to whom; "" for anywhere.
        source: from where; "" for anywhere.
        least: how much of it at least.
        counted: `least` counts pieces, and not strength points.
    """

    power: str
    verb: str
    what: str = ""
    place: str = ""
    source: str = ""
    least: int = 1
    counted: bool = True


class Not(msgspec.Struct, frozen=True, tag="not"):
    """Something is not so."""

    of: Condition


class All(msgspec.Struct, frozen=True, tag="all"):
    """All of these are so."""

    of: tuple[Condition, ...]


class Any(msgspec.Struct, frozen=True, tag="any"):
    """One of these is so, at least."""

    of: tuple[Condition, ...]


Condition = Does | Not | All | Any


def holds(condition: Condition, deeds: Iterable[Deed], own: tuple[str, ...]) -> bool:
    """Whether a condition is met.

    Args:
        condition: of an order.
        deeds: what is done by all Powers.
        own: the Powers of the seat whose order it is: "anyone else" is none of them.

    Rules: PBM-015, PBM-016
    """
    known = tuple(deeds)
    if isinstance(condition, Not):
        return not holds(condition.of, known, own)
    if isinstance(condition, All):
        return all(holds(part, known, own) for part in condition.of)
    if isinstance(condition, Any):
        return any(holds(part, known, own) for part in condition.of)
    found = [deed for deed in known if speaks_of(condition, deed, own)]
    reached = len(found) if condition.counted else sum(deed.points for deed in found)
    return reached >= condition.least


def speaks_of(does: Does, deed: Deed, own: tuple[str, ...]) -> bool:
    """Whether a deed is one of those that count for a condition; what it leaves open may be anything."""
    if does.verb != deed.verb or deed.power in own or (does.power and does.power != deed.power):
        return False
    if does.place and deed.place and does.place != deed.place:
        return False
    if does.source and deed.source and does.source != deed.source:
        return False
    return not does.what or not deed.what or _same(does.what, deed.what)


def _same(wanted: str, what: str) -> bool:
    if wanted == ANY_CONTROL:
        return what in CONTROL
    return what == wanted or (wanted in ("A", "N") and what[0] == wanted and what[1:].isdigit())


def parts(condition: Condition, positive: bool = True) -> Iterator[tuple[Does, bool]]:
    """Everything that a condition speaks of, and whether it wants it done (True) or left undone."""
    if isinstance(condition, Not):
        yield from parts(condition.of, not positive)
    elif isinstance(condition, All | Any):
        for part in condition.of:
            yield from parts(part, positive)
    else:
        yield condition, positive
