"""The supply lines of a Power on the map: its sources, its valid chains, and the depot that a force lives on.

Rules: EIA 7.2.3, 7.4.2
"""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.empires.play.presence import (
    bars,
    besieged,
    depot_at,
    enemy_corps,
    enemy_garrison,
    enemy_irregulars,
    own_territory,
)
from paxtui.empires.play.standing import at_war, owner
from paxtui.empires.state.model import State
from paxtui.empires.supply.chains import APART, Blocked, Neighbours, chain_lengths, nearest_depot, within
from paxtui.empires.supply.prices import FARTHEST
from paxtui.empires.supply.sea_supply import links
from paxtui.empires.tables.map import Border
from paxtui.empires.tables.tables import Tables


def neighbours(tables: Tables, state: State, power: str) -> Neighbours:
    """Where the supply of a Power goes on to from an area: land, and crossing arrows that no enemy fleet closes.

    Rules: EIA 7.2.3.2.2
    """

    def near(area: str) -> Iterator[str]:
        for other, border in tables.ways[area].items():
            if not tables.areas[other].sea and not crossing_closed(state, power, border):
                yield other

    return near


def crossing_closed(state: State, power: str, border: Border) -> bool:
    """Whether an enemy fleet in the sea around it closes a crossing arrow.

    Rules: EIA 7.2.3.2.2, 7.3.1.3.3
    """
    return border.kind == "crossing" and any(
        fleet.where == border.sea and at_war(state, power, fleet.power) for fleet in state.fleets.values()
    )


def blocked(state: State, power: str) -> Blocked:
    """Which areas are barred to the supply of a Power."""
    return lambda area: bars(state, power, area)


def is_source(tables: Tables, state: State, power: str, area: str) -> bool:
    """Whether a Power's depot in an area is a supply source.

    Rules: EIA 7.2.3.1
    """
    where = tables.areas[area]
    enemies = (
        enemy_corps(state, power, area) or enemy_irregulars(state, power, area) or enemy_garrison(state, power, area)
    )
    return (
        bool(where.city)
        and not where.sea
        and own_territory(tables, state, power, area)
        and owner(tables, state, area) == power
        and not besieged(state, area)
        and not enemies
    )


def depots_of(tables: Tables, state: State, power: str) -> tuple[str, ...]:
    """The areas with a depot of a Power, fleets left out.

    Rules: EIA 7.2.3.3.3
    """
    return tuple(one.where for one in state.depots if one.power == power and one.where in tables.areas)


def sources(tables: Tables, state: State, power: str) -> tuple[str, ...]:
    """The areas with a supply source of a Power."""
    return tuple(area for area in depots_of(tables, state, power) if is_source(tables, state, power, area))


def valid_chain(tables: Tables, state: State, power: str) -> dict[str, int]:
    """The depots of a Power in a valid chain, each with the number of depots from its source, both included."""
    return chain_lengths(
        depots_of(tables, state, power),
        sources(tables, state, power),
        neighbours(tables, state, power),
        blocked(state, power),
        links(tables, state, power),
    )


def would_chain(tables: Tables, state: State, power: str, area: str, earlier: bool = False) -> bool:
    """Whether a depot in an area would continue a valid chain of a Power.

    Args: the tables; the position; the Power; the area; whether only depots count that stood before this month.
    Rules: EIA 7.2.3, 7.3.6.1
    """
    chain = valid_chain(tables, state, power)
    if earlier:
        chain = {one: length for one, length in chain.items() if _stood(state, one)}
    near = within(area, APART, neighbours(tables, state, power), blocked(state, power))
    return any(one in chain for one in near if one != area)


def supply_of(
    tables: Tables, state: State, power: str, area: str, owner_: str = "", chain: dict[str, int] | None = None
) -> tuple[str, int] | None:
    """The depot that a force of a Power in an area can live on, and how many areas away it is; None: there is none.

    Args: the tables; the position; the Power; the area; whose depots, if an ally's; their valid chain, if it is known.
    Rules: EIA 7.4.1, 7.4.2.1, 7.4.2.1.1
    """
    if chain is None:
        chain = valid_chain(tables, state, owner_ or power)
    return nearest_depot(area, FARTHEST, chain, neighbours(tables, state, power), blocked(state, power))


def _stood(state: State, area: str) -> bool:
    depot = depot_at(state, area) or depot_at(state, area, inside=True)
    return depot is not None and depot.since < state.turn
