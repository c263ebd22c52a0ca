"""All that decides how one place is drawn: its label and the colour of its territory."""

from __future__ import annotations

from dataclasses import dataclass

from paxtui.tui.map.scene import NO_SEGMENTS, PlaceMark, Segments


@dataclass(frozen=True, slots=True)
class Look:
    """How a place is drawn.

    Attributes:
        mark: what stands there.
        cursor: whether the cursor stands there.
        lit: whether it may be chosen.
        cost: what it costs to go there.
        dim: whether it steps back.
        heat: how hot it is on a map of heat, from 0 to 1; None where the map is none.
        fleets: what lies in a Sea Zone.
    """

    mark: PlaceMark
    cursor: bool = False
    lit: bool = False
    cost: str = ""
    dim: bool = False
    heat: float | None = None
    fleets: Segments = NO_SEGMENTS
