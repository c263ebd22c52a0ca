"""Before a Congress of Europe: tabling a proposal, the sealed ballots, ties, and who is asked to sign.

Rules: CON-011 to CON-027, CON-031, CON-040, MIN-036, MIN-041, MIN-042, BEL-005 (R-CON-04, R-CON-05, R-CON-13)
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.engine.choices import Choice
from paxtui.pax.board.status import seat_of
from paxtui.pax.congress.calling import host
from paxtui.pax.diplomacy import acts, settlement
from paxtui.pax.diplomacy.disputes import overruled, rivals
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.congress import ADOPTED, DEFEATED, PROPOSE, SIGN, TIE, Congress, Proposal
from paxtui.pax.state.treaty import CONGRESS, Clause
from paxtui.pax.treaties import clauses, treaty_watch
from paxtui.pax.words import clause_kinds, clause_wording
from paxtui.pax.words.clause_kinds import LONGEST_NAME
from paxtui.pax.words.spoken import place_name, power_name, powers_named

VOTES = ("yes", "no", "abstain")
INTENTIONS = ("sign", "defy")
ANYWHERE = "yellow_press"
"""Cause that opens all Areas of the Minor Power it is against to the Congress (MIN-042)."""


def sitting(play: Play) -> Congress:
    """The Congress of the moment; the Phase is not there without one."""
    found = play.state.congress
    assert found is not None
    return found


def change(play: Play, note: str, rules: tuple[str, ...], **changes: object) -> Congress:
    """Let the Congress go on: what has changed, and a sentence for everybody."""
    congress = replace(sitting(play), **changes)
    play.emit(ev.CongressChanged(congress=congress, note=note, rules=rules))
    return congress


# --- proposals ----------------------------------------------------------------------------------------------------


def table(play: Play, power: str, action: ac.Draft) -> None:
    """Put a Treaty before the Congress.

    Raises: Refusal `no_congress`, `not_a_member`, `not_now`, `name`, `no_clauses`, and what forbids a clause.
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
    asked = next((c for c in state.choices if c.kind == PROPOSE and c.seat == seat), None)
    if congress.step != PROPOSE or asked is None:
        refuse("not_now", ("CON-013", "CON-027"), "The Congress takes proposals when the vote before is counted.")
    if not action.clauses:
        refuse("no_clauses", ("CON-014",), "A proposal says something: name its clauses after the colon.")
    if len(action.name) > LONGEST_NAME:
        refuse("name", (), f"A name has {LONGEST_NAME} characters at most.")
    check_proposal(play, action.clauses)
    number = len(congress.proposals) + 1
    name = action.name or f"Act of {play.tables.turns[state.turn - 1].year}, {number}"
    proposal = Proposal(f"p{number}", name, power, action.clauses)
    play.emit(ev.ChoiceMade(id=asked.id, answer=("propose",), rules=("CON-013",)))
    said = "; ".join(clause_wording.say(tables, c) for c in action.clauses)
    note = f"{power_name(tables, power)} proposes the {name}: {said}."
    change(play, note, ("CON-013",), proposals=(*congress.proposals, proposal))


def check_proposal(play: Play, said: tuple[Clause, ...]) -> None:
    """Whether a Treaty may be put before the Congress: the rules allow each clause, and no marker is left illegally.

    Raises: Refusal.
    Rules: CON-014 to CON-021, MIN-041, MIN-042, TRE-006
    """
    tables, state = play.tables, play.state
    concerned = tuple(p for p in tables.powers if any(p in of_clause(play, c) for c in said))
    clauses.check(tables, state, concerned, said, CONGRESS)
    for number, clause in enumerate(said, 1):
        _check_minors(play, clause, number)
    now = tuple(c for c in said if clauses.immediate(c))
    after = settlement.outcome(tables, state, now, True, concerned)
    shared = {c.places[0] for c in now if c.kind in ("codominion", "grant")}
    before = set(sitting(play).agenda)
    for area in dict.fromkeys(c.places[0] for c in now if c.places and c.places[0] in before):
        left = rivals(after, area) or (() if area in shared else overruled(after, area))
        if left:
            refuse(
                "left_illegal",
                ("CON-014",),
                f"After it {powers_named(tables, tuple(left))} would still stand against the others in "
                f"{place_name(tables, area)}: say what becomes of every marker there.",
            )


def _check_minors(play: Play, clause: Clause, number: int) -> None:
    """Whether a clause touches a Minor Power only where it has a dispute before the Congress.

    Raises: Refusal `minor`.
    Rules: MIN-036, MIN-041, MIN-042, CON-016, CON-017 (R-CON-04)
    """
    tables, state = play.tables, play.state
    causes = [c for c in state.casus_belli if c.id in sitting(play).causes]
    for minor in (p for p in of_clause(play, clause) if p in state.minors):
        where = {c.area for c in causes if minor in (c.holder, c.against, c.minor) and c.area}
        everywhere = any(c.cause == ANYWHERE and c.against == minor for c in causes)
        places = clause.places[:1] if clause.kind in clause_kinds.ACTS else clause.places
        if everywhere or (places and all(p in where for p in places)):
            continue
        named = powers_named(tables, (minor,))
        about = ", ".join(place_name(tables, a) for a in sorted(where)) or "none"
        refuse(
            "minor",
            ("MIN-041", "MIN-042", "CON-016"),
            f"Article {number}: what belongs to {named} is before this Congress only where it has a dispute ({about}).",
        )


def of_clause(play: Play, clause: Clause) -> tuple[str, ...]:
    """Powers that a clause binds, gives to, or whose agreement it needs, in the order of the powers table.

    Rules: CON-022, CON-031
    """
    needed = acts.must_sign(play.tables, play.state, (clause,)) if clauses.immediate(clause) else ()
    named = {*needed, *clauses.affected(clause)}
    return tuple(p for p in play.tables.powers if p in named)


# --- ballots ------------------------------------------------------------------------------------------------------


def offer_ballots(play: Play, proposal: Proposal) -> None:
    """Every member votes, unseen by the others, and says whether it would sign.

    Rules: CON-024, CON-025, BEL-005, MIN-036 (R-CON-13)
    """
    for seat in sitting(play).members:
        play.offer(
            seat,
            "ballot",
            (*VOTES, *INTENTIONS),
            ("abstain", "sign"),
            "",
            f"The {proposal.name}: yes, no or abstain, and sign or defy if it is adopted",
            ("CON-024", "CON-025"),
            {"proposal": proposal.id},
        )


def answer_ballot(play: Play, choice: Choice, words: tuple[str, ...]) -> None:
    """A sealed ballot: a vote and what the seat would do. One word alone leaves the other at its default.

    Raises: Refusal `bad_answer`.
    """
    votes = [w for w in words if w in VOTES]
    signs = [w for w in words if w in INTENTIONS]
    if len(votes) > 1 or len(signs) > 1 or not words:
        refuse("bad_answer", choice.rules, "A ballot has one vote (yes, no, abstain) and one of sign and defy.")
    answer = (votes[0] if votes else "abstain", signs[0] if signs else "sign")
    play.emit(ev.BallotCast(seat=choice.seat, answer=answer, rules=("CON-024",)))


def count(play: Play) -> None:
    """Open the ballots: more yes than no of the votes cast adopts the Treaty, as many of both are a tie.

    Rules: CON-024, CON-025, CON-026, MIN-036, BEL-005 (R-CON-05)
    """
    congress = sitting(play)
    proposal = congress.proposal(congress.current)
    assert proposal is not None
    ballots = dict(play.state.ballots)
    votes = {seat: ballots.get(seat, ("abstain", "sign"))[0] for seat in congress.members}
    yes, no = (sum(1 for v in votes.values() if v == word) for word in ("yes", "no"))
    counted = f"{yes} yes, {no} no, {len(votes) - yes - no} abstain"
    play.emit(ev.BallotsOpened(proposal=proposal.id, votes=votes, rules=("CON-024", "CON-025")))
    places = tuple(dict.fromkeys(place for c in proposal.clauses for place in c.places))
    treaty_watch.watch_votes(play, proposal.proposer, places, votes)
    proposal = replace(proposal, votes=votes)
    if yes == no and yes:
        who = host(play.tables, play.state, congress.site)
        change(
            play,
            f"The {proposal.name}: {counted}. {power_name(play.tables, who)} presides and breaks the tie.",
            ("CON-026",),
            step=TIE,
            proposals=congress.with_proposal(proposal),
        )
        rules = ("CON-026", "CON-040") if play.tables.powers[congress.site].seat else ("CON-026",)
        play.offer(who, "tie", ("yes", "no"), "no", "", f"A tie over the {proposal.name}: yes or no", rules)
        return
    _counted(play, proposal, yes > no, counted)


def answer_tie(play: Play, choice: Choice, words: tuple[str, ...]) -> None:
    """The host breaks a tie; in Vienna that is Germany's second vote.

    Raises: Refusal `bad_answer`.
    Rules: CON-026, CON-040 (R-CON-03)
    """
    if len(words) != 1:
        refuse("bad_answer", choice.rules, f"Answer {choice.id} with yes or with no.")
    congress = sitting(play)
    proposal = congress.proposal(congress.current)
    assert proposal is not None
    name = power_name(play.tables, choice.seat)
    _counted(play, replace(proposal, tie=choice.seat), words[0] == "yes", f"{name} breaks the tie with {words[0]}")


def _counted(play: Play, proposal: Proposal, adopted: bool, how: str) -> None:
    """The Treaty is adopted and goes to those who must sign, or it is defeated and the Congress goes on.

    Rules: CON-024, CON-027, CON-028
    """
    stage = ADOPTED if adopted else DEFEATED
    changed = replace(proposal, stage=stage)
    verb = "is adopted" if adopted else "is defeated"
    change(
        play,
        f"The {proposal.name} {verb} ({how}).",
        ("CON-024",) if adopted else ("CON-024", "CON-027"),
        step=SIGN if adopted else PROPOSE,
        proposals=sitting(play).with_proposal(changed),
    )
