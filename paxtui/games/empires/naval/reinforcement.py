"""The naval reinforcement step: new counters and ships, transfers between fleets, and scuttling.

Rules: EIA 5.1
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from paxtui.games.empires.board import controller
from paxtui.games.empires.events.sea import FleetPlaced, FleetRemoved, LeaderWent, ShipsPlaced, ShipsTransferred
from paxtui.games.empires.naval.fleets import (
    fleet_location,
    fleet_nation,
    fleets_at,
    place_kind,
    place_name,
    place_of_fleet,
)
from paxtui.games.empires.orders import Action, PlaceFleet, PlaceShips, Scuttle, TransferShips
from paxtui.games.empires.pieces import Fleet
from paxtui.games.empires.state import State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction, refuse


def ships_due(state: State, power: str, nation: str) -> int:
    """The ships of a nation that a Power may place now.

    Rules: EIA 5.1.2
    """
    return sum(
        one.ships for one in state.shipyard if (one.power, one.nation) == (power, nation) and one.turn <= state.turn
    )


def fleet_counters_due(state: State, power: str) -> dict[str, tuple[Fleet, str]]:
    """The fleet counters that a Power may place now, by id, each with its nation.

    Rules: EIA 5.1.1, 5.1.4.3
    """
    return {
        fleet.id: (fleet, one.nation)
        for one in state.shipyard
        for fleet in one.fleets
        if one.power == power and one.turn <= state.turn
    }


def is_base(tables: Tables, state: State, nation: str, port: str) -> bool:
    """Whether ships of a nation may be commissioned in a port: its home, or for a Power a minor that it has conquered.

    Rules: EIA 5.1.2
    """
    if place_kind(tables, port) != "port":
        return False
    home = tables.areas[port].owner
    minor = state.minors.get(home)
    conquered = minor is not None and minor.status == "conquered" and minor.controller == nation
    held = controller(tables, state, port) == (state.minors[nation].controller if nation in state.minors else nation)
    return held and (home == nation or conquered)


def place_ships(play: Transaction, power: str, action: PlaceShips) -> None:
    """Put ships that are due into a fleet in port. Raises: Refusal.

    Rules: EIA 5.1.2
    """
    fleet = _own_fleet(play, power, action.fleet)
    if fleet.box != "port" or not is_base(play.tables, play.state, fleet_nation(fleet), fleet.where):
        refuse(
            "no_base",
            f"New ships of {play.tables.name(fleet_nation(fleet))} come to fleets in its own controlled ports; "
            f"{fleet.id} lies {place_name(play.tables, place_of_fleet(fleet))}.",
            "EIA 5.1.2",
        )
    _check_room(fleet, action.ships)
    _commission_ships(play, power, fleet, action.ships)


def _commission_ships(play: Transaction, power: str, fleet: Fleet, ships: int) -> None:
    """Ships that are due come to a fleet. Raises: Refusal."""
    nation = fleet_nation(fleet)
    ready = ships_due(play.state, power, nation)
    if not 1 <= ships <= ready:
        refuse("not_due", f"{ready} ships of {play.tables.name(nation)} are due, not {ships}.", "EIA 5.1.2")
    play.emit(ShipsPlaced(power=power, nation=nation, fleet=fleet.id, ships=ships, rules=("EIA 5.1.2",)))


def place_fleet(play: Transaction, power: str, action: PlaceFleet) -> None:
    """Put a counter that was bought on the map, with ships. Raises: Refusal.

    Rules: EIA 5.1.1, 5.1.4.3
    """
    tables, state = play.tables, play.state
    ready = fleet_counters_due(state, power)
    if action.fleet not in ready:
        names = ", ".join(ready) or "none"
        refuse("not_due", f"No counter {action.fleet} is due; there is {names}.", "EIA 5.1.1", "EIA 5.1.4.3")
    counter, nation = ready[action.fleet]
    if not place_kind(tables, action.place):
        refuse("no_place", f"No fleet can be at '{action.place}'.", "EIA 5.1.1")
    beside = any(one.power == power and fleet_nation(one) == nation for one in fleets_at(state, action.place))
    home = place_kind(tables, action.place) == "port" and tables.areas[action.place].owner == nation
    if not beside and not (home and is_base(tables, state, nation, action.place)):
        refuse(
            "no_base",
            f"A new fleet comes to a controlled home port or beside a fleet of its own, not {action.place}.",
            "EIA 5.1.1",
        )
    if action.ships < 1:
        refuse("empty", "A new fleet receives at least one ship at once: say how many.", "EIA 5.1.1")
    where, box = fleet_location(tables, action.place)
    fleet = replace(counter, power=power, nation=counter.nation, where=where, box=box, ships=0)
    play.emit(FleetPlaced(power=power, nation=nation, fleet=fleet, rules=("EIA 5.1.1",)))
    if action.giver:
        transfer_ships(play, power, TransferShips(ships=action.ships, giver=action.giver, taker=fleet.id))
    else:
        place_ships(play, power, PlaceShips(fleet=fleet.id, ships=action.ships))


def transfer_ships(play: Transaction, power: str, action: TransferShips) -> None:
    """Transfer ships to another fleet at the same place; an empty counter leaves the map. Raises: Refusal.

    Rules: EIA 5.1.3, 6.3.6
    """
    giver, taker = _own_fleet(play, power, action.giver), _own_fleet(play, power, action.taker)
    if giver.id == taker.id:
        refuse("twice", "A fleet gives no ships to itself.", "EIA 5.1.3")
    if fleet_nation(giver) != fleet_nation(taker):
        refuse("foreign", "Fleets of different nations exchange no ships.", "EIA 5.1.3")
    if place_of_fleet(giver) != place_of_fleet(taker):
        refuse("apart", "Fleets exchange ships where they lie together.", "EIA 5.1.3")
    if not 1 <= action.ships <= giver.ships:
        refuse("no_ships", f"{giver.id} has {giver.ships} ships to give.", "EIA 5.1.3")
    _check_room(taker, action.ships)
    play.emit(ShipsTransferred(giver=giver.id, taker=taker.id, ships=action.ships, rules=("EIA 5.1.3",)))
    if action.ships == giver.ships:
        _remove_counter(play, giver.id, "emptied", "EIA 5.1.3", to=taker.id)


def scuttle_fleet(play: Transaction, power: str, action: Scuttle) -> None:
    """Remove a fleet with the ships in it. Raises: Refusal.

    Rules: EIA 5.1.4, 5.1.4.1, 5.1.4.2
    """
    fleet = _own_fleet(play, power, action.fleet)
    if fleet_nation(fleet) != power:
        refuse("minor_fleet", "Fleets of minor countries are not scuttled in this step.", "EIA 5.1.4.2")
    beside = [
        one.id for one in fleets_at(play.state, place_of_fleet(fleet)) if one.power == power and one.id != fleet.id
    ]
    aboard = [one for one in play.state.leaders.values() if one.where == fleet.id]
    if fleet.cargo or (aboard and not beside):
        refuse("aboard", "Corps or leaders are aboard, and no other fleet is there to take them.", "EIA 5.1.4")
    _remove_counter(
        play, fleet.id, "scuttled" if fleet.ships else "emptied", "EIA 5.1.4", to=beside[0] if beside else ""
    )
    if fleet.ships:
        play.points(power, -1, "fleet scuttled", "EIA 5.1.4.1")


def _remove_counter(play: Transaction, name: str, why: str, rule: str, to: str) -> None:
    """A counter leaves the map; a leader with it goes aboard another."""
    for leader in tuple(play.state.leaders.values()):
        if leader.where == name:
            play.emit(LeaderWent(leader=leader.id, where=to, rules=(rule,)))
    ships = play.state.fleets[name].ships
    play.emit(FleetRemoved(fleet=name, ships=ships, why="scuttled" if why == "scuttled" else "emptied", rules=(rule,)))


def _own_fleet(play: Transaction, power: str, name: str) -> Fleet:
    """A fleet of a Power. Raises: Refusal."""
    fleet = play.state.fleets.get(name)
    if fleet is None or fleet.power != power:
        refuse("no_fleet", f"{play.tables.name(power)} has no fleet {name} on the map.", "EIA 5.1.2")
    return fleet


def _check_room(fleet: Fleet, ships: int) -> None:
    """Refuse more ships than a counter holds. Raises: Refusal."""
    if fleet.most and fleet.ships + ships > fleet.most:
        refuse("full", f"{fleet.id} holds {fleet.most} ships at most and has {fleet.ships}.", "EIA 5.1.2")


def navy_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Ships and counters that are due, ships that can change fleets, fleets that can be scuttled."""
    own = [fleet for fleet in state.fleets.values() if fleet.power == power]
    for fleet in own:
        ready = ships_due(state, power, fleet_nation(fleet))
        room = fleet.most - fleet.ships if fleet.most else ready
        if min(ready, room) > 0:
            yield PlaceShips(fleet=fleet.id, ships=min(ready, room))
    for name, (counter, nation) in fleet_counters_due(state, power).items():
        ready = min(ships_due(state, power, nation), counter.most or ships_due(state, power, nation))
        for port in (area.id for area in tables.areas.values() if area.port):
            if ready and is_base(tables, state, nation, port):
                yield PlaceFleet(fleet=name, place=port, ships=ready)
    for giver in own:
        for taker in own:
            if giver.id != taker.id and place_of_fleet(giver) == place_of_fleet(taker):
                yield TransferShips(ships=1, giver=giver.id, taker=taker.id)
    yield from (Scuttle(fleet=fleet.id) for fleet in own)
