"""Clauses in plain English, one sentence each, without its full stop.

Rules: TRE-002, TRE-004, TRE-005
"""

from __future__ import annotations

from collections.abc import Callable

from paxtui.pax.board.tables import Tables
from paxtui.pax.state.pieces import ARMY, NAVAL
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.clause_check import EVERYWHERE, year
from paxtui.pax.words.spoken import place_name, power_name, powers_named


def say(tables: Tables, clause: Clause) -> str:
    """What a clause means, in one sentence without the full stop at its end."""
    sentence = _SENTENCES[clause.kind](tables, clause)
    if clause.every_turn:
        sentence += " every Game Turn"
    if clause.turn:
        sentence += f" in {year(tables, clause.turn)}" + (" at the latest" if clause.kind == "build" else "")
    if clause.until:
        sentence += f", up to and including {year(tables, clause.until)}"
    if clause.upon:
        sentence = f"Once {condition_said(tables, clause.upon)}: {sentence}"
    return f"(secret) {sentence}" if clause.secret else sentence


def condition_said(tables: Tables, upon: str) -> str:
    """What a clause waits for, in words."""
    kind, *names = upon.split()
    if kind == "war":
        first = power_name(tables, names[0])
        return f"{first} and {power_name(tables, names[1])} are at War" if len(names) > 1 else f"{first} is at War"
    if kind == "control":
        return f"{power_name(tables, names[0])} has Control of {place_name(tables, names[1])}"
    return f"there is Unrest in {place_name(tables, names[0])}"


def places_said(tables: Tables, clause: Clause) -> str:
    """The places of a clause, by their region or list where they were named so."""
    if not clause.region:
        return _listed([place_name(tables, p) for p in clause.places])
    return _listed([_part_said(tables, part) for part in clause.region.split(", ")])


def _part_said(tables: Tables, part: str) -> str:
    what, colon, name = part.partition(":")
    if part == EVERYWHERE:
        return "any place at all"
    if part == "all":
        return "any Area"
    if not colon:
        return place_name(tables, part)
    if what == "coast":
        return f"any Area on the {place_name(tables, name)}"
    if what == "type":
        return f"any {name.replace('_', ' ').title()} Area"
    return f"any Area of {name.replace('_', ' ').title()}"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


def _not(tables: Tables, c: Clause, verb: str) -> str:
    """`France places no`, or `No signer places any` where it binds all alike."""
    return f"{power_name(tables, c.power)} {verb} no" if c.power else f"No signer {verb} any"


def _foes(tables: Tables, c: Clause) -> str:
    if not c.against:
        return "a Power that has not signed"
    names = [power_name(tables, p) for p in c.against]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


def _units(tables: Tables, c: Clause) -> str:
    named = {ARMY: "Army Units", NAVAL: "Naval Units"}
    return " or ".join(named.get(u, u) for u in c.units) if c.units else "Military Units"


def _marker(tables: Tables, marker: str) -> str:
    name = tables.markers[marker].name
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def _defensive(t: Tables, c: Clause) -> str:
    if c.power:
        return f"If {_foes(t, c)} declares War on another signer, {power_name(t, c.power)} comes to its defence"
    return f"If {_foes(t, c)} declares War on a signer, the others come to its defence"


def _offensive(t: Tables, c: Clause) -> str:
    foe = _foes(t, c)
    if c.power:
        return f"If another signer declares War on {foe}, {power_name(t, c.power)} joins it in the War"
    return f"If a signer declares War on {foe}, the others join it in the War"


def _shared(t: Tables, c: Clause) -> str:
    return f"Once a signer is at War over a Casus Belli against {_foes(t, c)}, the others have that Casus Belli too"


def _no_marker(t: Tables, c: Clause) -> str:
    highest = bool(c.marker) and all(t.markers[c.marker].level >= m.level for m in t.markers.values())
    what = t.markers[c.marker].name if c.marker else "Status marker"
    if c.marker and not highest:
        what += " or higher marker"
    return f"{_not(t, c, 'places')} {what} in {places_said(t, c)}"


def _limit(t: Tables, c: Clause) -> str:
    most = "at most" if c.kind == "at_most" else "at least"
    points = "point" if c.amount == 1 else "points"
    who = power_name(t, c.power) if c.power else "Each signer"
    together = " together" if len(c.places) > 1 else ""
    where = _and([place_name(t, p) for p in c.places]) if not c.region else places_said(t, c).replace("any ", "every ")
    return f"{who} keeps {most} {c.amount} strength {points} of {_units(t, c)} in {where}{together}"


def _build(t: Tables, c: Clause) -> str:
    named = {ARMY: "an Army Unit", NAVAL: "a Naval Unit"}
    return f"{power_name(t, c.power)} builds {_and([named.get(u, u) for u in c.units])}"


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _vote(t: Tables, c: Clause) -> str:
    vote = "abstains" if c.vote == "abstain" else f"votes {c.vote}"
    whose = f" on what {power_name(t, c.to)} proposes" if c.to else ""
    about = f" about {places_said(t, c)}" if c.places else ""
    return f"{power_name(t, c.power)} {vote}{whose}{about} in a Congress of Europe"


def _transfer(t: Tables, c: Clause) -> str:
    what = t.markers[c.marker].name if c.marker else "Status marker"
    return f"{power_name(t, c.power)} hands its {what} in {place_name(t, c.places[0])} to {power_name(t, c.to)}"


def _grant(t: Tables, c: Clause) -> str:
    paid = f", paid by {power_name(t, c.against[0])}" if c.against else ""
    who, to, where = power_name(t, c.power), power_name(t, c.to), place_name(t, c.places[0])
    return f"{who} lets {to} place {_marker(t, c.marker)} beside its own in {where}{paid}"


def _lower(t: Tables, c: Clause) -> str:
    who, where = power_name(t, c.power), place_name(t, c.places[0])
    return f"{who} lowers its marker in {where} to {_marker(t, c.marker)}" if c.marker else f"{who} gives up {where}"


def _codominion(t: Tables, c: Clause) -> str:
    level = f"; who has no Control there yet gets {_marker(t, c.marker)}" if c.marker else ""
    paid = f"{',' if level else '; a new marker is'} paid by {power_name(t, c.power)}" if c.power else ""
    return f"{place_name(t, c.places[0])} is a Codominion of {powers_named(t, c.against)}{level}{paid}"


def _waive(t: Tables, c: Clause) -> str:
    whom = f" against {power_name(t, c.to)}" if c.to else ""
    where = f" over {place_name(t, c.places[0])}" if c.places else ""
    return f"{power_name(t, c.power)} gives up its Casus Belli{whom}{where}"


_SENTENCES: dict[str, Callable[[Tables, Clause], str]] = {
    "defensive": _defensive,
    "offensive": _offensive,
    "non_aggression": lambda t, c: "No signer declares War on another",
    "shared_cause": _shared,
    "no_marker": _no_marker,
    "no_unit": lambda t, c: f"{_not(t, c, 'keeps')} {_units(t, c)} in {places_said(t, c)}",
    "at_most": _limit,
    "at_least": _limit,
    "build": _build,
    "no_build": lambda t, c: f"{_not(t, c, 'builds')} {_units(t, c)}",
    "vote": _vote,
    "passage": lambda t, c: f"{power_name(t, c.power)} lets {power_name(t, c.to)} through canals and straits",
    "coaling": lambda t, c: f"{power_name(t, c.power)} coals the Naval Units of {power_name(t, c.to)} in a War",
    "text": lambda t, c: f"“{c.text}”",
    "pay": lambda t, c: f"{power_name(t, c.power)} pays {power_name(t, c.to)} £{c.amount}",
    "transfer": _transfer,
    "grant": _grant,
    "lower": _lower,
    "codominion": _codominion,
    "waive": _waive,
}
