"""The months as they go by: which step comes, who is waited for, and what goes on by itself (chapter 3)."""

from __future__ import annotations

from paxtui.empires.battle import steps as battle
from paxtui.empires.history.time_events import PhaseBegan, StepClosed
from paxtui.empires.naval import phase as naval
from paxtui.empires.play.play import Play
from paxtui.empires.play.steps import Answers, Step, Steps
from paxtui.empires.politics import steps as politics
from paxtui.empires.state.model import State
from paxtui.empires.supply.sea_supply import drop_afloat
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time import announce, time_record
from paxtui.empires.time.calendar import is_economic
from paxtui.empires.time.order_of_powers import ECONOMIC, PHASES, opening

STEPS: Steps = {**announce.STEPS, **politics.STEPS, **naval.STEPS, **battle.STEPS}
"""The rules of every step; one without rules is passed over."""

ANSWERS: Answers = {**politics.ANSWERS, **naval.ANSWERS, **battle.ANSWERS}
"""What takes the answer to every kind of question."""

_PASSED_OVER = Step(actors=lambda tables, state: ())

LONGEST = 10_000
"""Steps that may go by without anybody being asked; a month has some forty."""


def step_of(state: State) -> Step:
    """The rules of the step that goes on."""
    return STEPS.get((state.cursor.phase, state.cursor.step), _PASSED_OVER)


def waiting(tables: Tables, state: State) -> tuple[str, ...]:
    """The Powers that play waits for: who is asked; else who has not said that it is done with the step."""
    if state.result is not None:
        return ()
    if state.questions:
        return (state.questions[-1].power,)
    if not state.cursor.slots:
        return ()
    return tuple(one for one in step_of(state).actors(tables, state) if one not in state.cursor.done)


def go_on(play: Play) -> None:
    """Let go on what goes on by itself, until somebody is waited for or the exercise is over. Rules: EIA 3.0"""
    for _ in range(LONGEST):
        if play.state.result is not None or play.state.questions:
            return
        drop_afloat(play)
        if not play.state.cursor.slots:
            _next_phase(play)
            continue
        events = len(play.events)
        naval.at_sea(play)
        if len(play.events) == events:
            step_of(play.state).run(play)
        if len(play.events) > events:
            continue  # what has happened may have more in its train, and may have ended or asked something
        if waiting(play.tables, play.state):
            return
        step_of(play.state).close(play)
        if play.state.result is None and not play.state.questions:
            play.emit(StepClosed(step=play.state.cursor.step))
    raise AssertionError("the months go by and nobody is asked")


def _next_phase(play: Play) -> None:
    """Begin the phase that comes; after the last one the month is over. Rules: EIA 3.0, EIA 3.5"""
    tables, state = play.tables, play.state
    played = [p for p in PHASES if p in tables.exercise.phases and (p != ECONOMIC or is_economic(state.turn))]
    at = PHASES.index(state.cursor.phase) if state.cursor.phase else -1
    phase = next((one for one in played if PHASES.index(one) > at), None)
    if phase is None:
        time_record.record(play)
        if play.state.result is None:
            phase = played[0] if played[0] != ECONOMIC else None
    if phase is not None:
        play.emit(PhaseBegan(phase=phase, slots=opening(tables, play.state, phase), rules=("EIA 3.0",)))
