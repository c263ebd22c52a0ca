"""What a marker is worth to a Power, in pounds at the end of the game.

A pound left over buys the same Victory Points in every turn, but a pound in hand early buys what earns more: so what
comes in early weighs more than what comes in late, and a purchase has to beat what else the pound could do.

The final reckoning, lines 27 to 31: who would stand where if the game ended now, and who where at its last turn.

From it follows what the Great War would do to a seat that is not to blame for it: all others lose the same points, so
it saves the rank of whoever stands better now than he will, and ruins that of whoever is catching up.

What Control of an Area brings towards the bonuses of the end, and what it opens behind itself.
"""

from __future__ import annotations

import math
from collections import deque
from functools import cached_property

from msgspec.structs import replace

from paxtui.bots.pax.profiles import Character
from paxtui.bots.pax.valuation import pounds_per_point, resentment_raised, years_left
from paxtui.engine.dice import draw
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.board.status import area_state, controllers, controls, established, powers_of
from paxtui.games.pax.board.tables import AfricaPath, Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, FULL_CONTROL, INFLUENCE, INTEREST, LEVEL, PROTECTORATE, Marker
from paxtui.games.pax.turn.victory import current_bonuses, total_points, turn_bonuses

SAVED, RUINED = 0.4, 2.0
"""What tension weighs to whose rank the Great War would save, and to whose it would ruin."""
EARLY_END = 5
"""Game Turn before which nobody's rank is reckoned."""
IN_SIGHT = 50
"""European Tensions from which the Great War is in sight."""


def tension_weight(tables: Tables, state: State, seat: str) -> float:
    """What a point of European Tensions weighs to a seat, 1.0 where the Great War is far or changes nothing."""
    if state.turn < EARLY_END or state.tension < IN_SIGHT or seat not in state.players:
        return 1.0
    now, later = seat_rank(current_points(tables, state), seat), seat_rank(final_points(tables, state), seat)
    return SAVED if now < later else RUINED if now > later else 1.0


def seat_rank(points: dict[str, float], seat: str) -> int:
    """Rank of a seat, 1 for the first."""
    return 1 + sum(other > points[seat] for other in points.values())


def current_points(tables: Tables, state: State) -> dict[str, float]:
    """Victory Points by seat if the game ended now: lines 27, 28 and 29."""
    found = {}
    for seat in state.players:
        earned = 2.0 * _seat_income(tables, state, seat) / max(1.0, pounds_per_point(tables, seat))
        found[seat] = state.powers[seat].victory_points + total_points(current_bonuses(tables, state, seat)) + earned
    return found


def final_points(tables: Tables, state: State) -> dict[str, float]:
    """Victory Points by seat at the last turn, if all went on as they are."""
    years = years_left(tables, state)
    found = current_points(tables, state)
    for seat in found:
        office = tables.colonial_office.get(seat, ())
        net = _seat_income(tables, state, seat) - _seat_upkeep(tables, state, seat) + sum(office) / max(1, len(office))
        found[seat] += years * max(0.0, net) / max(1.0, pounds_per_point(tables, seat))
        found[seat] += years * total_points(turn_bonuses(tables, state, seat))
    return found


def _seat_income(tables: Tables, state: State, seat: str) -> float:
    """Pounds a turn from the Areas of a seat's Powers."""
    own = powers_of(tables, state, seat)
    return sum(
        tables.areas[area].value * tables.markers[m.marker].multiplier
        for area, here in state.areas.items()
        for m in here.markers
        if m.power in own and m.established
    )


def _seat_upkeep(tables: Tables, state: State, seat: str) -> float:
    """Pounds a turn for the markers and the Units abroad of a seat's Powers."""
    own = powers_of(tables, state, seat)
    markers = (m for here in state.areas.values() for m in here.markers if m.power in own and m.established)
    units = (u for here in state.areas.values() for u in here.units if u.power in own)
    return sum(tables.markers[m.marker].maintenance for m in markers) + sum(u.strength for u in units)


EARLY_TURNS = (2.2, 1.8, 1.45, 1.2, 1.08)
"""What a pound in hand in the first turns is worth in pounds at the end; later it is one."""
GARRISON = 1
"""Pounds a turn that the smallest garrison costs."""
QUIET_CHINA = 30
"""Chinese Resentment below which no Rebellion comes."""
LOST_IN_CHINA = 0.9
"""Pounds that a point of Chinese Resentment costs a Power with something to lose there, above QUIET_CHINA."""
DENIED = 0.16
"""What a rival's Victory Point is worth to each of those who compete with him: a seventh of the table's."""
KEPT_OUT = 0.22
"""What of the trade of an Area that is left to others counts as lost: somebody is likely to take it, and soon."""

TENSION_OF_BREACH = 5
"""Points by which a broken Treaty raises the European Tensions Index."""
BAD_NAME = 20.0
"""Pounds that it costs to be known for a broken word."""
SHAMELESS = 0.3
"""What of that troubles the faithless."""
DEAREST = 3.0
"""What a rival's pound weighs at most in one's own."""
LEADING = {1: 2.0, 2: 1.4}
"""How much more it weighs where he would be first or second at the end: all others gain when he is held back."""

HELD_BACK = {1: 0.45, 2: 0.25}
"""What a Victory Point that such a rival loses in a War is worth, as a share of one's own."""


class PositionValuation:
    """A Power's judgement in a position. Args: the tables; the position; the Power; whose judgement; its seed."""

    def __init__(self, tables: Tables, state: State, power: str, who: Character, seed: str) -> None:
        self.tables, self.power, self.who, self._state = tables, power, who, state
        self.turn = state.turn
        self.years = years_left(tables, state)
        self.point = pounds_per_point(tables, power)
        self.now = self.pound(state.turn)
        self.cash = self.now if state.phase == "movement" else 1.0  # pounds at the end for one that changes hands now
        self.peace = tension_weight(tables, state, power) if who.looks_on else 1.0
        self.later = sum(self.pound(turn) for turn in range(state.turn + 1, len(tables.turns) + 1))
        self.sought: dict[str, float] | None = None  # how likely rivals are to take an Area, where that is looked at
        self.piece = 0.0  # pounds at the end for one round piece more, where there are too few
        self._seed = f"{seed}/{power}"

    @staticmethod
    def pound(turn: int) -> float:
        """What a pound in hand in a Game Turn is worth at the end."""
        return EARLY_TURNS[turn - 1] if turn <= len(EARLY_TURNS) else 1.0

    def income(self, gross: float, keep: float) -> float:
        """Pounds at the end for what brings so much a turn and costs so much to keep; line 29 counts it twice."""
        return self.later * (gross - keep) + 2.0 * gross

    def yearly(self, state: State, area: str, marker: str) -> float:
        """Pounds a turn that a marker in an Area brings over its keep; 0 for none."""
        if not marker:
            return 0.0
        kind = self.tables.markers[marker]
        guard = GARRISON if kind.control and not kind.only_for else 0
        return self.tables.areas[area].value * kind.multiplier - kind.maintenance - guard

    def first_control(self, state: State) -> float:
        """Pounds that a first Control costs, for who has none gets the most that the Colonial Office pays; else 0."""
        dice = self.tables.colonial_office.get(self.power, ())
        if not dice or self.tables.powers[self.power].seat:
            return 0.0
        for here in state.areas.values():
            if any(m.power == self.power and m.marker in CONTROL for m in here.markers):
                return 0.0
        return self.later * (max(dice) - sum(dice) / len(dice))

    def worth(self, state: State, area: str, marker: str) -> float:
        """Pounds at the end for a marker in an Area; 0 for none."""
        if not marker:
            return 0.0
        kind = self.tables.markers[marker]
        here = area_state(state, area)
        value = self.tables.areas[area].value
        if kind.control:
            sharers = sum(m.power != self.power and m.established and m.marker in CONTROL for m in here.markers)
            value = max(0, value - sharers)
            guard = 0 if kind.only_for else GARRISON
            return self.income(value * kind.multiplier, kind.maintenance + guard)
        worth = self.income(value * kind.multiplier, kind.maintenance)
        if any(m.power != self.power and m.marker in FULL_CONTROL for m in here.markers):
            return 0.0
        if marker == INFLUENCE and any(m.power != self.power and m.marker in CONTROL for m in here.markers):
            return self.income(value, 0) * 0.9  # it will have to go down to an Interest
        return worth * (1.0 - min(0.3, 0.03 * self.years))

    def denied(self, state: State, area: str, marker: str) -> float:
        """Pounds that Control in an Area is worth because rivals lose by it."""
        value = self.tables.areas[area].value
        lost = 0.0
        for m in area_state(state, area).markers:
            if m.power == self.power or m.power not in state.players:
                continue
            weight = self.rival_weight(m.power)
            if m.marker == INFLUENCE:
                lost += weight * (self.later * max(0, value - 5) + 2.0 * value)
            elif m.marker == INTEREST and marker in FULL_CONTROL:
                lost += weight * (self.later * value + 2.0 * value)
        lost *= DENIED
        if marker == PROTECTORATE:
            lost += self._next_comer(state, area)
        return lost

    def _next_comer(self, state: State, area: str) -> float:
        """Pounds that it is worth to keep an Area from whoever else may take it: some make more points of its trade."""
        comers = [rival for rival, reach in self.reach.items() if area in reach]
        kind = self.tables.markers[PROTECTORATE]
        trade = self.income(self.tables.areas[area].value * kind.multiplier, kind.maintenance + GARRISON)
        if not comers or trade <= 0:
            return 0.0
        return KEPT_OUT * trade * sum(map(self.rival_weight, comers)) / len(comers)

    @cached_property
    def reach(self) -> dict[str, frozenset[str]]:
        """The Areas to which each rival has a link; none for who does not look on."""
        if not self.who.looks_on:
            return {}
        rivals = (seat for seat in self._state.players if seat != self.power)
        return {rival: frozenset(linked_areas(self.tables, self._state, rival)) for rival in rivals}

    def rival_weight(self, rival: str) -> float:
        """What a pound of a rival's weighs, by the Victory Points that each buys for it, and by who leads."""
        ahead = LEADING.get(self.standing.get(rival, 0), 1.0)
        return ahead * min(DEAREST, self.point / max(1.0, pounds_per_point(self.tables, rival)))

    @cached_property
    def standing(self) -> dict[str, int]:
        """The rank of each other seat at the last turn, if all went on as it is; none for who does not look on."""
        if not self.who.looks_on:
            return {}
        points = final_points(self.tables, self._state)
        return {seat: seat_rank(points, seat) for seat in points if seat != self.power}

    @cached_property
    def leaders(self) -> tuple[tuple[str, float], ...]:
        """Whoever would be first or second at the end, with what a pound of his weighs in one's own."""
        return tuple(
            (seat, HELD_BACK[place] * self.point / max(1.0, pounds_per_point(self.tables, seat)))
            for seat, place in self.standing.items()
            if place in HELD_BACK
        )

    def china(self, state: State, area: str, marker: str) -> float:
        """Pounds that the Resentment costs which a marker raises."""
        points = resentment_raised(self.tables, state, area, marker)
        if not points:
            return 0.0
        row = self.tables.resentment[marker]
        empire = self.tables.areas[area].type == "chinese_empire"
        later = self.years * row.per_phase if empire and marker in CONTROL else 0
        over = min(points + later, max(0, state.resentment + points + later - QUIET_CHINA))
        return LOST_IN_CHINA * over * math.sqrt(self.who.care)

    def trouble(self, state: State, area: str, marker: str) -> float:
        """Pounds that it costs to have others against oneself: rivals with a claim, causes of war, tension.

        0 for what offends nobody.
        """
        if LEVEL[marker] < LEVEL[PROTECTORATE]:
            return 0.0
        total = 0.0
        for m in area_state(state, area).markers:
            if m.power != self.power and LEVEL[m.marker] == LEVEL[INFLUENCE]:
                total += self.tension(state, 1)
                if m.power in state.players:
                    total += self.feared(state, m.power)
            elif m.power != self.power and m.marker in CONTROL:
                total += 3.0 * self.feared(state, m.power)
            elif m.power != self.power and m.marker == INTEREST and marker in FULL_CONTROL:
                total += self.tension(state, 1)
        for cause in self.tables.causes:
            holder = cause.holder
            if holder in ("", self.power) or holder not in state.players or area not in cause.areas:
                continue
            if area not in cause.start_holders_exempt_in:
                total += self.feared(state, holder)
        return total

    def steps(self, state: State, area: str, marker: str) -> int:
        """Points by which markers of others raise the European Tensions when they give way to one placed here."""
        total = 0
        for m in area_state(state, area).markers:
            if m.power != self.power and LEVEL[marker] >= LEVEL[PROTECTORATE]:
                beside = LEVEL[INTEREST] if marker not in FULL_CONTROL else 0
                total += max(0, LEVEL[m.marker] - beside) if m.marker not in CONTROL else 2
        return total

    def tension(self, state: State, points: int) -> float:
        """Pounds that points of European Tensions cost, the more the nearer the Great War is."""
        near = state.tension / 100
        return points * (0.3 + 6.0 * near**4) * self.who.care * self.peace * math.sqrt(self.point)

    def breach(self, state: State) -> float:
        """Pounds that a broken Treaty costs: tension, a Casus Belli of the partner's, and the word that goes round."""
        name = BAD_NAME * (SHAMELESS if self.who.faithless else 1.0)
        return self.tension(state, TENSION_OF_BREACH) + 4.0 * self.who.care + name

    def feared(self, state: State, rival: str) -> float:
        """Pounds that it may cost to give a rival a Casus Belli."""
        if rival not in state.players:
            return 1.0
        return (
            4.0
            * self.who.care
            * (1.5 if military_strength(state, rival) > military_strength(state, self.power) else 1.0)
        )

    def seen(self, key: str, pounds: float) -> float:
        """A sum as this statesman sees it: the less able it is, the farther out it may be."""
        if not self.who.blur:
            return pounds
        return pounds * (1.0 + self.who.blur * (draw(f"{self._seed}/{key}", self.turn, 2001) / 1000 - 1.0))


def military_strength(state: State, power: str) -> int:
    """Strength points of all Military Units of a Power on the map."""
    total = sum(u.strength for units in state.homes.values() for u in units if u.power == power)
    return total + sum(u.strength for here in state.areas.values() for u in here.units if u.power == power)


NEAR = 0.45
"""What a bonus is worth for each Area that is still missing, as a share of what it is with one fewer."""
BEHIND = 0.2
"""What an Area that is opened is worth, as a share of an Influence there."""


def bonus_value(outlook: PositionValuation, state: State, area: str) -> float:
    """Pounds for which Control of an Area brings bonuses of the end nearer, or keeps penalties off."""
    after = state_with_control(state, area, outlook.power)
    points = end_bonus_points(outlook.tables, after, outlook.power) - end_bonus_points(
        outlook.tables, state, outlook.power
    )
    return points * outlook.point


def state_with_control(state: State, area: str, power: str, marker: str = PROTECTORATE) -> State:
    """The position with established Control of an Area."""
    here = area_state(state, area)
    others = tuple(m for m in here.markers if m.power != power)
    there = replace(here, markers=(*others, Marker(power, marker)), unrest=False)
    return replace(state, areas={**state.areas, area: there})


def end_bonus_points(tables: Tables, state: State, power: str) -> float:
    """Victory Points of the end that Control of Areas brings a Power, each the less sure the more Areas it lacks."""
    total = 0.0
    for row in tables.bonuses_at_end:
        if row.power not in (power, "each"):
            continue
        test = row.when
        if test is not None and test.by == power:
            missing = test.at_least - sum(controls(state, a, power) for a in test.areas)
            total += row.points * NEAR ** max(0, missing)
        lost = row.per_area_lost
        if lost is not None and lost.by == power:
            total += row.points * sum(not controls(state, a, power) for a in lost.areas)
    for path in tables.africa_paths:
        more = areas_lacking(tables, state, power, path)
        if more is not None:
            total += path.points * NEAR**more
    return total


def areas_lacking(tables: Tables, state: State, power: str, path: AfricaPath) -> int | None:
    """The fewest Areas whose Control a Power still needs for a path across Africa; None where rivals bar it."""
    routes = board(tables, state).routes
    through = {*path.through, *path.one_end, *path.other_end}
    cost = {area: _path_price(state, area, power) for area in through}
    best: dict[str, int] = {}
    todo: deque[str] = deque()
    for area in path.one_end:
        first = cost[area]
        if first is not None:
            best[area] = first
            todo.append(area)
    while todo:
        area = todo.popleft()
        for other in routes.get(area, ()):
            more = cost.get(other)
            if more is not None and best[area] + more < best.get(other, 99):
                best[other] = best[area] + more
                todo.append(other)
    return min((best[area] for area in path.other_end if area in best), default=None)


def _path_price(state: State, area: str, power: str) -> int | None:
    """Areas to win for a step of a path: 0 for its own, None where a rival has Control."""
    if controls(state, area, power):
        return 0
    return None if controllers(state, area) else 1


def opening_value(outlook: PositionValuation, state: State, area: str) -> float:
    """Pounds for what Control of an Area would open to the Power that is not open yet."""
    tables, power = outlook.tables, outlook.power
    if not outlook.who.looks_on or outlook.years < 2:
        return 0.0
    new = linked_areas(tables, state_with_control(state, area, power), power) - linked_areas(tables, state, power)
    return BEHIND * sum(opened_area_value(outlook, state, other) for other in new)


def opened_area_value(outlook: PositionValuation, state: State, area: str) -> float:
    """Pounds for what an Area would bring that has just been opened: the better of Interest and Influence."""
    here = area_state(state, area)
    if established(state, area, outlook.power) is not None or any(m.marker in FULL_CONTROL for m in here.markers):
        return 0.0
    if controllers(state, area):
        return outlook.worth(state, area, "interest")
    return max(outlook.worth(state, area, INFLUENCE), outlook.worth(state, area, "interest"))
