"""Alliances and what else only a War wakes: mutual defence, non-aggression, canals, coaling.

In peace they sleep. In a War they bind by what the rules of War ask of their signers; a passage denied against its
promise is seen at once, and whether somebody was coaled as promised is for the signers to judge.

Rules: TRE-005, TRE-007, TRE-009, TRE-010, TRE-017, AUS-002
"""

from __future__ import annotations

import re

from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.kind import ASLEEP, Case, Form, Kind, Terms, Watch
from paxtui.pax.clauses.phrases import against, by, foes, named, not_to_itself, of_subject
from paxtui.pax.clauses.reader import Reader, words_of
from paxtui.pax.history import events as ev
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.names import unknown
from paxtui.pax.words.spoken import power_name

# --- defensive and offensive --------------------------------------------------------------------------------------


def _alliance(kind: str) -> Form:
    def read(r: Reader, m: re.Match[str]) -> Clause:
        return Clause(kind, power=r.who(m), against=r.powers(m, "against"))

    return Form(words_of(rf"{kind}(?: alliance)?(?: by (?P<by>.+?))?(?: against (?P<against>.+))?"), read)


def _defence(t: Tables, c: Clause) -> str:
    if c.power:
        return f"If {foes(t, c)} declares War on another signer, {named(t, c)} comes to its defence"
    return f"If {foes(t, c)} declares War on a signer, the others come to its defence"


def _attack(t: Tables, c: Clause) -> str:
    if c.power:
        return f"If another signer declares War on {foes(t, c)}, {named(t, c)} joins it in the War"
    return f"If a signer declares War on {foes(t, c)}, the others join it in the War"


def _no_joint_power(terms: Terms) -> None:
    """Austria-Hungary makes no offensive Alliance. Rules: AUS-002."""
    for power in terms.parties:
        if terms.tables.powers[power].seat:
            name = terms.name(power)
            terms.no(
                "defensive_only",
                ("AUS-002", "TRE-006"),
                f"{name} makes defensive Alliances only; leave it out, or make this one defensive.",
            )


DEFENSIVE = Kind(
    id="defensive",
    what="a defensive Alliance",
    usage="defensive [by POWER] [against POWERS]",
    example="defensive against germany until 1892",
    may=("power", "against", "until", "upon"),
    forms=(_alliance("defensive"),),
    text=lambda c: f"defensive{by(c)}{against(c)}",
    say=_defence,
    idle=ASLEEP,
    template=True,
)
OFFENSIVE = Kind(
    id="offensive",
    what="an offensive Alliance",
    usage="offensive [by POWER] [against POWERS]",
    example="offensive against germany",
    may=("power", "against", "until", "upon"),
    forms=(_alliance("offensive"),),
    text=lambda c: f"offensive{by(c)}{against(c)}",
    say=_attack,
    check=_no_joint_power,
    idle=ASLEEP,
)


# --- between the signers ------------------------------------------------------------------------------------------

NON_AGGRESSION = Kind(
    id="non_aggression",
    what="no War between the signers",
    usage="non-aggression",
    example="non-aggression",
    may=("until", "upon"),
    forms=(Form(words_of(r"non[-_ ]?aggression(?: pact)?"), lambda r, m: Clause("non_aggression")),),
    text=lambda c: "non-aggression",
    say=lambda t, c: "No signer declares War on another",
    idle=ASLEEP,
    template=True,
)


def _shared(r: Reader, m: re.Match[str]) -> Clause:
    return Clause("shared_cause", against=r.powers(m, "against"))


SHARED_CAUSE = Kind(
    id="shared_cause",
    what="a Casus Belli shared once a partner is at War",
    usage="shared cause [against POWERS]",
    example="shared cause",
    may=("against", "until", "upon"),
    forms=(Form(words_of(r"shared[-_ ]cause(?: against (?P<against>.+))?"), _shared),),
    text=lambda c: f"shared cause{against(c)}",
    say=lambda t, c: (
        f"Once a signer is at War over a Casus Belli against {foes(t, c)}, the others have that Casus Belli too"
    ),
    idle=ASLEEP,
)


# --- one for another ----------------------------------------------------------------------------------------------

_WATERS = r"(?:the )?(?:canals?|straits?)"
_LET = words_of(rf"(?P<to>.+?) (?:pass )?through(?: {_WATERS})?(?: and {_WATERS})?")


def _let(r: Reader, power: str) -> Clause:
    m = _LET.fullmatch(r.text)
    if m is None:
        raise unknown(r.text, "a Power and 'through canals', as in 'britain lets russia through canals',", word=r.first)
    return Clause("passage", power=power, to=r.power(m, "to"))


def _coal(r: Reader, power: str) -> Clause:
    return Clause("coaling", power=power, to=r.names.powers.find(r.text, r.first))


def _denies(case: Case, event: ev.Event) -> str:
    """Denied to whom it was promised; what a War between the two has ended is no promise any more.

    Rules: TRE-007, WAR-041
    """
    if not isinstance(event, ev.PassageDenied) or not event.denied:
        return ""
    if (event.by, event.to) != (case.power, case.clause.to):
        return ""
    return f"denies {event.passage.replace('_', ' ').title()} to {power_name(case.tables, event.to)}"


PASSAGE = Kind(
    id="passage",
    what="canals and straits kept open",
    usage="POWER lets POWER through canals",
    example="britain lets russia through canals",
    needs=("power", "to"),
    may=("until", "upon"),
    forms=(of_subject("lets?", _let),),
    text=lambda c: f"{c.power} lets {c.to} through canals",
    say=lambda t, c: f"{named(t, c)} lets {power_name(t, c.to)} through canals and straits",
    check=not_to_itself,
    watch=Watch((ev.PassageDenied,), _denies),
    idle=ASLEEP,
)
COALING = Kind(
    id="coaling",
    what="coaling promised for a War",
    usage="POWER coals POWER",
    example="britain coals japan",
    needs=("power", "to"),
    may=("until", "upon"),
    forms=(of_subject("coals?", _coal),),
    text=lambda c: f"{c.power} coals {c.to}",
    say=lambda t, c: f"{named(t, c)} coals the Naval Units of {power_name(t, c.to)} in a War",
    check=not_to_itself,
    idle=ASLEEP,
    judged=True,  # which Areas would have served, and when, the signers know
)

KINDS = (DEFENSIVE, OFFENSIVE, NON_AGGRESSION, SHARED_CAUSE, PASSAGE, COALING)
"""The kinds of this family."""
