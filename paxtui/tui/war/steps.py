"""Where Units in hand can go in a Maneuver Phase: one step each, and what of it costs dear."""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.pax.menus import war_menu
from paxtui.pax.menus.menu import Moves
from paxtui.table.session import Session

Group = tuple[str, tuple[str, ...]]
"""A Power, and names of Units of it that go together."""


def groups(session: Session, place: str) -> tuple[Group, ...]:
    """What can go together from a place: each Unit alone, then all of a Power that can take the same steps."""
    found = list(_moves(session, place))
    alone = [(m.power, (name,)) for m in found for name in dict.fromkeys(m.units)]
    together = [(m.power, m.units) for m in found if len(m.units) > 1]
    return tuple(dict.fromkeys((*alone, *together)))


def reach(session: Session, place: str, group: Group) -> dict[str, tuple[str, ...]]:
    """The places that a group may step to, each with its way; the other coast of the place itself is not among them."""
    power, names = group
    ends: dict[str, tuple[str, ...]] = {}
    for moves in _moves(session, place):
        if moves.power == power and all(moves.units.count(n) >= names.count(n) for n in names):
            ends.update({end.place: (place, end.place) for end in moves.ends if end.place != place})
    return ends


def _moves(session: Session, place: str) -> Iterator[Moves]:
    found = session.derived("war_moves", lambda: list(war_menu.moves(session.tables, session.live, session.seat)))
    return (moves for moves in found if moves.start == place)
