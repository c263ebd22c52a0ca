"""Who runs a neutral minor country on which war was declared (4.6 to 4.6.3)."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.empires.history.politics_events import (
    MinorAsked,
    MinorControlled,
    MinorFleetSetUp,
    MinorRolled,
    MinorSetUp,
)
from paxtui.empires.play.play import Play
from paxtui.empires.play.standing import allied, enemies
from paxtui.empires.politics import competing
from paxtui.empires.politics.alliances import has_forces
from paxtui.empires.state.model import State
from paxtui.empires.state.politics import Minority
from paxtui.empires.state.questions import Question
from paxtui.empires.tables.tables import Tables

RUN, SET_UP = "run_minor", "set_up"
YES, NO = "yes", "no"
DOMINANT, AT_WAR = 1, 2
"""Modifiers of the die for a minor country. Rules: EIA 4.6.2.2, EIA 4.6.2.3"""


def select(play: Play, one: Minority) -> None:
    """Ask the next Power whether it would run the country, or roll among those who would.

    Rules: EIA 4.6, EIA 4.6.2
    """
    asked = eligible(play.tables, play.state, one)
    left = [power for power in asked if power not in one.asked]
    if left:
        play.ask(RUN, left[0], (YES, NO), one.minor, rules=("EIA 4.6.2",))
        return
    if not one.willing:
        play.emit(MinorAsked(minority=replace(one, settled=True), rules=("EIA 4.6",)))
        return
    power = _winner(play, one)
    status = "free" if has_forces(play.tables, one.minor) else "conquered"
    play.emit(MinorControlled(minor=one.minor, power=power, status=status, rules=("EIA 4.6.3.1",)))
    districts = play.state.minors[one.minor].districts
    name = play.tables.name(one.minor)
    play.points(power, districts, f"runs {name}", "EIA 4.6.3.1")
    for attacker in one.attackers:
        play.points(attacker, -districts, f"declared war on {name}", "EIA 4.2.1.2")
    play.emit(MinorAsked(minority=replace(one, settled=True), rules=("EIA 4.6",)))


def eligible(tables: Tables, state: State, one: Minority) -> tuple[str, ...]:
    """Who is asked: Powers not at war with the country; allies of its attackers only where nobody else is willing.

    Rules: EIA 4.6
    """
    order = tuple(power for power in tables.sequence.minors if power in state.powers)
    free = tuple(power for power in order if power not in one.attackers)
    friends = tuple(power for power in free if any(allied(state, power, foe) for foe in one.attackers))
    others = tuple(power for power in free if power not in friends)
    return others if one.willing or set(others) - set(one.asked) else others + friends


def answer(play: Play, question: Question, choice: str) -> None:
    """A Power would run the country, or would not."""
    one = next(each for each in play.state.politics.minors if each.minor == question.about[0])
    willing = (*one.willing, question.power) if choice == YES else one.willing
    changed = replace(one, asked=(*one.asked, question.power), willing=willing)
    play.emit(MinorAsked(minority=changed, rules=("EIA 4.6.2",)))


def modifier(tables: Tables, state: State, power: str, one: Minority) -> int:
    """What a Power adds to its die. Rules: EIA 4.6.2.1, EIA 4.6.2.2, EIA 4.6.2.3"""
    national = tables.exercise.modifiers.get(one.minor, {}).get(power, 0)
    status = DOMINANT if power in tables.exercise.dominant else 0
    war = AT_WAR if set(enemies(state, power)) & set(one.attackers) else 0
    return national + status + war


def _winner(play: Play, one: Minority) -> str:
    """The highest modified die; ties by unmodified dice. Rules: EIA 4.6.2"""
    dice = {power: play.roll() for power in one.willing}
    totals = {power: die + modifier(play.tables, play.state, power, one) for power, die in dice.items()}
    rules = ("EIA 4.6.2", "EIA 4.6.2.1", "EIA 4.6.2.2", "EIA 4.6.2.3")
    play.emit(MinorRolled(minor=one.minor, dice=dice, totals=totals, rules=rules))
    best = tuple(power for power in one.willing if totals[power] == max(totals.values()))
    return competing.order(play, best, f"who runs {play.tables.name(one.minor)}", "EIA 4.6.2")[0]


def set_up(play: Play) -> bool:
    """Ask where the next corps or fleet of a new free state is put; whether somebody was asked.

    Rules: EIA 4.6.3.2, EIA 4.6.3.3, EIA 4.6.3.4, EIA 4.6.3.5
    """
    fresh = {one.minor for one in play.state.politics.minors if one.settled}
    for power in play.tables.sequence.minors:
        for corps in play.state.corps.values():
            if corps.nation in fresh and corps.power == power and not corps.where:
                areas = tuple(area.id for area in play.tables.areas.values() if area.owner == corps.nation)
                play.ask(SET_UP, power, areas, corps.id, rules=("EIA 4.6.3.2", "EIA 4.6.3.4"))
                return True
        for fleet in play.state.fleets.values():
            if fleet.nation in fresh and fleet.power == power and not fleet.where:
                ports = [area for area in play.tables.areas.values() if area.owner == fleet.nation and area.port]
                places = (place for area in ports for place in (area.id, area.coast) if place)
                play.ask(SET_UP, power, tuple(dict.fromkeys(places)), fleet.id, rules=("EIA 4.6.3.2", "EIA 4.6.3.5"))
                return True
    return False


def take_place(play: Play, question: Question, choice: str) -> None:
    """A corps or a fleet of the country is where its Power wants it. Rules: EIA 4.6.3.4, EIA 4.6.3.5"""
    if question.about[0] in play.state.fleets:
        box = "port" if play.tables.areas[choice].port else ""
        play.emit(MinorFleetSetUp(fleet=question.about[0], where=choice, box=box, rules=("EIA 4.6.3.5",)))
        return
    play.emit(MinorSetUp(corps=question.about[0], where=choice, rules=("EIA 4.6.3.4",)))
