"""Forces that stand in land now at peace go home (4.4.6.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from paxtui.empires.history.politics_events import CorpsWentHome, DepotTakenUp, FleetsMustLeave, GarrisonWentHome
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.standing import friendly, owner_of, runner
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Garrison
from paxtui.empires.state.questions import Question
from paxtui.empires.tables.tables import Tables

CORPS_HOME, GARRISON_HOME = "corps_home", "garrison_home"
RULE = "EIA 4.4.6.2"
OF_CITY, OF_DEPOT = 5, 10
"""Factors that a city holds by its supply value, and that a depot holds. Rules: EIA 7.3.3.4, EIA 7.3.3.5"""


def in_land_of(tables: Tables, state: State, place: str, nation: str) -> bool:
    """Whether a place lies in the territory of a nation, or of a minor country that it runs."""
    if place not in tables.areas:
        return False
    found = owner_of(tables, state, place)
    return nation in (found, runner(state, found))


def guests(state: State) -> Iterator[tuple[str, str, bool]]:
    """Who has to leave whose land after this month's peaces, and whether only its capitals (a victor with access)."""
    for loser, victor, kind in state.politics.peace:
        access = any(
            (one.turn, one.loser, one.victor) == (state.turn, loser, victor) and "c.5" in one.terms
            for one in state.treaties
        )
        if kind != "lapse":
            yield loser, victor, False
            yield victor, loser, access
        else:
            yield loser, victor, False


def send_home(play: Play) -> bool:
    """Send home the next of those who have to go; whether anything has happened."""
    for power, nation, capitals in guests(play.state):
        steps = (_garrisons(play, power, nation, capitals),)
        if any(steps):
            return True
        if not capitals and (_corps(play, power, nation) or _rest(play, power, nation)):
            return True
    return False


def _nearest(play: Play, origin: str, good: Callable[[str], bool]) -> tuple[str, ...]:
    """The nearest areas by land that will do, all that are equally near."""
    seen = {origin}
    ring: tuple[str, ...] = (origin,)
    while ring:
        found = tuple(area for area in ring if good(area))
        if found:
            return found
        wider = [one for area in ring for one in play.tables.ways[area] if not play.tables.areas[one].sea]
        ring = tuple(dict.fromkeys(one for one in wider if one not in seen))
        seen |= set(ring)
    return ()


def _corps(play: Play, power: str, nation: str) -> bool:
    for corps in play.state.corps.values():
        if corps.power != power or not in_land_of(play.tables, play.state, corps.where, nation):
            continue
        goals = _nearest(play, corps.where, lambda area: friendly(play.tables, play.state, power, area))
        if not goals:
            continue  # no way home by land
        if len(goals) == 1:
            play.emit(CorpsWentHome(corps=corps.id, where=goals[0], rules=(RULE,)))
        else:
            play.ask(CORPS_HOME, power, goals, corps.id, rules=(RULE,))
        return True
    return False


def _garrisons(play: Play, power: str, nation: str, capitals: bool) -> bool:
    tables = play.tables
    for one in play.state.garrisons:
        if one.power != power or not in_land_of(tables, play.state, one.where, nation):
            continue
        if capitals and (one.of_depot or not tables.areas[one.where].capital):
            continue
        goals = _nearest(play, one.where, _holder(play, one, capitals))
        if len(goals) > 1:
            play.ask(GARRISON_HOME, power, goals, one.where, "depot" if one.of_depot else "city", rules=(RULE,))
        else:
            _arrive(play, one, goals[0] if goals else "")
        return True
    return False


def _holder(play: Play, garrison: Garrison, capitals: bool) -> Callable[[str], bool]:
    """Whether an area can take a garrison in: a friendly one with room, or for a guest any but a capital."""

    def holds(area: str) -> bool:
        found = play.tables.areas[area]
        if area == garrison.where or (capitals and found.capital):
            return False
        if not capitals and not friendly(play.tables, play.state, garrison.power, area):
            return False
        return any(room(play, garrison.power, area, depot) >= garrison.factors.total for depot in (False, True))

    return holds


def room(play: Play, power: str, area: str, of_depot: bool) -> int:
    """How many more factors fit into the city of an area, or with a depot there. Rules: EIA 7.3.3.4, EIA 7.3.3.5"""
    state = play.state
    if of_depot:
        most = OF_DEPOT if any((one.power, one.where) == (power, area) for one in state.depots) else 0
    else:
        most = OF_CITY * play.tables.areas[area].supply
    there = (one for one in state.garrisons if one.where == area and one.of_depot == of_depot)
    return most - sum(one.factors.total for one in there)


def _arrive(play: Play, garrison: Garrison, area: str) -> None:
    to_depot = bool(area) and room(play, garrison.power, area, False) < garrison.factors.total
    play.emit(
        GarrisonWentHome(
            power=garrison.power,
            origin=garrison.where,
            of_depot=garrison.of_depot,
            where=area,
            to_depot=to_depot,
            rules=(RULE,),
        )
    )


def _rest(play: Play, power: str, nation: str) -> bool:
    """Depots are taken up, and fleets told to leave."""
    for depot in play.state.depots:
        if depot.power == power and in_land_of(play.tables, play.state, depot.where, nation):
            play.emit(DepotTakenUp(power=power, where=depot.where, rules=(RULE,)))
            return True
    fleets = tuple(
        fleet.id
        for fleet in play.state.fleets.values()
        if fleet.power == power
        and fleet.box == "port"
        and fleet.id not in play.state.leaving
        and in_land_of(play.tables, play.state, fleet.where, nation)
    )
    if fleets:
        play.emit(FleetsMustLeave(fleets=fleets, rules=(RULE,)))
    return bool(fleets)


def take_corps(play: Play, question: Question, choice: str) -> None:
    """A corps goes to one of the nearest areas."""
    play.emit(CorpsWentHome(corps=question.about[0], where=choice, rules=(RULE,)))


def take_garrison(play: Play, question: Question, choice: str) -> None:
    """A garrison goes to one of the nearest areas."""
    origin, kind = question.about
    key = (question.power, origin, kind == "depot")
    found = next(one for one in play.state.garrisons if (one.power, one.where, one.of_depot) == key)
    _arrive(play, found, choice)


def check_left(play: Play, power: str) -> None:
    """Raises: Refusal, while a fleet that has to leave a port is still there. Rules: EIA 4.4.6.2"""
    for name in play.state.leaving:
        fleet = play.state.fleets.get(name)
        if fleet is not None and fleet.power == power and fleet.box == "port":
            if not friendly(play.tables, play.state, power, fleet.where):
                refuse("must_leave", f"Fleet {name} has to leave {play.tables.name(fleet.where)} first.", RULE)
