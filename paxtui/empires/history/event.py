"""What every event is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from paxtui.empires.state.model import State


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that has happened.

    Attributes:
        rules: the sections by which it did.
        only: the Powers that know of it, empty where all do.
    """

    rules: tuple[str, ...] = ()
    only: tuple[str, ...] = ()


Evolve = Callable[[State, Any], State]
"""The state after an event of one kind."""

Kinds = Mapping[type[Event], Evolve]
"""The events of a matter, each with what it makes of the position."""
