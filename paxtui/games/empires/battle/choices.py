"""Choices in a field combat with all rules: losses, the guard, corps called to the combat, and retreats.

All of it is reconstructed: the text breaks off before it. `field_combat` calls it before each round and after it.
"""

from __future__ import annotations

from paxtui.games.empires.battle.outcome import RECONSTRUCTED, conclude_battle, leave_field, leaving_corps, refuge_areas
from paxtui.games.empires.battle.sides import (
    ATTACKER,
    CASUALTY_RULE,
    DEFENDER,
    PLAIN,
    SIDES,
    chosen_losses,
    fighting_factors,
    force_ratings,
    losing_side,
    loss_ways,
    present_forces,
    take_losses,
    way_of_answer,
)
from paxtui.games.empires.battle.siege import is_limited
from paxtui.games.empires.board import (
    can_enter_area,
    city_holders,
    city_room,
    is_at_war,
    is_besieged,
    is_corps,
    is_unbesieged,
)
from paxtui.games.empires.events.campaign import (
    CasualtiesOwed,
    CasualtiesTaken,
    FieldLeft,
    GuardDecided,
    GuardRolled,
    RefugeChosen,
    SupportDeclined,
    SupportRolled,
)
from paxtui.games.empires.pieces import Battle, Factors, Force
from paxtui.games.empires.state import Question, State
from paxtui.games.empires.supply_step import set_corps_factors
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction

LOSSES, GUARD, SUPPORT, REFUGE = "casualties", "guard", "call_corps", "field_retreat"
"""Questions: which factors are lost, whether the guard is committed, which corps is called, where a Power retreats."""

GUARD_RULE, SUPPORT_RULE = "EIA 7.5.2.8 (reconstructed)", "EIA 7.5.2.11 (reconstructed)"
RETREAT_RULE = "EIA 7.5.2.10.3 (reconstructed)"

NONE = "none"
BONUSES = {"one": 1, "two": 2}
"""What a committed guard adds to the die of its side, by answer."""
GUARD_LOSSES = {1: (0, 0, 1, 1, 2, 2), 2: (1, 1, 2, 2, 3, 4)}
"""Guard factors lost by the die, for each bonus; from the public program."""
SUPPORT_MODIFIER = -1
"""Added to the strategic rating of a side that calls an adjacent corps (ours)."""


def leave(play: Transaction, side: str, why: str) -> None:
    """Let a side leave the field unbeaten; with all rules its Powers first choose where they go."""
    if play.tables.exercise.complete:
        play.emit(FieldLeft(side=side, beaten=False, why=why, rules=(RETREAT_RULE,)))
    else:
        leave_field(play, side, why)


def settle_round(play: Transaction, battle: Battle) -> bool:
    """Settle a retreat, owed losses and a broken side.

    Returns: whether something happened or was asked.
    """
    made = play.state.campaign.choices
    if made.leaving:
        _retreat(play, battle, made.leaving)
        return True
    for side, owed in zip(SIDES, made.owed, strict=True):
        if owed:
            _settle_losses(play, battle, side, owed)
            return True
    if not battle.round:
        return False
    morale = (battle.attacker.morale, battle.defender.morale)
    left = (fighting_factors(play.state, battle, ATTACKER), fighting_factors(play.state, battle, DEFENDER))
    loser = losing_side(*morale, *left)
    if loser:
        play.emit(FieldLeft(side=loser, beaten=True, why="broken", rules=(RECONSTRUCTED,)))
    return bool(loser)


def ask_before_round(play: Transaction, battle: Battle) -> bool:
    """Ask for a corps to call, and for the guard. Returns: whether a question is open."""
    made = play.state.campaign.choices
    limited = is_limited(play.tables, play.state, battle.area, battle.defender.powers)
    for side in SIDES:
        force = battle.force(side)
        if battle.round and side not in made.supported and not limited:
            near = supporting_corps(play.tables, play.state, battle, force)
            if near:
                play.ask(SUPPORT, force.powers[0], (NONE, *near), side, battle.area, rules=(SUPPORT_RULE,))
                return True
        if side in made.asked or side in made.spent:
            continue
        guard = guard_factors(play.state, battle, force)
        words = tuple(word for word, bonus in BONUSES.items() if guard >= max(GUARD_LOSSES[bonus]))
        if words:
            play.ask(GUARD, force.powers[0], (NONE, *words), side, battle.area, rules=(GUARD_RULE,))
            return True
    return False


def guard_factors(state: State, battle: Battle, force: Force) -> int:
    """Return the guard factors of a side that fight now."""
    return sum(factors.guard for _, factors in present_forces(state, battle, force))


def supporting_corps(tables: Tables, state: State, battle: Battle, force: Force) -> tuple[str, ...]:
    """Return the corps of a side in adjacent areas that can be called: free of enemies, and with a leader to call."""
    if not force.leader:
        return ()
    engaged = {one.area for one in state.campaign.attacks}
    return tuple(
        corps.id
        for corps in state.corps.values()
        if corps.power in force.powers
        and is_corps(corps)
        and corps.where in tables.ways[battle.area]
        and corps.where not in engaged
        and is_unbesieged(state, corps)
        and can_enter_area(tables, state, corps.power, battle.area)
        and not _has_enemies(state, corps.power, corps.where)
    )


def _has_enemies(state: State, power: str, area: str) -> bool:
    return any(one.where == area and is_at_war(state, power, one.power) for one in state.corps.values())


def support_needed(tables: Tables, state: State, battle: Battle, side: str) -> int:
    """Return the highest die with which a corps that a side calls arrives; below 1 it has no chance."""
    terrain = tables.field_combat.terrain.get(tables.areas[battle.area].terrain, PLAIN)
    strategic, _ = force_ratings(tables, state, battle.force(side))
    return strategic + SUPPORT_MODIFIER + terrain.reinforce


def answer_support(play: Transaction, question: Question, choice: str) -> None:
    """Roll for the corps that a side calls: at most the strategic rating less one, and the terrain's number."""
    battle, side = play.state.campaign.battle, question.about[0]
    if battle is None:
        return
    if choice == NONE:
        play.emit(SupportDeclined(side=side, rules=(SUPPORT_RULE,)))
        return
    needed, die = support_needed(play.tables, play.state, battle, side), play.roll()
    play.emit(
        SupportRolled(
            side=side,
            corps=choice,
            area=battle.area,
            die=die,
            needed=needed,
            arrived=die <= needed,
            rules=(SUPPORT_RULE,),
        )
    )


def answer_guard(play: Transaction, question: Question, choice: str) -> None:
    """Commit the guard: its bonus for the next die, and its losses at once."""
    battle, side = play.state.campaign.battle, question.about[0]
    if battle is None:
        return
    bonus = BONUSES.get(choice, 0)
    play.emit(GuardDecided(side=side, bonus=bonus, rules=(GUARD_RULE,)))
    if not bonus:
        return
    die = play.roll()
    losses = GUARD_LOSSES[bonus][die - 1]
    play.emit(GuardRolled(side=side, die=die, losses=losses, rules=(GUARD_RULE,)))
    for name, factors in present_forces(play.state, battle, battle.force(side)):
        gone = min(losses, factors.guard)
        if gone and name in play.state.corps:
            corps = play.state.corps[name]
            set_corps_factors(play, corps, corps.factors - Factors(guard=gone), "guard", GUARD_RULE)
            losses -= gone


def _settle_losses(play: Transaction, battle: Battle, side: str, owed: int) -> None:
    """Take owed losses off, or ask in which way if it matters."""
    force = battle.force(side)
    ways = loss_ways(play.tables, present_forces(play.state, battle, force), owed)
    if len(ways) > 1 and force.powers[0] not in play.state.campaign.foot_first:
        play.ask(LOSSES, force.powers[0], ways, side, str(owed), rules=(CASUALTY_RULE,))
    else:
        _take_owed(play, battle, side, owed, ways[0])


def answer_losses(play: Transaction, question: Question, choice: str) -> None:
    """Take the losses of a round off in the chosen way."""
    battle = play.state.campaign.battle
    if battle is not None:
        way = way_of_answer(play, question.power, choice)
        _take_owed(play, battle, question.about[0], int(question.about[1]), way)


def _take_owed(play: Transaction, battle: Battle, side: str, owed: int, way: str) -> None:
    count = chosen_losses(owed, way)
    take_losses(play, battle.force(side), count, "combat", battle, way)
    if count == owed:
        play.emit(CasualtiesTaken(side=side, rules=(CASUALTY_RULE,)))
        return
    attacker, defender = play.state.campaign.choices.owed
    left = (attacker - count, defender) if side == ATTACKER else (attacker, defender - count)
    play.emit(CasualtiesOwed(attacker=left[0], defender=left[1], rules=(CASUALTY_RULE,)))


def _retreat(play: Transaction, battle: Battle, side: str) -> None:
    """Ask each Power of a side where it goes, then end the combat."""
    made, force = play.state.campaign.choices, battle.force(side)
    for power in force.powers:
        if power not in made.refuges:
            areas = refuges(play.tables, play.state, power, battle, force)
            if len(areas) > 1:
                play.ask(REFUGE, power, areas, battle.area, rules=(RETREAT_RULE,))
                return
            play.emit(RefugeChosen(power=power, to=next(iter(areas), ""), rules=(RETREAT_RULE,)))
            return
    if made.beaten:
        conclude_battle(play, DEFENDER if side == ATTACKER else ATTACKER, made.why)
    else:
        leave_field(play, side, made.why)


def refuges(tables: Tables, state: State, power: str, battle: Battle, force: Force) -> tuple[str, ...]:
    """Return where the corps of a Power can retreat; the area of the combat means its own besieged city."""
    own = leaving_corps(state, force, power, battle.area)
    if not own:
        return ()
    areas = refuge_areas(tables, state, power, battle.area, [one.id for one in own])
    holders = city_holders(state, battle.area)
    empty = is_limited(tables, state, battle.area, battle.defender.powers) and not holders
    vacated = empty and (battle.area, power) in state.campaign.sorties
    holds = is_besieged(state, battle.area) and (power in holders or vacated)
    fits = city_room(tables, state, battle.area) >= sum(one.factors.total for one in own)
    return (battle.area, *areas) if holds and fits else areas


def answer_refuge(play: Transaction, question: Question, choice: str) -> None:
    """A Power has chosen where it retreats."""
    play.emit(RefugeChosen(power=question.power, to=choice, rules=(RETREAT_RULE,)))
