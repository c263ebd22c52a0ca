"""Promises kept later: units to build, votes in a Congress, and free text that the signers judge.

Rules: TRE-004, TRE-007, MIN-036, CON-040 (R-TRE-01)
"""

from __future__ import annotations

import re

from paxtui.games.pax.board.status import seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.kind import (
    HOLDS,
    MOVEMENT,
    BoundClause,
    ClauseDuty,
    ClauseKind,
    ClauseReader,
    ClauseWatch,
    DoneParts,
    ProposedClause,
    describe_clause_places,
    describe_subject,
    list_from_sentence,
    rewrites,
    subject_form,
    units_from_sentence,
    word_pattern,
)
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import VOTES, Clause
from paxtui.games.pax.state.pieces import ARMY, NAVAL, unit_from_name
from paxtui.games.pax.text.display import join_with_and, power_name
from paxtui.games.pax.text.parsing import parse_place_groups, unknown_name


def _read_build(r: ClauseReader, power: str) -> Clause | None:
    if r.text.partition(" ")[0].casefold() == "no":
        return None
    return Clause("build", power=power, units=r.units(r.text, r.first))


def _describe_build(t: Tables, c: Clause) -> str:
    known = {ARMY: "an Army Unit", NAVAL: "a Naval Unit"}
    return f"{describe_subject(t, c)} builds {join_with_and([known.get(u, u) for u in c.units])}"


def _built_units(case: BoundClause, done: DoneParts, event: events.Event) -> tuple[int, ...]:
    """Match built units with those of the clause, each once."""
    if not isinstance(event, events.UnitsBuilt) or event.power != case.power:
        return ()
    found: list[int] = []
    for name in event.units:
        wanted = (i for i, unit in enumerate(case.clause.units, 1) if unit in (name, unit_from_name(name, "").kind))
        found.extend([i for i in wanted if i not in done and i not in found][:1])
    return tuple(found)


def _find_units_missing(case: BoundClause, done: DoneParts) -> str:
    missing = [unit for i, unit in enumerate(case.clause.units, 1) if i not in done]
    return f"does not build {' '.join(missing)}" if missing else ""


BUILD = ClauseKind(
    id="build",
    summary="Military Units to be built",
    usage="POWER builds UNITS by YEAR",
    example="germany builds N10 by 1888",
    required=("power", "units", "turn"),
    optional=("upon",),
    counts_units=True,
    forms=(subject_form("builds?", _read_build),),
    text=lambda c: f"{c.power} builds {' '.join(c.units)}",
    describe=_describe_build,
    sentences=rewrites(
        (
            r"(.+) builds ((?:[AN]\d+|an? (?:Army|Naval) Unit).*)",
            lambda m: f"{m[1]} builds {units_from_sentence(m[2])}",
        )
    ),
    phases=(MOVEMENT,),
    has_deadline=True,
    watch=ClauseWatch((events.UnitsBuilt,), keeps=_built_units),
    duty=ClauseDuty(MOVEMENT, _find_units_missing),
)


_VOTE = word_pattern(r"(?P<vote>\S+)(?: for (?P<to>.+?))?(?: on (?P<places>.+))?")


def _read_vote(r: ClauseReader, power: str) -> Clause:
    m = _VOTE.fullmatch(r.text)
    vote = m["vote"].casefold() if m else ""
    if m is None or vote not in VOTES:
        raise unknown_name(r.text, "yes, no or abstain", word=r.first)
    about: tuple[str, ...] = ()
    if m["places"]:
        about = parse_place_groups(r.tables, m["places"], False, r.at(m.start("places")))[1]
    return Clause("vote", power=power, vote=vote, to=r.power(m, "to"), places=about)


def _vote_text(c: Clause) -> str:
    on = f" on {', '.join(c.places)}" if c.places else ""
    return f"{c.power} votes {c.vote}" + (f" for {c.to}" if c.to else "") + on


def _describe_vote(t: Tables, c: Clause) -> str:
    vote = "abstains" if c.vote == "abstain" else f"votes {c.vote}"
    whose = f" on what {power_name(t, c.to)} proposes" if c.to else ""
    about = f" about {describe_clause_places(t, c)}" if c.places else ""
    return f"{describe_subject(t, c)} {vote}{whose}{about} in a Congress of Europe"


def _vote_from_sentence(m: re.Match[str]) -> str:
    vote = "votes abstain" if m[2].casefold() == "abstains" else m[2]
    on = f" on {list_from_sentence(m[4])}" if m[4] else ""
    return f"{m[1]} {vote}" + (f" for {m[3]}" if m[3] else "") + on


def _check_has_vote(terms: ProposedClause) -> None:
    power = terms.clause.power
    if power not in terms.state.players:
        rule = "CON-040" if seat_of(terms.tables, terms.state, power) else "MIN-036"
        terms.refuse("no_vote", (rule, "TRE-006"), f"{terms.name(power)} has no vote in a Congress.")


def _relevant_vote(case: BoundClause, event: events.Event) -> str:
    """Return the Power's vote if the promise applies to this proposal, else "".

    A promise may be limited to the proposals of one Power, or to some Areas. Breaking a tie is no vote.
    """
    congress = case.state.congress
    if not isinstance(event, events.BallotsOpened) or congress is None:
        return ""
    proposal = congress.proposal(event.proposal)
    if proposal is None or (case.clause.to and case.clause.to != proposal.proposer):
        return ""
    about = {place for clause in proposal.clauses for place in clause.places}
    if case.clause.places and about.isdisjoint(case.clause.places):
        return ""
    return event.votes.get(seat_of(case.tables, case.state, case.power), "")


def _find_other_vote(case: BoundClause, event: events.Event) -> str:
    cast = _relevant_vote(case, event)
    return f"votes {cast}, not {case.clause.vote}" if cast not in ("", case.clause.vote) else ""


def _find_promised_vote(case: BoundClause, done: DoneParts, event: events.Event) -> tuple[int, ...]:
    return (0,) if _relevant_vote(case, event) == case.clause.vote else ()


VOTE = ClauseKind(
    id="vote",
    summary="a vote promised",
    usage="POWER votes yes [for POWER] [on AREAS]",
    example="italy votes yes",
    required=("power", "vote"),
    optional=("to", "places", "until"),
    forms=(subject_form("votes?", _read_vote),),
    text=_vote_text,
    describe=_describe_vote,
    sentences=rewrites(
        (
            r"(.+) (votes \S+|abstains)(?: on what (.+?) proposes)?(?: about (.+))? in a Congress of Europe",
            _vote_from_sentence,
        )
    ),
    find_error=lambda c: "" if c.vote in VOTES else f"A vote is {', '.join(VOTES)}.",
    concerned=("power",),
    check=_check_has_vote,
    watch=ClauseWatch((events.BallotsOpened,), _find_other_vote, _find_promised_vote),
    idle_status=HOLDS,
)


TEXT = ClauseKind(
    id="text",
    summary="words that the signers judge",
    usage="words in quotation marks",
    example='"any words"',
    required=("text",),
    forms=(),
    text=lambda c: '"' + c.text.replace("\\", "\\\\").replace('"', '\\"') + '"',
    describe=lambda t, c: f"“{c.text}”",
    is_judged=True,
)

KINDS = (BUILD, VOTE, TEXT)
"""The kinds of this family."""
