"""`evolve(state, event)`: what an event does to a state. No rule, no dice, no check: replay never depends on rules.

Total over well-formed events: an event that finds its piece gone changes nothing. One small function an event,
looked up by type, in the module of its matter.

Every event there is, by matter in modules of its own, all of them under this one name: `ev.MarkerPlaced`.

An event is added in the module of its matter, to the structs and to the union at its end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.games.pax.events import encoding, treaties, turn, war
from paxtui.games.pax.events import map as ev
from paxtui.games.pax.events.encoding import Event as Event
from paxtui.games.pax.events.map import *  # noqa: F403
from paxtui.games.pax.events.map import MapEvent
from paxtui.games.pax.events.treaties import *  # noqa: F403
from paxtui.games.pax.events.treaties import TreatyEvent
from paxtui.games.pax.events.turn import *  # noqa: F403
from paxtui.games.pax.events.turn import TurnEvent
from paxtui.games.pax.events.war import *  # noqa: F403
from paxtui.games.pax.events.war import WarEvent
from paxtui.games.pax.state.model import State

AnyEvent = TurnEvent | MapEvent | TreatyEvent | WarEvent


def _unchanged(state: State, event: encoding.Event) -> State:
    return state


_EVOLVERS: dict[type, Callable[[State, Any], State]] = {
    turn.Noted: _unchanged,
    turn.DiceRolled: _unchanged,
    turn.OfficeIncome: _unchanged,
    turn.MinorActivity: _unchanged,
    turn.ColonialCombat: _unchanged,
    turn.OrderDrawn: _unchanged,
    ev.DutyWaived: _unchanged,
    **turn.TURN_EVOLVERS,
    **ev.MAP_EVOLVERS,
    **treaties.TREATY_EVOLVERS,
    **war.WAR_EVOLVERS,
}


def evolve(state: State, event: encoding.Event) -> State:
    """The state after `event`."""
    return _EVOLVERS[type(event)](state, event)
