"""Attacks: where they are declared, who retires into the city, and which is fought next.

Rules: EIA 7.3.7, 7.5.1
"""

from __future__ import annotations

from paxtui.games.empires.board import (
    GUERRILLA,
    NO_FACTORS,
    city_holders,
    city_room,
    counters_in,
    garrison_factors,
    is_at_war,
    is_besieged,
    is_city_open,
    is_corps,
    is_unbesieged,
)
from paxtui.games.empires.events.land import (
    AgreedToRetire,
    AttackChosen,
    AttackDeclared,
    Quartered,
    Stayed,
)
from paxtui.games.empires.land.garrisons import lay_siege, take_control
from paxtui.games.empires.pieces import Attack, Corps
from paxtui.games.empires.state import Question, State
from paxtui.games.empires.supply_step import set_garrison_factors
from paxtui.games.empires.transaction import NO, YES, Transaction

NEXT, RETIRE, TOGETHER, SIEGE = "next_combat", "retire", "retire_together", "besiege"
"""Questions: which attack is next, whether a force retires, whether several do, whether they are besieged then."""

STAY, GO = "stay", "retire"

DEPOT = "depot:"
"""How a depot garrison is named among counters: with its Power."""


def field_counters(state: State, power: str, area: str) -> tuple[Corps, ...]:
    """The counters of a Power outside the city of an area that take part in combats. Rules: EIA 7.5.1.2"""
    return tuple(one for one in counters_in(state, area) if one.power == power and not one.inside)


def field_forces(state: State, power: str, area: str) -> tuple[str, ...]:
    """What of a Power can be attacked in an area: counters outside the city, and a depot garrison. Guerrillas are not.

    Rules: EIA 7.5.1, 7.5.1.2
    """
    found = [one.id for one in field_counters(state, power, area) if one.kind != GUERRILLA]
    if garrison_factors(state, power, area, of_depot=True).total:
        found.append(DEPOT + power)
    return tuple(found)


def declare_attacks(play: Transaction) -> None:
    """Declare the attacks of the Powers whose sequence it is. Rules: EIA 7.3.7.1, 7.3.7.2, 7.3.8.2, 7.5.1"""
    state = play.state
    phasing = state.cursor.powers
    for area in play.tables.areas:
        attackers = tuple(power for power in phasing if field_counters(state, power, area))
        if not attackers:
            continue
        defenders = tuple(
            power
            for power in state.powers
            if power not in phasing and is_at_war(state, attackers[0], power) and field_forces(state, power, area)
        )
        if defenders:
            joined = tuple(one for one in attackers if all(is_at_war(state, one, other) for other in defenders))
            attack = Attack(area, joined, defenders)
            play.emit(AttackDeclared(attack=attack, rules=("EIA 7.3.7.1", "EIA 7.5.1")))


def current_attack(state: State) -> Attack | None:
    """The attack that is fought now."""
    return next((one for one in state.campaign.attacks if one.area == state.campaign.engaged), None)


def ask_next_attack(play: Transaction) -> None:
    """Let the attacker say which attack is next. Rules: EIA 7.5.1.3, 7.5.2"""
    areas = tuple(one.area for one in play.state.campaign.attacks)
    if len(areas) == 1:
        play.emit(AttackChosen(area=areas[0], rules=("EIA 7.5.1.3",)))
    else:
        play.ask(NEXT, play.state.campaign.attacks[0].attackers[0], areas, rules=("EIA 7.5.1.3",))


def answer_next_attack(play: Transaction, question: Question, choice: str) -> None:
    """The attacker's answer. Rules: EIA 7.5.1.3"""
    play.emit(AttackChosen(area=choice, rules=("EIA 7.5.1.3",)))


def defenders_outside(state: State, attack: Attack) -> tuple[str, ...]:
    """What of the defenders is outside the city."""
    return tuple(name for power in attack.defenders for name in field_forces(state, power, attack.area))


def ask_to_retire(play: Transaction, attack: Attack) -> bool:
    """Ask the next force that may retire. Returns: whether a question is open.

    Rules: EIA 7.5.1.1, 7.5.1.1.1, 7.5.1.1.4
    """
    state, campaign = play.state, play.state.campaign
    waiting = [name for name in defenders_outside(state, attack) if name not in campaign.stayed]
    if len(attack.defenders) > 1:
        return _ask_joint_retirement(
            play, attack, [name for name in waiting if _can_retire_jointly(play, attack, name)]
        )
    able = [name for name in waiting if _can_retire(play, attack, name)]
    for name in waiting:
        if name in able:
            play.ask(RETIRE, attack.defenders[0], (STAY, GO), name, attack.area, rules=("EIA 7.5.1.1",))
            return True
    return False


def _can_retire(play: Transaction, attack: Attack, name: str) -> bool:
    """Whether a force fits into the city and may go there. Rules: EIA 7.5.1.1, 7.5.1.1.4"""
    state = play.state
    power, size = force_size(state, attack.area, name)
    return is_city_open(play.tables, state, power, attack.area) and city_room(play.tables, state, attack.area) >= size


def force_size(state: State, area: str, name: str) -> tuple[str, int]:
    """Whose a force is, and its factors."""
    if name.startswith(DEPOT):
        power = name.removeprefix(DEPOT)
        return power, garrison_factors(state, power, area, of_depot=True).total
    return state.corps[name].power, state.corps[name].factors.total


def _ask_joint_retirement(play: Transaction, attack: Attack, able: list[str]) -> bool:
    """Several Powers are attacked: they retire only if all agree. Rules: EIA 7.5.1.1.1"""
    agreed = play.state.campaign.agreed
    if not able or set(agreed) >= set(attack.defenders):
        return False
    power = next(one for one in attack.defenders if one not in agreed)
    play.ask(TOGETHER, power, (NO, YES), attack.area, rules=("EIA 7.5.1.1.1",))
    return True


def answer_retirement(play: Transaction, question: Question, choice: str) -> None:
    """A force retires or stays. Rules: EIA 7.5.1.1"""
    name, area = question.about
    if choice == GO:
        withdraw_into_city(play, name, area)
    else:
        play.emit(Stayed(corps=(name,), rules=("EIA 7.5.1.1.3",)))


def answer_joint_retirement(play: Transaction, question: Question, choice: str) -> None:
    """A Power agrees to retire or not; when all have agreed, all go in that find room. Rules: EIA 7.5.1.1.1"""
    attack = current_attack(play.state)
    if attack is None:
        return
    if choice == NO:
        play.emit(Stayed(corps=defenders_outside(play.state, attack), rules=("EIA 7.5.1.1.1",)))
        return
    play.emit(AgreedToRetire(power=question.power, rules=("EIA 7.5.1.1.1",)))
    if set(play.state.campaign.agreed) >= set(attack.defenders):
        for name in defenders_outside(play.state, attack):
            if _can_retire_jointly(play, attack, name):
                withdraw_into_city(play, name, attack.area)
        play.emit(Stayed(corps=defenders_outside(play.state, attack), rules=("EIA 7.5.1.1.3",)))


def _can_retire_jointly(play: Transaction, attack: Attack, name: str) -> bool:
    """Whether a force still fits into a city that only defenders hold. Rules: EIA 7.5.1.1.4"""
    state = play.state
    _, size = force_size(state, attack.area, name)
    friends = all(holder in attack.defenders for holder in city_holders(state, attack.area))
    return friends and not is_besieged(state, attack.area) and city_room(play.tables, state, attack.area) >= size


def withdraw_into_city(play: Transaction, name: str, area: str) -> None:
    """A force goes into the city. Rules: EIA 7.5.1.1"""
    state = play.state
    if not name.startswith(DEPOT):
        play.emit(Quartered(corps=name, inside=True, rules=("EIA 7.5.1.1",)))
        take_control(play, state.corps[name].power, area)
        return
    power = name.removeprefix(DEPOT)
    guards = garrison_factors(state, power, area, of_depot=True)
    held = garrison_factors(state, power, area, of_depot=False) + guards
    set_garrison_factors(play, power, area, NO_FACTORS, "retires", "EIA 7.5.1.1", of_depot=True)
    set_garrison_factors(play, power, area, held, "retires", "EIA 7.5.1.1")
    take_control(play, power, area)


def offer_siege(play: Transaction, attack: Attack) -> bool:
    """Ask the attacker whether to besiege those who have retired; whether it was asked. Rules: EIA 7.5.1.1.2"""
    state = play.state
    power = attack.attackers[0]
    able = any(is_corps(one) and is_unbesieged(state, one) for one in field_counters(state, power, attack.area))
    enemies = any(is_at_war(state, power, holder) for holder in city_holders(state, attack.area))
    if able and enemies and attack.area not in state.campaign.sieges:
        play.ask(SIEGE, power, (YES, NO), attack.area, rules=("EIA 7.5.1.1.2",))
        return True
    return False


def answer_siege(play: Transaction, question: Question, choice: str) -> None:
    """The attacker's answer. Rules: EIA 7.5.1.1.2"""
    if choice == YES:
        lay_siege(play, question.power, question.about[0])
