"""The position at which an exercise begins."""

from __future__ import annotations

from paxtui.empires.state.cursor import Cursor
from paxtui.empires.state.ledger import Account
from paxtui.empires.state.model import State
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.calendar import turn_of


def _held(tables: Tables) -> dict[str, str]:
    """Areas that somebody else holds at the start than the map says: who has a garrison in their city."""
    minors = {minor.id: minor.controller for minor in tables.exercise.minors}
    return {
        one.where: one.power
        for one in tables.exercise.garrisons
        if not one.of_depot and one.power != minors.get(tables.areas[one.where].owner, tables.areas[one.where].owner)
    }


def start(tables: Tables) -> State:
    """The position at the start, before the first phase begins."""
    exercise = tables.exercise
    return State(
        exercise=exercise.id,
        powers=exercise.powers,
        turn=turn_of(exercise.first),
        cursor=Cursor(""),
        relations=exercise.relations,
        accounts={power: exercise.accounts.get(power, Account()) for power in exercise.powers},
        minors={minor.id: minor for minor in exercise.minors},
        fleets={fleet.id: fleet for fleet in exercise.fleets},
        corps={corps.id: corps for corps in exercise.corps},
        leaders={leader.id: leader for leader in exercise.leaders},
        garrisons=exercise.garrisons,
        control=_held(tables),
        depots=exercise.depots,
        shipyard=exercise.shipyard,
        access=exercise.access,
        combined=exercise.combined,
    )
