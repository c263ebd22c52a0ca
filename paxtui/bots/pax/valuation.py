"""Evaluate Status markers, Colonial Combats and army targets for the steady bot.

Marker values are in pounds until the end of the game. A pound buys the same Victory Points in every turn, and line 29
counts colonial income twice at the end. So a marker is worth its future income less maintenance, plus twice its gross
income. Combat odds use the Combat Results Tables of the rules; no dice are rolled.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import msgspec

from paxtui.games.pax.board import status
from paxtui.games.pax.board.adjacency import area_type
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.routes import army_path, linked_areas
from paxtui.games.pax.board.status import area_state, controls, established, is_chinese, level, unestablished
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.expansion.garrisons import india_zone, western_zone
from paxtui.games.pax.expansion.placement import highest_marker, marker_price, may_place
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY, CONTROL, FULL_CONTROL, LEVEL, POSSESSION, PROTECTORATE, Marker

GARRISON_UPKEEP = 1
"""Cost of the smallest garrison in pounds per turn."""
OTTOMAN = "ottoman"
DENIED_TRADE_SHARE = 0.2
"""Value of one pound of trade denied to a rival, in pounds."""


def years_left(state: State) -> int:
    """Number of remaining Administrative Phases."""
    return state.last_turn - state.turn


def marker_value(tables: Tables, state: State, power: str, area: str, marker: str) -> float:
    """Pounds that `marker` in `area` earns the Power until the end; 0 for no marker."""
    if not marker:
        return 0.0
    kind = tables.markers[marker]
    value = tables.areas[area].value
    if kind.control:
        others = sum(
            1 for m in area_state(state, area).markers if m.power != power and m.established and m.marker in CONTROL
        )
        value = max(0, value - others)
    gross = value * kind.multiplier
    keep = kind.maintenance + (GARRISON_UPKEEP if kind.control and not kind.only_for else 0)
    total = years_left(state) * (gross - keep) + 2.0 * gross
    return total + (control_bonus(tables, state, power, area) if kind.control else 0.0)


def pounds_per_point(tables: Tables, power: str) -> float:
    """Price of one Victory Point for the Power's player, in pounds."""
    row = tables.powers[power]
    row = tables.powers[row.seat] if row.seat else row
    return row.vp_pounds / row.vp_points if row.vp_points else 0.0


def control_bonus(tables: Tables, state: State, power: str, area: str) -> float:
    """Value of Control of the Area beyond trade, in pounds: bonuses that it helps to gain or keep."""
    total = 0.0
    price = pounds_per_point(tables, power)
    for row in tables.bonuses_at_end:
        if not row.is_for(len(state.players)):
            continue
        lost = row.per_area_lost
        if lost is not None and lost.by == power and area in lost.areas:
            total -= row.points * price
        gain = row.when
        if gain is not None and gain.by == power and area in gain.areas and row.power == power:
            held = sum(
                1
                for other in gain.areas
                if any(m.power == power and m.marker in CONTROL for m in area_state(state, other).markers)
            )
            if held < gain.at_least or (held == gain.at_least and level(highest_marker(state, area, power)) >= 3):
                total += row.points * price / gain.at_least
    return total * state.options.final_bonus_percent / 100


def makes_enemies(tables: Tables, state: State, power: str, area: str) -> bool:
    """Whether Control of the Area causes conflict: a rival's claim, a Casus Belli, the Sultan's armies."""
    here = area_state(state, area)
    if any(m.power != power and LEVEL[m.marker] >= LEVEL["influence"] for m in here.markers):
        return True
    if area_type(tables, state, area) == OTTOMAN:
        return True
    return any(
        cause.holder not in ("", power)
        and cause.holder in state.players
        and area in cause.areas
        and area not in cause.start_holders_exempt_in
        for cause in tables.causes
    )


def resentment_raised(tables: Tables, state: State, area: str, marker: str) -> int:
    """Points of Chinese Resentment that the marker would cause now."""
    kind = is_chinese(tables, state, area)
    if not kind:
        return 0
    row = tables.resentment[marker]
    return row.placed_in_empire if kind == "empire" else row.placed_in_vassal


def possession_value(tables: Tables, state: State, power: str, area: str) -> float:
    """Value of a Possession over an own Protectorate from excluding rival Interests, in pounds."""
    here = area_state(state, area)
    if here.unrest or any(m.power != power for m in here.markers):
        return 0.0
    step = marker_value(tables, state, power, area, POSSESSION) - marker_value(tables, state, power, area, PROTECTORATE)
    rivals = len(state.players) - 1
    return step + DENIED_TRADE_SHARE * rivals * tables.areas[area].value * years_left(state)


def trade_reach(tables: Tables, state: State, power: str) -> float:
    """Score of the trade that the Power's Merchant Fleets and Areas open; compares places for a fleet."""
    known = _known_area_trade(tables, state, power)
    total = 0.0
    for area in linked_areas(tables, state, power):
        trade = known.get(area)
        if trade is None:
            trade = known[area] = _area_trade(tables, state, power, area)
        total += trade
    return total


@cached(4, lambda tables, state, power: ((power, state.turn), (tables, state.areas, state.options)))
def _known_area_trade(tables: Tables, state: State, power: str) -> dict[str, float]:
    """The trade of each Area so far, filled by `trade_reach`: positions with other fleets share it."""
    return {}


def _area_trade(tables: Tables, state: State, power: str, area: str) -> float:
    """Score of the trade of an Area in reach. It does not depend on fleets."""
    own = highest_marker(state, area, power)
    if own is not None:
        return max(0.0, marker_value(tables, state, power, area, own.marker))
    markers = area_state(state, area).markers
    if any(m.established and m.marker in FULL_CONTROL for m in markers):
        return 0.0
    return tables.areas[area].value * (0.4 if any(m.marker in CONTROL for m in markers) else 1.0)


LARGE_FORCE = 5
"""Minimum strength of the smaller force for Table 2."""


class ColonialOdds(NamedTuple):
    """`win`: chance to defeat the Area, 0 to 1. `loss`: average loss in strength points."""

    win: float
    loss: float


@cached(most=4096, by=lambda tables, armies, strength: ((armies, strength), (tables,)))
def colonial_odds(tables: Tables, armies: tuple[int, ...], strength: int) -> ColonialOdds:
    """Odds of Army Units of these strengths against an Area of Combat Strength `strength`."""
    force = sum(armies)
    if not force:
        return ColonialOdds(0.0, 0.0)
    if not strength:
        return ColonialOdds(1.0, 0.0)
    column = _odds_column(tables, force, strength)
    wins = lost = 0
    faces = tables.combat[2 if min(force, strength) >= LARGE_FORCE else 1]
    for row in faces:
        dead = _result_losses(row[column], armies, strength)
        lost += dead
        wins += row[column] in ("DR", "DE") or (row[column] in ("EX", "HX") and dead < force)
    return ColonialOdds(wins / len(faces), lost / len(faces))


def _odds_column(tables: Tables, force: int, strength: int) -> int:
    """Column of the ratio, rounded in favour of the Area."""
    best = 0
    for i, ratio in enumerate(tables.ratios):
        if force * ratio.defend >= ratio.attack * strength:
            best = i
    return best


def _result_losses(result: str, armies: tuple[int, ...], strength: int) -> int:
    """Strength points that a result removes."""
    force = sum(armies)
    if result == "E":
        return force
    if result not in ("EX", "HX"):
        return 0
    if strength > force or (strength == force and result == "EX"):
        return force
    need = strength if result == "EX" else (strength + 1) // 2
    sums = {0}
    for army in armies:
        sums |= {s + army for s in sums}
    return min(s for s in sums if s >= need)


STRENGTH_POINT_COST = 3.0
"""Cost in pounds of rebuilding a lost strength point."""
MIN_WIN_CHANCE = 0.6
"""Minimum chance to win for planning an attack."""
STRENGTH_RATIO = 2
"""Target strength ratio of an attack to the Area."""
MAX_UNITS = {10: 2, 3: 3, 1: 4}
"""Maximum number of Units of each strength in one attack."""


class ArmyTarget(NamedTuple):
    """An Area to win or keep: `gain` in pounds, `price` of the marker to place ("" for none)."""

    area: str
    strength: int
    gain: float
    price: int
    marker: str
    there: tuple[int, ...] = ()  # own armies already there


class ArmyPool(msgspec.Struct):
    """Armies at home, pieces for purchase, and garrisons that need a light army.

    `posts`: Area -> strength of the single army there that a small one should replace, 0 for none.
    """

    home: dict[int, int]
    pieces: dict[int, int]
    posts: dict[str, int] = {}

    def add(self, strengths: tuple[int, ...]) -> None:
        """Add armies that have returned home."""
        for s in strengths:
            self.home[s] = self.home.get(s, 0) + 1

    def buy(self, strengths: list[int]) -> None:
        """Add newly built armies at home."""
        for s in strengths:
            self.home[s] = self.home.get(s, 0) + 1
            self.pieces[s] = self.pieces.get(s, 0) - 1

    def take(self, strengths: tuple[int, ...]) -> None:
        """Remove armies that leave home."""
        for s in strengths:
            self.home[s] = self.home.get(s, 0) - 1

    def missing(self, strengths: tuple[int, ...]) -> list[int]:
        """Return the armies of a force that must be built first."""
        return [s for kind in MAX_UNITS for s in [kind] * max(0, strengths.count(kind) - self.home.get(kind, 0))]


def home_pool(tables: Tables, state: State, power: str) -> ArmyPool:
    """Build the pool of a Power's available armies; Russia's Western Garrison is excluded."""
    home: dict[int, int] = {}
    for unit in state.homes.get(power, ()):
        if unit.power == power and unit.kind == ARMY:
            home[unit.strength] = home.get(unit.strength, 0) + 1
    if power == "russia":
        zone = [p for p in western_zone(tables) if not p.startswith(HOME)]
        abroad = sum(1 for a in zone for u in area_state(state, a).units if u.power == power and u.strength == 10)
        home[10] = max(0, home.get(10, 0) - max(0, 3 - abroad))
    return ArmyPool(home, free_units(tables, state, power))


def free_units(tables: Tables, state: State, power: str) -> dict[int, int]:
    """Pieces of Military Units that a Power can still buy, by strength."""
    return {strength: status.free_pieces(tables, state, power, str(strength)) for strength in tables.units}


def fixed_areas(tables: Tables, state: State, power: str) -> frozenset[str]:
    """Areas whose heavy armies must stay by the special garrison rules."""
    if power == "britain":
        return frozenset(india_zone(tables, state))
    if power == "russia":
        return frozenset(western_zone(tables))
    return frozenset()


def heavy_garrisons(tables: Tables, state: State, power: str, pool: ArmyPool) -> list[tuple[str, tuple[int, ...]]]:
    """Moves home of surplus armies in quiet Areas, with strengths; fills `pool.posts`."""
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
        if not army_path(tables, state, power, area, HOME + power):
            continue
        if loose:
            moves.append((f"move {' '.join(f'A{s}' for s in loose)} {area} > home", loose))
        if armies[0] > 1 and not (area in fixed and armies[0] == 10) and armies[0] not in loose:
            pool.posts[area] = armies[0]
    return moves


def revolt_targets(tables: Tables, state: State, power: str) -> list[ArmyTarget]:
    """Own Areas in Unrest, the most valuable first."""
    found = []
    for area, here in state.areas.items():
        own = established(state, area, power)
        if not here.unrest or own is None or own.marker not in CONTROL:
            continue
        armies = tuple(u.strength for u in here.units if u.power == power and u.kind == ARMY)
        gain = marker_value(tables, state, power, area, own.marker)
        if gain > 0:
            found.append(ArmyTarget(area, tables.areas[area].strength, gain, 0, "", armies))
    return sorted(found, key=lambda t: (-t.gain, t.area))


def control_targets(tables: Tables, state: State, power: str) -> list[ArmyTarget]:
    """Areas where a Protectorate, or a Possession over an own one, pays without conflict."""
    found = []
    for area in sorted(linked_areas(tables, state, power)):
        own = highest_marker(state, area, power)
        if (own is not None and own.marker in CONTROL) or resentment_raised(tables, state, area, PROTECTORATE) > 3:
            continue
        if makes_enemies(tables, state, power, area) or not may_place(tables, state, power, area, PROTECTORATE):
            continue
        unrest = area_state(state, area).unrest
        old = marker_value(tables, state, power, area, own.marker) if own and not unrest else 0.0
        gain = marker_value(tables, state, power, area, PROTECTORATE) - old
        cost = marker_price(tables, state, power, area, PROTECTORATE)
        if gain > cost:
            found.append(ArmyTarget(area, tables.areas[area].strength, gain, cost, PROTECTORATE))
    return found


def can_march(tables: Tables, state: State, power: str, target: ArmyTarget) -> bool:
    """Whether an army from home can reach the Area once the marker is placed."""
    here = area_state(state, target.area)
    marked = msgspec.structs.replace(here, markers=(*here.markers, Marker(power, target.marker, False)))
    placed = msgspec.structs.replace(state, areas={**state.areas, target.area: marked})
    return bool(army_path(tables, placed, power, HOME + power, target.area))


def best_force(tables: Tables, target: ArmyTarget, pool: ArmyPool, money: int) -> tuple[int, ...] | None:
    """Strengths of the most profitable force against a target; None if none is profitable, empty if none is needed."""
    best: tuple[float, tuple[int, ...]] | None = None
    for counts in product(*(range(n + 1) for n in MAX_UNITS.values())):
        armies = tuple(s for s, n in zip(MAX_UNITS, counts, strict=True) for _ in range(n))
        whole = tuple(sorted(armies + target.there, reverse=True))
        if not whole:
            continue
        new = pool.missing(armies)
        cost = sum(tables.units[s].army for s in new)
        if cost > money or any(new.count(s) > pool.pieces.get(s, 0) for s in set(new)):
            continue
        chance = colonial_odds(tables, whole, target.strength)
        if target.marker and (chance.win < MIN_WIN_CHANCE or sum(whole) < STRENGTH_RATIO * target.strength):
            continue
        score = chance.win * target.gain - target.price - cost - chance.loss * STRENGTH_POINT_COST
        score -= sum(armies)  # a turn's maintenance
        if best is None or score > best[0]:
            best = (score, armies)
    return best[1] if best and best[0] > 0 else None
