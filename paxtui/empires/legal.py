"""What a seat may do now."""

from __future__ import annotations

from paxtui.empires.decide import attempted
from paxtui.empires.orders.action import Action, Answer, Done
from paxtui.empires.sequence import step_of, waiting
from paxtui.empires.state.model import State
from paxtui.empires.tables.tables import Tables
from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal


def legal(tables: Tables, state: State, seat: str) -> tuple[Action, ...]:
    """Every act that is offered to a seat and would not be refused; `done` is the last one."""
    if seat not in waiting(tables, state):
        return ()
    if state.questions:
        return tuple(Answer(choice) for choice in state.questions[-1].choices)
    offered = step_of(state).offers(tables, state, seat)
    return tuple(action for action in (*offered, Done()) if allowed(tables, state, seat, action))


def allowed(tables: Tables, state: State, seat: str, action: Action) -> bool:
    """Whether an act would not be refused."""
    try:
        attempted(tables, state, seat, action, Dice("trial"))
    except Refusal:
        return False
    return True
