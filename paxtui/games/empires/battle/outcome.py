"""The results of a field combat: points, pursuit, retreat, depots and cities; and bystanders of an attack.

The published rules end in 7.5.2.5.2. Victory, pursuit and retreat are reconstructed, with numbers of our own.

Rules: EIA 7.3.8, 7.4.5.2, 7.5.1.3
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.empires.battle.attacks import DEPOT, declare_attacks, field_counters
from paxtui.games.empires.battle.sides import ATTACKER, corps_in_lines, losses_at, take_losses
from paxtui.games.empires.board import (
    ARTILLERY,
    CORPS,
    NO_FACTORS,
    can_enter_area,
    city_holders,
    city_room,
    controller,
    depot_in,
    is_allied,
    is_at_war,
    is_corps,
)
from paxtui.games.empires.events.land import (
    AttackDeclared,
    AttackOver,
    AttacksDeclared,
    BattleOver,
    CorpsStrength,
    DepotRemoved,
    JoinRefused,
    Quartered,
    Retreated,
    Siege,
)
from paxtui.games.empires.land.depots import can_take_over_depot, take_over_depot
from paxtui.games.empires.land.garrisons import CITY, add_garrison
from paxtui.games.empires.land.movement import lift_empty_sieges
from paxtui.games.empires.pieces import Attack, Battle, Corps, Factors, Force
from paxtui.games.empires.politics.declarations import check_declaration, go_to_war
from paxtui.games.empires.state import Question, State
from paxtui.games.empires.supply_lines import areas_within, depots_of, supply_neighbours, supply_sources
from paxtui.games.empires.supply_step import set_corps_factors, set_garrison_factors
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import NO, YES, Transaction

OCCUPY = "occupy"
"""What is asked: how many infantry factors of which corps go into a city."""

NOBODY = "nobody"

MOST = 5
"""Factors that are offered of a corps; more are detached in a later movement step (ours)."""


def ask_fallen_cities(play: Transaction, areas: tuple[str, ...]) -> bool:
    """Ask the besieger of the first empty city among besieged areas. Returns: whether a question is open."""
    for area in areas:
        if not city_holders(play.state, area):
            return ask_occupation(play, play.state.campaign.sieges[area], area)
    return False


def ask_occupation(play: Transaction, power: str, area: str) -> bool:
    """Ask a Power whether to garrison a vacant city; whether it can. A siege of it is over."""
    if area in play.state.campaign.sieges:
        play.emit(Siege(area=area, power="", rules=("EIA 7.4.5.2",)))
    choices = [
        f"{corps.id}:{count}"
        for corps in play.state.corps.values()
        if corps.power == power and corps.where == area and not corps.inside
        for count in range(1, 1 + min(MOST, city_room(play.tables, play.state, area), _spare_infantry(corps)))
    ]
    if choices:
        play.ask(OCCUPY, power, (NOBODY, *choices), area, rules=("EIA 7.4.5.2", "EIA 7.5.1.3"))
    return bool(choices)


def _spare_infantry(corps: Corps) -> int:
    """The infantry that a corps can leave behind: one factor stays in it."""
    if corps.kind not in CORPS or corps.kind == ARTILLERY:
        return 0
    return min(corps.factors.infantry, corps.factors.total - 1)


def answer_occupation(play: Transaction, question: Question, choice: str) -> None:
    """The infantry goes into the city."""
    if choice == NOBODY:
        return
    name, _, count = choice.rpartition(":")
    corps = play.state.corps[name]
    some = Factors(infantry=int(count))
    play.emit(CorpsStrength(corps=name, factors=corps.factors - some, why="detached", rules=question.rules))
    add_garrison(play, question.power, question.about[0], CITY, some, "occupied")


PRIZE = "captured_depot"
"""What a victor is asked about a depot that the enemy has left."""

DESTROY, CONVERT, LEAVE = "destroy", "convert", "leave"

FAR = 12
"""Areas within which a retreat looks for a depot."""

RECONSTRUCTED = "EIA 7.5.2 (reconstructed)"


def conclude_battle(play: Transaction, winner: str, why: str) -> None:
    """End a field combat; `winner` is "attacker" or "defender", "" if a side has only got away."""
    battle = play.state.campaign.battle
    if battle is None:
        return
    loser = battle.defender if winner == ATTACKER else battle.attacker
    victor = battle.attacker if winner == ATTACKER else battle.defender
    play.emit(BattleOver(area=battle.area, winner=victor.powers[0] if winner else "", why=why, rules=(RECONSTRUCTED,)))
    if winner:
        _award_points(play, battle, victor, loser)
        _pursue_losers(play, victor, loser)
        retreat_force(play, loser, battle.area)
    play.emit(AttackOver(area=battle.area))
    lift_empty_sieges(play)
    take_prizes(play, battle.area, battle.attacker.powers[0])


def leave_field(play: Transaction, side: str, why: str) -> None:
    """Let a side leave the field without a defeat; the combat is over."""
    battle = play.state.campaign.battle
    if battle is None:
        return
    play.emit(BattleOver(area=battle.area, winner="", why=why, rules=(RECONSTRUCTED,)))
    retreat_force(play, battle.force(side), battle.area)
    play.emit(AttackOver(area=battle.area))
    lift_empty_sieges(play)
    take_prizes(play, battle.area, battle.attacker.powers[0])


def _award_points(play: Transaction, battle: Battle, victor: Force, loser: Force) -> None:
    """Political points: more where the beaten force was large (ours)."""
    points = play.tables.number("points.battle")
    if len([one for one in loser.corps if not one.startswith(DEPOT)]) >= play.tables.number("battle.large"):
        points += play.tables.number("points.battle.large")
    name = play.tables.areas[battle.area].name
    for power in victor.powers:
        play.points(power, points, f"field combat won in {name}", RECONSTRUCTED)
    for power in loser.powers:
        play.points(power, -points, f"field combat lost in {name}", RECONSTRUCTED)


def _pursue_losers(play: Transaction, victor: Force, loser: Force) -> None:
    """The victor's cavalry pursues: a die names the percentage (ours)."""
    battle_corps = [play.state.corps[one] for one in victor.corps if one in play.state.corps]
    cavalry = sum(one.factors.cavalry for one in battle_corps)
    if not cavalry:
        return
    die = play.roll()
    percent = play.tables.number(f"pursuit.{die}")
    take_losses(play, loser, losses_at(play.tables.field_combat, percent, cavalry), f"pursuit, die {die}")


def retreat_force(play: Transaction, force: Force, area: str) -> None:
    """What is left of a force goes into one adjacent area; where it cannot, it is lost (ours)."""
    state = play.state
    for power in force.powers:
        own = leaving_corps(state, force, power, area)
        to = state.campaign.choices.refuges.get(power, "")
        if own and not to:
            areas = refuge_areas(play.tables, play.state, power, area, [one.id for one in own])
            to = next(iter(areas), "")
        for one in own:
            if to == area:
                play.emit(Quartered(corps=one.id, inside=True, rules=(RECONSTRUCTED,)))
            elif to:
                play.emit(Retreated(corps=one.id, to=to, rules=(RECONSTRUCTED,)))
            else:
                set_corps_factors(play, one, NO_FACTORS, "no retreat", RECONSTRUCTED)
    if force.garrison:
        for guards in state.garrisons:
            if guards.where == area and guards.of_depot and guards.power in force.powers:
                set_garrison_factors(play, guards.power, area, NO_FACTORS, "taken", RECONSTRUCTED, of_depot=True)


def leaving_corps(state: State, force: Force, power: str, area: str) -> list[Corps]:
    """Return the corps of a Power that leave an area with a force: those that fought, and those in the siege lines."""
    names = (*force.corps, *corps_in_lines(state, area))
    there = (state.corps[one] for one in names if one in state.corps)
    return [one for one in there if one.power == power and one.where == area]


def refuge_areas(tables: Tables, state: State, power: str, area: str, corps: list[str]) -> tuple[str, ...]:
    """Return the adjacent areas into which a beaten force can go, the one that it takes by itself first."""
    near = retreat_areas(tables, state, power, area)
    treks = [state.campaign.treks[one] for one in corps if one in state.campaign.treks]
    came = {(trek.path[-2] if len(trek.path) > 1 else trek.start) for trek in treks if trek.path}
    depots = depots_of(tables, state, power)

    def far(one: str) -> tuple[bool, int, str]:
        return one not in came, distance_to_goals(tables, state, power, one, depots), one

    return tuple(sorted(near, key=far))


def retreat_areas(tables: Tables, state: State, power: str, area: str) -> tuple[str, ...]:
    """Return the adjacent areas that a Power may enter and where no enemy counter stands."""
    return tuple(
        one
        for one in tables.ways[area]
        if not tables.areas[one].sea
        and can_enter_area(tables, state, power, one)
        and not any(is_at_war(state, power, foe.power) for foe in state.corps.values() if foe.where == one)
    )


def distance_to_goals(tables: Tables, state: State, power: str, area: str, goals: Collection[str]) -> int:
    """Return the number of areas from an area to the nearest of some others, `FAR` + 1 if none is near."""
    reach = areas_within(area, FAR, supply_neighbours(tables, state, power), lambda each: False)
    return min((reach[goal] for goal in goals if goal in reach), default=FAR + 1)


def take_prizes(play: Transaction, area: str, power: str) -> None:
    """What an attacker who stands there still may take: a vacant city, and a depot that the enemy has left.

    Rules: EIA 7.3.6.2, 7.5.1.3
    """
    state = play.state
    here = [one for one in field_counters(state, power, area) if is_corps(one)]
    if not here or state.result is not None:
        return
    vacant = play.tables.areas[area].city and not city_holders(state, area)
    if vacant and controller(play.tables, state, area) != power:
        ask_occupation(play, power, area)
    found = depot_in(state, area)
    guarded = any(one.where == area and one.of_depot for one in state.garrisons)
    beaten = not any(
        is_at_war(state, power, one.power) for one in state.corps.values() if one.where == area and not one.inside
    )
    if found and is_at_war(state, power, found.power) and beaten and not guarded:
        choices = (DESTROY, *((CONVERT,) if can_take_over_depot(play, power, area) else ()), LEAVE)
        play.ask(PRIZE, power, choices, area, rules=("EIA 7.3.6.2",))


def answer_prize(play: Transaction, question: Question, choice: str) -> None:
    """What becomes of a depot that the enemy has left. Rules: EIA 7.3.6.2"""
    area = question.about[0]
    found = depot_in(play.state, area)
    if found is None:
        return
    if choice == DESTROY:
        play.emit(DepotRemoved(where=area, power=found.power, why="captured", rules=("EIA 7.3.6.2",)))
    elif choice == CONVERT:
        take_over_depot(play, question.power, area, found)


JOIN = "join_defence"
"""What a Power is asked beside whom an ally is attacked."""

LEAVE_AREA = "leave_area"
"""What a Power is asked whose counters take no part in an attack: into which adjacent area they go."""


def settle_bystanders(play: Transaction) -> bool:
    """Declare the attacks of a sequence once, and settle who takes part. Returns: whether a question is open.

    Rules: EIA 7.3.8.2 to 7.3.8.7
    """
    if play.state.campaign.declared:
        return False
    if not play.state.campaign.attacks:
        declare_attacks(play)
    for attack in play.state.campaign.attacks:
        for power in joiners(play.tables, play.state, attack):
            play.ask(JOIN, power, (NO, YES), attack.area, rules=("EIA 7.3.8.3",))
            return True
    for attack in play.state.campaign.attacks:
        if _clear_area(play, attack):
            return True
    play.emit(AttacksDeclared(rules=("EIA 7.3.8.7",)))
    return False


def joiners(tables: Tables, state: State, attack: Attack) -> tuple[str, ...]:
    """Powers with a field force beside an attacked ally that may still declare war on the attackers.

    Rules: EIA 7.3.8.3
    """
    return tuple(
        power
        for power in state.powers
        if power not in (*attack.attackers, *attack.defenders)
        and (power, attack.area) not in state.campaign.aside
        and field_counters(state, power, attack.area)
        and any(is_allied(state, power, one) for one in attack.defenders)
        and all(is_at_war(state, power, one) or _can_declare(tables, state, power, one) for one in attack.attackers)
    )


def _can_declare(tables: Tables, state: State, power: str, target: str) -> bool:
    """Whether a Power may declare war on another now. Rules: EIA 4.2.2"""
    try:
        check_declaration(tables, state, power, target)
    except Refusal:
        return False
    return True


def answer_join(play: Transaction, question: Question, choice: str) -> None:
    """A Power declares war and defends, or stands aside. Rules: EIA 7.3.8.3"""
    area = question.about[0]
    if choice != YES:
        play.emit(JoinRefused(power=question.power, area=area, rules=("EIA 7.3.8.3",)))
        return
    attack = next(one for one in play.state.campaign.attacks if one.area == area)
    for one in attack.attackers:
        if not is_at_war(play.state, question.power, one):
            go_to_war(play, question.power, one, "EIA 7.3.8.3")
    more = replace(attack, defenders=(*attack.defenders, question.power))
    play.emit(AttackDeclared(attack=more, rules=("EIA 7.3.8.3",)))


def _clear_area(play: Transaction, attack: Attack) -> bool:
    """Let each Power that takes no part leave the area, attackers' allies who are not at war with all defenders too.

    Returns: whether a Power is asked now where its counters go.
    Rules: EIA 7.3.8.4, 7.3.8.6, 7.3.8.7
    """
    area = attack.area
    for power in play.state.powers:
        own = field_counters(play.state, power, area)
        taking_part = power in attack.defenders or (
            power in attack.attackers and all(is_at_war(play.state, power, one) for one in attack.defenders)
        )
        if not own or taking_part:
            continue
        choices = _exits(play.tables, play.state, power, area)
        if len(choices) > 1:
            play.ask(LEAVE_AREA, power, choices, area, rules=("EIA 7.3.8.4", "EIA 7.3.8.6"))
            return True
        if choices:
            _leave_area(play, power, area, choices[0])
    return False


def _exits(tables: Tables, state: State, power: str, area: str) -> tuple[str, ...]:
    """Return the adjacent areas to which a Power may leave: if possible, those not farther from its supply sources.

    Rules: EIA 7.3.8.4
    """
    near = retreat_areas(tables, state, power, area)
    towards = [
        distance_to_goals(tables, state, power, one, supply_sources(tables, state, power)) for one in (area, *near)
    ]
    closer = tuple(one for one, far in zip(near, towards[1:], strict=True) if far <= towards[0])
    return closer or near


def _leave_area(play: Transaction, power: str, area: str, to: str) -> None:
    for one in field_counters(play.state, power, area):
        play.emit(Retreated(corps=one.id, to=to, rules=("EIA 7.3.8.4", "EIA 7.3.8.6")))


def answer_leave_area(play: Transaction, question: Question, choice: str) -> None:
    """Move the counters of a Power out of an area to the one that it chose. Rules: EIA 7.3.8.4, 7.3.8.6"""
    _leave_area(play, question.power, question.about[0], choice)
