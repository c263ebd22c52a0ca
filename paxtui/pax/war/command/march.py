"""Ways in War: where a Unit could come to, and by which step it comes nearer.

Rules: ORD-037, ORD-040, WMV-006 (R-ORD-11, R-ORD-12)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.pax.board.neighbours import board
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, Unit
from paxtui.pax.state.war import War
from paxtui.pax.war.campaign import coaling, lines, ways
from paxtui.pax.war.campaign.maneuver import barred, may_enter, open_steps
from paxtui.pax.war.campaign.reach import enterable
from paxtui.pax.war.campaign.ways import Step


class Way(NamedTuple):
    """How far a place is, in steps, and the first step of a shortest way to it."""

    far: int
    first: Step


def found(tables: Tables, state: State, war: War, unit: Unit, place: str) -> dict[Step, Way]:
    """Every place that a Unit could come to from here, each with the way there.

    The first step is one that it could take now; beyond it only what lasts bars the way: land that is closed, waters
    without Merchant Fleets or coal.

    Rules: WMV-006, ORD-040 (R-ORD-12)
    """
    ahead = (_army_ahead if unit.kind == ARMY else _fleet_ahead)(tables, state, war, unit)
    known = {step: Way(1, step) for step in open_steps(tables, state, war, unit, place)}
    todo = list(known)
    for here in todo:  # grows while it is gone through: the nearest places come first
        for step in ahead(here):
            if step not in known and step.place != place:
                known[step] = Way(known[here].far + 1, known[here].first)
                todo.append(step)
    return known


Ahead = Callable[[Step], Iterable[Step]]
"""What lies one step beyond a place."""


def _army_ahead(tables: Tables, state: State, war: War, unit: Unit) -> Ahead:
    map_, power = board(tables, state), unit.power
    seas, sailed = ways.seas(tables, state, war, power), lines.sailed(tables, state, power)
    land = enterable(tables, state, war)

    def ahead(here: Step) -> Iterator[Step]:
        place = here.place
        if place in seas:
            beside = (*seas[place], *map_.coast_of.get(place, ()))
        else:
            beside = (*map_.routes.get(place, ()), *map_.zones_of.get(place, ()))
        for other in beside:
            home = other.startswith(HOME) and may_enter(tables, state, war, power, other)
            if home or other in sailed or other in land:
                yield Step(other)

    return ahead


def _fleet_ahead(tables: Tables, state: State, war: War, unit: Unit) -> Ahead:
    def ahead(here: Step) -> Iterator[Step]:
        lying = replace(unit, coast=here.coast)
        for step in ways.naval_steps(tables, state, war, lying, here.place):
            if barred(tables, state, war, lying, here.place, step) is None:
                yield step

    return ahead


def supplied(tables: Tables, state: State, war: War, unit: Unit, step: Step) -> bool:
    """Whether a Unit would be in supply at a place, as the board stands.

    Rules: SUP-008, SUP-019, ORD-037
    """
    if step.place.startswith(HOME):
        return True
    if unit.kind == ARMY:
        return lines.army_supplied(tables, state, war, unit.power, step.place)
    return coaling.coaled(tables, state, war, replace(unit, coast=step.coast), step.place)


def to_supply(tables: Tables, state: State, war: War, unit: Unit, place: str) -> Way | None:
    """The way of a Unit to the nearest place where it would be in supply, None where there is none.

    Rules: ORD-037 (R-ORD-11)
    """
    ahead = found(tables, state, war, unit, place)
    return next((way for step, way in ahead.items() if supplied(tables, state, war, unit, step)), None)
