"""What every action is; the structs stand in `actions` and `war_actions`."""

from __future__ import annotations

import msgspec

from paxtui.pax.history.event import tag


class Action(msgspec.Struct, frozen=True, tag_field="type", tag=tag, omit_defaults=True, forbid_unknown_fields=True):
    """Base of all actions."""
