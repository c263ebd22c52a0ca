"""Rules 1 to 3 among the questions: calls to War, duties of Treaties, the Congress.

Rules: ORD-005, ORD-006, ORD-007, ORD-008, ORD-012, ORD-047, CON-043, CON-044 (R-ORD-07, R-ORD-16)
"""

from __future__ import annotations

from paxtui.bots.act import Act
from paxtui.bots.caretaker.desk import Desk, brings_great_war
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.choices import default_of
from paxtui.pax.state.questions import Ballot, Call, Duty, Pending
from paxtui.pax.war.calls import REFUSE
from paxtui.pax.words.spoken import power_name


def answer_call(desk: Desk, choice: Pending, call: Call) -> Act:
    """Come when a Treaty calls, unless that is the Great War and staying away is not.

    Rules: ORD-005, ORD-006, ORD-007, CON-043 (R-ORD-16)
    """
    name = power_name(desk.tables, call.partner)
    join, refuse = (ac.Choose(choice.id, (word,)) for word in (default_of(choice)[0], REFUSE))
    if brings_great_war(desk.tables, desk.state, desk.seat, join):
        if not brings_great_war(desk.tables, desk.state, desk.seat, refuse):
            return said(refuse, f"Rule 1: to come to the aid of {name} would be the Great War")
    return said(join, f"Rule 2: the Treaty with {name} is honoured")


def answer_duty(desk: Desk, choice: Pending, duty: Duty) -> Act:
    """Do what a Treaty asks for, unless that is the Great War and breaking it is not.

    Rules: ORD-005, ORD-006, ORD-007 (R-ORD-16)
    """
    keep, broken = (ac.Choose(choice.id, (word,)) for word in ("keep", "break"))
    if brings_great_war(desk.tables, desk.state, desk.seat, keep):
        if not brings_great_war(desk.tables, desk.state, desk.seat, broken):
            return said(broken, "Rule 1: what the Treaty asks for would be the Great War")
    return said(keep, "Rule 2: the Treaty is honoured")


def vote(desk: Desk, choice: Pending, ballot: Ballot) -> Act:
    """Abstain, and sign what the others adopt. Rules: ORD-008, ORD-047, CON-044."""
    words = ac.Choose(choice.id, ("abstain", "sign"))
    return said(words, "Rule 3: it has no vote of its own, and signs what is adopted")


def said(action: ac.Choose, why: str) -> Act:
    """An answer as an act of the orders."""
    return Act(f"choose {action.id} {' '.join(action.answer)}".strip(), why)
