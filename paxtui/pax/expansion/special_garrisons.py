"""The special garrisons: Britain's Indian Army and Russia's Western Garrison, and where they have to be.

Rules: STA-042, STA-044, STA-045, STA-047, STA-048, STA-050, STA-051 (R-STA-10 to R-STA-12, R-MIN-17, Decision 35)
"""

from __future__ import annotations

from paxtui.pax.board.neighbours import Board, board
from paxtui.pax.board.remembered import remembered
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY, Unit

INDIAN, WESTERN = "britain", "russia"
HEAVY, KEPT = 10, 3
"""Strength and number of the Army Units of the Indian Army and of the Western Garrison."""
STEPS = 2
"""Overland Route steps from India within which the Indian Army stands (STA-047)."""


def india_zone(tables: Tables, state: State) -> frozenset[str]:
    """Areas within two Overland Route steps of India, whoever owns the Areas between.

    Rules: STA-044, STA-047
    """
    return _india_zone(tables, board(tables, state))


@remembered(most=16, by=lambda tables, map_: ((), (tables, map_)))
def _india_zone(tables: Tables, map_: Board) -> frozenset[str]:
    zone = set(tables.area_lists["india"])
    for _ in range(STEPS):
        zone |= {p for area in zone for p in map_.routes.get(area, ()) if not p.startswith(HOME)}
    return frozenset(zone)


def western_zone(tables: Tables) -> frozenset[str]:
    """Places of the Western Garrison; the table has the Home Country among them (STA-048)."""
    return frozenset(tables.area_lists["western_garrison"])


def heavies(state: State, power: str) -> dict[str, int]:
    """Army Units of strength 10 by place."""
    counts = {HOME + power: sum(is_heavy(u, power) for u in state.homes.get(power, ()))}
    for area, here in state.areas.items():
        n = sum(is_heavy(u, power) for u in here.units) if here.units else 0
        if n:
            counts[area] = n
    return counts


def is_heavy(unit: Unit, power: str) -> bool:
    """Whether the unit is an Army (10) of the Power."""
    return unit.power == power and unit.kind == ARMY and unit.strength == HEAVY


def indian_army(tables: Tables, state: State) -> int:
    """Army (10) Units of Britain where the Indian Army has to be, three at most.

    Rules: STA-045, STA-047
    """
    near = (u for area in india_zone(tables, state) for u in units_at(state, area))
    return min(KEPT, sum(is_heavy(u, INDIAN) for u in near))


def heavies_free(tables: Tables, state: State, power: str, start: str, end: str) -> int:
    """How many of the Power's Army (10) Units at `start` the Western Garrison lets go to `end`.

    Rules: STA-048, STA-050, STA-051 (R-MIN-17)
    """
    there = sum(is_heavy(u, power) for u in units_at(state, start))
    if power != WESTERN or end in (zone := western_zone(tables)):
        return there
    counts = heavies(state, power)
    if sum(counts.values()) <= KEPT:
        return 0
    if start not in zone:
        return there
    return min(there, max(0, sum(n for place, n in counts.items() if place in zone) - KEPT))


def check_western(play: Play, power: str, units: list[Unit], start: str, end: str) -> None:
    """Whether these armies may go from `start` to `end` as far as the Western Garrison is concerned.

    Raises: Refusal `western_garrison`.
    Rules: STA-048, STA-050
    """
    leaving = sum(is_heavy(u, power) for u in units)
    if not leaving or leaving <= heavies_free(play.tables, play.state, power, start, end):
        return
    counts = heavies(play.state, power)
    total = sum(counts.values())
    if total <= KEPT:
        refuse(
            "western_garrison",
            ("STA-050",),
            f"With {total} Army (10) Units none may leave Russia, the Balkans and Anatolia; smaller armies may.",
        )
    within = sum(n for place, n in counts.items() if place in western_zone(play.tables))
    refuse(
        "western_garrison",
        ("STA-048",),
        f"Three Army (10) Units must stay in Russia, the Balkans and Anatolia; {within} are there.",
    )
