"""A player for the land steps of an exercise: it masses, attacks where it is stronger, feeds its corps and garrisons.

It knows what its seat knows. It looks at each order for its own sake, by simple arithmetic, and plans no further.
"""

from __future__ import annotations

from collections.abc import Sequence

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
from paxtui.empires.play.presence import city_holders, counters, is_corps
from paxtui.empires.play.standing import at_war
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Corps
from paxtui.empires.state.questions import Question
from paxtui.empires.supply.lines import supply_of, valid_chain
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.order_of_powers import LAND, REINFORCEMENT
from paxtui.engine.dice import draw

STRONGER = 1.8
"""How many times stronger it must be where it attacks."""

RESERVE = 4
"""Money that it keeps for supply."""

STEPS = (
    (REINFORCEMENT, "army"),
    (LAND, "depots"),
    (LAND, "movement"),
    (LAND, "supply"),
    (LAND, "combat"),
)
"""The steps that it plays."""

ATTACKING = ("assault", "escalated_assault", "echelon", "probe")
DEFENDING = ("defend", "counterattack", "cordon", "withdraw")

Ranked = tuple[float, int, Action]
"""What an act is worth, its place among the others, and the act."""


def choose(tables: Tables, state: State, seat: str, offered: Sequence[Action]) -> Action:
    """What a seat does now in a step of the land phase or of army reinforcement.

    Args: the tables; the position as the seat sees it; the seat; everything that it may do, not empty.
    """
    if state.questions:
        question = state.questions[-1]
        wish = _answer(tables, state, question)
        return Answer(wish if wish in question.choices else question.choices[0])
    ranked: list[Ranked] = [(_worth(tables, state, seat, one), -at, one) for at, one in enumerate(offered)]
    best = max(ranked, key=lambda one: one[:2], default=None)
    if best is not None and best[0] > 0:
        return best[2]
    return offered[-1]


def factors_at(state: State, power: str, area: str, ours: bool) -> int:
    """The factors of corps outside the city of an area: of a Power, or of its enemies."""
    return sum(
        one.factors.total
        for one in counters(state, area)
        if not one.inside and is_corps(one) and (one.power == power if ours else at_war(state, power, one.power))
    )


def _worth(tables: Tables, state: State, seat: str, action: Action) -> float:
    """What an act is worth; nothing above 0 is done."""
    match action:
        case Reinforce():
            return 5 + sum(action.factors.values()) + (1 if action.where in state.corps else 0)
        case Appoint():
            return 4 + state.corps[action.corps].factors.total / 10
        case DestroyDepot() | ConvertDepot():
            return 9 if isinstance(action, ConvertDepot) else 8
        case Besiege():
            return 7
        case PlaceDepot():
            return _depot(tables, state, seat, action.where)
        case Detach():
            return _detachment(tables, state, seat, action)
        case March():
            return _march(tables, state, seat, action)
        case Forage():
            return 1 if state.cursor.step == "supply" else 0
        case PickChit():
            return 1 + _chance(state, action.chit) + (3 if action.chit in _favourites(state, seat) else 0)
        case _:
            return 0


def _chance(state: State, text: str) -> float:
    """A number from 0 to 1 that is the same in the same position."""
    return draw(f"{text}|{state.turn}|{len(state.ledger)}|{state.campaign.fought}", 0, 1000) / 1000


def _favourites(state: State, seat: str) -> tuple[str, ...]:
    """The chits that it likes: the attacker the bold ones, the defender those that hold."""
    battle = state.campaign.battle
    attacks = battle is not None and battle.attacker.powers[0] == seat
    return ATTACKING[:3] if attacks else DEFENDING[:3]


def _depot(tables: Tables, state: State, seat: str, area: str) -> float:
    """A depot where corps stand that no other feeds from near, while there is money."""
    if area not in tables.areas or state.accounts[seat].money <= RESERVE:
        return 0
    own = sum(1 for one in counters(state, area) if one.power == seat and is_corps(one))
    found = supply_of(tables, state, seat, area)
    return own if own and (found is None or found[1] >= 1) else 0


def _detachment(tables: Tables, state: State, seat: str, action: Detach) -> float:
    """A factor of infantry into a city that nobody holds and that was the enemy's."""
    area = tables.areas[state.corps[action.corps].where]
    kind = next(iter(action.factors))
    prize = area.id in tables.exercise.prizes and state.control.get(area.id, area.owner) != seat
    vacant = action.to == "city" and not city_holders(state, area.id)
    return 6 if kind in ("infantry", "militia") and vacant and prize else 0


def _march(tables: Tables, state: State, seat: str, action: March) -> float:
    """A step towards an enemy or a prize that it is strong enough for, or away from one that is stronger."""
    corps = state.corps[action.corps]
    here, there = corps.where, action.path[-1]
    gain = _pull(tables, state, seat, corps, there) - _pull(tables, state, seat, corps, here)
    moved = state.campaign.treks.get(corps.id)
    if moved and there in (moved.start, *moved.path):
        return 0
    return gain if gain > 0.2 else 0


def _pull(tables: Tables, state: State, seat: str, corps: Corps, area: str) -> float:
    """How good it is for a corps to stand in an area."""
    foes = factors_at(state, seat, area, ours=False)
    own = factors_at(state, seat, area, ours=True) + (corps.factors.total if corps.where != area else 0)
    if foes:
        own += _support(tables, state, seat, corps, area)
        return 8 if own >= STRONGER * foes else -6 * foes / max(1, own)
    ways = _distances(tables, area)
    total = 0.0
    for foe in {one.where for one in state.corps.values() if one.where in ways and at_war(state, seat, one.power)}:
        strong = factors_at(state, seat, foe, ours=False)
        mass = sum(
            one.factors.total
            for one in state.corps.values()
            if one.power == seat and one.where in ways and ways[one.where] <= 2 and is_corps(one)
        )
        total += (1.0 if mass >= STRONGER * strong else -0.5) * 2 / (1 + ways[foe])
    for place, points in tables.exercise.prizes.items():
        if state.control.get(place, tables.areas[place].owner) != seat and place in ways:
            total += points / (1 + ways[place])
    total -= _danger(state, seat, corps, area, ways)
    if area in valid_chain(tables, state, seat):
        total += 0.3
    return total + (0.5 if own > corps.factors.total else 0.0) + 0.1 * tables.areas[area].forage


def _danger(state: State, seat: str, corps: Corps, area: str, ways: dict[str, int]) -> float:
    """How much stronger the enemies are that can come into an area than the own corps in and beside it."""
    own = corps.factors.total
    foes = 0
    for one in state.corps.values():
        if one.where in ways and one.id != corps.id and is_corps(one):
            if one.power == seat and ways[one.where] <= 1:
                own += one.factors.total
            elif at_war(state, seat, one.power) and ways[one.where] <= 2:
                foes += one.factors.total
    return min(6.0, 3 * max(0.0, foes / max(1, own) - 1))


def _support(tables: Tables, state: State, seat: str, corps: Corps, area: str) -> int:
    """The factors of other corps that can still come into an area from beside it."""
    return sum(
        one.factors.total
        for near in tables.ways[area]
        for one in counters(state, near)
        if one.power == seat and one.id != corps.id and is_corps(one) and not one.moved and not one.inside
    )


def _distances(tables: Tables, origin: str) -> dict[str, int]:
    """Areas on land by how many steps they are away."""
    found, ring = {origin: 0}, [origin]
    while ring:
        area = ring.pop(0)
        for one in tables.ways[area]:
            if one not in found and not tables.areas[one].sea:
                found[one] = found[area] + 1
                ring.append(one)
    return found


def _answer(tables: Tables, state: State, question: Question) -> str:
    """What it answers; anything else than a choice is the first one."""
    seat, about = question.power, question.about
    match question.kind:
        case "burn_depot":
            return "destroy" if factors_at(state, seat, about[0], ours=False) > 0 else "keep"
        case "retire":
            area = about[1]
            own, foes = factors_at(state, seat, area, ours=True), factors_at(state, seat, area, ours=False)
            return "retire" if foes > 1.5 * own else "stay"
        case "besiege" | "allied_supply":
            return "yes"
        case "occupy":
            return _occupation(tables, state, question)
        case "end_of_day":
            battle = state.campaign.battle
            force = battle.attacker if battle and about[0] == "attacker" else battle.defender if battle else None
            return "fight" if force is not None and force.morale >= 15 else "leave"
        case "captured_depot":
            return "convert" if "convert" in question.choices else "destroy"
        case _:
            return question.choices[0]


def _occupation(tables: Tables, state: State, question: Question) -> str:
    """One factor where a prize is; of the strongest corps."""
    if question.about[0] not in tables.exercise.prizes:
        return question.choices[0]
    ones = [choice for choice in question.choices if choice.endswith(":1")]
    return max(ones, key=lambda one: state.corps[one.rpartition(":")[0]].factors.total, default=question.choices[0])
