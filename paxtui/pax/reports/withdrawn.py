"""By whose act a seat is no longer ready: its mark goes when a rival acts, and it is asked once more.

Rules: SEQ-010
"""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.pax.history import events as ev
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.reports.page import Act
from paxtui.pax.words.spoken import sentence, the_power


def withdrawn(narrator: Narrator, seat: str, acts: Sequence[Act], in_war: bool = False) -> str:
    """Why a seat that was ready in this Phase is so no longer, in a sentence; "" where it was not, or still is.

    Args:
        narrator: of the seat.
        seat: who is asked once more.
        acts: those of the Game Turn in force, as the seat may know them.
        in_war: whether it was a pass in a War Phase.
    """
    by: ev.ReadyCleared | None = None
    what = ""
    for act in acts:
        for event in act.events:
            if isinstance(event, _BEGINS) or (isinstance(event, ev.SeatReady) and event.seat == seat):
                by = None
            elif isinstance(event, ev.ReadyCleared) and seat in event.seats:
                by, what = event, _what(narrator, act)
    if by is None:
        return ""
    who = sentence(the_power(narrator.known.tables, by.by)).removesuffix(".")
    if in_war:
        return f"You had passed. {who} has moved since, so you may act again" + (f": {what}" if what else ".")
    return f"You were ready. {who} has acted since, so you may react" + (f": {what}" if what else ".")


_BEGINS = (ev.PhaseBegan, ev.WarStepTaken, ev.WarPhaseBegan)
"""Events with which every mark of readiness is gone anyway."""


def _what(narrator: Narrator, act: Act) -> str:
    """What the act was: the first thing that happened by it on the map."""
    acted = (ev.MarkerPlaced, ev.MarkerLowered, ev.UnitsBuilt, ev.UnitsMoved, ev.MerchantMoved, ev.CanalBuilt)
    first = next((e for e in act.events if isinstance(e, acted)), None)
    return "" if first is None else sentence(narrator.tell(first))
