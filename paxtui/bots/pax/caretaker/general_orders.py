"""Choose the actions and answers of a seat under General Orders. Deterministic for position, seat and seed.

Rules: CON-044, ORD-001, ORD-003, ORD-004, ORD-007, ORD-008, ORD-032, ORD-047
"""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.bots.pax.caretaker import forces, spending, war
from paxtui.bots.pax.caretaker.forces import is_superior, strength_there
from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.engine.bots import BotAction
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state import questions
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.questions import Pending, WarQuestion
from paxtui.games.pax.text.display import place_name
from paxtui.games.pax.transaction import default_answer

REFUSED_REASON = "Rule 2: no new agreement is signed, nothing is given and nothing taken"
DEFAULT_REASON = "What the rules take for granted"


def answer_question(planner: Planner, choice: Pending) -> BotAction:
    """The answer to a question, with its order.

    Rules: ORD-003, ORD-007, ORD-008, ORD-032, ORD-047
    """
    about = choice.about
    if isinstance(about, questions.Call):
        return war.answer_call(planner, choice, about)
    if isinstance(about, questions.Duty):
        return war.answer_duty(planner, choice)
    if isinstance(about, questions.Ballot):
        return war.cast_vote(choice)
    if isinstance(about, questions.Signature):
        return war.bot_answer(choice, ("sign",), "Rule 3: it signs what a Congress adopts")
    if isinstance(about, questions.FightOrDecline):
        return _answer_fight(planner, choice)
    if isinstance(about, questions.Combine):
        name = place_name(planner.tables, choice.area)
        return war.bot_answer(choice, ("combine",), f"Rule 7: it helps its partners in {name}")
    if isinstance(about, questions.Deficit):
        tense = planner.state.options.eti_for_lost_garrisons
        pieces = spending.choose_deficit_loss(planner.tables, choice, about, tense)
        return war.bot_answer(choice, pieces, "A deficit: the least tension, then the least value")
    if isinstance(about, WarQuestion):
        return war.answer_war_question(planner.tables, planner.state, choice)
    why = REFUSED_REASON if isinstance(about, questions.Offer) else DEFAULT_REASON
    return war.bot_answer(choice, default_answer(choice), why)


def _answer_fight(planner: Planner, choice: Pending) -> BotAction:
    """Attack at 3 to 2, and only then.

    Rules: ORD-022 (R-ORD-21)
    """
    force, against = strength_there(planner, choice.area), planner.tables.areas[choice.area].strength
    name = place_name(planner.tables, choice.area)
    odds = f"Rule 7a: {force} against {against} in {name}"
    if is_superior(force, against):
        return war.bot_answer(choice, (f"fight {choice.area}",), odds)
    return war.bot_answer(choice, (f"decline {choice.area}",), f"{odds} is less than 3 to 2")


def choose_caretaker_actions(tables: Tables, state: State, seat: str, seed: str | int) -> list[BotAction]:
    """What the seat does now, to be tried in turn; what is refused is left out.

    Args: the tables; the position as the seat knows it; the seat; the seed of the orders' own dice.
    Returns: questions are answered first; else the acts of the Phase, with `ready` at their end. Empty where the seat
        has nothing to do.
    Rules: ORD-001, ORD-003, ORD-004
    """
    if state.result is not None:
        return []
    asked = [choice for choice in state.choices if choice.seat == seat]
    if asked:
        return [answer_question(Planner(tables, state, seat, choice.power, str(seed)), choice) for choice in asked]
    if state.phase == "movement":
        return movement_actions(tables, state, seat, str(seed))
    if state.phase == "negotiation":
        return negotiation_actions(tables, state, seat, str(seed))
    return war.war_orders(tables, state, seat) if state.phase == "war" else []


def movement_actions(tables: Tables, state: State, seat: str, seed: str) -> list[BotAction]:
    """The Movement/Status Change Phase: Rules 4 to 8 for each Power of the seat."""
    acts: list[BotAction] = []
    for power in powers_of(tables, state, seat):
        planner = Planner(tables, state, seat, power, seed)
        spending.rebuild_garrisons(planner)
        war.arm_for_war(planner)
        spending.place_new_fleets(planner)
        spending.meet_event_demands(planner)
        forces.place_indian_army(planner)
        forces.bring_armies_home(planner)
        forces.maintain_control(planner)
        acts, state = [*acts, *planner.acts], planner.state
    fix = BotAction("garrison", "Rule 7: garrisons as the rules demand them")
    return [*acts, READY, fix, READY]


def negotiation_actions(tables: Tables, state: State, seat: str, seed: str) -> list[BotAction]:
    """The Negotiation Phase: Rule 4 for each Power of the seat."""
    acts: list[BotAction] = []
    for power in powers_of(tables, state, seat):
        planner = Planner(tables, state, seat, power, seed)
        war.declare_minor_wars(planner)
        war.yield_disputes(planner)
        acts, state = [*acts, *planner.acts], planner.state
    return [*acts, READY]


def refuse_drafts(tables: Tables, state: State, seat: str, why: str = REFUSED_REASON) -> list[BotAction]:
    """The answer to every draft that waits for the seat: no new agreement is signed. `why`: the reason.

    Rules: ORD-003
    """
    acts: list[BotAction] = []
    for power in powers_of(tables, state, seat):
        planner = Planner(tables, state, seat, power, "")
        for treaty in planner.unsigned_drafts():
            planner.do(actions.Reject(treaty.id), why)
        acts, state = [*acts, *planner.acts], planner.state
    return acts


NO_TREATIES = "We make no Treaties."
"""Answer of the bots that do not negotiate."""


def refuse_wish_questions(tables: Tables, askers: Sequence[str]) -> list[BotAction]:
    """Tell each seat that asks what the bot wants that it makes no Treaties."""
    return [BotAction(format_order(tables, Dispatch((asker,), NO_TREATIES))) for asker in askers]


READY = BotAction("ready", "The orders ask for nothing more")
