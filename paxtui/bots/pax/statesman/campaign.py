"""How a statesman moves its forces in a War between Powers.

Armies go against the richest enemy Areas first, each time as many as the odds need, and also from home in later cycles:
no enemy can enter a Home Country. The General Orders move fleets, and all forces in Wars with an Empire.

Rules: WMV-015, WMV-036, SUP-003, SUP-029
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.games.pax.board.status import controls, seat_of
from paxtui.games.pax.state.model import units_at
from paxtui.games.pax.state.pieces import ARMY, NAVAL, home_place
from paxtui.games.pax.state.war import MANEUVER, War
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.war import automatic_orders, command, empire
from paxtui.games.pax.war.alliances import DECLARED, enemies, engine_commanded
from paxtui.games.pax.war.automatic_orders import FreeForce
from paxtui.games.pax.war.campaign import supply

SAFE_ODDS = 2
"""Strength ratio from which an attack is ordered; the General Orders attack at 3 to 2."""
LOST_AREA_BONUS = 2
"""Pounds by which an Area of the Power that the enemy holds counts more than another of the same Economic Value."""


class Target(NamedTuple):
    """An Area to conquer: its value in pounds, and the strength points of the enemy Armies there."""

    value: int
    area: str
    strength: int


def act_in_war(play: Transaction, war: War) -> None:
    """Act in the current Phase of a War for the Powers that the engine commands in this position."""
    if war.stage != MANEUVER or not is_between_powers(war):
        automatic_orders.act_for_engine(play, war)
        return
    for power in engine_commanded(play.tables, play.state, war, war.turn_of):
        if seat_of(play.tables, play.state, power) in play.state.players:
            _move_units(play, war.id, power)


def is_between_powers(war: War) -> bool:
    """Whether no Empire takes part in a War: there the Combat Strengths of Areas do not count."""
    return war.kind in DECLARED and not any(empire.are_against_empire(war, (power,)) for power in war.powers)


def _move_units(play: Transaction, id_: str, power: str) -> None:
    automatic_orders.return_to_supply(play, id_, power)
    war = automatic_orders.find_war(play, id_)
    if war is None:
        return
    left = _free_armies(play, war, power)
    for target in sorted(_targets(play, war, power), key=lambda one: (-one.value, one.strength, one.area)):
        party = _party_against(play, power, left, target)
        for force in party:
            left.remove(force)
            way = force.way(target.area)
            if way and automatic_orders.may_go(play, force, way.first.place):
                automatic_orders.send_unit(play, war, force.unit, force.place, way.first, target.area)
            if automatic_orders.find_war(play, id_) is None:
                return
    if automatic_orders.has_fleets_on_both_sides(play.state, war, power):
        automatic_orders.advance_forces(play, war, power, NAVAL)


def _free_armies(play: Transaction, war: War, power: str) -> list[FreeForce]:
    """The Armies that may leave their place: all at home and at sea, and all but the smallest of each garrison."""
    state, found = play.state, list[FreeForce]()
    home = home_place(power)
    places = [(u, place) for u, place in automatic_orders.units_abroad(state, power) if u.kind == ARMY]
    places += [(u, home) for u in units_at(state, home) if u.power == power and u.kind == ARMY and not u.halted]
    search = automatic_orders.supplied_path_searches(play.tables, state, war)
    kept: set[str] = set()
    for unit, place in reversed(places):  # the smallest of a garrison comes first, and stays
        if controls(state, place, power) and place not in kept:
            kept.add(place)
            continue
        if command.is_out_of_supply(play.tables, state, war, unit, place):
            continue
        found.append(FreeForce(unit, place, search(unit, place)))
    return found


def _targets(play: Transaction, war: War, power: str) -> Iterator[Target]:
    """Areas of the enemies and those that they have conquered."""
    foes = enemies(war, power)
    for area in supply.hostile_areas(play.state, war, war.side_of(power)):
        strength = sum(u.strength for u in units_at(play.state, area) if u.kind == ARMY and u.power in foes)
        own = LOST_AREA_BONUS * controls(play.state, area, power)
        yield Target(play.tables.areas[area].value + own, area, strength)


def _party_against(play: Transaction, power: str, forces: list[FreeForce], target: Target) -> list[FreeForce]:
    """The nearest forces that together are strong enough for a target; none if all are too weak."""
    if sum(force.unit.strength for force in forces) < SAFE_ODDS * target.strength - _strength_at(play, power, target):
        return []
    coming = [(way.far, force) for force in forces if (way := force.way(target.area))]
    coming += [(0, force) for force in forces if force.place == target.area]
    near = [force for _, force in sorted(coming, key=lambda one: (one[0], one[1].unit.strength))]
    near = automatic_orders.without_bound_armies(play, power, near, target.area)
    there = _strength_at(play, power, target)
    there -= sum(force.unit.strength for force in near if force.place == target.area)
    needed = max(1, SAFE_ODDS * target.strength) - there
    party: list[FreeForce] = []
    for force in near:
        if needed <= 0:
            break
        party.append(force)
        needed -= force.unit.strength
    return party if needed <= 0 else []


def _strength_at(play: Transaction, power: str, target: Target) -> int:
    """Strength points of the Armies of a Power in an Area."""
    return sum(u.strength for u in units_at(play.state, target.area) if u.power == power and u.kind == ARMY)
