"""How old logs are read: steps that bring raw events, and raw positions, of earlier versions into the form of today.

A step is never changed once a version that writes its result has been released.
"""

from __future__ import annotations

from typing import Any

from paxtui.engine.upcast import Upcasters

Raw = dict[str, Any]

UPCASTERS = Upcasters()
"""The steps, in the order of the versions."""

POSITION = "position"
"""The type by which a whole position (at the start of a log, in `position_set`) goes through the steps."""


def position_of_today(raw: Any) -> Any:
    """A raw position of any version in the form of today; what is no position at all stays as it is.

    Raises: UnknownVersion.
    """
    if not isinstance(raw, dict):
        return raw
    return {name: value for name, value in UPCASTERS.apply({**raw, "type": POSITION}).items() if name not in _SIGNS}


def stamped_position(raw: Raw) -> Raw:
    """A raw position of today with its version."""
    return {name: value for name, value in UPCASTERS.stamp({**raw, "type": POSITION}).items() if name != "type"}


_SIGNS = ("type", "v")


# --- version 2: what a choice is about is a struct of its kind, no loose notes ------------------------------------


def _choice(raw: Raw) -> Raw:
    """`kind` and `data` of a choice become what it is `about`."""
    rest = {name: value for name, value in raw.items() if name not in ("kind", "data")}
    notes = dict(raw.get("data", {}))
    if "kind" in notes:  # of the units that retreat
        notes["unit_kind"] = notes.pop("kind")
    return {**rest, "about": {**notes, "kind": raw["kind"]}}


@UPCASTERS.step("choice_offered", 1)
def _choice_offered(raw: Raw) -> Raw:
    return {**raw, "choice": _choice(raw["choice"])}


@UPCASTERS.step(POSITION, 1)
def _position(raw: Raw) -> Raw:
    return {**raw, "choices": [_choice(c) for c in raw.get("choices", ())]}


@UPCASTERS.step("position_set", 1)
def _position_set(raw: Raw) -> Raw:
    return {**raw, "state": _position(raw["state"])}
