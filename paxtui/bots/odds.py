"""What a Colonial Combat is worth before the die is rolled: the chance to win, and the strength it costs.

The bot reads the same Combat Results Tables as the rules do; it never rolls.
"""

from __future__ import annotations

from typing import NamedTuple

from paxtui.pax.board.tables import Tables

BIG = 5
"""Strength of the smaller force from which Table 2 is used."""


class Odds(NamedTuple):
    """`win`: chance to defeat the Area, 0 to 1. `loss`: strength points lost on average."""

    win: float
    loss: float


def odds(tables: Tables, armies: tuple[int, ...], strength: int) -> Odds:
    """The odds of Army Units of these strengths against an Area of Combat Strength `strength`."""
    force = sum(armies)
    if not force:
        return Odds(0.0, 0.0)
    if not strength:
        return Odds(1.0, 0.0)
    column = _column(tables, force, strength)
    wins = lost = 0
    faces = tables.combat[2 if min(force, strength) >= BIG else 1]
    for row in faces:
        dead = _losses(row[column], armies, strength)
        lost += dead
        wins += row[column] in ("DR", "DE") or (row[column] in ("EX", "HX") and dead < force)
    return Odds(wins / len(faces), lost / len(faces))


def _column(tables: Tables, force: int, strength: int) -> int:
    """The column of the ratio, rounded in favour of the Area."""
    best = 0
    for i, ratio in enumerate(tables.ratios):
        if force * ratio.defend >= ratio.attack * strength:
            best = i
    return best


def _losses(result: str, armies: tuple[int, ...], strength: int) -> int:
    """Strength points that a result takes off the map."""
    force = sum(armies)
    if result == "E":
        return force
    if result not in ("EX", "HX"):
        return 0
    if strength > force or (strength == force and result == "EX"):
        return force
    need = strength if result == "EX" else (strength + 1) // 2
    sums = {0}
    for army in armies:
        sums |= {s + army for s in sums}
    return min(s for s in sums if s >= need)
