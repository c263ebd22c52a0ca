"""What all events are: frozen structs that carry results, dice included, and the rules that made them happen.

So `evolve` needs no rule and no table, and an old log replays under any later version. A changed kind of event gets a
new `v` and an upcaster (`paxtui.engine.upcast`).
"""

from __future__ import annotations

import msgspec

from paxtui.engine.upcast import Raw


def tag(name: str) -> str:
    """The type of a struct in the log and in the protocol: its name in small letters with underscores."""
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Event(msgspec.Struct, frozen=True, tag_field="type", tag=tag, omit_defaults=True, kw_only=True):
    """Base of all events.

    Attributes:
        rules: ids of the rules that made it happen.
        only: seats that see it as it is; empty for everybody. `paxtui.pax.play.secrecy.sealed` fills it in when the
            event is emitted, where the emitter has not.
        others: what all other seats see instead of these fields; None: they see nothing of the event.
    """

    rules: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    others: Raw | None = None
