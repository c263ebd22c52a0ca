"""After a naval combat: the winner, points, sunk counters and their cargo, retreat and pursuit; fleets in fallen ports.

Rules: EIA 6.2.5.3, 6.2.6, 6.3.4, 6.3.5, 6.3.6
"""

from __future__ import annotations

from itertools import combinations

from msgspec.structs import replace

from paxtui.games.empires.board import controller, is_at_war
from paxtui.games.empires.calendar import NAVAL
from paxtui.games.empires.events.sea import (
    Barred,
    CombatDecided,
    CorpsShifted,
    Drowned,
    EncounterSet,
    FleetRemoved,
    LeaderTaken,
    LeaderWent,
    MovementEnded,
    PlaceClosed,
    StackMoved,
    VoyageSet,
)
from paxtui.games.empires.naval.combat import (
    BOTH,
    begin_combat,
    combat_points,
    current_combat,
    leading_power,
    other_side,
    remaining_fleets,
    winning_side,
)
from paxtui.games.empires.naval.fleets import (
    adjacent_places,
    blockade_box,
    blockading_fleets,
    can_blockade,
    combined_powers,
    fleet_location,
    fleet_owners,
    is_port_open,
    is_sea_open,
    place_kind,
    place_of_fleet,
    port_at,
    routes_within,
    stack_at,
)
from paxtui.games.empires.pieces import Encounter, Fleet, Side
from paxtui.games.empires.state import Question, State
from paxtui.games.empires.supply_lines import port_seas
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction

RETREAT, DRIVEN, PURSUIT, ENTRY = "retreat", "driven_off", "pursuit", "entry"
"""The questions: to which port or to sea, to which sea area, who follows, whether to enter the port that was won."""
SEA, NONE, ENTER, STAY = "sea", "none", "enter", "stay"
REACH = 7
"""Movement points of a retreat to port, at most (EIA 6.3.5.1)."""
ANYWHERE = 99
"""More points than any way takes."""


def retreat_fleets(play: Transaction, fight: Encounter) -> None:
    """Retreat the beaten side, or ask it where to; after a combat in port, the attackers always leave.

    Rules: EIA 6.3.5.1, 6.3.5.2, 6.3.5.3, 6.2.6.1
    """
    tables, state = play.tables, play.state
    sort, port = place_kind(tables, fight.place), port_at(fight.place)
    if sort == "port":
        _move_fleets(play, remaining_fleets(state, fight.attacker), blockade_box(port), "EIA 6.3.5.2")
        finish_combat(play, fight)
        return
    if not fight.beaten:
        finish_combat(play, fight)
        return
    side = fight.side(fight.beaten)
    fleets = remaining_fleets(state, side)
    if not fleets:
        play.emit(EncounterSet(encounter=replace(fight, stage="entry")))
    elif fight.cause == "breakout" and fight.beaten == "attacker":
        scuttle_beaten(play, fleets, controller(tables, state, port))
        finish_combat(play, fight)
    elif sort == "box" and side.before == port:
        _move_fleets(play, fleets, port, "EIA 6.3.5.3")
        play.emit(EncounterSet(encounter=replace(fight, stage="entry")))
    else:
        ports = retreat_ports(tables, state, fleets, fight.place)
        if ports:
            play.ask(RETREAT, leading_power(state, fleets), (*ports, SEA), fight.place, rules=("EIA 6.3.5.1",))
        else:
            _ask_sea_area(play, fight)


def retreat_ports(tables: Tables, state: State, fleets: tuple[Fleet, ...], start: str) -> tuple[str, ...]:
    """The nearest friendly ports without blockade that beaten fleets can reach; those of allies as near or nearer too.

    Rules: EIA 6.3.5.1, 6.3.5.1.2
    """
    powers = fleet_owners(fleets)

    def is_possible(start: str, place: str) -> bool:
        return is_sea_open(tables, state, powers, place) and (place_kind(tables, place) != "port" or _haven(place))

    def _haven(port: str) -> bool:
        welcome = all(is_port_open(tables, state, one, port) for one in powers)
        return welcome and not any(blockading_fleets(state, port, one) for one in powers)

    reached = {
        place: points
        for place, (points, _) in routes_within(tables, start, REACH, is_possible).items()
        if place_kind(tables, place) == "port"
    }
    own = {port: points for port, points in reached.items() if _is_own_port(tables, state, powers, port)}
    nearest = min(own.values(), default=REACH)
    closest = min((points for port, points in reached.items() if port not in own), default=REACH)
    guests = {port: points for port, points in reached.items() if port not in own and points == closest <= nearest}
    return (*(port for port, points in own.items() if points == nearest), *guests)


def _is_own_port(tables: Tables, state: State, powers: tuple[str, ...], port: str) -> bool:
    """Whether a port belongs to one of the beaten or to who moves combined with them."""
    holder = controller(tables, state, port)
    return any(holder in combined_powers(state, power) for power in powers)


def answer_retreat(play: Transaction, question: Question, choice: str) -> None:
    """To the port that was named, or to sea.

    Rules: EIA 6.3.5.1, 6.3.5.1.1
    """
    fight = current_combat(play)
    if choice == SEA or not fight.beaten:
        _ask_sea_area(play, fight)
        return
    _move_fleets(play, remaining_fleets(play.state, fight.side(fight.beaten)), choice, "EIA 6.3.5.1")
    play.emit(EncounterSet(encounter=replace(fight, stage="pursuit", port=choice)))


def _ask_sea_area(play: Transaction, fight: Encounter) -> None:
    """The winner is asked into which sea area the beaten go.

    Rules: EIA 6.3.5.1.1, 6.3.5.1.2
    """
    tables, state = play.tables, play.state
    if not fight.beaten:
        return
    fleets = remaining_fleets(state, fight.side(fight.beaten))
    seas = tuple(
        place
        for place in adjacent_places(tables, fight.place)
        if place_kind(tables, place) == "sea" and is_sea_open(tables, state, fleet_owners(fleets), place)
    )
    victor = leading_power(state, remaining_fleets(state, fight.side(other_side(fight.beaten))))
    if len(seas) > 1:
        play.ask(DRIVEN, victor, seas, fight.place, rules=("EIA 6.3.5.1.1",))
        return
    if seas:
        _move_fleets(play, fleets, seas[0], "EIA 6.3.5.1.1")
    finish_combat(play, fight)


def answer_sea_area(play: Transaction, question: Question, choice: str) -> None:
    """Move the beaten fleets to the sea area that the winner chose, without pursuit.

    Rules: EIA 6.3.5.1.1
    """
    fight = current_combat(play)
    if fight.beaten:
        _move_fleets(play, remaining_fleets(play.state, fight.side(fight.beaten)), choice, "EIA 6.3.5.1.1")
    finish_combat(play, fight)


def ask_pursuit(play: Transaction, fight: Encounter) -> None:
    """The winner is asked who follows to blockade the port of the beaten.

    Rules: EIA 6.3.5.1
    """
    tables, state = play.tables, play.state
    victors = remaining_fleets(state, fight.attacker if fight.beaten == "defender" else fight.defender)
    powers = fleet_owners(victors)
    free = routes_within(tables, fight.place, ANYWHERE, lambda _, place: is_sea_open(tables, state, powers, place))
    can = tuple(fleet for fleet in victors if can_blockade(tables, state, fleet.power, fight.port))
    if blockade_box(fight.port) not in free or not can:
        play.emit(EncounterSet(encounter=replace(fight, stage="entry")))
        return
    names = tuple(fleet.id for fleet in can)
    some = tuple(",".join(part) for size in range(1, len(names) + 1) for part in combinations(names, size))
    play.ask(PURSUIT, leading_power(state, victors), (*some, NONE), fight.place, fight.port, rules=("EIA 6.3.5.1",))


def answer_pursuit(play: Transaction, question: Question, choice: str) -> None:
    """Those who were named lie before the port now.

    Rules: EIA 6.3.5.1
    """
    fight = current_combat(play)
    if choice != NONE:
        fleets = tuple(play.state.fleets[name] for name in choice.split(","))
        _move_fleets(play, fleets, blockade_box(fight.port), "EIA 6.3.5.1", pursuing=True)
    play.emit(EncounterSet(encounter=replace(fight, stage="entry")))


def ask_port_entry(play: Transaction, fight: Encounter) -> None:
    """Ask the winner in a blockade box whether to enter the port, if it is open; a moving stack decides by sailing on.

    Rules: EIA 6.3.5.3
    """
    tables, state = play.tables, play.state
    if not fight.beaten or place_kind(tables, fight.place) != "box" or fight.cause == "breakout":
        finish_combat(play, fight)
        return
    victors = _victors_present(state, fight)
    sails_on = fight.cause == "interception" and fight.beaten == "attacker"
    port = port_at(fight.place)
    if victors and not sails_on and all(is_port_open(tables, state, fleet.power, port) for fleet in victors):
        play.ask(ENTRY, leading_power(state, victors), (ENTER, STAY), fight.place, rules=("EIA 6.3.5.3",))
    else:
        finish_combat(play, fight)


def answer_port_entry(play: Transaction, question: Question, choice: str) -> None:
    """Into the port, or not.

    Rules: EIA 6.3.5.3
    """
    fight = current_combat(play)
    if choice == ENTER:
        where, box = fleet_location(play.tables, port_at(fight.place))
        names = tuple(fleet.id for fleet in _victors_present(play.state, fight))
        play.emit(StackMoved(fleets=names, where=where, box=box, points=0, errand="enter", rules=("EIA 6.3.5.3",)))
    finish_combat(play, fight)


def _victors_present(state: State, fight: Encounter) -> tuple[Fleet, ...]:
    """The victorious fleets that are still where the combat was."""
    victors = remaining_fleets(state, fight.attacker if fight.beaten == "defender" else fight.defender)
    return tuple(fleet for fleet in victors if place_of_fleet(fleet) == fight.place)


def scuttle_beaten(play: Transaction, fleets: tuple[Fleet, ...], captor: str) -> None:
    """Fleets that could not get away are sunk by their own crews.

    Rules: EIA 6.2.6.1, 6.2.6.2, 6.2.6.3, 6.2.6.4
    """
    for fleet in fleets:
        for leader in tuple(play.state.leaders.values()):
            if leader.where == fleet.id:
                play.emit(LeaderTaken(leader=leader.id, captor=captor, rules=("EIA 6.2.6.2",)))
        play.emit(FleetRemoved(fleet=fleet.id, ships=fleet.ships, why="scuttled", rules=("EIA 6.2.6.1",)))
        play.points(fleet.power, -1, "fleet scuttled", "EIA 6.2.6.4")


def _move_fleets(play: Transaction, fleets: tuple[Fleet, ...], place: str, rule: str, pursuing: bool = False) -> None:
    """Fleets go somewhere after a combat; no points, no interception."""
    if fleets:
        where, box = fleet_location(play.tables, place)
        names = tuple(fleet.id for fleet in fleets)
        play.emit(
            StackMoved(
                fleets=names,
                where=where,
                box=box,
                points=0,
                errand="pursue" if pursuing else "retreat",
                rules=(rule, "EIA 6.2.3"),
            )
        )


def finish_combat(play: Transaction, fight: Encounter) -> None:
    """The combat is over: the stack that was met sails on if it has won, and else its movement has ended.

    Rules: EIA 6.2.3, 6.2.3.4.1, 6.2.3.4.2, 6.3.1, 6.3.2
    """
    play.emit(EncounterSet(encounter=None))
    if fight.cause == "attack":
        if fight.place not in play.state.at_sea.closed:
            play.emit(PlaceClosed(place=fight.place, rules=("EIA 6.3.1",)))
        return
    voyage = play.state.at_sea.voyage
    if fight.cause != "interception" or voyage is None:
        return
    interceptors, met = remaining_fleets(play.state, fight.attacker), remaining_fleets(play.state, fight.defender)
    if fight.beaten == "attacker":
        if interceptors:
            play.emit(Barred(fleets=tuple(one.id for one in interceptors), rules=("EIA 6.2.3.4.2",)))
        here = tuple(
            name
            for name in voyage.fleets
            if name in play.state.fleets and place_of_fleet(play.state.fleets[name]) == voyage.place
        )
        gone = tuple(one.id for one in met if one.id in voyage.fleets and one.id not in here)
        if gone:
            play.emit(MovementEnded(fleets=gone, rules=("EIA 6.2.2.4",)))
        on = replace(voyage, fleets=here, entered=False) if here else None
        play.emit(VoyageSet(voyage=on, rules=("EIA 6.2.3.4.2",)))
        return
    ended = tuple(dict.fromkeys((*(one.id for one in met), *voyage.fleets)))
    afloat = tuple(name for name in ended if name in play.state.fleets)
    if afloat:
        play.emit(MovementEnded(fleets=afloat, rules=("EIA 6.2.3.4.1",)))
    play.emit(VoyageSet(voyage=None))


LEAVE, BESET = "leave_port", "beset"
"""The questions: where a fleet goes from a port that has fallen; whether it fights its way out."""
FIGHT, SCUTTLE = "fight", "scuttle"


def stranded_fleets(tables: Tables, state: State) -> tuple[tuple[str, str], ...]:
    """Powers with fleets in ports of their enemies, and those ports; never in the naval phase.

    Rules: EIA 6.2.6
    """
    if state.cursor.phase == NAVAL:
        return ()
    found = (
        (fleet.power, fleet.where)
        for fleet in state.fleets.values()
        if fleet.box == "port" and is_at_war(state, fleet.power, controller(tables, state, fleet.where))
    )
    return tuple(dict.fromkeys(found))


def evacuate_fallen_ports(play: Transaction) -> None:
    """Ask the next Power whose fleets must leave a port.

    Rules: EIA 6.2.6, 6.2.6.1
    """
    tables, state = play.tables, play.state
    for power, port in stranded_fleets(tables, state):
        if blockading_fleets(state, port, power):
            play.ask(BESET, power, (FIGHT, SCUTTLE), port, rules=("EIA 6.2.6.1",))
            return
        seas = tuple(sea for sea in port_seas(tables, port) if is_sea_open(tables, state, (power,), sea))
        play.ask(LEAVE, power, (blockade_box(port), *seas), port, rules=("EIA 6.2.6",))
        return


def answer_leave_port(play: Transaction, question: Question, choice: str) -> None:
    """The fleets leave, and no gun is fired at them.

    Rules: EIA 6.2.6
    """
    _leave_port(play, question.power, question.about[0], choice)


def answer_blockaded_exit(play: Transaction, question: Question, choice: str) -> None:
    """Scuttle, or fight the blockader, who has the wind.

    Rules: EIA 6.2.6.1
    """
    power, port = question.power, question.about[0]
    foes = blockading_fleets(play.state, port, power)
    if choice == SCUTTLE:
        scuttle_beaten(play, stack_at(play.state, port, (power,)), controller(play.tables, play.state, port))
        return
    _leave_port(play, power, port, blockade_box(port))
    opponent = combined_powers(play.state, foes[0].power)
    powers = tuple(one for one in fleet_owners(foes) if one in opponent)
    begin_combat(play, blockade_box(port), (power,), powers, "breakout", power, (port, ""))


def _leave_port(play: Transaction, power: str, port: str, place: str) -> None:
    """The fleets of a Power leave a port."""
    where, box = fleet_location(play.tables, place)
    names = tuple(fleet.id for fleet in stack_at(play.state, port, (power,)))
    play.emit(StackMoved(fleets=names, where=where, box=box, points=0, errand="leave", rules=("EIA 6.2.6",)))


def decide_combat(play: Transaction, fight: Encounter) -> None:
    """Say who has won, and clear the water of what is sunk.

    Rules: EIA 6.3.4.1, 6.3.6
    """
    attacker, defender = fight.attacker, fight.defender
    won = winning_side((attacker.ships, attacker.lost), (defender.ships, defender.lost))
    play.emit(
        CombatDecided(
            place=fight.place,
            winner=won or "",
            attackers=attacker.powers,
            defenders=defender.powers,
            attacker_lost=attacker.lost,
            defender_lost=defender.lost,
            rules=("EIA 6.3.4.1",),
        )
    )
    if won:
        _award_points(play, fight.side(won), fight.side(other_side(won)))
    for side in BOTH:
        captor = fight.side(other_side(side)).powers[0]
        remove_sunk(play, fight.side(side), captor)
    beaten = other_side(won) if won else ""
    play.emit(EncounterSet(encounter=replace(fight, stage="retreat", beaten=beaten)))


def _award_points(play: Transaction, victor: Side, loser: Side) -> None:
    """Award the political points of a victory; Nelson's count for Great Britain.

    Rules: EIA 6.3.4.2, 6.3.4.2.1, 6.3.4.2.2
    """
    fleets = len(loser.fleets)
    for side, sign in ((victor, 1), (loser, -1)):
        admiral = play.state.leaders.get(side.naval_leader)
        for power in side.powers:
            his = admiral is not None and admiral.power == power
            gain, loss = combat_points(fleets, his, his)
            amount = gain if sign > 0 else loss
            nelson = ("EIA 6.3.4.2.1" if sign > 0 else "EIA 6.3.4.2.2",) if his else ()
            play.points(power, amount, "naval victory" if sign > 0 else "naval defeat", "EIA 6.3.4.2", *nelson)


def remove_sunk(play: Transaction, side: Side, captor: str) -> None:
    """Take the counters without ships off the map, and see to corps and leaders who were aboard.

    Rules: EIA 6.2.5.3, 6.3.6
    """
    fleets = remaining_fleets(play.state, side)
    afloat = tuple(fleet for fleet in fleets if fleet.ships)
    sunk = tuple(fleet for fleet in fleets if not fleet.ships)
    if not sunk:
        return
    aboard = [corps for fleet in (*afloat, *sunk) for corps in fleet.cargo]
    drown_corps(play, aboard[len(afloat) :], aboard[: len(afloat)], captor)
    _rescue_aboard(play, afloat, sunk, captor)
    for fleet in sunk:
        play.emit(FleetRemoved(fleet=fleet.id, ships=0, why="lost", rules=("EIA 6.3.6",)))


def _rescue_aboard(play: Transaction, afloat: tuple[Fleet, ...], sunk: tuple[Fleet, ...], captor: str) -> None:
    """Corps and admirals of sunk fleets go aboard others of their side, which have room for a corps each."""
    free = [fleet.id for fleet in afloat if not play.state.fleets[fleet.id].cargo]
    for fleet in sunk:
        for corps in play.state.fleets[fleet.id].cargo:
            play.emit(CorpsShifted(corps=corps, giver=fleet.id, taker=free.pop(0), rules=("EIA 6.2.5.3",)))
        for leader in tuple(play.state.leaders.values()):
            if leader.where != fleet.id:
                continue
            own = [one for one in afloat if one.power == leader.power] or list(afloat)
            if own:
                play.emit(LeaderWent(leader=leader.id, where=own[0].id, rules=("EIA 6.3.6",)))
            else:
                play.emit(LeaderTaken(leader=leader.id, captor=captor, rules=("EIA 6.3.6",)))


def drown_corps(play: Transaction, lost: list[str], saved: list[str], captor: str) -> None:
    """Lose the corps on sunk transports; their leaders join saved corps of the stack, or are captured.

    Rules: EIA 6.2.5.3
    """
    for leader in tuple(play.state.leaders.values()):
        if leader.where in lost:
            own = [corps for corps in saved if play.state.corps[corps].power == leader.power]
            if own:
                play.emit(LeaderWent(leader=leader.id, where=own[0], rules=("EIA 6.2.5.3",)))
            else:
                play.emit(LeaderTaken(leader=leader.id, captor=captor, rules=("EIA 6.2.5.3",)))
    for corps in lost:
        play.emit(Drowned(corps=corps, why="transport", rules=("EIA 6.2.5.3",)))
