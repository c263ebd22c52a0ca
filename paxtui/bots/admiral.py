"""A player for the naval steps of an exercise: it blockades, breaks out, intercepts and fights by simple arithmetic.

It knows what its seat knows, and everything lies open at sea. It looks at each order that it could give for what the
waters would be worth after it and for the combats on the way, by the odds of the combat tables; it plans no further.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from paxtui.bots.naval_odds import NavalOdds, Squadron, Wind, naval_odds
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
STANDS, FOLLOWS = 0.9, 1.1
"""How many times stronger it must be to keep a blockade, and to follow the beaten."""
SHIP = 0.1
"""Political points that a ship is worth."""
RISKED = -0.2
"""The least value of a combat that it does not evade."""
HARBOUR = 0.15
"""Share of the harbour guns that hit."""
SEEN = 0.6
"""How likely an enemy intercepts a stack at sea, if they can."""
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
        return _attack(tables, state, seat, attacks, Done() in offered)
    sailing = [act for act in offered if isinstance(act, Sail) and not act.corps]
    if sailing:
        return _sail(tables, state, seat, sailing, Done() in offered)
    return offered[-1]


def strength(state: State, fleets: Iterable[Fleet]) -> float:
    """How many plain ships some fleets are worth in a battle."""
    stacked = tuple(fleets)
    factor = (BRITISH if "great_britain" in powers_of(stacked) else 1.0) * (NELSON if admiral(state, stacked) else 1.0)
    return ships(stacked) * factor


def squadron(state: State, fleets: Sequence[Fleet], lost: int = 0) -> Squadron:
    """Return some fleets as a side of a combat, without ships that they lose before it."""
    return Squadron(max(0, ships(fleets) - lost), len(fleets), powers_of(fleets), bool(admiral(state, fleets)))


def combat_value(
    tables: Tables, state: State, attackers: Sequence[Fleet], defenders: Sequence[Fleet], wind: Wind, lost: int = 0
) -> float:
    """Return what a combat is worth to the attacker, in political points.

    Args: the tables; the position; both sides; who has the wind; ships that the attacker loses before it.
    """
    if not ships(attackers) or not ships(defenders):
        return 0.0
    odds = naval_odds(tables, squadron(state, attackers, lost), squadron(state, defenders), wind)
    return odds.points + SHIP * odds.ships


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
            return _intercept(tables, state, question)
        case "evasion":
            return "evade" if _standing(tables, state) < RISKED else "stand"
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


def _standing(tables: Tables, state: State) -> float:
    """Return what the combat that goes on is worth to the defender."""
    fight = state.at_sea.encounter
    if fight is None:
        return 0.0
    return -combat_value(tables, state, left(state, fight.attacker), left(state, fight.defender), "dice")


def _intercept(tables: Tables, state: State, question: Question) -> str:
    """Return the place of the stack with the best odds, if they are good."""
    place, *names = question.about
    stack = tuple(state.fleets[name] for name in names if name in state.fleets)
    voyage = state.at_sea.voyage
    breaks_out = kind(tables, place) == "box" and voyage is not None and voyage.before == port_of(place)
    best, most = "none", 0.0
    for start in question.choices[:-1]:
        own = _friends(state, question.power, fleets_at(state, start))
        value = combat_value(tables, state, own, stack, "attacker" if breaks_out else "dice")
        if value > most:
            best, most = start, value
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


def _attack(tables: Tables, state: State, seat: str, attacks: Sequence[AttackFleet], may_rest: bool) -> Action:
    """Return the attack with the best odds; a bad one only if one must be made."""

    def value(act: AttackFleet) -> float:
        here = fleets_at(state, act.place)
        return _attack_value(tables, state, act.place, _friends(state, seat, here), _friends(state, act.power, here))

    best = max(attacks, key=value)
    return Done() if may_rest and value(best) <= 0 else best


def _attack_value(tables: Tables, state: State, place: str, own: tuple[Fleet, ...], foes: tuple[Fleet, ...]) -> float:
    """Return what an attack of the combat step is worth: in a port the harbour fires first, and the attacker has the
    wind.
    """
    if kind(tables, place) != "port":
        return combat_value(tables, state, own, foes, "dice")
    lost = round(tables.areas[place].guns * HARBOUR)
    value = combat_value(tables, state, own, foes, "attacker", lost)
    return value - SHIP * min(lost, ships(own))


def _sail(tables: Tables, state: State, seat: str, sailing: Sequence[Sail], may_rest: bool) -> Action:
    """Return the voyage after which the waters are worth most, if that is more than now; else none, if it may rest."""
    now = waters(tables, state, seat, _stacks(state.fleets.values()))
    best: Action = Done() if may_rest else sailing[0]
    most = BETTER if may_rest else float("-inf")
    for act in sailing:
        arrived, met = _on_the_way(tables, state, seat, act)
        value = arrived * (waters(tables, state, seat, _after(tables, state, act)) - now) + met
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


def _on_the_way(tables: Tables, state: State, seat: str, act: Sail) -> tuple[float, float]:
    """Return how likely a stack arrives, and what the combats on its way are worth."""
    own = tuple(state.fleets[name] for name in act.fleets)
    start = place_of(own[0])
    route = written_out(tables, start, act.route)
    arrives, value = 1.0, 0.0
    for number, place in enumerate(route):
        into_port = number + 1 < len(route) and route[number + 1] == port_of(place)
        sort = kind(tables, place)
        if sort == "port" or (sort == "box" and into_port):
            continue
        before = start if number == 0 else route[number - 1]
        near = (place, *seas_beside(tables, place), *ports_of(tables, place)) if sort == "sea" else (place,)
        wind: Wind = "defender" if sort == "box" and before == port_of(place) else "dice"
        worst, chance = _interceptor(tables, state, seat, own, near, wind)
        if worst is None:
            continue
        chance *= SEEN if sort == "sea" else 1.0
        value += arrives * chance * (worst.points + SHIP * worst.ships)
        arrives *= 1 - chance * worst.defeat
    return arrives, value


def _interceptor(
    tables: Tables, state: State, seat: str, own: tuple[Fleet, ...], near: Iterable[str], wind: Wind
) -> tuple[NavalOdds | None, float]:
    """Return the worst combat with a stack of the enemy at some places, and how likely they seek it."""
    worst: NavalOdds | None = None
    for place in near:
        foes = _foes(state, seat, fleets_at(state, place))
        if ships(foes):
            odds = naval_odds(tables, squadron(state, own), squadron(state, foes), wind)
            if worst is None or odds.points + SHIP * odds.ships < worst.points + SHIP * worst.ships:
                worst = odds
    return worst, 1.0 if worst and worst.points < 0 else 0.5


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
    value = _attack_value(tables, state, place, own, foes) if foes else 0.0
    if kind(tables, place) == "box":
        port = port_of(place)
        kept = _foes(state, seat, stacks.get(port, ()))
        odds = mine / max(1.0, strength(state, kept))
        if kept and owner(tables, state, port) not in group_of(state, seat):
            value += 0.05 * ships(kept) if odds >= STANDS else -0.5
    if kind(tables, place) == "sea":
        value -= 0.05
    return value
