"""The sequence of play (chapter 3), the decision on an action, and the legal actions of a seat."""

from __future__ import annotations

from collections.abc import Iterable

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.empires import calendar, land_phase
from paxtui.games.empires.calendar import ECONOMIC, PHASES, has_economic_phase, opening_slots
from paxtui.games.empires.events.base import PhaseBegan, StepClosed, StepDone
from paxtui.games.empires.land.movement import check_march
from paxtui.games.empires.land_phase import MOVEMENT
from paxtui.games.empires.naval import phase as naval
from paxtui.games.empires.orders import Action, Answer, Done, ForceMarch, March, action_text
from paxtui.games.empires.politics import phase
from paxtui.games.empires.state import State
from paxtui.games.empires.supply_lines import remove_stale_fleet_depots
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import (
    ActionHandlers,
    AnswerHandlers,
    RulesByStep,
    SequenceStep,
    Transaction,
    no_powers,
    refuse,
    take_answer,
)

ALL_STEPS: RulesByStep = {
    **calendar.ANNOUNCE_STEPS,
    **phase.POLITICAL_STEP_RULES,
    **naval.NAVAL_STEP_RULES,
    **land_phase.LAND_PHASE_STEPS,
}
"""The rules of every step. A step without rules is skipped."""

ALL_ANSWERS: AnswerHandlers = {**phase.POLITICAL_ANSWERS, **naval.NAVAL_ANSWERS, **land_phase.LAND_PHASE_ANSWERS}
"""Handlers of the answers, by kind of question."""

_SKIPPED_STEP = SequenceStep(actors=no_powers)

MAX_AUTOMATIC_STEPS = 10_000
"""Limit of steps in a row without a decision of a player. A month has about forty."""


def current_step(state: State) -> SequenceStep:
    """Return the rules of the current step."""
    return ALL_STEPS.get((state.cursor.phase, state.cursor.step), _SKIPPED_STEP)


def waiting_powers(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the Powers that must act: the Power with a question, else those not yet done with the step."""
    if state.result is not None:
        return ()
    if state.questions:
        return (state.questions[-1].power,)
    if not state.cursor.slots:
        return ()
    return tuple(one for one in current_step(state).actors(tables, state) if one not in state.cursor.done)


def run_sequence(play: Transaction) -> None:
    """Run automatic steps until a Power must act or the exercise is over. Rules: EIA 3.0"""
    for _ in range(MAX_AUTOMATIC_STEPS):
        if play.state.result is not None or play.state.questions:
            return
        remove_stale_fleet_depots(play)
        if not play.state.cursor.slots:
            _next_phase(play)
            continue
        events = len(play.events)
        naval.continue_combat(play)
        if len(play.events) == events:
            current_step(play.state).run(play)
        if len(play.events) > events:
            continue  # what has happened may have more in its train, and may have ended or asked something
        if waiting_powers(play.tables, play.state):
            return
        current_step(play.state).close(play)
        if play.state.result is None and not play.state.questions:
            play.emit(StepClosed(step=play.state.cursor.step))
    raise AssertionError("months pass without a decision of any Power")


def _next_phase(play: Transaction) -> None:
    """Begin the next phase. After the last one the month ends. Rules: EIA 3.0, EIA 3.5"""
    tables, state = play.tables, play.state
    played = [p for p in PHASES if p in tables.exercise.phases and (p != ECONOMIC or has_economic_phase(state.turn))]
    at = PHASES.index(state.cursor.phase) if state.cursor.phase else -1
    phase = next((one for one in played if PHASES.index(one) > at), None)
    if phase is None:
        calendar.record_month(play)
        if play.state.result is None:
            phase = played[0] if played[0] != ECONOMIC else None
    if phase is not None:
        play.emit(PhaseBegan(phase=phase, slots=opening_slots(tables, play.state, phase), rules=("EIA 3.0",)))


ALL_ACTS: ActionHandlers = {
    **calendar.ANNOUNCE_ACTS,
    **phase.POLITICAL_ACTS,
    **naval.NAVAL_ACTS,
    **land_phase.LAND_PHASE_ACTS,
}
"""The handler of each action, and the steps that allow it."""


def decide_action(tables: Tables, state: State, seat: str, action: Action, dice: Dice) -> Transaction:
    """Decide an action of a seat; return the events and the position after them. Raises: Refusal."""
    play = apply_action(tables, state, seat, action, dice)
    run_sequence(play)
    return play


def apply_action(tables: Tables, state: State, seat: str, action: Action, dice: Dice) -> Transaction:
    """Apply the action alone, without the automatic steps after it. Raises: Refusal."""
    play = Transaction(tables, state, dice)
    if seat not in state.powers:
        refuse("unknown_seat", f"'{seat}' has no seat; there are {', '.join(state.powers)}.")
    if state.result is not None:
        refuse("over", "The exercise is over.", "EIA 3.6")
    if isinstance(action, Answer):
        question = take_answer(play, seat, action.choice)
        ALL_ANSWERS[question.kind](play, question, action.choice)
    else:
        _apply_step_action(play, seat, action)
    return play


def _apply_step_action(play: Transaction, seat: str, action: Action) -> None:
    state = play.state
    if state.questions:
        question = state.questions[-1]
        name, choices = play.tables.name(question.power), ", ".join(question.choices)
        asked = f"{name} is asked first: {choices}." if question.power == seat else f"{name} is asked first."
        refuse("asked_first", asked, *(question.rules or ("EIA 3.0",)))
    if seat not in waiting_powers(play.tables, state):
        refuse(
            "not_your_step", "You cannot act now: this is the step of others, or you have ended your step.", "EIA 3.0"
        )
    if isinstance(action, Done):
        current_step(state).may_end(play, seat)
        play.emit(StepDone(power=seat))
        return
    steps, act = ALL_ACTS[type(action)]
    if (state.cursor.phase, state.cursor.step) not in steps:
        when = " or ".join(f"{step.replace('_', ' ')} step of the {phase} phase" for phase, step in steps)
        refuse("not_this_step", f"'{action_text(action)}' belongs to the {when}.", "EIA 3.0")
    act(play, seat, action)


def legal_actions(tables: Tables, state: State, seat: str) -> tuple[Action, ...]:
    """Return every legal action of a seat; `done` is the last one.

    On land the list omits only marches that enter an area twice. At sea, voyages take the shortest route to each place,
    for whole stacks and for single fleets; players can type other routes and fleets.
    """
    step = current_step(state)
    return _legal_only(tables, state, seat, (step.every or step.offers)(tables, state, seat))


def menu_actions(tables: Tables, state: State, seat: str) -> tuple[Action, ...]:
    """Return the actions of a menu: marches by the cheapest route only, and factors one at a time."""
    return _legal_only(tables, state, seat, current_step(state).offers(tables, state, seat))


def _legal_only(tables: Tables, state: State, seat: str, offered: Iterable[Action]) -> tuple[Action, ...]:
    if seat not in waiting_powers(tables, state):
        return ()
    if state.questions:
        return tuple(Answer(choice) for choice in state.questions[-1].choices)
    unique = {repr(action): action for action in (*offered, Done())}
    return tuple(action for action in unique.values() if is_legal(tables, state, seat, action))


def is_legal(tables: Tables, state: State, seat: str, action: Action) -> bool:
    """Return whether an action is legal."""
    try:
        if isinstance(action, March | ForceMarch) and seat in waiting_powers(tables, state) and not state.questions:
            if (state.cursor.phase, state.cursor.step) != MOVEMENT:
                return False
            check_march(
                Transaction(tables, state, Dice("trial")), seat, action
            )  # the foraging before it is of no interest
            return True
        apply_action(tables, state, seat, action, Dice("trial"))
    except Refusal:
        return False
    return True
