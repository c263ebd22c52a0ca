"""What an order may come to, and what it came to, as conditions speak of it.

Rules: PBM-015, PBM-019
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paxtui.pax.expansion.placement import highest
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.action import Action
from paxtui.pax.postal import conditions as co
from paxtui.pax.postal.conditions import Deed
from paxtui.pax.postal.forms import Accept
from paxtui.pax.state.model import State
from paxtui.pax.words.names import own_home


def possible(act: Action | Accept, seat: str) -> Iterator[Deed]:
    """Everything that an act of a seat might come to."""
    power = getattr(act, "power", "") or seat
    if isinstance(act, ac.Place | ac.Upgrade):
        yield Deed(co.PLACES, power, act.marker, act.area)
        yield Deed(co.UPGRADES, power, act.marker, act.area)
    elif isinstance(act, ac.Downgrade | ac.Withdraw):
        yield Deed(co.REMOVES, power, "", act.area)
    elif isinstance(act, ac.Build):
        yield from (Deed(co.BUILDS, power, unit, "", int(unit[1:])) for unit in act.units)
    elif isinstance(act, ac.Move):
        path = own_home(act.path, power)
        yield from (Deed(co.MOVES, power, unit, path[-1], int(unit[1:]), path[0]) for unit in act.units)
    elif isinstance(act, ac.Garrison):
        yield Deed(co.MOVES, power)
    elif isinstance(act, ac.Canal):
        yield Deed(co.CANAL, power, "", act.area)
    elif isinstance(act, ac.Pay):
        yield Deed(co.PAYS, power, "", act.to, act.amount)
    elif isinstance(act, ac.Transfer):
        yield Deed(co.TRANSFERS, power, "", act.to, 0, act.area)


def done(before: State, act: Action, seat: str, events: Sequence[ev.Event]) -> tuple[Deed, ...]:
    """What an act of a seat has come to.

    Args: the board before it; the act; the seat; the events of the act.
    """
    power = getattr(act, "power", "") or seat
    if isinstance(act, ac.Place | ac.Upgrade):
        placed = Deed(co.PLACES, power, act.marker, act.area)
        raised = highest(before, act.area, power) is not None
        return (placed, placed._replace(verb=co.UPGRADES)) if raised else (placed,)
    if isinstance(act, ac.Downgrade | ac.Withdraw):
        return tuple(Deed(co.REMOVES, e.power, e.marker, e.area) for e in events if isinstance(e, ev.MarkerLowered))
    if isinstance(act, ac.Move | ac.Garrison):
        return moves(events)
    return tuple(possible(act, seat))


def moves(events: Sequence[ev.Event]) -> tuple[Deed, ...]:
    """The Units moved by some events, each as a deed."""
    return tuple(
        Deed(co.MOVES, e.power, name, e.path[-1], int(name[1:]), e.path[0])
        for e in events
        if isinstance(e, ev.UnitsMoved)
        for name in e.units
    )
