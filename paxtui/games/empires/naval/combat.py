"""Naval combat up to its result: attacks, evasion, harbour guns, wind, broadsides, losses and points.

Rules: EIA 6.2.4, 6.3.1 to 6.3.4
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.empires.board import controller, is_at_war
from paxtui.games.empires.events.sea import EncounterSet, EvasionRolled, Fired, PlaceClosed, ShipsLost, WindRolled
from paxtui.games.empires.naval.fleets import (
    carriable_powers,
    combined_powers,
    commanding_admiral,
    fleets_at,
    has_access,
    is_at_war_with_any,
    is_frozen,
    is_hostile,
    is_port_open,
    place_kind,
    place_name,
    place_of_fleet,
    port_at,
    powers_aboard,
    ship_count,
    stack_at,
)
from paxtui.games.empires.orders import AttackFleet
from paxtui.games.empires.pieces import Cause, Encounter, Fleet, Side, SideName, Stage, Wind
from paxtui.games.empires.politics import declarations
from paxtui.games.empires.state import Question, State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction, refuse

BOTH: tuple[SideName, SideName] = ("attacker", "defender")


def other_side(side: SideName) -> SideName:
    """The other side."""
    return "defender" if side == "attacker" else "attacker"


def _with_side(fight: Encounter, side: SideName, new: Side) -> Encounter:
    return replace(fight, **{side: new})


def remaining_fleets(state: State, side: Side) -> tuple[Fleet, ...]:
    """The fleets of a side that are still on the map."""
    return tuple(state.fleets[name] for name in side.fleets if name in state.fleets)


def leading_power(state: State, fleets: Iterable[Fleet]) -> str:
    """The Power that speaks for some fleets: the one with most ships among them."""
    by_power: dict[str, int] = {}
    for fleet in fleets:
        by_power[fleet.power] = by_power.get(fleet.power, 0) + fleet.ships
    return max(by_power, key=lambda power: by_power[power])


def can_fight(tables: Tables, state: State, power: str, target: str, place: str) -> bool:
    """Whether a Power may fight the fleets of another at a place: by war with it, or with a corps it carries or could.

    Rules: EIA 6.2.3.1, 6.3.1.2
    """
    theirs = stack_at(state, place, (target,))
    cargo = tuple(one for fleet in theirs for one in carriable_powers(tables, state, fleet))
    return bool(theirs) and is_at_war_with_any(state, power, (target, *powers_aboard(state, theirs), *cargo))


def opponents(tables: Tables, state: State, powers: Iterable[str], target: str, place: str) -> tuple[str, ...]:
    """Those of `target` and who moves combined with it whose fleets at a place are fought by one of `powers`.

    Rules: EIA 6.3.1
    """
    against = tuple(powers)
    return tuple(
        one
        for one in combined_powers(state, target)
        if stack_at(state, place, (one,)) and any(can_fight(tables, state, power, one, place) for power in against)
    )


def begin_combat(
    play: Transaction,
    place: str,
    attackers: tuple[str, ...],
    defenders: tuple[str, ...],
    cause: Cause,
    phasing: str,
    before: tuple[str, str] = ("", ""),
) -> None:
    """Begin a naval combat; `before` is where attacker and defender came from.

    Rules: EIA 6.3.1, 6.3.2
    """
    sort = place_kind(play.tables, place)
    stage: Stage = "guns" if sort == "port" else "evasion" if cause == "attack" and sort == "sea" else "wind"
    sides = []
    for powers, start in zip((attackers, defenders), before, strict=True):
        fleets = stack_at(play.state, place, powers)
        sides.append(
            Side(
                powers=powers,
                fleets=tuple(fleet.id for fleet in fleets),
                ships=ship_count(fleets),
                naval_leader=commanding_admiral(play.state, fleets),
                before=start,
            )
        )
    encounter = Encounter(
        place=place,
        cause=cause,
        phasing=phasing,
        attacker=sides[0],
        defender=sides[1],
        stage=stage,
    )
    play.emit(EncounterSet(encounter=encounter, rules=("EIA 6.3.1",)))


def attack_stack(play: Transaction, power: str, action: AttackFleet) -> None:
    """Attack the stack of a Power at a place. Raises: Refusal.

    Rules: EIA 6.2.4, 6.3.1, 6.3.1.1, 6.3.1.2, 6.3.2
    """
    tables, state = play.tables, play.state
    place, target = action.place, action.power
    if not place_kind(tables, place):
        refuse("no_place", f"No fleet can be at '{place}'.", "EIA 6.2.4")
    name = place_name(tables, place)
    if not stack_at(state, place, (power,)):
        refuse("no_fleet", f"{tables.name(power)} has no fleet at {name}.", "EIA 6.2.4")
    if target not in state.powers or not stack_at(state, place, (target,)):
        refuse("no_enemy", f"{target} has no fleet at {name}.", "EIA 6.3.1")
    if place in state.at_sea.closed:
        refuse("once", f"Only one stack can be attacked at {name} in a sequence.", "EIA 6.3.1", "EIA 6.3.2")
    if is_frozen(tables, state, place):
        refuse("ice", f"No combat in {name} in winter: it is north of the ice line.", "EIA 6.2.1.4")
    defenders = opponents(tables, state, (power,), target, place)
    if target in combined_powers(state, power) or not defenders:
        refuse(
            "no_enemy",
            f"{tables.name(power)} is at war neither with {tables.name(target)} nor with a corps its fleets carry.",
            "EIA 6.3.1.2",
        )
    for foe in dict.fromkeys(action.declaring):
        _declare_war(play, power, foe, defenders)
    friends = (one for one in combined_powers(state, power) if one in state.cursor.powers)
    attackers = tuple(
        one
        for one in friends
        if stack_at(state, place, (one,)) and any(can_fight(tables, state, one, foe, place) for foe in defenders)
    )
    begin_combat(play, place, attackers, defenders, "attack", power)


def _declare_war(play: Transaction, power: str, foe: str, defenders: tuple[str, ...]) -> None:
    """Declare war, in the moment of the attack, on who carries an enemy or moves with one. Raises: Refusal.

    An enforced peace does not stand in the way, and no ally is called.

    Rules: EIA 6.3.1.2.1, 6.3.1.2.2
    """
    if foe not in defenders:
        refuse(
            "not_attacked",
            f"War can be declared here only on the attacked Powers: {', '.join(map(play.tables.name, defenders))}.",
            "EIA 6.3.1.2.2",
        )
    declarations.check_declaration(play.tables, play.state, power, foe, treaty=False)
    declarations.go_to_war(play, power, foe, "EIA 6.3.1.2.2")


def possible_attacks(tables: Tables, state: State, power: str) -> Iterator[AttackFleet]:
    """Yield the attacks that a Power can make."""
    for place in dict.fromkeys(place_of_fleet(fleet) for fleet in state.fleets.values() if fleet.power == power):
        for other in state.powers:
            if other != power and can_fight(tables, state, power, other, place):
                yield AttackFleet(place=place, power=other)


def owed_attacks(tables: Tables, state: State, power: str) -> tuple[str, ...]:
    """Return the ports and blockade boxes where a Power must still attack.

    In a port that is not open to it a Power must attack whatever it can attack. Rules: EIA 6.2.1.2, 6.2.4
    """
    possible = {one.place for one in possible_attacks(tables, state, power)}
    places = dict.fromkeys(place_of_fleet(fleet) for fleet in state.fleets.values() if fleet.power == power)
    return tuple(
        place
        for place in places
        if place_kind(tables, place) in ("port", "box")
        and place not in state.at_sea.closed
        and (
            is_hostile(state, power, (fleet for fleet in fleets_at(state, place) if fleet.power != power))
            or (
                place in possible
                and place_kind(tables, place) == "port"
                and not is_port_open(tables, state, power, place)
            )
        )
    )


def check_attacks_made(play: Transaction, power: str) -> None:
    """Refuse to end the step while an attack must be made. Raises: Refusal.

    Rules: EIA 6.2.4
    """
    places = owed_attacks(play.tables, play.state, power)
    if places:
        names = ", ".join(place_name(play.tables, place) for place in places)
        refuse("must_attack", f"An enemy in the same port or blockade box must be attacked: {names}.", "EIA 6.2.4")


BRITISH = "great_britain"
POOR_SAILORS = ("prussia", "austria")
"""Powers whose fleets fire worse."""
BEST_WIND = 6
"""The highest modified roll for the wind."""
COLUMNS = 20
"""The columns of the casualty table; larger numbers are taken apart into twenties."""


def wind_roll(die: int, powers: Collection[str], nelson: bool) -> int:
    """Return the roll of a side for the wind after modifiers.

    Rules: EIA 6.3.3.1
    """
    return min(BEST_WIND, die + (BRITISH in powers) + nelson)


def fire_roll(die: int, powers: Collection[str]) -> int:
    """Return the roll of a broadside after modifiers, 0 to 7.

    Rules: EIA 6.3.3.2
    """
    return die + (BRITISH in powers) - any(power in powers for power in POOR_SAILORS)


def loss_percentage(table: Mapping[int, int], roll: int) -> int:
    """Return the part of the firing ships that the other side loses, in per cent. Raises: Refusal `unknown_cell`.

    Rules: EIA 6.3.3.2
    """
    if roll not in table:
        raise Refusal(
            "unknown_cell",
            ("EIA 6.3.3.2",),
            f"The naval combat table of this exercise has no cell for a roll of {roll}.",
            roll=roll,
        )
    return table[roll]


def ships_lost(table: Mapping[int, Sequence[int]], percent: int, ships: int) -> int:
    """Look up how many ships `percent` of `ships` are. Raises: Refusal `unknown_cell`.

    Rules: EIA 6.3.3.2
    """
    if percent not in table:
        raise Refusal(
            "unknown_cell",
            ("EIA 6.3.3.2",),
            f"The casualty table has no row for {percent} per cent.",
            percent=percent,
        )
    row = table[percent]
    whole, rest = divmod(ships, COLUMNS)
    return whole * row[COLUMNS - 1] + (row[rest - 1] if rest else 0)


WinningSide = Literal["attacker", "defender"]

MOST_POINTS = 3
"""Political points for the beaten fleets, at most."""


def winning_side(attackers: tuple[int, int], defenders: tuple[int, int]) -> WinningSide | None:
    """Return the side that has won, None for a draw, by the ships of each side at the beginning and those lost.

    Rules: EIA 6.3.4.1
    """
    ours, theirs = attackers[1], defenders[1]
    left, left_there = attackers[0] - ours, defenders[0] - theirs
    if left and ours < theirs:
        return "attacker"
    if left_there and theirs < ours:
        return "defender"
    if left and left_there:
        return "defender"
    return None


def combat_points(fleets: int, nelson_won: bool, nelson_lost: bool) -> tuple[int, int]:
    """Return the points of winner and loser for the loser's fleets; `nelson_...`: whether Nelson commanded that side.

    Rules: EIA 6.3.4.2, 6.3.4.2.1, 6.3.4.2.2
    """
    counted = min(fleets, MOST_POINTS)
    return counted + nelson_won, -counted - nelson_lost


EVASION, GUNS, LOSSES = "evasion", "harbour_guns", "losses"
"""The questions: whether to evade, to use the guns of a neutral port, how many ships a fleet loses."""
EVADES = 2
"""The highest die that evades (EIA 6.3.2.1)."""
COMBAT_ROWS = range(8)
"""The modified rolls of the naval combat table."""


def ask_evasion(play: Transaction, fight: Encounter) -> None:
    """Ask who is attacked at sea whether to evade.

    Rules: EIA 6.3.2
    """
    play.ask(
        EVASION,
        leading_power(play.state, remaining_fleets(play.state, fight.defender)),
        ("evade", "stand"),
        fight.place,
        rules=("EIA 6.3.2",),
    )


def answer_evasion(play: Transaction, question: Question, choice: str) -> None:
    """Try to evade, or stand and fight.

    Rules: EIA 6.3.2, 6.3.2.1, 6.3.2.2
    """
    fight = current_combat(play)
    if choice == "evade":
        die = play.roll()
        evaded = die <= EVADES
        play.emit(EvasionRolled(powers=fight.defender.powers, die=die, evaded=evaded, rules=("EIA 6.3.2.1",)))
        if evaded:
            play.emit(PlaceClosed(place=fight.place, rules=("EIA 6.3.2",)))
            beaten = replace(fight, stage="retreat", beaten="defender", evaded=True)
            play.emit(EncounterSet(encounter=beaten))
            return
    play.emit(EncounterSet(encounter=replace(fight, stage="wind")))


def ask_harbour_guns(play: Transaction, fight: Encounter) -> None:
    """The guns of a harbour, before anybody else fires; a neutral holder is asked.

    Rules: EIA 6.3.1.3, 6.3.3.3
    """
    tables, state = play.tables, play.state
    port = port_at(fight.place)
    holder = controller(tables, state, port)
    garrisoned = any(one.where == port and not one.of_depot for one in state.garrisons) or any(
        corps.where == port and corps.inside for corps in state.corps.values()
    )
    if not tables.areas[port].guns or not garrisoned:
        play.emit(EncounterSet(encounter=replace(fight, stage="wind")))
    elif holder in fight.defender.powers or any(is_at_war(state, holder, one) for one in fight.attacker.powers):
        fire_harbour_guns(play, fight)
    elif all(has_access(state, one, holder) for one in fight.attacker.powers):
        play.emit(EncounterSet(encounter=replace(fight, stage="wind"), rules=("EIA 6.3.1.3.1",)))
    elif holder not in state.powers:
        fire_harbour_guns(play, fight)  # a neutral minor country has nobody to ask
    else:
        play.ask(GUNS, holder, ("fire", "hold"), fight.place, rules=("EIA 6.3.1.3.2",))


def answer_guns(play: Transaction, question: Question, choice: str) -> None:
    """A neutral port fires or lets them fight.

    Rules: EIA 6.3.1.3.2
    """
    fight = current_combat(play)
    if choice == "fire":
        fire_harbour_guns(play, fight)
    else:
        play.emit(EncounterSet(encounter=replace(fight, stage="wind")))


def fire_harbour_guns(play: Transaction, fight: Encounter) -> None:
    """The harbour fires, as so many ships as its value, by an unmodified die.

    Rules: EIA 6.3.3.3
    """
    die = play.roll()
    strength = play.tables.areas[port_at(fight.place)].guns
    lost = fire_broadside(play, fight, "defender", die, die, strength, True)
    attacker = replace(fight.attacker, owed=lost)
    play.emit(EncounterSet(encounter=replace(fight, attacker=attacker, stage="losses")))


def settle_wind(play: Transaction, fight: Encounter) -> None:
    """Determine the wind gauge: fixed in a port and against a fleet that leaves a blockaded port, otherwise by dice.

    Rules: EIA 6.3.3.1, 6.2.6.1
    """
    sort, port = place_kind(play.tables, fight.place), port_at(fight.place)
    gauge: Wind
    if sort == "port" or (sort == "box" and fight.defender.before == port):
        gauge = "attacker"
    elif sort == "box" and fight.attacker.before == port:
        gauge = "defender"
    else:
        dice = play.roll(), play.roll()
        rolls = tuple(
            wind_roll(die, fight.side(side).powers, bool(fight.side(side).naval_leader))
            for die, side in zip(dice, BOTH, strict=True)
        )
        play.emit(
            WindRolled(
                attacker=dice[0],
                defender=dice[1],
                attacker_modified=rolls[0],
                defender_modified=rolls[1],
                rules=("EIA 6.3.3.1",),
            )
        )
        gauge = "nobody" if rolls[0] == rolls[1] else "attacker" if rolls[0] > rolls[1] else "defender"
    play.emit(EncounterSet(encounter=replace(fight, wind=gauge, stage="fire"), rules=("EIA 6.3.3.1",)))


def fire_broadsides(play: Transaction, fight: Encounter) -> None:
    """Fire broadsides: both sides at once without a wind gauge, otherwise first the side that has it.

    Rules: EIA 6.3.3.1, 6.3.3.2, 6.3.3.3
    """
    first: SideName = "defender" if fight.wind == "defender" else "attacker"
    order = tuple(
        side
        for side in (first, other_side(first))
        if side not in fight.fired and ship_count(remaining_fleets(play.state, fight.side(side)))
    )
    if not order or not all(ship_count(remaining_fleets(play.state, fight.side(side))) for side in BOTH):
        play.emit(EncounterSet(encounter=replace(fight, stage="result")))
        return
    firing = order if fight.wind == "nobody" else order[:1]
    after = replace(fight, fired=(*fight.fired, *firing), stage="losses")
    for side in firing:
        own = fight.side(side)
        die = play.roll()
        lost = fire_broadside(
            play, fight, side, die, fire_roll(die, own.powers), ship_count(remaining_fleets(play.state, own)), False
        )
        after = _with_side(after, other_side(side), replace(after.side(other_side(side)), owed=lost))
    play.emit(EncounterSet(encounter=after))


def fire_broadside(
    play: Transaction, fight: Encounter, side: SideName, die: int, roll: int, strength: int, harbour: bool
) -> int:
    """Fire a broadside of some ships, or of a harbour; return how many ships the other side loses.

    Rules: EIA 6.3.3.2
    """
    percent = loss_percentage(combat_table(play), roll)
    target = ship_count(remaining_fleets(play.state, fight.side(other_side(side))))
    lost = min(target, ships_lost(play.tables.casualties, percent, strength))
    play.emit(
        Fired(
            side=side,
            harbour=harbour,
            die=die,
            modified=roll,
            percent=percent,
            ships=strength,
            losses=lost,
            rules=("EIA 6.3.3.3",) if harbour else ("EIA 6.3.3.2",),
        )
    )
    return lost


def combat_table(play: Transaction) -> dict[int, int]:
    """The naval combat table of the exercise, modified roll -> per cent."""
    names = {roll: f"naval.combat.{roll}" for roll in COMBAT_ROWS}
    return {roll: play.tables.number(name) for roll, name in names.items() if name in play.tables.cells}


def settle_losses(play: Transaction, fight: Encounter) -> None:
    """Ships are taken off; a side with several fleets says how many each of them loses.

    Rules: EIA 6.3.3.2
    """
    for side in BOTH:
        own = fight.side(side)
        if not own.owed:
            continue
        fleets = remaining_fleets(play.state, own)
        if len(own.asked) == len(fleets):
            for fleet, number in zip(fleets, own.asked, strict=True):
                if number:
                    play.emit(ShipsLost(fleet=fleet.id, ships=number, rules=("EIA 6.3.3.2",)))
            paid = replace(own, lost=own.lost + own.owed, owed=0, asked=())
            play.emit(EncounterSet(encounter=_with_side(fight, side, paid)))
            return
        fleet, later = fleets[len(own.asked)], fleets[len(own.asked) + 1 :]
        still = own.owed - sum(own.asked)
        least, most = max(0, still - ship_count(later)), min(still, fleet.ships)
        if least == most:
            bear_losses(play, fight, side, least)
        else:
            numbers = tuple(str(number) for number in range(least, most + 1))
            play.ask(
                LOSSES, leading_power(play.state, fleets), numbers, side, fleet.id, str(still), rules=("EIA 6.3.3.2",)
            )
        return
    play.emit(EncounterSet(encounter=replace(fight, stage="fire" if fight.wind else "wind")))


def bear_losses(play: Transaction, fight: Encounter, side: SideName, number: int) -> None:
    """The next fleet of a side bears so many of its losses."""
    own = fight.side(side)
    play.emit(EncounterSet(encounter=_with_side(fight, side, replace(own, asked=(*own.asked, number)))))


def answer_losses(play: Transaction, question: Question, choice: str) -> None:
    """How many of the losses a fleet bears.

    Rules: EIA 6.3.3.2
    """
    bear_losses(play, current_combat(play), "attacker" if question.about[0] == "attacker" else "defender", int(choice))


def current_combat(play: Transaction) -> Encounter:
    """The combat that goes on."""
    fight = play.state.at_sea.encounter
    assert fight is not None  # asked only while one does
    return fight
