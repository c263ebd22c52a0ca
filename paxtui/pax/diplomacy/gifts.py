"""Gifts of money from one Treasury to another.

Rules: MOV-020, NEG-014, SET-030, AUS-010, AUS-011, EVT-018 (R-MOV-06)
"""

from __future__ import annotations

from paxtui.pax.board.status import (
    seat_of,
)
from paxtui.pax.expansion import duties
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import offers
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.questions import MoneyOffer, Pending


def pay(play: Play, power: str, action: ac.Pay) -> None:
    """Offer pounds to another Power; Germany's to Austria-Hungary arrive at once.

    Raises: Refusal.
    Rules: MOV-020, NEG-014, EVT-018 (R-MOV-06)
    """
    check_gift(play, power, action.to, action.amount)
    duties.check_spending(play, power, action.amount)
    if seat_of(play.tables, play.state, power) == seat_of(play.tables, play.state, action.to):
        hand_money(play, power, action.to, action.amount, _gift_rules(play))
        return
    prompt = f"{play.tables.powers[power].name} offers £{action.amount}"
    offers.put(play, MoneyOffer(power, action.to, action.amount), "", prompt, "MOV-020")


def answer_money(play: Play, choice: Pending, offer: MoneyOffer, answer: tuple[str, ...]) -> None:
    """Take or decline an offer of money.

    Raises: Refusal, when the giver cannot give it any more.
    """
    if offers.accepted(choice, answer):
        check_gift(play, offer.giver, offer.to, offer.amount)
        duties.check_spending(play, offer.giver, offer.amount)
        hand_money(play, offer.giver, offer.to, offer.amount, _gift_rules(play))


def check_gift(play: Play, giver: str, to: str, amount: int) -> None:
    """Whether one Power may give another money, whatever it has.

    Raises: Refusal `unknown_power`, `no_treasury`, `yourself`, `gives_nobody`, `one_giver`, `amount`.
    Rules: MOV-020, SET-030, AUS-010, AUS-011 (R-MOV-06)
    """
    tables, state = play.tables, play.state
    for power in (giver, to):
        if power not in tables.powers:
            refuse("unknown_power", (), f"There is no Power {power!r}.")
        if power not in state.powers:
            refuse(
                "no_treasury",
                ("MOV-020", "SET-030"),
                f"{tables.powers[power].name} is a Minor Power: it has no Treasury, and neither gives nor takes money.",
            )
    if giver == to:
        refuse("yourself", ("MOV-020",), "Money can only be given to another Power.")
    if tables.powers[giver].seat:
        refuse("gives_nobody", ("MOV-020", "AUS-011"), f"{tables.powers[giver].name} gives money to nobody.")
    if tables.powers[to].seat not in ("", giver):
        refuse(
            "one_giver",
            ("MOV-020", "AUS-010"),
            f"{tables.powers[to].name} takes money from {tables.powers[tables.powers[to].seat].name} only.",
        )
    if amount < 1:
        refuse("amount", ("MOV-020",), f"A gift is £1 or more, not £{amount}.")


def _gift_rules(play: Play) -> tuple[str, ...]:
    return ("MOV-020",) if play.state.phase == "movement" else ("NEG-014",)


def hand_money(play: Play, giver: str, to: str, amount: int, rules: tuple[str, ...]) -> None:
    """Pounds go from one Treasury into another. `rules`: by which."""
    play.money(giver, -amount, f"gift to {play.tables.powers[to].name}", rules)
    play.money(to, amount, f"gift of {play.tables.powers[giver].name}", rules)
