"""Wars in plain words: declarations, the Phases of the War Sequence, combats, what is won and lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.narration.known import Known
from paxtui.pax.state.war import ALLIANCES, ATTACK, END, INITIATIVE, MANEUVER, RESOLUTION, SUPPLY, War
from paxtui.pax.words.spoken import any_of, place_name, power_name, sentence, the_powers

STAGES = {
    ALLIANCES: "Alliance Determination",
    INITIATIVE: "Initiative Determination",
    MANEUVER: "Maneuver Phase",
    ATTACK: "Attack Phase",
    SUPPLY: "Supply Determination Phase",
    END: "War End Determination",
    RESOLUTION: "War Resolution",
}
"""How the Phases of the War Sequence are called."""

RESULTS = {
    "E": "the attackers are eliminated",
    "AR": "the attackers retreat",
    "EX": "exchange",
    "HX": "half exchange",
    "DR": "the defenders retreat",
    "DE": "the defenders are eliminated",
}
"""How the results of the Combat Results Tables are called."""

TESTS = {
    "peace": "by agreement",
    "no_units": "because one side has no Military Unit left abroad",
    "occupied": "because every Area of one side is occupied",
    "stalemate": "as a Stalemate",
    "announced": "by announcement",
    "rebels_won": "because no colonial army is left in China",
    "rebels_beaten": "because no Chinese Army is left",
    "island": "by announcement: the colonial armies are where no Chinese Army comes",
    "ottomans_won": "because no Unit of the Ottoman Empire's enemies is left in it",
    "ottomans_beaten": "because no Ottoman Army is left in the Empire",
    "cut_off": "by announcement",
}
"""How a War can end."""


def sides_named(t: Tables, war: War) -> str:
    """The sides of a War in one phrase."""
    return " against ".join(the_powers(t, side) for side in war.alliances)


def _declared(t: Tables, e: ev.WarDeclared) -> str:
    honours = ", as its Treaty demands" if e.treaty else ""
    sides = sides_named(t, e.war)
    return f"{power_name(t, e.power)} declares War on {the_powers(t, e.on)}{honours}. At War: {sides}."


def _phase(t: Tables, e: ev.WarPhaseBegan, known: Known) -> str:
    whose = f" of {known.alliance(e.war, e.turn_of)}" if e.turn_of else ""
    return f"{STAGES[e.stage]}{whose}." if whose else f"{sentence(known.war(e.war))[:-1]}: {STAGES[e.stage]}."


def _initiative(t: Tables, e: ev.InitiativeRolled, known: Known) -> str:
    dice = "; ".join(" ".join(str(d) if d else "–" for d in row) for row in e.rolls)
    order = ", then ".join(known.alliance(e.war, n) for n in e.order)
    return f"Initiative{f' (dice {dice})' if dice else ''}: {order}."


def _battle(t: Tables, e: ev.BattleFought) -> str:
    kind = "fleets" if e.kind == "naval" else "armies"
    aside = f" Those of {the_powers(t, e.aside)} stand aside." if e.aside else ""
    against = f"attack those of {the_powers(t, e.defenders)}" if e.defenders else "attack the Area"
    with_it = f" The Area itself counts {e.area}." if e.area and e.defenders else ""
    return (
        f"{place_name(t, e.place)}: the {kind} of {the_powers(t, e.attackers)} ({e.attack}) {against} "
        f"({e.defend}), {e.column} on Table {e.table}, die {e.die}: "
        f"{RESULTS[e.result]} ({e.result}).{with_it}{aside}"
    )


def _army(t: Tables, e: ev.ArmyRolled) -> str:
    dice = "; ".join(" ".join(map(str, throw)) for throw in e.dice)
    where = place_name(t, e.area) if e.area else "nowhere"
    return f"A Chinese Army rises: dice {dice}, {where}."


def _target(t: Tables, e: ev.TargetRolled) -> str:
    dice = f" ({'die' if len(e.dice) == 1 else 'dice'} {' '.join(map(str, e.dice))})" if e.dice else ""
    others = any_of([place_name(t, area) for area in e.targets if area != e.target])
    where = f"{place_name(t, e.target)} rather than {others}"
    return f"The {e.army} in {place_name(t, e.area)} heads for {where}, which is as near{dice}."


def _decided(t: Tables, e: ev.WarDecided, known: Known) -> str:
    winner = f" Victory for {known.alliance(e.war, e.victor)}." if e.victor else ""
    return f"{sentence(known.war(e.war))[:-1]} ends {TESTS.get(e.test, 'here')}.{winner}"


def _conquered(t: Tables, e: ev.AreaConquered, known: Known) -> str:
    where = place_name(t, e.area)
    by = known.alliance(e.war, e.alliance)
    return f"{where} is conquered by {by}." if e.alliance else f"{where} is freed again."


def _passage(t: Tables, e: ev.PassageDenied) -> str:
    what = "denies" if e.denied else "opens"
    name = e.passage.replace("_", " ").title()
    return f"{power_name(t, e.by)} {what} {name} to {power_name(t, e.to)}."


def _lost(t: Tables, e: ev.UnitsSurrendered) -> str:
    units = " ".join(e.units)
    return f"{power_name(t, e.power)}: {units} in {place_name(t, e.place)} surrender ({e.reason})."


WORDS: dict[type, Callable[[Tables, Any], str]] = {
    ev.DeclarationQueued: lambda t, e: "",
    ev.DeclarationDropped: lambda t, e: (
        f"{power_name(t, e.declaration.power)} is at War with {the_powers(t, e.declaration.on)} already."
    ),
    ev.WarDeclared: _declared,
    ev.WarArose: lambda t, e: f"War: {sides_named(t, e.war)}.",
    ev.AidAsked: lambda t, e: f"{power_name(t, e.host)} asks {the_powers(t, e.guests)} for aid.",
    ev.AidAnswered: lambda t, e: "" if e.answer == "join" else f"{power_name(t, e.power)} stays out of the War.",
    ev.WarsMerged: lambda t, e: f"The Wars become one: {sides_named(t, e.war)}.",
    ev.GreatWarBegan: lambda t, e: f"This is the Great War: {sides_named(t, e.war)}.",
    ev.CommandGiven: lambda t, e: (
        f"{power_name(t, e.seat)} commands {power_name(t, e.minor)} in this War."
        if e.seat
        else f"The engine commands {power_name(t, e.minor)} in this War."
    ),
    ev.PowerLeftWar: lambda t, e: f"{power_name(t, e.power)} is at War no longer.",
    ev.DefenceGivenUp: lambda t, e: f"{power_name(t, e.power)} has not done its best for {power_name(t, e.minor)}.",
    ev.WarStepTaken: lambda t, e: "",
    ev.EndTestsWaived: lambda t, e: f"{power_name(t, e.power)} wants the War to go on.",
    ev.SpoilsDivided: lambda t, e: "",
    ev.PassageDenied: _passage,
    ev.CodominionEntered: lambda t, e: f"{power_name(t, e.power)} has entered the Codominion {place_name(t, e.area)}.",
    ev.ArmyMarched: lambda t, e: "",
    ev.ArmiesRolled: lambda t, e: f"Chinese Armies: die {e.die}.",
    ev.ArmyRolled: _army,
    ev.AreaCeded: lambda t, e: f"China cedes {place_name(t, e.area)} to {power_name(t, e.power)} ({e.marker}).",
    ev.AreaInvaded: lambda t, e: (
        f"{power_name(t, e.power)} has entered {place_name(t, e.area)}, which fights: its armies have to attack there."
    ),
    ev.TargetRolled: _target,
    ev.BattleFought: _battle,
    ev.ConsentGiven: lambda t, e: f"{power_name(t, e.seat)} consents for {power_name(t, e.minor)}: {e.order}.",
    ev.UnitsSurrendered: _lost,
    ev.UnitsReturned: lambda t, e: f"{power_name(t, e.power)}: {' '.join(e.units)} come home from captivity.",
    ev.AreaDefeated: lambda t, e: (
        f"{place_name(t, e.area)} is defeated."
        if e.defeated
        else f"{place_name(t, e.area)} has its Combat Strength again."
    ),
    ev.UnitMarches: lambda t, e: "",
    ev.SupplyNoted: lambda t, e: "",
    ev.SupplyFound: lambda t, e: "",
}
"""A line for each of these events, for `paxtui.pax.narration.narrate`."""

NAMED: dict[type, Callable[[Tables, Any, Known], str]] = {
    ev.WarPhaseBegan: _phase,
    ev.InitiativeRolled: _initiative,
    ev.WarDecided: _decided,
    ev.AreaConquered: _conquered,
    ev.CycleEnded: lambda t, e, known: sentence(f"{known.war(e.war)} goes on past its {_ordinal(e.cycle)} cycle"),
    ev.WarOver: lambda t, e, known: sentence(f"{known.war(e.war)} is over"),
    ev.CoalingVolunteered: lambda t, e, known: (
        f"{power_name(t, e.power)} volunteers {place_name(t, e.area)} for coaling to {known.alliance(e.war, e.to)}, "
        f"for this War."
    ),
}
"""The same for events whose line calls something by a name that was heard before."""


def _ordinal(n: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(n, f"{n}th")
