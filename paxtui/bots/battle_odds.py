"""Odds of a field combat by the combat tables, and the chits that they recommend.

Every pair of chits is played with the same throws of dice; a mixture of chits is found by fictitious play.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from paxtui.empires.battle.chits import OUTFLANK, who_divides
from paxtui.empires.battle.rounds import PLAIN, Side, exchange
from paxtui.empires.tables.field_combat import ATTACKER_CHITS, DEFENDER_CHITS, ROUNDS, FieldCombat, Pairing
from paxtui.engine.dice import draw

DAYS = 2
"""Days of a combat."""

THROWS = 12
"""Combats that are played for each pair of chits."""

DICE_EACH = 10
"""Dice of one such combat: four for each side in rounds, two for rolls to withdraw or to arrive."""

ITERATIONS = 60
"""Rounds of fictitious play."""

PINNING = 0.45
"""Share of an outflanking side that fights before the outflanking force arrives."""

LOSS_WEIGHT = 0.5
"""Worth of losing all factors, where losing the combat is worth 1."""


class Army(NamedTuple):
    """One side of a combat: factors, morale in tenths, ratings, and whether it may outflank."""

    factors: int
    morale: int
    strategic: int
    tactical: int
    can_outflank: bool


class Odds(NamedTuple):
    """What a combat is worth to the attacker, from -1 to 1, and how often each side should pick each of its chits."""

    value: float
    attacker: tuple[tuple[str, float], ...]
    defender: tuple[tuple[str, float], ...]


_SEQUENCES = tuple(tuple(1 + draw(f"battle odds|{n}", at, 6) for at in range(DICE_EACH)) for n in range(THROWS))
_TABLES: dict[int, FieldCombat] = {}


def battle_odds(tables: FieldCombat, attacker: Army, defender: Army, terrain: str, river: bool) -> Odds:
    """Return the odds of a combat. Args: the tables; both sides; the terrain; whether the attack is over a river."""
    _TABLES[id(tables)] = tables
    return _odds(id(tables), _rounded(attacker), _rounded(defender), terrain, river)


def _rounded(army: Army) -> Army:
    """Return an army with its numbers rounded, so that odds are found again in the cache."""
    step = 1 if army.factors < 8 else 2 if army.factors < 16 else 4 if army.factors < 40 else 8
    return army._replace(factors=max(1, step * round(army.factors / step)), morale=3 * round(army.morale / 3))


@lru_cache(maxsize=4096)
def _odds(key: int, attacker: Army, defender: Army, terrain: str, river: bool) -> Odds:
    tables = _TABLES[key]
    own = [one for one in ATTACKER_CHITS if attacker.can_outflank or one != OUTFLANK]
    others = [one for one in DEFENDER_CHITS if defender.can_outflank or one != OUTFLANK]
    worth = [[_mean(tables, tables.pairing(a, d, river), attacker, defender, terrain) for d in others] for a in own]
    counts_a, counts_d = [0] * len(own), [0] * len(others)
    sums_a, sums_d = [0.0] * len(own), [0.0] * len(others)
    low = high = 0.0
    for number in range(1, ITERATIONS + 1):
        a = max(range(len(own)), key=sums_a.__getitem__)
        d = min(range(len(others)), key=sums_d.__getitem__)
        counts_a[a] += 1
        counts_d[d] += 1
        for at in range(len(own)):
            sums_a[at] += worth[at][d]
        for at in range(len(others)):
            sums_d[at] += worth[a][at]
        low, high = min(sums_d) / number, max(sums_a) / number
    return Odds(
        (low + high) / 2,
        tuple((chit, count / ITERATIONS) for chit, count in zip(own, counts_a, strict=True)),
        tuple((chit, count / ITERATIONS) for chit, count in zip(others, counts_d, strict=True)),
    )


def _mean(tables: FieldCombat, pairing: Pairing, attacker: Army, defender: Army, terrain: str) -> float:
    return sum(_fight(tables, pairing, attacker, defender, terrain, dice) for dice in _SEQUENCES) / THROWS


def _fight(
    tables: FieldCombat, pairing: Pairing, attacker: Army, defender: Army, terrain: str, dice: tuple[int, ...]
) -> float:
    """Play a combat of up to `DAYS` days; return what it is worth to the attacker."""
    left = [attacker.factors, defender.factors]
    for day in range(DAYS):
        result = _day(tables, pairing, (attacker, defender), left, terrain, dice[::-1] if day else dice)
        if result is not None:
            return result + _losses(attacker, defender, left)
    return _losses(attacker, defender, left)


def _day(
    tables: FieldCombat,
    pairing: Pairing,
    armies: tuple[Army, Army],
    left: list[int],
    terrain: str,
    dice: tuple[int, ...],
) -> float | None:
    """Play one day, and take its losses off `left`; return who has won, 0 for a withdrawal, None for nobody."""
    attacker, defender = armies
    shifts = tables.terrain.get(terrain, PLAIN)
    divides = who_divides(pairing.attacker, pairing.defender)
    if pairing.withdrawal is not None and dice[8] <= defender.strategic + pairing.withdrawal:
        return 0.0
    flanker = attacker if divides == "attacker" else defender
    morale = [attacker.morale, defender.morale]
    arrived = False
    for number in range(1, ROUNDS + 1):
        if pairing.outflank and number > 1 and not arrived:
            needed = flanker.strategic + pairing.outflank[number - 2] + shifts.outflank
            arrived = dice[6 + number] <= needed
        share_a = PINNING if divides == "attacker" and not arrived else 1.0
        share_d = PINNING if divides == "defender" and not arrived else 1.0
        sides = (
            Side(max(1, round(left[0] * share_a)), attacker.tactical),
            Side(max(1, round(left[1] * share_d)), defender.tactical),
        )
        throw = (dice[2 * number - 2], dice[2 * number - 1])
        attack, defence = exchange(tables, pairing, number, sides, throw, arrived, shifts)
        left[:] = [left[0] - defence.losses, left[1] - attack.losses]
        morale = [morale[0] - defence.morale, morale[1] - attack.morale]
        beaten = [morale[0] <= 0 or left[0] <= 0, morale[1] <= 0 or left[1] <= 0]
        if any(beaten):
            return 1.0 if not beaten[0] or (beaten[1] and morale[0] > morale[1]) else -1.0
    return None


def _losses(attacker: Army, defender: Army, left: list[int]) -> float:
    lost_a = 1 - max(0, left[0]) / attacker.factors
    lost_d = 1 - max(0, left[1]) / defender.factors
    return LOSS_WEIGHT * (lost_d - lost_a)
