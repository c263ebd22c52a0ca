"""All events under one name, and `evolve`, which applies an event to a state.

`evolve` uses no rules, no dice and no checks, so that replay never depends on the rules. An event whose piece is
missing
changes nothing. To add an event, add its struct, its evolver and its union member in the module of its subject.
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
    """Return the state after `event`."""
    return _EVOLVERS[type(event)](state, event)
