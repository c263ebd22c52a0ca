"""The steps of army reinforcement and of the land phase: acting Powers, possible actions, automatic acts."""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.games.empires import orders, supply_step
from paxtui.games.empires.battle import attacks, choices, field_combat, outcome, sides, siege
from paxtui.games.empires.board import (
    NO_FACTORS,
    city_holders,
    controller,
    is_corps,
    selections,
    single_factors,
    whole_and_single_factors,
)
from paxtui.games.empires.calendar import LAND, REINFORCEMENT, end_exercise
from paxtui.games.empires.events.land import AttackOver, BattleBegan
from paxtui.games.empires.land import depots, garrisons, movement, reinforcement
from paxtui.games.empires.orders import Action
from paxtui.games.empires.pieces import Attack
from paxtui.games.empires.state import State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import (
    ActionHandlers,
    AnswerHandlers,
    RulesByStep,
    SequenceStep,
    Transaction,
    refuse,
)

ARMY = (REINFORCEMENT, "army")
DEPOTS, MOVEMENT, SUPPLY, COMBAT = (LAND, "depots"), (LAND, "movement"), (LAND, "supply"), (LAND, "combat")


def _army_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    yield from reinforcement.reinforcement_offers(tables, state, power, whole_and_single_factors)
    yield from reinforcement.exchange_offers(state, power, single_factors)


def _all_army_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    yield from reinforcement.reinforcement_offers(tables, state, power, selections)
    yield from reinforcement.exchange_offers(state, power, selections)


def _movement_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    yield from movement.movement_offers(tables, state, power)
    yield from depots.enemy_depot_offers(state, power)
    yield from supply_step.supply_offers(tables, state, power)
    yield from garrisons.garrison_offers(tables, state, power, single_factors)
    yield from sides.loss_order_offers(state, power)


def _all_movement_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    yield from movement.all_movement_offers(tables, state, power)
    yield from depots.enemy_depot_offers(state, power)
    yield from supply_step.supply_offers(tables, state, power)
    yield from garrisons.garrison_offers(tables, state, power, selections)
    yield from sides.loss_order_offers(state, power)


def _run_movement(play: Transaction) -> None:
    """Settle the order of allies, and supply the corps that moved last. Rules: EIA 7.3.8.1, 7.4.1.1"""
    movement.settle_move_order(play)
    supply_step.end_last_march(play)


def _after_movement(play: Transaction) -> None:
    """Remove corps still aboard, end sieges without besiegers, and move port depots."""
    movement.remove_corps_aboard(play)
    movement.lift_empty_sieges(play)
    depots.move_port_depots(play)


def _run_supply(play: Transaction) -> None:
    """Fix the attacks, then resolve compulsory foraging. Rules: EIA 7.3.8, 7.4.1.1"""
    if not outcome.settle_bystanders(play):
        supply_step.run_forced_foraging(play)


def _run_combat(play: Transaction) -> None:
    """Resolve the attacks one after the other. Rules: EIA 7.5.1.3"""
    state = play.state
    if state.campaign.battle is not None:
        field_combat.run_field_combat(play)
        return
    if state.campaign.assault is not None:
        siege.continue_assault(play, state.campaign.assault)
        return
    most = play.tables.exercise.battles
    if most and state.campaign.fought >= most:
        end_exercise(play, f"{most} field combats were fought.")
        return
    fallen = (one for one in state.campaign.sieges if not siege.is_relief_declared(play.tables, state, one))
    if outcome.ask_fallen_cities(play, tuple(fallen)):
        return
    complete = play.tables.exercise.complete
    if complete and not state.campaign.engaged and siege.ask_sorties(play):
        return
    attack = attacks.current_attack(state)
    if attack is None:
        if state.campaign.attacks:
            attacks.ask_next_attack(play)
        elif complete:
            siege.ask_assaults(play)
        return
    if not any(attacks.field_counters(state, power, attack.area) for power in attack.attackers):
        play.emit(AttackOver(area=attack.area))
        return
    if attacks.ask_to_retire(play, attack):
        return
    left = attacks.defenders_outside(play.state, attack)
    if not left:
        _resolve_unopposed(play, attack)
    elif any(name in state.corps and is_corps(state.corps[name]) for name in left):
        if complete and siege.ask_corps_in_lines(play, attack):
            return
        play.emit(BattleBegan(battle=sides.begin_battle(play.state, attack), rules=("EIA 7.5.2",)))
    else:
        _overrun_forces(play, attack, left)


def _resolve_unopposed(play: Transaction, attack: Attack) -> None:
    """End an attack without defenders in the field. The city may be besieged or, if vacant, garrisoned."""
    play.emit(AttackOver(area=attack.area))
    if attacks.offer_siege(play, attack):
        return
    vacant = play.tables.areas[attack.area].city and not city_holders(play.state, attack.area)
    if vacant and controller(play.tables, play.state, attack.area) != attack.attackers[0]:
        outcome.ask_occupation(play, attack.attackers[0], attack.area)


def _overrun_forces(play: Transaction, attack: Attack, left: tuple[str, ...]) -> None:
    """Remove irregulars and depot garrisons without a corps, after a trivial combat where all rules are played.

    The rules of trivial combat (7.5.3) are missing.
    """
    if play.tables.exercise.complete:
        state = play.state
        factors = sum(attacks.force_size(state, attack.area, name)[1] for name in left)
        attackers = sides.force_of(state, attack.area, attack.attackers, attacks=True)
        siege.fight_trivial_combat(play, attack.area, attackers, factors)
    for name in left:
        if name.startswith(attacks.DEPOT):
            power = name.removeprefix(attacks.DEPOT)
            supply_step.set_garrison_factors(
                play, power, attack.area, NO_FACTORS, "overrun", outcome.RECONSTRUCTED, of_depot=True
            )
        else:
            supply_step.remove_factors(play, name, play.state.corps[name].factors, "overrun")
    battle = sides.begin_battle(play.state, attack)
    outcome.take_prizes(play, attack.area, battle.attacker.powers[0])


def _chit_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    battle = state.campaign.battle
    if battle is not None and power in field_combat.powers_without_chit(state):
        yield from sides.loss_order_offers(state, power)
        side = "attacker" if battle.attacker.powers[0] == power else "defender"
        yield from (orders.PickChit(chit) for chit in field_combat.available_chits(state, battle, side))


def _refuse_without_chit(play: Transaction, power: str) -> None:
    """Refuse `done` in a field combat. Raises: Refusal, always. Rules: EIA 7.5.2.1"""
    refuse("chit_first", "A chit has to be picked.", "EIA 7.5.2.1")


LAND_PHASE_STEPS: RulesByStep = {
    ARMY: SequenceStep(
        run=reinforcement.begin_reinforcement,
        offers=_army_offers,
        close=reinforcement.remove_unplaced,
        may_end=reinforcement.check_all_placed,
        every=_all_army_offers,
    ),
    DEPOTS: SequenceStep(run=depots.begin_sequence, offers=depots.depot_offers),
    MOVEMENT: SequenceStep(
        actors=movement.current_movers,
        run=_run_movement,
        offers=_movement_offers,
        close=_after_movement,
        every=_all_movement_offers,
    ),
    SUPPLY: SequenceStep(
        actors=supply_step.powers_with_choices,
        run=_run_supply,
        offers=supply_step.supply_offers,
        close=supply_step.pay_and_starve,
        may_end=supply_step.check_bill_payable,
    ),
    COMBAT: SequenceStep(
        actors=lambda tables, state: field_combat.powers_without_chit(state),
        run=_run_combat,
        offers=_chit_offers,
        may_end=_refuse_without_chit,
    ),
}

LAND_PHASE_ACTS: ActionHandlers = {
    orders.Reinforce: ((ARMY,), reinforcement.place_reinforcement),
    orders.Exchange: ((ARMY,), reinforcement.exchange_factors),
    orders.Demobilize: ((ARMY,), reinforcement.demobilize_forces),
    orders.Retire: ((ARMY,), reinforcement.retire_leader),
    orders.Appoint: ((ARMY,), reinforcement.appoint_leader),
    orders.PlaceDepot: ((DEPOTS,), depots.place_depot),
    orders.RemoveDepot: ((DEPOTS,), depots.remove_depot),
    orders.March: ((MOVEMENT,), movement.march_counter),
    orders.ForceMarch: ((MOVEMENT,), movement.march_counter),
    orders.Disembark: ((MOVEMENT,), movement.disembark_corps),
    orders.Detach: ((MOVEMENT,), garrisons.detach_factors),
    orders.Absorb: ((MOVEMENT,), garrisons.absorb_factors),
    orders.Enter: ((MOVEMENT,), garrisons.enter_city),
    orders.Leave: ((MOVEMENT,), garrisons.leave_city),
    orders.Besiege: ((MOVEMENT,), garrisons.besiege_city),
    orders.LiftSiege: ((MOVEMENT,), garrisons.lift_siege),
    orders.DestroyDepot: ((MOVEMENT,), depots.destroy_depot),
    orders.ConvertDepot: ((MOVEMENT,), depots.convert_depot),
    orders.Forage: ((MOVEMENT, SUPPLY), supply_step.forage_corps),
    orders.AskSupply: ((MOVEMENT, SUPPLY), supply_step.ask_ally),
    orders.PickChit: ((COMBAT,), field_combat.pick_chit),
    orders.ChooseLosses: ((MOVEMENT, COMBAT), sides.choose_losses),
}

LAND_PHASE_ANSWERS: AnswerHandlers = {
    depots.BURN: depots.answer_depot_owner,
    supply_step.LOSSES: supply_step.answer_corps_loss,
    supply_step.BEHIND: supply_step.answer_detached_loss,
    movement.FIRST: movement.answer_move_order,
    outcome.JOIN: outcome.answer_join,
    outcome.LEAVE_AREA: outcome.answer_leave_area,
    supply_step.ALLIED: supply_step.answer_ally_supply,
    attacks.NEXT: attacks.answer_next_attack,
    attacks.RETIRE: attacks.answer_retirement,
    attacks.TOGETHER: attacks.answer_joint_retirement,
    attacks.SIEGE: attacks.answer_siege,
    field_combat.DIVIDE: field_combat.answer_division,
    field_combat.DAY: field_combat.answer_another_day,
    choices.LOSSES: choices.answer_losses,
    choices.GUARD: choices.answer_guard,
    choices.SUPPORT: choices.answer_support,
    choices.REFUGE: choices.answer_refuge,
    siege.ASSAULT: siege.answer_assault,
    siege.LOSSES: siege.answer_losses,
    siege.SORTIE: siege.answer_sortie,
    siege.HOLD: siege.answer_corps_in_lines,
    outcome.PRIZE: outcome.answer_prize,
    outcome.OCCUPY: outcome.answer_occupation,
}
