"""Sieges with all rules: sorties of besieged corps, breaches and assaults. All of it is reconstructed (7.5.4).

It keeps no continuation: it runs again after each answer, and finds from the position what is left to do.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from paxtui.games.empires.battle.outcome import ask_occupation
from paxtui.games.empires.battle.sides import (
    RoundSide,
    base_morale,
    chosen_losses,
    commanding_leader,
    force_ratings,
    losing_side,
    loss_ways,
    losses_inflicted,
    morale_values,
    plan_losses,
    resolve_round,
    take_losses,
    way_of_answer,
)
from paxtui.games.empires.board import (
    CORPS,
    city_holders,
    counters_in,
    garrison_factors,
    is_allied,
    is_at_war,
    is_corps,
)
from paxtui.games.empires.events.campaign import (
    AssaultFought,
    AssaultOver,
    AssaultSet,
    BreachRolled,
    SiegeSettled,
    SortieDecided,
    StayedInLines,
    TrivialFought,
)
from paxtui.games.empires.events.land import AttackDeclared, GarrisonStrength, Quartered, Volley
from paxtui.games.empires.pieces import Assault, Attack, Corps, Factors, Force
from paxtui.games.empires.state import Question, State
from paxtui.games.empires.supply_step import lose_in_city, set_corps_factors
from paxtui.games.empires.tables import ROUNDS, FieldCombat, Shifts, Tables
from paxtui.games.empires.transaction import NO, YES, Transaction

ASSAULT, SORTIE, LOSSES = "assault", "sortie", "assault_losses"
"""Questions: whether the besieger assaults, whether besieged corps attack it, and which factors a round costs."""
HOLD = "hold_back"
"""What a besieger is asked who is attacked: which corps keeps out of the combat."""
NONE = "none"

SIEGE_RULE, SORTIE_RULE = "EIA 7.5.4.1 (reconstructed)", "EIA 7.5.4.2 (reconstructed)"
SURRENDER_RULE = "EIA 7.5.4.1a (reconstructed)"
LOSS_RULE = "EIA 7.5.4.1b (reconstructed)"
TRIVIAL_RULE = "EIA 7.5.3 (reconstructed)"

RELIEF_DAYS = "relief.days"
"""Cell: days that a field combat against besiegers lasts at the most."""
HOLD_RULE = "EIA 7.5.4.2.3a (reconstructed)"
LINES = "relief.lines"
"""Cell: whether a besieger who is attacked may keep corps in the siege lines."""

OWN_LOSSES = "assault.losses"
"""Cell: whether owners choose the losses of an assault."""
EMPTY_CITY = "assault.empty"
"""Cell: whether a besieger with broken morale takes a city in which nobody is left."""
GARRISON = "garrison"
"""A garrison among the units of a Power in a city."""

BREACH = 3
"""With the supply value of the city, what a breach needs (ours); a cell of a campaign replaces it."""
MOST_MONTHS = 2
"""Months of the siege that count for a breach at most (ours)."""
MANY = 4
"""Besiegers for each factor in the city that add one to the breach (ours)."""
CHITS = ("assault", "defend")
"""The row of the chart for an assault (ours)."""
WALLS = Shifts(attacker_casualties=-1, attacker_morale=-1)
"""What walls do to the tables of the besieger (ours)."""
TRIVIAL_LEVEL = (2, 2)
"""The table of both sides in a trivial combat (ours)."""


def is_limited(tables: Tables, state: State, area: str, defenders: tuple[str, ...]) -> bool:
    """Return whether a field combat in an area is limited: one of the defenders besieges the city there."""
    return bool(tables.optional_number(RELIEF_DAYS)) and state.campaign.sieges.get(area, "") in defenders


def is_relief_declared(tables: Tables, state: State, area: str) -> bool:
    """Return whether an attack on the besiegers of a city is declared and not over."""
    return any(one.area == area and is_limited(tables, state, area, one.defenders) for one in state.campaign.attacks)


def _relieved_allies(tables: Tables, state: State, area: str) -> tuple[str, ...]:
    """Return the allies of relieving Powers whose corps are in the besieged city of an area."""
    attack = next((one for one in state.campaign.attacks if one.area == area), None)
    if attack is None or not is_limited(tables, state, area, attack.defenders):
        return ()
    return tuple(
        power
        for power in state.powers
        if power not in attack.attackers
        and all(is_allied(state, power, one) for one in attack.attackers)
        and all(is_at_war(state, power, one) for one in attack.defenders)
    )


def ask_sorties(play: Transaction) -> bool:
    """Ask the Powers of the sequence with corps in a besieged city for a sortie, and allies whom they relieve.

    Returns: whether a question is open.
    """
    state = play.state
    for area, besieger in state.campaign.sieges.items():
        for power in (*state.cursor.powers, *_relieved_allies(play.tables, state, area)):
            if (area, power) in state.campaign.sorties or not is_at_war(state, power, besieger):
                continue
            if besieged_corps(state, power, area):
                play.ask(SORTIE, power, (NO, YES), area, rules=(SORTIE_RULE,))
                return True
    return False


def besieged_corps(state: State, power: str, area: str) -> tuple[Corps, ...]:
    """Return the corps of a Power in the besieged city of an area."""
    return tuple(one for one in counters_in(state, area) if one.power == power and one.inside and one.kind in CORPS)


def answer_sortie(play: Transaction, question: Question, choice: str) -> None:
    """Let besieged corps attack their besiegers in the field, or stay."""
    area, power = question.about[0], question.power
    play.emit(SortieDecided(area=area, power=power, attacks=choice == YES, rules=(SORTIE_RULE,)))
    if choice != YES:
        return
    besieger = play.state.campaign.sieges[area]
    for corps in besieged_corps(play.state, power, area):
        play.emit(Quartered(corps=corps.id, inside=False, rules=(SORTIE_RULE,)))
    attack = Attack(area, (power,), (besieger,))
    relief = next((one for one in play.state.campaign.attacks if one.area == area), None)
    if relief is not None and is_limited(play.tables, play.state, area, relief.defenders):
        attack = Attack(area, tuple(dict.fromkeys((*relief.attackers, power))), relief.defenders)
    play.emit(AttackDeclared(attack=attack, rules=(SORTIE_RULE,)))


def ask_corps_in_lines(play: Transaction, attack: Attack) -> bool:
    """Ask a besieger who is attacked which corps keeps out of the combat; one at least meets the attack.

    Returns: whether a question is open.
    """
    state, area = play.state, attack.area
    if not play.tables.optional_number(LINES) or not is_limited(play.tables, state, area, attack.defenders):
        return False
    power = state.campaign.sieges[area]
    free = [one.id for one in besieging_corps(state, power, area) if (area, one.id) not in state.campaign.lines]
    if len(free) < 2 or (area, "") in state.campaign.lines:
        return False
    play.ask(HOLD, power, (NONE, *free), area, rules=(HOLD_RULE,))
    return True


def answer_corps_in_lines(play: Transaction, question: Question, choice: str) -> None:
    """Keep a corps in the siege lines, or no more."""
    play.emit(StayedInLines(area=question.about[0], corps="" if choice == NONE else choice, rules=(HOLD_RULE,)))


def ask_assaults(play: Transaction) -> bool:
    """Ask the besiegers of the sequence for assaults. Returns: whether a question is open."""
    state = play.state
    for area, power in state.campaign.sieges.items():
        if power in state.cursor.powers and area not in state.campaign.settled:
            if besieging_corps(state, power, area) and enemies_in_city(state, power, area):
                play.ask(ASSAULT, power, (NO, YES), area, rules=(SIEGE_RULE,))
                return True
    return False


def besieging_corps(state: State, power: str, area: str) -> tuple[Corps, ...]:
    """Return the corps of a besieger outside the city."""
    return tuple(one for one in counters_in(state, area) if one.power == power and is_corps(one) and not one.inside)


def enemies_in_city(state: State, power: str, area: str) -> tuple[str, ...]:
    """Return the enemies of a Power in the city of an area."""
    return tuple(one for one in city_holders(state, area) if is_at_war(state, power, one))


def _corps_inside(state: State, power: str, area: str) -> tuple[Corps, ...]:
    """Return all counters of a Power in the city of an area, irregulars included."""
    return tuple(one for one in counters_in(state, area) if one.power == power and one.inside)


def city_factors(state: State, power: str, area: str) -> Factors:
    """Return all factors of a Power in the city of an area, those of its corps included."""
    total = garrison_factors(state, power, area, of_depot=False)
    for one in _corps_inside(state, power, area):
        total = total + one.factors
    return total


def breach_modifier(state: State, power: str, area: str) -> int:
    """Return what is added to a roll for a breach: months of the siege, and one for many besiegers."""
    months = min(MOST_MONTHS, state.turn - state.campaign.besieged_since.get(area, state.turn))
    outside = sum(one.factors.total for one in besieging_corps(state, power, area))
    inside = sum(city_factors(state, one, area).total for one in enemies_in_city(state, power, area))
    return months + int(outside >= MANY * inside)


def breach_needed(tables: Tables, area: str) -> int:
    """Return what the modified die needs for a breach."""
    return (tables.optional_number("siege.breach") or BREACH) + tables.areas[area].supply


def surrender_force(tables: Tables, state: State, power: str, area: str) -> int:
    """Return the besieging factors before which a breached city surrenders; 0 if it is always stormed."""
    inside = sum(city_factors(state, one, area).total for one in enemies_in_city(state, power, area))
    return tables.optional_number("siege.surrender") * inside


def answer_assault(play: Transaction, question: Question, choice: str) -> None:
    """Roll for a breach, and storm the city through it."""
    area, power = question.about[0], question.power
    play.emit(SiegeSettled(area=area, rules=(SIEGE_RULE,)))
    if choice != YES:
        return
    die, modifier, needed = play.roll(), breach_modifier(play.state, power, area), breach_needed(play.tables, area)
    breached = die + modifier >= needed
    play.emit(
        BreachRolled(area=area, die=die, modifier=modifier, needed=needed, breached=breached, rules=(SIEGE_RULE,))
    )
    if not breached:
        return
    force = surrender_force(play.tables, play.state, power, area)
    outside = sum(one.factors.total for one in besieging_corps(play.state, power, area))
    if 0 < force <= outside:
        _take_city(play, power, area, enemies_in_city(play.state, power, area), SURRENDER_RULE)
    else:
        _storm_city(play, power, area)


def _storm_city(play: Transaction, power: str, area: str) -> None:
    """Fight the rounds of an assault; the garrison breaks, or the besieger, or the assault ends."""
    tables, state = play.tables, play.state
    defenders = enemies_in_city(state, power, area)
    attackers, garrison = _assault_forces(state, power, defenders, area)
    morale = (_force_morale(tables, state, attackers.corps), _city_morale(tables, state, defenders, area))
    assault = Assault(area=area, power=power, defenders=defenders, morale=morale)
    if tables.optional_number(OWN_LOSSES):
        play.emit(AssaultSet(assault=assault, rules=(LOSS_RULE,)))  # `continue_assault` fights it
        return
    while assault.round < ROUNDS:
        assault, (lost, inflicted) = _fight_round(play, assault, attackers, garrison)
        take_losses(play, attackers, lost, "assault")
        _lose_in_city(play, defenders, area, inflicted)
        if _end_assault(play, assault, _strength(play.state, attackers.corps)):
            return


def _assault_forces(state: State, power: str, defenders: tuple[str, ...], area: str) -> tuple[Force, Force]:
    """Return the corps before a city, and those in it, with their commanders."""
    corps = tuple(one.id for one in besieging_corps(state, power, area))
    inside = tuple(one.id for one in counters_in(state, area) if one.power in defenders and one.inside)
    return (
        Force(powers=(power,), corps=corps, leader=commanding_leader(state, corps)),
        Force(powers=defenders, corps=inside, leader=commanding_leader(state, inside)),
    )


def _fight_round(
    play: Transaction, assault: Assault, attackers: Force, garrison: Force
) -> tuple[Assault, tuple[int, int]]:
    """Fight a round of an assault. Returns: the assault after it; factors that besieger and garrison lose."""
    tables, state, number = play.tables, play.state, assault.round + 1
    sides = (
        RoundSide(_strength(state, attackers.corps), force_ratings(tables, state, attackers)[1]),
        RoundSide(_city_strength(state, assault.defenders, assault.area), force_ratings(tables, state, garrison)[1]),
    )
    pairing = tables.field_combat.pairing(*CHITS, False)
    dice = (play.roll(), play.roll())
    attack, defence = resolve_round(tables.field_combat, pairing, number, sides, dice, terrain=WALLS)
    morale = (assault.morale[0] - defence.morale, assault.morale[1] - attack.morale)
    play.emit(
        AssaultFought(
            area=assault.area,
            number=number,
            attacker=attack,
            defender=defence,
            morale=morale,
            rules=(SIEGE_RULE,),
        )
    )
    return replace(assault, round=number, morale=morale), (defence.losses, attack.losses)


def _end_assault(play: Transaction, assault: Assault, besiegers: int) -> bool:
    """End an assault if a side is broken, or after its last round, by the factors of besiegers that are left."""
    inside = _city_strength(play.state, assault.defenders, assault.area)
    loser = losing_side(*assault.morale, besiegers, inside)
    takes_empty = not inside and play.tables.optional_number(EMPTY_CITY)
    if besiegers and (loser == "defender" or takes_empty):
        _take_city(play, assault.power, assault.area, assault.defenders, SIEGE_RULE)
    elif loser or assault.round >= ROUNDS:
        play.emit(AssaultOver(area=assault.area, taken_by="", rules=(SIEGE_RULE,)))
    else:
        return False
    return True


def continue_assault(play: Transaction, assault: Assault) -> None:
    """Settle the losses of the last round of an assault by their owners, end it, or fight the next round."""
    if assault.owed:
        _settle_owed(play, assault)
        return
    area, power = assault.area, assault.power
    attackers, garrison = _assault_forces(play.state, power, assault.defenders, area)
    if assault.round and _end_assault(play, assault, _strength(play.state, attackers.corps)):
        return
    after, (lost, inflicted) = _fight_round(play, assault, attackers, garrison)
    owed = {power: lost, **_share_losses(play.state, assault.defenders, area, inflicted)}
    play.emit(AssaultSet(assault=replace(after, owed=_without_zeros(owed)), rules=(LOSS_RULE,)))


def _settle_owed(play: Transaction, assault: Assault) -> None:
    """Take the losses of the next Power off, or ask in which way if it matters."""
    power, owed = next(iter(assault.owed.items()))
    ways = loss_ways(play.tables, _assault_units(play.state, assault, power), owed)
    if len(ways) > 1 and power not in play.state.campaign.foot_first:
        play.ask(LOSSES, power, ways, assault.area, str(owed), rules=(LOSS_RULE,))
    else:
        _take_owed(play, assault, power, ways[0])


def _assault_units(state: State, assault: Assault, power: str) -> list[tuple[str, Factors]]:
    """Return what a Power can lose in an assault, by name: its corps before the city, or all that it has in it."""
    besieges = power == assault.power
    corps = besieging_corps(state, power, assault.area) if besieges else _corps_inside(state, power, assault.area)
    units = [(one.id, one.factors) for one in corps]
    if not besieges:
        units.append((GARRISON, garrison_factors(state, power, assault.area, of_depot=False)))
    return [(name, factors) for name, factors in units if factors.total]


def _share_losses(state: State, defenders: tuple[str, ...], area: str, losses: int) -> dict[str, int]:
    """Return the losses of each Power in a city: one after the other off the Power with the most factors."""
    held = {one: city_factors(state, one, area).total for one in defenders}
    shares = dict.fromkeys(defenders, 0)
    for _ in range(min(losses, sum(held.values()))):
        power = max(defenders, key=lambda one: held[one] - shares[one])
        shares[power] += 1
    return shares


def answer_losses(play: Transaction, question: Question, choice: str) -> None:
    """Take the losses of a round of an assault off in the chosen way."""
    assault = play.state.campaign.assault
    if assault is not None:
        _take_owed(play, assault, question.power, way_of_answer(play, question.power, choice))


def _take_owed(play: Transaction, assault: Assault, power: str, way: str) -> None:
    units = dict(_assault_units(play.state, assault, power))
    rules = (LOSS_RULE,)
    count = chosen_losses(assault.owed[power], way)
    for name, left in plan_losses(tuple(units.items()), count, way).items():
        if left == units[name]:
            continue
        if name == GARRISON:
            play.emit(GarrisonStrength(where=assault.area, power=power, factors=left, why="assault", rules=rules))
            continue
        set_corps_factors(play, play.state.corps[name], left, "assault", LOSS_RULE)
    owed = {**assault.owed, power: assault.owed[power] - count}
    play.emit(AssaultSet(assault=replace(assault, owed=_without_zeros(owed)), rules=rules))


def _without_zeros(owed: Mapping[str, int]) -> dict[str, int]:
    return {power: count for power, count in owed.items() if count}


def _take_city(play: Transaction, power: str, area: str, defenders: tuple[str, ...], rule: str) -> None:
    """Capture what is left in a city that is stormed or surrenders, and ask for its new garrison."""
    play.emit(AssaultOver(area=area, taken_by=power, rules=(rule,)))
    for one in defenders:
        rest = city_factors(play.state, one, area).total
        lose_in_city(play, one, area, rest, prisoners=True, why="captured", rule=rule)
    ask_occupation(play, power, area)


def _lose_in_city(play: Transaction, defenders: tuple[str, ...], area: str, losses: int) -> None:
    """Take the losses of an assault off the Powers in the city, each off the one with the most factors."""
    for _ in range(losses):
        power = max(defenders, key=lambda one: city_factors(play.state, one, area).total)
        if city_factors(play.state, power, area).total:
            lose_in_city(play, power, area, 1, prisoners=False, why="assault", rule=SIEGE_RULE)


def _strength(state: State, corps: tuple[str, ...]) -> int:
    return sum(state.corps[one].factors.total for one in corps if one in state.corps)


def _city_strength(state: State, defenders: tuple[str, ...], area: str) -> int:
    return sum(city_factors(state, one, area).total for one in defenders)


def _force_morale(tables: Tables, state: State, corps: tuple[str, ...]) -> int:
    counters = [state.corps[one] for one in corps]
    return base_morale([(morale_values(tables, one.nation or one.power, one.factors), one.factors) for one in counters])


def _city_morale(tables: Tables, state: State, defenders: tuple[str, ...], area: str) -> int:
    factors = [(one, city_factors(state, one, area)) for one in defenders]
    return base_morale([(morale_values(tables, one, some), some) for one, some in factors])


def fight_trivial_combat(play: Transaction, area: str, attackers: Force, factors: int) -> None:
    """Fight a trivial combat against the factors of irregulars and of a depot garrison.

    Both sides use one table once; what is left of the defender is then overrun.
    """
    tables = play.tables.field_combat
    attack = _trivial_losses(tables, _strength(play.state, attackers.corps), play.roll())
    defence = _trivial_losses(tables, factors, play.roll())
    play.emit(TrivialFought(area=area, attacker=attack, defender=defence, rules=(TRIVIAL_RULE,)))
    most = _strength(play.state, attackers.corps) - 1
    take_losses(play, attackers, min(most, defence.losses), "trivial combat")


def _trivial_losses(tables: FieldCombat, factors: int, die: int) -> Volley:
    return losses_inflicted(tables, TRIVIAL_LEVEL, factors, die, 0)
