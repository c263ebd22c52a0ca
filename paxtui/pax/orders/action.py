"""What every action is, and what its fields name; the structs stand in `actions` and `war_actions`.

A field says by its type what its text names, and so how freely it may be spelt in a structured action
(`paxtui.pax.orders.structured`). One that may be left out has a default.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Annotated

import msgspec

from paxtui.pax.history.event import tag


class Named(Enum):
    """What a field names."""

    AREA = auto()
    MARKER = auto()
    PARTY = auto()
    PASSAGE = auto()
    PATH = auto()
    PLACE = auto()
    POWER = auto()
    START = auto()
    UNITS = auto()
    ZONE = auto()
    POUNDS = auto()


AreaId = Annotated[str, Named.AREA]
MarkerId = Annotated[str, Named.MARKER]
"""A kind of Status marker, in the `area` of the same action."""
PartyId = Annotated[str, Named.PARTY]
"""A Power, or the Ottoman Empire."""
PassageId = Annotated[str, Named.PASSAGE]
Path = Annotated[tuple[str, ...], Named.PATH]
"""Places from start to end; `home` is that of the `power` of the same action."""
PlaceId = Annotated[str, Named.PLACE]
"""An Area, a Sea Zone or a Home Country."""
PowerId = Annotated[str, Named.POWER]
FleetStart = Annotated[str, Named.START]
"""A Sea Zone, or "new"."""
Units = Annotated[tuple[str, ...], Named.UNITS]
ZoneId = Annotated[str, Named.ZONE]
Pounds = Annotated[int, Named.POUNDS]


class Action(msgspec.Struct, frozen=True, tag_field="type", tag=tag, omit_defaults=True, forbid_unknown_fields=True):
    """Base of all actions."""
