"""Sentences for events of War: declarations, Phases, combats, conquests and ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.narration.labels import NameRegistry
from paxtui.games.pax.state.war import ALLIANCES, ATTACK, END, INITIATIVE, MANEUVER, RESOLUTION, SUPPLY, War
from paxtui.games.pax.text.display import join_with_or, place_name, power_name, sentence, the_powers

STAGE_NAMES = {
    ALLIANCES: "Alliance Determination",
    INITIATIVE: "Initiative Determination",
    MANEUVER: "Maneuver Phase",
    ATTACK: "Attack Phase",
    SUPPLY: "Supply Determination Phase",
    END: "War End Determination",
    RESOLUTION: "War Resolution",
}
"""Names of the Phases of the War Sequence."""

WAR_COMBAT_RESULTS = {
    "E": "the attackers are eliminated",
    "AR": "the attackers retreat",
    "EX": "exchange",
    "HX": "half exchange",
    "DR": "the defenders retreat",
    "DE": "the defenders are eliminated",
}
"""Names of the results of the Combat Results Tables."""

END_TEST_NAMES = {
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
"""Texts for the ends of a War."""


def sides_text(t: Tables, war: War) -> str:
    """Format the sides of a War as a phrase."""
    return " against ".join(the_powers(t, side) for side in war.alliances)


def _declared(t: Tables, e: events.WarDeclared) -> str:
    honours = ", as its Treaty demands" if e.treaty else ""
    sides = sides_text(t, e.war)
    return f"{power_name(t, e.power)} declares War on {the_powers(t, e.on)}{honours}. At War: {sides}."


def _phase(t: Tables, e: events.WarPhaseBegan, known: NameRegistry) -> str:
    whose = f" of {known.alliance(e.war, e.turn_of)}" if e.turn_of else ""
    return f"{STAGE_NAMES[e.stage]}{whose}." if whose else f"{sentence(known.war(e.war))[:-1]}: {STAGE_NAMES[e.stage]}."


def _initiative(t: Tables, e: events.InitiativeRolled, known: NameRegistry) -> str:
    dice = "; ".join(" ".join(str(d) if d else "–" for d in row) for row in e.rolls)
    order = ", then ".join(known.alliance(e.war, n) for n in e.order)
    return f"Initiative{f' (dice {dice})' if dice else ''}: {order}."


def _battle(t: Tables, e: events.BattleFought) -> str:
    kind = "fleets" if e.kind == "naval" else "armies"
    aside = f" Those of {the_powers(t, e.aside)} stand aside." if e.aside else ""
    against = f"attack those of {the_powers(t, e.defenders)}" if e.defenders else "attack the Area"
    with_it = f" The Area itself counts {e.area}." if e.area and e.defenders else ""
    return (
        f"{place_name(t, e.place)}: the {kind} of {the_powers(t, e.attackers)} ({e.attack}) {against} "
        f"({e.defend}), {e.column} on Table {e.table}, die {e.die}: "
        f"{WAR_COMBAT_RESULTS[e.result]} ({e.result}).{with_it}{aside}"
    )


def _army(t: Tables, e: events.ArmyRolled) -> str:
    dice = "; ".join(" ".join(map(str, throw)) for throw in e.dice)
    where = place_name(t, e.area) if e.area else "nowhere"
    return f"A Chinese Army rises: dice {dice}, {where}."


def _target(t: Tables, e: events.TargetRolled) -> str:
    dice = f" ({'die' if len(e.dice) == 1 else 'dice'} {' '.join(map(str, e.dice))})" if e.dice else ""
    others = join_with_or([place_name(t, area) for area in e.targets if area != e.target])
    where = f"{place_name(t, e.target)} rather than {others}"
    return f"The {e.army} in {place_name(t, e.area)} heads for {where}, which is as near{dice}."


def _decided(t: Tables, e: events.WarDecided, known: NameRegistry) -> str:
    winner = f" Victory for {known.alliance(e.war, e.victor)}." if e.victor else ""
    return f"{sentence(known.war(e.war))[:-1]} ends {END_TEST_NAMES.get(e.test, 'here')}.{winner}"


def _conquered(t: Tables, e: events.AreaConquered, known: NameRegistry) -> str:
    where = place_name(t, e.area)
    by = known.alliance(e.war, e.alliance)
    return f"{where} is conquered by {by}." if e.alliance else f"{where} is freed again."


def _passage(t: Tables, e: events.PassageDenied) -> str:
    what = "denies" if e.denied else "opens"
    name = e.passage.replace("_", " ").title()
    return f"{power_name(t, e.by)} {what} {name} to {power_name(t, e.to)}."


def _lost(t: Tables, e: events.UnitsSurrendered) -> str:
    units = " ".join(e.units)
    return f"{power_name(t, e.power)}: {units} in {place_name(t, e.place)} surrender ({e.reason})."


WAR_TEXTS: dict[type, Callable[[Tables, Any], str]] = {
    events.DeclarationQueued: lambda t, e: "",
    events.DeclarationDropped: lambda t, e: (
        f"{power_name(t, e.declaration.power)} is at War with {the_powers(t, e.declaration.on)} already."
    ),
    events.WarDeclared: _declared,
    events.WarArose: lambda t, e: f"War: {sides_text(t, e.war)}.",
    events.AidAsked: lambda t, e: f"{power_name(t, e.host)} asks {the_powers(t, e.guests)} for aid.",
    events.AidAnswered: lambda t, e: "" if e.answer == "join" else f"{power_name(t, e.power)} stays out of the War.",
    events.WarsMerged: lambda t, e: f"The Wars become one: {sides_text(t, e.war)}.",
    events.GreatWarBegan: lambda t, e: f"This is the Great War: {sides_text(t, e.war)}.",
    events.CommandGiven: lambda t, e: (
        f"{power_name(t, e.seat)} commands {power_name(t, e.minor)} in this War."
        if e.seat
        else f"The engine commands {power_name(t, e.minor)} in this War."
    ),
    events.PowerLeftWar: lambda t, e: f"{power_name(t, e.power)} is at War no longer.",
    events.DefenceGivenUp: lambda t, e: f"{power_name(t, e.power)} has not done its best for {power_name(t, e.minor)}.",
    events.WarStepTaken: lambda t, e: "",
    events.EndTestsWaived: lambda t, e: f"{power_name(t, e.power)} wants the War to go on.",
    events.SpoilsDivided: lambda t, e: "",
    events.PassageDenied: _passage,
    events.CodominionEntered: lambda t, e: (
        f"{power_name(t, e.power)} has entered the Codominion {place_name(t, e.area)}."
    ),
    events.ArmyMarched: lambda t, e: "",
    events.ArmiesRolled: lambda t, e: f"Chinese Armies: die {e.die}.",
    events.ArmyRolled: _army,
    events.AreaCeded: lambda t, e: f"China cedes {place_name(t, e.area)} to {power_name(t, e.power)} ({e.marker}).",
    events.AreaInvaded: lambda t, e: (
        f"{power_name(t, e.power)} has entered {place_name(t, e.area)}, which fights: its armies have to attack there."
    ),
    events.TargetRolled: _target,
    events.BattleFought: _battle,
    events.ConsentGiven: lambda t, e: f"{power_name(t, e.seat)} consents for {power_name(t, e.minor)}: {e.order}.",
    events.UnitsSurrendered: _lost,
    events.UnitsReturned: lambda t, e: f"{power_name(t, e.power)}: {' '.join(e.units)} come home from captivity.",
    events.AreaDefeated: lambda t, e: (
        f"{place_name(t, e.area)} is defeated."
        if e.defeated
        else f"{place_name(t, e.area)} has its Combat Strength again."
    ),
    events.UnitMarches: lambda t, e: "",
    events.SupplyNoted: lambda t, e: "",
    events.SupplyFound: lambda t, e: "",
}
"""Text functions by event type, for `paxtui.games.pax.narration.narrator`."""

WAR_NAMED_TEXTS: dict[type, Callable[[Tables, Any, NameRegistry], str]] = {
    events.WarPhaseBegan: _phase,
    events.InitiativeRolled: _initiative,
    events.WarDecided: _decided,
    events.AreaConquered: _conquered,
    events.CycleEnded: lambda t, e, known: sentence(f"{known.war(e.war)} goes on past its {_ordinal(e.cycle)} cycle"),
    events.WarOver: lambda t, e, known: sentence(f"{known.war(e.war)} is over"),
    events.CoalingVolunteered: lambda t, e, known: (
        f"{power_name(t, e.power)} volunteers {place_name(t, e.area)} for coaling to {known.alliance(e.war, e.to)}, "
        f"for this War."
    ),
}
"""The same for events whose text needs names of ids."""


def _ordinal(n: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(n, f"{n}th")
