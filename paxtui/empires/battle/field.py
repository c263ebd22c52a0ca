"""Field combat step by step: chits, outflanking, withdrawal, three rounds, and another day.

Steps 1 to 5 are those of the text (7.5.2.1 to 7.5.2.5.1); what follows is reconstructed. It keeps no continuation: it
is run again after every chit and answer, and finds from the position what is left to do.
"""

from __future__ import annotations

from itertools import combinations

from msgspec.structs import replace

from paxtui.empires.battle import chits
from paxtui.empires.battle.chits import ATTACKER, DEFENDER, OUTFLANK, SIDES
from paxtui.empires.battle.forces import fighting, morale, of_side, ratings, strike
from paxtui.empires.battle.morale import loser_of
from paxtui.empires.battle.outcome import RECONSTRUCTED, conclude, leaves
from paxtui.empires.battle.rounds import PLAIN, Blow, Side, exchange, levels
from paxtui.empires.history.battle_events import (
    BattleBegan,
    ChitsShown,
    Divided,
    FightsOn,
    FlankRolled,
    OutflankAnnounced,
    RoundFought,
    Volley,
    WithdrawalRolled,
)
from paxtui.empires.history.land_events import LeaderMoved
from paxtui.empires.orders.actions_land import PickChit
from paxtui.empires.play.asking import papers_about, reveal, seal
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.presence import ARTILLERY, CORPS
from paxtui.empires.state.campaign import Battle, Force
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Corps
from paxtui.empires.state.questions import Question
from paxtui.empires.tables.field_combat import ROUNDS, Pairing, Shifts
from paxtui.empires.tables.tables import Tables

CHIT = "chit"
"""The matter of the papers on which chits are written."""

DIVIDE, DAY = "divide", "end_of_day"
"""Questions: who goes around the flank, and whether a side fights on."""

FIGHT, LEAVE = "fight", "leave"

DAYS = "battle.days"
"""Cell: days that a field combat lasts at the most."""


def choosers(state: State) -> tuple[str, ...]:
    """The Powers that have to pick a chit. What one may not read does not count as picked: so nobody who tries an act
    on what he sees goes on with a chit that he cannot know. Rules: EIA 7.5.2.1
    """
    battle = state.campaign.battle
    if battle is None or battle.attacker.chit:
        return ()
    written = {one.power for one in papers_about(state, CHIT) if one.words}
    return tuple(one for one in (battle.attacker.powers[0], battle.defender.powers[0]) if one not in written)


def open_to(state: State, battle: Battle, side: str) -> tuple[str, ...]:
    """The chits that a side may pick. Rules: EIA 7.5.2.1"""
    force = of_side(battle, side)
    corps = [state.corps[one] for one in force.corps if one in state.corps]
    return chits.open_chits(side, [one.kind == ARTILLERY for one in corps if one.kind in CORPS], bool(force.leader))


def pick(play: Play, power: str, action: PickChit) -> None:
    """Pick a chit, unseen by the other side. Raises: Refusal. Rules: EIA 7.5.2.1"""
    battle = play.state.campaign.battle
    if battle is None or power not in choosers(play.state):
        refuse("no_combat", "There is no chit to pick.", "EIA 7.5.2.1")
    side = ATTACKER if battle.attacker.powers[0] == power else DEFENDER
    allowed = open_to(play.state, battle, side)
    if action.chit not in allowed:
        refuse("no_chit", f"It may pick: {', '.join(allowed)}.", "EIA 7.5.2.1")
    seal(play, power, CHIT, (action.chit,), "EIA 7.5.2.1")


def run(play: Play) -> None:
    """Let the field combat go on as far as it goes by itself. Rules: EIA 7.5.2"""
    battle = play.state.campaign.battle
    if battle is None or choosers(play.state):
        return
    if not battle.attacker.chit:
        _open(play, battle)
        return
    pairing = _pairing(play, battle)
    if pairing.withdrawal is not None and not battle.withdrawal:
        _try_withdrawal(play, battle, pairing.withdrawal)
    elif battle.round < ROUNDS:
        _next_round(play, battle, pairing)
    else:
        _end_of_day(play, battle)


def _open(play: Play, battle: Battle) -> None:
    """Announce, divide, and show the chits. Rules: EIA 7.5.2.2, 7.5.2.3, 7.5.2.4"""
    written = {one.power: one.words[0] for one in papers_about(play.state, CHIT)}
    picked = {side: written[of_side(battle, side).powers[0]] for side in SIDES}
    if not battle.announced:
        sides = tuple(side for side in SIDES if picked[side] == OUTFLANK)
        play.emit(OutflankAnnounced(sides=sides, rules=("EIA 7.5.2.2",)))
    if not battle.divided:
        side = chits.who_divides(picked[ATTACKER], picked[DEFENDER])
        if side:
            force = of_side(battle, side)
            ways = flanks(play.state, force)
            play.ask(DIVIDE, force.powers[0], ways, side, battle.area, rules=("EIA 7.5.2.3",))
            return
        play.emit(Divided(side="", around=(), rules=("EIA 7.5.2.2",)))
    reveal(play, CHIT, "EIA 7.5.2.4")
    now = play.state.campaign.battle or battle
    start = (
        morale(play.tables, play.state, now, ATTACKER),
        morale(play.tables, play.state, now, DEFENDER),
    )
    play.emit(
        ChitsShown(
            attacker=picked[ATTACKER], defender=picked[DEFENDER], morale=start, rules=("EIA 7.5.2.4", RECONSTRUCTED)
        )
    )


def flanks(state: State, force: Force) -> tuple[str, ...]:
    """Return every possible outflanking force, each as one word: ids of corps with commas between.

    At least one corps that is not artillery stays in the pinning force, and all artillery. Irregulars always go.
    Leaders stay, but their corps may go: `divided` moves the leader. Rules: EIA 7.5.2.3.1, 7.5.2.3.2
    """
    there = [state.corps[one] for one in force.corps if one in state.corps]
    irregulars = [one.id for one in there if one.kind not in CORPS]
    able = [one.id for one in there if one.kind in CORPS and one.kind != ARTILLERY]
    return tuple(",".join((*some, *irregulars)) for size in range(1, len(able)) for some in combinations(able, size))


def divided(play: Play, question: Question, choice: str) -> None:
    """Divide a force; leaders of outflanking corps join a corps of the pinning force. Rules: EIA 7.5.2.3"""
    side = question.about[0]
    around = tuple(choice.split(","))
    state, battle = play.state, play.state.campaign.battle
    if battle is not None:
        pinning = [
            state.corps[one]
            for one in of_side(battle, side).corps
            if one in state.corps and one not in around and state.corps[one].kind in CORPS
        ]
        for leader in state.leaders.values():
            if leader.where in around:
                near = _nearest(pinning, leader.power)
                play.emit(LeaderMoved(leader=leader.id, where=near.id, rules=("EIA 7.5.2.3.1",)))
    play.emit(Divided(side=side, around=around, rules=("EIA 7.5.2.3.1", "EIA 7.5.2.3.2")))


def _nearest(pinning: list[Corps], power: str) -> Corps:
    """Return the corps that a leader of a Power joins: one of its own if possible, no artillery if possible."""
    return min(pinning, key=lambda one: (one.power != power, one.kind == ARTILLERY))


def _pairing(play: Play, battle: Battle) -> Pairing:
    return play.tables.field_combat.pairing(battle.attacker.chit, battle.defender.chit, battle.river)


def _shifts(tables: Tables, area: str) -> Shifts:
    """What the terrain of an area does to the tables."""
    return tables.field_combat.terrain.get(tables.areas[area].terrain, PLAIN)


def _try_withdrawal(play: Play, battle: Battle, modifier: int) -> None:
    """The defender rolls to get away with his whole force. Rules: EIA 7.5.2.5, 7.5.2.5.1"""
    strategic, _ = ratings(play.tables, play.state, battle.defender)
    die = play.roll()
    away = chits.succeeds(die, strategic, modifier)
    play.emit(WithdrawalRolled(die=die, needed=strategic + modifier, away=away, rules=("EIA 7.5.2.5",)))
    if away:
        leaves(play, DEFENDER, "withdrawn")


def _arrives(play: Play, battle: Battle, pairing: Pairing) -> None:
    """Roll for the outflanking force before rounds 2 and 3."""
    side = ATTACKER if battle.attacker.around else DEFENDER
    strategic, _ = ratings(play.tables, play.state, of_side(battle, side))
    needed = strategic + pairing.outflank[battle.round - 1] + _shifts(play.tables, battle.area).outflank
    die = play.roll()
    play.emit(FlankRolled(die=die, needed=needed, arrived=die <= needed, rules=(RECONSTRUCTED,)))


def _next_round(play: Play, battle: Battle, pairing: Pairing) -> None:
    """Fight a round; the side that breaks has lost."""
    if pairing.outflank and battle.round and not battle.arrived and battle.flank_rolls < battle.round:
        _arrives(play, battle, pairing)
        return
    number = battle.round + 1
    if levels(pairing, number, battle.arrived) == ((0, 0), (0, 0)):
        leaves(play, DEFENDER, "withdrawn")
        return
    state = play.state
    sides = (
        Side(fighting(state, battle, ATTACKER), ratings(play.tables, state, battle.attacker)[1]),
        Side(fighting(state, battle, DEFENDER), ratings(play.tables, state, battle.defender)[1]),
    )
    dice = (play.roll(), play.roll())
    shifts = _shifts(play.tables, battle.area)
    attack, defence = exchange(play.tables.field_combat, pairing, number, sides, dice, battle.arrived, shifts)
    lost = (
        strike(play, battle.attacker, defence.losses, "combat", battle),
        strike(play, battle.defender, attack.losses, "combat", battle),
    )
    left = (battle.attacker.morale - defence.morale, battle.defender.morale - attack.morale)
    play.emit(
        RoundFought(
            number=number,
            attacker=_volley(attack),
            defender=_volley(defence),
            morale=left,
            lost=lost,
            rules=(RECONSTRUCTED,),
        )
    )
    now = play.state.campaign.battle or battle
    loser = loser_of(*left, fighting(play.state, now, ATTACKER), fighting(play.state, now, DEFENDER))
    if loser:
        conclude(play, DEFENDER if loser == ATTACKER else ATTACKER, "broken")


def _volley(blow: Blow) -> Volley:
    return Volley(
        table=blow.table,
        die=blow.die,
        modifier=blow.modifier,
        percent=blow.percent,
        losses=blow.losses,
        morale=blow.morale,
    )


def _end_of_day(play: Play, battle: Battle) -> None:
    """Nobody has broken: each side may leave, the attacker first; else another day follows, while there is one left.

    After the last day the attacker leaves (ours: 7.5.2.13 is missing).
    """
    if battle.day >= play.tables.number(DAYS):
        leaves(play, ATTACKER, "undecided")
        return
    for side in SIDES:
        if side not in battle.fights_on:
            play.ask(DAY, of_side(battle, side).powers[0], (FIGHT, LEAVE), side, battle.area, rules=(RECONSTRUCTED,))
            return
    attacker = replace(battle.attacker, chit="", around=(), morale=0)
    defender = replace(battle.defender, chit="", around=(), morale=0)
    day = Battle(area=battle.area, attacker=attacker, defender=defender, river=battle.river, day=battle.day + 1)
    play.emit(BattleBegan(battle=day, rules=(RECONSTRUCTED,)))


def day_answered(play: Play, question: Question, choice: str) -> None:
    """Whether a side fights on."""
    side = question.about[0]
    if choice == FIGHT:
        play.emit(FightsOn(side=side, rules=(RECONSTRUCTED,)))
    else:
        leaves(play, side, "left the field")
