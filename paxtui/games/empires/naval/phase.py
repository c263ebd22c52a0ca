"""The naval steps of the sequence of play: acting Powers, possible actions, automatic parts.

Rules: EIA 5.1, 6.1, 6.2, 6.3
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.empires.calendar import LAND, LANDED, NAVAL, REINFORCEMENT
from paxtui.games.empires.events.sea import Drowned, LeaderWent, NavalSequenceEnded, VoyageSet
from paxtui.games.empires.naval import combat, reinforcement, retreat, sailing
from paxtui.games.empires.naval import fleets as stations
from paxtui.games.empires.naval.fleets import (
    adjacent_places,
    can_blockade,
    check_step,
    combined_powers,
    place_kind,
    place_name,
    place_of_fleet,
    port_at,
    short_route,
    stack_at,
    step_points,
)
from paxtui.games.empires.naval.sailing import (
    ALLOWANCE,
    CONSENT,
    answer_consent,
    can_step,
    end_voyage,
    sail_stack,
    sail_step,
    stopping_routes,
)
from paxtui.games.empires.orders import Action, AttackFleet, PlaceFleet, PlaceShips, Sail, Scuttle, TransferShips
from paxtui.games.empires.pieces import Encounter, Stage
from paxtui.games.empires.politics.peace import check_fleets_left
from paxtui.games.empires.state import State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import (
    ActionHandlers,
    AnswerHandlers,
    RulesByStep,
    SequenceStep,
    Transaction,
    no_powers,
    refuse,
)

COMBAT_STAGES: Mapping[Stage, Callable[[Transaction, Encounter], None]] = {
    "evasion": combat.ask_evasion,
    "guns": combat.ask_harbour_guns,
    "wind": combat.settle_wind,
    "fire": combat.fire_broadsides,
    "losses": combat.settle_losses,
    "result": retreat.decide_combat,
    "retreat": retreat.retreat_fleets,
    "pursuit": retreat.ask_pursuit,
    "entry": retreat.ask_port_entry,
}
"""The function of each stage of a naval combat."""


def continue_combat(play: Transaction) -> None:
    """Continue the current combat. Outside the naval phase, move fleets out of ports that have fallen.

    Rules: EIA 6.2.6, 6.3.5
    """
    fight = play.state.at_sea.encounter
    if fight is not None:
        COMBAT_STAGES[fight.stage](play, fight)
    else:
        retreat.evacuate_fallen_ports(play)


def continue_voyage(play: Transaction) -> None:
    """Resolve interceptions of the stack that sails, and continue its route.

    Rules: EIA 6.2.2, 6.2.3
    """
    voyage = play.state.at_sea.voyage
    if voyage is None:
        return
    if voyage.entered:
        sailing.offer_interception(play, voyage)
    elif voyage.route:
        fleets = sailing.sailing_fleets(play.state, voyage)
        try:
            check_step(play.tables, play.state, fleets, voyage.place, voyage.route[0], len(voyage.route) == 1)
        except Refusal:  # what has happened on the way has closed it
            play.emit(VoyageSet(voyage=replace(voyage, route=())))
        else:
            sail_step(play, voyage)


def voyage_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Offer each destination of a stack, or of one of its fleets, by the shortest route; combined allies included."""
    group = tuple(one for one in combined_powers(state, power) if one in state.cursor.powers)
    own = [fleet for fleet in state.fleets.values() if fleet.power == power and fleet.id not in state.at_sea.done]
    for place in dict.fromkeys(place_of_fleet(fleet) for fleet in own):
        here = tuple(fleet for fleet in own if place_of_fleet(fleet) == place)
        joint = tuple(fleet for fleet in stack_at(state, place, group) if fleet.id not in state.at_sea.done)
        whole = (here, joint) if len(joint) > len(here) else (here,)
        for fleets in (*whole, *((fleet,) for fleet in here if len(here) > 1)):
            names = tuple(fleet.id for fleet in fleets)
            for route in stopping_routes(tables, state, fleets, place):
                yield Sail(fleets=names, route=short_route(tables, place, route))


def check_may_stop(play: Transaction, power: str) -> None:
    """Refuse to end movement with a stack in a blockade box where it has no enemy. Raises: Refusal.

    Rules: EIA 6.2.7.1
    """
    tables, state = play.tables, play.state
    check_fleets_left(play, power)
    voyage = state.at_sea.voyage
    stuck = {
        place_of_fleet(fleet)
        for fleet in state.fleets.values()
        if fleet.power == power
        and place_kind(tables, place_of_fleet(fleet)) == "box"
        and fleet.id not in state.at_sea.done
        and not can_blockade(tables, state, power, port_at(place_of_fleet(fleet)))
        and any(
            fleet.moved + step_points(tables, place_of_fleet(fleet), place) <= ALLOWANCE
            and can_step(tables, state, (fleet,), place_of_fleet(fleet), place, True)
            for place in adjacent_places(tables, place_of_fleet(fleet))
        )
    }
    if voyage is not None and voyage.route:
        refuse("sailing", "A stack is still under way.", "EIA 6.2.2.4")
    if stuck:
        names = ", ".join(place_name(tables, place) for place in sorted(stuck))
        refuse("no_blockade", f"Without an enemy there a stack must leave the blockade box: {names}.", "EIA 6.2.7.1")


def close_combat(play: Transaction) -> None:
    """End the naval sequence. After the last one, Powers pay for stations.

    Rules: EIA 6.1.3
    """
    play.emit(NavalSequenceEnded(powers=play.state.cursor.powers, rules=("EIA 6.1.3",)))
    if len(play.state.cursor.slots) == 1:
        stations.pay_stations(play)


def remove_unlanded_corps(play: Transaction) -> None:
    """Remove corps still aboard after the land phase, and retire leaders without any corps left.

    Rules: EIA 6.2.5.2
    """
    aboard = [corps for fleet in play.state.fleets.values() for corps in fleet.cargo]
    for corps in aboard:
        for leader in tuple(play.state.leaders.values()):
            if leader.where == corps:
                play.emit(LeaderWent(leader=leader.id, where="", rules=("EIA 6.2.5.2",)))
        play.emit(Drowned(corps=corps, why="not_landed", rules=("EIA 6.2.5.2",)))


def powers_with_fleets(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the Powers of the slot with fleets on the map or due. The step does not apply to others.

    Rules: EIA 3.0
    """
    own = {fleet.power for fleet in state.fleets.values()} | {one.power for one in state.shipyard}
    return tuple(power for power in state.cursor.powers if power in own)


def powers_near_enemies(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the Powers of the slot with a possible attack. The step does not apply to others.

    Rules: EIA 3.0, 6.2.4
    """
    return tuple(power for power in state.cursor.powers if any(combat.possible_attacks(tables, state, power)))


NAVAL_STEP_RULES: RulesByStep = {
    (REINFORCEMENT, "navy"): SequenceStep(actors=powers_with_fleets, offers=reinforcement.navy_offers),
    (NAVAL, "movement"): SequenceStep(
        actors=powers_with_fleets, offers=voyage_offers, run=continue_voyage, close=end_voyage, may_end=check_may_stop
    ),
    (NAVAL, "combat"): SequenceStep(
        actors=powers_near_enemies,
        offers=combat.possible_attacks,
        close=close_combat,
        may_end=combat.check_attacks_made,
    ),
    (LAND, LANDED): SequenceStep(actors=no_powers, close=remove_unlanded_corps),
}

_NAVY, _MOVEMENT, _COMBAT = ((REINFORCEMENT, "navy"),), ((NAVAL, "movement"),), ((NAVAL, "combat"),)

NAVAL_ACTS: ActionHandlers = {
    Sail: (_MOVEMENT, sail_stack),
    AttackFleet: (_COMBAT, combat.attack_stack),
    PlaceShips: (_NAVY, reinforcement.place_ships),
    PlaceFleet: (_NAVY, reinforcement.place_fleet),
    TransferShips: (_NAVY, reinforcement.transfer_ships),
    Scuttle: (_NAVY, reinforcement.scuttle_fleet),
}

NAVAL_ANSWERS: AnswerHandlers = {
    CONSENT: answer_consent,
    sailing.CHANCE: sailing.answer_interception,
    combat.EVASION: combat.answer_evasion,
    combat.GUNS: combat.answer_guns,
    combat.LOSSES: combat.answer_losses,
    retreat.RETREAT: retreat.answer_retreat,
    retreat.DRIVEN: retreat.answer_sea_area,
    retreat.PURSUIT: retreat.answer_pursuit,
    retreat.ENTRY: retreat.answer_port_entry,
    retreat.LEAVE: retreat.answer_leave_port,
    retreat.BESET: retreat.answer_blockaded_exit,
}
