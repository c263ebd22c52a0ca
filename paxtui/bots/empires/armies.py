"""Bot for the land steps of an exercise.

It attacks at good odds, sends other corps to cities worth points, keeps corps supplied, and chooses chits by the odds.
It estimates face-down corps by the mean strength of that Power's corps at the start. Chit mixtures come from fictitious
play over fixed dice sequences.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from paxtui.engine.dice import draw
from paxtui.games.empires.battle.sides import (
    OUTFLANK,
    PLAIN,
    RoundSide,
    base_morale,
    commanding_leader,
    dividing_side,
    losses_at,
    resolve_round,
)
from paxtui.games.empires.board import (
    acting_power,
    city_holders,
    controller,
    counters_in,
    is_at_war,
    is_corps,
    points_left,
    prize_taker,
    trek_of,
)
from paxtui.games.empires.calendar import LAND, REINFORCEMENT
from paxtui.games.empires.land.movement import cheapest_routes
from paxtui.games.empires.orders import (
    Action,
    Answer,
    Appoint,
    Besiege,
    ConvertDepot,
    DestroyDepot,
    Detach,
    Forage,
    March,
    PickChit,
    PlaceDepot,
    Reinforce,
)
from paxtui.games.empires.pieces import Battle, Corps, Factors, Force, is_hidden
from paxtui.games.empires.state import Question, State
from paxtui.games.empires.supply_lines import supplying_depot, valid_chain
from paxtui.games.empires.tables import ATTACKER_CHITS, DEFENDER_CHITS, ROUNDS, FieldCombat, Pairing, Tables

DAYS = 2
"""Number of days of a combat."""

THROWS = 12
"""Number of combats for each pair of chits."""

DICE_EACH = 10
"""Dice of one such combat: four for each side in rounds, two for withdrawal or arrival."""

ITERATIONS = 60
"""Number of rounds of fictitious play."""

PINNING = 0.45
"""Share of an outflanking side that fights before the outflanking force arrives."""

LOSS_WEIGHT = 0.5
"""Value of the loss of all factors; the loss of the combat has value 1."""


class Army(NamedTuple):
    """One side of a combat: factors, morale in tenths, ratings, and whether it can outflank."""

    factors: int
    morale: int
    strategic: int
    tactical: int
    can_outflank: bool


class BattleOdds(NamedTuple):
    """Value of a combat for the attacker, from -1 to 1, and the probability of each chit for both sides."""

    value: float
    attacker: tuple[tuple[str, float], ...]
    defender: tuple[tuple[str, float], ...]


_SEQUENCES = tuple(tuple(1 + draw(f"battle odds|{n}", at, 6) for at in range(DICE_EACH)) for n in range(THROWS))
_TABLES: dict[int, FieldCombat] = {}


def battle_odds(tables: FieldCombat, attacker: Army, defender: Army, terrain: str, river: bool) -> BattleOdds:
    """Return the odds of a combat; `river`: the attack crosses one."""
    _TABLES[id(tables)] = tables
    return _cached_battle_odds(id(tables), _rounded(attacker), _rounded(defender), terrain, river)


def _rounded(army: Army) -> Army:
    """Return an army with rounded numbers, so that the cache finds its odds again."""
    step = 1 if army.factors < 8 else 2 if army.factors < 16 else 4 if army.factors < 40 else 8
    return army._replace(factors=max(1, step * round(army.factors / step)), morale=3 * round(army.morale / 3))


@lru_cache(maxsize=32768)
def _cached_battle_odds(key: int, attacker: Army, defender: Army, terrain: str, river: bool) -> BattleOdds:
    tables = _TABLES[key]
    own = [one for one in ATTACKER_CHITS if attacker.can_outflank or one != OUTFLANK]
    others = [one for one in DEFENDER_CHITS if defender.can_outflank or one != OUTFLANK]
    worth = [[_mean_value(key, tables.pairing(a, d, river), attacker, defender, terrain) for d in others] for a in own]
    counts_a, counts_d = [0] * len(own), [0] * len(others)
    sums_a, sums_d = [0.0] * len(own), [0.0] * len(others)
    low = high = 0.0
    for number in range(1, ITERATIONS + 1):
        a = max(range(len(own)), key=sums_a.__getitem__)
        d = min(range(len(others)), key=sums_d.__getitem__)
        counts_a[a] += 1
        counts_d[d] += 1
        for at in range(len(own)):
            sums_a[at] += worth[at][d]
        for at in range(len(others)):
            sums_d[at] += worth[a][at]
        low, high = min(sums_d) / number, max(sums_a) / number
    return BattleOdds(
        (low + high) / 2,
        tuple((chit, count / ITERATIONS) for chit, count in zip(own, counts_a, strict=True)),
        tuple((chit, count / ITERATIONS) for chit, count in zip(others, counts_d, strict=True)),
    )


Rows = tuple[tuple[int, int], ...]
"""By die, from 1: the percentage and the tenths of morale that a side inflicts."""


class _Day(NamedTuple):
    """A day of combat with two chits, looked up once for all its dice.

    Attributes:
        withdraws: highest die with which the defender withdraws, None without such a roll.
        arrives: highest die with which the outflanking force arrives before rounds 2 and 3; empty without such a roll.
        pinned: the part of attacker and defender that fights until then.
        before, after: by round the rows of attacker and defender, before and after the arrival.
    """

    withdraws: int | None
    arrives: tuple[int, ...]
    pinned: tuple[float, float]
    before: tuple[tuple[Rows, Rows], ...]
    after: tuple[tuple[Rows, Rows], ...]


@lru_cache(maxsize=8192)
def _prepare_day(key: int, pairing: Pairing, attacker: Army, defender: Army, terrain: str) -> _Day:
    """Return a day of combat. Only the ratings of the armies matter."""
    tables = _TABLES[key]
    shifts = tables.terrain.get(terrain, PLAIN)
    divides = dividing_side(pairing.attacker, pairing.defender)
    flanker = attacker if divides == "attacker" else defender

    def rows(number: int, arrived: bool) -> tuple[Rows, Rows]:
        volleys = [
            resolve_round(
                tables, pairing, number, (RoundSide(1, attacker.tactical), RoundSide(1, defender.tactical)),
                (die, die), arrived, shifts,
            )
            for die in range(1, 7)
        ]  # fmt: skip
        attack, defence = (tuple((one.percent, one.morale) for one in side) for side in zip(*volleys, strict=True))
        return attack, defence

    return _Day(
        withdraws=None if pairing.withdrawal is None else defender.strategic + pairing.withdrawal,
        arrives=tuple(flanker.strategic + one + shifts.outflank for one in pairing.outflank),
        pinned=(PINNING if divides == "attacker" else 1.0, PINNING if divides == "defender" else 1.0),
        before=tuple(rows(number, False) for number in range(1, ROUNDS + 1)),
        after=tuple(rows(number, number > 1) for number in range(1, ROUNDS + 1)),
    )


def _mean_value(key: int, pairing: Pairing, attacker: Army, defender: Army, terrain: str) -> float:
    ratings = [Army(0, 0, one.strategic, one.tactical, False) for one in (attacker, defender)]
    day = _prepare_day(key, pairing, *ratings, terrain)
    return sum(_play_combat(key, day, attacker, defender, dice) for dice in _SEQUENCES) / THROWS


def _play_combat(key: int, day: _Day, attacker: Army, defender: Army, dice: tuple[int, ...]) -> float:
    """Play a combat of up to `DAYS` days; return its value."""
    left = [attacker.factors, defender.factors]
    for number in range(DAYS):
        result = _play_day(key, day, (attacker.morale, defender.morale), left, dice[::-1] if number else dice)
        if result is not None:
            return result + _loss_value(attacker, defender, left)
    return _loss_value(attacker, defender, left)


def _play_day(key: int, day: _Day, morale: tuple[int, int], left: list[int], dice: tuple[int, ...]) -> float | None:
    """Play one day, and subtract its losses from `left`; return the winner, 0 for a withdrawal, None for no winner."""
    if day.withdraws is not None and dice[8] <= day.withdraws:
        return 0.0
    morale_a, morale_d = morale
    rounds, share = day.before, day.pinned
    for at in range(ROUNDS):
        if at and day.arrives and share is day.pinned and dice[7 + at] <= day.arrives[at - 1]:
            rounds, share = day.after, (1.0, 1.0)
        percent_a, broken_d = rounds[at][0][dice[2 * at] - 1]
        percent_d, broken_a = rounds[at][1][dice[2 * at + 1] - 1]
        losses_d = _losses(key, percent_a, max(1, round(left[0] * share[0])))
        left[0] -= _losses(key, percent_d, max(1, round(left[1] * share[1])))
        left[1] -= losses_d
        morale_a -= broken_a
        morale_d -= broken_d
        beaten = morale_a <= 0 or left[0] <= 0, morale_d <= 0 or left[1] <= 0
        if any(beaten):
            return 1.0 if not beaten[0] or (beaten[1] and morale_a > morale_d) else -1.0
    return None


@lru_cache(maxsize=8192)
def _losses(key: int, percent: int, factors: int) -> int:
    return losses_at(_TABLES[key], percent, factors)


def _loss_value(attacker: Army, defender: Army, left: list[int]) -> float:
    lost_a = 1 - max(0, left[0]) / attacker.factors
    lost_d = 1 - max(0, left[1]) / defender.factors
    return LOSS_WEIGHT * (lost_d - lost_a)


ATTACK = 0.5
"""Lowest value of an attack that is made, from -1 to 1."""

ENOUGH = 0.9
"""Value of an attack above which no more corps join it."""

RESERVE = 4
"""Money kept for supply."""

THREAT_RANGE = 2
"""Areas from which an enemy attack is expected."""

STEPS = (
    (REINFORCEMENT, "army"),
    (LAND, "depots"),
    (LAND, "movement"),
    (LAND, "supply"),
    (LAND, "combat"),
)
"""Steps that this module plays."""


def choose_army_action(tables: Tables, state: State, seat: str, offered: Sequence[Action]) -> Action:
    """Return the act of a seat in a step of the land phase or of army reinforcement, of all its possible acts."""
    if state.questions:
        question = state.questions[-1]
        answer = answer_army_question(tables, state, question)
        return Answer(answer if answer in question.choices else question.choices[0])
    chits = [one for one in offered if isinstance(one, PickChit)]
    if chits:
        return _pick_chit(tables, state, seat, chits)
    if state.cursor.step == "movement":
        return _choose_movement(tables, state, seat, offered)
    values = [_action_value(tables, state, seat, one) for one in offered]
    best = max(values)
    return offered[values.index(best)] if best > 0 else offered[-1]


def _action_value(tables: Tables, state: State, seat: str, action: Action) -> float:
    """Return the value of an act outside movement; acts of value 0 or less are not done."""
    match action:
        case Reinforce():
            return 5 + sum(action.factors.values()) + (1 if action.where in state.corps else 0)
        case Appoint():
            return 4 + state.corps[action.corps].factors.total / 10
        case PlaceDepot():
            return _depot_value(tables, state, seat, action.where)
        case Forage():
            return 1
        case _:
            return 0


def _depot_value(tables: Tables, state: State, seat: str, area: str) -> float:
    """Return the value of a depot: corps there that no nearer depot supplies, if there is money."""
    if area not in tables.areas or state.accounts[seat].money <= RESERVE:
        return 0
    own = sum(1 for one in counters_in(state, area) if one.power == seat and is_corps(one))
    found = supplying_depot(tables, state, seat, area)
    return own if own and (found is None or found[1] >= 2 or own > 2) and (found is None or found[1] >= 1) else 0


# --- strengths ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _typical_factors(tables_id: int, power: str, kind: str, corps: tuple[Corps, ...]) -> Factors:
    """Return the mean factors of a Power's corps of a kind at the start, which are public."""
    same = [one for one in corps if one.power == power and one.kind == kind] or [
        one for one in corps if one.power == power
    ]
    if not same:
        return Factors(infantry=8)
    mean = {
        name: round(sum(getattr(one.factors, name) for one in same) / len(same)) for name in Factors.__struct_fields__
    }
    return Factors(**mean) if sum(mean.values()) else Factors(infantry=1)


def factors_of(tables: Tables, corps: Corps) -> Factors:
    """Return the factors of a corps, or an estimate for a face-down one."""
    return (
        _typical_factors(id(tables), corps.power, corps.kind, tables.exercise.corps)
        if is_hidden(corps)
        else corps.factors
    )


def army_of(tables: Tables, state: State, corps: Iterable[Corps]) -> Army:
    """Return some corps of one side as an army, with the leader that commands them."""
    corps = tuple(corps)
    parts, total = [], 0
    for one in corps:
        factors, row = factors_of(tables, one), tables.morale_of(one.nation or one.power)
        kinds = {kind: getattr(row, kind) for kind in Factors.__struct_fields__}
        parts.append((kinds, factors))
        total += factors.total
    nations = {one.nation or one.power for one in corps}
    row = tables.morale_of(nations.pop() if len(nations) == 1 else corps[0].power)
    leader = state.leaders.get(commanding_leader(state, [one.id for one in corps]))
    strategic, tactical = (leader.strategic, leader.tactical) if leader else (row.strategic, row.tactical)
    if leader and leader.most and len(corps) > leader.most:
        tactical -= 1
    outflanks = leader is not None and sum(one.kind != "artillery" for one in corps) >= 2
    return Army(max(1, total), base_morale(parts), strategic, max(0, tactical), outflanks)


def leader_ratings(state: State, corps: str) -> int:
    """Return the ratings of the best leader with a corps together, 0 without one."""
    return max((one.strategic + one.tactical for one in state.leaders.values() if one.where == corps), default=0)


def odds_at(
    tables: Tables, state: State, area: str, attackers: Iterable[Corps], defenders: Iterable[Corps]
) -> BattleOdds:
    """Return the odds of an attack in an area."""
    attacking, defending = army_of(tables, state, attackers), army_of(tables, state, defenders)
    return battle_odds(tables.field_combat, attacking, defending, tables.areas[area].terrain, False)


def corps_in_field(state: State, seat: str, area: str, enemies: bool) -> tuple[Corps, ...]:
    """Return the corps outside the city of an area: enemies of a seat, or its own."""
    return tuple(
        one
        for one in counters_in(state, area)
        if not one.inside and is_corps(one) and (is_at_war(state, seat, one.power) if enemies else one.power == seat)
    )


# --- movement -------------------------------------------------------------------------------------------------------


def _choose_movement(tables: Tables, state: State, seat: str, offered: Sequence[Action]) -> Action:
    """Return the next act of the movement step: near prizes, attacks, then better places for other corps."""
    if conversion := next((one for one in offered if isinstance(one, ConvertDepot)), None):
        return conversion
    for action in offered:
        if isinstance(action, DestroyDepot | Besiege):
            return action
        if isinstance(action, Detach) and _secures_city(tables, state, seat, action):
            return action
    orders: dict[str, list[March]] = {}
    for action in offered:
        if isinstance(action, March) and not trek_of(state, state.corps[action.corps]).path:
            orders.setdefault(action.corps, []).append(action)
    if not orders:
        return offered[-1]
    return _choose_attack_march(tables, state, seat, orders) or _reposition(tables, state, seat, orders) or offered[-1]


def _secures_city(tables: Tables, state: State, seat: str, action: Detach) -> bool:
    """Return whether a factor of infantry enters an empty city that is worth points."""
    corps = state.corps[action.corps]
    area = tables.areas[corps.where]
    foot = next(iter(action.factors)) in ("infantry", "militia")
    return (
        foot
        and action.to == "city"
        and corps.factors.total > 2
        and area.id in tables.exercise.prizes
        and not city_holders(state, area.id)
    )


def _score_gap(tables: Tables, state: State, seat: str) -> int:
    """Return the points of a seat minus those of its best enemy, including the cities they hold."""
    points = {power: account.points for power, account in state.accounts.items()}
    for area, worth in tables.exercise.prizes.items():
        if taker := prize_taker(tables, state, area):
            points[taker] += worth
    return points[seat] - max((points[one] for one in state.powers if is_at_war(state, seat, one)), default=0)


def _choose_attack_march(tables: Tables, state: State, seat: str, orders: dict[str, list[March]]) -> March | None:
    """Return the first march of the best attack, or of a corps that joins it; None if no attack is good."""
    last = tables.exercise.battles - state.campaign.fought if tables.exercise.battles else 9
    running_attacks = sum(
        1
        for area in tables.areas
        if corps_in_field(state, seat, area, True) and corps_in_field(state, seat, area, False)
    )
    gap = _score_gap(tables, state, seat)
    best: tuple[float, March] | None = None
    for area in tables.areas:
        foes = corps_in_field(state, seat, area, True)
        if not foes:
            continue
        there = corps_in_field(state, seat, area, False)
        joining = {name: march for name, marches in orders.items() for march in marches if march.path[-1] == area}
        if not joining or (there and odds_at(tables, state, area, there, foes).value >= ENOUGH):
            continue
        able = sorted(
            joining,
            key=lambda name: (-leader_ratings(state, name), -state.corps[name].factors.total),
        )
        chosen: list[str] = []
        value = -1.0
        for name in able:
            chosen.append(name)
            value = odds_at(tables, state, area, (*there, *(state.corps[one] for one in chosen)), foes).value
            if value >= ENOUGH:
                break
        stakes = 2 if len(foes) < tables.number("battle.large") else 4
        if not there:
            if value < ATTACK or running_attacks >= last or (running_attacks + 1 == last and gap + stakes <= 0):
                continue
            if running_attacks + 1 == last and gap > 0 and value < ENOUGH:
                continue
        worth = value * stakes + (2 if there else 0)
        if best is None or worth > best[0]:
            best = worth, joining[chosen[0]]
    return best[1] if best else None


def _reposition(tables: Tables, state: State, seat: str, orders: dict[str, list[March]]) -> March | None:
    """Return the march to a better place with the greatest gain, None if there is none."""
    chain = set(valid_chain(tables, state, seat))
    best: tuple[float, March] | None = None
    for name, marches in orders.items():
        corps = state.corps[name]
        here = _place_value(tables, state, seat, corps, corps.where, chain)
        routes = cheapest_routes(tables, state, corps, points_left(corps))
        for march in marches:
            area = march.path[-1]
            if corps_in_field(state, seat, area, True):
                continue
            route = routes.get(area)
            toll = 0.05 * route.cost if route else 0.5
            gain = _place_value(tables, state, seat, corps, area, chain) - here - toll
            if gain > 0.5 and (best is None or gain > best[0]):
                best = gain, march
    return best[1] if best else None


def _place_value(tables: Tables, state: State, seat: str, corps: Corps, area: str, chain: set[str]) -> float:
    """Return the value of an area as the end of a corps's march."""
    distances = distances_from(tables, area)
    own = 0.0
    support = 0.0
    foes = 0.0
    hunt = 0.0
    for one in state.corps.values():
        if not is_corps(one) or one.where not in distances:
            continue
        far, size = distances[one.where], factors_of(tables, one).total
        if one.power == seat and one.id != corps.id:
            own += size if far == 0 else 0
            support += size if far == 1 else 0
        elif is_at_war(state, seat, one.power) and not one.inside:
            foes += size if far <= THREAT_RANGE else 0
            hunt = max(hunt, 1.5 / (1 + far))
    mass = corps.factors.total + own + 0.5 * support
    own_army = [one for one in state.corps.values() if one.power == seat and is_corps(one)]
    enemies = [one for one in state.corps.values() if is_at_war(state, seat, one.power) and is_corps(one)]
    total = -2.5 * max(0.0, foes / max(1.0, mass) - 1)
    if _morale_strength(tables, own_army) > 1.2 * _morale_strength(tables, enemies):
        total += hunt
    total += 0.8 * min(1.0, own / 20)
    total += _city_pull(tables, state, seat, corps, area, distances)
    near = depot_distance(tables, chain, area)
    total -= 0.25 * near if near <= 3 else 1.0 + 0.1 * max(0, 4 - tables.areas[area].forage)
    return total - 0.15 * max(0.0, own + corps.factors.total - 60) / 10


def _morale_strength(tables: Tables, corps: Iterable[Corps]) -> int:
    return sum(factors_of(tables, one).total * tables.morale_of(one.nation or one.power).infantry for one in corps)


def _city_pull(tables: Tables, state: State, seat: str, corps: Corps, area: str, distances: dict[str, int]) -> float:
    """Return the attraction of cities that are worth points: cities to take, and cities to protect from a near
    enemy.
    """
    total = 0.0
    for place, points in tables.exercise.prizes.items():
        if place not in distances:
            continue
        native = acting_power(state, tables.areas[place].owner)
        holder = controller(tables, state, place)
        near = sum(
            1 for one in counters_in(state, place) if one.power == seat and one.id != corps.id and not one.inside
        )
        if holder != seat and (native != seat or is_at_war(state, seat, holder)):
            total += (2.0 if not near else 0.8) * points**0.5 / (1 + distances[place])
            if not distances[place]:
                total += 1.0
        elif holder == seat and _is_threatened(tables, state, seat, place):
            total += 0.5 * points**0.5 / (1 + distances[place])
    return total


def _is_threatened(tables: Tables, state: State, seat: str, place: str) -> bool:
    """Return whether an enemy counter is within `THREAT_RANGE` of an area."""
    distances = distances_from(tables, place)
    return any(
        distances.get(one.where, 9) <= THREAT_RANGE and is_at_war(state, seat, one.power)
        for one in state.corps.values()
    )


def depot_distance(tables: Tables, chain: Collection[str], area: str) -> int:
    """Return the number of areas to the nearest depot of a chain; 9 without one."""
    distances = distances_from(tables, area)
    return min((distances[one] for one in chain if one in distances), default=9)


def distances_from(tables: Tables, origin: str) -> dict[str, int]:
    """Return the distance of areas on land, in steps."""
    cache = _DISTANCES.setdefault(id(tables.ways), {})
    if origin not in cache:
        found, ring = {origin: 0}, [origin]
        while ring:
            area = ring.pop(0)
            for one in tables.ways[area]:
                if one not in found and not tables.areas[one].sea:
                    found[one] = found[area] + 1
                    ring.append(one)
        cache[origin] = found
    return cache[origin]


_DISTANCES: dict[int, dict[str, dict[str, int]]] = {}


# --- combat and questions -------------------------------------------------------------------------------------------


def _current_battle_odds(tables: Tables, state: State, battle: Battle) -> BattleOdds:
    """Return the odds of the combat in progress."""

    def side(force: Force) -> Army:
        corps = [state.corps[one] for one in force.corps if one in state.corps]
        return army_of(tables, state, corps) if corps else Army(1, 10, 0, 0, False)

    terrain = tables.areas[battle.area].terrain
    return battle_odds(tables.field_combat, side(battle.attacker), side(battle.defender), terrain, battle.river)


def _pick_chit(tables: Tables, state: State, seat: str, chits: Sequence[PickChit]) -> PickChit:
    """Return a random chit, with the probabilities of the odds."""
    battle = state.campaign.battle
    if battle is None:
        return chits[0]
    odds = _current_battle_odds(tables, state, battle)
    mixture = dict(odds.attacker if battle.attacker.powers[0] == seat else odds.defender)
    key = f"{seat}|{state.turn}|{len(state.ledger)}|{state.campaign.fought}|{battle.day}|{battle.area}"
    point = draw(key, 0, 1000) / 1000
    for one in sorted(chits, key=lambda one: -mixture.get(one.chit, 0.0)):
        point -= mixture.get(one.chit, 0.0)
        if point < 0:
            return one
    return max(chits, key=lambda one: mixture.get(one.chit, 0.0))


def answer_army_question(tables: Tables, state: State, question: Question) -> str:
    """Return the answer to a question; if it is not a choice, the first act."""
    seat, about = question.power, question.about
    match question.kind:
        case "burn_depot":
            return "destroy" if corps_in_field(state, seat, about[0], True) else "keep"
        case "retire":
            own, foes = (corps_in_field(state, seat, about[1], enemies) for enemies in (False, True))
            return "retire" if own and foes and odds_at(tables, state, about[1], foes, own).value > ATTACK else "stay"
        case "besiege" | "allied_supply":
            return "yes"
        case "occupy":
            return _choose_occupation(tables, state, question)
        case "end_of_day":
            return _answer_another_day(tables, state, about[0] == "attacker")
        case "captured_depot":
            return "convert" if "convert" in question.choices else "destroy"
        case "divide":
            return _choose_division(state, question)
        case "next_combat":
            return max(question.choices, key=lambda area: _area_value(tables, state, seat, area))
        case _:
            return question.choices[0]


def _area_value(tables: Tables, state: State, seat: str, area: str) -> float:
    own, foes = (corps_in_field(state, seat, area, enemies) for enemies in (False, True))
    return odds_at(tables, state, area, own, foes).value if own and foes else 0.0


def _answer_another_day(tables: Tables, state: State, attacks: bool) -> str:
    """Return whether to fight another day, by the odds of the remaining forces."""
    battle = state.campaign.battle
    if battle is None:
        return "leave"
    value = _current_battle_odds(tables, state, battle).value
    return "fight" if (value if attacks else -value) > -0.1 else "leave"


def _choose_division(state: State, question: Question) -> str:
    """Return the outflanking force whose size is nearest to half of the whole."""
    battle = state.campaign.battle
    if battle is None:
        return question.choices[0]
    force = battle.force(question.about[0])
    total = sum(state.corps[one].factors.total for one in force.corps if one in state.corps)

    def unevenness(choice: str) -> float:
        around = sum(state.corps[one].factors.total for one in choice.split(",") if one in state.corps)
        return abs(around - 0.5 * total)

    return min(question.choices, key=unevenness)


def _choose_occupation(tables: Tables, state: State, question: Question) -> str:
    """Return one or two factors of the strongest corps where points can be gained."""
    if question.about[0] not in tables.exercise.prizes:
        return question.choices[0]
    ones = [choice for choice in question.choices if choice.endswith(":2")] or [
        choice for choice in question.choices if choice.endswith(":1")
    ]
    return max(ones, key=lambda one: state.corps[one.rpartition(":")[0]].factors.total, default=question.choices[0])
