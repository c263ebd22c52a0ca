"""The steps of the land phase and of army reinforcement: who acts, what is offered, what goes on by itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from paxtui.empires.battle import bystanders, declaring, field, forces, occupying, outcome
from paxtui.empires.history.attack_events import AttackOver
from paxtui.empires.history.battle_events import BattleBegan
from paxtui.empires.history.land_events import GarrisonStrength
from paxtui.empires.land import (
    combined,
    depots,
    enemy_depots,
    exchanges,
    garrisons,
    movement,
    port_depots,
    reinforcement,
)
from paxtui.empires.orders import actions_land as ac
from paxtui.empires.orders.action import Action
from paxtui.empires.play.factors import NONE
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.presence import city_holders, is_corps
from paxtui.empires.play.standing import owner
from paxtui.empires.play.steps import Acts, Answers, Step, Steps
from paxtui.empires.state.campaign import Attack
from paxtui.empires.state.model import State
from paxtui.empires.supply import feeding, rations
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.order_of_powers import LAND, REINFORCEMENT
from paxtui.empires.time.time_record import end

ARMY = (REINFORCEMENT, "army")
DEPOTS, MOVEMENT, SUPPLY, COMBAT = (LAND, "depots"), (LAND, "movement"), (LAND, "supply"), (LAND, "combat")


def _army_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    return chain(reinforcement.offers(tables, state, power), exchanges.offers(tables, state, power))


def _movement_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    return chain(
        movement.offers(tables, state, power),
        enemy_depots.offers(tables, state, power),
        rations.offers(tables, state, power),
        garrisons.offers(tables, state, power),
    )


def _every_army_offer(tables: Tables, state: State, power: str) -> Iterator[Action]:
    return chain(reinforcement.every_offer(tables, state, power), exchanges.every_offer(tables, state, power))


def _every_movement_offer(tables: Tables, state: State, power: str) -> Iterator[Action]:
    return chain(
        movement.every_offer(tables, state, power),
        enemy_depots.offers(tables, state, power),
        rations.offers(tables, state, power),
        garrisons.every_offer(tables, state, power),
    )


def _movement(play: Play) -> None:
    """Settle the order of allies, and supply the corps that moved last. Rules: EIA 7.3.8.1, 7.4.1.1"""
    combined.run(play)
    rations.end_last_march(play)


def _after_movement(play: Play) -> None:
    """Who is still aboard is lost, sieges that nobody keeps up end, and port depots move."""
    movement.aboard_lost(play)
    movement.lift_empty_sieges(play)
    port_depots.come_out(play)


def _supply(play: Play) -> None:
    """The attacks stand, then who must forage does so. Rules: EIA 7.3.8, 7.4.1.1"""
    if not bystanders.run(play):
        rations.run(play)


def _combat(play: Play) -> None:
    """Resolve the attacks one after the other. Rules: EIA 7.5.1.3"""
    state = play.state
    if state.campaign.battle is not None:
        field.run(play)
        return
    most = play.tables.exercise.battles
    if most and state.campaign.fought >= most:
        end(play, f"{most} field combats were fought.")
        return
    if occupying.fallen(play):
        return
    attack = declaring.engaged(state)
    if attack is None:
        if state.campaign.attacks:
            declaring.choose(play)
        return
    if not any(declaring.field_counters(state, power, attack.area) for power in attack.attackers):
        play.emit(AttackOver(area=attack.area))
        return
    if declaring.ask_to_retire(play, attack):
        return
    left = declaring.exposed(play.state, attack)
    if not left:
        _unopposed(play, attack)
    elif any(name in state.corps and is_corps(state.corps[name]) for name in left):
        play.emit(BattleBegan(battle=forces.begin(play.state, attack), rules=("EIA 7.5.2",)))
    else:
        _overrun(play, attack, left)


def _unopposed(play: Play, attack: Attack) -> None:
    """Nobody is left in the field: the attack is over, and the city may be besieged or, where vacant, garrisoned."""
    play.emit(AttackOver(area=attack.area))
    if declaring.offer_siege(play, attack):
        return
    vacant = play.tables.areas[attack.area].city and not city_holders(play.state, attack.area)
    if vacant and owner(play.tables, play.state, attack.area) != attack.attackers[0]:
        occupying.ask(play, attack.attackers[0], attack.area)


def _overrun(play: Play, attack: Attack, left: tuple[str, ...]) -> None:
    """Irregulars and depot garrisons without a corps are swept away (ours: trivial combat, 7.5.3, is missing)."""
    rules = (outcome.RECONSTRUCTED,)
    for name in left:
        if name.startswith(declaring.DEPOT):
            power = name.removeprefix(declaring.DEPOT)
            play.emit(
                GarrisonStrength(
                    where=attack.area, power=power, of_depot=True, factors=NONE, why="overrun", rules=rules
                )
            )
        else:
            feeding.lose(play, name, play.state.corps[name].factors, "overrun")
    battle = forces.begin(play.state, attack)
    outcome.prizes(play, attack.area, battle.attacker.powers[0])


def _fighters(tables: Tables, state: State) -> tuple[str, ...]:
    return field.choosers(state)


def _chits(tables: Tables, state: State, power: str) -> Iterator[Action]:
    battle = state.campaign.battle
    if battle is not None and power in field.choosers(state):
        side = "attacker" if battle.attacker.powers[0] == power else "defender"
        yield from (ac.PickChit(chit) for chit in field.open_to(state, battle, side))


def _not_before_the_chit(play: Play, power: str) -> None:
    """Refuse to be done in a field combat. Raises: Refusal, always. Rules: EIA 7.5.2.1"""
    refuse("chit_first", "A chit has to be picked.", "EIA 7.5.2.1")


STEPS: Steps = {
    ARMY: Step(
        run=reinforcement.muster,
        offers=_army_offers,
        close=reinforcement.lapse,
        may_end=reinforcement.check_placed,
        every=_every_army_offer,
    ),
    DEPOTS: Step(run=depots.begin, offers=depots.offers),
    MOVEMENT: Step(
        actors=combined.movers,
        run=_movement,
        offers=_movement_offers,
        close=_after_movement,
        every=_every_movement_offer,
    ),
    SUPPLY: Step(
        actors=rations.actors, run=_supply, offers=rations.offers, close=rations.close, may_end=rations.check_done
    ),
    COMBAT: Step(actors=_fighters, run=_combat, offers=_chits, may_end=_not_before_the_chit),
}

ACTS: Acts = {
    ac.Reinforce: ((ARMY,), reinforcement.reinforce),
    ac.Exchange: ((ARMY,), exchanges.exchange),
    ac.Demobilize: ((ARMY,), exchanges.demobilize),
    ac.Retire: ((ARMY,), exchanges.retire),
    ac.Appoint: ((ARMY,), exchanges.appoint),
    ac.PlaceDepot: ((DEPOTS,), depots.place),
    ac.RemoveDepot: ((DEPOTS,), depots.remove),
    ac.March: ((MOVEMENT,), movement.march),
    ac.ForceMarch: ((MOVEMENT,), movement.march),
    ac.Disembark: ((MOVEMENT,), movement.disembark),
    ac.Detach: ((MOVEMENT,), garrisons.detach),
    ac.Absorb: ((MOVEMENT,), garrisons.absorb),
    ac.Enter: ((MOVEMENT,), garrisons.enter),
    ac.Leave: ((MOVEMENT,), garrisons.leave),
    ac.Besiege: ((MOVEMENT,), garrisons.besiege),
    ac.LiftSiege: ((MOVEMENT,), garrisons.lift),
    ac.DestroyDepot: ((MOVEMENT,), enemy_depots.destroy),
    ac.ConvertDepot: ((MOVEMENT,), enemy_depots.convert),
    ac.Forage: ((MOVEMENT, SUPPLY), rations.to_forage),
    ac.AskSupply: ((MOVEMENT, SUPPLY), rations.ask_ally),
    ac.PickChit: ((COMBAT,), field.pick),
}

ANSWERS: Answers = {
    enemy_depots.BURN: enemy_depots.burn,
    feeding.LOSSES: feeding.lost_by_choice,
    feeding.BEHIND: feeding.lost_behind,
    combined.FIRST: combined.proposed,
    bystanders.JOIN: bystanders.joined,
    bystanders.LEAVE_AREA: bystanders.area_left,
    rations.ALLIED: rations.ally_answers,
    declaring.NEXT: declaring.chosen,
    declaring.RETIRE: declaring.retired,
    declaring.TOGETHER: declaring.agreed_together,
    declaring.SIEGE: declaring.siege_answered,
    field.DIVIDE: field.divided,
    field.DAY: field.day_answered,
    outcome.PRIZE: outcome.prize_answered,
    occupying.OCCUPY: occupying.answered,
}
