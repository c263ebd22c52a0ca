"""Every event there is, by matter in modules of its own, all of them under this one name: `ev.MarkerPlaced`.

An event is added in the module of its matter, to the structs and to the union at its end.
"""

from __future__ import annotations

from paxtui.pax.history.event import Event as Event
from paxtui.pax.history.map_events import *  # noqa: F403
from paxtui.pax.history.map_events import MapEvent
from paxtui.pax.history.treaty_events import *  # noqa: F403
from paxtui.pax.history.treaty_events import TreatyEvent
from paxtui.pax.history.turn_events import *  # noqa: F403
from paxtui.pax.history.turn_events import TurnEvent
from paxtui.pax.history.war_events import *  # noqa: F403
from paxtui.pax.history.war_events import WarEvent

AnyEvent = TurnEvent | MapEvent | TreatyEvent | WarEvent
