"""The forces of a Power that nobody plays: which of its Units General Orders 10 and 11 let go, and how one goes.

Rules: ORD-037, ORD-039 to ORD-042, ORD-044 (R-ORD-12, R-ORD-22)
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from paxtui.pax.board.status import controls, established, level
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State, every_unit, units_at
from paxtui.pax.state.pieces import ARMY, NAVAL, Unit, home
from paxtui.pax.state.war import War
from paxtui.pax.war.alliances import DECLARED, enemies
from paxtui.pax.war.campaign import codominion_entry, stepping
from paxtui.pax.war.campaign.ways import Step
from paxtui.pax.war.command import general_orders, march
from paxtui.pax.war.cycle import current


class Force(NamedTuple):
    """A Unit that is free to go, where it stands, and every place it could come to."""

    unit: Unit
    place: str
    ahead: dict[Step, march.Way]

    def way(self, place: str) -> march.Way | None:
        """The way to a place; on whichever of its coasts it ends first."""
        ways = [way for step, way in self.ahead.items() if step.place == place]
        return min(ways, key=lambda way: way.far, default=None)


# --- who is free to go ----------------------------------------------------------------------------------------------


def abroad(state: State, power: str) -> list[tuple[Unit, str]]:
    """The Units of a Power in Areas and at sea that have not moved, heavy ones first in each place."""
    places = (*((area, here.units) for area, here in state.areas.items()), *state.at_sea.items())
    found = [(u, place) for place, units in places for u in units if u.power == power and not u.halted]
    return sorted(found, key=lambda item: -item[0].strength)


def free(tables: Tables, state: State, war: War, power: str, kind: str) -> list[Force]:
    """The Units of a kind that General Order 10 lets go: those at sea and on the march, in the first cycle whatever a
    garrison has above its smallest Unit; of fleets all.

    Units that are out of supply go back instead, and those at home stay, but for fleets; in the first cycle of a war
    that the power itself declared, armies at home go too.

    Rules: ORD-009, ORD-039, ORD-040, ORD-041, ORD-044 (R-ORD-12, R-ORD-22, Decision 65)
    """
    found: list[Force] = []
    marching = Counter(war.marching)
    kept: set[str] = set()
    ways: dict[tuple[int, str, str], dict[Step, march.Way]] = {}
    units = abroad(state, power)
    # a declaration under General Order 4 is over an Area
    began = power in state.powers and power in war.declared and war.kind in DECLARED and any(war.over)
    if kind == NAVAL or (began and war.cycle == 1):
        units += [(u, home(power)) for u in units_at(state, home(power)) if u.power == power and not u.halted]
    for unit, place in reversed(units):  # the smallest of a garrison comes first, and stays
        if unit.kind != kind:
            continue
        if kind == ARMY and place in state.areas:
            garrison = controls(state, place, power)
            if garrison and place not in kept and not _moved_in(state, power, place):
                kept.add(place)
                continue
            way = f"{power} {place} {unit.name}"
            if marching[way] > 0:
                marching[way] -= 1
            elif war.cycle > 1 or not garrison:
                continue
        if general_orders.out_of_supply(tables, state, war, unit, place):
            continue
        alike = (unit.strength, unit.coast, place)  # like Units of one place have the same ways
        if alike not in ways:
            ways[alike] = _ways(tables, state, war, unit, place)
        found.append(Force(unit, place, ways[alike]))
    return found


def _moved_in(state: State, power: str, place: str) -> bool:
    """Whether an Army of a Power that has come in this Phase garrisons an Area already."""
    return any(u.power == power and u.kind == ARMY and u.halted for u in units_at(state, place))


def _ways(tables: Tables, state: State, war: War, unit: Unit, place: str) -> dict[Step, march.Way]:
    """The ways of a Unit whose first step does not take it out of supply. Rules: ORD-037."""
    ahead = march.found(tables, state, war, unit, place)
    return {s: way for s, way in ahead.items() if march.supplied(tables, state, war, unit, way.first)}


def fleets_on_both_sides(state: State, war: War, power: str) -> bool:
    """Whether a Power and its enemies both have Naval Units. Rules: ORD-044."""
    owners = {u.power for u in every_unit(state) if u.kind == NAVAL}
    return power in owners and not owners.isdisjoint(enemies(war, power))


def merits(tables: Tables, state: State, power: str, place: str) -> tuple[int, int, int]:
    """What decides between two Areas, the lower the better: own status, Economic Value, Combat Strength.

    Rules: ORD-042
    """
    if place not in tables.areas:
        return 0, 0, 0
    own = established(state, place, power)
    row = tables.areas[place]
    return -(level(own) if own else 0), -row.value, row.strength


# --- going ----------------------------------------------------------------------------------------------------------


def now(play: Play, id_: str) -> War | None:
    """The War as it is now; None once it stands still because a choice has come up."""
    war = current(play.state)
    asked = any(c.about.pressing for c in play.state.choices)
    return war if war and war.id == id_ and not asked else None


def stands(state: State, unit: Unit, place: str) -> bool:
    return unit in units_at(state, place)


def go(play: Play, war: War, unit: Unit, place: str, step: Step, to: str) -> None:
    """A Unit takes a step; `to`: where it is sent, "" for back into supply."""
    rules = ("ORD-037",) if not to else ("ORD-040", "ORD-045")
    stepping.take(play, unit, place, step, "war", rules)
    known = f"{unit.power} {place} {unit.name}" in war.marching
    on_land = to and step.place != to and step.place in play.state.areas
    if unit.kind == ARMY and (known or on_land):
        there = not on_land
        play.emit(
            ev.UnitMarches(
                war=war.id, power=unit.power, unit=unit.name, path=(place, step.place), there=there, rules=rules
            )
        )
    codominion_entry.entered(play, war.id, unit.power, step.place)
