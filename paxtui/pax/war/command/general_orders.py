"""General Order 9: what binds whoever commands the forces of an abandoned Power in a War, seat or engine.

Out of supply, a Unit goes toward supply; an attack is made at 3 to 2 or better; no Controlled Area loses its last Army.
Orders for other Powers go straight on to `maneuver` and `battle`.

Rules: ORD-036 to ORD-039, ORD-046 (R-ORD-11)
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.pax.board.status import abandoned, controls
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play, Trial, refuse
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY, NAVAL, Unit
from paxtui.pax.state.questions import JoinAttack, Pending
from paxtui.pax.state.war import War
from paxtui.pax.war.campaign import battle, maneuver
from paxtui.pax.war.campaign.maneuver import Bar
from paxtui.pax.war.campaign.ways import Step
from paxtui.pax.war.command import march
from paxtui.pax.war.cycle import current
from paxtui.pax.words.spoken import place_name, power_name

ODDS = (3, 2)
"""Attackers to defenders from which a combat may be started (ORD-038)."""


# --- the three rules ------------------------------------------------------------------------------------------------


def enough(attack: int, defend: int) -> bool:
    """Whether attackers are strong enough for General Order 9b, in strength points. Rules: ORD-038."""
    return attack * ODDS[1] >= defend * ODDS[0]


def last_of_garrison(state: State, unit: Unit, place: str) -> bool:
    """Whether an Army Unit is the only one that its Power has in an Area that it Controls. Rules: ORD-039."""
    if unit.kind != ARMY or place not in state.areas or not controls(state, place, unit.power):
        return False
    return sum(u.power == unit.power and u.kind == ARMY for u in units_at(state, place)) == 1


def out_of_supply(tables: Tables, state: State, war: War, unit: Unit, place: str) -> bool:
    """Whether a Unit has lost its supply; what never had any since its War began has not.

    Rules: ORD-037, SUP-031 (R-SUP-13)
    """
    if f"{unit.power} {place}" in war.unsupplied:
        return False
    return not march.supplied(tables, state, war, unit, Step(place, unit.coast))


def bar(tables: Tables, state: State, war: War, unit: Unit, start: str, step: Step) -> Bar | None:
    """What of General Order 9 keeps a Unit of an abandoned Power from a step; None for others, or where it may go.

    Rules: ORD-037, ORD-039, ORD-046 (R-ORD-11)
    """
    if not abandoned(tables, state, unit.power):
        return None
    name = power_name(tables, unit.power)
    if last_of_garrison(state, unit, start):
        where = place_name(tables, start)
        return Bar("last_garrison", ("ORD-039", "ORD-046"), f"The last Army of abandoned {name} stays in {where}.")
    if out_of_supply(tables, state, war, unit, start) and _away(tables, state, war, unit, start, step):
        return Bar(
            "away_from_supply",
            ("ORD-037", "ORD-046"),
            f"Units of abandoned {name} that are out of supply go toward supply, not away from it.",
        )
    return None


def _away(tables: Tables, state: State, war: War, unit: Unit, start: str, step: Step) -> bool:
    """Whether a step takes a Unit farther from the nearest place where it would be in supply. Rules: ORD-037."""
    here = march.to_supply(tables, state, war, unit, start)
    if here is None or march.supplied(tables, state, war, unit, step):
        return False
    lying = unit if unit.kind == ARMY else Unit(unit.power, unit.kind, unit.strength, step.coast)
    there = march.to_supply(tables, state, war, lying, step.place)
    return there is None or there.far > here.far


# --- orders ---------------------------------------------------------------------------------------------------------


def move(play: Play, power: str, action: ac.Move) -> None:
    """Move Units one step, an abandoned Power's as General Order 9 allows.

    Raises: Refusal `last_garrison`, `away_from_supply`, or as `maneuver.move`.
    Rules: ORD-037, ORD-039, ORD-046
    """
    war = current(play.state)
    if war and abandoned(play.tables, play.state, power):
        trial = Trial(play.tables, play.state)
        for name in action.units:
            before = trial.state
            maneuver.move(trial, power, replace(action, units=(name,)))
            moved = next(e for e in reversed(trial.events) if isinstance(e, ev.UnitsMoved))
            unit = next(u for u in units_at(before, moved.path[0]) if _went(u, moved))
            found = bar(play.tables, before, war, unit, moved.path[0], Step(moved.path[-1], moved.coast))
            if found:
                refuse(*found)
    maneuver.move(play, power, action)


def _went(unit: Unit, moved: ev.UnitsMoved) -> bool:
    """Whether a Unit is the one that a move is about."""
    about = (moved.power, moved.units[0], moved.start_coast, False)
    return (unit.power, unit.name, unit.coast, unit.halted) == about


def attack(play: Play, power: str, action: ac.Attack) -> None:
    """Attack in a place, an abandoned Power as General Order 9 allows: with 3 to 2, all that could join counted.

    Raises: Refusal `below_odds`, or as `battle.attack`.
    Rules: ORD-038, ORD-046
    """
    war = current(play.state)
    kind = NAVAL if action.naval else ARMY
    battle.attack(Trial(play.tables, play.state), power, action)  # what forbids it to anybody comes first
    if war:
        _odds(play, war, power, action.place, kind, ())
    battle.attack(play, power, action)


def answer_join(play: Play, choice: Pending, about: JoinAttack, words: tuple[str, ...]) -> None:
    """An ally joins an attack or stands aside, an abandoned Power as General Order 9 allows.

    Raises: Refusal `below_odds`, or as `battle.answer_join`.
    Rules: ORD-038, ORD-046, WCB-006
    """
    war = current(play.state)
    if war and words[:1] == (battle.JOIN,):
        _odds(play, war, choice.power, choice.area, about.unit_kind, about.aside)
    battle.answer_join(play, choice, about, words)


def too_weak(
    tables: Tables, state: State, war: War, power: str, place: str, kind: str, aside: tuple[str, ...] = ()
) -> bool:
    """Whether an abandoned Power may not attack in a place, its side being too weak there. Rules: ORD-038, ORD-046."""
    return abandoned(tables, state, power) and not enough(*battle.strengths(tables, state, war, place, kind, aside))


def _odds(play: Play, war: War, power: str, place: str, kind: str, aside: tuple[str, ...]) -> None:
    """Raises: Refusal `below_odds` where the attackers are not strong enough. Rules: ORD-038, ORD-046."""
    if too_weak(play.tables, play.state, war, power, place, kind, aside):
        ours, theirs = battle.strengths(play.tables, play.state, war, place, kind, aside)
        name = power_name(play.tables, power)
        refuse(
            "below_odds",
            ("ORD-038", "ORD-046"),
            f"Abandoned {name} attacks at {ODDS[0]} to {ODDS[1]} or better; here it is {ours} to {theirs}.",
        )
