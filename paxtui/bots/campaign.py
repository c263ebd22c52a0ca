"""Armies as the bot counts them: who is free, where one pays, and how strong it has to be."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import msgspec

from paxtui.bots.odds import Odds, odds
from paxtui.bots.worth import offends, resentment, worth
from paxtui.pax.board import counters
from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.paths import way
from paxtui.pax.board.remembered import remembered
from paxtui.pax.board.status import at, controls, established, unestablished
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.expansion.placement import highest, price, problems
from paxtui.pax.expansion.special_garrisons import india_zone, western_zone
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, CONTROL, PROTECTORATE, Marker

POUND_A_STRENGTH = 3.0
"""Pounds that a lost strength point costs to build again."""
SAFE = 0.6
"""Chance to win from which an attack is planned."""
RATIO = 2
"""Strength that an attack brings for each strength point of the Area, if it can."""
MOST = {10: 2, 3: 3, 1: 4}
"""Units of each strength that one attack takes at most."""


class Force(NamedTuple):
    """Army Units sent somewhere, by their strengths."""

    armies: tuple[int, ...]

    def odds(self, tables: Tables, strength: int) -> Odds:
        """The odds against an Area."""
        return _odds(tables, self.armies, strength)


@remembered(most=4096, by=lambda tables, armies, strength: ((armies, strength), (tables,)))
def _odds(tables: Tables, armies: tuple[int, ...], strength: int) -> Odds:
    # the same forces meet the same strengths in one Area after another
    return odds(tables, armies, strength)


class Target(NamedTuple):
    """An Area to win or to keep: `gain` pounds if it is won, `price` of the marker to place ("" for none)."""

    area: str
    strength: int
    gain: float
    price: int
    marker: str
    there: tuple[int, ...] = ()  # own armies that stand there already


class Pool(msgspec.Struct):
    """Armies at home, pieces that may still be bought, and garrisons that wait for a light army.

    `posts`: Area -> strength of the one army there that a small one should replace, 0 where there is none.
    """

    home: dict[int, int]
    pieces: dict[int, int]
    posts: dict[str, int] = {}

    def add(self, strengths: tuple[int, ...]) -> None:
        """Armies that have come home."""
        for s in strengths:
            self.home[s] = self.home.get(s, 0) + 1

    def buy(self, strengths: list[int]) -> None:
        """Armies that are built, at home."""
        for s in strengths:
            self.home[s] = self.home.get(s, 0) + 1
            self.pieces[s] = self.pieces.get(s, 0) - 1

    def take(self, strengths: tuple[int, ...]) -> None:
        """Armies that leave home."""
        for s in strengths:
            self.home[s] = self.home.get(s, 0) - 1

    def missing(self, strengths: tuple[int, ...]) -> list[int]:
        """Armies of a force that have to be built first."""
        return [s for kind in MOST for s in [kind] * max(0, strengths.count(kind) - self.home.get(kind, 0))]


def home_pool(tables: Tables, state: State, power: str) -> Pool:
    """What the Power has to send; Russia's Western Garrison stays where it is."""
    home: dict[int, int] = {}
    for unit in state.homes.get(power, ()):
        if unit.power == power and unit.kind == ARMY:
            home[unit.strength] = home.get(unit.strength, 0) + 1
    if power == "russia":
        zone = [p for p in western_zone(tables) if not p.startswith(HOME)]
        abroad = sum(1 for a in zone for u in at(state, a).units if u.power == power and u.strength == 10)
        home[10] = max(0, home.get(10, 0) - max(0, 3 - abroad))
    pieces = {s: counters.free(tables, state, power, str(s)) for s in tables.units}
    return Pool(home, pieces)


def fixed_areas(tables: Tables, state: State, power: str) -> frozenset[str]:
    """Areas whose heavy armies the special garrison rules keep there."""
    if power == "britain":
        return frozenset(india_zone(tables, state))
    if power == "russia":
        return frozenset(western_zone(tables))
    return frozenset()


def heavy_garrisons(
    tables: Tables, state: State, power: str, pool: Pool
) -> list[tuple[str, tuple[int, ...]]]:
    """Moves that bring home what a quiet Area does not need, with the strengths; fills `pool.posts`."""
    fixed = fixed_areas(tables, state, power)
    moves: list[tuple[str, tuple[int, ...]]] = []
    for area, here in state.areas.items():
        if not controls(state, area, power) or here.unrest:
            continue
        fresh = unestablished(state, area, power)
        own = established(state, area, power)
        if (fresh and fresh.marker in CONTROL) or own is None or tables.markers[own.marker].only_for:
            continue
        armies = sorted(u.strength for u in here.units if u.power == power and u.kind == ARMY and not u.halted)
        if not armies:
            if not any(u.power == power and u.kind == ARMY for u in here.units):
                pool.posts[area] = 0
            continue
        loose = tuple(s for s in armies[1:] if not (area in fixed and s == 10))
        if not way(tables, state, power, area, HOME + power):
            continue
        if loose:
            moves.append((f"move {' '.join(f'A{s}' for s in loose)} {area} > home", loose))
        if armies[0] > 1 and not (area in fixed and armies[0] == 10) and armies[0] not in loose:
            pool.posts[area] = armies[0]
    return moves


def revolts(tables: Tables, state: State, power: str) -> list[Target]:
    """Own Areas in Unrest, the most precious first."""
    found = []
    for area, here in state.areas.items():
        own = established(state, area, power)
        if not here.unrest or own is None or own.marker not in CONTROL:
            continue
        armies = tuple(u.strength for u in here.units if u.power == power and u.kind == ARMY)
        gain = worth(tables, state, power, area, own.marker)
        if gain > 0:
            found.append(Target(area, tables.areas[area].strength, gain, 0, "", armies))
    return sorted(found, key=lambda t: (-t.gain, t.area))


def control_targets(tables: Tables, state: State, power: str) -> list[Target]:
    """Areas where a Protectorate, or a Possession over one of its own, would pay and would make no enemies."""
    found = []
    for area in sorted(linked_areas(tables, state, power)):
        own = highest(state, area, power)
        if (own is not None and own.marker in CONTROL) or resentment(tables, state, area, PROTECTORATE) > 3:
            continue
        if offends(tables, state, power, area) or problems(tables, state, power, area, PROTECTORATE):
            continue
        unrest = at(state, area).unrest
        old = worth(tables, state, power, area, own.marker) if own and not unrest else 0.0
        gain = worth(tables, state, power, area, PROTECTORATE) - old
        cost = price(tables, state, power, area, PROTECTORATE)
        if gain > cost:
            found.append(Target(area, tables.areas[area].strength, gain, cost, PROTECTORATE))
    return found


def can_march(tables: Tables, state: State, power: str, target: Target) -> bool:
    """Whether an army from home gets into the Area once the marker is placed."""
    here = at(state, target.area)
    marked = msgspec.structs.replace(here, markers=(*here.markers, Marker(power, target.marker, False)))
    placed = msgspec.structs.replace(state, areas={**state.areas, target.area: marked})
    return bool(way(tables, placed, power, HOME + power, target.area))


def best_force(tables: Tables, target: Target, pool: Pool, money: int) -> Force | None:
    """The force that pays best against a target; None where none does, an empty one where none more is needed."""
    best: tuple[float, Force] | None = None
    for counts in product(*(range(n + 1) for n in MOST.values())):
        armies = tuple(s for s, n in zip(MOST, counts, strict=True) for _ in range(n))
        whole = tuple(sorted(armies + target.there, reverse=True))
        if not whole:
            continue
        new = pool.missing(armies)
        cost = sum(tables.units[s].army for s in new)
        if cost > money or any(new.count(s) > pool.pieces.get(s, 0) for s in set(new)):
            continue
        chance = Force(whole).odds(tables, target.strength)
        if target.marker and (chance.win < SAFE or sum(whole) < RATIO * target.strength):
            continue
        score = chance.win * target.gain - target.price - cost - chance.loss * POUND_A_STRENGTH
        score -= sum(armies)  # a turn's maintenance
        if best is None or score > best[0]:
            best = (score, Force(armies))
    return best[1] if best and best[0] > 0 else None
