"""Proposals before a Congress of Europe: tabling one, what it may say, and whom each clause of it asks.

Rules: CON-011 to CON-022, CON-031, MIN-036, MIN-041, MIN-042 (R-CON-13)
"""

from __future__ import annotations

from paxtui.pax.board.status import seat_of
from paxtui.pax.clauses import checking
from paxtui.pax.clauses.kinds import KINDS, at_once
from paxtui.pax.clauses.wording import say
from paxtui.pax.congress import conflicts
from paxtui.pax.congress.sitting import change, sitting, step_of
from paxtui.pax.diplomacy.disputes import overruled, rivals
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.congress import PROPOSE, Proposal
from paxtui.pax.state.pieces import EXPANSION
from paxtui.pax.state.questions import Propose
from paxtui.pax.state.treaty import CONGRESS, Clause
from paxtui.pax.words.free_text import LONGEST_NAME
from paxtui.pax.words.spoken import (
    all_of,
    place_name,
    power_name,
    powers_named,
    sentence,
    the_power,
    the_powers,
    the_proposal,
)

ANYWHERE = "yellow_press"
"""Cause that opens all Areas of the Minor Power it is against to the Congress (MIN-042)."""


def table(play: Play, power: str, action: ac.Draft) -> None:
    """Put a Treaty before the Congress.

    Raises: Refusal `no_congress`, `not_a_member`, `not_now`, `name`, `no_clauses`, `no_secrets`, and what forbids
    a clause.
    Rules: CON-013 to CON-022, MIN-036, MIN-041, MIN-042
    """
    tables, state = play.tables, play.state
    congress = state.congress
    if congress is None or state.phase != "congress":
        what = "No Congress of Europe is in session: nothing can be put before it."
        refuse("no_congress", ("SEQ-020", "CON-013"), what)
    seat = seat_of(tables, state, power)
    if seat not in congress.members:
        refuse("not_a_member", ("CON-013",), f"{power_name(tables, power)} does not sit in this Congress.")
    asked = next((c for c in state.choices if isinstance(c.about, Propose) and c.seat == seat), None)
    if step_of(state, congress) != PROPOSE or asked is None:
        refuse("not_now", ("CON-013", "CON-027"), "The Congress takes proposals when the vote before is counted.")
    if not action.clauses:
        refuse("no_clauses", ("CON-014",), "A proposal says something: name its clauses after the colon.")
    if len(action.name) > LONGEST_NAME:
        refuse("name", (), f"A name has {LONGEST_NAME} characters at most.")
    if any(clause.secret for clause in action.clauses):
        refuse(
            "no_secrets",
            ("CON-013", "TRE-011"),
            "What is put before a Congress of Europe is read by everybody: it has no secret articles.",
        )
    check_proposal(play, action.clauses)
    number = len(congress.proposals) + 1
    name = action.name or f"Act of {play.tables.turns[state.turn - 1].year}, {number}"
    proposal = Proposal(f"p{number}", name, power, action.clauses)
    play.emit(ev.ChoiceMade(id=asked.id, answer=("propose",), rules=("CON-013",)))
    said = "; ".join(say(tables, c) for c in action.clauses)
    note = sentence(f"{the_power(tables, power)} proposes {the_proposal(tables, name)}: {said}")
    change(play, note, ("CON-013",), proposals=(*congress.proposals, proposal))


def check_proposal(play: Play, said: tuple[Clause, ...]) -> None:
    """Whether a Treaty may be put before the Congress: the rules allow each clause, it settles something now, and no
    marker is left illegally.

    Raises: Refusal `left_illegal`, `settles_nothing`, and what forbids a clause.
    Rules: CON-011, CON-014 to CON-021, CON-033, MIN-041, MIN-042, TRE-006 (Decision 42)
    """
    tables, state = play.tables, play.state
    concerned = conflicts.concerned(tables, state, said)
    checking.check(tables, state, concerned, said, CONGRESS)
    for number, clause in enumerate(said, 1):
        _check_minors(play, clause, number)
    now = tuple(c for c in said if at_once(c))
    after = conflicts.signed_by_all(tables, state, now)
    settled = conflicts.settled_by(tables, state, said)
    shared = {c.places[0] for c in now if conflicts.shares(c)}
    touched = (*(c.places[0] for c in now if c.places), *(f.area for f in settled if f.area))
    for area in dict.fromkeys(touched):
        left = rivals(after, area) or (() if area in shared else overruled(after, area))
        if left:
            refuse(
                "left_illegal",
                ("CON-014",),
                f"After it {the_powers(tables, tuple(left))} would still stand against the others in "
                f"{place_name(tables, area)}: say what becomes of every marker there.",
            )
    if not settled:
        lost = [f.area for f in conflicts.before_it(state) if f.area in touched and conflicts.defied(state, f)]
        if lost:
            names = all_of(tuple(dict.fromkeys(place_name(tables, area) for area in lost)))
            refuse(
                "settles_nothing",
                ("CON-033", "CON-011"),
                f"A Treaty about {names} has been defied: War or the loss of markers decides there, and it settles no "
                f"other dispute before the Congress.",
            )
        refuse(
            "settles_nothing",
            ("CON-011", "CON-014"),
            "It settles none of the disputes before the Congress; what is only promised, or is about other matters, "
            "may stand beside a settlement but not alone.",
        )


def _check_minors(play: Play, clause: Clause, number: int) -> None:
    """Whether a clause touches a Minor Power, or the Ottoman Empire, only where it has a dispute before the Congress.

    Raises: Refusal `minor`.
    Rules: EVT-035, MIN-036, MIN-041, MIN-042, CON-016, CON-017 (R-CON-04)
    """
    tables, state = play.tables, play.state
    causes = [c for c in state.casus_belli if c.id in sitting(play).causes]
    for minor in (p for p in conflicts.concerned(tables, state, (clause,)) if p not in state.powers):
        where = {c.area for c in causes if minor in (c.holder, c.against, c.minor) and c.area}
        everywhere = any(c.cause == ANYWHERE and c.against == minor for c in causes)
        places = clause.places[:1] if KINDS[clause.kind].act else clause.places
        if everywhere or (places and all(p in where for p in places)):
            continue
        named = powers_named(tables, (minor,))
        about = ", ".join(place_name(tables, a) for a in sorted(where)) or "none"
        refuse(
            "minor",
            ("EVT-035", "CON-016") if minor == EXPANSION else ("MIN-041", "MIN-042", "CON-016"),
            f"Article {number}: what belongs to {named} is before this Congress only where it has a dispute ({about}).",
        )
