"""Supply lines: sources, depot chains, supply by sea, and costs.

Costs are in half money points until the sum is rounded up.

Rules: EIA 7.2.2, 7.2.3, 7.4.2, 7.4.3, 7.4.4
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from paxtui.games.empires.board import (
    bars_supply,
    controller,
    has_enemies,
    is_allied,
    is_at_war,
    is_besieged,
    is_friendly,
    is_own_territory,
)
from paxtui.games.empires.calendar import is_winter
from paxtui.games.empires.events.land import DepotRemoved
from paxtui.games.empires.state import State
from paxtui.games.empires.tables import Border, Tables
from paxtui.games.empires.transaction import Transaction

APART = 2
"""Areas from one depot of a chain to the next, at the most."""

NeighboursOf = Callable[[str], Iterable[str]]
"""The areas that a chain can go on to from an area: adjacent, and not over a closed crossing."""

IsBlocked = Callable[[str], bool]
"""Whether enemies bar an area to a chain that leads through it."""


def areas_within(start: str, far: int, neighbours: NeighboursOf, blocked: IsBlocked) -> dict[str, int]:
    """The areas that are at most `far` areas from `start` by an unblocked way, with their distances.

    Only what lies between is asked whether it is blocked, neither the start nor the end.

    Rules: EIA 7.2.3.2.1, 7.4.2.1.1
    """
    found = {start: 0}
    edge = [start]
    for distance in range(1, far + 1):
        wave = []
        for area in edge:
            if area != start and blocked(area):
                continue
            for near in neighbours(area):
                if near not in found:
                    found[near] = distance
                    wave.append(near)
        edge = wave
    return found


def chain_lengths(
    depots: Collection[str],
    sources: Collection[str],
    neighbours: NeighboursOf,
    blocked: IsBlocked,
    links: Mapping[str, Collection[str]] | None = None,
) -> dict[str, int]:
    """The depots of one power that are in a valid chain, each with the number of depots from its source, both included.

    Args:
        depots: areas with a depot of the power.
        sources: those of them that are supply sources.
        neighbours, blocked: the map as the power finds it.
        links: depots joined otherwise, as if adjacent (sea supply).

    Rules: EIA 7.2.3.2, 7.2.3.2.1, 7.2.3.2.3, 7.4.3.1
    """
    found = {area: 1 for area in depots if area in sources}
    edge = list(found)
    while edge:
        area = edge.pop(0)
        reached = {near for near in areas_within(area, APART, neighbours, blocked) if near in depots}
        reached.update(near for near in (links or {}).get(area, ()) if near in depots)
        for near in sorted(reached - found.keys()):
            found[near] = found[area] + 1
            edge.append(near)
    return found


def nearest_depot(
    start: str, far: int, depots: Collection[str], neighbours: NeighboursOf, blocked: IsBlocked
) -> tuple[str, int] | None:
    """The nearest of `depots` at most `far` areas away by an unblocked way, and its distance; None: there is none.

    Rules: EIA 7.4.2.1.1
    """
    near = areas_within(start, far, neighbours, blocked)
    found = sorted((distance, area) for area, distance in near.items() if area in depots)
    return (found[0][1], found[0][0]) if found else None


FARTHEST = 3
"""Areas between a corps and the depot it lives on, at the most."""

IN_PLACE = 1
"""Halves of a point for a corps in the area of the depot, or a besieged port garrison on sea supply."""


def supply_price(distance: int, winter: bool) -> int:
    """Return the halves of a money point for a corps some areas from its depot; `winter`: in the winter zone in winter.

    Raises: ValueError, farther away than `FARTHEST`.
    Rules: EIA 7.4.2.1.1, 7.4.2.1.2, 7.4.2.1.3
    """
    if not 0 <= distance <= FARTHEST:
        raise ValueError(f"no depot supply over {distance} areas")
    halves = 2 * distance if distance else IN_PLACE
    return 2 * halves if winter else halves


def supply_bill(halves: Iterable[int]) -> int:
    """Money points for all that is supplied together.

    Rules: EIA 7.4.2.1
    """
    return -(-sum(halves) // 2)


def is_blockaded(state: State, power: str, port: str) -> bool:
    """Whether an enemy fleet lies in the blockade box of a port."""
    return any(
        fleet.where == port and fleet.box == "blockade" and is_at_war(state, power, fleet.power)
        for fleet in state.fleets.values()
    )


def is_port_usable(tables: Tables, state: State, power: str, port: str) -> bool:
    """Whether a Power can supply over the sea by a port: friendly, unblockaded, and not iced up.

    Rules: EIA 7.4.3.1, 7.4.3.2, 7.4.3.3
    """
    area = tables.areas[port]
    iced = is_winter(tables, state.turn) and any(
        sea in tables.areas and tables.areas[sea].winter for sea in port_seas(tables, port)
    )
    return area.port and is_friendly(tables, state, power, port) and not is_blockaded(state, power, port) and not iced


def port_seas(tables: Tables, port: str) -> tuple[str, ...]:
    """The sea areas that a port opens to."""
    area = tables.areas[port]
    return tuple(sea for sea in (area.coast, *area.coasts) if sea)


def has_sea_way(tables: Tables, state: State, power: str, start: str, end: str) -> bool:
    """Whether a way by sea leads from one port to another: not iced up, and through straits only with leave.

    Rules: EIA 7.4.3.3, 7.4.4.6
    """
    return bool(set(port_seas(tables, end)) & _seas_reached(tables, state, power, port_seas(tables, start)))


def _seas_reached(tables: Tables, state: State, power: str, start: tuple[str, ...]) -> set[str]:
    """The sea areas that supply of a Power reaches from some."""
    found = {sea for sea in start if _can_supply_pass(tables, state, power, sea)}
    edge = list(found)
    while edge:
        for near in tables.ways[edge.pop()]:
            if near not in found and tables.areas[near].sea and _can_supply_pass(tables, state, power, near):
                found.add(near)
                edge.append(near)
    return found


def _can_supply_pass(tables: Tables, state: State, power: str, sea: str) -> bool:
    """Whether supply of a Power may go through a sea area."""
    area = tables.areas[sea]
    if area.winter and is_winter(tables, state.turn):
        return False
    holder = controller(tables, state, area.gate) if area.gate else ""
    return not holder or holder == power or (holder, power) in state.access


def sea_links(tables: Tables, state: State, power: str) -> dict[str, tuple[str, ...]]:
    """The depots of a Power that sea supply joins, from each port with a fleet of the Power or an ally to the others.

    Rules: EIA 7.4.3.1, 7.4.3.2, 7.4.3.3, 7.2.3.3.3
    """
    ports = [one for one in depots_of(tables, state, power) if is_port_usable(tables, state, power, one)]
    return {
        port: tuple(other for other in ports if other != port and has_sea_way(tables, state, power, port, other))
        for port in ports
        if has_friendly_fleet(state, power, port)
    }


def has_friendly_fleet(state: State, power: str, port: str) -> bool:
    """Whether a fleet of a Power or of an ally lies in a port."""
    return any(
        fleet.where == port and fleet.box == "port" and (fleet.power == power or is_allied(state, power, fleet.power))
        for fleet in state.fleets.values()
    )


def is_reached_by_sea(tables: Tables, state: State, power: str, port: str, chain: dict[str, int]) -> bool:
    """Whether a sea supply source of a Power reaches a port: another of its ports, in a valid chain, with a fleet.

    A fleet in the port itself does as well, where the other one is in the chain.

    Rules: EIA 7.2.2, 7.4.3.4
    """
    return is_port_usable(tables, state, power, port) and any(
        other != port
        and other in tables.areas
        and is_port_usable(tables, state, power, other)
        and has_friendly_fleet(state, power, other)
        and has_sea_way(tables, state, power, other, port)
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
        if _can_supply_pass(tables, state, power, fleet.where) and any(
            port in tables.areas
            and is_port_usable(tables, state, power, port)
            and fleet.where in _seas_reached(tables, state, power, port_seas(tables, port))
            for port in chain
        ):
            found[fleet.where] = fleet.id
    return found


def is_supplied_from_sea(tables: Tables, state: State, power: str, area: str, chain: dict[str, int]) -> bool:
    """Whether an invasion depot of a Power supplies what stands in a land area.

    Rules: EIA 7.4.4
    """
    depots = invasion_depots(tables, state, power, chain)
    return any(sea in depots for sea in (*tables.ways[area], *port_seas(tables, area)))


def remove_stale_fleet_depots(play: Transaction) -> None:
    """Depots on fleets that have moved since, or are gone, are lost. Rules: EIA 7.4.4.2"""
    for one in play.state.depots:
        fleet = play.state.fleets.get(one.where)
        if one.at and (fleet is None or fleet.where != one.at or fleet.box):
            play.emit(DepotRemoved(where=one.where, power=one.power, why="fleet moved", rules=("EIA 7.4.4.2",)))


def supply_neighbours(tables: Tables, state: State, power: str) -> NeighboursOf:
    """Where the supply of a Power goes on to from an area: land, and crossing arrows that no enemy fleet closes.

    Rules: EIA 7.2.3.2.2
    """

    def near(area: str) -> Iterator[str]:
        for other, border in tables.ways[area].items():
            if not tables.areas[other].sea and not is_crossing_closed(state, power, border):
                yield other

    if state.fleets:
        return near
    return lambda area: tables.land_ways[area]


def is_crossing_closed(state: State, power: str, border: Border) -> bool:
    """Whether an enemy fleet in the sea around it closes a crossing arrow.

    Rules: EIA 7.2.3.2.2, 7.3.1.3.3
    """
    return border.kind == "crossing" and any(
        fleet.where == border.sea and is_at_war(state, power, fleet.power) for fleet in state.fleets.values()
    )


def supply_blocked(state: State, power: str) -> IsBlocked:
    """Which areas are barred to the supply of a Power."""
    pieces = {(one.power, one.where) for one in state.corps.values()} | {(g.power, g.where) for g in state.garrisons}
    enemies = {one for one in {owner for owner, _ in pieces} if is_at_war(state, power, one)}
    held = {where for owner, where in pieces if owner in enemies}
    return lambda area: area in held and bars_supply(state, power, area)


def is_source(tables: Tables, state: State, power: str, area: str) -> bool:
    """Whether a Power's depot in an area is a supply source.

    Rules: EIA 7.2.3.1
    """
    where = tables.areas[area]
    return (
        bool(where.city)
        and not where.sea
        and is_own_territory(tables, state, power, area)
        and controller(tables, state, area) == power
        and not is_besieged(state, area)
        and not has_enemies(state, power, area)
    )


def depots_of(tables: Tables, state: State, power: str) -> tuple[str, ...]:
    """The areas with a depot of a Power, fleets left out.

    Rules: EIA 7.2.3.3.3
    """
    return tuple(one.where for one in state.depots if one.power == power and one.where in tables.areas)


def supply_sources(tables: Tables, state: State, power: str) -> tuple[str, ...]:
    """The areas with a supply source of a Power."""
    return tuple(area for area in depots_of(tables, state, power) if is_source(tables, state, power, area))


def valid_chain(tables: Tables, state: State, power: str) -> dict[str, int]:
    """The depots of a Power in a valid chain, each with the number of depots from its source, both included."""
    return chain_lengths(
        depots_of(tables, state, power),
        supply_sources(tables, state, power),
        supply_neighbours(tables, state, power),
        supply_blocked(state, power),
        sea_links(tables, state, power),
    )


def would_extend_chain(tables: Tables, state: State, power: str, area: str, earlier: bool = False) -> bool:
    """Whether a depot in an area would continue a valid chain; `earlier`: only of depots that stood before this month.

    Rules: EIA 7.2.3, 7.3.6.1
    """
    chain = valid_chain(tables, state, power)
    if earlier:
        standing = {one.where for one in state.depots if one.power == power and one.since < state.turn}
        chain = {one: length for one, length in chain.items() if one in standing}
    near = areas_within(area, APART, supply_neighbours(tables, state, power), supply_blocked(state, power))
    return any(one in chain for one in near if one != area)


def supplying_depot(
    tables: Tables, state: State, power: str, area: str, owner: str = "", chain: dict[str, int] | None = None
) -> tuple[str, int] | None:
    """The depot that a force of a Power in an area can live on, and how many areas away it is; None: there is none.

    `owner` is an ally whose depots supply it; `chain` is their valid chain, if it is known.

    Rules: EIA 7.4.1, 7.4.2.1, 7.4.2.1.1
    """
    if chain is None:
        chain = valid_chain(tables, state, owner or power)
    return nearest_depot(area, FARTHEST, chain, supply_neighbours(tables, state, power), supply_blocked(state, power))
