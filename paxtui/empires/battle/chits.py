"""Chits of a field combat: which may be chosen, who divides his force, and rolls against the strategic rating."""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.empires.tables.field_combat import ATTACKER_CHITS, DEFENDER_CHITS

ATTACKER, DEFENDER = "attacker", "defender"
SIDES = (ATTACKER, DEFENDER)

OUTFLANK, CORDON, WITHDRAW = "outflank", "cordon", "withdraw"


def open_chits(side: str, corps: Sequence[bool], leader: bool) -> tuple[str, ...]:
    """The chits a side may choose.

    Args: "attacker" or "defender"; for each of its corps whether it is artillery; whether it has a leader.
    Rules: EIA 7.5.2.1
    """
    chits = ATTACKER_CHITS if side == ATTACKER else DEFENDER_CHITS
    around = leader and sum(not artillery for artillery in corps) >= 2
    return tuple(chit for chit in chits if around or chit != OUTFLANK)


def who_divides(attacker: str, defender: str) -> str:
    """The side that divides its force, by the chits of both; "" for neither.

    Rules: EIA 7.5.2.2, 7.5.2.3
    """
    if attacker == OUTFLANK:
        return "" if defender in (OUTFLANK, CORDON) else ATTACKER
    return DEFENDER if defender == OUTFLANK else ""


def succeeds(die: int, rating: int, modifier: int) -> bool:
    """Whether a roll to withdraw or to arrive at the flank succeeds: the die is at most the strategic rating and what
    is added to it (reconstructed).
    """
    return die <= rating + modifier
