"""Limits in peace: markers, units, their number, and building.

An act that exceeds a limit breaks it. An excess that existed before must be removed by the end of the Movement/Status
Change Phase.

Rules: TRE-004, TRE-007
"""

from __future__ import annotations

import re

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.kind import (
    MOVEMENT,
    BoundClause,
    ClauseDuty,
    ClauseForm,
    ClauseKind,
    ClauseReader,
    ClauseWatch,
    DoneParts,
    Rewrite,
    by_from_sentence,
    by_notation,
    describe_clause_places,
    describe_no_signer,
    describe_subject,
    describe_units,
    list_from_sentence,
    places_notation,
    rewrites,
    subject_form,
    units_from_sentence,
    units_notation,
    word_pattern,
)
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import Clause
from paxtui.games.pax.state.model import units_at
from paxtui.games.pax.state.pieces import ARMY, LEVEL, NAVAL
from paxtui.games.pax.text.display import join_with_and, place_name
from paxtui.games.pax.text.parsing import find_marker, marker_kinds

_NONE = word_pattern(r"no (?P<what>.+?)(?: by (?P<by>.+?))?(?: in (?P<places>.+))?")
_ANY_MARKER = ("marker", "markers", "status")


def _read_no_marker(r: ClauseReader, m: re.Match[str]) -> Clause | None:
    """Parse `no marker`, `no protectorate`, `no control`; None for other words."""
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


def _describe_no_marker(t: Tables, c: Clause) -> str:
    highest = bool(c.marker) and all(t.markers[c.marker].level >= m.level for m in t.markers.values())
    what = t.markers[c.marker].name if c.marker else "Status marker"
    if c.marker and not highest:
        what += " or higher marker"
    return f"{describe_no_signer(t, c, 'places')} {what} in {describe_clause_places(t, c)}"


def _find_marker_placed(case: BoundClause, event: events.Event) -> str:
    """Find a marker placed, or received, at the forbidden level or above."""
    if isinstance(event, events.MarkerPlaced):
        who, marker, area = event.power, event.marker, event.area
    elif isinstance(event, events.MarkerTransferred):
        who, marker, area = event.to, event.marker, event.area
    else:
        return ""
    lowest = LEVEL[case.clause.marker]
    if who != case.power or area not in case.clause.places or LEVEL[marker] < lowest:
        return ""
    return f"places {marker} in {place_name(case.tables, area)}"


NO_MARKER = ClauseKind(
    id="no_marker",
    summary="no Status marker placed in some Areas",
    usage="no marker [by POWER] in AREAS",
    example="no marker by britain in kenya, uganda until 1892",
    required=("places",),
    optional=("power", "region", "marker", "until", "upon"),
    forms=(ClauseForm(_NONE, _read_no_marker),),
    text=lambda c: f"no {c.marker or 'marker'}{by_notation(c)}{places_notation(c)}",
    describe=_describe_no_marker,
    sentences=rewrites(
        (
            r"(.+) places (?:no|any) (?:Status )?marker in (.+)",
            lambda m: f"no marker{by_from_sentence(m[1])} in {list_from_sentence(m[2])}",
        ),
        (
            r"(.+) places (?:no|any) (\S+)(?: or higher marker)? in (.+)",
            lambda m: f"no {m[2]}{by_from_sentence(m[1])} in {list_from_sentence(m[3])}",
        ),
    ),
    watch=ClauseWatch((events.MarkerPlaced, events.MarkerTransferred), _find_marker_placed),
)


_FORCED = ("retreat", "sent_home")
"""Reasons of forced moves; their excess must be removed by the end of the next Movement Phase."""


def _is_meant_unit(clause: Clause, name: str) -> bool:
    if ARMY in clause.units or NAVAL in clause.units:
        return (ARMY if name[0] == "A" else NAVAL) in clause.units
    return not clause.units or name in clause.units


def _units_there(case: BoundClause) -> list[str]:
    return [
        u.name
        for place in case.clause.places
        for u in units_at(case.state, place)
        if u.power == case.power and _is_meant_unit(case.clause, u.name)
    ]


def _strength(case: BoundClause) -> int:
    return sum(int(name[1:]) for name in _units_there(case))


def _read_no_unit(r: ClauseReader, m: re.Match[str]) -> Clause:
    meant = r.units(m["what"], r.at(m.start("what")))
    power = r.who(m)
    region, found = r.places(m, True)
    return Clause("no_unit", power=power, units=meant, region=region, places=found)


def _find_unit_brought_in(case: BoundClause, event: events.Event) -> str:
    """Find units moved in or built there, except when combat forced them. Rules: TRE-007 (Decision 48)."""
    names: tuple[str, ...] = ()
    place = ""
    if isinstance(event, events.UnitsMoved) and event.power == case.power and event.path[-1] in case.clause.places:
        if event.path[0] not in case.clause.places and event.reason not in _FORCED:
            names, place = event.units, event.path[-1]
    elif isinstance(event, events.UnitsBuilt) and event.power == case.power and event.place in case.clause.places:
        names, place = event.units, event.place
    meant = [n for n in names if _is_meant_unit(case.clause, n)]
    return f"{' '.join(meant)} in {place_name(case.tables, place)}" if meant else ""


def _find_units_left(case: BoundClause, done: DoneParts) -> str:
    there = _units_there(case)
    return f"keeps {' '.join(there)} where none may be" if there else ""


NO_UNIT = ClauseKind(
    id="no_unit",
    summary="no Military Units in some places",
    usage="no units [by POWER] in AREAS",
    example="no units by germany in region:near_east",
    required=("places",),
    optional=("power", "region", "units", "until", "upon"),
    allows_zones=True,
    forms=(ClauseForm(_NONE, _read_no_unit),),
    text=lambda c: f"no {units_notation(c)}{by_notation(c)}{places_notation(c)}",
    describe=lambda t, c: (
        f"{describe_no_signer(t, c, 'keeps')} {describe_units(t, c)} in {describe_clause_places(t, c)}"
    ),
    sentences=rewrites(
        (
            r"(.+) keeps (?:no|any) (.+?) in (.+)",
            lambda m: f"no {units_from_sentence(m[2])}{by_from_sentence(m[1])} in {list_from_sentence(m[3])}",
        )
    ),
    watch=ClauseWatch((events.UnitsMoved, events.UnitsBuilt), _find_unit_brought_in),
    duty=ClauseDuty(MOVEMENT, _find_units_left),
)


def _limit_form(most_or_least: str) -> ClauseForm:
    def read(r: ClauseReader, m: re.Match[str]) -> Clause:
        what = r.part(m, "what")
        meant = what.units(what.text, what.first) if what.text else ()
        power, amount = r.who(m), r.number(m, "amount")
        region, found = r.places(m, True)
        kind = f"at_{most_or_least}"
        return Clause(kind, power=power, units=meant, amount=amount, region=region, places=found)

    form = rf"at {most_or_least} (?P<amount>\d+)(?: (?P<what>.+?))?(?: by (?P<by>.+?))?(?: in (?P<places>.+))?"
    return ClauseForm(word_pattern(form), read)


def _describe_limit(t: Tables, c: Clause, how_much: str) -> str:
    points = "point" if c.amount == 1 else "points"
    who = describe_subject(t, c) if c.power else "Each signer"
    together = " together" if len(c.places) > 1 else ""
    where = (
        describe_clause_places(t, c).replace("any ", "every ")
        if c.region
        else join_with_and([place_name(t, p) for p in c.places])
    )
    return f"{who} keeps {how_much} {c.amount} strength {points} of {describe_units(t, c)} in {where}{together}"


def _limit_sentences(how_much: str) -> tuple[Rewrite, ...]:
    return rewrites(
        (
            rf"(.+) keeps {how_much} (\d+) strength points? of (.+?) in (.+?)(?: together)?",
            lambda m: (
                f"{how_much} {m[2]} {units_from_sentence(m[3])}{by_from_sentence(m[1])} in {list_from_sentence(m[4])}"
            ),
        )
    )


def _find_excess(case: BoundClause, event: events.Event) -> str:
    """Only an increase breaks a limit at once."""
    if not _find_unit_brought_in(case, event):
        return ""
    there = _strength(case)
    return f"{there} strength points where {case.clause.amount} are allowed" if there > case.clause.amount else ""


def _find_surplus(case: BoundClause, done: DoneParts) -> str:
    there, most = _strength(case), case.clause.amount
    return f"keeps {there} strength points where {most} are allowed" if there > most else ""


def _find_shortage(case: BoundClause, done: DoneParts) -> str:
    there, least = _strength(case), case.clause.amount
    return f"has {there} strength points where {least} must be" if there < least else ""


AT_MOST = ClauseKind(
    id="at_most",
    summary="a limit to the strength points in some places",
    usage="at most 4 army [by POWER] in AREAS",
    example="at most 4 army by russia in persia",
    required=("places",),
    optional=("power", "region", "units", "amount", "until", "upon"),
    allows_zones=True,
    forms=(_limit_form("most"),),
    text=lambda c: f"at most {c.amount} {units_notation(c)}{by_notation(c)}{places_notation(c)}",
    describe=lambda t, c: _describe_limit(t, c, "at most"),
    sentences=_limit_sentences("at most"),
    watch=ClauseWatch((events.UnitsMoved, events.UnitsBuilt), _find_excess),
    duty=ClauseDuty(MOVEMENT, _find_surplus),
)
AT_LEAST = ClauseKind(
    id="at_least",
    summary="strength points that have to be in some places",
    usage="at least 4 army by POWER in AREAS",
    example="at least 4 army by russia in persia",
    required=("power", "places", "amount"),
    optional=("region", "units", "until", "upon"),
    allows_zones=True,
    forms=(_limit_form("least"),),
    text=lambda c: f"at least {c.amount} {units_notation(c)}{by_notation(c)}{places_notation(c)}",
    describe=lambda t, c: _describe_limit(t, c, "at least"),
    sentences=_limit_sentences("at least"),
    duty=ClauseDuty(MOVEMENT, _find_shortage),
)


def _read_no_build(r: ClauseReader, power: str) -> Clause | None:
    word, _, rest = r.text.partition(" ")
    return Clause("no_build", power=power, units=r.units(rest, r.first + 1)) if word.casefold() == "no" else None


def _find_unit_built(case: BoundClause, event: events.Event) -> str:
    if not isinstance(event, events.UnitsBuilt) or event.power != case.power:
        return ""
    meant = [n for n in event.units if _is_meant_unit(case.clause, n)]
    return f"builds {' '.join(meant)}" if meant else ""


NO_BUILD = ClauseKind(
    id="no_build",
    summary="no Military Units built",
    usage="POWER builds no naval",
    example="germany builds no naval until 1900",
    optional=("power", "units", "until", "upon"),
    forms=(subject_form("builds?", _read_no_build),),
    text=lambda c: f"{c.power + ' builds' if c.power else 'all build'} no {units_notation(c)}",
    describe=lambda t, c: f"{describe_no_signer(t, c, 'builds')} {describe_units(t, c)}",
    sentences=rewrites(
        (r"No signer builds any (.+)", lambda m: f"all build no {units_from_sentence(m[1])}"),
        (r"(.+) builds no (.+)", lambda m: f"{m[1]} builds no {units_from_sentence(m[2])}"),
    ),
    watch=ClauseWatch((events.UnitsBuilt,), _find_unit_built),
)

KINDS = (NO_MARKER, NO_UNIT, AT_MOST, AT_LEAST, NO_BUILD)
"""The kinds of this family."""
