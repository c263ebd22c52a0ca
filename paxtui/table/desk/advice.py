"""What a statesman would do in the place of the seat at the keyboard: a few acts to choose from, with their reasons."""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.bots.act import Act
from paxtui.bots.players import STATESMAN
from paxtui.engine.refusal import Refusal
from paxtui.pax.narration.choice_narration import chosen, question
from paxtui.pax.narration.known import title
from paxtui.pax.orders import actions as ac
from paxtui.pax.reports.foresight import Foresight
from paxtui.pax.words.spoken import sentence, the_powers
from paxtui.table.desk.prospects import prospects_of
from paxtui.table.session import Session

ADVISER = f"{STATESMAN}:normal"
"""Who is asked."""
MOST = 3
"""Acts that are proposed at most."""
LAST = ("ready", "garrison")
"""What one does when nothing else is left."""


def proposed(session: Session, acts: Sequence[Act]) -> list[Act]:
    """Those of a statesman's acts that are put before the seat: the first ones that could be done now.

    To be ready is proposed where there is nothing else to do.
    """
    found: list[Act] = []
    for act in acts:
        new = act.text not in LAST and all(act.text != other.text for other in found)
        if new and isinstance(prospects_of(session, act.text), Foresight):
            found.append(act)
        if len(found) == MOST:
            return found
    return found or [act for act in acts if act.text == "ready"][:1]


def about(session: Session, text: str) -> str:
    """What an act speaks of that names a question or a Treaty by its number alone, in words; "" for any other.

    Args: the open game; the act, as it is typed.
    """
    try:
        order = session.order_of(text)
    except Refusal:
        return ""
    tables, state = session.tables, session.live
    if isinstance(order, ac.Choose):
        asked = next((choice for choice in state.choices if choice.id == order.id), None)
        return f"{question(tables, asked)} {sentence(chosen(tables, asked, order.answer))}" if asked else ""
    if isinstance(order, ac.Sign | ac.Reject):
        treaty = next((treaty for treaty in state.treaties if treaty.id == order.id), None)
        others = tuple(power for power in treaty.parties if power != session.seat) if treaty else ()
        return sentence(f"{title(tables, treaty)} with {the_powers(tables, others)}") if treaty else ""
    return ""
