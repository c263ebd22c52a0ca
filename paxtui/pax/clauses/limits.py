"""What a Treaty forbids in peace: markers, units, too many or too few of them, and building.

A limit is broken by the act that goes beyond it. What stood there before has until the end of the Movement/Status
Change Phase to go.

Rules: TRE-004, TRE-007
"""

from __future__ import annotations

import re

from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.kind import MOVEMENT, Case, Done, Form, Kind, Owed, Watch
from paxtui.pax.clauses.phrases import by, named, no_signer, of_subject, places, unit_words, units, within
from paxtui.pax.clauses.reader import Reader, words_of
from paxtui.pax.history import events as ev
from paxtui.pax.state.model import units_at
from paxtui.pax.state.pieces import ARMY, LEVEL, NAVAL
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.names import find_marker, marker_kinds
from paxtui.pax.words.spoken import all_of, place_name

_NONE = words_of(r"no (?P<what>.+?)(?: by (?P<by>.+?))?(?: in (?P<places>.+))?")
_ANY_MARKER = ("marker", "markers", "status")


# --- no markers ---------------------------------------------------------------------------------------------------


def _read_no_marker(r: Reader, m: re.Match[str]) -> Clause | None:
    """`no marker`, `no protectorate`, `no control`; None where it is about something else."""
    what = m["what"]
    word = what.split()[0].casefold()
    marker = "protectorate" if word == "control" else ""
    if not marker and word not in _ANY_MARKER:
        if len(marker_kinds(r.tables, what)) != 1:
            return None
        marker = find_marker(r.tables, what, "", r.at(m.start("what")))
    power = r.who(m)
    region, found = r.places(m, False)
    return Clause("no_marker", power=power, marker=marker, region=region, places=found)


def _say_no_marker(t: Tables, c: Clause) -> str:
    highest = bool(c.marker) and all(t.markers[c.marker].level >= m.level for m in t.markers.values())
    what = t.markers[c.marker].name if c.marker else "Status marker"
    if c.marker and not highest:
        what += " or higher marker"
    return f"{no_signer(t, c, 'places')} {what} in {places(t, c)}"


def _places_marker(case: Case, event: ev.Event) -> str:
    """Placed, or taken from another, at the level forbidden or above it."""
    if isinstance(event, ev.MarkerPlaced):
        who, marker, area = event.power, event.marker, event.area
    elif isinstance(event, ev.MarkerTransferred):
        who, marker, area = event.to, event.marker, event.area
    else:
        return ""
    lowest = LEVEL[case.clause.marker]
    if who != case.power or area not in case.clause.places or LEVEL[marker] < lowest:
        return ""
    return f"places {marker} in {place_name(case.tables, area)}"


NO_MARKER = Kind(
    id="no_marker",
    what="no Status marker placed in some Areas",
    usage="no marker [by POWER] in AREAS",
    example="no marker by britain in kenya, uganda until 1892",
    needs=("places",),
    may=("power", "region", "marker", "until", "upon"),
    forms=(Form(_NONE, _read_no_marker),),
    text=lambda c: f"no {c.marker or 'marker'}{by(c)}{within(c)}",
    say=_say_no_marker,
    watch=Watch((ev.MarkerPlaced, ev.MarkerTransferred), _places_marker),
)


# --- units in some places -----------------------------------------------------------------------------------------


_FORCED = ("retreat", "sent_home")
"""Why units move that nobody ordered: what they exceed by it has until the end of the next Movement Phase to go."""


def _is_meant(clause: Clause, name: str) -> bool:
    """Whether a unit is of the kind a clause speaks of: army, naval, or any."""
    if ARMY in clause.units or NAVAL in clause.units:
        return (ARMY if name[0] == "A" else NAVAL) in clause.units
    return not clause.units or name in clause.units


def _there(case: Case) -> list[str]:
    """The Power's units that the clause speaks of, in all its places."""
    return [
        u.name
        for place in case.clause.places
        for u in units_at(case.state, place)
        if u.power == case.power and _is_meant(case.clause, u.name)
    ]


def _strength(case: Case) -> int:
    """Strength points of the Power in the places of the clause."""
    return sum(int(name[1:]) for name in _there(case))


def _read_no_unit(r: Reader, m: re.Match[str]) -> Clause:
    meant = r.units(m["what"], r.at(m.start("what")))
    power = r.who(m)
    region, found = r.places(m, True)
    return Clause("no_unit", power=power, units=meant, region=region, places=found)


def _brings_in(case: Case, event: ev.Event) -> str:
    """Moved in from elsewhere, or built there; not where combat forced them, which they have to leave in time.

    Rules: TRE-007 (Decision 48)
    """
    names: tuple[str, ...] = ()
    place = ""
    if isinstance(event, ev.UnitsMoved) and event.power == case.power and event.path[-1] in case.clause.places:
        if event.path[0] not in case.clause.places and event.reason not in _FORCED:
            names, place = event.units, event.path[-1]
    elif isinstance(event, ev.UnitsBuilt) and event.power == case.power and event.place in case.clause.places:
        names, place = event.units, event.place
    meant = [n for n in names if _is_meant(case.clause, n)]
    return f"{' '.join(meant)} in {place_name(case.tables, place)}" if meant else ""


def _keeps_units(case: Case, done: Done) -> str:
    there = _there(case)
    return f"keeps {' '.join(there)} where none may be" if there else ""


NO_UNIT = Kind(
    id="no_unit",
    what="no Military Units in some places",
    usage="no units [by POWER] in AREAS",
    example="no units by germany in region:near_east",
    needs=("places",),
    may=("power", "region", "units", "until", "upon"),
    zones=True,
    forms=(Form(_NONE, _read_no_unit),),
    text=lambda c: f"no {unit_words(c)}{by(c)}{within(c)}",
    say=lambda t, c: f"{no_signer(t, c, 'keeps')} {units(t, c)} in {places(t, c)}",
    watch=Watch((ev.UnitsMoved, ev.UnitsBuilt), _brings_in),
    owed=Owed(MOVEMENT, _keeps_units),
)


# --- strength in some places --------------------------------------------------------------------------------------


def _limit(most_or_least: str) -> Form:
    def read(r: Reader, m: re.Match[str]) -> Clause:
        what = r.part(m, "what")
        meant = what.units(what.text, what.first) if what.text else ()
        power, amount = r.who(m), r.number(m, "amount")
        region, found = r.places(m, True)
        kind = f"at_{most_or_least}"
        return Clause(kind, power=power, units=meant, amount=amount, region=region, places=found)

    form = rf"at {most_or_least} (?P<amount>\d+)(?: (?P<what>.+?))?(?: by (?P<by>.+?))?(?: in (?P<places>.+))?"
    return Form(words_of(form), read)


def _say_limit(t: Tables, c: Clause, how_much: str) -> str:
    points = "point" if c.amount == 1 else "points"
    who = named(t, c) if c.power else "Each signer"
    together = " together" if len(c.places) > 1 else ""
    where = places(t, c).replace("any ", "every ") if c.region else all_of([place_name(t, p) for p in c.places])
    return f"{who} keeps {how_much} {c.amount} strength {points} of {units(t, c)} in {where}{together}"


def _exceeds(case: Case, event: ev.Event) -> str:
    """Only what brings more in breaks a cap at once."""
    if not _brings_in(case, event):
        return ""
    there = _strength(case)
    return f"{there} strength points where {case.clause.amount} are allowed" if there > case.clause.amount else ""


def _too_many(case: Case, done: Done) -> str:
    there, most = _strength(case), case.clause.amount
    return f"keeps {there} strength points where {most} are allowed" if there > most else ""


def _too_few(case: Case, done: Done) -> str:
    there, least = _strength(case), case.clause.amount
    return f"has {there} strength points where {least} must be" if there < least else ""


AT_MOST = Kind(
    id="at_most",
    what="a limit to the strength points in some places",
    usage="at most 4 army [by POWER] in AREAS",
    example="at most 4 army by russia in persia",
    needs=("places",),
    may=("power", "region", "units", "amount", "until", "upon"),
    zones=True,
    forms=(_limit("most"),),
    text=lambda c: f"at most {c.amount} {unit_words(c)}{by(c)}{within(c)}",
    say=lambda t, c: _say_limit(t, c, "at most"),
    watch=Watch((ev.UnitsMoved, ev.UnitsBuilt), _exceeds),
    owed=Owed(MOVEMENT, _too_many),
)
AT_LEAST = Kind(
    id="at_least",
    what="strength points that have to be in some places",
    usage="at least 4 army by POWER in AREAS",
    example="at least 4 army by russia in persia",
    needs=("power", "places", "amount"),
    may=("region", "units", "until", "upon"),
    zones=True,
    forms=(_limit("least"),),
    text=lambda c: f"at least {c.amount} {unit_words(c)}{by(c)}{within(c)}",
    say=lambda t, c: _say_limit(t, c, "at least"),
    owed=Owed(MOVEMENT, _too_few),
)


# --- no building --------------------------------------------------------------------------------------------------


def _read_no_build(r: Reader, power: str) -> Clause | None:
    word, _, rest = r.text.partition(" ")
    return Clause("no_build", power=power, units=r.units(rest, r.first + 1)) if word.casefold() == "no" else None


def _builds(case: Case, event: ev.Event) -> str:
    if not isinstance(event, ev.UnitsBuilt) or event.power != case.power:
        return ""
    meant = [n for n in event.units if _is_meant(case.clause, n)]
    return f"builds {' '.join(meant)}" if meant else ""


NO_BUILD = Kind(
    id="no_build",
    what="no Military Units built",
    usage="POWER builds no naval",
    example="germany builds no naval until 1900",
    may=("power", "units", "until", "upon"),
    forms=(of_subject("builds?", _read_no_build),),
    text=lambda c: f"{c.power + ' builds' if c.power else 'all build'} no {unit_words(c)}",
    say=lambda t, c: f"{no_signer(t, c, 'builds')} {units(t, c)}",
    watch=Watch((ev.UnitsBuilt,), _builds),
)

KINDS = (NO_MARKER, NO_UNIT, AT_MOST, AT_LEAST, NO_BUILD)
"""The kinds of this family."""
