"""Value of markers, money and Areas to a Power, in pounds at the end of the game.

Early pounds count more than late ones, because they can be invested.
Also the effect of the Great War on ranks, and the end bonuses.
"""

from __future__ import annotations

import math
from collections import deque
from functools import cached_property

from msgspec.structs import replace

from paxtui.bots.pax.prediction import Prediction, predict_results, rival_stakes
from paxtui.bots.pax.profiles import Character
from paxtui.bots.pax.statesman import great_war
from paxtui.bots.pax.valuation import pounds_per_point, resentment_raised, years_left
from paxtui.engine.dice import draw
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.routes import areas_opened_by, linked_areas
from paxtui.games.pax.board.status import area_state, controllers, controls, established, free_pieces
from paxtui.games.pax.board.tables import AfricaPath, Bonus, Tables
from paxtui.games.pax.expansion.placement import highest_marker
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, FULL_CONTROL, INFLUENCE, INTEREST, LEVEL, PROTECTORATE, Marker
from paxtui.games.pax.turn.victory import controlled_test_areas

MIN_TENSION_WEIGHT, CHANCE_TENSION_WEIGHT, GREAT_WAR_TENSION_WEIGHT = 0.5, 2.5, 15.0
"""Weights in the cost of European Tensions: the least, that of the chance to win that the Great War would take or
bring, and that of the latter for a Power that plays for it."""
FIRST_GREAT_WAR_TURN = 3
"""Game Turn from which the present points say who would win by the Great War."""


POUND_VALUES = (2.2, 1.8, 1.45, 1.2, 1.08)
"""Value of one pound in each of the first turns, in pounds at the end; 1 in later turns."""
GARRISON_UPKEEP = 1
"""Cost of the smallest garrison, in pounds per turn."""
CALM_RESENTMENT = 30
"""Chinese Resentment below which no Rebellion occurs."""
RESENTMENT_COST = 0.9
"""Cost in pounds of a point of Chinese Resentment above CALM_RESENTMENT, for a Power with holdings there."""
REBELLION_VALUE = 0.6
"""Value in pounds of such a point for a Power that wants the Great War: a Rebellion raises tensions without blame."""

TENSION_COST = 0.3
"""Cost of a point of European Tensions while the Great War is far, in pounds for a Victory Point of one pound."""
BREACH_TENSION = 5
"""Points by which a broken Treaty raises the European Tensions Index."""
REPUTATION_COST = 20.0
"""Reputation cost of a broken Treaty, in pounds."""
FAITHLESS_COST_SHARE = 0.3
"""Share of that cost that applies to a faithless character."""
LEADER_STAKE = 0.4
"""Stake from which a rival counts as the leader, whose Areas are contested at a price."""
CASUS_BELLI_COST = 10.0
"""Expected cost of giving a weaker rival a Casus Belli, in pounds."""
MAX_EXCHANGE_RATE = 3.0
"""Maximum weight of a rival's pound relative to one's own."""


class PositionValuation:
    """Values of actions and holdings for one Power in one position, by its character and seed."""

    def __init__(self, tables: Tables, state: State, power: str, character: Character, seed: str) -> None:
        self.tables, self.power, self.character, self._state = tables, power, character, state
        self.turn = state.turn
        self.turns_left = years_left(state)
        self.pounds_per_point = pounds_per_point(tables, power)
        self.pound_now = self.pound_value(state.turn)
        self.exchanged_pound = (
            self.pound_now if state.phase == "movement" else 1.0
        )  # value at the end of a pound that changes hands now
        self.future_pounds = sum(self.pound_value(turn) for turn in range(state.turn + 1, state.last_turn + 1))
        self.takeover_chances: dict[str, float] | None = None  # chance by Area that rivals take it; None: not computed
        self.piece_value = 0.0  # value at the end of one more round piece
        self._seed = f"{seed}/{power}"

    @staticmethod
    def pound_value(turn: int) -> float:
        """Value at the end of one pound in hand in a Game Turn."""
        return POUND_VALUES[turn - 1] if turn <= len(POUND_VALUES) else 1.0

    def income_value(self, gross: float, keep: float) -> float:
        """Pounds at the end from a gross income and upkeep per turn; line 29 counts income twice."""
        return self.future_pounds * (gross - keep) + 2.0 * gross

    def net_income(self, area: str, marker: str) -> float:
        """Net pounds per turn of a marker in an Area; 0 for no marker."""
        if not marker:
            return 0.0
        kind = self.tables.markers[marker]
        guard = GARRISON_UPKEEP if kind.control and not kind.only_for else 0
        return self.tables.areas[area].value * kind.multiplier - kind.maintenance - guard

    def first_control_cost(self, state: State) -> float:
        """Pounds lost with a first Control: without any, the Colonial Office pays most; else 0."""
        dice = self.tables.colonial_office.get(self.power, ())
        if not dice or self.tables.powers[self.power].seat:
            return 0.0
        for here in state.areas.values():
            if any(m.power == self.power and m.marker in CONTROL for m in here.markers):
                return 0.0
        return self.future_pounds * (max(dice) - sum(dice) / len(dice))

    def marker_value(self, state: State, area: str, marker: str) -> float:
        """Pounds at the end for a marker in an Area; 0 for no marker."""
        if not marker:
            return 0.0
        kind = self.tables.markers[marker]
        value = self.tables.areas[area].value
        others = [m for m in area_state(state, area).markers if m.power != self.power and m.marker in CONTROL]
        if kind.control:
            value = max(0, value - len([m for m in others if m.established]))
            guard = 0 if kind.only_for else GARRISON_UPKEEP
            return self.income_value(value * kind.multiplier, kind.maintenance + guard)
        if others:
            if any(m.marker in FULL_CONTROL for m in others):
                return 0.0
            if marker == INFLUENCE:
                return self.income_value(value, 0) * 0.9  # it later drops to an Interest
        return self.income_value(value * kind.multiplier, kind.maintenance) * (1.0 - min(0.3, 0.03 * self.turns_left))

    @property
    def should_contest(self) -> bool:
        """Whether the Power takes Areas in which rivals have markers, and counts what a leader loses by that."""
        return "contests" not in self.character.disabled

    def may_take(self, state: State, area: str) -> bool:
        """Whether the Power takes Control of an Area, which depends on the markers of rivals there."""
        markers = area_state(state, area).markers
        return self.should_contest or all(m.power == self.power or m.power not in state.players for m in markers)

    def denial_value(self, state: State, area: str, marker: str) -> float:
        """Value of Control in an Area from what a leader loses, in pounds: trade, and bonuses that it may not get."""
        total = 0.0
        for rival, stake in self.stakes.items() if self.should_contest else ():
            if stake >= LEADER_STAKE:
                trade = self._trade_lost(state, area, marker, rival)
                bonus = denied_bonus_points(self.tables, state, area, self.power, rival)
                total += stake * (self.exchange_rate(rival) * trade + self.pounds_per_point * bonus)
        return total

    def _trade_lost(self, state: State, area: str, marker: str, rival: str) -> float:
        """Pounds at the end that a rival loses because its marker in an Area gives way or is worth less."""
        value = self.tables.areas[area].value
        lost = 0.0
        for m in area_state(state, area).markers:
            if m.power == rival and m.marker == INFLUENCE:
                lost += self.future_pounds * max(0, value - 5) + 2.0 * value
            elif m.power == rival and m.marker == INTEREST and marker in FULL_CONTROL:
                lost += self.future_pounds * value + 2.0 * value
        return lost

    @property
    def should_weigh_opponents(self) -> bool:
        """Whether the gains of rivals count, by their chances to win."""
        return "leaders" not in self.character.disabled

    @property
    def should_weigh_deals(self) -> bool:
        """Whether the Power looks at what others gain by a deal: it may refuse it, or ask for a share."""
        return self.should_weigh_opponents and "refusals" not in self.character.disabled

    def exchange_rate(self, rival: str) -> float:
        """Pounds of the Power that buy as many Victory Points as a rival's pound."""
        return min(MAX_EXCHANGE_RATE, self.pounds_per_point / max(1.0, pounds_per_point(self.tables, rival)))

    @cached_property
    def free_piece_value(self) -> float:
        """Pounds at the end of one more round piece in the present position."""
        return self.round_piece_value(self._state)

    @property
    def has_round_pieces(self) -> bool:
        """Whether the Power has a round piece left."""
        return free_pieces(self.tables, self._state, self.power, self.tables.markers[INTEREST].pool) > 0

    def round_piece_value(self, state: State) -> float:
        """Pounds at the end of one more round piece: what it would earn where no other piece goes."""
        tables, power = self.tables, self.power
        left = free_pieces(tables, state, power, tables.markers[INTEREST].pool)
        price = tables.markers[INTEREST].price * self.pound_now
        gains = sorted(
            (
                self.marker_value(state, area, INTEREST) - self.resentment_cost(state, area, INTEREST) - price
                for area in linked_areas(tables, state, power)
                if area not in state.homes and not highest_marker(state, area, power)
                and not area_state(state, area).unrest
                and not any(m.marker in FULL_CONTROL for m in area_state(state, area).markers)
            ),
            reverse=True,
        )  # fmt: skip
        return max(0.0, gains[left]) if left < len(gains) else 0.0

    @cached_property
    def tension_weight(self) -> float:
        """Weight of a point of European Tensions; negative if the Power would gain by the Great War."""
        state = self._state
        if not self.character.looks_ahead or "great war" in self.character.disabled:
            return 1.0
        if state.turn < FIRST_GREAT_WAR_TURN or self.power not in state.players:
            return 1.0
        gain = self.gain_by_great_war
        return MIN_TENSION_WEIGHT - (GREAT_WAR_TENSION_WEIGHT if self.wants_great_war else CHANCE_TENSION_WEIGHT) * gain

    @cached_property
    def gain_by_great_war(self) -> float:
        """Chance to win that the Great War would bring the Power soon, without the blame; negative if it takes some."""
        now = great_war.chances_by_great_war(self.tables, self._state)[self.power]
        return now - self.predictions[self.power].chance

    @cached_property
    def wants_great_war(self) -> bool:
        """Whether the Power plays for the Great War: it gains much without the blame, and can bring it close now."""
        state = self._state
        if state.turn < FIRST_GREAT_WAR_TURN or self.power not in state.players:
            return False
        means = great_war.own_means(state, self.power, self.breaches_left)
        if state.tension + means < great_war.close_tensions(state, self.power):
            return False
        worth = great_war.MIN_GAIN_EARLY if great_war.is_early(state) else great_war.MIN_GAIN_LATE
        return self.may_gain_by_end and self.gain_by_great_war >= worth

    @property
    def breaches_left(self) -> int:
        """Number of Treaties that the Power may still break for the Great War, by its character."""
        broken = sum(breach.power == self.power for treaty in self._state.treaties for breach in treaty.breaches)
        return max(0, self.character.max_breaches - broken)

    @property
    def may_gain_by_end(self) -> bool:
        """Whether the Power may still lose a game that goes on, and so may gain if it ends now."""
        mine = (
            self.predictions.get(self.power)
            if self.character.looks_ahead and "great war" not in self.character.disabled
            else None
        )
        return mine is not None and mine.chance < great_war.CONTENT_CHANCE

    @cached_property
    def wins_by_blame(self) -> bool:
        """Whether the Power wins if it is to blame for the Great War now, and may not win otherwise."""
        if self._state.turn < FIRST_GREAT_WAR_TURN or not self.may_gain_by_end:
            return False
        totals = great_war.totals_by_great_war(self.tables, self._state, (self.power,))
        return great_war.wins_by_great_war(totals, self.power)

    @cached_property
    def predictions(self) -> dict[str, Prediction]:
        """Expected totals and chances of all seats."""
        return predict_results(self.tables, self._state)

    @cached_property
    def stakes(self) -> dict[str, float]:
        """Cost of each rival's Victory Point, in Victory Points; empty if the character ignores rivals."""
        if not self.character.looks_ahead or not self.should_weigh_opponents or self.power not in self._state.players:
            return {}
        return rival_stakes(self.predictions, self.power)

    def resentment_cost(self, state: State, area: str, marker: str) -> float:
        """Cost of the Chinese Resentment that a marker raises, in pounds."""
        points = resentment_raised(self.tables, state, area, marker)
        if not points:
            return 0.0
        row = self.tables.resentment[marker]
        empire = self.tables.areas[area].type == "chinese_empire"
        later = self.turns_left * row.per_phase if empire and marker in CONTROL else 0
        over = min(points + later, max(0, state.resentment + points + later - CALM_RESENTMENT))
        if self.wants_great_war:
            return -REBELLION_VALUE * over
        return RESENTMENT_COST * over * math.sqrt(self.character.caution)

    def conflict_cost(self, state: State, area: str, marker: str) -> float:
        """Cost of the conflicts that a marker provokes, in pounds: rival claims, Casus Belli, tensions."""
        if LEVEL[marker] < LEVEL[PROTECTORATE]:
            return 0.0
        total = 0.0
        for m in area_state(state, area).markers:
            if m.power != self.power and LEVEL[m.marker] == LEVEL[INFLUENCE]:
                total += self.tension_cost(state, 1)
                if m.power in state.players:
                    total += self.casus_belli_cost(state, m.power)
            elif m.power != self.power and m.marker in CONTROL:
                total += 3.0 * self.casus_belli_cost(state, m.power)
            elif m.power != self.power and m.marker == INTEREST and marker in FULL_CONTROL:
                total += self.tension_cost(state, 1)
        for cause in self.tables.causes:
            holder = cause.holder
            if holder in ("", self.power) or holder not in state.players or area not in cause.areas:
                continue
            if area not in cause.start_holders_exempt_in:
                total += self.casus_belli_cost(state, holder)
        return total

    def tensions_raised(self, state: State, area: str, marker: str) -> int:
        """Points of European Tensions raised by other markers that give way to one placed here."""
        total = 0
        for m in area_state(state, area).markers:
            if m.power != self.power and LEVEL[marker] >= LEVEL[PROTECTORATE]:
                beside = LEVEL[INTEREST] if marker not in FULL_CONTROL else 0
                total += max(0, LEVEL[m.marker] - beside) if m.marker not in CONTROL else 2
        return total

    def tension_cost(self, state: State, points: int) -> float:
        """Cost of points of European Tensions, in pounds; it rises as the Great War comes nearer."""
        if not points:
            return 0.0
        near = state.tension / 100
        is_cheap = great_war.is_early(state) and state.tension < great_war.CHEAP_TENSION_LIMIT
        factor = great_war.EARLY_TENSION_COST if is_cheap else great_war.LATE_TENSION_COST
        if self.tension_weight < 0:
            factor = great_war.TENSION_GAIN
        return (
            factor
            * points
            * (TENSION_COST + 6.0 * near**4)
            * self.character.caution
            * self.tension_weight
            * math.sqrt(self.pounds_per_point)
        )

    def breach_cost(self, state: State) -> float:
        """Cost of a broken Treaty, in pounds: tensions, the partner's Casus Belli and reputation."""
        name = REPUTATION_COST * (FAITHLESS_COST_SHARE if self.character.is_faithless else 1.0)
        return self.tension_cost(state, BREACH_TENSION) + 4.0 * self.character.caution + name

    def casus_belli_cost(self, state: State, rival: str) -> float:
        """Expected cost of giving a rival a Casus Belli, in pounds."""
        if rival not in state.players:
            return 1.0
        is_stronger = military_strength(state, rival) > military_strength(state, self.power)
        return CASUS_BELLI_COST * self.character.caution * (1.5 if is_stronger else 1.0)

    def with_error(self, key: str, pounds: float) -> float:
        """A sum with the estimation error of this bot; weaker levels err more."""
        if not self.character.error:
            return pounds
        return pounds * (1.0 + self.character.error * (draw(f"{self._seed}/{key}", self.turn, 2001) / 1000 - 1.0))


@cached(most=32, by=lambda state, power: ((power,), (state.areas, state.homes)))
def military_strength(state: State, power: str) -> int:
    """Total strength points of a Power's Military Units on the map."""
    total = sum(u.strength for units in state.homes.values() for u in units if u.power == power)
    return total + sum(u.strength for here in state.areas.values() for u in here.units if u.power == power)


MISSING_AREA_FACTOR = 0.45
"""Factor on the value of a bonus for each Area that is still missing."""
OPENED_AREA_SHARE = 0.2
"""Value of a newly opened Area, as a share of an Influence there."""


def bonus_value(valuation: PositionValuation, state: State, area: str) -> float:
    """Value of Control of an Area for end bonuses and against penalties, in pounds."""
    return bonus_gain(valuation.tables, state, area, valuation.power, valuation.power) * valuation.pounds_per_point


def bonus_gain(tables: Tables, state: State, area: str, joiner: str, power: str) -> float:
    """Victory Points that a Power gains or loses at the end if another, or itself, takes Control of an Area."""
    if area not in bonus_areas(tables, power):
        return 0.0
    percent = state.options.final_bonus_percent
    after = state_with_control(state, area, joiner)
    now = then = 0.0
    for row, areas in _bonus_rows(tables, power):
        if not row.is_for(len(state.players)):
            continue
        points = _row_points(tables, state, power, row)
        now += points
        then += _row_points(tables, after, power, row) if area in areas else points
    if joiner == power:  # a path of the Power changes only by its own Control
        for path in tables.africa_paths:
            lacking = areas_lacking(tables, state, power, path)
            now += _path_points(path, lacking)
            then += _path_points(path, areas_lacking_with(tables, state, power, path, area, lacking))
    return then * percent / 100 - now * percent / 100


def denied_bonus_points(tables: Tables, state: State, area: str, power: str, rival: str) -> float:
    """Victory Points of end bonuses that a rival may not get if a Power takes a first Control in an Area."""
    if power in controllers(state, area):
        return 0.0
    lost, after = 0.0, state_with_control(state, area, power)
    for row, areas in _bonus_rows(tables, rival):
        if area in areas and row.is_for(len(state.players)) and _is_possible(state, row, rival):
            hoped = _row_points(tables, state, rival, row)
            if hoped > 0.0 and (_row_points(tables, after, rival, row) <= 0.0 or not _is_possible(after, row, rival)):
                lost += hoped
    return lost * state.options.final_bonus_percent / 100


def _is_possible(state: State, row: Bonus, power: str) -> bool:
    """Whether enough Areas for a row of the Bonus Summary are under Control of the Power or of nobody."""
    test = row.when
    if test is None or test.by != power:
        return True
    return sum(all(p == power for p in controllers(state, area)) for area in test.areas) >= test.at_least


@cached(most=64, by=lambda tables, power: ((power,), (tables,)))
def bonus_areas(tables: Tables, power: str) -> frozenset[str]:
    """Areas whose Control may change an end bonus of a Power."""
    rows = (areas for _, areas in _bonus_rows(tables, power))
    return frozenset().union(*rows, *(_path_areas(path) for path in tables.africa_paths))


@cached(most=64, by=lambda tables, power: ((power,), (tables,)))
def _bonus_rows(tables: Tables, power: str) -> list[tuple[Bonus, frozenset[str]]]:
    """The rows of the Bonus Summary that a Power has at the end, each with the Areas that it tests."""
    found = []
    for row in tables.bonuses_at_end:
        if row.power in (power, "each"):
            tests = (test.areas for test in (row.when, row.unless, row.per_area_lost) if test is not None)
            found.append((row, frozenset[str]().union(*tests)))
    return found


def state_with_control(state: State, area: str, power: str, marker: str = PROTECTORATE) -> State:
    """A copy of the position with established Control of an Area."""
    here = area_state(state, area)
    others = tuple(m for m in here.markers if m.power != power)
    there = replace(here, markers=(*others, Marker(power, marker)), unrest=False)
    return replace(state, areas={**state.areas, area: there})


def state_without_markers(state: State, area: str, power: str) -> State:
    """A copy of the position without a Power's markers in an Area."""
    here = area_state(state, area)
    left = tuple(m for m in here.markers if m.power != power)
    return replace(state, areas={**state.areas, area: replace(here, markers=left)})


def end_bonus_points(tables: Tables, state: State, power: str) -> float:
    """Expected Victory Points of a Power from end bonuses for Control, discounted by missing Areas."""
    total = 0.0
    for row, _ in _bonus_rows(tables, power):
        if row.is_for(len(state.players)):
            total += _row_points(tables, state, power, row)
    for path in tables.africa_paths:
        total += _path_points(path, areas_lacking(tables, state, power, path))
    return total * state.options.final_bonus_percent / 100


def _row_points(tables: Tables, state: State, power: str, row: Bonus) -> float:
    """Expected Victory Points from a row of the Bonus Summary."""
    test, veto, total = row.when, row.unless, 0.0
    if veto is not None and len(controlled_test_areas(tables, state, power, veto)) >= veto.at_least:
        return 0.0
    if test is not None and test.by == power:
        missing = test.at_least - sum(controls(state, a, power) for a in test.areas)
        total += row.points * MISSING_AREA_FACTOR ** max(0, missing)
    elif test is None and veto is not None:
        total += row.points
    lost = row.per_area_lost
    if lost is not None and lost.by == power:
        total += row.points * sum(not controls(state, a, power) for a in lost.areas)
    return total


def _path_points(path: AfricaPath, lacking: int | None) -> float:
    """Expected Victory Points from a path across Africa."""
    return 0.0 if lacking is None else path.points * MISSING_AREA_FACTOR**lacking


@cached(most=16, by=lambda path: ((), (path,)))
def _path_areas(path: AfricaPath) -> frozenset[str]:
    return frozenset((*path.through, *path.one_end, *path.other_end))


def areas_lacking(tables: Tables, state: State, power: str, path: AfricaPath) -> int | None:
    """Minimum number of Areas a Power still needs for a path across Africa; None if rivals block it."""
    best = _areas_lacking_from(tables, state, power, path, path.one_end)
    return min((best[area] for area in path.other_end if area in best), default=None)


def areas_lacking_with(
    tables: Tables, state: State, power: str, path: AfricaPath, area: str, found: int | None
) -> int | None:
    """Minimum number of Areas that a Power needs for a path besides one that it takes; `found`: without that one."""
    if area not in _path_areas(path):
        return found
    through = 0
    for end in (path.one_end, path.other_end):
        best = _areas_lacking_from(tables, state, power, path, end)
        beside = [best[other] for other in board(tables, state).routes.get(area, ()) if other in best]
        if area not in end and not beside:
            return found
        through += 0 if area in end else min(beside)
    return through if found is None else min(found, through)


@cached(
    most=256,
    by=lambda tables, state, power, path, end: ((power, path.id, end), (tables, board(tables, state), state.areas)),
)
def _areas_lacking_from(
    tables: Tables, state: State, power: str, path: AfricaPath, end: tuple[str, ...]
) -> dict[str, int]:
    """Minimum number of Areas that a Power needs from an end of a path to each Area that is not blocked."""
    routes, through = board(tables, state).routes, _path_areas(path)
    cost: dict[str, int | None] = {}
    best: dict[str, int] = {}
    todo: deque[str] = deque()
    for area in end:
        first = _path_price(state, area, power)
        if first is not None:
            best[area] = first
            todo.append(area)
    while todo:
        area = todo.popleft()
        here = best[area]
        for other in routes.get(area, ()):
            if other not in cost:
                cost[other] = _path_price(state, other, power) if other in through else None
            more = cost[other]
            if more is not None and here + more < best.get(other, 99):
                best[other] = here + more
                todo.append(other)
    return best


def _path_price(state: State, area: str, power: str) -> int | None:
    """Areas to win for a step of a path: 0 if owned, None if a rival has Control."""
    price: int | None = 1
    for m in area_state(state, area).markers:
        if m.established and m.marker in CONTROL:
            if m.power == power:
                return 0
            price = None
    return price


def opening_value(valuation: PositionValuation, state: State, area: str) -> float:
    """Value of the Areas behind an Area, if the character counts them; see `opened_value`."""
    return opened_value(valuation, state, area) if valuation.character.looks_ahead else 0.0


def opened_value(valuation: PositionValuation, state: State, area: str) -> float:
    """Value of the Areas that Control of an Area would newly open to the Power, in pounds."""
    tables, power = valuation.tables, valuation.power
    if valuation.turns_left < 2:
        return 0.0
    return OPENED_AREA_SHARE * sum(
        opened_area_value(valuation, state, o) for o in areas_opened_by(tables, state, power, area)
    )


def opened_area_value(valuation: PositionValuation, state: State, area: str) -> float:
    """Value of a newly opened Area, in pounds: the better of Interest and Influence."""
    here = area_state(state, area)
    if established(state, area, valuation.power) is not None or any(m.marker in FULL_CONTROL for m in here.markers):
        return 0.0
    if controllers(state, area):
        return valuation.marker_value(state, area, "interest")
    return max(valuation.marker_value(state, area, INFLUENCE), valuation.marker_value(state, area, "interest"))
