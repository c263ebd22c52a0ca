"""Movement of fleet stacks, and interceptions.

Rules: EIA 6.2.1, 6.2.2, 6.2.3, 6.2.5
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.empires.calendar import NAVAL, movement_sequence
from paxtui.games.empires.events.sea import Embarked, InterceptionRolled, MovementEnded, StackMoved, VoyageSet
from paxtui.games.empires.naval.combat import begin_combat, leading_power, opponents
from paxtui.games.empires.naval.fleets import (
    adjacent_places,
    blockading_fleets,
    check_step,
    combined_powers,
    commanding_admiral,
    fleet_location,
    fleet_owners,
    full_route,
    is_hostile,
    is_port_open,
    is_sea_open,
    place_kind,
    place_name,
    place_of_fleet,
    port_at,
    routes_within,
    stack_at,
    step_points,
)
from paxtui.games.empires.orders import Sail
from paxtui.games.empires.pieces import Corps, Fleet, Voyage
from paxtui.games.empires.state import Question, State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import NO, YES, Transaction, refuse

ALLOWANCE = 7
"""Movement points of a fleet in one sequence (EIA 6.2.1)."""
MAX_ROUTE_POINTS = 999
"""Movement points for a search without a limit."""
BATTLE = "battle"
"""The word of who wishes to be met (EIA 6.2.3.1.2.1)."""
LANDLUBBERS = ("guerrilla", "cossack", "freikorps")
"""Counters that no fleet carries (EIA 6.2.5)."""
CONSENT = "combined_sailing"
"""The question to an ally whose fleets are to come along."""


def sail_stack(play: Transaction, power: str, action: Sail) -> None:
    """Begin or go on with the voyage of a stack. Raises: Refusal."""
    stack = _named_stack(play, power, action)
    _check_route(play, stack, action)
    foreign = tuple(dict.fromkeys(fleet.power for fleet in stack if fleet.power != power))
    if foreign:
        words = (",".join(action.fleets), ",".join(action.route), ",".join(action.corps), action.seeking, power)
        play.ask(CONSENT, foreign[0], (YES, NO), *words, *foreign[1:], rules=("EIA 6.1.2",))
        return
    put_to_sea(play, stack, action)


def answer_consent(play: Transaction, question: Question, choice: str) -> None:
    """Handle an ally's consent to sail together; the stack sails only if all agree. Raises: Refusal.

    Rules: EIA 6.1.2, 6.2.2
    """
    if choice != YES:
        return
    fleets, route, corps, seeking, power, *more = question.about
    if more:
        play.ask(CONSENT, more[0], (YES, NO), *question.about[:5], *more[1:], rules=("EIA 6.1.2",))
        return
    action = Sail(fleets=_split_words(fleets), route=_split_words(route), corps=_split_words(corps), seeking=seeking)
    put_to_sea(play, _named_stack(play, power, action), action)


def _split_words(text: str) -> tuple[str, ...]:
    """The words between the commas of a text."""
    return tuple(word for word in text.split(",") if word)


def put_to_sea(play: Transaction, stack: tuple[Fleet, ...], action: Sail) -> None:
    """A stack sails; the one that sailed before has ended its movement. Corps go aboard. Raises: Refusal."""
    old = play.state.at_sea.voyage
    before = ""
    if old is not None:
        left = tuple(name for name in old.fleets if name not in action.fleets and name in play.state.fleets)
        before = old.before if not set(action.fleets).isdisjoint(old.fleets) else ""
        if left:
            play.emit(MovementEnded(fleets=left, rules=("EIA 6.2.2.4",)))
    start = place_of_fleet(stack[0])
    route = find_route(play.tables, play.state, _stack_with_corps(play, stack, action), start, action.route)
    for corps, fleet in _berths(play, stack, action):
        play.emit(Embarked(corps=corps, fleet=fleet, rules=("EIA 6.2.5.1",)))
    voyage = Voyage(fleets=action.fleets, place=start, before=before, route=route, seeking=action.seeking == BATTLE)
    play.emit(VoyageSet(voyage=voyage, rules=("EIA 6.2.2",)))


def end_voyage(play: Transaction) -> None:
    """The movement of the stack that sails has ended.

    Rules: EIA 6.2.2.4
    """
    voyage = play.state.at_sea.voyage
    if voyage is not None:
        left = tuple(name for name in voyage.fleets if name in play.state.fleets)
        if left:
            play.emit(MovementEnded(fleets=left, rules=("EIA 6.2.2.4",)))
        play.emit(VoyageSet(voyage=None))


def sail_step(play: Transaction, voyage: Voyage) -> None:
    """The stack that sails goes to the next place of its route; one that cannot any more stays where it is.

    Rules: EIA 6.2.1.1, 6.2.1.2, 6.2.2
    """
    to, rest = voyage.route[0], voyage.route[1:]
    where, box = fleet_location(play.tables, to)
    points = step_points(play.tables, voyage.place, to)
    play.emit(
        StackMoved(fleets=voyage.fleets, where=where, box=box, points=points, errand="sail", rules=("EIA 6.2.1.1",))
    )
    play.emit(
        VoyageSet(
            voyage=replace(voyage, place=to, before=voyage.place, route=rest, entered=True, tried=()),
        )
    )


def find_route(
    tables: Tables, state: State, fleets: tuple[Fleet, ...], start: str, route: tuple[str, ...]
) -> tuple[str, ...]:
    """Return a route with the places filled in that it leaves out, by the shortest way between those that it names.

    A route that cannot be filled in is returned with the places that are missing still missing.
    """
    whole: list[str] = []
    at = start
    for place in route:
        steps = full_route(tables, at, (place,))
        if place_kind(tables, place) and steps[0] not in adjacent_places(tables, at):
            found = routes_within(tables, at, MAX_ROUTE_POINTS, partial(can_step, tables, state, fleets))
            steps = found[place][1] if place in found and place != at else steps
        whole += steps
        at = place
    return tuple(whole)


def stopping_routes(tables: Tables, state: State, fleets: tuple[Fleet, ...], start: str) -> Iterator[tuple[str, ...]]:
    """Yield the shortest route of fleets to each place where they may end. Rules: EIA 6.2.1"""
    limit = ALLOWANCE - max(fleet.moved for fleet in fleets)
    for place, (_, way) in routes_within(tables, start, limit, partial(can_step, tables, state, fleets)).items():
        if way and can_step(tables, state, fleets, start if len(way) < 2 else way[-2], place, True):
            yield way


def can_step(
    tables: Tables, state: State, fleets: tuple[Fleet, ...], start: str, place: str, last: bool = False
) -> bool:
    """Return whether a step would not be refused; `last`: the fleets mean to stay there."""
    try:
        check_step(tables, state, fleets, start, place, last)
    except Refusal:
        return False
    return True


def _named_stack(play: Transaction, power: str, action: Sail) -> tuple[Fleet, ...]:
    """The fleets that are named. Raises: Refusal, where they cannot sail together now."""
    state, tables = play.state, play.tables
    if not action.fleets:
        refuse("no_fleet", "Name the fleets that sail.", "EIA 6.2.2.1")
    if len(set(action.fleets)) != len(action.fleets):
        refuse("twice", "A fleet is named twice.", "EIA 6.2.2.1")
    stack: list[Fleet] = []
    for name in action.fleets:
        fleet = state.fleets.get(name)
        if fleet is None:
            refuse("no_fleet", f"There is no fleet {name} on the map.", "EIA 6.2.2.1")
        if fleet.power not in state.cursor.powers or fleet.power not in combined_powers(state, power):
            refuse(
                "not_yours",
                f"{name} moves in the sequence of {tables.name(fleet.power)}, and not with {tables.name(power)}.",
                "EIA 6.1.2",
            )
        if name in state.at_sea.done:
            refuse("moved", f"The movement of {name} has ended in this sequence.", "EIA 6.2.2.4")
        stack.append(fleet)
    places = {place_of_fleet(fleet) for fleet in stack}
    if len(places) > 1:
        there = ", ".join(place_name(tables, place) for place in sorted(places))
        refuse("apart", f"The fleets are not in one place: {there}.", "EIA 6.2.2")
    if power not in {fleet.power for fleet in stack}:
        refuse("not_yours", "None of the fleets is your own.", "EIA 6.1.2")
    return tuple(stack)


def _check_route(play: Transaction, stack: tuple[Fleet, ...], action: Sail) -> None:
    """Look at the whole route before the first step. Raises: Refusal."""
    tables = play.tables
    if not action.route:
        refuse("no_route", "Name the places of the route.", "EIA 6.2.1")
    if action.seeking not in ("", BATTLE):
        refuse("bad_order", f"One seeks {BATTLE} or nothing, not {action.seeking}.", "EIA 6.2.3.1.2.1")
    start = place_of_fleet(stack[0])
    _check_no_attack_due(play, stack, start)
    for place in action.route:
        if not place_kind(tables, place):
            refuse("no_place", f"No fleet can be at '{place}'.", "EIA 6.2.1.2")
    loaded = _stack_with_corps(play, stack, action)
    route = find_route(tables, play.state, loaded, start, action.route)
    at, points = start, 0
    for number, place in enumerate(route):
        if place not in adjacent_places(tables, at):
            there = ", ".join(place_name(tables, one) for one in adjacent_places(tables, at))
            refuse(
                "not_beside",
                f"{place_name(tables, place)} does not touch {place_name(tables, at)}; there are {there}.",
                "EIA 6.2.1.2",
            )
        check_step(tables, play.state, loaded, at, place, number == len(route) - 1)
        if number < len(route) - 1 and place_kind(tables, place) == "port":
            _check_departure(play, stack, place)
        points += step_points(tables, at, place)
        at = place
    for fleet in stack:
        if fleet.moved + points > ALLOWANCE:
            refuse(
                "too_far",
                f"{fleet.id} has {ALLOWANCE - fleet.moved} of {ALLOWANCE} points left, the way takes {points}.",
                "EIA 6.2.1",
            )


def _check_no_attack_due(play: Transaction, stack: tuple[Fleet, ...], start: str) -> None:
    """Refuse to leave a closed port that the stack has entered in this sequence. Raises: Refusal. Rules: EIA 6.2.1.2"""
    voyage = play.state.at_sea.voyage
    entered = (
        voyage is not None and voyage.place == start and voyage.before and place_kind(play.tables, start) == "port"
    )
    if entered and voyage is not None and any(fleet.id in voyage.fleets for fleet in stack):
        _check_departure(play, stack, start)


def _check_departure(play: Transaction, stack: tuple[Fleet, ...], port: str) -> None:
    """Refuse a voyage that goes on from a port which a stack may enter only to attack. Raises: Refusal.

    Rules: EIA 6.2.1.2
    """
    if not all(is_port_open(play.tables, play.state, fleet.power, port) for fleet in stack):
        refuse(
            "must_attack",
            f"A fleet enters {place_name(play.tables, port)} only to attack there: its voyage ends in that port.",
            "EIA 6.2.1.2",
        )


def _stack_with_corps(play: Transaction, stack: tuple[Fleet, ...], action: Sail) -> tuple[Fleet, ...]:
    """The stack with the corps aboard that the order names. Raises: Refusal."""
    cargo = dict.fromkeys((fleet.id for fleet in stack), ())
    berths: dict[str, tuple[str, ...]] = {**cargo}
    for corps, fleet in _berths(play, stack, action):
        berths[fleet] = (*berths[fleet], corps)
    return tuple(replace(fleet, cargo=(*fleet.cargo, *berths[fleet.id])) for fleet in stack)


def _berths(play: Transaction, stack: tuple[Fleet, ...], action: Sail) -> tuple[tuple[str, str], ...]:
    """Which corps goes aboard which fleet. Raises: Refusal.

    Rules: EIA 6.2.5, 6.2.5.1
    """
    free = [fleet for fleet in stack if not fleet.cargo]
    berths: list[tuple[str, str]] = []
    for name in dict.fromkeys(action.corps):
        corps = play.state.corps.get(name)
        if corps is None:
            refuse("no_corps", f"There is no corps {name}.", "EIA 6.2.5")
        _check_corps(play, stack, corps)
        own = [fleet for fleet in free if fleet.power == corps.power]
        if not free:
            refuse("no_room", "A fleet carries one corps; there are more corps than fleets.", "EIA 6.2.5")
        fleet = (own or free)[0]
        free.remove(fleet)
        berths.append((name, fleet.id))
    return tuple(berths)


def _check_corps(play: Transaction, stack: tuple[Fleet, ...], corps: Corps) -> None:
    """Refuse a corps that the stack cannot take aboard. Raises: Refusal."""
    state, tables = play.state, play.tables
    if corps.kind in LANDLUBBERS:
        refuse("not_carried", f"Fleets carry no {corps.kind}: {corps.id} stays.", "EIA 6.2.5")
    if not any(corps.power in combined_powers(state, fleet.power) for fleet in stack):
        refuse(
            "not_combined",
            f"{corps.id} is {tables.name(corps.power)}'s, with whom no combined movement is announced.",
            "EIA 6.2.5",
        )
    port = stack[0].where
    began = all(fleet.box == "port" and fleet.moved == 0 for fleet in stack)
    voyage = state.at_sea.voyage
    sailed = voyage is not None and not set(voyage.fleets).isdisjoint(fleet.id for fleet in stack)
    if not began or sailed or corps.where != port or not is_port_open(tables, state, corps.power, port):
        refuse(
            "not_in_port",
            f"{corps.id} and the fleet must begin in the same friendly port.",
            "EIA 6.2.5.1",
        )


NUMBER = "naval.intercept"
"""The cell of the highest die that intercepts at sea: 6.2.3.2.2 lacks it."""
CHANCE = "interception"
"""The question of whether to intercept, and with which stack."""
PASS = "none"
"""The answer of who lets them pass."""


def sailing_fleets(state: State, voyage: Voyage) -> tuple[Fleet, ...]:
    """The fleets of a voyage that are still afloat."""
    return tuple(state.fleets[name] for name in voyage.fleets if name in state.fleets)


def interception_chances(
    tables: Tables, state: State, voyage: Voyage
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The Powers that may try now, one group after the other, each with the places of the stacks it may try with.

    Rules: EIA 6.2.3.1, 6.2.3.1.1, 6.2.3.1.2
    """
    fleets = sailing_fleets(state, voyage)
    ours = fleet_owners(fleets)
    for group in movement_sequence(tables, state, NAVAL):
        foes = tuple(one for one in group if one not in ours and is_hostile(state, one, fleets))
        if not foes or any(one in voyage.tried for one in foes):
            continue
        starts = tuple(
            place
            for place in _interception_starts(tables, voyage)
            if _can_intercept_from(tables, state, voyage, foes, place)
        )
        if starts:
            yield foes, starts


def _interception_starts(tables: Tables, voyage: Voyage) -> tuple[str, ...]:
    """The places from which the stack can be intercepted where it is.

    Rules: EIA 6.2.3.1, 6.2.3.1.2.1, 6.2.3.1.2.2, 6.2.3.1.2.3
    """
    place = voyage.place
    if place_kind(tables, place) == "sea":
        return (place, *tables.seas_by_area[place], *tables.ports_by_sea[place])
    if place_kind(tables, place) == "box":
        into_port = bool(voyage.route) and voyage.route[0] == port_at(place)
        return () if into_port and not voyage.seeking else (place,)
    return ()


def _can_intercept_from(tables: Tables, state: State, voyage: Voyage, foes: tuple[str, ...], start: str) -> bool:
    """Whether a stack of these Powers at `start` may try.

    Rules: EIA 6.2.3.1.2.2, 6.2.3.1.2.4, 6.2.3.4.2, 6.2.1.4
    """
    fleets = stack_at(state, start, foes)
    if not fleets or any(fleet.id in state.at_sea.barred for fleet in fleets):
        return False
    if place_kind(tables, start) == "port" and any(blockading_fleets(state, start, fleet.power) for fleet in fleets):
        return False
    powers = fleet_owners(fleets)
    if start == voyage.place:
        return is_sea_open(tables, state, (), start)
    return is_sea_open(tables, state, powers, voyage.place) and is_sea_open(tables, state, (), start)


def offer_interception(play: Transaction, voyage: Voyage) -> None:
    """Ask the next Power that may intercept; after the last one the stack sails on.

    Rules: EIA 6.2.3.1.1, 6.2.3.1.2.5, 6.2.3.2.1.1, 6.2.3.2.1.2
    """
    for foes, starts in interception_chances(play.tables, play.state, voyage):
        asked = leading_power(play.state, stack_at(play.state, starts[0], foes))
        rule = "EIA 6.2.3.2.1" if place_kind(play.tables, voyage.place) == "box" else "EIA 6.2.3.1"
        play.ask(CHANCE, asked, (*starts, PASS), voyage.place, *voyage.fleets, rules=(rule,))
        return
    play.emit(VoyageSet(voyage=replace(voyage, entered=False)))


def answer_interception(play: Transaction, question: Question, choice: str) -> None:
    """Intercept, or let pass.

    Rules: EIA 6.2.3.1.1, 6.2.3.2.1, 6.2.3.2.2, 6.2.3.2.3
    """
    state, tables = play.state, play.tables
    voyage = state.at_sea.voyage
    assert voyage is not None  # the question is asked of a stack that sails
    foes = next(group for group, _ in interception_chances(tables, state, voyage))
    play.emit(VoyageSet(voyage=replace(voyage, tried=(*voyage.tried, *foes))))
    if choice == PASS:
        return
    fleets = stack_at(state, choice, foes)
    if place_kind(tables, voyage.place) == "sea" and not _interception_succeeds(play, voyage, fleets, choice):
        return
    _meet_stack(play, voyage, fleets)


def _interception_succeeds(play: Transaction, voyage: Voyage, fleets: tuple[Fleet, ...], start: str) -> bool:
    """Whether the die lets a stack intercept at sea.

    Rules: EIA 6.2.3.2.2, 6.2.3.2.3
    """
    die = play.roll()
    modified = die - bool(commanding_admiral(play.state, fleets))
    needed = play.tables.number(NUMBER)
    play.emit(
        InterceptionRolled(
            powers=fleet_owners(fleets),
            start=start,
            place=voyage.place,
            die=die,
            modified=modified,
            needed=needed,
            rules=("EIA 6.2.3.2.2", "EIA 6.2.3.2.3"),
        )
    )
    return modified <= needed


def _meet_stack(play: Transaction, voyage: Voyage, fleets: tuple[Fleet, ...]) -> None:
    """The interceptor comes to where the stack is, and they fight at once.

    Rules: EIA 6.2.3.2.4, 6.2.3.3
    """
    if place_of_fleet(fleets[0]) != voyage.place:
        where, box = fleet_location(play.tables, voyage.place)
        names = tuple(fleet.id for fleet in fleets)
        play.emit(
            StackMoved(fleets=names, where=where, box=box, points=0, errand="intercept", rules=("EIA 6.2.3.2.4",))
        )
    powers = fleet_owners(fleets)
    phasing = sailing_fleets(play.state, voyage)[0].power
    defenders = opponents(play.tables, play.state, powers, phasing, voyage.place)
    begin_combat(play, voyage.place, powers, defenders, "interception", phasing, ("", voyage.before))
