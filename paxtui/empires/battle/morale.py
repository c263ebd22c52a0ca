"""Morale of a force in field combat: where it begins and when it breaks. The rules are reconstructed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paxtui.empires.play.factors import counts
from paxtui.empires.state.pieces import Factors


def base_morale(forces: Iterable[tuple[Mapping[str, int], Factors]]) -> int:
    """The morale of a force in tenths: the mean of its factors, half a tenth rounded up; 0 for no factors at all.

    Args: the parts of the force, each with the morale in tenths of its kinds of factors.
    Raises: KeyError, where a kind has no value.
    """
    total = weight = 0
    for values, factors in forces:
        for kind, count in counts(factors):
            total += count
            weight += values[kind] * count
    return (2 * weight + total) // (2 * total) if total else 0


def broken(morale: int, factors: int) -> bool:
    """Whether a side breaks: its morale or its factors are gone."""
    return morale <= 0 or factors <= 0


def loser_of(attacker: int, defender: int, attackers: int, defenders: int) -> str:
    """Who has lost after a round: "attacker", "defender", or "" while neither breaks.

    Where both break, the one with more morale left has won, and the defender where they are equal (ours: 7.5.2.10.4 is
    missing). Args: morale in tenths; factors left.
    """
    gone, beaten = broken(attacker, attackers), broken(defender, defenders)
    if gone and beaten:
        return "attacker" if attacker <= defender else "defender"
    return "attacker" if gone else "defender" if beaten else ""
