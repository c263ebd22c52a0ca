"""Who may declare war on whom, and what it costs (4.2.1 to 4.2.3); for every place at which war can be declared."""

from __future__ import annotations

from paxtui.empires.history.politics_events import AllianceBroken, WarDeclared
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.standing import allied, at_war, bound, enemies, forces_in, home
from paxtui.empires.state.model import State
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.calendar import later

WAR, ALLIANCE = 3, 2
"""Political points that a declaration of war on a Power, and a broken alliance, cost. Rules: EIA 4.2.1.1"""
APART = 12
"""Months before a broken alliance can be made again. Rules: EIA 4.5.3"""
REACH = 5
"""Areas that the fastest counter can go in a month: how far "physically possible" is taken to reach."""


def check(tables: Tables, state: State, power: str, target: str, *, treaty: bool = True) -> None:
    """Check that a Power may declare war on a Power or a neutral minor country.

    Args: the tables; the position; who; on whom; whether an enforced peace stands in the way.

    Raises: Refusal. Rules: EIA 4.2.2, EIA 4.2.3
    """
    minor = state.minors.get(target)
    if target == power or (target not in state.powers and minor is None):
        refuse("no_target", f"'{target}' is neither another Power nor a minor country.", "EIA 4.2")
    if minor is not None and minor.controller:
        runs = tables.name(minor.controller)
        refuse("controlled", f"{tables.name(target)} is run by {runs}: war is declared on that Power.", "EIA 4.2.3")
    if at_war(state, power, target):
        refuse("at_war", f"There is war with {tables.name(target)} already.", "EIA 4.2")
    if treaty and bound(state, power, target):
        refuse("enforced_peace", f"An enforced peace with {tables.name(target)} holds.", "EIA 4.2.2.4")
    hinders(tables, state, power, target)
    if minor is not None and not _reaches(tables, state, power, target):
        refuse("out_of_reach", f"Nothing can enter {tables.name(target)} this month.", "EIA 4.2.2.3")


def hinders(tables: Tables, state: State, power: str, target: str) -> None:
    """Raises: Refusal, where forces stand in the way of a declaration. Rules: EIA 4.2.2.1, EIA 4.2.2.2"""
    if forces_in(tables, state, power, target):
        refuse("forces_there", f"There are forces of yours in {tables.name(target)}.", "EIA 4.2.2.1")
    foes = [one for one in enemies(state, power) if one in state.powers]
    if target in state.powers and foes and _invaded(tables, state, power):
        refuse("invaded", "Enemy infantry corps stand in your home nation.", "EIA 4.2.2.2")


def _invaded(tables: Tables, state: State, power: str) -> bool:
    """Whether unbesieged enemy infantry corps stand in the home nation of a Power; one inside a city counts as besieged
    where the other side has a corps outside it.
    """
    for corps in state.corps.values():
        if corps.kind != "infantry" or corps.where not in tables.areas or not at_war(state, power, corps.power):
            continue
        if home(tables, corps.where) != power:
            continue
        outside = any(
            one.where == corps.where and not one.inside and at_war(state, one.power, corps.power)
            for one in state.corps.values()
        )
        if not (corps.inside and outside):
            return True
    return False


def _reaches(tables: Tables, state: State, power: str, minor: str) -> bool:
    """Whether a Power could enter a minor country this month: by a corps near enough, or with a fleet at a port."""
    goal = {area.id for area in tables.areas.values() if area.owner == minor}
    seen = {corps.where for corps in state.corps.values() if corps.power == power}
    near = set(seen)
    for _ in range(REACH):
        near = {one for area in near for one in tables.ways.get(area, ()) if not tables.areas[one].sea} - seen
        seen |= near
    if seen & goal:
        return True
    sails = any(fleet.power == power for fleet in state.fleets.values())
    return sails and any(tables.areas[area].port for area in goal)


def go_to_war(play: Play, power: str, target: str, *rules: str, order: int = 0, points: bool = True) -> None:
    """War between two Powers, with what it costs; no allies are called because of it.

    Args: the act; who declares it, on whom; sections; its place in the order of wars, 0 for the next; whether the
        points of the declaration itself are lost.

    Rules: EIA 4.2.1.1
    """
    play.emit(WarDeclared(aggressor=power, defender=target, order=order or next_order(play.state), rules=rules))
    if points:
        play.points(power, -WAR, f"declared war on {play.tables.name(target)}", "EIA 4.2.1.1")
    if allied(play.state, power, target):
        break_alliance(play, power, target, (power,), "EIA 4.2.1.1")


def break_alliance(play: Play, a: str, b: str, losers: tuple[str, ...], *rules: str) -> None:
    """An alliance is broken, and those who have broken it lose points. Rules: EIA 4.5.3"""
    play.emit(AllianceBroken(a=a, b=b, until=later(play.state.turn, APART) - 1, rules=rules))
    for loser in losers:
        other = b if loser == a else a
        play.points(loser, -ALLIANCE, f"broke the alliance with {play.tables.name(other)}", *rules)


def next_order(state: State) -> int:
    """The place of the next war in the order of wars."""
    return 1 + max((one.order for one in state.relations), default=0)
