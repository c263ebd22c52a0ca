"""How far land counters go, and what an area costs to enter.

Rules: EIA 7.3.1
"""

from __future__ import annotations

from paxtui.empires.play.presence import ARTILLERY, CAVALRY, COSSACK, FREIKORPS, GUERRILLA, INFANTRY
from paxtui.empires.state.pieces import Corps

ROUGH = ("marsh", "mountain")
"""Terrain that costs two points to enter."""


def allowance(counter: str, swift: bool, forced: bool = False) -> int:
    """Movement points of a counter. For guerrillas: areas, whatever they cost.

    Args: its kind; whether it is a French infantry or artillery corps with its allowance in brackets; whether it force
        marches.
    Raises: ValueError, where it may not force march.
    Rules: EIA 7.3.1.1, 7.3.1.2
    """
    if forced and not may_force_march(counter):
        raise ValueError(f"{counter} does not force march")
    points = {CAVALRY: 5, COSSACK: 5, FREIKORPS: 5, GUERRILLA: 1}.get(counter, 4 if swift else 3)
    return points + int(forced)


def left(corps: Corps, forced: bool = False) -> int:
    """Movement points that a counter has left. Args: the counter; whether it would force march.

    Rules: EIA 7.3.1.1, 7.3.1.2
    """
    swift = corps.swift and corps.power == "france"
    return max(0, allowance(corps.kind, swift, (forced or corps.forced) and may_force_march(corps.kind)) - corps.moved)


def may_force_march(counter: str) -> bool:
    """Whether such a counter may force march at all.

    Rules: EIA 7.3.1.2
    """
    return counter in (INFANTRY, ARTILLERY)


def entry_cost(terrain: str, river: bool, arrow: bool, enemy_corps: bool) -> int:
    """Points to enter an area.

    Args: its terrain; whether a river or a sea crossing arrow lies between; whether an unbesieged enemy corps is there.
    Rules: EIA 7.3.1.3.1, 7.3.1.3.2, 7.3.1.3.3, 7.3.1.3.4
    """
    return 1 + int(terrain in ROUGH) + int(river and enemy_corps) + int(arrow)


def walked_cost(counter: str, cost: int) -> int:
    """What entering an area of that cost takes of a counter's points: for guerrillas always one area.

    Rules: EIA 7.3.1.1
    """
    return 1 if counter == GUERRILLA else cost
