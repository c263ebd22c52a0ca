"""The Congress of Europe: where it attends, what it votes for, and what it signs."""

from __future__ import annotations

from paxtui.bots.act import Act
from paxtui.bots.caretaker import answers as orders
from paxtui.bots.caretaker.calls import said
from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.statesman.outlook import Outlook
from paxtui.pax.board.status import established
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.pieces import PROTECTORATE
from paxtui.pax.state.questions import Attend, Ballot, Pending, Signature
from paxtui.pax.state.treaty import Clause

PAY, LOWER, TRANSFER, CODOMINION, GRANT = "pay", "lower", "transfer", "codominion", "grant"


def sitting(outlook: Outlook, desk: Desk) -> list[Act]:
    """What it does in a Congress without being asked: nothing that the questions do not bring."""
    return []


def answer(outlook: Outlook, desk: Desk, choice: Pending) -> Act:
    """The answer to a question of a Congress."""
    if isinstance(choice.about, Attend):
        return said(ac.Choose(choice.id, ("attend",)), "Who attends has a vote")
    if isinstance(choice.about, Ballot):
        gain = gain_of(outlook, desk, choice.about.proposal)
        if gain < -1:
            return said(ac.Choose(choice.id, ("no", "sign")), f"The proposal would cost it some £{-gain:.0f}")
        if gain > 1:
            return said(ac.Choose(choice.id, ("yes", "sign")), f"The proposal would bring it some £{gain:.0f}")
        return said(ac.Choose(choice.id, ("yes", "sign")), "It loses nothing by a settlement, and Europe gains")
    if isinstance(choice.about, Signature):
        return said(ac.Choose(choice.id, ("sign",)), "To refuse would give every member a Casus Belli")
    return orders.answer(desk, choice)


def gain_of(outlook: Outlook, desk: Desk, proposal_id: str) -> float:
    """Pounds that a proposal before the Congress brings the Power by the end of the game."""
    congress = desk.state.congress
    proposal = congress.proposal(proposal_id) if congress else None
    return sum(_gain(outlook, desk, clause) for clause in proposal.clauses) if proposal else 0.0


def _gain(outlook: Outlook, desk: Desk, clause: Clause) -> float:
    """Pounds that one clause brings the Power."""
    power, state = desk.power, desk.state
    if clause.kind == PAY:
        pounds = outlook.now * clause.amount
        return pounds if clause.to == power else -pounds if clause.power == power else 0.0
    total = 0.0
    for area in clause.places:
        own = established(state, area, power)
        old = outlook.worth(state, area, own.marker) if own else 0.0
        if clause.kind == LOWER and clause.power == power:
            total += outlook.worth(state, area, clause.marker) - old
        elif clause.kind == TRANSFER and power in (clause.power, clause.to):
            new = clause.marker or PROTECTORATE
            total += outlook.worth(state, area, new) if clause.to == power else -old
        elif clause.kind in (CODOMINION, GRANT) and power in (*clause.against, clause.to):
            total += outlook.worth(state, area, PROTECTORATE) - old
    return total
