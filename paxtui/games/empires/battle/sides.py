"""The sides of a field combat: forces, commanders, chits, morale, losses, and the rounds.

The rules of morale and of rounds are reconstructed from a public program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from paxtui.games.empires.battle.attacks import DEPOT, field_counters, field_forces
from paxtui.games.empires.board import (
    CORPS,
    FACTOR_KINDS,
    counts_by_kind,
    garrison_factors,
)
from paxtui.games.empires.events.campaign import LossesOrdered
from paxtui.games.empires.events.land import Volley
from paxtui.games.empires.orders import Action, ChooseLosses
from paxtui.games.empires.pieces import Attack, Battle, Factors, Force
from paxtui.games.empires.state import State
from paxtui.games.empires.supply_step import set_corps_factors, set_garrison_factors
from paxtui.games.empires.tables import ATTACKER_CHITS, DEFENDER_CHITS, FieldCombat, Level, Pairing, Shifts, Tables
from paxtui.games.empires.transaction import Transaction, refuse

ATTACKER, DEFENDER = "attacker", "defender"
SIDES = (ATTACKER, DEFENDER)

CASUALTY_RULE = "EIA 7.5.2.9.2 (reconstructed)"

OUTFLANK, CORDON = "outflank", "cordon"


def open_chits(side: str, corps: Sequence[bool], leader: bool) -> tuple[str, ...]:
    """Return the chits that a side may choose; `corps`: for each of its corps whether it is artillery.

    Rules: EIA 7.5.2.1
    """
    chits = ATTACKER_CHITS if side == ATTACKER else DEFENDER_CHITS
    around = leader and sum(not artillery for artillery in corps) >= 2
    return tuple(chit for chit in chits if around or chit != OUTFLANK)


def dividing_side(attacker: str, defender: str) -> str:
    """The side that divides its force, by the chits of both; "" for neither.

    Rules: EIA 7.5.2.2, 7.5.2.3
    """
    if attacker == OUTFLANK:
        return "" if defender in (OUTFLANK, CORDON) else ATTACKER
    return DEFENDER if defender == OUTFLANK else ""


def base_morale(forces: Iterable[tuple[Mapping[str, int], Factors]]) -> int:
    """Return the morale of a force in tenths: the mean of its factors, half a tenth rounded up; 0 without factors.

    `forces` are its parts, each with the morale of its kinds of factors. Raises: KeyError: a kind has no value.
    """
    total = weight = 0
    for values, factors in forces:
        for kind, count in counts_by_kind(factors):
            total += count
            weight += values[kind] * count
    return (2 * weight + total) // (2 * total) if total else 0


def losing_side(attacker: int, defender: int, attackers: int, defenders: int) -> str:
    """Return the side that has lost after a round, by morale and factors left; "" while neither breaks.

    If both break, the side with more morale wins, and at equal morale the defender (ours: 7.5.2.10.4 is missing).
    """
    gone, beaten = attacker <= 0 or attackers <= 0, defender <= 0 or defenders <= 0
    if gone and beaten:
        return "attacker" if attacker <= defender else "defender"
    return "attacker" if gone else "defender" if beaten else ""


def force_of(state: State, area: str, powers: tuple[str, ...], attacks: bool) -> Force:
    """A side as it begins: its counters, a depot garrison in defence, and its commander. Rules: EIA 7.5.1.2"""
    names: list[str] = []
    for power in powers:
        names += [one.id for one in field_counters(state, power, area)] if attacks else field_forces(state, power, area)
    corps = tuple(one for one in names if not one.startswith(DEPOT))
    return Force(
        powers=powers,
        corps=corps,
        garrison=any(one.startswith(DEPOT) for one in names),
        leader=commanding_leader(state, corps),
    )


def begin_battle(state: State, attack: Attack) -> Battle:
    """A field combat where an attack meets corps. It is over a river only where every attacking corps crossed one."""
    attacker = force_of(state, attack.area, attack.attackers, attacks=True)
    defender = force_of(state, attack.area, attack.defenders, attacks=False)
    lines = corps_in_lines(state, attack.area)
    if lines:
        corps = tuple(one for one in defender.corps if one not in lines)
        defender = replace(defender, corps=corps, leader=commanding_leader(state, corps))
    treks = state.campaign.treks
    river = bool(attacker.corps) and all(one in treks and treks[one].over_river for one in attacker.corps)
    return Battle(area=attack.area, attacker=attacker, defender=defender, river=river)


def corps_in_lines(state: State, area: str) -> tuple[str, ...]:
    """Return the corps that a besieger keeps in the siege lines of an area, out of the combat there."""
    return tuple(corps for where, corps in state.campaign.lines if where == area and corps)


def commanding_leader(state: State, corps: Iterable[str]) -> str:
    """The leader who commands some corps: of the highest rank, then of the best strategic rating; "" for none."""
    names = set(corps)
    there = [one for one in state.leaders.values() if one.where in names and not one.naval]
    return min(there, key=lambda one: (one.rank, -one.strategic, one.id)).id if there else ""


def force_ratings(tables: Tables, state: State, force: Force) -> tuple[int, int]:
    """Return the strategic and tactical rating of a side.

    Without a leader they are those of its nation. A leader with more corps than allowed has one tactical point less.
    """
    leader = state.leaders.get(force.leader)
    if leader is None:
        nations = {state.corps[one].nation or state.corps[one].power for one in force.corps if one in state.corps}
        row = tables.morale_of(nations.pop() if len(nations) == 1 else force.powers[0])
        return row.strategic, row.tactical
    corps = sum(1 for one in force.corps if one in state.corps and state.corps[one].kind in CORPS)
    over = bool(leader.most) and corps > leader.most
    return leader.strategic, max(0, min(5, leader.tactical - int(over)))


def present_forces(state: State, battle: Battle, force: Force) -> list[tuple[str, Factors]]:
    """What of a side fights now, by name: not who goes around the flank and has not arrived. Rules: EIA 7.5.2.3"""
    found = [
        (one, state.corps[one].factors)
        for one in force.corps
        if one in state.corps and (battle.arrived or one not in force.around)
    ]
    if force.garrison:
        found += [(DEPOT + power, garrison_factors(state, power, battle.area, of_depot=True)) for power in force.powers]
    return [(name, factors) for name, factors in found if factors.total]


def fighting_factors(state: State, battle: Battle, side: str) -> int:
    """The factors of a side that fight now."""
    return sum(factors.total for _, factors in present_forces(state, battle, battle.force(side)))


def initial_morale(tables: Tables, state: State, battle: Battle, side: str) -> int:
    """The morale with which a side begins, in tenths; who goes around the flank counts too. Rules: EIA 7.5.2.3.2"""
    force = battle.force(side)
    parts = []
    for name in force.corps:
        if name in state.corps:
            corps = state.corps[name]
            parts.append((morale_values(tables, corps.nation or corps.power, corps.factors), corps.factors))
    if force.garrison:
        for power in force.powers:
            guards = garrison_factors(state, power, battle.area, of_depot=True)
            parts.append((morale_values(tables, power, guards), guards))
    return base_morale(parts)


def morale_values(tables: Tables, nation: str, factors: Factors) -> dict[str, int]:
    """Return the morale of the kinds of factors that are there, in tenths. Raises: KeyError, for an unknown nation."""
    row = tables.morale_of(nation)
    return {kind: getattr(row, kind) for kind in FACTOR_KINDS if factors.count(kind)}


FOOT, HORSE, EVEN, WEAKEST = "foot", "horse", "even", "weakest"
WAYS = (FOOT, HORSE, EVEN, WEAKEST)
"""Ways to take losses: foot first and off the strongest counters, cavalry first, off all counters alike, or off the
weakest counter. Within a counter the cheapest kinds go first."""
SINGLE_FACTORS = "losses.single"
"""Cell: whether an owner may also name each lost factor, as counter and kind with a colon between."""
STANDING_ORDER = "losses.standing"
"""Cell: whether an owner may order once that all combats cost foot first."""
ALWAYS_FOOT = "always_foot"
"""The answer that gives this order."""
_HORSE_FIRST = ("cavalry", *(kind for kind in FACTOR_KINDS if kind != "cavalry"))


def take_losses(
    play: Transaction, force: Force, count: int, why: str, battle: Battle | None = None, way: str = FOOT
) -> int:
    """Take losses off a side; return the factors lost.

    Args:
        battle: the combat, while it goes on: then only those who fight are hit.
        way: which factors are lost first, one of `WAYS`, or counter and kind of the factors.
    """
    state = play.state
    units = present_forces(state, battle, force) if battle else _remaining_counters(state, force)
    left = plan_losses(units, count, way)
    for name, factors in units:
        if left[name] != factors:
            _set_factors(play, force, name, left[name], why, battle.area if battle else "")
    return sum(factors.total for _, factors in units) - sum(factors.total for factors in left.values())


def plan_losses(units: Sequence[tuple[str, Factors]], count: int, way: str) -> dict[str, Factors]:
    """Return what is left of some counters after losses in a way: one of `WAYS`, or counter and kind of the factors."""
    left, start = dict(units), dict(units)
    for _ in range(count):
        alive = [name for name, factors in left.items() if factors.total]
        if not alive:
            break
        if way not in WAYS:
            name, _, kind = way.rpartition(":")
        elif way in (EVEN, WEAKEST):
            if way == EVEN:
                name = max(alive, key=lambda one: (left[one].total / start[one].total, left[one].total, one))
            else:
                name = min(alive, key=lambda one: (start[one].total, one))
            kind = next(counts_by_kind(left[name]))[0]
        else:
            order = _HORSE_FIRST if way == HORSE else FACTOR_KINDS
            kind = next(one for one in order if any(left[name].count(one) for name in alive))
            name = max(alive, key=lambda one: (left[one].count(kind), one))
        left[name] = left[name] - Factors(**{kind: 1})
    return left


def loss_ways(tables: Tables, units: Sequence[tuple[str, Factors]], count: int) -> tuple[str, ...]:
    """Return those of `WAYS` that differ in what is left, at least one.

    After several come an order for all later losses and each single factor.
    """
    plans = {tuple(plan_losses(units, count, way).items()): way for way in reversed(WAYS)}
    ways = tuple(way for way in WAYS if way in plans.values())
    if len(ways) == 1:
        return ways
    always = (ALWAYS_FOOT,) * bool(tables.optional_number(STANDING_ORDER))
    single = units if tables.optional_number(SINGLE_FACTORS) else ()
    return (*ways, *always, *(f"{name}:{kind}" for name, factors in single for kind, _ in counts_by_kind(factors)))


def way_of_answer(play: Transaction, power: str, choice: str) -> str:
    """Return the way that an answer about losses names, after recording an order for all later losses."""
    if choice != ALWAYS_FOOT:
        return choice
    play.emit(LossesOrdered(power=power, foot_first=True, rules=(CASUALTY_RULE,)))
    return FOOT


def choose_losses(play: Transaction, power: str, action: ChooseLosses) -> None:
    """Choose the losses of each combat again. Raises: Refusal."""
    if power not in play.state.campaign.foot_first:
        refuse("no_order", "You choose your losses already.", CASUALTY_RULE)
    play.emit(LossesOrdered(power=power, foot_first=False, rules=(CASUALTY_RULE,)))


def loss_order_offers(state: State, power: str) -> Iterator[Action]:
    """Yield the end of a Power's order about losses, if it has given one."""
    if power in state.campaign.foot_first:
        yield ChooseLosses()


def chosen_losses(owed: int, way: str) -> int:
    """Return how many of the owed factors an answer takes off: all of them, or the one that it names."""
    return owed if way in WAYS else min(owed, 1)


def _remaining_counters(state: State, force: Force) -> list[tuple[str, Factors]]:
    """The counters of a side that are left."""
    return [(one, state.corps[one].factors) for one in force.corps if one in state.corps]


def _set_factors(play: Transaction, force: Force, name: str, factors: Factors, why: str, area: str) -> None:
    if name.startswith(DEPOT):
        power = name.removeprefix(DEPOT)
        set_garrison_factors(play, power, area, factors, why, of_depot=True)
        return
    set_corps_factors(play, play.state.corps[name], factors, why)


LEAST, MOST = 0, 7
"""The columns of a combat table."""

LOWEST, HIGHEST = 1, 5
"""The levels that have a table."""

PLAIN = Shifts()
NO_VOLLEY = Volley("", 0, 0, 0, 0, 0)


def losses_at(tables: FieldCombat, percent: int, factors: int) -> int:
    """What `factors` factors inflict at a percentage: above 20 they are taken in twenties.

    Raises: KeyError, where the card has no such percentage.
    """
    if not percent:
        return 0
    row = tables.casualties[percent]
    whole, rest = divmod(factors, len(row))
    return whole * row[-1] + (row[rest - 1] if rest else 0)


def combat_levels(pairing: Pairing, number: int, arrived: bool) -> tuple[Level, Level]:
    """The levels of attacker and defender in round 1, 2 or 3; after an outflanking force has arrived, its own."""
    attacker, defender = pairing.attacker_rounds, pairing.defender_rounds
    if arrived and pairing.attacker_arrived:
        return pairing.attacker_arrived[number - 1], pairing.defender_arrived[number - 1]
    return attacker[number - 1], defender[number - 1]


def shifted_level(level: Level, casualties: int, morale: int) -> Level:
    """A level after what terrain adds, never beyond the tables; a side that does not fight stays out."""
    if level == (0, 0):
        return level
    return (
        min(HIGHEST, max(LOWEST, level[0] + casualties)),
        min(HIGHEST, max(LOWEST, level[1] + morale)),
    )


def rating_modifiers(tables: FieldCombat, pairing: Pairing, attacker: int, defender: int) -> tuple[int, int]:
    """What tactical ratings add to the dice of attacker and defender."""
    if not pairing.ratings_count:
        return 0, 0
    return tables.ratings.modifiers[defender][attacker]


def losses_inflicted(tables: FieldCombat, level: Level, factors: int, die: int, modifier: int) -> Volley:
    """What a side of `factors` factors does with a die on the table of a level."""
    if level == (0, 0) or not factors:
        return NO_VOLLEY
    name = f"{level[0]}-{level[1]}"
    percent, morale = tables.tables[name][min(MOST, max(LEAST, die + modifier))]
    return Volley(name, die, modifier, percent, losses_at(tables, percent, factors), morale)


class RoundSide(msgspec.Struct, frozen=True):
    """What counts of one side in a round: its factors that fight and its commander's tactical rating."""

    factors: int
    rating: int = 0


def resolve_round(
    tables: FieldCombat,
    pairing: Pairing,
    number: int,
    sides: tuple[RoundSide, RoundSide],
    dice: tuple[int, int],
    arrived: bool = False,
    terrain: Shifts = PLAIN,
    guard: tuple[int, int] = (0, 0),
) -> tuple[Volley, Volley]:
    """Return what attacker and defender do to each other in round 1, 2 or 3, both at once.

    `arrived`: an outflanking force is there. `guard`: what the guard of either side adds to its die.
    """
    attack, defence = combat_levels(pairing, number, arrived)
    attack = shifted_level(attack, terrain.attacker_casualties, terrain.attacker_morale)
    defence = shifted_level(defence, terrain.defender_casualties, terrain.defender_morale)
    more = rating_modifiers(tables, pairing, sides[0].rating, sides[1].rating)
    return (
        losses_inflicted(tables, attack, sides[0].factors, dice[0], more[0] + guard[0]),
        losses_inflicted(tables, defence, sides[1].factors, dice[1], more[1] + guard[1]),
    )
