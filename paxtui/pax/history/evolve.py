"""`evolve(state, event)`: what an event does to a state. No rule, no dice, no check: replay never depends on rules.

Total over well-formed events: an event that finds its piece gone changes nothing. One small function an event,
looked up by type, in the module of its matter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.pax.history import events as ev
from paxtui.pax.history import evolve_map, evolve_treaties, evolve_turn, evolve_war
from paxtui.pax.state.model import State


def _nothing(state: State, event: ev.Event) -> State:
    return state


_APPLY: dict[type, Callable[[State, Any], State]] = {
    ev.Noted: _nothing,
    ev.DiceRolled: _nothing,
    ev.OfficeIncome: _nothing,
    ev.MinorActivity: _nothing,
    ev.ColonialCombat: _nothing,
    ev.OrderDrawn: _nothing,
    ev.DutyWaived: _nothing,
    **evolve_turn.APPLY,
    **evolve_map.APPLY,
    **evolve_treaties.APPLY,
    **evolve_war.APPLY,
}


def evolve(state: State, event: ev.Event) -> State:
    """The state after `event`."""
    return _APPLY[type(event)](state, event)
