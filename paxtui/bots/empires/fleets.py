"""Bot for the naval steps of an exercise: blockades, breakouts, interceptions and combats.

It rates each possible order by the position after it and by the combat odds on the way; it plans no further. Combat
odds cover each roll for the wind and for both broadsides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple

from msgspec.structs import replace

from paxtui.games.empires.board import controller, is_at_war
from paxtui.games.empires.naval.combat import (
    COMBAT_ROWS,
    combat_points,
    fire_roll,
    remaining_fleets,
    ships_lost,
    wind_roll,
    winning_side,
)
from paxtui.games.empires.naval.fleets import (
    blockade_box,
    combined_powers,
    commanding_admiral,
    fleet_location,
    fleet_owners,
    fleets_at,
    full_route,
    place_kind,
    place_of_fleet,
    port_at,
    ship_count,
)
from paxtui.games.empires.orders import Action, Answer, AttackFleet, Done, PlaceFleet, PlaceShips, Sail
from paxtui.games.empires.pieces import Fleet
from paxtui.games.empires.state import Question, State
from paxtui.games.empires.tables import Tables

Wind = Literal["attacker", "defender", "nobody", "dice"]
"""Side with the wind gauge, or decided by dice."""

DICE = range(1, 7)

UNKNOWN = 15
"""Per cent of ships sunk by a broadside if the table has no cell for its roll."""


class Squadron(NamedTuple):
    """One side of a combat: ships, fleet counters, Powers, and whether Nelson commands it."""

    ships: int
    fleets: int
    powers: tuple[str, ...]
    has_nelson: bool


class NavalOdds(NamedTuple):
    """Odds of a combat for the attacker.

    Attributes:
        win, defeat: probabilities of both; the rest are draws.
        points: expected political points, the attacker's minus the defender's.
        ships: expected losses, the defender's minus the attacker's.
    """

    win: float
    defeat: float
    points: float
    ships: float


_NAVAL_TABLES: dict[int, Tables] = {}


def naval_odds(tables: Tables, attacker: Squadron, defender: Squadron, wind: Wind) -> NavalOdds:
    """Return the odds of a combat, without harbour guns."""
    _NAVAL_TABLES[id(tables)] = tables
    return _cached_naval_odds(id(tables), attacker, defender, wind)


@lru_cache(maxsize=4096)
def _cached_naval_odds(tables_id: int, attacker: Squadron, defender: Squadron, wind: Wind) -> NavalOdds:
    tables = _NAVAL_TABLES[tables_id]
    if wind == "dice":
        rolls = [
            wind_roll(a, attacker.powers, attacker.has_nelson) - wind_roll(d, defender.powers, defender.has_nelson)
            for a, d in product(DICE, DICE)
        ]
        shares: tuple[tuple[Wind, int], ...] = (
            ("attacker", sum(one > 0 for one in rolls)),
            ("defender", sum(one < 0 for one in rolls)),
            ("nobody", sum(one == 0 for one in rolls)),
        )
        parts = [
            (_cached_naval_odds(tables_id, attacker, defender, who), count / len(rolls))
            for who, count in shares
            if count
        ]
        return NavalOdds(*(sum(odds[at] * share for odds, share in parts) for at in range(4)))
    won, lost = _point_swing(defender, attacker), _point_swing(attacker, defender)
    wins = defeats = sunk = 0
    for own_die, enemy_die in product(DICE, DICE):
        attacker_loss, gone_there = _ship_losses(tables, attacker, defender, wind, own_die, enemy_die)
        result = winning_side((attacker.ships, attacker_loss), (defender.ships, gone_there))
        wins += result == "attacker"
        defeats += result == "defender"
        sunk += gone_there - attacker_loss
    total = len(DICE) ** 2
    return NavalOdds(wins / total, defeats / total, (wins * won - defeats * lost) / total, sunk / total)


def _point_swing(loser: Squadron, victor: Squadron) -> int:
    """Return the change of points between both sides after a defeat."""
    gained, paid = combat_points(loser.fleets, victor.has_nelson, loser.has_nelson)
    return gained - paid


def _ship_losses(
    tables: Tables, attacker: Squadron, defender: Squadron, wind: Wind, attacker_die: int, defender_die: int
) -> tuple[int, int]:
    """Return the losses of attacker and defender with these dice."""
    if wind == "attacker":
        gone_there = min(defender.ships, _ships_sunk(tables, attacker, attacker.ships, attacker_die))
        return min(attacker.ships, _ships_sunk(tables, defender, defender.ships - gone_there, defender_die)), gone_there
    attacker_loss = min(attacker.ships, _ships_sunk(tables, defender, defender.ships, defender_die))
    firing = attacker.ships if wind == "nobody" else attacker.ships - attacker_loss
    return attacker_loss, min(defender.ships, _ships_sunk(tables, attacker, firing, attacker_die))


def _ships_sunk(tables: Tables, squadron: Squadron, ships: int, die: int) -> int:
    """Return the number of ships that a squadron sinks with a die."""
    if ships <= 0:
        return 0
    roll = fire_roll(die, squadron.powers)
    cell = f"naval.combat.{roll}"
    percent = tables.number(cell) if roll in COMBAT_ROWS and cell in tables.cells else UNKNOWN
    return ships_lost(tables.casualties, percent, ships)


BRITISH, NELSON = 1.25, 1.1
"""Weight of a British ship, and of one under Nelson: they fire better and get the wind more often."""
STANDS, FOLLOWS = 0.9, 1.1
"""Ratio of strength needed to keep a blockade, and to pursue a beaten enemy."""
SHIP = 0.1
"""Value of a ship, in political points."""
RISKED = -0.2
"""Lowest value of a combat that is not evaded."""
HARBOUR = 0.15
"""Share of the harbour guns that hit."""
SEEN = 0.6
"""Probability that an enemy intercepts a stack at sea, if it can."""
BETTER = 0.15
"""Lowest gain of an order, in political points."""

Stacks = dict[str, tuple[Fleet, ...]]
"""Fleets by place."""


def choose_naval_action(tables: Tables, state: State, seat: str, offered: Sequence[Action]) -> Action:
    """Return the act of a seat in a naval step, of all its possible acts, or its answer to a question at sea."""
    if state.questions:
        question = state.questions[-1]
        answer = _answer_naval(tables, state, question)
        return Answer(answer if answer in question.choices else question.choices[-1])
    arriving = [act for act in offered if isinstance(act, PlaceShips | PlaceFleet)]
    if arriving:
        return max(arriving, key=lambda act: act.ships)
    attacks = [act for act in offered if isinstance(act, AttackFleet)]
    if attacks:
        return _choose_attack(tables, state, seat, attacks, Done() in offered)
    sailing = [act for act in offered if isinstance(act, Sail) and not act.corps]
    if sailing:
        return _choose_voyage(tables, state, seat, sailing, Done() in offered)
    return offered[-1]


def battle_strength(state: State, fleets: Iterable[Fleet]) -> float:
    """Return the strength of some fleets in a battle, in ordinary ships."""
    stacked = tuple(fleets)
    factor = (BRITISH if "great_britain" in fleet_owners(stacked) else 1.0) * (
        NELSON if commanding_admiral(state, stacked) else 1.0
    )
    return ship_count(stacked) * factor


def squadron_of(state: State, fleets: Sequence[Fleet], lost: int = 0) -> Squadron:
    """Return some fleets as a side of a combat, without the ships that they lose before it."""
    return Squadron(
        max(0, ship_count(fleets) - lost), len(fleets), fleet_owners(fleets), bool(commanding_admiral(state, fleets))
    )


def combat_value(
    tables: Tables, state: State, attackers: Sequence[Fleet], defenders: Sequence[Fleet], wind: Wind, lost: int = 0
) -> float:
    """Return the value of a combat for the attacker, who loses some ships before it, in political points."""
    if not ship_count(attackers) or not ship_count(defenders):
        return 0.0
    odds = naval_odds(tables, squadron_of(state, attackers, lost), squadron_of(state, defenders), wind)
    return odds.points + SHIP * odds.ships


def _friends(state: State, seat: str, fleets: Iterable[Fleet]) -> tuple[Fleet, ...]:
    group = combined_powers(state, seat)
    return tuple(fleet for fleet in fleets if fleet.power in group)


def _foes(state: State, seat: str, fleets: Iterable[Fleet]) -> tuple[Fleet, ...]:
    return tuple(fleet for fleet in fleets if is_at_war(state, seat, fleet.power))


# --- answers ----------------------------------------------------------------------------------------------------------


def _answer_naval(tables: Tables, state: State, question: Question) -> str:
    """Return the answer to a question; if it is not a choice, the last act."""
    match question.kind:
        case "interception":
            return _intercept(tables, state, question)
        case "evasion":
            return "evade" if _current_combat_value(tables, state) < RISKED else "stand"
        case "losses":
            return _loss_share(state, question)
        case "pursuit":
            return _pursuing_fleets(state, question)
        case "beset":
            port = question.about[0]
            here = battle_strength(state, _friends(state, question.power, fleets_at(state, port)))
            return "fight" if here > battle_strength(state, fleets_at(state, blockade_box(port))) else "scuttle"
        case _:
            return question.choices[0]


def _current_combat_value(tables: Tables, state: State) -> float:
    """Return the value of the combat in progress for the defender."""
    fight = state.at_sea.encounter
    if fight is None:
        return 0.0
    return -combat_value(
        tables, state, remaining_fleets(state, fight.attacker), remaining_fleets(state, fight.defender), "dice"
    )


def _intercept(tables: Tables, state: State, question: Question) -> str:
    """Return the place of the stack with the best odds, if they are good."""
    place, *names = question.about
    stack = tuple(state.fleets[name] for name in names if name in state.fleets)
    voyage = state.at_sea.voyage
    breaks_out = place_kind(tables, place) == "box" and voyage is not None and voyage.before == port_at(place)
    best, most = "none", 0.0
    for start in question.choices[:-1]:
        own = _friends(state, question.power, fleets_at(state, start))
        value = combat_value(tables, state, own, stack, "attacker" if breaks_out else "dice")
        if value > most:
            best, most = start, value
    return best


def _loss_share(state: State, question: Question) -> str:
    """Return a fleet's share of the losses, by its ships."""
    side, name, still = question.about
    fight = state.at_sea.encounter
    if fight is None:
        return question.choices[0]
    fleets = remaining_fleets(state, fight.attacker if side == "attacker" else fight.defender)
    at = [fleet.id for fleet in fleets].index(name)
    share = round(int(still) * fleets[at].ships / max(1, ship_count(fleets[at:])))
    return str(min(max(share, int(question.choices[0])), int(question.choices[-1])))


def _pursuing_fleets(state: State, question: Question) -> str:
    """Return all fleets if they are stronger than the enemy in that port, otherwise none."""
    _, port = question.about
    everybody = question.choices[-2]
    own = tuple(state.fleets[name] for name in everybody.split(","))
    foes = _foes(state, question.power, fleets_at(state, port))
    return everybody if battle_strength(state, own) >= FOLLOWS * battle_strength(state, foes) else question.choices[-1]


# --- orders -----------------------------------------------------------------------------------------------------------


def _choose_attack(tables: Tables, state: State, seat: str, attacks: Sequence[AttackFleet], may_rest: bool) -> Action:
    """Return the attack with the best odds; a bad attack only if one is required."""

    def value(act: AttackFleet) -> float:
        here = fleets_at(state, act.place)
        return _attack_value(tables, state, act.place, _friends(state, seat, here), _friends(state, act.power, here))

    best = max(attacks, key=value)
    return Done() if may_rest and value(best) <= 0 else best


def _attack_value(tables: Tables, state: State, place: str, own: tuple[Fleet, ...], foes: tuple[Fleet, ...]) -> float:
    """Return the value of an attack of the combat step. In a port the harbour fires first, and the attacker has the
    wind.
    """
    if place_kind(tables, place) != "port":
        return combat_value(tables, state, own, foes, "dice")
    lost = round(tables.areas[place].guns * HARBOUR)
    value = combat_value(tables, state, own, foes, "attacker", lost)
    return value - SHIP * min(lost, ship_count(own))


def _choose_voyage(tables: Tables, state: State, seat: str, sailing: Sequence[Sail], may_rest: bool) -> Action:
    """Return the voyage with the best position after it, if it is better than now; otherwise none, if the fleet may
    stay.
    """
    now = waters_value(tables, state, seat, _stacks_by_place(state.fleets.values()))
    best: Action = Done() if may_rest else sailing[0]
    most = BETTER if may_rest else float("-inf")
    for act in sailing:
        arrived, met = _voyage_risk(tables, state, seat, act)
        value = arrived * (waters_value(tables, state, seat, _stacks_after(tables, state, act)) - now) + met
        if value > most:
            best, most = act, value
    return best


def _stacks_by_place(fleets: Iterable[Fleet]) -> Stacks:
    found: Stacks = {}
    for fleet in fleets:
        place = place_of_fleet(fleet)
        found[place] = (*found.get(place, ()), fleet)
    return found


def _stacks_after(tables: Tables, state: State, act: Sail) -> Stacks:
    """Return the stacks after a voyage without a combat."""
    where, box = fleet_location(tables, act.route[-1])
    return _stacks_by_place(
        replace(fleet, where=where, box=box) if fleet.id in act.fleets else fleet for fleet in state.fleets.values()
    )


def _voyage_risk(tables: Tables, state: State, seat: str, act: Sail) -> tuple[float, float]:
    """Return the probability that a stack arrives, and the value of the combats on its way."""
    own = tuple(state.fleets[name] for name in act.fleets)
    start = place_of_fleet(own[0])
    route = full_route(tables, start, act.route)
    arrives, value = 1.0, 0.0
    for number, place in enumerate(route):
        into_port = number + 1 < len(route) and route[number + 1] == port_at(place)
        sort = place_kind(tables, place)
        if sort == "port" or (sort == "box" and into_port):
            continue
        before = start if number == 0 else route[number - 1]
        near = (place, *tables.seas_by_area[place], *tables.ports_by_sea[place]) if sort == "sea" else (place,)
        wind: Wind = "defender" if sort == "box" and before == port_at(place) else "dice"
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
    """Return the worst combat with an enemy stack at some places, and its probability."""
    worst: NavalOdds | None = None
    for place in near:
        foes = _foes(state, seat, fleets_at(state, place))
        if ship_count(foes):
            odds = naval_odds(tables, squadron_of(state, own), squadron_of(state, foes), wind)
            if worst is None or odds.points + SHIP * odds.ships < worst.points + SHIP * worst.ships:
                worst = odds
    return worst, 1.0 if worst and worst.points < 0 else 0.5


def waters_value(tables: Tables, state: State, seat: str, stacks: Stacks) -> float:
    """Return the value of all fleets in their places for a seat, in political points."""
    total = 0.0
    for station in tables.exercise.stations:
        is_own = station.power in combined_powers(state, seat)
        if is_own:
            total += max(
                _station_share(state, seat, stacks.get(place, ()), station.ships) for place in station.where
            ) * (station.points)
        elif is_at_war(state, seat, station.power):
            hold = max(
                _station_share(state, station.power, stacks.get(place, ()), station.ships) for place in station.where
            )
            total -= hold * station.points
    for place, fleets in stacks.items():
        total += _meeting_value(tables, state, seat, place, fleets, stacks)
    return total


def _station_share(state: State, power: str, fleets: tuple[Fleet, ...], needed: int) -> float:
    """Return how well a station is held: 1 with enough ships, less with fewer, 0 with a strong enemy there."""
    own, foes = (
        battle_strength(state, _friends(state, power, fleets)),
        battle_strength(state, _foes(state, power, fleets)),
    )
    here = ship_count(_friends(state, power, fleets))
    if not here or foes > own:
        return 0.0
    return (0.4 * min(1.0, here / needed) if here < needed else 1.0) * (0.6 if foes else 1.0)


def _meeting_value(
    tables: Tables, state: State, seat: str, place: str, fleets: tuple[Fleet, ...], stacks: Stacks
) -> float:
    """Return the value of an own stack at a place from the other fleets there: battles, blockades, dangers."""
    own = _friends(state, seat, fleets)
    if not own:
        return 0.0
    own_strength, foes = battle_strength(state, own), _foes(state, seat, fleets)
    value = _attack_value(tables, state, place, own, foes) if foes else 0.0
    if place_kind(tables, place) == "box":
        port = port_at(place)
        kept = _foes(state, seat, stacks.get(port, ()))
        odds = own_strength / max(1.0, battle_strength(state, kept))
        if kept and controller(tables, state, port) not in combined_powers(state, seat):
            value += 0.05 * ship_count(kept) if odds >= STANDS else -0.5
    if place_kind(tables, place) == "sea":
        value -= 0.05
    return value
