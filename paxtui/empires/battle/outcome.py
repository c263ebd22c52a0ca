"""What a field combat leaves: points, pursuit, retreat, depots and cities. Reconstructed; every number is ours.

The text breaks off in 7.5.2.5.2. Victory, pursuit and retreat are built after what its earlier sections presuppose.
"""

from __future__ import annotations

from collections.abc import Collection

from paxtui.empires.battle.declaring import DEPOT, field_counters
from paxtui.empires.battle.forces import of_side, strike
from paxtui.empires.battle.occupying import ask
from paxtui.empires.battle.rounds import losses
from paxtui.empires.history.attack_events import AttackOver
from paxtui.empires.history.battle_events import BattleOver, Retreated
from paxtui.empires.history.land_events import CorpsStrength, DepotRemoved, GarrisonStrength
from paxtui.empires.land.enemy_depots import may_take_over, take_over
from paxtui.empires.land.movement import lift_empty_sieges
from paxtui.empires.play.factors import NONE
from paxtui.empires.play.play import Play
from paxtui.empires.play.presence import city_holders, depot_at, enemy_corps, is_corps, open_land
from paxtui.empires.play.standing import at_war, owner
from paxtui.empires.state.campaign import Battle, Force
from paxtui.empires.state.model import State
from paxtui.empires.state.questions import Question
from paxtui.empires.supply.chains import within
from paxtui.empires.supply.feeding import orphan_leaders
from paxtui.empires.supply.lines import depots_of, neighbours
from paxtui.empires.tables.tables import Tables

ATTACKER, DEFENDER = "attacker", "defender"

PRIZE = "captured_depot"
"""What a victor is asked about a depot that the enemy has left."""

DESTROY, CONVERT, LEAVE = "destroy", "convert", "leave"

FAR = 12
"""Areas within which a retreat looks for a depot."""

RECONSTRUCTED = "EIA 7.5.2 (reconstructed)"


def conclude(play: Play, winner: str, why: str) -> None:
    """A field combat is over.

    Args: the play; "attacker" or "defender", "" where a side has only got away; how.
    """
    battle = play.state.campaign.battle
    if battle is None:
        return
    loser = battle.defender if winner == ATTACKER else battle.attacker
    victor = battle.attacker if winner == ATTACKER else battle.defender
    play.emit(BattleOver(area=battle.area, winner=victor.powers[0] if winner else "", why=why, rules=(RECONSTRUCTED,)))
    if winner:
        _score(play, battle, victor, loser)
        _pursue(play, victor, loser)
        retreat(play, loser, battle.area)
    play.emit(AttackOver(area=battle.area))
    lift_empty_sieges(play)
    prizes(play, battle.area, battle.attacker.powers[0])


def leaves(play: Play, side: str, why: str) -> None:
    """A side leaves the field without a defeat; the combat is over. Args: the play; the side; how."""
    battle = play.state.campaign.battle
    if battle is None:
        return
    play.emit(BattleOver(area=battle.area, winner="", why=why, rules=(RECONSTRUCTED,)))
    retreat(play, of_side(battle, side), battle.area)
    play.emit(AttackOver(area=battle.area))
    lift_empty_sieges(play)
    prizes(play, battle.area, battle.attacker.powers[0])


def _score(play: Play, battle: Battle, victor: Force, loser: Force) -> None:
    """Political points: more where the beaten force was large (ours)."""
    points = play.tables.number("points.battle")
    if len([one for one in loser.corps if not one.startswith(DEPOT)]) >= play.tables.number("battle.large"):
        points += play.tables.number("points.battle.large")
    name = play.tables.name(battle.area)
    for power in victor.powers:
        play.points(power, points, f"field combat won in {name}", RECONSTRUCTED)
    for power in loser.powers:
        play.points(power, -points, f"field combat lost in {name}", RECONSTRUCTED)


def _pursue(play: Play, victor: Force, loser: Force) -> None:
    """The victor's cavalry pursues: a die names the percentage (ours)."""
    battle_corps = [play.state.corps[one] for one in victor.corps if one in play.state.corps]
    cavalry = sum(one.factors.cavalry for one in battle_corps)
    if not cavalry:
        return
    die = play.roll()
    percent = play.tables.number(f"pursuit.{die}")
    strike(play, loser, losses(play.tables.field_combat, percent, cavalry), f"pursuit, die {die}")


def retreat(play: Play, force: Force, area: str) -> None:
    """What is left of a force goes into one adjacent area; where it cannot, it is lost (ours)."""
    state = play.state
    there = [state.corps[one] for one in force.corps if one in state.corps and state.corps[one].where == area]
    for power in force.powers:
        own = [one for one in there if one.power == power]
        to = refuge(play.tables, play.state, power, area, [one.id for one in own]) if own else ""
        for one in own:
            if to:
                play.emit(Retreated(corps=one.id, to=to, rules=(RECONSTRUCTED,)))
            else:
                play.emit(CorpsStrength(corps=one.id, factors=NONE, why="no retreat", rules=(RECONSTRUCTED,)))
                orphan_leaders(play, one)
    if force.garrison:
        for one_ in state.garrisons:
            if one_.where == area and one_.of_depot and one_.power in force.powers:
                play.emit(
                    GarrisonStrength(
                        where=area, power=one_.power, of_depot=True, factors=NONE, why="taken", rules=(RECONSTRUCTED,)
                    )
                )


def refuge(tables: Tables, state: State, power: str, area: str, corps: list[str]) -> str:
    """Where a beaten force goes: to where it came from, else as near to its own depots as it can; "": nowhere."""
    near = retreat_areas(tables, state, power, area)
    treks = [state.campaign.treks[one] for one in corps if one in state.campaign.treks]
    came = {(trek.path[-2] if len(trek.path) > 1 else trek.start) for trek in treks if trek.path}
    depots = depots_of(tables, state, power)

    def far(one: str) -> tuple[bool, int, str]:
        return one not in came, distance_to(tables, state, power, one, depots), one

    return min(near, key=far, default="")


def retreat_areas(tables: Tables, state: State, power: str, area: str) -> tuple[str, ...]:
    """Return the adjacent areas that a Power may enter and where no enemy counter stands."""
    return tuple(
        one
        for one in tables.ways[area]
        if not tables.areas[one].sea
        and open_land(tables, state, power, one)
        and not enemy_corps(state, power, one)
        and not any(at_war(state, power, foe.power) for foe in state.corps.values() if foe.where == one)
    )


def distance_to(tables: Tables, state: State, power: str, area: str, goals: Collection[str]) -> int:
    """Return the number of areas from an area to the nearest of some others, `FAR` + 1 if none is near."""
    reach = within(area, FAR, neighbours(tables, state, power), lambda each: False)
    return min((reach[goal] for goal in goals if goal in reach), default=FAR + 1)


def prizes(play: Play, area: str, power: str) -> None:
    """What an attacker who stands there still may take: a vacant city, and a depot that the enemy has left.

    Rules: EIA 7.3.6.2, 7.5.1.3
    """
    state = play.state
    here = [one for one in field_counters(state, power, area) if is_corps(one)]
    if not here or state.result is not None:
        return
    vacant = play.tables.areas[area].city and not city_holders(state, area)
    if vacant and owner(play.tables, state, area) != power:
        ask(play, power, area)
    found = depot_at(state, area)
    guarded = any(one.where == area and one.of_depot for one in state.garrisons)
    beaten = not any(
        at_war(state, power, one.power) for one in state.corps.values() if one.where == area and not one.inside
    )
    if found and at_war(state, power, found.power) and beaten and not guarded:
        choices = (DESTROY, *((CONVERT,) if may_take_over(play, power, area) else ()), LEAVE)
        play.ask(PRIZE, power, choices, area, rules=("EIA 7.3.6.2",))


def prize_answered(play: Play, question: Question, choice: str) -> None:
    """What becomes of a depot that the enemy has left. Rules: EIA 7.3.6.2"""
    area = question.about[0]
    found = depot_at(play.state, area)
    if found is None:
        return
    if choice == DESTROY:
        play.emit(DepotRemoved(where=area, power=found.power, why="captured", rules=("EIA 7.3.6.2",)))
    elif choice == CONVERT:
        take_over(play, question.power, area, found)
