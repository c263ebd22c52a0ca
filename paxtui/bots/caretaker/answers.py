"""The answers of a Power under General Orders: there is one for every question that the rules ask.

Rules: ORD-003, ORD-007, ORD-008, ORD-032, ORD-047, CON-044
"""

from __future__ import annotations

from paxtui.bots.act import Act
from paxtui.bots.caretaker import calls, campaign, deficits
from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.caretaker.superiority import superior
from paxtui.bots.caretaker.unrest import strength_there
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.choices import default_of
from paxtui.pax.state import questions as qu
from paxtui.pax.state.questions import Pending
from paxtui.pax.state.war_questions import WarQuestion
from paxtui.pax.words.spoken import place_name

REFUSED = "Rule 2: no new agreement is signed, nothing is given and nothing taken"
TAKEN = "What the rules take for granted"


def answer(desk: Desk, choice: Pending) -> Act:
    """The answer to a question, with its order.

    Rules: ORD-003, ORD-007, ORD-008, ORD-032, ORD-047
    """
    about = choice.about
    if isinstance(about, qu.Call):
        return calls.answer_call(desk, choice, about)
    if isinstance(about, qu.Duty):
        return calls.answer_duty(desk, choice, about)
    if isinstance(about, qu.Ballot):
        return calls.vote(desk, choice, about)
    if isinstance(about, qu.Signature):
        return calls.said(ac.Choose(choice.id, ("sign",)), "Rule 3: it signs what a Congress adopts")
    if isinstance(about, qu.FightOrDecline):
        return _fight(desk, choice)
    if isinstance(about, qu.Combine):
        name = place_name(desk.tables, choice.area)
        return calls.said(ac.Choose(choice.id, ("combine",)), f"Rule 7: it helps its partners in {name}")
    if isinstance(about, qu.Deficit):
        tense = desk.state.options.eti_for_lost_garrisons
        pieces = deficits.give_up(desk.tables, choice, about, tense)
        return calls.said(ac.Choose(choice.id, pieces), "A deficit: the least tension, then the least value")
    if isinstance(about, WarQuestion):
        return campaign.answer(desk.tables, desk.state, choice)
    words = ac.Choose(choice.id, default_of(choice))
    return calls.said(words, REFUSED if isinstance(about, qu.Offer) else TAKEN)


def _fight(desk: Desk, choice: Pending) -> Act:
    """Attack at 3 to 2, and only then.

    Rules: ORD-022 (R-ORD-21)
    """
    force, against = strength_there(desk, choice.area), desk.tables.areas[choice.area].strength
    name = place_name(desk.tables, choice.area)
    odds = f"Rule 7a: {force} against {against} in {name}"
    if superior(force, against):
        return calls.said(ac.Choose(choice.id, (f"fight {choice.area}",)), odds)
    return calls.said(ac.Choose(choice.id, (f"decline {choice.area}",)), f"{odds} is less than 3 to 2")
