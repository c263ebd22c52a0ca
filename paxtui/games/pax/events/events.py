"""All events under one name, and `evolve`, which applies an event to a state.

To add an event, add its struct to the module of its subject, with the methods `evolve` and `describe`.
"""

from __future__ import annotations

from typing import Any, Union

from paxtui.games.pax.events import map as map_events
from paxtui.games.pax.events import treaties, turn, war
from paxtui.games.pax.events.encoding import Event as Event
from paxtui.games.pax.events.map import *  # noqa: F403
from paxtui.games.pax.events.treaties import *  # noqa: F403
from paxtui.games.pax.events.turn import *  # noqa: F403
from paxtui.games.pax.events.war import *  # noqa: F403
from paxtui.games.pax.state.model import State

EVENT_TYPES: tuple[type[Event], ...] = tuple(
    value
    for module in (turn, map_events, treaties, war)
    for value in vars(module).values()
    if isinstance(value, type) and issubclass(value, Event) and not value.__subclasses__()
)
"""All types of events, without their bases, in the order of their definition."""

AnyEvent: Any = Union[EVENT_TYPES]  # noqa: UP007 (a union of a tuple)
"""Union of all types of events, for msgspec."""


def evolve(state: State, event: Event) -> State:
    """Return the state after `event`."""
    return event.evolve(state)
