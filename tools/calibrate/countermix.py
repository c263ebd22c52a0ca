"""Search for limits of pieces with which each Power scores alike in games of several kinds of bots.

Each round plays games with the present limits, and moves the round and hexagon pieces of each Power against the
difference of its mean points from those of all. Russia's 10 and 7 are published and stay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from statistics import fmean

from paxtui.bots.pax.valuation import pounds_per_point
from paxtui.games.pax.board.tables import CounterLimits, Tables
from paxtui.simulation.match import Outcome

FIXED = {"russia": (10, 7)}
"""Powers whose round and hexagon pieces are facts."""
MOST_PIECES = 666
"""Pieces in the box, those of the Ottomans and the Chinese included."""
A_ROUND, A_HEXAGON = 45.0, 40.0
"""Pounds that one more piece earns in a game, for the first guess."""
STEP = 0.6
"""Share of a difference that a round of the search corrects."""
LARGEST = 4
"""Maximum change of a limit in a round."""
LEAST, MOST = 4, 40

Limits = dict[str, tuple[int, int]]
"""Round and hexagon pieces by Power."""


def mean_differences(populations: Sequence[Sequence[Outcome]]) -> dict[str, float]:
    """Victory Points by which each seat differs from the mean of all seats, averaged over the populations."""
    found: dict[str, list[float]] = {}
    for outcomes in populations:
        finished = [outcome for outcome in outcomes if not outcome.error]
        means = {seat: fmean(o.totals[seat] for o in finished) for seat in finished[0].totals}
        middle = fmean(means.values())
        for seat, mean in means.items():
            found.setdefault(seat, []).append(mean - middle)
    return {seat: fmean(differences) for seat, differences in found.items()}


def next_limits(tables: Tables, differences: Mapping[str, float]) -> Limits:
    """Limits for the next round: fewer pieces for who scores more. They hold the deployment of 1880."""
    limits: Limits = {}
    for power, counters in tables.counters.items():
        now = counters.round, counters.hexagon
        if power not in differences:
            continue
        if power in FIXED:
            limits[power] = FIXED[power]
            continue
        pounds = -STEP * differences[power] * pounds_per_point(tables, power)
        rounds = _moved(now[0], 0.7 * pounds / A_ROUND)
        hexagons = _moved(now[1], 0.3 * pounds / A_HEXAGON)
        limits[power] = (
            max(rounds, deployed(tables, power, "round")),
            max(hexagons, deployed(tables, power, "hexagon")),
        )
    while total_pieces(tables, limits) > MOST_PIECES:
        power = max((p for p in limits if p not in FIXED), key=lambda p: limits[p][0])
        limits[power] = (limits[power][0] - 1, limits[power][1])
    return limits


def _moved(now: int, change: float) -> int:
    return min(MOST, max(LEAST, now + round(min(LARGEST, max(-LARGEST, change)))))


def deployed(tables: Tables, power: str, pool: str) -> int:
    """Pieces of a pool that a Power has on the map of 1880."""
    return sum(m.power == power and tables.markers[m.marker].pool == pool for m in tables.start_markers)


def total_pieces(tables: Tables, limits: Limits) -> int:
    """Number of pieces of all Powers with these limits."""
    return tables.other_armies.count + sum(
        _pieces(counters) - counters.round - counters.hexagon + sum(limits.get(p, (counters.round, counters.hexagon)))
        for p, counters in tables.counters.items()
    )


def _pieces(limits: CounterLimits) -> int:
    units = limits.tens + limits.threes + limits.ones
    return units + limits.round + limits.hexagon + limits.dominion + limits.state + limits.merchant_fleet


def with_limits(text: str, limits: Limits) -> str:
    """The text of `counter_limits.toml` with other round and hexagon pieces."""
    for power, (rounds, hexagons) in limits.items():
        text = re.sub(rf"(?m)^({power} .*?round = )\d+(, hexagon = )\d+", rf"\g<1>{rounds}\g<2>{hexagons}", text)
    return text


def limits_row(limits: Limits, differences: Mapping[str, float]) -> str:
    """A line that shows limits and the differences that they were found from."""
    return "  ".join(f"{power} {r}/{h} ({differences.get(power, 0.0):+.0f})" for power, (r, h) in limits.items())
