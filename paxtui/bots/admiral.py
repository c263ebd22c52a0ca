"""A player for the naval steps of an exercise: it blockades, breaks out, intercepts and fights by simple arithmetic.

It knows what its seat knows, and everything lies open at sea. It counts ships, better ones for more, and looks at each
order that it could give for what the waters would be worth after it; it plans no further than that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from paxtui.empires.naval.battle.sides import left
from paxtui.empires.naval.places import box_of, kind, place_of, port_of, ports_of, seas_beside, spot, written_out
from paxtui.empires.naval.stacks import admiral, fleets_at, group_of, powers_of, ships
from paxtui.empires.orders.action import Action, Answer, Done
from paxtui.empires.orders.actions_sea import AttackFleet, PlaceFleet, PlaceShips, Sail
from paxtui.empires.play.standing import at_war, owner
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Fleet
from paxtui.empires.state.questions import Question
from paxtui.empires.tables.tables import Tables

BRITISH, NELSON = 1.25, 1.1
"""What a British ship counts for, and what one under Nelson: both fire and find the wind better."""
FIGHTS, STANDS, FOLLOWS = 1.1, 0.9, 1.1
"""How many times stronger it must be to seek a battle, not to evade one, and to follow the beaten."""
BETTER = 0.15
"""Political points by which an order must better the waters to be given."""

Stacks = dict[str, tuple[Fleet, ...]]
"""Fleets by place."""


def choose(tables: Tables, state: State, seat: str, offered: Sequence[Action]) -> Action:
    """What a seat does now in a naval step, or when it is asked something at sea.

    Args: the tables; the position as the seat sees it; the seat; everything that it may do, not empty.
    """
    if state.questions:
        question = state.questions[-1]
        wish = _answer(tables, state, question)
        return Answer(wish if wish in question.choices else question.choices[-1])
    arriving = [act for act in offered if isinstance(act, PlaceShips | PlaceFleet)]
    if arriving:
        return max(arriving, key=lambda act: act.ships)
    attacks = [act for act in offered if isinstance(act, AttackFleet)]
    if attacks:
        return _attack(state, seat, attacks, Done() in offered)
    sailing = [act for act in offered if isinstance(act, Sail) and not act.corps]
    if sailing:
        return _sail(tables, state, seat, sailing, Done() in offered)
    return offered[-1]


def strength(state: State, fleets: Iterable[Fleet]) -> float:
    """How many plain ships some fleets are worth in a battle."""
    stacked = tuple(fleets)
    factor = (BRITISH if "great_britain" in powers_of(stacked) else 1.0) * (NELSON if admiral(state, stacked) else 1.0)
    return ships(stacked) * factor


def _friends(state: State, seat: str, fleets: Iterable[Fleet]) -> tuple[Fleet, ...]:
    group = group_of(state, seat)
    return tuple(fleet for fleet in fleets if fleet.power in group)


def _foes(state: State, seat: str, fleets: Iterable[Fleet]) -> tuple[Fleet, ...]:
    return tuple(fleet for fleet in fleets if at_war(state, seat, fleet.power))


# --- answers ----------------------------------------------------------------------------------------------------------


def _answer(tables: Tables, state: State, question: Question) -> str:
    """What it answers; anything else than a choice is the last one."""
    match question.kind:
        case "interception":
            return _intercept(state, question)
        case "evasion":
            return "evade" if _odds(state, "defender") < STANDS else "stand"
        case "losses":
            return _share(state, question)
        case "pursuit":
            return _follow(state, question)
        case "beset":
            port = question.about[0]
            here = strength(state, _friends(state, question.power, fleets_at(state, port)))
            return "fight" if here > strength(state, fleets_at(state, box_of(port))) else "scuttle"
        case _:
            return question.choices[0]


def _odds(state: State, side: str) -> float:
    """How many times stronger a side of the combat is than the other."""
    fight = state.at_sea.encounter
    if fight is None:
        return 1.0
    attacker, defender = strength(state, left(state, fight.attacker)), strength(state, left(state, fight.defender))
    return attacker / max(1.0, defender) if side == "attacker" else defender / max(1.0, attacker)


def _intercept(state: State, question: Question) -> str:
    """The stack with the best odds, where they are good."""
    _, *names = question.about
    stack = tuple(state.fleets[name] for name in names if name in state.fleets)
    against = strength(state, stack)
    best, most = "none", FIGHTS * against
    for start in question.choices[:-1]:
        own = strength(state, _friends(state, question.power, fleets_at(state, start)))
        if own >= most:
            best, most = start, own
    return best


def _share(state: State, question: Question) -> str:
    """What falls to a fleet of the losses, by its ships."""
    side, name, still = question.about
    fight = state.at_sea.encounter
    if fight is None:
        return question.choices[0]
    fleets = left(state, fight.attacker if side == "attacker" else fight.defender)
    at = [fleet.id for fleet in fleets].index(name)
    share = round(int(still) * fleets[at].ships / max(1, ships(fleets[at:])))
    return str(min(max(share, int(question.choices[0])), int(question.choices[-1])))


def _follow(state: State, question: Question) -> str:
    """All of them, where they are stronger than who lies in that port; else nobody."""
    _, port = question.about
    everybody = question.choices[-2]
    own = tuple(state.fleets[name] for name in everybody.split(","))
    foes = _foes(state, question.power, fleets_at(state, port))
    return everybody if strength(state, own) >= FOLLOWS * strength(state, foes) else question.choices[-1]


# --- orders -----------------------------------------------------------------------------------------------------------


def _attack(state: State, seat: str, attacks: Sequence[AttackFleet], may_rest: bool) -> Action:
    """The attack with the best odds; a bad one only where one must be made."""

    def odds(act: AttackFleet) -> float:
        here = fleets_at(state, act.place)
        foes = _friends(state, act.power, here)
        return strength(state, _friends(state, seat, here)) / max(1.0, strength(state, foes))

    best = max(attacks, key=odds)
    return Done() if may_rest and odds(best) < FIGHTS else best


def _sail(tables: Tables, state: State, seat: str, sailing: Sequence[Sail], may_rest: bool) -> Action:
    """The voyage after which the waters are worth most, if that is more than now; else none, where none is allowed."""
    now = waters(tables, state, seat, _stacks(state.fleets.values()))
    best: Action = Done() if may_rest else sailing[0]
    most = now + BETTER if may_rest else float("-inf")
    for act in sailing:
        value = waters(tables, state, seat, _after(tables, state, act)) - _risk(tables, state, seat, act)
        if value > most:
            best, most = act, value
    return best


def _stacks(fleets: Iterable[Fleet]) -> Stacks:
    found: Stacks = {}
    for fleet in fleets:
        place = place_of(fleet)
        found[place] = (*found.get(place, ()), fleet)
    return found


def _after(tables: Tables, state: State, act: Sail) -> Stacks:
    """The stacks when a voyage has come to its end and nobody has met it."""
    where, box = spot(tables, act.route[-1])
    return _stacks(
        replace(fleet, where=where, box=box) if fleet.id in act.fleets else fleet for fleet in state.fleets.values()
    )


def _risk(tables: Tables, state: State, seat: str, act: Sail) -> float:
    """What it may cost to be met on the way, in political points."""
    own = strength(state, (state.fleets[name] for name in act.fleets))
    total = 0.0
    route = written_out(tables, place_of(state.fleets[act.fleets[0]]), act.route)
    for number, place in enumerate(route):
        into_port = number + 1 < len(route) and route[number + 1] == port_of(place)
        sort = kind(tables, place)
        if sort == "port" or (sort == "box" and into_port):
            continue
        near = (place, *seas_beside(tables, place), *ports_of(tables, place)) if sort == "sea" else (place,)
        chance = 0.4 if sort == "sea" else 1.0
        met = max((strength(state, _foes(state, seat, fleets_at(state, one))) for one in near), default=0.0)
        if met:
            total += chance * 2.0 * max(-0.5, min(1.5, met / max(1.0, own) - 1.0))
    return max(0.0, total)


def waters(tables: Tables, state: State, seat: str, stacks: Stacks) -> float:
    """What the fleets where they lie promise a seat, in political points."""
    total = 0.0
    for station in tables.exercise.stations:
        mine = station.power in group_of(state, seat)
        if mine:
            total += max(_hold(state, seat, stacks.get(place, ()), station.ships) for place in station.where) * (
                station.points
            )
        elif at_war(state, seat, station.power):
            hold = max(_hold(state, station.power, stacks.get(place, ()), station.ships) for place in station.where)
            total -= hold * station.points
    for place, fleets in stacks.items():
        total += _meeting(tables, state, seat, place, fleets, stacks)
    return total


def _hold(state: State, power: str, fleets: tuple[Fleet, ...], needed: int) -> float:
    """How far a station is held: wholly with ships enough, in part with fewer, not beside a strong enemy."""
    own, foes = strength(state, _friends(state, power, fleets)), strength(state, _foes(state, power, fleets))
    here = ships(_friends(state, power, fleets))
    if not here or foes > own:
        return 0.0
    return (0.4 * min(1.0, here / needed) if here < needed else 1.0) * (0.6 if foes else 1.0)


def _meeting(tables: Tables, state: State, seat: str, place: str, fleets: tuple[Fleet, ...], stacks: Stacks) -> float:
    """What a stack of one's own is worth at a place by who else is there: battles, blockades, dangers."""
    own = _friends(state, seat, fleets)
    if not own:
        return 0.0
    mine, foes = strength(state, own), _foes(state, seat, fleets)
    value = 0.0
    if foes:
        odds = mine / max(1.0, strength(state, foes))
        value += max(-2.0, min(1.5, (odds - 1.0) * min(3, len(foes))))
        if kind(tables, place) == "port":
            value -= 1.5 + tables.areas[place].guns / max(1.0, mine)
    if kind(tables, place) == "box":
        port = port_of(place)
        kept = _foes(state, seat, stacks.get(port, ()))
        odds = mine / max(1.0, strength(state, kept))
        if kept and owner(tables, state, port) not in group_of(state, seat):
            value += 0.05 * ships(kept) if odds >= STANDS else -0.5
    if kind(tables, place) == "sea":
        value -= 0.05
    return value
