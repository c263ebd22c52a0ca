"""A state with one part of it changed: units in a place, an Area, a Power."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from paxtui.pax.state.model import PowerState, State
from paxtui.pax.state.pieces import AreaState, Unit

EMPTY = AreaState()
"""What is in an Area of which the state says nothing."""


def with_units(state: State, place: str, units: Iterable[Unit]) -> State:
    """The state with other Military Units in an Area or a Home Country, or at sea."""
    if place.startswith("home:"):
        return replace(state, homes={**state.homes, place[5:]: tuple(units)})
    area = state.areas.get(place)
    if area is None:
        there = {**state.at_sea, place: tuple(units)}
        return replace(state, at_sea={zone: left for zone, left in there.items() if left})
    return replace(state, areas={**state.areas, place: replace(area, units=tuple(units))})


def with_area(state: State, area: str, **changes: Any) -> State:
    """The state with some fields of an Area changed."""
    return replace(state, areas={**state.areas, area: replace(state.areas.get(area, EMPTY), **changes)})


def with_power(state: State, power: str, **changes: Any) -> State:
    """The state with some fields of a Power changed."""
    return replace(state, powers={**state.powers, power: replace(state.powers.get(power, PowerState()), **changes)})
