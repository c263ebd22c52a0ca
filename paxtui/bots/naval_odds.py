"""Odds of a naval combat by the combat tables: every throw of the dice for the wind and for both broadsides."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple

from paxtui.empires.naval.battle.broadsides import ROWS
from paxtui.empires.naval.battle.gunnery import casualties, fire_roll, wind_roll
from paxtui.empires.naval.battle.victory import points, winner
from paxtui.empires.tables.tables import Tables

Wind = Literal["attacker", "defender", "nobody", "dice"]
"""Who has the wind gauge, or that dice decide."""

DICE = range(1, 7)

UNKNOWN = 15
"""Per cent that a broadside sinks if the table has no cell for its roll."""


class Squadron(NamedTuple):
    """One side of a combat: ships, fleet counters, Powers, and whether Nelson commands it."""

    ships: int
    fleets: int
    powers: tuple[str, ...]
    has_nelson: bool


class NavalOdds(NamedTuple):
    """What a combat means to the attacker.

    Attributes:
        win, defeat: the probabilities of both; the rest are draws.
        points: expected political points, the attacker's less the defender's.
        ships: expected losses, the defender's less the attacker's.
    """

    win: float
    defeat: float
    points: float
    ships: float


_TABLES: dict[int, Tables] = {}


def naval_odds(tables: Tables, attacker: Squadron, defender: Squadron, wind: Wind) -> NavalOdds:
    """Return the odds of a combat that is fought, without harbour guns."""
    _TABLES[id(tables)] = tables
    return _odds(id(tables), attacker, defender, wind)


@lru_cache(maxsize=4096)
def _odds(tables_id: int, attacker: Squadron, defender: Squadron, wind: Wind) -> NavalOdds:
    tables = _TABLES[tables_id]
    if wind == "dice":
        rolls = [
            wind_roll(a, attacker.powers, attacker.has_nelson) - wind_roll(d, defender.powers, defender.has_nelson)
            for a, d in product(DICE, DICE)
        ]
        shares: tuple[tuple[Wind, int], ...] = (
            ("attacker", sum(one > 0 for one in rolls)),
            ("defender", sum(one < 0 for one in rolls)),
            ("nobody", sum(one == 0 for one in rolls)),
        )
        parts = [(_odds(tables_id, attacker, defender, who), count / len(rolls)) for who, count in shares if count]
        return NavalOdds(*(sum(odds[at] * share for odds, share in parts) for at in range(4)))
    won, lost = _swing(defender, attacker), _swing(attacker, defender)
    wins = defeats = sunk = 0
    for ours, theirs in product(DICE, DICE):
        gone, gone_there = _losses(tables, attacker, defender, wind, ours, theirs)
        result = winner((attacker.ships, gone), (defender.ships, gone_there))
        wins += result == "attacker"
        defeats += result == "defender"
        sunk += gone_there - gone
    total = len(DICE) ** 2
    return NavalOdds(wins / total, defeats / total, (wins * won - defeats * lost) / total, sunk / total)


def _swing(loser: Squadron, victor: Squadron) -> int:
    """Return the points between both sides after a defeat."""
    gained, paid = points(loser.fleets, victor.has_nelson, loser.has_nelson)
    return gained - paid


def _losses(
    tables: Tables, attacker: Squadron, defender: Squadron, wind: Wind, ours: int, theirs: int
) -> tuple[int, int]:
    """Return the ships that the attacker and the defender lose with these dice."""
    if wind == "attacker":
        gone_there = min(defender.ships, _sunk(tables, attacker, attacker.ships, ours))
        return min(attacker.ships, _sunk(tables, defender, defender.ships - gone_there, theirs)), gone_there
    gone = min(attacker.ships, _sunk(tables, defender, defender.ships, theirs))
    firing = attacker.ships if wind == "nobody" else attacker.ships - gone
    return gone, min(defender.ships, _sunk(tables, attacker, firing, ours))


def _sunk(tables: Tables, squadron: Squadron, ships: int, die: int) -> int:
    """Return what some ships of a squadron sink with a die."""
    if ships <= 0:
        return 0
    roll = fire_roll(die, squadron.powers)
    cell = f"naval.combat.{roll}"
    percent = tables.number(cell) if roll in ROWS and cell in tables.cells else UNKNOWN
    return casualties(tables.casualties, percent, ships)
