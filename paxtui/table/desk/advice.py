"""What a statesman would do in the place of the seat at the keyboard: a few acts to choose from, with their reasons."""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.bots.act import Act
from paxtui.bots.players import STATESMAN
from paxtui.pax.reports.foresight import Foresight
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
