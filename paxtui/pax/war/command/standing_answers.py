"""What a Power without a player answers where the default of a question is taken: what the General Orders say.

Whoever takes the default, `step`, a deadline or the caretaker, gets the same answer (Decision 60).

Rules: ORD-005, ORD-006, ORD-007, ORD-038, ORD-046, WEN-031
"""

from __future__ import annotations

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import abandoned
from paxtui.pax.board.tables import Tables
from paxtui.pax.play.choices import Answer, default_of, made
from paxtui.pax.play.play import GameOver, Play
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Call, Defence, EndWaiver, JoinAttack, Pending
from paxtui.pax.state.war_questions import ON_A_DECLARATION
from paxtui.pax.war import calls, declarations
from paxtui.pax.war.alliances import ally_seats
from paxtui.pax.war.campaign import battle
from paxtui.pax.war.command import general_orders
from paxtui.pax.war.cycle import current
from paxtui.pax.war.outcome import ends

_DICE = "general orders"
"""Seed of the dice of what is only tried; nothing of them is looked at."""


def standing_answer(tables: Tables, state: State, choice: Pending) -> Answer:
    """Return the default answer to a question, for an abandoned Power that of the General Orders.

    Rules: ORD-005, ORD-006, ORD-007, ORD-038, ORD-046, WEN-031 (Decision 60)
    """
    if not abandoned(tables, state, choice.power):
        return default_of(choice)
    about = choice.about
    if isinstance(about, Call | Defence):
        return _answer_to_call(tables, state, choice)
    if isinstance(about, EndWaiver) and is_alone(tables, state, choice.power, about.war):
        return (ends.GO_ON,)
    war = current(state)
    if isinstance(about, JoinAttack) and war is not None:
        if general_orders.too_weak(tables, state, war, choice.power, choice.area, about.unit_kind, about.aside):
            return (battle.ASIDE,)
    return default_of(choice)


def is_alone(tables: Tables, state: State, power: str, war_id: str) -> bool:
    """Whether no Great Power with a player fights beside a Power in a War. Rules: ORD-036 (R-ORD-25)."""
    war = next((w for w in state.wars if w.id == war_id), None)
    return war is not None and not ally_seats(tables, state, war, power)


def _answer_to_call(tables: Tables, state: State, choice: Pending) -> Answer:
    """Come when called, unless that is the Great War and staying away is not. Rules: ORD-005, ORD-006, ORD-007."""
    join, refuse = default_of(choice), (calls.REFUSE,)
    if ends_the_game(tables, state, choice, join) and not ends_the_game(tables, state, choice, refuse):
        return refuse
    return join


def ends_the_game(tables: Tables, state: State, choice: Pending, answer: Answer) -> bool:
    """Whether an answer to a call ends the game, once each Power that is called with it, or by it, has come.

    Rules: ORD-005, ORD-006
    """
    trial = Play(tables, state, Dice(_DICE))
    try:
        _take(trial, choice, answer)
        while other := next((c for c in trial.state.choices if isinstance(c.about, ON_A_DECLARATION)), None):
            _take(trial, other, default_of(other))
    except GameOver:
        return True
    except Refusal:
        return False
    return False


def _take(trial: Play, choice: Pending, answer: Answer) -> None:
    made(trial, choice, answer)
    if isinstance(choice.about, Call):
        declarations.answer_call(trial, choice, choice.about, answer)
    elif isinstance(choice.about, Defence):
        declarations.answer_defender(trial, choice, choice.about, answer)
    else:
        declarations.work_off(trial)
