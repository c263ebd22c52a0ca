"""What a seat may know: papers of others are hidden, and events that are for some only."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.empires.state.model import State
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw


def seen(state: State, seat: str) -> State:
    """The position as a seat sees it: others' papers are there, and nothing stands on them."""
    if seat == ARBITER:
        return state
    sealed = tuple(one if one.power == seat else replace(one, words=()) for one in state.sealed)
    return replace(state, sealed=sealed)


def visible(raw: Raw, seat: str) -> Raw | None:
    """A raw event as a seat may see it; None for one that it may not. That something was written, everybody sees."""
    only = raw.get("only") or ()
    if not only or seat in only or seat == ARBITER:
        return raw
    if raw.get("type") == "sealed_up":
        sealed = {name: value for name, value in raw["sealed"].items() if name != "words"}
        return {**raw, "sealed": sealed}
    return None
