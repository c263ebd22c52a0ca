"""The army reinforcement step: arrivals, exchanges, demobilization and leaders.

Rules: EIA 5.2.1 to 5.2.5, 5.3
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.empires.board import (
    ARTILLERY,
    NO_FACTORS,
    FactorChoices,
    as_infantry,
    city_holders,
    city_room,
    controller,
    enemy_corps,
    fits_corps,
    garrison_factors,
    is_at_war,
    is_besieged,
    is_city_open,
    is_corps,
    is_own_territory,
    is_unbesieged,
    single_factors,
)
from paxtui.games.empires.calendar import turn_of
from paxtui.games.empires.events.land import (
    CorpsArrived,
    CorpsStrength,
    LeaderMoved,
    ReinforcementLost,
    ReinforcementsCame,
)
from paxtui.games.empires.land.garrisons import CITY, DEPOT, check_city_room, check_place, parse_factors
from paxtui.games.empires.orders import Action, Appoint, Demobilize, Exchange, Reinforce, Retire
from paxtui.games.empires.pieces import Corps, Due, Factors, Leader
from paxtui.games.empires.state import State
from paxtui.games.empires.supply_lines import (
    areas_within,
    chain_lengths,
    depots_of,
    sea_links,
    supply_blocked,
    supply_neighbours,
    supply_sources,
)
from paxtui.games.empires.supply_step import set_corps_factors, set_garrison_factors
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction, refuse

LONGEST, LONGEST_FOR_MILITIA = 6, 3
"""Depots of the chain over which factors reach a corps. Rules: EIA 5.2.2.2.3.1, 5.2.2.2.3.2"""


def begin_reinforcement(play: Transaction) -> None:
    """Let money, corps and factors of the month come. Rules: EIA 5.2, 5.2.1.1, 5.2.5"""
    (power,) = play.state.cursor.powers
    state = play.state
    if state.campaign.mustered.get(power) == state.turn:
        return
    now = [
        one for one in play.tables.exercise.reinforcements if one.power == power and turn_of(one.month) == state.turn
    ]
    play.post(power, "money", sum(one.money for one in now), "money of the exercise", "EIA 5.2.5")
    due = tuple(
        Due(power=power, where=one.where, nation=one.nation, factors=one.factors) for one in now if one.factors.total
    )
    play.emit(ReinforcementsCame(power=power, due=due, rules=("EIA 5.2",)))
    for one in now:
        for corps in one.corps:
            _place_arriving_corps(play, corps)


def _place_arriving_corps(play: Transaction, corps: Corps) -> None:
    """A corps of a scenario comes, or is lost where enemies are. Rules: EIA 5.2.1.1, 5.2.4.1"""
    state = play.state
    held = is_at_war(state, corps.power, controller(play.tables, state, corps.where))
    if held or enemy_corps(state, corps.power, corps.where):
        lost = ReinforcementLost(power=corps.power, corps=corps.id, factors=corps.factors, rules=("EIA 5.2.1.1",))
        play.emit(lost)
    else:
        play.emit(CorpsArrived(corps=corps, rules=("EIA 5.2.1.1",)))


def place_reinforcement(play: Transaction, power: str, action: Reinforce) -> None:
    """Place factors that are due. Raises: Refusal. Rules: EIA 5.2.2"""
    factors = parse_factors(action.factors, "EIA 5.2.2")
    corps = play.state.corps.get(action.where)
    area = corps.where if corps else action.where
    nation = (corps.nation if corps and corps.nation != power else "") if corps else ""
    due = _due_for(play, power, area, nation, factors)
    if corps is not None:
        _into_corps(play, power, corps, due, factors)
    elif action.where in play.tables.areas:
        _into_garrison(play, power, action.where, due, factors)
    else:
        refuse("unknown_area", f"There is no corps or area '{action.where}'.", "EIA 5.2.2")
    rest = tuple(
        replace(one, factors=one.factors - factors) if one is due else one
        for one in play.state.campaign.due
        if one.power == power
    )
    left = tuple(one for one in rest if one.factors.total)
    play.emit(ReinforcementsCame(power=power, due=left, rules=("EIA 5.2.2",)))


def _due_for(play: Transaction, power: str, area: str, nation: str, factors: Factors) -> Due:
    """What is due that these factors come from. Raises: Refusal. Rules: EIA 5.2.2.1"""
    for one in play.state.campaign.due:
        if one.power == power and one.where in ("", area) and one.factors.contains(factors):
            if one.nation in (nation, play.tables.areas[area].owner if area in play.tables.areas else ""):
                return one
    refuse("not_due", "No such factors are due there.", "EIA 5.2.2", "EIA 5.2.2.1")


def _into_corps(play: Transaction, power: str, corps: Corps, due: Due, factors: Factors) -> None:
    """Factors join a corps. Raises: Refusal. Rules: EIA 5.2.2, 5.2.2.1, 5.2.2.2.1, 5.2.2.2.3"""
    if corps.power != power or not is_corps(corps) or not corps.where:
        refuse("no_corps", f"{corps.id} is not one of your corps on land.", "EIA 5.2.2")
    if not is_unbesieged(play.state, corps):
        refuse("besieged", f"{corps.id} is besieged.", "EIA 5.2.2")
    if not fits_corps(corps.factors + factors, corps.most):
        refuse("no_room", f"{corps.id} cannot hold so many.", "EIA 5.2.2")
    check_city_room(play, corps, factors.total)
    if not due.where and not _is_at_home(play.tables, due, power, corps.where):
        reach = depots_to_source(play.tables, play.state, power, corps.where, due.nation)
        if reach is None or reach > (LONGEST_FOR_MILITIA if factors.militia else LONGEST):
            refuse(
                "no_chain",
                "Away from home a corps is filled up on or next to a depot: at most six from a source, three for"
                " militia.",
                "EIA 5.2.2.2.3",
                "EIA 5.2.2.2.3.1",
                "EIA 5.2.2.2.3.2",
            )
    play.emit(CorpsStrength(corps=corps.id, factors=corps.factors + factors, why="reinforced", rules=("EIA 5.2.2",)))


def _is_at_home(tables: Tables, due: Due, power: str, area: str) -> bool:
    """Whether an area lies in the home nation of factors. Rules: EIA 5.2.2.2.1"""
    return tables.areas[area].owner == (due.nation or power)


def depots_to_source(tables: Tables, state: State, power: str, area: str, nation: str = "") -> int | None:
    """Return the depots of the chain that reaches a corps, its source included; None: it is on or next to none.

    `nation` is the minor free state of the factors, "" for the Power itself.

    Rules: EIA 5.2.2.2.3, 5.2.2.2.3.1, 5.2.2.2.3.3, 5.2.2.2.3.4
    """
    home = [one for one in supply_sources(tables, state, power) if tables.areas[one].owner == (nation or power)]
    near = supply_neighbours(tables, state, power)
    shut = supply_blocked(state, power)
    chain = chain_lengths(depots_of(tables, state, power), home, near, shut, sea_links(tables, state, power))
    reached = [chain[one] for one in areas_within(area, 1, near, shut) if one in chain]
    return min(reached, default=None)


def _into_garrison(play: Transaction, power: str, area: str, due: Due, factors: Factors) -> None:
    """Factors join the garrison of a city; cavalry and guard become infantry. Raises: Refusal.

    Rules: EIA 5.2.2.1, 5.2.2.2.2, 7.3.3.2
    """
    tables, state = play.tables, play.state
    if not due.where and not _is_at_home(tables, due, power, area):
        refuse("not_at_home", "Garrisons are reinforced in the home nation only.", "EIA 5.2.2.2.2")
    if factors.artillery:
        refuse("no_exchange", "Artillery cannot be a garrison.", "EIA 7.3.3.2")
    if not is_city_open(tables, state, power, area) or controller(tables, state, area) != power:
        refuse("no_city", "There is no friendly unbesieged city.", "EIA 5.2.2", "EIA 5.2.2.2.2")
    if city_room(tables, state, area) < factors.total:
        refuse("no_room", f"{tables.areas[area].city} does not hold so many.", "EIA 5.2.2", "EIA 7.3.3.4")
    held = garrison_factors(state, power, area, of_depot=False) + as_infantry(factors)
    set_garrison_factors(play, power, area, held, "reinforced", "EIA 5.2.2.2.2")


def check_all_placed(play: Transaction, power: str) -> None:
    """Refuse to end the step while a reinforcement can be placed. Raises: Refusal. Rules: EIA 5.2"""
    for action in reinforcement_offers(play.tables, play.state, power, single_factors):
        if isinstance(action, Reinforce) and _can_place(play, power, action):
            where = play.tables.corps_names.get(action.where) or play.tables.name(action.where)
            refuse(
                "reinforcements_due",
                f"Place your reinforcements first: {next(iter(action.factors))} can go to {where}"
                " (reinforce ... with ...). Factors that fit nowhere are lost.",
                "EIA 5.2",
            )


def _can_place(play: Transaction, power: str, action: Reinforce) -> bool:
    """Return whether a reinforcement would not be refused."""
    try:
        place_reinforcement(Transaction(play.tables, play.state, play.dice), power, action)
    except Refusal:
        return False
    return True


def remove_unplaced(play: Transaction) -> None:
    """What was not placed is lost. Rules: EIA 5.2, 5.2.2"""
    for power in play.state.cursor.powers:
        left = [one for one in play.state.campaign.due if one.power == power]
        for one in left:
            play.emit(ReinforcementLost(power=power, factors=one.factors, rules=("EIA 5.2.2",)))
        if left:
            play.emit(ReinforcementsCame(power=power, due=(), rules=("EIA 5.2.2",)))


def reinforcement_offers(tables: Tables, state: State, power: str, parts: FactorChoices) -> Iterator[Action]:
    """Yield places for parts of what is due."""
    for due in state.campaign.due:
        if due.power != power:
            continue
        for factors in parts(due.factors):
            for corps in state.corps.values():
                if corps.power == power and corps.where and (not due.where or corps.where == due.where):
                    yield Reinforce(corps.id, factors)
            for area in tables.exercise.areas:
                if (
                    area.city
                    and (area.id == due.where or not due.where)
                    and is_own_territory(tables, state, power, area.id)
                ):
                    yield Reinforce(area.id, factors)


def _giving_corps(play: Transaction, power: str, name: str) -> Corps:
    """A corps that may exchange factors. Raises: Refusal."""
    corps = play.state.corps.get(name)
    if corps is None or corps.power != power or not corps.where or not is_corps(corps):
        refuse("no_corps", f"You have no corps '{name}' on land.", "EIA 5.2.3")
    if not is_unbesieged(play.state, corps):
        refuse("besieged", f"{name} is besieged.", "EIA 5.2.3")
    if corps.kind == ARTILLERY:
        refuse("no_exchange", "Artillery factors are not exchanged.", "EIA 5.2.3")
    return corps


def exchange_factors(play: Transaction, power: str, action: Exchange) -> None:
    """Give factors to another corps, or to a garrison; an emptied corps is gone. Raises: Refusal. Rules: EIA 5.2.3"""
    giver = _giving_corps(play, power, action.corps)
    factors = parse_factors(action.factors, "EIA 5.2.3")
    if factors.artillery:
        refuse("no_exchange", "Artillery factors are not exchanged.", "EIA 5.2.3")
    if not giver.factors.contains(factors):
        refuse("too_few", f"{giver.id} does not hold so many.", "EIA 5.2.3")
    if action.to in (CITY, DEPOT):
        check_place(play, power, giver.where, action.to, 0 if giver.inside and action.to == CITY else factors.total)
        of_depot = action.to == DEPOT
        held = garrison_factors(play.state, power, giver.where, of_depot) + as_infantry(factors)
        set_garrison_factors(play, power, giver.where, held, "exchanged", "EIA 5.2.3", of_depot=of_depot)
    else:
        taker = _giving_corps(play, power, action.to)
        if taker.id == giver.id or taker.where != giver.where:
            refuse("not_there", "Corps in one area exchange factors.", "EIA 5.2.3")
        if (taker.nation or power) != (giver.nation or power):
            refuse("other_nation", "Corps of different nations do not exchange factors.", "EIA 5.2.3")
        if not fits_corps(taker.factors + factors, taker.most):
            refuse("no_room", f"{taker.id} cannot hold so many.", "EIA 5.2.3")
        check_city_room(play, taker, 0 if giver.inside else factors.total)
        play.emit(CorpsStrength(corps=taker.id, factors=taker.factors + factors, why="exchanged", rules=("EIA 5.2.3",)))
    set_corps_factors(play, giver, giver.factors - factors, "exchanged", "EIA 5.2.3")


def demobilize_forces(play: Transaction, power: str, action: Demobilize) -> None:
    """Disband a corps, or all or some of the garrisons of an area, without loss of points. Raises: Refusal.

    Rules: EIA 5.2.4
    """
    corps = play.state.corps.get(action.where)
    if corps is not None and corps.power == power and corps.where:
        if action.factors or action.source:
            refuse("whole_corps", f"{corps.id} is a corps: it is disbanded whole.", "EIA 5.2.4")
        set_corps_factors(play, corps, NO_FACTORS, "disbanded", "EIA 5.2.4")
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
        refuse("nobody_there", f"'{action.where}' is not one of your corps or garrisons.", "EIA 5.2.4")
    for one in own:
        gone = parse_factors(action.factors, "EIA 5.2.4") if action.factors else one.factors
        if not one.factors.contains(gone):
            refuse("too_few", "The garrison does not hold so many.", "EIA 5.2.4")
        set_garrison_factors(
            play, power, one.where, one.factors - gone, "disbanded", "EIA 5.2.4", of_depot=one.of_depot
        )


def _free_leader(play: Transaction, power: str, name: str) -> Leader:
    """A leader of a Power, on land and free. Raises: Refusal."""
    leader = play.state.leaders.get(name)
    if leader is None or leader.power != power or leader.naval:
        refuse("no_leader", f"You have no leader '{name}' on land.", "EIA 5.3")
    if leader.captor:
        refuse("prisoner", f"{name} is a prisoner.", "EIA 5.3")
    return leader


def retire_leader(play: Transaction, power: str, action: Retire) -> None:
    """Take a leader off the map. Raises: Refusal. Rules: EIA 5.3"""
    leader = _free_leader(play, power, action.leader)
    if not leader.where:
        refuse("retired", f"{leader.id} is off the map.", "EIA 5.3")
    corps = play.state.corps.get(leader.where)
    area = leader.where if corps is None else corps.where
    shut = is_besieged(play.state, area) and (corps is None or corps.inside)
    if shut and (not play.tables.areas[area].port or _is_port_blockaded(play.state, area)):
        refuse("besieged", f"{leader.id} is in a besieged city.", "EIA 5.3")
    play.emit(LeaderMoved(leader=leader.id, where="", rules=("EIA 5.3",)))


def _is_port_blockaded(state: State, port: str) -> bool:
    """Whether a fleet of others lies in the blockade box of a besieged port."""
    held = city_holders(state, port)
    return any(one.where == port and one.box == "blockade" and one.power not in held for one in state.fleets.values())


def appoint_leader(play: Transaction, power: str, action: Appoint) -> None:
    """Bring a leader back with a corps of the same Power. Raises: Refusal. Rules: EIA 5.3"""
    leader = _free_leader(play, power, action.leader)
    if leader.where:
        refuse("on_map", f"{leader.id} is on the map.", "EIA 5.3")
    corps = play.state.corps.get(action.corps)
    if corps is None or corps.power != power or not is_corps(corps):
        refuse("no_corps", f"You have no corps '{action.corps}'.", "EIA 5.3")
    play.emit(LeaderMoved(leader=leader.id, where=corps.id, rules=("EIA 5.3",)))


def exchange_offers(state: State, power: str, parts: FactorChoices) -> Iterator[Action]:
    """Yield exchanges of factors between corps, leaders to retire or to bring back, and forces to disband."""
    own = [one for one in state.corps.values() if one.power == power and one.where and is_corps(one)]
    for giver in own:
        takers = [one.id for one in own if one.where == giver.where and one is not giver]
        for factors in parts(giver.factors):
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
        for factors in parts(one.factors):
            yield Demobilize(one.where, factors, DEPOT if one.of_depot else CITY)
