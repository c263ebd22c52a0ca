"""Attacks of the naval combat step: who attacks whom, and which attacks must be made.

Rules: EIA 6.2.4, 6.3.1
"""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.empires.naval.battle.sides import engage, fights, opponents
from paxtui.empires.naval.entering import frozen
from paxtui.empires.naval.places import kind, name_of, place_of
from paxtui.empires.naval.stacks import fleets_at, group_of, hostile, open_to, stack
from paxtui.empires.orders.action import Action
from paxtui.empires.orders.actions_sea import AttackFleet
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.politics import declaring
from paxtui.empires.state.model import State
from paxtui.empires.tables.tables import Tables


def attack(play: Play, power: str, action: AttackFleet) -> None:
    """Attack the stack of a Power at a place. Raises: Refusal.

    Rules: EIA 6.2.4, 6.3.1, 6.3.1.1, 6.3.1.2, 6.3.2
    """
    tables, state = play.tables, play.state
    place, target = action.place, action.power
    if not kind(tables, place):
        refuse("no_place", f"No fleet can be at '{place}'.", "EIA 6.2.4")
    name = name_of(tables, place)
    if not stack(state, place, (power,)):
        refuse("no_fleet", f"{tables.name(power)} has no fleet at {name}.", "EIA 6.2.4")
    if target not in state.powers or not stack(state, place, (target,)):
        refuse("no_enemy", f"There is no fleet of {target} at {name}.", "EIA 6.3.1")
    if place in state.at_sea.closed:
        refuse("once", f"One stack only is attacked at {name} in a sequence.", "EIA 6.3.1", "EIA 6.3.2")
    if frozen(tables, state, place):
        refuse("ice", f"In winter nobody fights in {name}: it lies beyond the ice line.", "EIA 6.2.1.4")
    defenders = opponents(tables, state, (power,), target, place)
    if target in group_of(state, power) or not defenders:
        refuse(
            "no_enemy",
            f"{tables.name(power)} is at war neither with {tables.name(target)} nor with a corps its fleets carry.",
            "EIA 6.3.1.2",
        )
    for foe in dict.fromkeys(action.declaring):
        _declare(play, power, foe, defenders)
    friends = (one for one in group_of(state, power) if one in state.cursor.powers)
    attackers = tuple(
        one
        for one in friends
        if stack(state, place, (one,)) and any(fights(tables, state, one, foe, place) for foe in defenders)
    )
    engage(play, place, attackers, defenders, "attack", power)


def _declare(play: Play, power: str, foe: str, defenders: tuple[str, ...]) -> None:
    """Declare war, in the moment of the attack, on who carries an enemy or moves with one. Raises: Refusal.

    An enforced peace does not stand in the way, and no ally is called.

    Rules: EIA 6.3.1.2.1, 6.3.1.2.2
    """
    if foe not in defenders:
        refuse(
            "not_attacked",
            f"War is declared here only on who is attacked: {', '.join(map(play.tables.name, defenders))}.",
            "EIA 6.3.1.2.2",
        )
    declaring.check(play.tables, play.state, power, foe, treaty=False)
    declaring.go_to_war(play, power, foe, "EIA 6.3.1.2.2")


def targets(tables: Tables, state: State, power: str) -> Iterator[AttackFleet]:
    """The attacks that a Power can make."""
    for place in dict.fromkeys(place_of(fleet) for fleet in state.fleets.values() if fleet.power == power):
        for other in state.powers:
            if other != power and fights(tables, state, power, other, place):
                yield AttackFleet(place=place, power=other)


def offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """The attacks that a Power can make."""
    yield from targets(tables, state, power)


def owed(tables: Tables, state: State, power: str) -> tuple[str, ...]:
    """Return the ports and blockade boxes where a Power must still attack.

    In a port that is not open to it a Power must attack whatever it can attack. Rules: EIA 6.2.1.2, 6.2.4
    """
    possible = {one.place for one in targets(tables, state, power)}
    places = dict.fromkeys(place_of(fleet) for fleet in state.fleets.values() if fleet.power == power)
    return tuple(
        place
        for place in places
        if kind(tables, place) in ("port", "box")
        and place not in state.at_sea.closed
        and (
            hostile(state, power, (fleet for fleet in fleets_at(state, place) if fleet.power != power))
            or (place in possible and kind(tables, place) == "port" and not open_to(tables, state, power, place))
        )
    )


def may_end(play: Play, power: str) -> None:
    """Refuse to end the step while an attack must be made. Raises: Refusal.

    Rules: EIA 6.2.4
    """
    places = owed(play.tables, play.state, power)
    if places:
        names = ", ".join(name_of(play.tables, place) for place in places)
        refuse("must_attack", f"An enemy in the same port or blockade box must be attacked: {names}.", "EIA 6.2.4")
