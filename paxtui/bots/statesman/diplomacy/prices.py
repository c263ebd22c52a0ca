"""What a signature costs: how much whoever gains less by a Treaty asks for, and when it is to be paid."""

from __future__ import annotations

from paxtui.bots.statesman.diplomacy.regard import Regard
from paxtui.bots.statesman.outlook import Outlook
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.exchanges import PAY
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import IN_FORCE

MOST, LEAST = 15, 4
"""Pounds that are asked for at most, and at least, for what brings the other more."""
SHARE = 0.5
"""What share of that is asked for: there are others to turn to, and they sign for less."""
TWICE = 2.0
"""How much more the other gains where more is asked for."""
NET_INCOME = "22"
"""The line of the record sheet that says what a Power has to spend."""
IDLE = 5
"""Game Turn from which most have more money than they have use for: the best Areas are taken, the pieces laid."""


def asked(regard: Regard, seller: Outlook, buyer: Outlook, brings: float, surplus: float) -> int:
    """Pounds that one side asks of the other: a share of what would bring both as many Victory Points; 0 for none.

    Args: how Powers stand; the judgement of each side; pounds at the end that the Treaty brings each as it stands.
    """
    state = regard.state
    if surplus < TWICE * brings:
        return 0
    purse = state.powers[buyer.power]
    means = max(purse.treasury, purse.record.get(NET_INCOME) or 0) // 2
    price = 1.0 / seller.point + buyer.pound(pay_day(regard.tables, state, buyer.power)) / buyer.point
    alike = (surplus / buyer.point - brings / seller.point) / price
    pounds = min(int(SHARE * alike), MOST, means)
    return pounds if pounds >= LEAST else 0


def pay_day(tables: Tables, state: State, power: str) -> int:
    """The Game Turn in which money that a Power has not got falls due; 0 for at once, where no turn is to come.

    Not before money is idle: till then whoever pays loses far more by it than the other gains, for money that changes
    hands in Negotiation buys Victory Points alone. Each of several debts has a turn of its own while there are any.
    """
    owed = {
        clause.turn
        for treaty in state.treaties
        for clause in (treaty.clauses if treaty.stage == IN_FORCE else ())
        if clause.kind == PAY.id and clause.power == power
    }
    to_come = range(state.turn + 1, len(tables.turns) + 1)
    idle = [turn for turn in to_come if turn >= IDLE] or list(to_come)
    return next((turn for turn in idle if turn not in owed), idle[0] if idle else 0)
