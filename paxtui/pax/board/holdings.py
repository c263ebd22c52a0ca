"""Who holds what: the established markers of every Power, gathered once a position.

Rules: SET-048, SET-082
"""

from __future__ import annotations

from paxtui.pax.board.remembered import remembered
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import AreaState


def holdings(state: State, power: str) -> list[tuple[str, str]]:
    """Established markers of a Power as (area, kind), linked or not, in the order of the map. Not to be changed."""
    return _markers(state.areas).get(power, [])


@remembered(most=8, by=lambda areas: ((), (areas,)))
def _markers(areas: dict[str, AreaState]) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for name, here in areas.items():
        for m in here.markers:
            if m.established:
                found.setdefault(m.power, []).append((name, m.marker))
    return found
