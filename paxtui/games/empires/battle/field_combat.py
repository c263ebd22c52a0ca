"""Field combat step by step: chits, outflanking, withdrawal, three rounds, and another day.

Steps 1 to 5 are those of the text (7.5.2.1 to 7.5.2.5.1); what follows is reconstructed. It keeps no continuation: it
is run again after every chit and answer, and finds from the position what is left to do.
"""

from __future__ import annotations

from itertools import combinations

from msgspec.structs import replace

from paxtui.games.empires.battle import choices
from paxtui.games.empires.battle import sides as chits
from paxtui.games.empires.battle.outcome import RECONSTRUCTED, conclude_battle
from paxtui.games.empires.battle.sides import (
    ATTACKER,
    CASUALTY_RULE,
    DEFENDER,
    OUTFLANK,
    PLAIN,
    SIDES,
    RoundSide,
    combat_levels,
    fighting_factors,
    force_ratings,
    initial_morale,
    losing_side,
    resolve_round,
    take_losses,
)
from paxtui.games.empires.battle.siege import RELIEF_DAYS, is_limited
from paxtui.games.empires.board import ARTILLERY, CORPS
from paxtui.games.empires.events.campaign import CasualtiesOwed
from paxtui.games.empires.events.land import (
    BattleBegan,
    ChitsShown,
    Divided,
    FightsOn,
    FlankRolled,
    LeaderMoved,
    OutflankAnnounced,
    RoundFought,
    WithdrawalRolled,
)
from paxtui.games.empires.orders import PickChit
from paxtui.games.empires.pieces import Battle, Corps, Force
from paxtui.games.empires.state import Question, State
from paxtui.games.empires.tables import ROUNDS, Pairing, Shifts, Tables
from paxtui.games.empires.transaction import Transaction, papers_about, refuse, reveal_papers, seal_paper

CHIT = "chit"
"""The matter of the papers on which chits are written."""

DIVIDE, DAY = "divide", "end_of_day"
"""Questions: who goes around the flank, and whether a side fights on."""

FIGHT, LEAVE = "fight", "leave"

DAYS = "battle.days"
"""Cell: days that a field combat lasts at the most."""


def powers_without_chit(state: State) -> tuple[str, ...]:
    """Return the Powers that must pick a chit. Rules: EIA 7.5.2.1

    A hidden chit counts as not picked, so that a dry run on a seat's view never uses a chit that the seat cannot know.
    """
    battle = state.campaign.battle
    if battle is None or battle.attacker.chit:
        return ()
    written = {one.power for one in papers_about(state, CHIT) if one.words}
    return tuple(one for one in (battle.attacker.powers[0], battle.defender.powers[0]) if one not in written)


def available_chits(state: State, battle: Battle, side: str) -> tuple[str, ...]:
    """The chits that a side may pick. Rules: EIA 7.5.2.1"""
    force = battle.force(side)
    corps = [state.corps[one] for one in force.corps if one in state.corps]
    return chits.open_chits(side, [one.kind == ARTILLERY for one in corps if one.kind in CORPS], bool(force.leader))


def pick_chit(play: Transaction, power: str, action: PickChit) -> None:
    """Pick a chit, unseen by the other side. Raises: Refusal. Rules: EIA 7.5.2.1"""
    battle = play.state.campaign.battle
    if battle is None or power not in powers_without_chit(play.state):
        refuse("no_combat", "There is no chit to pick.", "EIA 7.5.2.1")
    side = ATTACKER if battle.attacker.powers[0] == power else DEFENDER
    allowed = available_chits(play.state, battle, side)
    if action.chit not in allowed:
        refuse("no_chit", f"It may pick: {', '.join(allowed)}.", "EIA 7.5.2.1")
    seal_paper(play, power, CHIT, (action.chit,), "EIA 7.5.2.1")


def run_field_combat(play: Transaction) -> None:
    """Let the field combat go on as far as it goes by itself. Rules: EIA 7.5.2"""
    battle = play.state.campaign.battle
    if battle is None or powers_without_chit(play.state):
        return
    if not battle.attacker.chit:
        _show_chits(play, battle)
        return
    complete = play.tables.exercise.complete
    if complete and choices.settle_round(play, battle):
        return
    pairing = _battle_pairing(play, battle)
    if pairing.withdrawal is not None and not battle.withdrawal:
        _try_withdrawal(play, battle, pairing.withdrawal)
    elif complete and battle.round < ROUNDS and choices.ask_before_round(play, battle):
        return
    elif battle.round < ROUNDS:
        _next_round(play, battle, pairing)
    else:
        _end_of_day(play, battle)


def _show_chits(play: Transaction, battle: Battle) -> None:
    """Announce, divide, and show the chits. Rules: EIA 7.5.2.2, 7.5.2.3, 7.5.2.4"""
    written = {one.power: one.words[0] for one in papers_about(play.state, CHIT)}
    picked = {side: written[battle.force(side).powers[0]] for side in SIDES}
    if not battle.announced:
        sides = tuple(side for side in SIDES if picked[side] == OUTFLANK)
        play.emit(OutflankAnnounced(sides=sides, rules=("EIA 7.5.2.2",)))
    if not battle.divided:
        side = chits.dividing_side(picked[ATTACKER], picked[DEFENDER])
        if side:
            force = battle.force(side)
            ways = outflanking_forces(play.state, force)
            play.ask(DIVIDE, force.powers[0], ways, side, battle.area, rules=("EIA 7.5.2.3",))
            return
        play.emit(Divided(side="", around=(), rules=("EIA 7.5.2.2",)))
    reveal_papers(play, CHIT, "EIA 7.5.2.4")
    now = play.state.campaign.battle or battle
    start = (
        initial_morale(play.tables, play.state, now, ATTACKER),
        initial_morale(play.tables, play.state, now, DEFENDER),
    )
    play.emit(
        ChitsShown(
            attacker=picked[ATTACKER], defender=picked[DEFENDER], morale=start, rules=("EIA 7.5.2.4", RECONSTRUCTED)
        )
    )


def outflanking_forces(state: State, force: Force) -> tuple[str, ...]:
    """Return every possible outflanking force, each as one word: ids of corps with commas between.

    At least one corps that is not artillery stays in the pinning force, and all artillery. Irregulars always go.
    Leaders stay, but their corps may go: `divided` moves the leader. Rules: EIA 7.5.2.3.1, 7.5.2.3.2
    """
    there = [state.corps[one] for one in force.corps if one in state.corps]
    irregulars = [one.id for one in there if one.kind not in CORPS]
    able = [one.id for one in there if one.kind in CORPS and one.kind != ARTILLERY]
    return tuple(",".join((*some, *irregulars)) for size in range(1, len(able)) for some in combinations(able, size))


def answer_division(play: Transaction, question: Question, choice: str) -> None:
    """Divide a force; leaders of outflanking corps join a corps of the pinning force. Rules: EIA 7.5.2.3"""
    side = question.about[0]
    around = tuple(choice.split(","))
    state, battle = play.state, play.state.campaign.battle
    if battle is not None:
        pinning = [
            state.corps[one]
            for one in battle.force(side).corps
            if one in state.corps and one not in around and state.corps[one].kind in CORPS
        ]
        for leader in state.leaders.values():
            if leader.where in around:
                near = _nearest_corps(pinning, leader.power)
                play.emit(LeaderMoved(leader=leader.id, where=near.id, rules=("EIA 7.5.2.3.1",)))
    play.emit(Divided(side=side, around=around, rules=("EIA 7.5.2.3.1", "EIA 7.5.2.3.2")))


def _nearest_corps(pinning: list[Corps], power: str) -> Corps:
    """Return the corps that a leader of a Power joins: one of its own if possible, no artillery if possible."""
    return min(pinning, key=lambda one: (one.power != power, one.kind == ARTILLERY))


def _battle_pairing(play: Transaction, battle: Battle) -> Pairing:
    return play.tables.field_combat.pairing(battle.attacker.chit, battle.defender.chit, battle.river)


def _terrain_shifts(tables: Tables, area: str) -> Shifts:
    """What the terrain of an area does to the tables."""
    return tables.field_combat.terrain.get(tables.areas[area].terrain, PLAIN)


def _try_withdrawal(play: Transaction, battle: Battle, modifier: int) -> None:
    """Roll for the withdrawal of the whole defending force. Rules: EIA 7.5.2.5, 7.5.2.5.1"""
    strategic, _ = force_ratings(play.tables, play.state, battle.defender)
    die = play.roll()
    away = die <= strategic + modifier
    play.emit(WithdrawalRolled(die=die, needed=strategic + modifier, away=away, rules=("EIA 7.5.2.5",)))
    if away:
        choices.leave(play, DEFENDER, "withdrawn")


def _roll_flank_arrival(play: Transaction, battle: Battle, pairing: Pairing) -> None:
    """Roll for the outflanking force before rounds 2 and 3."""
    side = ATTACKER if battle.attacker.around else DEFENDER
    strategic, _ = force_ratings(play.tables, play.state, battle.force(side))
    needed = strategic + pairing.outflank[battle.round - 1] + _terrain_shifts(play.tables, battle.area).outflank
    die = play.roll()
    play.emit(FlankRolled(die=die, needed=needed, arrived=die <= needed, rules=(RECONSTRUCTED,)))


def _next_round(play: Transaction, battle: Battle, pairing: Pairing) -> None:
    """Fight a round; the side that breaks has lost."""
    if pairing.outflank and battle.round and not battle.arrived and battle.flank_rolls < battle.round:
        _roll_flank_arrival(play, battle, pairing)
        return
    number = battle.round + 1
    if combat_levels(pairing, number, battle.arrived) == ((0, 0), (0, 0)):
        choices.leave(play, DEFENDER, "withdrawn")
        return
    state = play.state
    sides = (
        RoundSide(fighting_factors(state, battle, ATTACKER), force_ratings(play.tables, state, battle.attacker)[1]),
        RoundSide(fighting_factors(state, battle, DEFENDER), force_ratings(play.tables, state, battle.defender)[1]),
    )
    dice = (play.roll(), play.roll())
    guard = state.campaign.choices.guard
    shifts = _terrain_shifts(play.tables, battle.area)
    attack, defence = resolve_round(
        play.tables.field_combat, pairing, number, sides, dice, battle.arrived, shifts, guard
    )
    complete = play.tables.exercise.complete
    if complete:  # their owners choose them
        lost = (min(sides[0].factors, defence.losses), min(sides[1].factors, attack.losses))
    else:
        lost = (
            take_losses(play, battle.attacker, defence.losses, "combat", battle),
            take_losses(play, battle.defender, attack.losses, "combat", battle),
        )
    left = (battle.attacker.morale - defence.morale, battle.defender.morale - attack.morale)
    play.emit(
        RoundFought(
            number=number,
            attacker=attack,
            defender=defence,
            morale=left,
            lost=lost,
            rules=(RECONSTRUCTED,),
        )
    )
    if complete:
        play.emit(CasualtiesOwed(attacker=lost[0], defender=lost[1], rules=(CASUALTY_RULE,)))
        return
    now = play.state.campaign.battle or battle
    loser = losing_side(*left, fighting_factors(play.state, now, ATTACKER), fighting_factors(play.state, now, DEFENDER))
    if loser:
        conclude_battle(play, DEFENDER if loser == ATTACKER else ATTACKER, "broken")


def _end_of_day(play: Transaction, battle: Battle) -> None:
    """End a day without a broken side: each side may leave, the attacker first; otherwise another day begins.

    After the last day the attacker leaves (ours: 7.5.2.13 is missing). A limited combat has fewer days.
    """
    limited = is_limited(play.tables, play.state, battle.area, battle.defender.powers)
    if battle.day >= play.tables.number(RELIEF_DAYS if limited else DAYS):
        choices.leave(play, ATTACKER, "undecided")
        return
    for side in SIDES:
        if side not in battle.fights_on:
            play.ask(DAY, battle.force(side).powers[0], (FIGHT, LEAVE), side, battle.area, rules=(RECONSTRUCTED,))
            return
    attacker = replace(battle.attacker, chit="", around=(), morale=0)
    defender = replace(battle.defender, chit="", around=(), morale=0)
    day = Battle(area=battle.area, attacker=attacker, defender=defender, river=battle.river, day=battle.day + 1)
    play.emit(BattleBegan(battle=day, rules=(RECONSTRUCTED,)))


def answer_another_day(play: Transaction, question: Question, choice: str) -> None:
    """Whether a side fights on."""
    side = question.about[0]
    if choice == FIGHT:
        play.emit(FightsOn(side=side, rules=(RECONSTRUCTED,)))
    else:
        choices.leave(play, side, "left the field")
