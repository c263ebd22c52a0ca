"""Clauses for Wars: mutual defence, non-aggression, canals, coaling.

They have no effect in peace. A denied passage is detected at once; the signers judge whether coaling was granted.

Rules: TRE-005, TRE-007, TRE-009, TRE-010, TRE-017, AUS-002
"""

from __future__ import annotations

import re

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.kind import (
    HOLDS,
    BoundClause,
    ClauseForm,
    ClauseKind,
    ClauseReader,
    ClauseWatch,
    ProposedClause,
    against_from_sentence,
    against_notation,
    by_from_sentence,
    by_notation,
    check_not_to_itself,
    describe_foes,
    describe_subject,
    rewrites,
    subject_form,
    word_pattern,
)
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import Clause
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.text.parsing import unknown_name

_OTHERS = ("the others",)


def _alliance_form(kind: str) -> ClauseForm:
    def read(r: ClauseReader, m: re.Match[str]) -> Clause:
        return Clause(kind, power=r.who(m), against=r.powers(m, "against"))

    return ClauseForm(word_pattern(rf"{kind}(?: alliance)?(?: by (?P<by>.+?))?(?: against (?P<against>.+))?"), read)


def _describe_defence(t: Tables, c: Clause) -> str:
    if c.power:
        return f"If {describe_foes(t, c)} declares War on another signer, {describe_subject(t, c)} comes to its defence"
    return f"If {describe_foes(t, c)} declares War on a signer, the others come to its defence"


def _describe_attack(t: Tables, c: Clause) -> str:
    if c.power:
        return f"If another signer declares War on {describe_foes(t, c)}, {describe_subject(t, c)} joins it in the War"
    return f"If a signer declares War on {describe_foes(t, c)}, the others join it in the War"


def _check_no_joint_power(terms: ProposedClause) -> None:
    for power in terms.parties:
        if terms.tables.powers[power].seat:
            name = terms.name(power)
            terms.refuse(
                "defensive_only",
                ("AUS-002", "TRE-006"),
                f"{name} makes defensive Alliances only; leave it out, or make this one defensive.",
            )


DEFENSIVE = ClauseKind(
    id="defensive",
    summary="a defensive Alliance",
    usage="defensive [by POWER] [against POWERS]",
    example="defensive against germany until 1892",
    optional=("power", "against", "until", "upon"),
    forms=(_alliance_form("defensive"),),
    text=lambda c: f"defensive{by_notation(c)}{against_notation(c)}",
    describe=_describe_defence,
    sentences=rewrites(
        (
            r"If (.+) declares? War on (?:another|a) signer, (.+) comes? to its defence",
            lambda m: f"defensive{by_from_sentence(m[2], _OTHERS)}{against_from_sentence(m[1])}",
        )
    ),
    idle_status=HOLDS,
    is_template=True,
)
OFFENSIVE = ClauseKind(
    id="offensive",
    summary="an offensive Alliance",
    usage="offensive [by POWER] [against POWERS]",
    example="offensive against germany",
    optional=("power", "against", "until", "upon"),
    forms=(_alliance_form("offensive"),),
    text=lambda c: f"offensive{by_notation(c)}{against_notation(c)}",
    describe=_describe_attack,
    sentences=rewrites(
        (
            r"If (?:another|a) signer declares War on (.+), (.+) joins? it in the War",
            lambda m: f"offensive{by_from_sentence(m[2], _OTHERS)}{against_from_sentence(m[1])}",
        )
    ),
    check=_check_no_joint_power,
    idle_status=HOLDS,
)


NON_AGGRESSION = ClauseKind(
    id="non_aggression",
    summary="no War between the signers",
    usage="non-aggression",
    example="non-aggression",
    optional=("until", "upon"),
    forms=(ClauseForm(word_pattern(r"non[-_ ]?aggression(?: pact)?"), lambda r, m: Clause("non_aggression")),),
    text=lambda c: "non-aggression",
    describe=lambda t, c: "No signer declares War on another",
    sentences=rewrites((r"No signer declares War on another", "non-aggression")),
    idle_status=HOLDS,
    is_template=True,
)


SHARED_CAUSE = ClauseKind(
    id="shared_cause",
    summary="a Casus Belli shared once a partner is at War",
    usage="shared cause [against POWERS]",
    example="shared cause",
    optional=("against", "until", "upon"),
    forms=(
        ClauseForm(
            word_pattern(r"shared[-_ ]cause(?: against (?P<against>.+))?"),
            lambda r, m: Clause("shared_cause", against=r.powers(m, "against")),
        ),
    ),
    text=lambda c: f"shared cause{against_notation(c)}",
    describe=lambda t, c: (
        f"Once a signer is at War over a Casus Belli against {describe_foes(t, c)}, the others have that Casus "
        "Belli too"
    ),
    sentences=rewrites(
        (
            r"Once a signer is at War over a Casus Belli against (.+), the others have that Casus Belli too",
            lambda m: f"shared cause{against_from_sentence(m[1])}",
        )
    ),
    idle_status=HOLDS,
)


_WATERS = r"(?:the )?(?:canals?|straits?)"
_LET = word_pattern(rf"(?P<to>.+?) (?:pass )?through(?: {_WATERS})?(?: and {_WATERS})?")


def _read_passage(r: ClauseReader, power: str) -> Clause:
    m = _LET.fullmatch(r.text)
    if m is None:
        raise unknown_name(
            r.text, "a Power and 'through canals', as in 'britain lets russia through canals',", word=r.first
        )
    return Clause("passage", power=power, to=r.power(m, "to"))


def _find_denial(case: BoundClause, event: events.Event) -> str:
    """Find a passage denied against its promise. A War between the two ends the promise. Rules: TRE-007, WAR-041."""
    if not isinstance(event, events.PassageDenied) or not event.denied:
        return ""
    if (event.by, event.to) != (case.power, case.clause.to):
        return ""
    return f"denies {event.passage.replace('_', ' ').title()} to {power_name(case.tables, event.to)}"


PASSAGE = ClauseKind(
    id="passage",
    summary="canals and straits kept open",
    usage="POWER lets POWER through canals",
    example="britain lets russia through canals",
    required=("power", "to"),
    optional=("until", "upon"),
    forms=(subject_form("lets?", _read_passage),),
    text=lambda c: f"{c.power} lets {c.to} through canals",
    describe=lambda t, c: f"{describe_subject(t, c)} lets {power_name(t, c.to)} through canals and straits",
    check=check_not_to_itself,
    watch=ClauseWatch((events.PassageDenied,), _find_denial),
    idle_status=HOLDS,
)
COALING = ClauseKind(
    id="coaling",
    summary="coaling promised for a War",
    usage="POWER coals POWER",
    example="britain coals japan",
    required=("power", "to"),
    optional=("until", "upon"),
    forms=(subject_form("coals?", lambda r, by: Clause("coaling", power=by, to=r.names.powers.find(r.text, r.first))),),
    text=lambda c: f"{c.power} coals {c.to}",
    describe=lambda t, c: f"{describe_subject(t, c)} coals the Naval Units of {power_name(t, c.to)} in a War",
    sentences=rewrites((r"(.+) coals the Naval Units of (.+) in a War", r"\1 coals \2")),
    check=check_not_to_itself,
    idle_status=HOLDS,
    is_judged=True,  # which Areas would have served, and when, the signers know
)

KINDS = (DEFENSIVE, OFFENSIVE, NON_AGGRESSION, SHARED_CAUSE, PASSAGE, COALING)
"""The kinds of this family."""
