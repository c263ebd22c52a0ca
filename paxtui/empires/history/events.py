"""All events of all matters, and the state after any of them."""

from __future__ import annotations

from paxtui.empires.history import (
    asking_events,
    attack_events,
    battle_events,
    land_events,
    ledger_events,
    politics_events,
    sea_events,
    time_events,
)
from paxtui.empires.history.event import Event, Kinds
from paxtui.empires.state.model import State

KINDS: Kinds = {
    **time_events.KINDS,
    **ledger_events.KINDS,
    **asking_events.KINDS,
    **politics_events.KINDS,
    **sea_events.KINDS,
    **land_events.KINDS,
    **attack_events.KINDS,
    **battle_events.KINDS,
}
"""Every kind of event with what it makes of the position."""

BY_TAG: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in KINDS}
"""The same by the `type` of the raw event."""


def evolve(state: State, event: Event) -> State:
    """The state after an event."""
    return KINDS[type(event)](state, event)
