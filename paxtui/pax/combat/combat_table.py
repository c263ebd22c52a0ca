"""The Combat Results Tables as Colonial Combat reads them: table, column, die, and what the result means.

Rules: CCB-006, CCB-043 to CCB-060
"""

from __future__ import annotations

import msgspec

from paxtui.pax.board.tables import Ratio, Tables

ELIMINATED, RETREAT, LOSSES, DEFEATED = "eliminated", "retreat", "losses", "defeated"

SMALL = 5
"""Strength points of the smaller force from which Table 2 is used (CCB-043)."""


class Outcome(msgspec.Struct, frozen=True):
    """What a result does: `effect` to the attackers, `losses` strength points they lose at least, its rules."""

    effect: str
    losses: int
    rules: tuple[str, ...]


def table_for(attack: int, defend: int) -> int:
    """Combat Results Table 1, or 2 where the smaller force has 5 strength points or more.

    Rules: CCB-043
    """
    return 1 if min(attack, defend) < SMALL else 2


def column(tables: Tables, attack: int, defend: int) -> int:
    """Index of the ratio column, rounded in the Area's favour; the first one for anything worse than it.

    Args: strength points of attackers and Area, the latter not 0.
    Rules: CCB-044, CCB-045
    """
    reached = [i for i, ratio in enumerate(tables.ratios) if attack * ratio.defend >= defend * ratio.attack]
    return reached[-1] if reached else 0


def label(ratio: Ratio) -> str:
    """A ratio as it is printed: 3-2."""
    return f"{ratio.attack}-{ratio.defend}"


def look_up(tables: Tables, table: int, die: int, index: int) -> str:
    """The result of a die in a column: E, AR, EX, HX, DR or DE.

    Rules: CCB-046
    """
    return tables.combat[table][die - 1][index]


def read(result: str, attack: int, defend: int) -> Outcome:
    """What a result means for attackers of `attack` against an Area of `defend` strength points.

    Half of an odd Combat Strength is rounded up (R-CCB-13).
    Rules: CCB-047, CCB-048, CCB-052, CCB-054, CCB-055, CCB-057, CCB-058, CCB-059, CCB-060
    """
    if result == "E":
        return Outcome(ELIMINATED, 0, ("CCB-047",))
    if result == "AR":
        return Outcome(RETREAT, 0, ("CCB-048",))
    if result == "EX":
        if defend >= attack:
            return Outcome(ELIMINATED, 0, ("CCB-054", "CCB-060"))
        return Outcome(LOSSES, defend, ("CCB-052", "CCB-060"))
    if result == "HX":
        if defend > attack:
            return Outcome(ELIMINATED, 0, ("CCB-057", "CCB-060"))
        return Outcome(LOSSES, (defend + 1) // 2, ("CCB-055", "CCB-060"))
    return Outcome(DEFEATED, 0, ("CCB-058" if result == "DR" else "CCB-059",))
