"""What a Power may do with the forces it has in its army reinforcement step: exchange, disband, retire leaders.

Rules: EIA 5.2.3, 5.2.4, 5.3
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from paxtui.empires.history.land_events import CorpsStrength, GarrisonStrength, LeaderMoved
from paxtui.empires.land.garrisons import CITY, DEPOT, asked_factors, check_inside, check_place
from paxtui.empires.orders.action import Action
from paxtui.empires.orders.actions_land import Appoint, Demobilize, Exchange, Retire
from paxtui.empires.play.factors import NONE, as_infantry, counts, fits, holds, minus, plus, selections
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.presence import ARTILLERY, besieged, city_holders, garrison, is_corps, unbesieged
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Corps, Factors, Leader
from paxtui.empires.supply.feeding import orphan_leaders
from paxtui.empires.tables.tables import Tables


def _giver(play: Play, power: str, name: str) -> Corps:
    """A corps that may exchange factors. Raises: Refusal."""
    corps = play.state.corps.get(name)
    if corps is None or corps.power != power or not corps.where or not is_corps(corps):
        refuse("no_corps", f"There is no corps '{name}' of one's own on land.", "EIA 5.2.3")
    if not unbesieged(play.state, corps):
        refuse("besieged", f"{name} is besieged.", "EIA 5.2.3")
    if corps.kind == ARTILLERY:
        refuse("no_exchange", "Artillery factors are not exchanged.", "EIA 5.2.3")
    return corps


def exchange(play: Play, power: str, action: Exchange) -> None:
    """Give factors to another corps, or to a garrison; an emptied corps is gone. Raises: Refusal. Rules: EIA 5.2.3"""
    giver = _giver(play, power, action.corps)
    factors = asked_factors(action.factors, "EIA 5.2.3")
    if factors.artillery:
        refuse("no_exchange", "Artillery factors are not exchanged.", "EIA 5.2.3")
    if not holds(giver.factors, factors):
        refuse("too_few", f"{giver.id} does not hold so many.", "EIA 5.2.3")
    if action.to in (CITY, DEPOT):
        check_place(play, power, giver.where, action.to, 0 if giver.inside and action.to == CITY else factors.total)
        of_depot = action.to == DEPOT
        held = plus(garrison(play.state, power, giver.where, of_depot), as_infantry(factors))
        play.emit(
            GarrisonStrength(
                where=giver.where, power=power, of_depot=of_depot, factors=held, why="exchanged", rules=("EIA 5.2.3",)
            )
        )
    else:
        taker = _giver(play, power, action.to)
        if taker.id == giver.id or taker.where != giver.where:
            refuse("not_there", "Corps in one area exchange factors.", "EIA 5.2.3")
        if (taker.nation or power) != (giver.nation or power):
            refuse("other_nation", "Corps of different nations do not exchange factors.", "EIA 5.2.3")
        if not fits(plus(taker.factors, factors), taker.most):
            refuse("no_room", f"{taker.id} cannot hold so many.", "EIA 5.2.3")
        check_inside(play, taker, 0 if giver.inside else factors.total)
        play.emit(
            CorpsStrength(corps=taker.id, factors=plus(taker.factors, factors), why="exchanged", rules=("EIA 5.2.3",))
        )
    left = minus(giver.factors, factors)
    play.emit(CorpsStrength(corps=giver.id, factors=left, why="exchanged", rules=("EIA 5.2.3",)))
    if not left.total:
        orphan_leaders(play, giver)


def demobilize(play: Play, power: str, action: Demobilize) -> None:
    """Disband a corps, or all or some of the garrisons of an area, without loss of points. Raises: Refusal.

    Rules: EIA 5.2.4
    """
    corps = play.state.corps.get(action.where)
    if corps is not None and corps.power == power and corps.where:
        if action.factors or action.source:
            refuse("whole_corps", f"{corps.id} is a corps: it is disbanded whole.", "EIA 5.2.4")
        play.emit(CorpsStrength(corps=corps.id, factors=NONE, why="disbanded", rules=("EIA 5.2.4",)))
        orphan_leaders(play, corps)
        return
    if action.source not in ("", CITY, DEPOT):
        refuse("no_place", "A garrison is in the city or with the depot.", "EIA 5.2.4")
    place = action.source or (CITY if action.factors else "")
    own = [
        one
        for one in play.state.garrisons
        if one.power == power and one.where == action.where and place in ("", DEPOT if one.of_depot else CITY)
    ]
    if not own:
        refuse("nobody_there", f"'{action.where}' is no corps or garrison of one's own.", "EIA 5.2.4")
    for one in own:
        gone = asked_factors(action.factors, "EIA 5.2.4") if action.factors else one.factors
        if not holds(one.factors, gone):
            refuse("too_few", "The garrison does not hold so many.", "EIA 5.2.4")
        play.emit(
            GarrisonStrength(
                where=one.where,
                power=power,
                of_depot=one.of_depot,
                factors=minus(one.factors, gone),
                why="disbanded",
                rules=("EIA 5.2.4",),
            )
        )


def _leader(play: Play, power: str, name: str) -> Leader:
    """A leader of a Power, on land and free. Raises: Refusal."""
    leader = play.state.leaders.get(name)
    if leader is None or leader.power != power or leader.naval:
        refuse("no_leader", f"There is no leader '{name}' of one's own on land.", "EIA 5.3")
    if leader.captor:
        refuse("prisoner", f"{name} is a prisoner.", "EIA 5.3")
    return leader


def retire(play: Play, power: str, action: Retire) -> None:
    """Take a leader off the map. Raises: Refusal. Rules: EIA 5.3"""
    leader = _leader(play, power, action.leader)
    if not leader.where:
        refuse("retired", f"{leader.id} is off the map.", "EIA 5.3")
    corps = play.state.corps.get(leader.where)
    area = leader.where if corps is None else corps.where
    shut = besieged(play.state, area) and (corps is None or corps.inside)
    if shut and (not play.tables.areas[area].port or _blockaded(play.state, area)):
        refuse("besieged", f"{leader.id} is in a besieged city.", "EIA 5.3")
    play.emit(LeaderMoved(leader=leader.id, where="", rules=("EIA 5.3",)))


def _blockaded(state: State, port: str) -> bool:
    """Whether a fleet of others lies in the blockade box of a besieged port."""
    held = city_holders(state, port)
    return any(one.where == port and one.box == "blockade" and one.power not in held for one in state.fleets.values())


def appoint(play: Play, power: str, action: Appoint) -> None:
    """Bring a leader back with any corps of his Power. Raises: Refusal. Rules: EIA 5.3"""
    leader = _leader(play, power, action.leader)
    if leader.where:
        refuse("on_map", f"{leader.id} is on the map.", "EIA 5.3")
    corps = play.state.corps.get(action.corps)
    if corps is None or corps.power != power or not is_corps(corps):
        refuse("no_corps", f"There is no corps '{action.corps}' of one's own.", "EIA 5.3")
    play.emit(LeaderMoved(leader=leader.id, where=corps.id, rules=("EIA 5.3",)))


def offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Yield exchanges of one factor between corps, leaders to retire or to bring back, and forces to disband."""
    yield from _offers(state, power, lambda factors: ({kind: 1} for kind, _ in counts(factors)))


def every_offer(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Yield every exchange, leader to retire or to bring back, and force to disband."""
    yield from _offers(state, power, selections)


def _offers(state: State, power: str, some: Callable[[Factors], Iterable[dict[str, int]]]) -> Iterator[Action]:
    own = [one for one in state.corps.values() if one.power == power and one.where and is_corps(one)]
    for giver in own:
        takers = [one.id for one in own if one.where == giver.where and one is not giver]
        for factors in some(giver.factors):
            yield from (Exchange(giver.id, factors, taker) for taker in (*takers, CITY, DEPOT))
    for leader in state.leaders.values():
        if leader.power == power and not leader.captor and not leader.naval:
            if leader.where:
                yield Retire(leader.id)
            else:
                yield from (Appoint(leader.id, one.id) for one in own)
    yield from (Demobilize(one.id) for one in own)
    garrisons = [one for one in state.garrisons if one.power == power]
    yield from (Demobilize(area) for area in dict.fromkeys(one.where for one in garrisons))
    for one in garrisons:
        for factors in some(one.factors):
            yield Demobilize(one.where, factors, DEPOT if one.of_depot else CITY)
