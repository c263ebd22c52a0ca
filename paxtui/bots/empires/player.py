"""A simple player for the exercises: it tries each possible act and takes the one with the best expected value.

It sees what its seat sees. It tries acts with its own dice: the same for the same position, and independent of the dice
of the game.
"""

from __future__ import annotations

from paxtui.bots.empires import armies, fleets, general
from paxtui.bots.empires.armies import distances_from
from paxtui.engine.dice import Dice, draw
from paxtui.engine.refusal import Refusal
from paxtui.games.empires.board import is_at_war
from paxtui.games.empires.calendar import NAVAL
from paxtui.games.empires.decider import decide_action, menu_actions
from paxtui.games.empires.naval.fleets import is_station_controlled
from paxtui.games.empires.orders import Action, Done, action_text
from paxtui.games.empires.state import State
from paxtui.games.empires.tables import Tables

TRIES = 2
"""Number of trials for each act."""
MOST = 60
"""Maximum number of acts tried; from more, a random sample."""
POINT, SHIP, FACTOR, MONEY = 100, 4, 5, 1
"""Values of pieces and places."""
WATER = 60
"""Value of a point that a held station brings at the end of the phase."""
WAY = 1
"""Value of an area nearer to an enemy for the stronger side, and farther for the weaker side."""


def choose_action(tables: Tables, state: State, seat: str, level: str = "steady") -> Action:
    """Return the act of a seat that must act, in the position as it sees it. Its skill matters in a campaign only."""
    if tables.exercise.complete:
        return general.choose_general_action(tables, state, seat, level)
    offered = menu_actions(tables, state, seat)
    if state.cursor.phase == NAVAL or state.cursor.step == "navy" or state.at_sea.encounter is not None:
        return fleets.choose_naval_action(tables, state, seat, offered)
    if (state.cursor.phase, state.cursor.step) in armies.STEPS:
        return armies.choose_army_action(tables, state, seat, offered)
    key = f"{seat}|{state.turn}|{state.cursor.phase}|{state.cursor.step}|{len(state.ledger)}|{len(offered)}"
    if len(offered) > MOST:
        kept = {draw(key, n, len(offered)) for n in range(MOST)}
        offered = tuple(one for at, one in enumerate(offered) if at in kept or isinstance(one, Done))
    now = position_value(tables, state, seat)
    best, most = offered[-1], now
    for at, action in enumerate(offered):
        looks = expected_value(tables, state, seat, action, f"{key}|{at}")
        if not isinstance(action, Done) and (looks > most or (best not in offered[:at] and state.questions)):
            best, most = action, looks
    return best


def expected_value(tables: Tables, state: State, seat: str, action: Action, key: str) -> float:
    """Return the expected value of an act, as the mean of some trials."""
    total = 0.0
    for n in range(TRIES):
        try:
            after = decide_action(tables, state, seat, action, Dice(f"{key}|{n}|{action_text(action)}")).state
        except Refusal:
            return float("-inf")
        total += position_value(tables, after, seat)
    return total / TRIES


def position_value(tables: Tables, state: State, seat: str) -> float:
    """Return the value of a position for a seat: points and forces of its side minus those of its enemies."""
    total = 0.0
    for power in state.powers:
        account = state.accounts[power]
        value = POINT * account.points + MONEY * account.money + _force_value(state, power)
        if power == seat:
            total += value
        elif is_at_war(state, seat, power):
            total -= value / max(1, len(state.powers) - 1)
    return total + WAY * _nearness_value(tables, state, seat) + _stations_value(tables, state, seat)


def _force_value(state: State, power: str) -> float:
    ships = sum(fleet.ships for fleet in state.fleets.values() if fleet.power == power)
    factors = sum(corps.factors.total for corps in state.corps.values() if corps.power == power)
    factors += sum(one.factors.total for one in state.garrisons if one.power == power)
    return SHIP * ships + FACTOR * factors


def _nearness_value(tables: Tables, state: State, seat: str) -> float:
    """Return the value of the distances of a seat's corps: near to weaker enemies, far from stronger ones."""
    enemies = [one for one in state.corps.values() if one.where in tables.areas and is_at_war(state, seat, one.power)]
    if not enemies:
        return 0.0
    total = 0.0
    for corps in state.corps.values():
        if corps.power == seat and corps.where in tables.areas:
            distances = distances_from(tables, corps.where)
            near = min(enemies, key=lambda foe: distances.get(foe.where, 99))
            here = sum(o.factors.total for o in state.corps.values() if (o.power, o.where) == (seat, corps.where))
            there = sum(one.factors.total for one in enemies if one.where == near.where)
            total += (-1 if here >= there else 0.5) * min(9, distances.get(near.where, 9))
    return total


def _stations_value(tables: Tables, state: State, seat: str) -> float:
    """Return the value of a seat's stations that it holds, or sails to with enough ships."""
    total = 0.0
    for station in tables.exercise.stations:
        if station.power != seat:
            if is_at_war(state, seat, station.power):
                total -= WATER * station.points * is_station_controlled(state, station)
            continue
        if is_station_controlled(state, station):
            total += WATER * station.points
            continue
        for fleet in state.fleets.values():
            if fleet.power == seat and fleet.where in tables.areas:
                distances = _sea_distances(tables, fleet.where)
                total -= 0.1 * fleet.ships / station.ships * min(distances.get(place, 9) for place in station.where)
    return total


def _sea_distances(tables: Tables, origin: str) -> dict[str, int]:
    """Return the distance of sea areas in steps from a sea area or a port."""
    coast = tables.areas[origin].coast
    found, ring = ({origin: 0, coast: 1}, [coast]) if coast else ({origin: 0}, [origin])
    while ring:
        area = ring.pop(0)
        for one in tables.seas_by_area[area]:
            if one not in found:
                found[one] = found[area] + 1
                ring.append(one)
    return found
