"""Where the beaten go and who follows them.

Rules: EIA 6.3.5
"""

from __future__ import annotations

from itertools import combinations

from msgspec.structs import replace

from paxtui.empires.history.sea_events import (
    Barred,
    EncounterSet,
    FleetRemoved,
    LeaderTaken,
    MovementEnded,
    PlaceClosed,
    StackMoved,
    VoyageSet,
)
from paxtui.empires.naval.battle.broadsides import the_fight
from paxtui.empires.naval.battle.sides import lead, left, of, other
from paxtui.empires.naval.entering import may_blockade, sea_open
from paxtui.empires.naval.places import beside, box_of, kind, place_of, port_of, spot, ways
from paxtui.empires.naval.stacks import blockaders, group_of, open_to, powers_of
from paxtui.empires.play.play import Play
from paxtui.empires.play.standing import owner
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Fleet
from paxtui.empires.state.questions import Question
from paxtui.empires.state.sea import Encounter
from paxtui.empires.tables.tables import Tables

RETREAT, DRIVEN, PURSUIT, ENTRY = "retreat", "driven_off", "pursuit", "entry"
"""The questions: to which port or to sea, to which sea area, who follows, whether to enter the port that was won."""
SEA, NONE, ENTER, STAY = "sea", "none", "enter", "stay"
REACH = 7
"""Movement points of a retreat to port, at most (EIA 6.3.5.1)."""
ANYWHERE = 99
"""More points than any way takes."""


def retreat(play: Play, fight: Encounter) -> None:
    """The beaten side goes, or is asked where to; after a combat in port the attackers go, whoever won.

    Rules: EIA 6.3.5.1, 6.3.5.2, 6.3.5.3, 6.2.6.1
    """
    tables, state = play.tables, play.state
    sort, port = kind(tables, fight.place), port_of(fight.place)
    if sort == "port":
        _go(play, left(state, fight.attacker), box_of(port), "EIA 6.3.5.2")
        finish(play, fight)
        return
    if not fight.beaten:
        finish(play, fight)
        return
    side = of(fight, fight.beaten)
    fleets = left(state, side)
    if not fleets:
        play.emit(EncounterSet(encounter=replace(fight, stage="entry")))
    elif fight.cause == "breakout" and fight.beaten == "attacker":
        scuttle(play, fleets, owner(tables, state, port))
        finish(play, fight)
    elif sort == "box" and side.before == port:
        _go(play, fleets, port, "EIA 6.3.5.3")
        play.emit(EncounterSet(encounter=replace(fight, stage="entry")))
    else:
        ports = havens(tables, state, fleets, fight.place)
        if ports:
            play.ask(RETREAT, lead(state, fleets), (*ports, SEA), fight.place, rules=("EIA 6.3.5.1",))
        else:
            _to_sea(play, fight)


def havens(tables: Tables, state: State, fleets: tuple[Fleet, ...], start: str) -> tuple[str, ...]:
    """The nearest friendly ports without blockade that beaten fleets can reach; those of allies as near or nearer too.

    Rules: EIA 6.3.5.1, 6.3.5.1.2
    """
    powers = powers_of(fleets)

    def enterable(place: str) -> bool:
        return sea_open(tables, state, powers, place) and (kind(tables, place) != "port" or _haven(place))

    def _haven(port: str) -> bool:
        welcome = all(open_to(tables, state, one, port) for one in powers)
        return welcome and not any(blockaders(state, port, one) for one in powers)

    reached = {
        place: points
        for place, (points, _) in ways(tables, start, REACH, enterable).items()
        if kind(tables, place) == "port"
    }
    own = {port: points for port, points in reached.items() if _own(tables, state, powers, port)}
    nearest = min(own.values(), default=REACH)
    closest = min((points for port, points in reached.items() if port not in own), default=REACH)
    guests = {port: points for port, points in reached.items() if port not in own and points == closest <= nearest}
    return (*(port for port, points in own.items() if points == nearest), *guests)


def _own(tables: Tables, state: State, powers: tuple[str, ...], port: str) -> bool:
    """Whether a port belongs to one of the beaten or to who moves combined with them."""
    holder = owner(tables, state, port)
    return any(holder in group_of(state, power) for power in powers)


def answer_retreat(play: Play, question: Question, choice: str) -> None:
    """To the port that was named, or to sea.

    Rules: EIA 6.3.5.1, 6.3.5.1.1
    """
    fight = the_fight(play)
    if choice == SEA or not fight.beaten:
        _to_sea(play, fight)
        return
    _go(play, left(play.state, of(fight, fight.beaten)), choice, "EIA 6.3.5.1")
    play.emit(EncounterSet(encounter=replace(fight, stage="pursuit", port=choice)))


def _to_sea(play: Play, fight: Encounter) -> None:
    """The winner is asked into which sea area the beaten go.

    Rules: EIA 6.3.5.1.1, 6.3.5.1.2
    """
    tables, state = play.tables, play.state
    if not fight.beaten:
        return
    fleets = left(state, of(fight, fight.beaten))
    seas = tuple(
        place
        for place in beside(tables, fight.place)
        if kind(tables, place) == "sea" and sea_open(tables, state, powers_of(fleets), place)
    )
    victor = lead(state, left(state, of(fight, other(fight.beaten))))
    if len(seas) > 1:
        play.ask(DRIVEN, victor, seas, fight.place, rules=("EIA 6.3.5.1.1",))
        return
    if seas:
        _go(play, fleets, seas[0], "EIA 6.3.5.1.1")
    finish(play, fight)


def answer_driven(play: Play, question: Question, choice: str) -> None:
    """The beaten go where the winner says, and nobody pursues.

    Rules: EIA 6.3.5.1.1
    """
    fight = the_fight(play)
    if fight.beaten:
        _go(play, left(play.state, of(fight, fight.beaten)), choice, "EIA 6.3.5.1.1")
    finish(play, fight)


def pursuit(play: Play, fight: Encounter) -> None:
    """The winner is asked who follows to blockade the port of the beaten.

    Rules: EIA 6.3.5.1
    """
    tables, state = play.tables, play.state
    victors = left(state, fight.attacker if fight.beaten == "defender" else fight.defender)
    powers = powers_of(victors)
    free = ways(tables, fight.place, ANYWHERE, lambda place: sea_open(tables, state, powers, place))
    can = tuple(fleet for fleet in victors if may_blockade(tables, state, fleet.power, fight.port))
    if box_of(fight.port) not in free or not can:
        play.emit(EncounterSet(encounter=replace(fight, stage="entry")))
        return
    names = tuple(fleet.id for fleet in can)
    some = tuple(",".join(part) for size in range(1, len(names) + 1) for part in combinations(names, size))
    play.ask(PURSUIT, lead(state, victors), (*some, NONE), fight.place, fight.port, rules=("EIA 6.3.5.1",))


def answer_pursuit(play: Play, question: Question, choice: str) -> None:
    """Those who were named lie before the port now.

    Rules: EIA 6.3.5.1
    """
    fight = the_fight(play)
    if choice != NONE:
        fleets = tuple(play.state.fleets[name] for name in choice.split(","))
        _go(play, fleets, box_of(fight.port), "EIA 6.3.5.1", pursuing=True)
    play.emit(EncounterSet(encounter=replace(fight, stage="entry")))


def entry(play: Play, fight: Encounter) -> None:
    """Who has won in a blockade box may go into the port, if it is open; who sails on decides that by sailing.

    Rules: EIA 6.3.5.3
    """
    tables, state = play.tables, play.state
    if not fight.beaten or kind(tables, fight.place) != "box" or fight.cause == "breakout":
        finish(play, fight)
        return
    victors = _there(state, fight)
    sails_on = fight.cause == "interception" and fight.beaten == "attacker"
    port = port_of(fight.place)
    if victors and not sails_on and all(open_to(tables, state, fleet.power, port) for fleet in victors):
        play.ask(ENTRY, lead(state, victors), (ENTER, STAY), fight.place, rules=("EIA 6.3.5.3",))
    else:
        finish(play, fight)


def answer_entry(play: Play, question: Question, choice: str) -> None:
    """Into the port, or not.

    Rules: EIA 6.3.5.3
    """
    fight = the_fight(play)
    if choice == ENTER:
        where, box = spot(play.tables, port_of(fight.place))
        names = tuple(fleet.id for fleet in _there(play.state, fight))
        play.emit(StackMoved(fleets=names, where=where, box=box, points=0, errand="enter", rules=("EIA 6.3.5.3",)))
    finish(play, fight)


def _there(state: State, fight: Encounter) -> tuple[Fleet, ...]:
    """The victorious fleets that are still where the combat was."""
    victors = left(state, fight.attacker if fight.beaten == "defender" else fight.defender)
    return tuple(fleet for fleet in victors if place_of(fleet) == fight.place)


def scuttle(play: Play, fleets: tuple[Fleet, ...], captor: str) -> None:
    """Fleets that could not get away are sunk by their own crews.

    Rules: EIA 6.2.6.1, 6.2.6.2, 6.2.6.3, 6.2.6.4
    """
    for fleet in fleets:
        for leader in tuple(play.state.leaders.values()):
            if leader.where == fleet.id:
                play.emit(LeaderTaken(leader=leader.id, captor=captor, rules=("EIA 6.2.6.2",)))
        play.emit(FleetRemoved(fleet=fleet.id, ships=fleet.ships, why="scuttled", rules=("EIA 6.2.6.1",)))
        play.points(fleet.power, -1, "fleet scuttled", "EIA 6.2.6.4")


def _go(play: Play, fleets: tuple[Fleet, ...], place: str, rule: str, pursuing: bool = False) -> None:
    """Fleets go somewhere after a combat; no points, no interception."""
    if fleets:
        where, box = spot(play.tables, place)
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


def finish(play: Play, fight: Encounter) -> None:
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
    interceptors, met = left(play.state, fight.attacker), left(play.state, fight.defender)
    if fight.beaten == "attacker":
        if interceptors:
            play.emit(Barred(fleets=tuple(one.id for one in interceptors), rules=("EIA 6.2.3.4.2",)))
        here = tuple(
            name
            for name in voyage.fleets
            if name in play.state.fleets and place_of(play.state.fleets[name]) == voyage.place
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
