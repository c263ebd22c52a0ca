"""What is promised and kept later: units to be built, a vote in a Congress of Europe, and words that the signers judge.

Rules: TRE-004, TRE-007, MIN-036, CON-040 (R-TRE-01)
"""

from __future__ import annotations

from paxtui.pax.board.status import seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.kind import ASLEEP, MOVEMENT, Case, Done, Kind, Owed, Terms, Watch
from paxtui.pax.clauses.phrases import named, of_subject, places
from paxtui.pax.clauses.reader import Reader, words_of
from paxtui.pax.history import events as ev
from paxtui.pax.state.congress import VOTES
from paxtui.pax.state.pieces import ARMY, NAVAL, unit_of
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.names import unknown
from paxtui.pax.words.places import written_out
from paxtui.pax.words.spoken import all_of, power_name

# --- building -----------------------------------------------------------------------------------------------------


def _read_build(r: Reader, power: str) -> Clause | None:
    if r.text.partition(" ")[0].casefold() == "no":
        return None
    return Clause("build", power=power, units=r.units(r.text, r.first))


def _say_build(t: Tables, c: Clause) -> str:
    known = {ARMY: "an Army Unit", NAVAL: "a Naval Unit"}
    return f"{named(t, c)} builds {all_of([known.get(u, u) for u in c.units])}"


def _ticked_off(case: Case, done: Done, event: ev.Event) -> tuple[int, ...]:
    """Units that the clause asks for and that are built: each is ticked off once, by its place in the clause."""
    if not isinstance(event, ev.UnitsBuilt) or event.power != case.power:
        return ()
    found: list[int] = []
    for name in event.units:
        wanted = (i for i, unit in enumerate(case.clause.units, 1) if unit in (name, unit_of(name, "").kind))
        found.extend([i for i in wanted if i not in done and i not in found][:1])
    return tuple(found)


def _not_built(case: Case, done: Done) -> str:
    missing = [unit for i, unit in enumerate(case.clause.units, 1) if i not in done]
    return f"does not build {' '.join(missing)}" if missing else ""


BUILD = Kind(
    id="build",
    what="Military Units to be built",
    usage="POWER builds UNITS by YEAR",
    example="germany builds N10 by 1888",
    needs=("power", "units", "turn"),
    may=("upon",),
    counted=True,
    forms=(of_subject("builds?", _read_build),),
    text=lambda c: f"{c.power} builds {' '.join(c.units)}",
    say=_say_build,
    phases=(MOVEMENT,),
    latest=True,
    watch=Watch((ev.UnitsBuilt,), keeps=_ticked_off),
    owed=Owed(MOVEMENT, _not_built),
)


# --- a vote -------------------------------------------------------------------------------------------------------

_VOTE = words_of(r"(?P<vote>\S+)(?: for (?P<to>.+?))?(?: on (?P<places>.+))?")


def _read_vote(r: Reader, power: str) -> Clause:
    m = _VOTE.fullmatch(r.text)
    vote = m["vote"].casefold() if m else ""
    if m is None or vote not in VOTES:
        raise unknown(r.text, "yes, no or abstain", word=r.first)
    about: tuple[str, ...] = ()
    if m["places"]:
        about = written_out(r.tables, m["places"], False, r.at(m.start("places")))[1]
    return Clause("vote", power=power, vote=vote, to=r.power(m, "to"), places=about)


def _vote_text(c: Clause) -> str:
    on = f" on {', '.join(c.places)}" if c.places else ""
    return f"{c.power} votes {c.vote}" + (f" for {c.to}" if c.to else "") + on


def _say_vote(t: Tables, c: Clause) -> str:
    vote = "abstains" if c.vote == "abstain" else f"votes {c.vote}"
    whose = f" on what {power_name(t, c.to)} proposes" if c.to else ""
    about = f" about {places(t, c)}" if c.places else ""
    return f"{named(t, c)} {vote}{whose}{about} in a Congress of Europe"


def _has_a_vote(terms: Terms) -> None:
    """Minor Powers and Austria-Hungary have no vote. Rules: MIN-036, CON-040."""
    power = terms.clause.power
    if power not in terms.state.players:
        rule = "CON-040" if seat_of(terms.tables, terms.state, power) else "MIN-036"
        terms.no("no_vote", (rule, "TRE-006"), f"{terms.name(power)} has no vote in a Congress.")


def _cast(case: Case, event: ev.Event) -> str:
    """The Power's vote where the promise is about this proposal, "" where it is not.

    The promise may be about the proposals of one Power, or about some Areas, only. What breaks a tie is no vote.
    """
    congress = case.state.congress
    if not isinstance(event, ev.BallotsOpened) or congress is None:
        return ""
    proposal = congress.proposal(event.proposal)
    if proposal is None or (case.clause.to and case.clause.to != proposal.proposer):
        return ""
    about = {place for clause in proposal.clauses for place in clause.places}
    if case.clause.places and about.isdisjoint(case.clause.places):
        return ""
    return event.votes.get(seat_of(case.tables, case.state, case.power), "")


def _votes_otherwise(case: Case, event: ev.Event) -> str:
    cast = _cast(case, event)
    return f"votes {cast}, not {case.clause.vote}" if cast not in ("", case.clause.vote) else ""


def _votes_so(case: Case, done: Done, event: ev.Event) -> tuple[int, ...]:
    return (0,) if _cast(case, event) == case.clause.vote else ()


VOTE = Kind(
    id="vote",
    what="a vote promised",
    usage="POWER votes yes [for POWER] [on AREAS]",
    example="italy votes yes",
    needs=("power", "vote"),
    may=("to", "places", "until"),
    forms=(of_subject("votes?", _read_vote),),
    text=_vote_text,
    say=_say_vote,
    sound=lambda c: "" if c.vote in VOTES else f"A vote is {', '.join(VOTES)}.",
    touch=("power",),
    check=_has_a_vote,
    watch=Watch((ev.BallotsOpened,), _votes_otherwise, _votes_so),
    idle=ASLEEP,
)


# --- words --------------------------------------------------------------------------------------------------------

TEXT = Kind(
    id="text",
    what="words that the signers judge",
    usage="words in quotation marks",
    example='"any words"',
    needs=("text",),
    forms=(),
    text=lambda c: '"' + c.text.replace("\\", "\\\\").replace('"', '\\"') + '"',
    say=lambda t, c: f"“{c.text}”",
    judged=True,
)

KINDS = (BUILD, VOTE, TEXT)
"""The kinds of this family."""
