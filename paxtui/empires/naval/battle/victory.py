"""Who has won a naval combat, and what it is worth.

Rules: EIA 6.3.4
"""

from __future__ import annotations

from typing import Literal

Side = Literal["attacker", "defender"]

MOST_POINTS = 3
"""Political points for the beaten fleets, at most."""


def winner(attackers: tuple[int, int], defenders: tuple[int, int]) -> Side | None:
    """The side that has won, None for a draw.

    Args: ships at the beginning and ships lost, of the attacker and of the defender.

    Rules: EIA 6.3.4.1
    """
    ours, theirs = attackers[1], defenders[1]
    left, left_there = attackers[0] - ours, defenders[0] - theirs
    if left and ours < theirs:
        return "attacker"
    if left_there and theirs < ours:
        return "defender"
    if left and left_there:
        return "defender"
    return None


def points(fleets: int, nelson_won: bool, nelson_lost: bool) -> tuple[int, int]:
    """What the winner gains and what the loser loses, the second as a negative number.

    Args: the loser's fleets in the combat; whether Nelson commanded the winner; the loser.

    Rules: EIA 6.3.4.2, 6.3.4.2.1, 6.3.4.2.2
    """
    counted = min(fleets, MOST_POINTS)
    return counted + nelson_won, -counted - nelson_lost
