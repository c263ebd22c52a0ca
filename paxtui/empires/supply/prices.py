"""What depot supply costs. All in halves of a money point, until the sum is rounded up.

Rules: EIA 7.4.2
"""

from __future__ import annotations

from collections.abc import Iterable

FARTHEST = 3
"""Areas between a corps and the depot it lives on, at the most."""

IN_PLACE = 1
"""Halves of a point for a corps in the area of the depot, or a besieged port garrison on sea supply."""


def price(distance: int, winter: bool) -> int:
    """Halves of a money point for a corps `distance` areas from its depot.

    Args: areas to the depot, 0 to 3; whether it is winter and the corps is in the winter zone.
    Raises: ValueError, farther away.
    Rules: EIA 7.4.2.1.1, 7.4.2.1.2, 7.4.2.1.3
    """
    if not 0 <= distance <= FARTHEST:
        raise ValueError(f"no depot supply over {distance} areas")
    halves = 2 * distance if distance else IN_PLACE
    return 2 * halves if winter else halves


def bill(halves: Iterable[int]) -> int:
    """Money points for all that is supplied together.

    Rules: EIA 7.4.2.1
    """
    return -(-sum(halves) // 2)
