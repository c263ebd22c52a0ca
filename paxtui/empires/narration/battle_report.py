"""Field combats as reports that stay: who fought where, by which chits, what each round cost, how it ended."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from paxtui.empires.history.battle_events import BattleBegan, BattleOver, ChitsShown, RoundFought
from paxtui.empires.history.event import Event


class RoundReport(msgspec.Struct, frozen=True, kw_only=True):
    """One round: for attacker and defender the modified die, the factors lost and the morale left, in tenths."""

    day: int
    number: int
    dice: tuple[int, int]
    lost: tuple[int, int]
    morale: tuple[int, int]


class BattleReport(msgspec.Struct, frozen=True, kw_only=True):
    """A field combat.

    Attributes:
        area: where.
        attackers, defenders: the Powers.
        corps: how many counters fought on each side.
        chits: for each day the chits of attacker and defender.
        rounds: in order.
        lost: factors lost in rounds by attacker and defender.
        winner: the Power that won, "" for nobody.
        why: how it ended, "" while it goes on.
    """

    area: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    corps: tuple[int, int]
    chits: tuple[tuple[str, str], ...] = ()
    rounds: tuple[RoundReport, ...] = ()
    lost: tuple[int, int] = (0, 0)
    winner: str = ""
    why: str = ""


def battle_reports(events: Iterable[Event]) -> tuple[BattleReport, ...]:
    """Return the reports of all field combats in some events, in order; the last one may go on.

    Args: the events of a game as a seat may see them.
    """
    reports: list[BattleReport] = []
    day = 1
    for event in events:
        if isinstance(event, BattleBegan):
            day = event.battle.day
            if day == 1 or not reports:
                attacker, defender = event.battle.attacker, event.battle.defender
                sizes = (len(attacker.corps), len(defender.corps))
                reports.append(
                    BattleReport(
                        area=event.battle.area, attackers=attacker.powers, defenders=defender.powers, corps=sizes
                    )
                )
        elif reports and isinstance(event, ChitsShown):
            reports[-1] = replace(reports[-1], chits=(*reports[-1].chits, (event.attacker, event.defender)))
        elif reports and isinstance(event, RoundFought):
            dice = (event.attacker.die + event.attacker.modifier, event.defender.die + event.defender.modifier)
            one = RoundReport(day=day, number=event.number, dice=dice, lost=event.lost, morale=event.morale)
            lost = (reports[-1].lost[0] + event.lost[0], reports[-1].lost[1] + event.lost[1])
            reports[-1] = replace(reports[-1], rounds=(*reports[-1].rounds, one), lost=lost)
        elif reports and isinstance(event, BattleOver):
            reports[-1] = replace(reports[-1], winner=event.winner, why=event.why)
    return tuple(reports)
