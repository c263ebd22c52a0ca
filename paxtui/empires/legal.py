"""What a seat may do now: every act, or a shorter menu."""

from __future__ import annotations

from collections.abc import Iterable

from paxtui.empires.battle.steps import MOVEMENT
from paxtui.empires.decide import attempted
from paxtui.empires.land.movement import checked_march
from paxtui.empires.orders.action import Action, Answer, Done
from paxtui.empires.orders.actions_land import ForceMarch, March
from paxtui.empires.play.play import Play
from paxtui.empires.sequence import step_of, waiting
from paxtui.empires.state.model import State
from paxtui.empires.tables.tables import Tables
from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal


def legal(tables: Tables, state: State, seat: str) -> tuple[Action, ...]:
    """Return every act of a seat that would not be refused; `done` is the last one.

    On land that is every act but marches that enter an area twice. At sea, voyages take the shortest way to each place
    for whole stacks and for single fleets; other routes and fleets can be typed.
    """
    step = step_of(state)
    return _filtered(tables, state, seat, (step.every or step.offers)(tables, state, seat))


def menu(tables: Tables, state: State, seat: str) -> tuple[Action, ...]:
    """Return the acts that a menu shows: marches by the cheapest route only, and factors one at a time."""
    return _filtered(tables, state, seat, step_of(state).offers(tables, state, seat))


def _filtered(tables: Tables, state: State, seat: str, offered: Iterable[Action]) -> tuple[Action, ...]:
    if seat not in waiting(tables, state):
        return ()
    if state.questions:
        return tuple(Answer(choice) for choice in state.questions[-1].choices)
    unique = {repr(action): action for action in (*offered, Done())}
    return tuple(action for action in unique.values() if allowed(tables, state, seat, action))


def allowed(tables: Tables, state: State, seat: str, action: Action) -> bool:
    """Return whether an act would not be refused."""
    try:
        if isinstance(action, March | ForceMarch) and seat in waiting(tables, state) and not state.questions:
            if (state.cursor.phase, state.cursor.step) != MOVEMENT:
                return False
            checked_march(Play(tables, state, Dice("trial")), seat, action)  # the foraging before it is of no interest
            return True
        attempted(tables, state, seat, action, Dice("trial"))
    except Refusal:
        return False
    return True
