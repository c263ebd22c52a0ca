"""Bot for a campaign on land: it masses corps, screens, keeps a line of depots, besieges and withdraws.

It sees what its seat sees. For each decision it weighs the objectives on the map: cities worth points, own cities in
danger and enemy armies that it can beat. Three skills differ in how much of this they consider.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.bots.empires import armies
from paxtui.bots.empires.armies import corps_in_field, depot_distance, distances_from, factors_of, odds_at
from paxtui.engine.dice import draw
from paxtui.games.empires.battle.choices import support_needed
from paxtui.games.empires.battle.siege import (
    besieging_corps,
    breach_modifier,
    breach_needed,
    city_factors,
    enemies_in_city,
    surrender_force,
)
from paxtui.games.empires.board import (
    acting_power,
    city_garrison,
    city_holders,
    controller,
    counters_in,
    is_allied,
    is_at_war,
    is_corps,
    is_unbesieged,
    points_left,
    trek_of,
)
from paxtui.games.empires.calendar import turn_of
from paxtui.games.empires.decider import is_legal, menu_actions
from paxtui.games.empires.land.movement import cheapest_routes
from paxtui.games.empires.orders import (
    Action,
    Answer,
    Besiege,
    ConvertDepot,
    DestroyDepot,
    Detach,
    Done,
    Forage,
    Leave,
    March,
    PickChit,
    PlaceDepot,
    Reinforce,
    RemoveDepot,
)
from paxtui.games.empires.pieces import Corps
from paxtui.games.empires.state import Question, State
from paxtui.games.empires.supply_lines import FARTHEST, depots_of, is_source, supplying_depot, valid_chain
from paxtui.games.empires.supply_step import (
    MOST_CROWDED,
    WINTER,
    depot_supply_cost,
    forage_march,
    forage_modifiers,
    forage_value,
    is_in_winter,
)
from paxtui.games.empires.tables import Tables


class Skill(NamedTuple):
    """How well a general plays.

    Attributes:
        noise: random part of the value of a place.
        attack: lowest value of an attack that is made, from -1 to 1.
        enough: value of an attack above which no more corps join it.
        plans_chits: whether chits are chosen by the odds; otherwise at random.
        minds_supply: weight of depots and forage.
        minds_danger: weight of enemy armies in reach.
        assaults: lowest probability of a breach with which a city is assaulted.
        prizes: value of a political point that a city is worth, beside the value of combats.
        drive: value of each area nearer to the enemy's capital.
    """

    noise: float
    attack: float
    enough: float
    plans_chits: bool
    minds_supply: float
    minds_danger: float
    assaults: float
    prizes: float
    drive: float


SKILLS: Mapping[str, Skill] = {
    "easy": Skill(
        noise=4.0,
        attack=0.8,
        enough=0.98,
        plans_chits=False,
        minds_supply=0.1,
        minds_danger=0.2,
        assaults=0.6,
        prizes=1.0,
        drive=0.0,
    ),
    "steady": Skill(
        noise=1.0,
        attack=0.45,
        enough=0.85,
        plans_chits=True,
        minds_supply=1.0,
        minds_danger=0.7,
        assaults=0.3,
        prizes=1.0,
        drive=0.3,
    ),
    "hard": Skill(
        noise=0.0,
        attack=0.1,
        enough=0.7,
        plans_chits=True,
        minds_supply=1.3,
        minds_danger=0.8,
        assaults=0.15,
        prizes=2.2,
        drive=0.3,
    ),
}
"""The skills by name."""

RANGE = 2
"""Areas from which an enemy attack is expected."""
NEAR = 1
"""Areas around an objective in which corps count for it."""
HUNT = 0.09
"""Value of a factor of an enemy army that can be beaten."""
RELIEF = 0.8
"""Value of an own city in danger, as part of its points."""
GARRISON = 2
"""Factors that the bot leaves in a city worth points."""
OVERMATCH = 1.4
"""Force at an objective, as a multiple of the enemy's, above which no more is needed."""


SIEGE = 1.5
"""Besiegers for each factor in a city that stay there."""
WEAK, STORM = 3, 5
"""Factors in a city that is stormed, at most, and the besiegers for each of them."""
LEAST_GAIN = 0.12
"""Gain of a march that is made."""
ARMY, CROWD = 60.0, 0.02
"""Fighting value that one area may hold at no loss, and the value lost by each more than it and the enemy need."""
LAST_SUPPLY = 0.4
"""How much supply matters in the last month."""
OPPORTUNITY = 0.15
"""What a corps that joins an attack could do elsewhere."""
FACTOR_LOST = 0.05
"""Value of a factor that hunger takes from an attacking army."""
DETOUR = 0.5
"""How much an attack away from the capital counts of the value of the way there."""
SAFE = 0.95
"""Odds at which a besieger keeps a corps out of a combat."""
TRIED = 12
"""Marches whose legality is tried, at most."""


class Objective(NamedTuple):
    """An area with its worth, and the force that it needs."""

    area: str
    worth: float
    need: float


def choose_general_action(tables: Tables, state: State, seat: str, level: str) -> Action:
    """Return the act of a seat in a campaign; `level` is the name of its skill."""
    skill = SKILLS[level]
    if state.questions:
        question = state.questions[-1]
        answer = _answer(tables, state, question, skill)
        return Answer(answer if answer in question.choices else question.choices[0])
    match state.cursor.step:
        case "movement":
            return _choose_movement(tables, state, seat, skill)
        case "depots":
            return _choose_depot(tables, state, seat)
    offered = menu_actions(tables, state, seat)
    chits = [one for one in offered if isinstance(one, PickChit)]
    if chits and not skill.plans_chits:
        return chits[draw(f"{seat}|{state.turn}|{len(state.ledger)}|{state.campaign.fought}", 0, len(chits))]
    if state.cursor.step == "army" and (placed := _choose_reinforcement(tables, state, seat, offered)):
        return placed
    if state.cursor.step == "supply" and (hungry := _choose_forager(tables, state, offered)):
        return hungry
    return armies.choose_army_action(tables, state, seat, offered)


# --- reinforcement and supply ---------------------------------------------------------------------------------------


def _choose_reinforcement(tables: Tables, state: State, seat: str, offered: Sequence[Action]) -> Action | None:
    """Return where factors are placed: with corps near the enemy, or in a city in danger; None if none are due."""
    found = [one for one in offered if isinstance(one, Reinforce)]
    if not found:
        return None
    picture = draw_picture(tables, state, seat)

    def worth(action: Reinforce) -> float:
        corps = state.corps.get(action.where)
        area = corps.where if corps else action.where
        count = sum(action.factors.values())
        if corps:
            near = value_near(tables, picture.foes, area, RANGE) > 0 or value_near(tables, picture.own, area, 0) > 20
            return count * (1.5 if near else 1.0)
        points = tables.exercise.prizes.get(area, 0)
        threat = value_near(tables, picture.foes, area, RANGE)
        return count * (0.2 + 0.5 * points * min(1.0, threat / 10))

    return max(found, key=worth)


def _choose_forager(tables: Tables, state: State, offered: Sequence[Action]) -> Action | None:
    """Return the corps that forages when money is short: few factors lost for the money saved; None if none does."""
    found = [one for one in offered if isinstance(one, Forage)]

    def toll(action: Forage) -> float:
        corps = state.corps[action.corps]
        march = forage_march(tables, state, corps, points_left(corps))
        modifier = sum(amount for _, amount in forage_modifiers(march)) - forage_value(tables, state, corps)
        lost = sum(max(0, die + modifier) for die in range(1, 7)) / 6
        return lost / (depot_supply_cost(tables, state, corps) or 1)

    return min(found, key=toll, default=None)


# --- strengths ------------------------------------------------------------------------------------------------------


def power_of(tables: Tables, state: State, corps: Corps) -> float:
    """Return the fighting value of a corps: factors, weighted with morale and the rating of a leader."""
    row = tables.morale_of(corps.nation or corps.power)
    rating = max((one.tactical for one in state.leaders.values() if one.where == corps.id), default=0)
    return factors_of(tables, corps).total * row.infantry / 30 * (1 + 0.06 * rating)


class Picture(NamedTuple):
    """The armies as a seat sees them: fighting value in the field by area, of its own side and of its enemies."""

    own: Mapping[str, float]
    foes: Mapping[str, float]


def draw_picture(tables: Tables, state: State, seat: str, without: str = "") -> Picture:
    """Return the armies on the map, without one corps."""
    own: dict[str, float] = {}
    foes: dict[str, float] = {}
    for corps in state.corps.values():
        if not is_corps(corps) or corps.id == without or corps.where not in tables.areas:
            continue
        value = power_of(tables, state, corps)
        if corps.power == seat:
            own[corps.where] = own.get(corps.where, 0.0) + value
        elif is_allied(state, seat, corps.power):
            own[corps.where] = own.get(corps.where, 0.0) + 0.6 * value
        elif is_at_war(state, seat, corps.power):
            foes[corps.where] = foes.get(corps.where, 0.0) + (0.5 * value if corps.inside else value)
    return Picture(own, foes)


def value_near(tables: Tables, values: Mapping[str, float], area: str, reach: int) -> float:
    """Return the sum of some values within some areas."""
    distances = distances_from(tables, area)
    return sum(value for where, value in values.items() if distances.get(where, 99) <= reach)


def objectives_of(tables: Tables, state: State, seat: str, picture: Picture, skill: Skill) -> tuple[Objective, ...]:
    """Return what a seat would take, relieve or beat."""
    found = []
    for area, points in tables.exercise.prizes.items():
        holder = controller(tables, state, area)
        native = acting_power(state, tables.areas[area].owner)
        force = value_near(tables, picture.foes, area, NEAR)
        inside = city_garrison(state, area)
        if holder != seat and is_at_war(state, seat, holder):
            besiegers = max(2, tables.optional_number("siege.surrender")) * inside
            need = max(OVERMATCH * force + 4, besiegers) + 0.5 * min(OVERMATCH * force, besiegers)
            found.append(Objective(area, skill.prizes * points, need))
        elif holder == seat or native == seat or is_allied(state, seat, holder):
            threat = value_near(tables, picture.foes, area, RANGE)
            if threat:
                found.append(Objective(area, RELIEF * points, threat))
    total_own, total_foes = sum(picture.own.values()), sum(picture.foes.values())
    for area, force in picture.foes.items():
        near = value_near(tables, picture.own, area, 3)
        if near > 1.1 * force and (total_own > 0.8 * total_foes or near > 1.6 * force):
            found.append(Objective(area, HUNT * force, OVERMATCH * force))
    return tuple(found)


# --- movement -------------------------------------------------------------------------------------------------------


def _choose_movement(tables: Tables, state: State, seat: str, skill: Skill) -> Action:
    """Return the next act of the movement step: what is at hand, attacks, then better places for other corps."""
    for action in _acts_at_hand(tables, state, seat):
        if is_legal(tables, state, seat, action):
            return action
    movable = [
        one
        for one in state.corps.values()
        if one.power == seat
        and is_corps(one)
        and one.where in tables.areas
        and is_unbesieged(state, one)
        and not trek_of(state, one).path
        and not trek_of(state, one).fed
    ]
    routes = {one.id: cheapest_routes(tables, state, one, points_left(one)) for one in movable}
    orders: dict[str, list[March]] = {
        name: [March(name, route.path) for route in found.values()]
        for name, found in routes.items()
        if not _holds_siege(tables, state, seat, state.corps[name])
    }
    movable = [one for one in movable if one.id in orders]
    best = _best_attack(tables, state, seat, skill, orders)
    if best is not None and is_legal(tables, state, seat, best):
        return best
    ranked = _ranked_marches(tables, state, seat, skill, movable, orders)
    return next((march for march in ranked if is_legal(tables, state, seat, march)), Done())


def _holds_siege(tables: Tables, state: State, seat: str, corps: Corps) -> bool:
    """Return whether the siege of a city worth points needs a corps."""
    area = corps.where
    if state.campaign.sieges.get(area) != seat or area not in tables.exercise.prizes or corps.inside:
        return False
    inside = sum(city_factors(state, one, area).total for one in enemies_in_city(state, seat, area))
    others = sum(one.factors.total for one in besieging_corps(state, seat, area) if one.id != corps.id)
    surrender = surrender_force(tables, state, seat, area)
    if others < surrender <= others + corps.factors.total:
        return True
    return others < max(SIEGE * inside, 4)


def _acts_at_hand(tables: Tables, state: State, seat: str) -> Sequence[Action]:
    """Return acts that cost no movement: enemy depots, sieges, garrisons, and corps that leave a city."""
    found: list[Action] = []
    for corps in state.corps.values():
        if corps.power != seat or corps.where not in tables.areas or not is_corps(corps):
            continue
        area = corps.where
        trek = trek_of(state, corps)
        if trek.path and any(one.where == area and is_at_war(state, seat, one.power) for one in state.depots):
            found += [ConvertDepot(corps.id), DestroyDepot(corps.id)]
        if corps.inside and not corps_in_field(state, seat, area, True):
            found.append(Leave(corps.id))
        holders = city_holders(state, area)
        if any(is_at_war(state, seat, one) for one in holders) and not trek.besieges and not corps.inside:
            if _is_siege_worth(tables, state, seat, area) and not corps_in_field(state, seat, area, True):
                found.append(Besiege(corps.id))
        foot = "infantry" if corps.factors.infantry else "militia" if corps.factors.militia else ""
        if foot and corps.factors.total > 3 and area in tables.exercise.prizes:
            native = acting_power(state, tables.areas[area].owner) == seat
            is_weak = all(one == seat for one in holders) and city_garrison(state, area) < GARRISON
            if not holders or (is_weak and not native):
                found.append(Detach(corps.id, {foot: 1}, "city"))
    return found


def _is_siege_worth(tables: Tables, state: State, seat: str, area: str) -> bool:
    """Return whether a city is besieged: it is worth points, blocks a line of supply, or is weakly held."""
    if area in tables.exercise.prizes:
        return True
    inside = sum(city_factors(state, one, area).total for one in enemies_in_city(state, seat, area))
    outside = sum(one.factors.total for one in counters_in(state, area) if one.power == seat and not one.inside)
    return outside >= 3 * inside


def _best_attack(
    tables: Tables, state: State, seat: str, skill: Skill, orders: Mapping[str, Sequence[March]]
) -> March | None:
    """Return the first march of the best attack, or of a corps that joins one; None if no attack is good."""
    best: tuple[float, March] | None = None
    chain = valid_chain(tables, state, seat)
    capital = _way_to_capital(tables, state, seat)
    weight = FACTOR_LOST * skill.minds_supply * future_weights(tables, state, seat)[0]
    for area in tables.areas:
        foes = corps_in_field(state, seat, area, True)
        if not foes:
            continue
        there = corps_in_field(state, seat, area, False)
        joining = {name: march for name, marches in orders.items() for march in marches if march.path[-1] == area}
        before = odds_at(tables, state, area, there, foes).value if there else -1.0
        if not joining or before >= skill.enough:
            continue
        able = sorted(
            joining,
            key=lambda name: (
                -armies.leader_ratings(state, name),
                len(joining[name].path),
                -state.corps[name].factors.total,
            ),
        )
        hungry = depot_distance(tables, chain, area) > FARTHEST
        stakes = (2 if len(foes) < tables.number("battle.large") else 4) + 0.5 * tables.exercise.prizes.get(area, 0)
        least, chosen, most, detour = before * stakes, list(there), 0.0, 0
        for name in able:
            chosen.append(state.corps[name])
            detour += capital.get(area, 0) - capital.get(state.corps[name].where, 0)
            value = odds_at(tables, state, area, chosen, foes).value
            others = len(chosen) - 1
            lost = len(chosen) * forage_losses(tables, state, area, others) if hungry else 0.0
            joined = len(chosen) - len(there)
            gain = value * stakes - weight * lost - OPPORTUNITY * joined - (least if there else 0.0)
            gain -= DETOUR * skill.drive * max(0, detour)
            if value >= skill.attack or there:
                most = max(most, gain)
            if value >= skill.enough:
                break
        worth = most + (3 if there else 0)
        if most > 0 and (best is None or worth > best[0]):
            best = worth, joining[able[0]]
    return best[1] if best else None


class Outlook(NamedTuple):
    """What a general weighs for one corps.

    Attributes:
        tables, state, seat, skill: as elsewhere.
        corps: the corps.
        own: its fighting value.
        picture: the other armies.
        pulls: the objectives, each with what it is worth to one more corps.
        capital: the distance of areas from the capital on which the seat marches; empty without one.
        chain: the depots in a valid chain.
        future: how much supply and danger matter, from 1 down to what the last sequence of a game leaves.
    """

    tables: Tables
    state: State
    seat: str
    skill: Skill
    corps: Corps
    own: float
    picture: Picture
    pulls: Sequence[tuple[str, float]]
    capital: Mapping[str, int]
    chain: Mapping[str, int]
    future: tuple[float, float]

    def value_of(self, area: str, steps: int) -> float:
        """Return the value of an area as the end of a march of some steps."""
        tables, state, picture = self.tables, self.state, self.picture
        distances = distances_from(tables, area)
        total = 0.0
        for goal, pull in self.pulls:
            far = distances.get(goal, 9)
            total += pull * (1.3 if far == 0 else 1.0) / (1 + 0.7 * far)
        total -= self.skill.drive * self.capital.get(area, 0)
        here = picture.own.get(area, 0.0)
        mass = self.own + here + 0.5 * (value_near(tables, picture.own, area, 1) - here)
        threat = value_near(tables, picture.foes, area, RANGE)
        danger = min(4.0, 2.0 * max(0.0, threat / max(1.0, mass) - 1.0))
        total -= self.future[1] * self.skill.minds_danger * danger
        total += 0.4 * min(1.0, here / 25)
        total -= CROWD * max(0.0, self.own + here - max(ARMY, OVERMATCH * threat))
        total -= self.future[0] * self.skill.minds_supply * self.supply_toll(area)
        if self.skill.noise:
            total += self.skill.noise * draw(f"{self.seat}|{state.turn}|{self.corps.id}|{area}", 0, 100) / 100
        return total - 0.03 * steps

    def supply_toll(self, area: str) -> float:
        """Return what supply in an area costs: money from a depot, or factors by foraging."""
        cold = is_in_winter(self.tables, self.state, area)
        near = depot_distance(self.tables, self.chain, area)
        if near <= FARTHEST:
            return (0.12 + 0.22 * near) * (1.6 if cold else 1.0)
        others = sum(1 for one in self.state.corps.values() if one.where == area and one.id != self.corps.id)
        return 0.5 + 0.5 * forage_losses(self.tables, self.state, area, others)


def forage_losses(tables: Tables, state: State, area: str, others: int) -> float:
    """Return the factors that a corps may expect to lose by foraging beside some others."""
    cold = is_in_winter(tables, state, area)
    more = min(MOST_CROWDED, others) + (WINTER if cold else 0) - tables.areas[area].forage
    return sum(max(0, die + more) for die in range(1, 7)) / 6


def _share_wanted(need: float, force: float) -> float:
    """Return which part of the worth of an objective draws one more corps, by its need and the force near it."""
    return 1 - 0.85 * min(1.0, force / need) if need else 0.15


def future_weights(tables: Tables, state: State, seat: str) -> tuple[float, float]:
    """Return how much supply and danger matter: in the last month little, and nothing to who moves last."""
    if state.turn < turn_of(tables.exercise.last):
        return 1.0, 1.0
    follow = [power for slot in state.cursor.slots for power in slot.powers]
    foes = any(is_at_war(state, seat, power) for power in follow if power != seat)
    return LAST_SUPPLY, (1.0 if foes else 0.0)


def _way_to_capital(tables: Tables, state: State, seat: str) -> Mapping[str, int]:
    """Return the distance of areas from a capital of the enemy; empty if the seat's side is not the stronger one."""
    picture = draw_picture(tables, state, seat)
    if sum(picture.own.values()) < sum(picture.foes.values()):
        return {}
    capitals = [
        one.id
        for one in tables.exercise.areas
        if one.capital and is_at_war(state, seat, controller(tables, state, one.id))
    ]
    return distances_from(tables, capitals[0]) if capitals else {}


def _ranked_marches(
    tables: Tables,
    state: State,
    seat: str,
    skill: Skill,
    movable: Sequence[Corps],
    orders: Mapping[str, Sequence[March]],
) -> list[March]:
    """Return marches that better the place of a corps, the best first."""
    chain = valid_chain(tables, state, seat)
    future = future_weights(tables, state, seat)
    ranked: list[tuple[float, March]] = []
    capital = _way_to_capital(tables, state, seat)
    for corps in movable:
        picture = draw_picture(tables, state, seat, corps.id)
        pulls = [
            (goal.area, goal.worth * _share_wanted(goal.need, value_near(tables, picture.own, goal.area, NEAR)))
            for goal in objectives_of(tables, state, seat, picture, skill)
        ]
        own = power_of(tables, state, corps)
        outlook = Outlook(tables, state, seat, skill, corps, own, picture, pulls, capital, chain, future)
        here = outlook.value_of(corps.where, 0)
        for march in orders[corps.id]:
            area = march.path[-1]
            if not corps_in_field(state, seat, area, True):
                gain = outlook.value_of(area, len(march.path)) - here
                if gain > LEAST_GAIN:
                    ranked.append((gain, march))
    ranked.sort(key=lambda one: (-one[0], one[1].corps, one[1].path))
    return [march for _, march in ranked[:TRIED]]


# --- depots ---------------------------------------------------------------------------------------------------------


def _choose_depot(tables: Tables, state: State, seat: str) -> Action:
    """Return the next depot to place, a useless one to take up when all counters are used, or `done`."""
    chain = valid_chain(tables, state, seat)
    ranked: list[tuple[float, str]] = []
    for area in dict.fromkeys(one.where for one in state.corps.values() if one.power == seat and is_corps(one)):
        if area not in tables.areas:
            continue
        value = 0.0
        for corps in state.corps.values():
            far = distances_from(tables, area).get(corps.where, 9)
            if corps.power == seat and is_corps(corps) and far <= NEAR and is_unbesieged(state, corps):
                found = supplying_depot(tables, state, seat, corps.where, chain=dict(chain))
                before = 4.0 if found is None else max(0.5, found[1])
                value += max(0.0, before - max(0.5, far))
        if value >= 1.5:
            ranked.append((value, area))
    money = state.accounts[seat].money
    for _, area in sorted(ranked, reverse=True):
        action = PlaceDepot(area)
        if money > 1 and is_legal(tables, state, seat, action):
            return action
    used = len(depots_of(tables, state, seat))
    if ranked and used >= tables.number(f"depots.{seat}") and money > 2:
        spare = [one for one in depots_of(tables, state, seat) if _is_spare(tables, state, seat, one, chain)]
        for area in spare:
            if is_legal(tables, state, seat, RemoveDepot(area)):
                return RemoveDepot(area)
    return Done()


def _is_spare(tables: Tables, state: State, seat: str, area: str, chain: Mapping[str, int]) -> bool:
    """Return whether no corps lives on a depot, no chain begins there, and no other depot of a chain needs it."""
    if area in chain and is_source(tables, state, seat, area):
        return False
    distances = distances_from(tables, area)
    if any(one.power == seat and distances.get(one.where, 9) <= 2 for one in state.corps.values()):
        return False
    rest = replace(state, depots=tuple(one for one in state.depots if (one.power, one.where) != (seat, area)))
    return set(valid_chain(tables, rest, seat)) >= set(chain) - {area}


# --- questions ------------------------------------------------------------------------------------------------------


def _answer(tables: Tables, state: State, question: Question, skill: Skill) -> str:
    """Return the answer to a question; if it is no choice, the first one is taken."""
    seat, about = question.power, question.about
    match question.kind:
        case "assault":
            return "yes" if _should_assault(tables, state, seat, about[0], skill) else "no"
        case "sortie":
            return "yes" if _should_sally(tables, state, seat, about[0]) else "no"
        case "guard":
            return _choose_guard(state, question)
        case "casualties" | "assault_losses":
            return "even" if "even" in question.choices and int(about[1]) > 3 else question.choices[0]
        case "call_corps":
            return _choose_support(tables, state, seat, question)
        case "hold_back":
            return _choose_corps_in_lines(tables, state, seat, question)
        case "field_retreat":
            return _choose_refuge(tables, state, seat, question)
        case "occupy":
            return _choose_occupation(tables, state, question)
        case _:
            return armies.answer_army_question(tables, state, question)


def _should_assault(tables: Tables, state: State, seat: str, area: str, skill: Skill) -> bool:
    outside = sum(one.factors.total for one in besieging_corps(state, seat, area))
    inside = sum(city_factors(state, one, area).total for one in enemies_in_city(state, seat, area))
    needed = breach_needed(tables, area) - breach_modifier(state, seat, area)
    chance = max(0, min(6, 7 - needed)) / 6
    surrender = surrender_force(tables, state, seat, area)
    if 0 < surrender <= outside:
        return chance > 0
    weak = outside >= 1.5 * inside if not surrender else inside <= WEAK and outside >= STORM * inside
    return weak and chance >= skill.assaults


def _should_sally(tables: Tables, state: State, seat: str, area: str) -> bool:
    """Return whether besieged corps attack their besiegers, with the corps that relieve them."""
    own = [
        one
        for one in counters_in(state, area)
        if is_corps(one) and (one.power == seat or (not one.inside and is_allied(state, seat, one.power)))
    ]
    foes = corps_in_field(state, seat, area, True)
    return bool(own) and (not foes or odds_at(tables, state, area, own, foes).value > 0.2)


def _choose_guard(state: State, question: Question) -> str:
    """Commit the guard from the second round on, when the combat is not decided yet."""
    battle = state.campaign.battle
    if battle is None or not battle.round:
        return "none"
    own = battle.force(question.about[0])
    other = battle.defender if own is battle.attacker else battle.attacker
    if other.morale <= 8 or own.morale <= 12:
        return "two" if "two" in question.choices and own.morale <= 12 else "one"
    return "none"


def _choose_support(tables: Tables, state: State, seat: str, question: Question) -> str:
    """Call the strongest corps near, unless it besieges or guards something worth more."""
    area = question.about[1]
    own, foes = (corps_in_field(state, seat, area, enemies) for enemies in (False, True))
    battle = state.campaign.battle
    if battle is None or support_needed(tables, state, battle, question.about[0]) < 1:
        return "none"
    if own and foes:
        attacks = question.about[0] == "attacker"
        sides = (own, foes) if attacks else (foes, own)
        value = odds_at(tables, state, area, *sides).value * (1 if attacks else -1)
        if value > 0.9:
            return "none"
    free = [
        one
        for one in question.choices
        if one in state.corps and not trek_of(state, state.corps[one]).besieges and not state.corps[one].inside
    ]
    return max(free, key=lambda one: state.corps[one].factors.total, default="none")


def _choose_corps_in_lines(tables: Tables, state: State, seat: str, question: Question) -> str:
    """Keep the weakest corps out of a combat that is won without it."""
    area = question.about[0]
    free = sorted(
        (state.corps[one] for one in question.choices if one in state.corps), key=lambda one: one.factors.total
    )
    foes = corps_in_field(state, seat, area, True)
    return free[0].id if odds_at(tables, state, area, foes, free[1:]).value < -SAFE else "none"


def _choose_refuge(tables: Tables, state: State, seat: str, question: Question) -> str:
    """Retreat towards depots and own corps, away from enemies."""
    picture = draw_picture(tables, state, seat)
    chain = valid_chain(tables, state, seat)

    def worth(area: str) -> float:
        near, threat = depot_distance(tables, chain, area), value_near(tables, picture.foes, area, 1)
        return 0.03 * picture.own.get(area, 0.0) - 0.5 * near - 0.02 * threat

    return max(question.choices, key=worth)


def _choose_occupation(tables: Tables, state: State, question: Question) -> str:
    """Leave a garrison of the strongest corps; more in a city worth many points."""
    points = tables.exercise.prizes.get(question.about[0], 0)
    wanted = 3 if points >= 3 else GARRISON if points else 1
    for count in range(wanted, 0, -1):
        able = [one for one in question.choices if one.endswith(f":{count}")]
        if able:
            return max(able, key=lambda one: state.corps[one.rpartition(":")[0]].factors.total)
    return question.choices[0]
