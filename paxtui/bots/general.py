"""A player for the land steps of an exercise.

It masses its corps for attacks with good odds by the combat tables, sends the others to cities that are worth points,
keeps its corps supplied and away from stronger enemies, and picks chits by the odds. It knows what its seat knows:
for corps that lie face down it reckons with the mean strength of a corps of that Power at the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from paxtui.bots.battle_odds import Army, Odds, battle_odds
from paxtui.empires.battle.forces import commander
from paxtui.empires.battle.morale import base_morale
from paxtui.empires.land.routes import Route, cheapest_routes
from paxtui.empires.orders.action import Action, Answer
from paxtui.empires.orders.actions_land import (
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
from paxtui.empires.play.allowances import left
from paxtui.empires.play.presence import city_holders, counters, is_corps
from paxtui.empires.play.standing import at_war, owner, runner
from paxtui.empires.state.campaign import Battle, Force
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Corps, Factors, is_hidden
from paxtui.empires.state.questions import Question
from paxtui.empires.supply.lines import supply_of, valid_chain
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.order_of_powers import LAND, REINFORCEMENT
from paxtui.engine.dice import draw

ATTACK = 0.5
"""The least value of an attack, from -1 to 1, for which it is made."""

ENOUGH = 0.9
"""The value of an attack from which no more corps are sent to it."""

RESERVE = 4
"""Money that it keeps for supply."""

THREAT_RANGE = 2
"""Areas from which an enemy is expected to attack."""

STEPS = (
    (REINFORCEMENT, "army"),
    (LAND, "depots"),
    (LAND, "movement"),
    (LAND, "supply"),
    (LAND, "combat"),
)
"""The steps that it plays."""

Ranked = tuple[float, int, Action]
"""What an act is worth, its place among the others, and the act."""


def choose(tables: Tables, state: State, seat: str, offered: Sequence[Action]) -> Action:
    """Return what a seat does now in a step of the land phase or of army reinforcement.

    Args: the tables; the position as the seat sees it; the seat; everything that it may do, not empty.
    """
    if state.questions:
        question = state.questions[-1]
        wish = _answer(tables, state, question)
        return Answer(wish if wish in question.choices else question.choices[0])
    chits = [one for one in offered if isinstance(one, PickChit)]
    if chits:
        return _pick(tables, state, seat, chits)
    if state.cursor.step == "movement":
        return _move(tables, state, seat, offered)
    ranked: list[Ranked] = [(_worth(tables, state, seat, one), -at, one) for at, one in enumerate(offered)]
    best = max(ranked, key=lambda one: one[:2])
    return best[2] if best[0] > 0 else offered[-1]


def _worth(tables: Tables, state: State, seat: str, action: Action) -> float:
    """Return what an act outside movement is worth; nothing above 0 is done."""
    match action:
        case Reinforce():
            return 5 + sum(action.factors.values()) + (1 if action.where in state.corps else 0)
        case Appoint():
            return 4 + state.corps[action.corps].factors.total / 10
        case PlaceDepot():
            return _depot(tables, state, seat, action.where)
        case Forage():
            return 1
        case _:
            return 0


def _depot(tables: Tables, state: State, seat: str, area: str) -> float:
    """Value a depot where corps stand that no other one feeds from near, while there is money."""
    if area not in tables.areas or state.accounts[seat].money <= RESERVE:
        return 0
    own = sum(1 for one in counters(state, area) if one.power == seat and is_corps(one))
    found = supply_of(tables, state, seat, area)
    return own if own and (found is None or found[1] >= 2 or own > 2) and (found is None or found[1] >= 1) else 0


# --- strengths ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _typical(tables_id: int, power: str, kind: str, corps: tuple[Corps, ...]) -> Factors:
    """Return the mean factors of a Power's corps of a kind at the start, which everybody knows from the exercise."""
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
    """Return the factors of a corps, or an estimate for one that lies face down."""
    return _typical(id(tables), corps.power, corps.kind, tables.exercise.corps) if is_hidden(corps) else corps.factors


def army(tables: Tables, state: State, corps: Iterable[Corps]) -> Army:
    """Return some corps of one side as an army, with the leader who would command them."""
    corps = tuple(corps)
    parts, total = [], 0
    for one in corps:
        factors, row = factors_of(tables, one), tables.morale_of(one.nation or one.power)
        kinds = {kind: getattr(row, kind) for kind in Factors.__struct_fields__}
        parts.append((kinds, factors))
        total += factors.total
    nations = {one.nation or one.power for one in corps}
    row = tables.morale_of(nations.pop() if len(nations) == 1 else corps[0].power)
    leader = state.leaders.get(commander(state, [one.id for one in corps]))
    strategic, tactical = (leader.strategic, leader.tactical) if leader else (row.strategic, row.tactical)
    if leader and leader.most and len(corps) > leader.most:
        tactical -= 1
    outflanks = leader is not None and sum(one.kind != "artillery" for one in corps) >= 2
    return Army(max(1, total), base_morale(parts), strategic, max(0, tactical), outflanks)


def odds_at(tables: Tables, state: State, area: str, attackers: Iterable[Corps], defenders: Iterable[Corps]) -> Odds:
    """Return the odds of an attack in an area."""
    attacking, defending = army(tables, state, attackers), army(tables, state, defenders)
    return battle_odds(tables.field_combat, attacking, defending, tables.areas[area].terrain, False)


def _in_field(state: State, seat: str, area: str, enemies: bool) -> tuple[Corps, ...]:
    """Return the corps outside the city of an area: enemies of a seat, or its own."""
    return tuple(
        one
        for one in counters(state, area)
        if not one.inside and is_corps(one) and (at_war(state, seat, one.power) if enemies else one.power == seat)
    )


# --- movement -------------------------------------------------------------------------------------------------------


def _move(tables: Tables, state: State, seat: str, offered: Sequence[Action]) -> Action:
    """Return the next act of the movement step: prizes at hand, attacks, then better places for the others."""
    for action in offered:
        if isinstance(action, ConvertDepot):
            return action
    for action in offered:
        if isinstance(action, DestroyDepot | Besiege):
            return action
        if isinstance(action, Detach) and _secures(tables, state, seat, action):
            return action
    orders: dict[str, list[March]] = {}
    for action in offered:
        if isinstance(action, March) and not (
            action.corps in state.campaign.treks and state.campaign.treks[action.corps].path
        ):
            orders.setdefault(action.corps, []).append(action)
    if not orders:
        return offered[-1]
    return _attack(tables, state, seat, orders) or _reposition(tables, state, seat, orders) or offered[-1]


def _secures(tables: Tables, state: State, seat: str, action: Detach) -> bool:
    """Return whether a factor of foot goes into a vacant city that is worth points."""
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
    """Return the points of a seat less those of its best enemy, cities that are held included."""
    points = {power: account.points for power, account in state.accounts.items()}
    for area, worth in tables.exercise.prizes.items():
        holder = owner(tables, state, area)
        if holder in points and holder != runner(state, tables.areas[area].owner):
            points[holder] += worth
    return points[seat] - max((points[one] for one in state.powers if at_war(state, seat, one)), default=0)


def _attack(tables: Tables, state: State, seat: str, orders: dict[str, list[March]]) -> March | None:
    """Return the first march of the best attack, or of a corps that joins one; None if no attack is good."""
    last = tables.exercise.battles - state.campaign.fought if tables.exercise.battles else 9
    begun = sum(
        1 for area in tables.areas if _in_field(state, seat, area, True) and _in_field(state, seat, area, False)
    )
    gap = _score_gap(tables, state, seat)
    best: tuple[float, March] | None = None
    for area in tables.areas:
        foes = _in_field(state, seat, area, True)
        if not foes:
            continue
        there = _in_field(state, seat, area, False)
        joining = {name: march for name, marches in orders.items() for march in marches if march.path[-1] == area}
        if not joining or (there and odds_at(tables, state, area, there, foes).value >= ENOUGH):
            continue
        able = sorted(
            joining,
            key=lambda name: (
                -max((one.strategic + one.tactical for one in state.leaders.values() if one.where == name), default=0),
                -state.corps[name].factors.total,
            ),
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
            if value < ATTACK or begun >= last or (begun + 1 == last and gap + stakes <= 0):
                continue
            if begun + 1 == last and gap > 0 and value < ENOUGH:
                continue
        worth = value * stakes + (2 if there else 0)
        if best is None or worth > best[0]:
            best = worth, joining[chosen[0]]
    return best[1] if best else None


def _reposition(tables: Tables, state: State, seat: str, orders: dict[str, list[March]]) -> March | None:
    """Return the march to a better place that gains most, None if there is none."""
    chain = set(valid_chain(tables, state, seat))
    best: tuple[float, March] | None = None
    for name, marches in orders.items():
        corps = state.corps[name]
        here = _place_value(tables, state, seat, corps, corps.where, chain)
        routes = cheapest_routes(tables, state, corps, left(corps))
        for march in marches:
            area = march.path[-1]
            if _in_field(state, seat, area, True):
                continue
            gain = _place_value(tables, state, seat, corps, area, chain) - here - _toll(routes.get(area))
            if gain > 0.5 and (best is None or gain > best[0]):
                best = gain, march
    return best[1] if best else None


def _toll(route: Route | None) -> float:
    return 0.05 * route.cost if route else 0.5


def _place_value(tables: Tables, state: State, seat: str, corps: Corps, area: str, chain: set[str]) -> float:
    """Return how good it is for a corps to end its march in an area."""
    ways = _distances(tables, area)
    own = 0.0
    support = 0.0
    foes = 0.0
    hunt = 0.0
    for one in state.corps.values():
        if not is_corps(one) or one.where not in ways:
            continue
        far, size = ways[one.where], factors_of(tables, one).total
        if one.power == seat and one.id != corps.id:
            own += size if far == 0 else 0
            support += size if far == 1 else 0
        elif at_war(state, seat, one.power) and not one.inside:
            foes += size if far <= THREAT_RANGE else 0
            hunt = max(hunt, 1.5 / (1 + far))
    mass = corps.factors.total + own + 0.5 * support
    strength = sum(
        factors_of(tables, one).total * tables.morale_of(one.nation or one.power).infantry
        for one in state.corps.values()
        if one.power == seat and is_corps(one)
    )
    enemy = sum(
        factors_of(tables, one).total * tables.morale_of(one.nation or one.power).infantry
        for one in state.corps.values()
        if at_war(state, seat, one.power) and is_corps(one)
    )
    total = -2.5 * max(0.0, foes / max(1.0, mass) - 1)
    if strength > 1.2 * enemy:
        total += hunt
    total += 0.8 * min(1.0, own / 20)
    total += _prizes(tables, state, seat, corps, area, ways)
    near = min((ways[one] for one in chain if one in ways), default=9)
    total -= 0.25 * near if near <= 3 else 1.0 + 0.1 * max(0, 4 - tables.areas[area].forage)
    return total - 0.15 * max(0.0, own + corps.factors.total - 60) / 10


def _prizes(tables: Tables, state: State, seat: str, corps: Corps, area: str, ways: dict[str, int]) -> float:
    """Return the pull of cities that are worth points: those to take, and those to keep from an enemy nearby."""
    total = 0.0
    for place, points in tables.exercise.prizes.items():
        if place not in ways:
            continue
        native = runner(state, tables.areas[place].owner)
        holder = owner(tables, state, place)
        near = sum(1 for one in counters(state, place) if one.power == seat and one.id != corps.id and not one.inside)
        if holder != seat and (native != seat or at_war(state, seat, holder)):
            total += (2.0 if not near else 0.8) * points**0.5 / (1 + ways[place])
            if not ways[place]:
                total += 1.0
        elif holder == seat and any(
            at_war(state, seat, one.power) and _distances(tables, place).get(one.where, 9) <= THREAT_RANGE
            for one in state.corps.values()
        ):
            total += 0.5 * points**0.5 / (1 + ways[place])
    return total


def _distances(tables: Tables, origin: str) -> dict[str, int]:
    """Return areas on land by how many steps they are away."""
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


def _battle_odds(tables: Tables, state: State, battle: Battle) -> Odds:
    """Return the odds of the combat that is fought."""

    def side(force: Force) -> Army:
        corps = [state.corps[one] for one in force.corps if one in state.corps]
        return army(tables, state, corps) if corps else Army(1, 10, 0, 0, False)

    terrain = tables.areas[battle.area].terrain
    return battle_odds(tables.field_combat, side(battle.attacker), side(battle.defender), terrain, battle.river)


def _pick(tables: Tables, state: State, seat: str, chits: Sequence[PickChit]) -> PickChit:
    """Return a chit, drawn from the mixture that the odds recommend."""
    battle = state.campaign.battle
    if battle is None:
        return chits[0]
    odds = _battle_odds(tables, state, battle)
    mixture = dict(odds.attacker if battle.attacker.powers[0] == seat else odds.defender)
    key = f"{seat}|{state.turn}|{len(state.ledger)}|{state.campaign.fought}|{battle.day}|{battle.area}"
    point = draw(key, 0, 1000) / 1000
    for one in sorted(chits, key=lambda one: -mixture.get(one.chit, 0.0)):
        point -= mixture.get(one.chit, 0.0)
        if point < 0:
            return one
    return max(chits, key=lambda one: mixture.get(one.chit, 0.0))


def _answer(tables: Tables, state: State, question: Question) -> str:
    """Return what it answers; anything else than a choice is the first one."""
    seat, about = question.power, question.about
    match question.kind:
        case "burn_depot":
            return "destroy" if _in_field(state, seat, about[0], True) else "keep"
        case "retire":
            own, foes = (_in_field(state, seat, about[1], enemies) for enemies in (False, True))
            return "retire" if own and foes and odds_at(tables, state, about[1], foes, own).value > ATTACK else "stay"
        case "besiege" | "allied_supply":
            return "yes"
        case "occupy":
            return _occupation(tables, state, question)
        case "end_of_day":
            return _another_day(tables, state, about[0] == "attacker")
        case "captured_depot":
            return "convert" if "convert" in question.choices else "destroy"
        case "divide":
            return _division(state, question)
        case "next_combat":
            return max(question.choices, key=lambda area: _promise(tables, state, seat, area))
        case _:
            return question.choices[0]


def _promise(tables: Tables, state: State, seat: str, area: str) -> float:
    own, foes = (_in_field(state, seat, area, enemies) for enemies in (False, True))
    return odds_at(tables, state, area, own, foes).value if own and foes else 0.0


def _another_day(tables: Tables, state: State, attacks: bool) -> str:
    """Return whether to fight another day, by the odds of the forces that are left."""
    battle = state.campaign.battle
    if battle is None:
        return "leave"
    value = _battle_odds(tables, state, battle).value
    return "fight" if (value if attacks else -value) > -0.1 else "leave"


def _division(state: State, question: Question) -> str:
    """Return the outflanking force whose size is nearest to half of the whole."""
    battle = state.campaign.battle
    if battle is None:
        return question.choices[0]
    force = battle.attacker if question.about[0] == "attacker" else battle.defender
    total = sum(state.corps[one].factors.total for one in force.corps if one in state.corps)

    def unevenness(choice: str) -> float:
        around = sum(state.corps[one].factors.total for one in choice.split(",") if one in state.corps)
        return abs(around - 0.5 * total)

    return min(question.choices, key=unevenness)


def _occupation(tables: Tables, state: State, question: Question) -> str:
    """Return one or two factors of the strongest corps where points are to be had."""
    if question.about[0] not in tables.exercise.prizes:
        return question.choices[0]
    ones = [choice for choice in question.choices if choice.endswith(":2")] or [
        choice for choice in question.choices if choice.endswith(":1")
    ]
    return max(ones, key=lambda one: state.corps[one.rpartition(":")[0]].factors.total, default=question.choices[0])
