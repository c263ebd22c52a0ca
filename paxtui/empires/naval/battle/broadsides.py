"""A naval combat up to its result: evasion, harbour guns, wind, broadsides, and the ships that are taken off.

Rules: EIA 6.3.2, 6.3.3
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.empires.history.sea_events import (
    EncounterSet,
    EvasionRolled,
    Fired,
    PlaceClosed,
    ShipsLost,
    WindRolled,
)
from paxtui.empires.naval.battle.gunnery import casualties, fire_roll, percentage, wind_roll
from paxtui.empires.naval.battle.sides import BOTH, changed, lead, left, of, other
from paxtui.empires.naval.places import kind, port_of
from paxtui.empires.naval.stacks import has_access, ships
from paxtui.empires.play.play import Play
from paxtui.empires.play.standing import at_war, owner
from paxtui.empires.state.questions import Question
from paxtui.empires.state.sea import Encounter, SideName

EVASION, GUNS, LOSSES = "evasion", "harbour_guns", "losses"
"""The questions: whether to evade, to use the guns of a neutral port, how many ships a fleet loses."""
EVADES = 2
"""The highest die that evades (EIA 6.3.2.1)."""
ROWS = range(8)
"""The modified rolls of the naval combat table."""


def evasion(play: Play, fight: Encounter) -> None:
    """Ask who is attacked at sea whether to evade.

    Rules: EIA 6.3.2
    """
    play.ask(
        EVASION,
        lead(play.state, left(play.state, fight.defender)),
        ("evade", "stand"),
        fight.place,
        rules=("EIA 6.3.2",),
    )


def answer_evasion(play: Play, question: Question, choice: str) -> None:
    """Try to evade, or stand and fight.

    Rules: EIA 6.3.2, 6.3.2.1, 6.3.2.2
    """
    fight = the_fight(play)
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


def guns(play: Play, fight: Encounter) -> None:
    """The guns of a harbour, before anybody else fires; a neutral holder is asked.

    Rules: EIA 6.3.1.3, 6.3.3.3
    """
    tables, state = play.tables, play.state
    port = port_of(fight.place)
    holder = owner(tables, state, port)
    garrisoned = any(one.where == port and not one.of_depot for one in state.garrisons) or any(
        corps.where == port and corps.inside for corps in state.corps.values()
    )
    if not tables.areas[port].guns or not garrisoned:
        play.emit(EncounterSet(encounter=replace(fight, stage="wind")))
    elif holder in fight.defender.powers or any(at_war(state, holder, one) for one in fight.attacker.powers):
        bombard(play, fight)
    elif all(has_access(state, one, holder) for one in fight.attacker.powers):
        play.emit(EncounterSet(encounter=replace(fight, stage="wind"), rules=("EIA 6.3.1.3.1",)))
    elif holder not in state.powers:
        bombard(play, fight)  # a neutral minor country has nobody to ask
    else:
        play.ask(GUNS, holder, ("fire", "hold"), fight.place, rules=("EIA 6.3.1.3.2",))


def answer_guns(play: Play, question: Question, choice: str) -> None:
    """A neutral port fires or lets them fight.

    Rules: EIA 6.3.1.3.2
    """
    fight = the_fight(play)
    if choice == "fire":
        bombard(play, fight)
    else:
        play.emit(EncounterSet(encounter=replace(fight, stage="wind")))


def bombard(play: Play, fight: Encounter) -> None:
    """The harbour fires, as so many ships as its value, by an unmodified die.

    Rules: EIA 6.3.3.3
    """
    die = play.roll()
    strength = play.tables.areas[port_of(fight.place)].guns
    lost = shot(play, fight, "defender", die, die, strength, True)
    attacker = replace(fight.attacker, owed=lost)
    play.emit(EncounterSet(encounter=replace(fight, attacker=attacker, stage="losses")))


def wind(play: Play, fight: Encounter) -> None:
    """Who has the wind gauge: by rule in a port and against who leaves a blockaded port, else by dice.

    Rules: EIA 6.3.3.1, 6.2.6.1
    """
    sort, port = kind(play.tables, fight.place), port_of(fight.place)
    if sort == "port" or (sort == "box" and fight.defender.before == port):
        found = "attacker"
    elif sort == "box" and fight.attacker.before == port:
        found = "defender"
    else:
        dice = play.roll(), play.roll()
        rolls = tuple(
            wind_roll(die, of(fight, side).powers, bool(of(fight, side).naval_leader))
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
        found = "nobody" if rolls[0] == rolls[1] else "attacker" if rolls[0] > rolls[1] else "defender"
    gauge = "attacker" if found == "attacker" else "defender" if found == "defender" else "nobody"
    play.emit(EncounterSet(encounter=replace(fight, wind=gauge, stage="fire"), rules=("EIA 6.3.3.1",)))


def fire(play: Play, fight: Encounter) -> None:
    """Whoever's turn it is fires: both at once without a wind gauge, else who has it and then the other.

    Rules: EIA 6.3.3.1, 6.3.3.2, 6.3.3.3
    """
    first: SideName = "defender" if fight.wind == "defender" else "attacker"
    order = tuple(
        side for side in (first, other(first)) if side not in fight.fired and ships(left(play.state, of(fight, side)))
    )
    if not order or not all(ships(left(play.state, of(fight, side))) for side in BOTH):
        play.emit(EncounterSet(encounter=replace(fight, stage="result")))
        return
    firing = order if fight.wind == "nobody" else order[:1]
    after = replace(fight, fired=(*fight.fired, *firing), stage="losses")
    for side in firing:
        own = of(fight, side)
        die = play.roll()
        lost = shot(play, fight, side, die, fire_roll(die, own.powers), ships(left(play.state, own)), False)
        after = changed(after, other(side), replace(of(after, other(side)), owed=lost))
    play.emit(EncounterSet(encounter=after))


def shot(play: Play, fight: Encounter, side: SideName, die: int, roll: int, strength: int, harbour: bool) -> int:
    """One broadside: how many ships the other side loses, all that it has at most.

    Args: the combat; who fires; the die and what it is after modifiers; the ships that fire; whether a harbour does.

    Rules: EIA 6.3.3.2
    """
    percent = percentage(combat_table(play), roll)
    target = ships(left(play.state, of(fight, other(side))))
    lost = min(target, casualties(play.tables.casualties, percent, strength))
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


def combat_table(play: Play) -> dict[int, int]:
    """The naval combat table of the exercise, modified roll -> per cent."""
    names = {roll: f"naval.combat.{roll}" for roll in ROWS}
    return {roll: play.tables.number(name) for roll, name in names.items() if name in play.tables.cells}


def losses(play: Play, fight: Encounter) -> None:
    """Ships are taken off; a side with several fleets says how many each of them loses.

    Rules: EIA 6.3.3.2
    """
    for side in BOTH:
        own = of(fight, side)
        if not own.owed:
            continue
        fleets = left(play.state, own)
        if len(own.asked) == len(fleets):
            for fleet, number in zip(fleets, own.asked, strict=True):
                if number:
                    play.emit(ShipsLost(fleet=fleet.id, ships=number, rules=("EIA 6.3.3.2",)))
            paid = replace(own, lost=own.lost + own.owed, owed=0, asked=())
            play.emit(EncounterSet(encounter=changed(fight, side, paid)))
            return
        fleet, later = fleets[len(own.asked)], fleets[len(own.asked) + 1 :]
        still = own.owed - sum(own.asked)
        least, most = max(0, still - ships(later)), min(still, fleet.ships)
        if least == most:
            borne(play, fight, side, least)
        else:
            numbers = tuple(str(number) for number in range(least, most + 1))
            play.ask(LOSSES, lead(play.state, fleets), numbers, side, fleet.id, str(still), rules=("EIA 6.3.3.2",))
        return
    play.emit(EncounterSet(encounter=replace(fight, stage="fire" if fight.wind else "wind")))


def borne(play: Play, fight: Encounter, side: SideName, number: int) -> None:
    """The next fleet of a side bears so many of its losses."""
    own = of(fight, side)
    play.emit(EncounterSet(encounter=changed(fight, side, replace(own, asked=(*own.asked, number)))))


def answer_losses(play: Play, question: Question, choice: str) -> None:
    """How many of the losses a fleet bears.

    Rules: EIA 6.3.3.2
    """
    borne(play, the_fight(play), "attacker" if question.about[0] == "attacker" else "defender", int(choice))


def the_fight(play: Play) -> Encounter:
    """The combat that goes on."""
    fight = play.state.at_sea.encounter
    assert fight is not None  # asked only while one does
    return fight
