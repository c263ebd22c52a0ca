"""The engine's orders in War: General Orders 9 to 11, and the Armies of Empires without an allied Great Power.

The engine commands Minor Powers without an ally and abandoned Powers. In a Maneuver Phase, Units out of supply turn
back first. Then free forces go against the largest enemy force that they can beat. In an Attack Phase, each force with
odds of 3 to 2 attacks. General Order 10 directs landings in a Chinese Rebellion, General Order 11 other Wars.

Rules: Decision 29, R-OTT-11
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import NamedTuple

from paxtui.games.pax.board.status import controls, established, level
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import garrisons
from paxtui.games.pax.state.model import State, all_units, units_at
from paxtui.games.pax.state.pieces import ARMY, NAVAL, Unit, home_place
from paxtui.games.pax.state.war import ATTACK, MANEUVER, REBELLION, War
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.war import command, empire
from paxtui.games.pax.war.alliances import (
    DECLARED,
    current_form,
    current_war,
    enemies,
    engine_commanded,
    unallied_empire,
)
from paxtui.games.pax.war.campaign import battle, maneuver, supply, supply_lines, war_adjacency
from paxtui.games.pax.war.campaign.war_adjacency import WarStep
from paxtui.games.pax.war.command import has_attack_odds

DIE_FACES = 6


def supplied_path_searches(
    tables: Tables, state: State, war: War
) -> Callable[[Unit, str], Callable[[], dict[str, command.WarPath]]]:
    """Return a function that gives the search of a Unit at a place; identical Units of one place share theirs."""
    searches: dict[tuple[int, str, str], Callable[[], dict[str, command.WarPath]]] = {}

    def search(unit: Unit, place: str) -> Callable[[], dict[str, command.WarPath]]:
        alike = (unit.strength, unit.coast, place)
        if alike not in searches:
            searches[alike] = cache(partial(_supplied_paths, tables, state, war, unit, place))
        return searches[alike]

    return search


def _supplied_paths(tables: Tables, state: State, war: War, unit: Unit, place: str) -> dict[str, command.WarPath]:
    """Return the places that a Unit can reach by a first step that keeps it in supply, on the coast reached first."""
    found: dict[str, command.WarPath] = {}
    supplied: dict[WarStep, bool] = {}
    for step, way in command.find_paths(tables, state, war, unit, place).items():
        if way.first not in supplied:
            supplied[way.first] = supply_lines.is_supplied_at(tables, state, war, unit, way.first)
        if supplied[way.first] and (step.place not in found or way.far < found[step.place].far):
            found[step.place] = way
    return found


class FreeForce(NamedTuple):
    """A Unit that is free to move, its place, and the search for the places it can reach."""

    unit: Unit
    place: str
    paths: Callable[[], dict[str, command.WarPath]]

    def way(self, place: str) -> command.WarPath | None:
        """Return the path to a place, on whichever of its coasts is reached first."""
        return self.paths().get(place)


def units_abroad(state: State, power: str) -> list[tuple[Unit, str]]:
    """Return the Units of a Power in Areas and at sea that have not moved, heavy ones first in each place."""
    places = (*((area, here.units) for area, here in state.areas.items()), *state.at_sea.items())
    found = [(u, place) for place, units in places for u in units if u.power == power and not u.halted]
    return sorted(found, key=lambda item: -item[0].strength)


def free_forces(tables: Tables, state: State, war: War, power: str, kind: str) -> list[FreeForce]:
    """Return the Units of a kind that General Order 10 lets move.

    These are Units at sea and on the march, in the first cycle also each garrison except its smallest Unit, and all
    fleets. Units out of supply go back instead. Armies at home stay, except in the first cycle of a War that the Power
    itself declared.

    Rules: ORD-009, ORD-039, ORD-040, ORD-041, ORD-044 (R-ORD-12, R-ORD-22, Decision 65)
    """
    found: list[FreeForce] = []
    marching = Counter(war.marching)
    kept: set[str] = set()
    search = supplied_path_searches(tables, state, war)
    units = units_abroad(state, power)
    # a declaration under General Order 4 is over an Area
    began = power in state.powers and power in war.declared and war.kind in DECLARED and any(war.over)
    if kind == NAVAL or (began and war.cycle == 1):
        units += [
            (u, home_place(power)) for u in units_at(state, home_place(power)) if u.power == power and not u.halted
        ]
    for unit, place in reversed(units):  # the smallest of a garrison comes first, and stays
        if unit.kind != kind:
            continue
        if kind == ARMY and place in state.areas:
            garrison = controls(state, place, power)
            if garrison and place not in kept and not _has_moved_in(state, power, place):
                kept.add(place)
                continue
            way = f"{power} {place} {unit.name}"
            if marching[way] > 0:
                marching[way] -= 1
            elif war.cycle > 1 or not garrison:
                continue
        if command.is_out_of_supply(tables, state, war, unit, place):
            continue
        found.append(FreeForce(unit, place, search(unit, place)))
    return found


def _has_moved_in(state: State, power: str, place: str) -> bool:
    """Return whether an Army of the Power that came in this Phase already garrisons an Area."""
    return any(u.power == power and u.kind == ARMY and u.halted for u in units_at(state, place))


def has_fleets_on_both_sides(state: State, war: War, power: str) -> bool:
    """Return whether a Power and its enemies both have Naval Units. Rules: ORD-044."""
    owners = {u.power for u in all_units(state) if u.kind == NAVAL}
    return power in owners and not owners.isdisjoint(enemies(war, power))


def area_merits(tables: Tables, state: State, power: str, place: str) -> tuple[int, int, int]:
    """Return the sort key of an Area, lower is better: own status, Economic Value, Combat Strength. Rules: ORD-042."""
    if place not in tables.areas:
        return 0, 0, 0
    own = established(state, place, power)
    row = tables.areas[place]
    return -(level(own) if own else 0), -row.value, row.strength


def find_war(play: Transaction, id_: str) -> War | None:
    """Return the War as it is now; None if an open choice stops it."""
    war = current_war(play.state)
    has_questions = play.state.has_pressing_choice
    return war if war and war.id == id_ and not has_questions else None


def is_still_there(state: State, unit: Unit, place: str) -> bool:
    return unit in units_at(state, place)


def may_go(play: Transaction, force: FreeForce, place: str) -> bool:
    """Return whether a Unit is where it was, and no garrison of heavy Armies keeps it there. Rules: WMV-036."""
    bound = maneuver.garrison_bar(play.tables, play.state, force.unit, force.place, place)
    return bound is None and is_still_there(play.state, force.unit, force.place)


def without_bound_armies(play: Transaction, power: str, forces: list[FreeForce], place: str) -> list[FreeForce]:
    """Return the forces that may go to a place together; heavy Armies that a garrison keeps stay. Rules: WMV-036."""
    zone = garrisons.garrison_zone(play.tables, play.state, power)
    if not zone or place in zone:
        return forces
    spare, found = garrisons.heavy_armies_to_spare(play.tables, play.state, power), list[FreeForce]()
    for force in forces:
        if garrisons.is_heavy(force.unit, power) and force.place in zone:
            if not spare:
                continue
            spare -= 1
        found.append(force)
    return found


def send_unit(play: Transaction, war: War, unit: Unit, place: str, step: WarStep, to: str) -> None:
    """Move a Unit one step; `to`: its destination, "" for back into supply."""
    rules = ("ORD-037",) if not to else ("ORD-040", "ORD-045")
    war_adjacency.take_step(play, unit, place, step, "war", rules)
    known = f"{unit.power} {place} {unit.name}" in war.marching
    on_land = to and step.place != to and step.place in play.state.areas
    if unit.kind == ARMY and (known or on_land):
        path = (place, step.place)
        play.emit(
            events.UnitMarches(war=war.id, power=unit.power, unit=unit.name, path=path, there=not on_land, rules=rules)
        )
    maneuver.record_entry(play, war.id, unit.power, step.place)


class AdvanceTarget(NamedTuple):
    """A possible destination of forces, and the strength points of the enemy there."""

    place: str
    strength: int


def advance_forces(play: Transaction, war: War, power: str, kind: str) -> None:
    """Send free forces of a kind against the largest enemy force that they outnumber by 3 to 2.

    The rest go against the next largest. Forces that outnumber no enemy stay.

    Rules: ORD-043, ORD-044, ORD-045 (R-ORD-13)
    """
    found = _advance_targets(play.tables, play.state, war, power, kind)
    targets = sorted(found, key=lambda target: -target.strength)
    left = free_forces(play.tables, play.state, war, power, kind) if targets else []
    while left and targets:
        target = _best_target(play, power, kind, left, targets)
        if target is None:
            return
        targets.remove(target)
        for force in tuple(left):
            way = force.way(target.place)
            if way or force.place == target.place:
                left.remove(force)
            if way and may_go(play, force, way.first.place):
                send_unit(play, war, force.unit, force.place, way.first, target.place)
            if find_war(play, war.id) is None:
                return


def _advance_targets(tables: Tables, state: State, war: War, power: str, kind: str) -> Iterator[AdvanceTarget]:
    """Return enemy forces of a kind and, for Armies, enemy Areas without any."""
    foes = enemies(war, power)
    hostile = supply.hostile_areas(state, war, war.side_of(power)) if kind == ARMY else frozenset[str]()
    against_empire = kind == ARMY and empire.are_against_empire(war, (power,))
    imperial = empire.empire_areas(tables, state, war) if against_empire else ()
    for area, here in state.areas.items():
        strength = sum(u.strength for u in here.units if u.kind == kind and u.power in foes) if here.units else 0
        if area in imperial:
            strength += empire.area_strength(tables, state, war, area)
        if strength or area in hostile:
            yield AdvanceTarget(area, strength)
    if kind == NAVAL:
        for zone, units in state.at_sea.items():
            strength = sum(u.strength for u in units if u.kind == NAVAL and u.power in foes)
            if strength:
                yield AdvanceTarget(zone, strength)


def _best_target(
    play: Transaction, power: str, kind: str, forces: list[FreeForce], targets: list[AdvanceTarget]
) -> AdvanceTarget | None:
    """Return the best target: the largest force that can be beaten. `targets`: the largest first.

    Ties are broken by higher own status, higher Economic Value, lower Combat Strength, distance, then by lot. Of Areas
    without an enemy the nearest is taken.
    """
    ranks: dict[AdvanceTarget, tuple[int, ...]] = {}
    most = sum(f.unit.strength for f in forces)
    for target in targets:
        if ranks and target.strength < next(iter(ranks)).strength:
            break
        there = [u for u in units_at(play.state, target.place) if u.power == power and u.kind == kind]
        if not has_attack_odds(most + sum(u.strength for u in there), target.strength):
            continue
        coming = [f for f in forces if f.place == target.place or f.way(target.place)]
        coming = without_bound_armies(play, power, coming, target.place)
        going = [way.far for f in coming if f.place != target.place and (way := f.way(target.place))]
        posted = sum(u.strength for u in there if all(f.unit is not u for f in coming))
        own_strength = posted + sum(f.unit.strength for f in coming)
        if going and has_attack_odds(own_strength, target.strength):
            far = min(going)
            near = 0 if target.strength else far
            ranks[target] = (-target.strength, near, *area_merits(play.tables, play.state, power, target.place), far)
    best = min(ranks.values(), default=None)
    tied = [target for target, rank in ranks.items() if rank == best]
    if not tied:
        return None
    return tied[play.dice.draw(len(tied))] if len(tied) > 1 else tied[0]


def disembark_forces(play: Transaction, war: War, power: str) -> None:
    """Land the free Armies in the nearest Chinese Area, except Formosa, in a Chinese Rebellion.

    A landing that has to fight at less than 3 to 2 is not made; the next Area is tried.

    Rules: ORD-040, ORD-041, ORD-042 (R-ORD-12, R-ORD-22)
    """
    forces = free_forces(play.tables, play.state, war, power, ARMY)
    areas = sorted(empire.empire_areas(play.tables, play.state, war))
    routes = empire.empire_routes(play.tables, play.state, war)
    mainland = [a for a in areas if routes.get(a)]
    for force in forces:
        if force.place in mainland:
            continue
        together = sum(f.unit.strength for f in forces if f.place == force.place)
        ranks = {
            area: (way.far, *area_merits(play.tables, play.state, power, area))
            for area in mainland
            if (way := force.way(area)) and _can_disembark(play, war, area, together)
        }
        best = min(ranks.values(), default=None)
        tied = [area for area, rank in ranks.items() if rank == best]
        if not tied:
            continue
        area = play.draw_one(tied)
        way = force.way(area)
        if way and may_go(play, force, way.first.place):
            send_unit(play, war, force.unit, force.place, way.first, area)
        if find_war(play, war.id) is None:
            return


def _can_disembark(play: Transaction, war: War, area: str, strength: int) -> bool:
    """Return whether Armies may land in an Area that they have to attack at once."""
    if not empire.is_resisting(play.tables, play.state, war, area):
        return True
    foes = empire.armies_in(play.state, area, (empire.empire_of(war),))
    defend = empire.area_strength(play.tables, play.state, war, area) + sum(u.strength for u in foes)
    return has_attack_odds(strength, defend)


def act_for_empire(play: Transaction, war: War) -> bool:
    """Act for an Empire without an ally in the current Phase; return whether the current Alliance is such an Empire.

    Safe to call again after a choice: finished actions are not repeated.

    Rules: REB-010 to REB-018, OTT-008
    """
    power = unallied_empire(play.state, war)
    if not power or war.side_of(power) != war.turn_of:
        return False
    if war.stage == MANEUVER:
        _march_armies(play, war, power)
    elif war.stage == ATTACK:
        _attack_everywhere(play, war, power)
    return True


def _march_armies(play: Transaction, war: War, power: str) -> None:
    """Move each Army that is not pinned down one Area towards the nearest enemy Army it can reach.

    Rules: REB-010, REB-011, REB-013, REB-057 (R-REB-17)
    """
    marched = False
    for area in sorted(a for a, here in play.state.areas.items() if any(u.power == power for u in here.units)):
        if empire.is_pinned_down(play.state, war, area):
            continue
        for unit in units_at(play.state, area):
            if (unit.power, unit.kind, unit.halted) == (power, ARMY, False):
                marched = _march_one_step(play, war, area, unit) or marched
    if marched:
        play.emit(events.ArmyMarched(war=war.id, rules=("REB-057",)))


def _march_one_step(play: Transaction, war: War, area: str, unit: Unit) -> bool:
    """Move one Army one Area towards its target; return whether it has a target.

    Rules: REB-011, REB-012, REB-013, REB-055 (R-REB-03)
    """
    near = empire.nearest_targets(play.tables, play.state, war, area)
    if not near:
        return False
    target = near[0] if len(near) == 1 else _roll_target(play, war, area, unit, near)
    steps = empire.steps_towards(play.tables, play.state, war, area, target)
    to = play.draw_one(steps)
    play.emit(
        events.UnitsMoved(
            power=unit.power, units=(unit.name,), path=(area, to), halted=True, reason="war",
            rules=("REB-011", "REB-013"),
        )
    )  # fmt: skip
    return True


def _roll_target(play: Transaction, war: War, area: str, unit: Unit, near: tuple[str, ...]) -> str:
    """Roll for one of several equally near Areas; roll again if the faces do not divide evenly."""
    dice: list[int] = []
    share = DIE_FACES // len(near)  # faces of the die for each of them
    while share and (not dice or dice[-1] > share * len(near)):
        dice.append(play.dice.roll())
    # more Areas than faces of a die: the seed decides
    target = near[(dice[-1] - 1) // share] if share else near[play.dice.draw(len(near))]
    play.emit(
        events.TargetRolled(
            war=war.id, area=area, army=unit.name, targets=near, dice=tuple(dice), target=target,
            rules=("REB-012",),
        )
    )  # fmt: skip
    return target


def _attack_everywhere(play: Transaction, war: War, power: str) -> None:
    """Attack enemy Armies in each shared Area at any odds, in alphabetical order of Areas.

    Rules: REB-016, REB-017, REB-018 (R-REB-04)
    """
    for area in sorted(a for a, here in play.state.areas.items() if any(u.power == power for u in here.units)):
        now = current_form(play.state, war)
        both = battle.attackers(play.state, now, area, ARMY) and battle.defenders(play.state, now, area, ARMY)
        if not both or any((c.place, c.kind) == (area, ARMY) for c in now.clashes):
            continue
        battle.fight_combat(play, now, area, ARMY)
        if play.state.has_pressing_choice:
            return


def act_for_engine(play: Transaction, war: War) -> None:
    """Act in the current Phase for the Powers that the engine commands.

    Safe to call again after a choice: finished actions are not repeated.

    Rules: WAR-021, ORD-036
    """
    if act_for_empire(play, war):
        return
    powers = engine_commanded(play.tables, play.state, war, war.turn_of)
    if war.stage == MANEUVER:
        for power in powers:
            if power in play.tables.powers:  # an Empire has no garrisons and stays in its own Areas
                _move_engine_units(play, war.id, power)
    elif war.stage == ATTACK:
        _attack_where_possible(play, war, powers)


def return_to_supply(play: Transaction, id_: str, power: str) -> None:
    """Move the Units of a Power that are out of supply one step towards it. Rules: ORD-037."""
    for unit, place in units_abroad(play.state, power):
        war = find_war(play, id_)
        if war is None or not is_still_there(play.state, unit, place):
            continue
        if command.is_out_of_supply(play.tables, play.state, war, unit, place):
            way = command.path_to_supply(play.tables, play.state, war, unit, place)
            if way and not command.is_last_of_garrison(play.state, unit, place):
                send_unit(play, war, unit, place, way.first, "")


def _move_engine_units(play: Transaction, id_: str, power: str) -> None:
    """Move the Units of a Power: those out of supply first, then the free ones."""
    return_to_supply(play, id_, power)
    war = find_war(play, id_)
    if war is None:
        return
    if war.kind == REBELLION:
        disembark_forces(play, war, power)
        return
    advance_forces(play, war, power, ARMY)
    if has_fleets_on_both_sides(play.state, war, power):
        advance_forces(play, war, power, NAVAL)


def _attack_where_possible(play: Transaction, war: War, powers: tuple[str, ...]) -> None:
    """Attack wherever the odds allow it. Rules: ORD-038, WCB-009."""
    for place, kind in battle.attack_places(play.tables, play.state, war):
        own_units = battle.attackers(play.state, war, place, kind)
        if not any(u.power in powers for u in own_units):
            continue
        if command.has_attack_odds(*battle.combat_strengths(play.tables, play.state, war, place, kind)):
            battle.fight_combat(play, war, place, kind)
            if play.state.has_pressing_choice:
                return
