"""The army reinforcement step: what is due arrives and is placed, or lost.

Rules: EIA 5.2.1, 5.2.2, 5.2.5
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from paxtui.empires.history.land_events import (
    CorpsArrived,
    CorpsStrength,
    GarrisonStrength,
    ReinforcementLost,
    ReinforcementsCame,
)
from paxtui.empires.land.garrisons import asked_factors, check_inside
from paxtui.empires.orders.action import Action
from paxtui.empires.orders.actions_land import Reinforce
from paxtui.empires.play.factors import as_infantry, counts, fits, holds, minus, plus, selections
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.presence import (
    city_open,
    city_room,
    enemy_corps,
    garrison,
    is_corps,
    own_territory,
    unbesieged,
)
from paxtui.empires.play.standing import at_war, owner
from paxtui.empires.state.campaign import Due
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Corps, Factors
from paxtui.empires.supply.chains import chain_lengths, within
from paxtui.empires.supply.lines import blocked, depots_of, neighbours, sources
from paxtui.empires.supply.sea_supply import links
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.calendar import turn_of
from paxtui.engine.refusal import Refusal

LONGEST, LONGEST_FOR_MILITIA = 6, 3
"""Depots of the chain over which factors reach a corps. Rules: EIA 5.2.2.2.3.1, 5.2.2.2.3.2"""


def muster(play: Play) -> None:
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
            _arrive(play, corps)


def _arrive(play: Play, corps: Corps) -> None:
    """A corps of a scenario comes, or is lost where enemies are. Rules: EIA 5.2.1.1, 5.2.4.1"""
    state = play.state
    held = at_war(state, corps.power, owner(play.tables, state, corps.where))
    if held or enemy_corps(state, corps.power, corps.where):
        lost = ReinforcementLost(power=corps.power, corps=corps.id, factors=corps.factors, rules=("EIA 5.2.1.1",))
        play.emit(lost)
    else:
        play.emit(CorpsArrived(corps=corps, rules=("EIA 5.2.1.1",)))


def reinforce(play: Play, power: str, action: Reinforce) -> None:
    """Place factors that are due. Raises: Refusal. Rules: EIA 5.2.2"""
    factors = asked_factors(action.factors, "EIA 5.2.2")
    corps = play.state.corps.get(action.where)
    area = corps.where if corps else action.where
    nation = (corps.nation if corps and corps.nation != power else "") if corps else ""
    due = _due(play, power, area, nation, factors)
    if corps is not None:
        _into_corps(play, power, corps, due, factors)
    elif action.where in play.tables.areas:
        _into_garrison(play, power, action.where, due, factors)
    else:
        refuse("unknown_area", f"There is no corps or area '{action.where}'.", "EIA 5.2.2")
    rest = tuple(
        replace(one, factors=minus(one.factors, factors)) if one is due else one
        for one in play.state.campaign.due
        if one.power == power
    )
    left = tuple(one for one in rest if one.factors.total)
    play.emit(ReinforcementsCame(power=power, due=left, rules=("EIA 5.2.2",)))


def _due(play: Play, power: str, area: str, nation: str, factors: Factors) -> Due:
    """What is due that these factors come from. Raises: Refusal. Rules: EIA 5.2.2.1"""
    for one in play.state.campaign.due:
        if one.power == power and one.where in ("", area) and holds(one.factors, factors):
            if one.nation in (nation, play.tables.areas[area].owner if area in play.tables.areas else ""):
                return one
    refuse("not_due", "No such factors are due there.", "EIA 5.2.2", "EIA 5.2.2.1")


def _into_corps(play: Play, power: str, corps: Corps, due: Due, factors: Factors) -> None:
    """Factors join a corps. Raises: Refusal. Rules: EIA 5.2.2, 5.2.2.1, 5.2.2.2.1, 5.2.2.2.3"""
    if corps.power != power or not is_corps(corps) or not corps.where:
        refuse("no_corps", f"{corps.id} is no corps of one's own on land.", "EIA 5.2.2")
    if not unbesieged(play.state, corps):
        refuse("besieged", f"{corps.id} is besieged.", "EIA 5.2.2")
    if not fits(plus(corps.factors, factors), corps.most):
        refuse("no_room", f"{corps.id} cannot hold so many.", "EIA 5.2.2")
    check_inside(play, corps, factors.total)
    if not due.where and not _at_home(play.tables, due, power, corps.where):
        reach = replenished(play.tables, play.state, power, corps.where, due.nation)
        if reach is None or reach > (LONGEST_FOR_MILITIA if factors.militia else LONGEST):
            refuse(
                "no_chain",
                "Away from home a corps is filled up on or next to a depot: at most six from a source, three for"
                " militia.",
                "EIA 5.2.2.2.3",
                "EIA 5.2.2.2.3.1",
                "EIA 5.2.2.2.3.2",
            )
    play.emit(
        CorpsStrength(corps=corps.id, factors=plus(corps.factors, factors), why="reinforced", rules=("EIA 5.2.2",))
    )


def _at_home(tables: Tables, due: Due, power: str, area: str) -> bool:
    """Whether an area lies in the home nation of factors. Rules: EIA 5.2.2.2.1"""
    return tables.areas[area].owner == (due.nation or power)


def replenished(tables: Tables, state: State, power: str, area: str, nation: str = "") -> int | None:
    """Depots of the chain that reaches a corps in an area, its source included; None: it is on or next to none.

    Args: the tables; the position; the Power; the area; the minor free state that the factors are of, "" for none.
    Rules: EIA 5.2.2.2.3, 5.2.2.2.3.1, 5.2.2.2.3.3, 5.2.2.2.3.4
    """
    home = [one for one in sources(tables, state, power) if tables.areas[one].owner == (nation or power)]
    near = neighbours(tables, state, power)
    shut = blocked(state, power)
    chain = chain_lengths(depots_of(tables, state, power), home, near, shut, links(tables, state, power))
    reached = [chain[one] for one in within(area, 1, near, shut) if one in chain]
    return min(reached, default=None)


def _into_garrison(play: Play, power: str, area: str, due: Due, factors: Factors) -> None:
    """Factors join the garrison of a city; cavalry and guard become infantry. Raises: Refusal.

    Rules: EIA 5.2.2.1, 5.2.2.2.2, 7.3.3.2
    """
    tables, state = play.tables, play.state
    if not due.where and not _at_home(tables, due, power, area):
        refuse("not_at_home", "Garrisons are reinforced in the home nation only.", "EIA 5.2.2.2.2")
    if factors.artillery:
        refuse("no_exchange", "Artillery is no garrison.", "EIA 7.3.3.2")
    if not city_open(tables, state, power, area) or owner(tables, state, area) != power:
        refuse("no_city", "There is no friendly unbesieged city.", "EIA 5.2.2", "EIA 5.2.2.2.2")
    if city_room(tables, state, area) < factors.total:
        refuse("no_room", f"{tables.areas[area].city} does not hold so many.", "EIA 5.2.2", "EIA 7.3.3.4")
    held = plus(garrison(state, power, area, of_depot=False), as_infantry(factors))
    play.emit(GarrisonStrength(where=area, power=power, factors=held, why="reinforced", rules=("EIA 5.2.2.2.2",)))


def check_placed(play: Play, power: str) -> None:
    """Refuse to end the step while a reinforcement can be placed. Raises: Refusal. Rules: EIA 5.2"""
    for action in offers(play.tables, play.state, power):
        if isinstance(action, Reinforce) and sum(action.factors.values()) == 1 and _can_place(play, power, action):
            where = play.tables.corps_names.get(action.where) or play.tables.name(action.where)
            refuse(
                "reinforcements_due",
                f"Place your reinforcements first: {next(iter(action.factors))} can go to {where}"
                " (reinforce ... with ...). Factors that fit nowhere are lost.",
                "EIA 5.2",
            )


def _can_place(play: Play, power: str, action: Reinforce) -> bool:
    """Return whether a reinforcement would not be refused."""
    try:
        reinforce(Play(play.tables, play.state, play.dice), power, action)
    except Refusal:
        return False
    return True


def lapse(play: Play) -> None:
    """What was not placed is lost. Rules: EIA 5.2, 5.2.2"""
    for power in play.state.cursor.powers:
        left = [one for one in play.state.campaign.due if one.power == power]
        for one in left:
            play.emit(ReinforcementLost(power=power, factors=one.factors, rules=("EIA 5.2.2",)))
        if left:
            play.emit(ReinforcementsCame(power=power, due=(), rules=("EIA 5.2.2",)))


def offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Yield places for what is due: all factors of a kind, or one."""
    yield from _offers(
        tables, state, power, lambda due: ({kind: some} for kind, count in counts(due) for some in {count, 1})
    )


def every_offer(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Yield every place for every part of what is due."""
    yield from _offers(tables, state, power, selections)


def _offers(
    tables: Tables, state: State, power: str, parts: Callable[[Factors], Iterable[dict[str, int]]]
) -> Iterator[Action]:
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
                    and own_territory(tables, state, power, area.id)
                ):
                    yield Reinforce(area.id, factors)
