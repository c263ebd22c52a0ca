"""Conditions of orders: what the other Powers have to do in the same Phase, with `and`, `or` and `not`; and what
orders may come to, and have come to, as conditions speak of it.

Rules: PBM-015, PBM-019, PBM-082 (R-PBM-01)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from paxtui.pax.expansion.placement import highest
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.action import Action
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.words.names import own_home

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


# --- what orders come to ----------------------------------------------------------------------------------------------


def possible(act: object, seat: str) -> Iterator[Deed]:
    """Everything that an act of a seat might come to."""
    power = getattr(act, "power", "") or seat
    if isinstance(act, ac.Place | ac.Upgrade):
        yield Deed(PLACES, power, act.marker, act.area)
        yield Deed(UPGRADES, power, act.marker, act.area)
    elif isinstance(act, ac.Downgrade | ac.Withdraw):
        yield Deed(REMOVES, power, "", act.area)
    elif isinstance(act, ac.Build):
        yield from (Deed(BUILDS, power, unit, "", int(unit[1:])) for unit in act.units)
    elif isinstance(act, ac.Move):
        path = own_home(act.path, power)
        yield from (Deed(MOVES, power, unit, path[-1], int(unit[1:]), path[0]) for unit in act.units)
    elif isinstance(act, ac.Garrison):
        yield Deed(MOVES, power)
    elif isinstance(act, ac.Canal):
        yield Deed(CANAL, power, "", act.area)
    elif isinstance(act, ac.Pay):
        yield Deed(PAYS, power, "", act.to, act.amount)
    elif isinstance(act, ac.Transfer):
        yield Deed(TRANSFERS, power, "", act.to, 0, act.area)


def done(before: State, act: Action, seat: str, events: Sequence[ev.Event]) -> tuple[Deed, ...]:
    """What an act of a seat has come to.

    Args: the board before it; the act; the seat; the events of the act.
    """
    power = getattr(act, "power", "") or seat
    if isinstance(act, ac.Place | ac.Upgrade):
        placed = Deed(PLACES, power, act.marker, act.area)
        raised = highest(before, act.area, power) is not None
        return (placed, placed._replace(verb=UPGRADES)) if raised else (placed,)
    if isinstance(act, ac.Downgrade | ac.Withdraw):
        return tuple(Deed(REMOVES, e.power, e.marker, e.area) for e in events if isinstance(e, ev.MarkerLowered))
    if isinstance(act, ac.Move | ac.Garrison):
        return moves(events)
    return tuple(possible(act, seat))


def moves(events: Sequence[ev.Event]) -> tuple[Deed, ...]:
    """The Units moved by some events, each as a deed."""
    return tuple(
        Deed(MOVES, e.power, name, e.path[-1], int(name[1:]), e.path[0])
        for e in events
        if isinstance(e, ev.UnitsMoved)
        for name in e.units
    )
