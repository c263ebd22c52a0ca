"""Where Units in hand can go in a Maneuver Phase: one step each, and what of it costs dear."""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.pax.menus import war_menu
from paxtui.pax.menus.menu import Moves
from paxtui.table.session import Session

Group = tuple[str, tuple[str, ...]]
"""A Power, and names of Units of it that go together."""


def groups(session: Session, place: str) -> tuple[Group, ...]:
    """What can go together from a place: each Unit alone, then all armies and all fleets of a Power."""
    found = list(_moves(session, place))
    alone = [(m.power, (name,)) for m in found for name in dict.fromkeys(m.units)]
    kinds: dict[tuple[str, str], tuple[str, ...]] = {}
    for m in found:
        kinds[m.power, m.kind] = kinds.get((m.power, m.kind), ()) + m.units
    together = [(power, units) for (power, _), units in kinds.items() if len(units) > 1]
    return tuple(dict.fromkeys((*alone, *(group for group in together if reach(session, place, group)))))


def reach(session: Session, place: str, group: Group) -> dict[str, tuple[str, ...]]:
    """The places that a group may step to, each with its way; the other coast of the place itself is not among them."""
    power, names = group
    ends: list[str] | None = None
    for name in dict.fromkeys(names):
        own = [end.place for m in _moves(session, place) if m.power == power and name in m.units for end in m.ends]
        ends = own if ends is None else [end for end in ends if end in own]
    return {end: (place, end) for end in ends or () if end != place}


def _moves(session: Session, place: str) -> Iterator[Moves]:
    found = session.derived("war_moves", lambda: list(war_menu.moves(session.tables, session.live, session.seat)))
    return (moves for moves in found if moves.start == place)
