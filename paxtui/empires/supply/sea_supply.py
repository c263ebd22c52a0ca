"""Supply over the sea: ports joined by fleets, depots on fleets, and besieged ports that live on them.

Rules: EIA 7.4.3, 7.4.4, 7.2.2
"""

from __future__ import annotations

from paxtui.empires.history.land_events import DepotRemoved
from paxtui.empires.play.play import Play
from paxtui.empires.play.presence import depot_at
from paxtui.empires.play.standing import allied, at_war, friendly, owner
from paxtui.empires.state.model import State
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.winter import is_winter


def blockaded(state: State, power: str, port: str) -> bool:
    """Whether an enemy fleet lies in the blockade box of a port."""
    return any(
        fleet.where == port and fleet.box == "blockade" and at_war(state, power, fleet.power)
        for fleet in state.fleets.values()
    )


def usable_port(tables: Tables, state: State, power: str, port: str) -> bool:
    """Whether a Power can supply over the sea by a port: friendly, unblockaded, and not iced up.

    Rules: EIA 7.4.3.1, 7.4.3.2, 7.4.3.3
    """
    area = tables.areas[port]
    iced = is_winter(tables, state.turn) and any(
        sea in tables.areas and tables.areas[sea].winter for sea in seas(tables, port)
    )
    return area.port and friendly(tables, state, power, port) and not blockaded(state, power, port) and not iced


def seas(tables: Tables, port: str) -> tuple[str, ...]:
    """The sea areas that a port opens to."""
    area = tables.areas[port]
    return tuple(sea for sea in (area.coast, *area.coasts) if sea)


def by_sea(tables: Tables, state: State, power: str, start: str, end: str) -> bool:
    """Whether a way by sea leads from one port to another: not iced up, and through straits only with leave.

    Rules: EIA 7.4.3.3, 7.4.4.6
    """
    return bool(set(seas(tables, end)) & _reached(tables, state, power, seas(tables, start)))


def _reached(tables: Tables, state: State, power: str, start: tuple[str, ...]) -> set[str]:
    """The sea areas that supply of a Power reaches from some."""
    found = {sea for sea in start if _passes(tables, state, power, sea)}
    edge = list(found)
    while edge:
        for near in tables.ways[edge.pop()]:
            if near not in found and tables.areas[near].sea and _passes(tables, state, power, near):
                found.add(near)
                edge.append(near)
    return found


def _passes(tables: Tables, state: State, power: str, sea: str) -> bool:
    """Whether supply of a Power may go through a sea area."""
    area = tables.areas[sea]
    if area.winter and is_winter(tables, state.turn):
        return False
    holder = owner(tables, state, area.gate) if area.gate else ""
    return not holder or holder == power or (holder, power) in state.access


def links(tables: Tables, state: State, power: str) -> dict[str, tuple[str, ...]]:
    """The depots of a Power that sea supply joins, from each port with a fleet of the Power or an ally to the others.

    Rules: EIA 7.4.3.1, 7.4.3.2, 7.4.3.3, 7.2.3.3.3
    """
    ports = [one.where for one in state.depots if one.power == power and _port_depot(tables, state, power, one.where)]
    return {
        port: tuple(other for other in ports if other != port and by_sea(tables, state, power, port, other))
        for port in ports
        if has_fleet(state, power, port)
    }


def _port_depot(tables: Tables, state: State, power: str, where: str) -> bool:
    return where in tables.areas and usable_port(tables, state, power, where)


def has_fleet(state: State, power: str, port: str) -> bool:
    """Whether a fleet of a Power or of an ally lies in a port."""
    return any(
        fleet.where == port and fleet.box == "port" and (fleet.power == power or allied(state, power, fleet.power))
        for fleet in state.fleets.values()
    )


def reached_by_sea(tables: Tables, state: State, power: str, port: str, chain: dict[str, int]) -> bool:
    """Whether a sea supply source of a Power reaches a port: another of its ports, in a valid chain, with a fleet.

    A fleet in the port itself does as well, where the other one is in the chain.

    Args: the tables; the position; the Power; the port; the Power's valid chain.
    Rules: EIA 7.2.2, 7.4.3.4
    """
    return usable_port(tables, state, power, port) and any(
        other != port
        and other in tables.areas
        and usable_port(tables, state, power, other)
        and has_fleet(state, power, other)
        and by_sea(tables, state, power, other, port)
        for other in chain
    )


def invasion_depots(tables: Tables, state: State, power: str, chain: dict[str, int]) -> dict[str, str]:
    """The sea areas in which a depot on a fleet of a Power supplies the land around, each with the fleet.

    Rules: EIA 7.4.4, 7.4.4.1, 7.4.4.5, 7.4.4.6
    """
    found: dict[str, str] = {}
    for one in state.depots:
        fleet = state.fleets.get(one.where)
        if one.power != power or fleet is None or fleet.box:
            continue
        if _passes(tables, state, power, fleet.where) and any(
            port in tables.areas
            and usable_port(tables, state, power, port)
            and fleet.where in _reached(tables, state, power, seas(tables, port))
            for port in chain
        ):
            found[fleet.where] = fleet.id
    return found


def from_the_sea(tables: Tables, state: State, power: str, area: str, chain: dict[str, int]) -> bool:
    """Whether an invasion depot of a Power supplies what stands in a land area.

    Rules: EIA 7.4.4
    """
    depots = invasion_depots(tables, state, power, chain)
    return any(sea in depots for sea in (*tables.ways[area], *seas(tables, area)))


def drop_afloat(play: Play) -> None:
    """Depots on fleets that have moved since, or are gone, are lost. Rules: EIA 7.4.4.2"""
    for one in play.state.depots:
        fleet = play.state.fleets.get(one.where)
        if one.at and (fleet is None or fleet.where != one.at or fleet.box):
            play.emit(DepotRemoved(where=one.where, power=one.power, why="fleet moved", rules=("EIA 7.4.4.2",)))


def in_city(state: State, area: str) -> bool:
    """Whether a depot stands in the city of an area. Rules: EIA 7.4.3.4.2"""
    return depot_at(state, area, inside=True) is not None
