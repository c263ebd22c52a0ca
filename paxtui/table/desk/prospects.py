"""What an act of the seat at the keyboard would bring, tried on the position as this seat knows it."""

from __future__ import annotations

from paxtui.engine.refusal import Refusal
from paxtui.pax.orders import actions as ac
from paxtui.pax.reports.foresight import Foresight, foresee
from paxtui.table.session import Session


def prospects(session: Session, action: ac.Action) -> Foresight | Refusal:
    """What an act would bring, or why it is refused."""
    return foresee(session.tables, session.live, session.seat, action)


def prospects_of(session: Session, text: str) -> Foresight | Refusal | None:
    """What an order in words would bring, or why it is refused; None for words that are no whole order of the rules."""
    try:
        order = session.order_of(text)
    except Refusal:
        return None
    return prospects(session, order) if isinstance(order, ac.Action) else None
