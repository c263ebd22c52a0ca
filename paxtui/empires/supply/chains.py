"""Supply chains: which depots are sources, which lead back to one, and how far a force is from them.

Everything here works on any graph of areas: who is adjacent, and which areas are blocked, is asked of the caller.

Rules: EIA 7.2.3
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

APART = 2
"""Areas from one depot of a chain to the next, at the most."""

Neighbours = Callable[[str], Iterable[str]]
"""The areas that a chain can go on to from an area: adjacent, and not over a closed crossing."""

Blocked = Callable[[str], bool]
"""Whether enemies bar an area to a chain that leads through it."""


def within(start: str, far: int, neighbours: Neighbours, blocked: Blocked) -> dict[str, int]:
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
    neighbours: Neighbours,
    blocked: Blocked,
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
        reached = {near for near in within(area, APART, neighbours, blocked) if near in depots}
        reached.update(near for near in (links or {}).get(area, ()) if near in depots)
        for near in sorted(reached - found.keys()):
            found[near] = found[area] + 1
            edge.append(near)
    return found


def nearest_depot(
    start: str, far: int, depots: Collection[str], neighbours: Neighbours, blocked: Blocked
) -> tuple[str, int] | None:
    """The nearest of `depots` at most `far` areas away by an unblocked way, and its distance; None: there is none.

    Rules: EIA 7.4.2.1.1
    """
    near = within(start, far, neighbours, blocked)
    found = sorted((distance, area) for area, distance in near.items() if area in depots)
    return (found[0][1], found[0][0]) if found else None
