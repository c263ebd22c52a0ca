"""The naval steps as the sequence of the month knows them: who acts, what is offered, what goes on by itself.

Rules: EIA 5.1, 6.1, 6.2, 6.3
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from paxtui.empires.history.sea_events import Drowned, LeaderWent, NavalSequenceEnded, VoyageSet
from paxtui.empires.naval import attacks, fallen_ports, interception, reinforcement, stations
from paxtui.empires.naval.battle import broadsides, result, retreat
from paxtui.empires.naval.entering import check, may_blockade
from paxtui.empires.naval.places import beside, cost, kind, name_of, place_of, port_of, spoken
from paxtui.empires.naval.sailing import ALLOWANCE, CONSENT, can_step, consented, end_voyage, routes, sail, step
from paxtui.empires.naval.stacks import group_of, stack
from paxtui.empires.orders.action import Action
from paxtui.empires.orders.actions_sea import AttackFleet, PlaceFleet, PlaceShips, Sail, Scuttle, TransferShips
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.steps import Acts, Answers, Step, Steps
from paxtui.empires.politics.going_home import check_left
from paxtui.empires.state.model import State
from paxtui.empires.state.sea import Encounter, Stage
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.order_of_powers import LAND, LANDED, NAVAL, REINFORCEMENT
from paxtui.engine.refusal import Refusal

STAGES: Mapping[Stage, Callable[[Play, Encounter], None]] = {
    "evasion": broadsides.evasion,
    "guns": broadsides.guns,
    "wind": broadsides.wind,
    "fire": broadsides.fire,
    "losses": broadsides.losses,
    "result": result.decide,
    "retreat": retreat.retreat,
    "pursuit": retreat.pursuit,
    "entry": retreat.entry,
}
"""What a naval combat does at each of its stages."""


def at_sea(play: Play) -> None:
    """A combat that goes on goes on; outside the naval phase fleets leave ports that have fallen.

    Rules: EIA 6.2.6, 6.3.5
    """
    fight = play.state.at_sea.encounter
    if fight is not None:
        STAGES[fight.stage](play, fight)
    else:
        fallen_ports.run(play)


def moving(play: Play) -> None:
    """The stack that sails meets whoever intercepts it, and goes on along its route.

    Rules: EIA 6.2.2, 6.2.3
    """
    voyage = play.state.at_sea.voyage
    if voyage is None:
        return
    if voyage.entered:
        interception.offer(play, voyage)
    elif voyage.route:
        fleets = interception.sailing(play.state, voyage)
        try:
            check(play.tables, play.state, fleets, voyage.place, voyage.route[0], len(voyage.route) == 1)
        except Refusal:  # what has happened on the way has closed it
            play.emit(VoyageSet(voyage=replace(voyage, route=())))
        else:
            step(play, voyage)


def voyages(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Every place that a stack, or a fleet of it, can sail to, by the shortest way; with allies who combine too."""
    group = tuple(one for one in group_of(state, power) if one in state.cursor.powers)
    own = [fleet for fleet in state.fleets.values() if fleet.power == power and fleet.id not in state.at_sea.done]
    for place in dict.fromkeys(place_of(fleet) for fleet in own):
        here = tuple(fleet for fleet in own if place_of(fleet) == place)
        joint = tuple(fleet for fleet in stack(state, place, group) if fleet.id not in state.at_sea.done)
        whole = (here, joint) if len(joint) > len(here) else (here,)
        for fleets in (*whole, *((fleet,) for fleet in here if len(here) > 1)):
            names = tuple(fleet.id for fleet in fleets)
            for route in routes(tables, state, fleets, place):
                yield Sail(fleets=names, route=spoken(tables, place, route))


def may_stop(play: Play, power: str) -> None:
    """Refuse to end movement with a stack in a blockade box where it has no enemy. Raises: Refusal.

    Rules: EIA 6.2.7.1
    """
    tables, state = play.tables, play.state
    check_left(play, power)
    voyage = state.at_sea.voyage
    stuck = {
        place_of(fleet)
        for fleet in state.fleets.values()
        if fleet.power == power
        and kind(tables, place_of(fleet)) == "box"
        and fleet.id not in state.at_sea.done
        and not may_blockade(tables, state, power, port_of(place_of(fleet)))
        and any(
            fleet.moved + cost(tables, place_of(fleet), place) <= ALLOWANCE
            and can_step(tables, state, (fleet,), place_of(fleet), place, True)
            for place in beside(tables, place_of(fleet))
        )
    }
    if voyage is not None and voyage.route:
        refuse("sailing", "A stack is still under way.", "EIA 6.2.2.4")
    if stuck:
        names = ", ".join(name_of(tables, place) for place in sorted(stuck))
        refuse("no_blockade", f"Without an enemy there a stack must leave the blockade box: {names}.", "EIA 6.2.7.1")


def close_combat(play: Play) -> None:
    """The naval sequence is over; after the last one stations are paid.

    Rules: EIA 6.1.3
    """
    play.emit(NavalSequenceEnded(powers=play.state.cursor.powers, rules=("EIA 6.1.3",)))
    if len(play.state.cursor.slots) == 1:
        stations.pay(play)


def not_landed(play: Play) -> None:
    """Corps that are still aboard after the land phase are lost; leaders without any corps left retire.

    Rules: EIA 6.2.5.2
    """
    aboard = [corps for fleet in play.state.fleets.values() for corps in fleet.cargo]
    for corps in aboard:
        for leader in tuple(play.state.leaders.values()):
            if leader.where == corps:
                play.emit(LeaderWent(leader=leader.id, where="", rules=("EIA 6.2.5.2",)))
        play.emit(Drowned(corps=corps, why="not_landed", rules=("EIA 6.2.5.2",)))


def afloat(tables: Tables, state: State) -> tuple[str, ...]:
    """Those of the slot who have fleets on the map or due; for the others the step does not apply.

    Rules: EIA 3.0
    """
    own = {fleet.power for fleet in state.fleets.values()} | {one.power for one in state.shipyard}
    return tuple(power for power in state.cursor.powers if power in own)


def engaged(tables: Tables, state: State) -> tuple[str, ...]:
    """Those of the slot beside whom an enemy lies; for the others the step does not apply.

    Rules: EIA 3.0, 6.2.4
    """
    return tuple(power for power in state.cursor.powers if any(attacks.targets(tables, state, power)))


def nobody(tables: Tables, state: State) -> tuple[str, ...]:
    """Nobody is waited for."""
    return ()


STEPS: Steps = {
    (REINFORCEMENT, "navy"): Step(actors=afloat, offers=reinforcement.offers),
    (NAVAL, "movement"): Step(actors=afloat, offers=voyages, run=moving, close=end_voyage, may_end=may_stop),
    (NAVAL, "combat"): Step(actors=engaged, offers=attacks.offers, close=close_combat, may_end=attacks.may_end),
    (LAND, LANDED): Step(actors=nobody, close=not_landed),
}

_NAVY, _MOVEMENT, _COMBAT = ((REINFORCEMENT, "navy"),), ((NAVAL, "movement"),), ((NAVAL, "combat"),)

ACTS: Acts = {
    Sail: (_MOVEMENT, sail),
    AttackFleet: (_COMBAT, attacks.attack),
    PlaceShips: (_NAVY, reinforcement.place_ships),
    PlaceFleet: (_NAVY, reinforcement.place_fleet),
    TransferShips: (_NAVY, reinforcement.transfer),
    Scuttle: (_NAVY, reinforcement.scuttle),
}

ANSWERS: Answers = {
    CONSENT: consented,
    interception.CHANCE: interception.answer,
    broadsides.EVASION: broadsides.answer_evasion,
    broadsides.GUNS: broadsides.answer_guns,
    broadsides.LOSSES: broadsides.answer_losses,
    retreat.RETREAT: retreat.answer_retreat,
    retreat.DRIVEN: retreat.answer_driven,
    retreat.PURSUIT: retreat.answer_pursuit,
    retreat.ENTRY: retreat.answer_entry,
    fallen_ports.LEAVE: fallen_ports.answer_leave,
    fallen_ports.BESET: fallen_ports.answer_beset,
}
