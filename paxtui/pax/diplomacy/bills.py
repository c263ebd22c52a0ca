"""What a settlement costs: gifts and the prices of new markers, paid together.

Rules: NEG-014, NEG-015, STA-004, EVT-018 (R-NEG-03)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from paxtui.pax.diplomacy.gifts import hand_money
from paxtui.pax.expansion import duties
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.words.spoken import power_name


class Bill(NamedTuple):
    """Pounds that `payer` spends on `what` (`to` empty), or gives to `to`."""

    payer: str
    to: str
    pounds: int
    what: str
    rules: tuple[str, ...]


def settle(play: Play, bills: Sequence[Bill]) -> None:
    """Pay everything. What counts is the whole: money received in a settlement may be spent in it.

    Raises: Refusal `no_money`, or another of spending.
    Rules: NEG-014, NEG-015, STA-004, EVT-018 (R-NEG-03)
    """
    balance: dict[str, int] = {}
    for bill in bills:
        balance[bill.payer] = balance.get(bill.payer, 0) + bill.pounds
        if bill.to:
            balance[bill.to] = balance.get(bill.to, 0) - bill.pounds
    for power, due in balance.items():
        treasury = play.state.powers[power].treasury
        if due > treasury:
            refuse(
                "no_money",
                ("NEG-015", "NEG-014", "STA-004"),
                f"Taken together this costs {power_name(play.tables, power)} £{due}; "
                f"it has £{treasury} in the Treasury.",
                price=due,
                treasury=treasury,
            )
        if due > 0:
            duties.check_spending(play, power, due)
    left = list(bills)
    while left:
        # in an order in which nobody has to spend what he has not yet received, where there is one
        powers = play.state.powers
        bill = next((b for b in left if b.pounds <= powers[b.payer].treasury), left[0])
        left.remove(bill)
        if bill.to:
            hand_money(play, bill.payer, bill.to, bill.pounds, bill.rules)
        else:
            play.money(bill.payer, -bill.pounds, bill.what, bill.rules)
