"""Treaties: what is offered to whom, and whether a duty is kept that one of them asks for."""

from __future__ import annotations

from paxtui.bots.act import Act
from paxtui.bots.caretaker import calls
from paxtui.bots.caretaker.calls import said
from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.statesman.outlook import Outlook
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.questions import Duty, Pending
from paxtui.pax.state.treaty import DRAFT, IN_FORCE, Clause
from paxtui.pax.words.spoken import power_name

DEFENSIVE = "defensive"


def offer(outlook: Outlook, desk: Desk) -> None:
    """Offer the defensive Treaties that bring Victory Points every turn."""
    tables, state, power = desk.tables, desk.state, desk.power
    for row in tables.bonuses_per_turn:
        test = row.treaty
        if row.power != power or test is None or DEFENSIVE not in (test.kind, "any"):
            continue
        bound = _partners(desk, power)
        if test.at_most and any(p in bound for p in test.partners):
            continue
        for partner in state.players:
            meant = partner in test.partners or (
                "european_great_powers" in test.partners and tables.powers[partner].european
            )
            if not meant or partner in (power, test.against) or partner in bound:
                continue
            clause = Clause(DEFENSIVE, against=(test.against,) if test.against else ())
            name = f"{power_name(tables, power)} and {power_name(tables, partner)} {state.turn}"
            why = f"It brings {row.points} Victory Points a turn, and {power_name(tables, partner)} an ally"
            desk.do(ac.Draft(name, (power, partner), (clause,), public=True), why)
            if test.at_most:
                break


def _partners(desk: Desk, power: str) -> set[str]:
    """Powers with which a defensive Treaty is in force or waits for a signature."""
    return {
        party
        for treaty in desk.state.treaties
        if treaty.stage in (DRAFT, IN_FORCE) and power in treaty.parties
        for party in treaty.parties
        if any(clause.kind == DEFENSIVE for clause in treaty.clauses)
    }


def answer_duty(outlook: Outlook, desk: Desk, choice: Pending, duty: Duty) -> Act:
    """Keep what is promised; the faithless break it where that costs less than it brings."""
    if outlook.who.faithless and duty.owes == desk.power:
        treaty = next((t for t in desk.state.treaties if t.id == duty.treaty), None)
        clause = treaty.clauses[duty.clause] if treaty else None
        if clause is not None and clause.amount * outlook.now > outlook.breach(desk.state):
            return said(ac.Choose(choice.id, ("break",)), f"£{clause.amount} is more than a promise is worth")
    return calls.answer_duty(desk, choice, duty)
