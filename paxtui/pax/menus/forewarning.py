"""Warnings before an act: what it would break of the seat's own Treaties.

Rules: TRE-007
"""

from __future__ import annotations

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.decide import decide
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import IN_FORCE
from paxtui.pax.treaties import treaty_watch


def warnings(tables: Tables, state: State, seat: str, action: ac.Action) -> list[str]:
    """What an action would break of the seat's own Treaties, in sentences; empty where nothing, or where it is
    refused anyway.

    Rules: TRE-007
    """
    mine = powers_of(tables, state, seat)
    if not any(t.stage == IN_FORCE and any(p in t.parties for p in mine) for t in state.treaties):
        return []
    try:
        events = decide(tables, state, seat, action, Dice("warning"))
    except Refusal:
        return []
    out = []
    for event in events:
        if isinstance(event, ev.TreatyBroken) and event.power in mine:
            treaty = next(t for t in state.treaties if t.id == event.id)
            cost = "tension +5 and a Casus Belli for the others" if event.open else "a Casus Belli once it is revealed"
            breach = treaty_watch.describe_breach(tables, treaty, event.clause, event.power, event.what)
            out.append(f"{breach} ({cost}).")
    return out
