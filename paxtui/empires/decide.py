"""What an act comes to: the door to all rules of the exercises."""

from __future__ import annotations

from paxtui.empires.battle import steps as battle
from paxtui.empires.history.time_events import StepDone
from paxtui.empires.naval import phase as naval
from paxtui.empires.orders.action import Action, Answer, Done
from paxtui.empires.orders.notation import text_of
from paxtui.empires.play.asking import answered
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.steps import Acts
from paxtui.empires.politics import steps as politics
from paxtui.empires.sequence import ANSWERS, go_on, step_of, waiting
from paxtui.empires.state.model import State
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time import announce
from paxtui.engine.dice import Dice

ACTS: Acts = {**announce.ACTS, **politics.ACTS, **naval.ACTS, **battle.ACTS}
"""What does each act, and the steps in which it is open."""


def played(tables: Tables, state: State, seat: str, action: Action, dice: Dice) -> Play:
    """What happens when a seat asks for an action.

    Args: the tables; the position; the Power; the action; the dice to roll.
    Returns: the events and the position after them.
    Raises: Refusal, and then nothing has happened.
    """
    play = attempted(tables, state, seat, action, dice)
    go_on(play)
    return play


def attempted(tables: Tables, state: State, seat: str, action: Action, dice: Dice) -> Play:
    """The act alone, without what follows from it. Args, Raises: as `played`."""
    play = Play(tables, state, dice)
    if seat not in state.powers:
        refuse("unknown_seat", f"'{seat}' has no seat; there are {', '.join(state.powers)}.")
    if state.result is not None:
        refuse("over", "The exercise is over.", "EIA 3.6")
    if isinstance(action, Answer):
        question = answered(play, seat, action.choice)
        ANSWERS[question.kind](play, question, action.choice)
    else:
        _act(play, seat, action)
    return play


def _act(play: Play, seat: str, action: Action) -> None:
    """An act of a step. Raises: Refusal."""
    state = play.state
    if state.questions:
        question = state.questions[-1]
        name, choices = play.tables.name(question.power), ", ".join(question.choices)
        asked = f"{name} is asked first: {choices}." if question.power == seat else f"{name} is asked first."
        refuse("asked_first", asked, *(question.rules or ("EIA 3.0",)))
    if seat not in waiting(play.tables, state):
        refuse("not_your_step", "It is the step of others now, or you have said that you are done.", "EIA 3.0")
    if isinstance(action, Done):
        step_of(state).may_end(play, seat)
        play.emit(StepDone(power=seat))
        return
    steps, act = ACTS[type(action)]
    if (state.cursor.phase, state.cursor.step) not in steps:
        when = " or ".join(f"{step.replace('_', ' ')} step of the {phase} phase" for phase, step in steps)
        refuse("not_this_step", f"'{text_of(action)}' belongs to the {when}.", "EIA 3.0")
    act(play, seat, action)
