"""Places where something waits for the seat at the keyboard."""

from __future__ import annotations

from paxtui.pax.expansion import garrison_plan
from paxtui.table.session import Session


def places_with_tasks(session: Session) -> list[str]:
    """Places in the order of their tasks: a choice, a missing garrison, Unrest, a Casus Belli."""
    state = session.live
    out = [c.area for c in state.choices if c.seat == session.seat and c.area]
    if state.phase == "movement" and session.seat not in state.ready:
        for power in session.my_powers():
            out += garrison_plan.missing(session.tables, state, power)
    out += [area for area, here in state.areas.items() if here.unrest]
    out += [c.area for c in state.casus_belli if c.area]
    return out
