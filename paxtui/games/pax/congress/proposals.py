"""Proposals before a Congress of Europe: tabling and its limits, sealed ballots, ties, and signatures."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses import registry
from paxtui.games.pax.clauses.notation import stored_clause_text
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS, is_immediate
from paxtui.games.pax.congress import calling
from paxtui.games.pax.diplomacy.disputes import conflicting_controllers, overruled_influences
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import (
    ADOPTED,
    CALLED,
    CONGRESS,
    DEFEATED,
    OVER,
    PROPOSE,
    SIGN,
    TIE,
    VOTES,
    Clause,
    Congress,
    Proposal,
)
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import CONGRESS_SESSION
from paxtui.games.pax.state.pieces import OTTOMAN_EMPIRE
from paxtui.games.pax.state.questions import Ballot, Pending, Propose, Signature, Tie
from paxtui.games.pax.text.display import (
    join_with_and,
    place_name,
    power_name,
    powers_text,
    sentence,
    the_power,
    the_powers,
    the_proposal,
)
from paxtui.games.pax.text.parsing import MAX_NAME_LENGTH
from paxtui.games.pax.transaction import Transaction, refuse, single_answer
from paxtui.games.pax.treaties import breaches

YELLOW_PRESS = "yellow_press"
"""Cause that opens to the Congress all Areas of the Minor Power it is against (MIN-042)."""
INTENTIONS = ("sign", "defy")
SIGNING, REFUSING = "sign", "refuse"


def current_congress(play: Transaction) -> Congress:
    """Return the Congress now in session; the Phase always has one."""
    found = play.state.congress
    assert found is not None
    return found


def congress_step(state: State, congress: Congress) -> str:
    """Return the step of a Congress: CALLED before it meets, OVER when it has an outcome."""
    if congress.outcome:
        return OVER
    return state.top.step if state.top.phase == CONGRESS_SESSION else CALLED


def update_congress(play: Transaction, note: str, rules: tuple[str, ...], step: str = "", **changes: object) -> None:
    """Change the Congress, and its step if one is given, with a sentence for all players."""
    congress, top = replace(current_congress(play), **changes), play.state.top
    at = step or (top.step if top.phase == CONGRESS_SESSION else "")
    play.emit(events.CongressChanged(congress=congress, note=note, step=at, rules=rules))


def current_proposal(congress: Congress) -> Proposal:
    """Return the proposal that is being voted on, or was adopted."""
    found = congress.proposal(congress.current)
    assert found is not None
    return found


def table_proposal(play: Transaction, power: str, action: actions.Draft) -> None:
    """Table a Treaty before the Congress.

    Raises: Refusal `no_congress`, `not_a_member`, `not_now`, `name`, `no_clauses`, `no_secrets`, and the obstacles to a
    clause.
    Rules: CON-013 to CON-022, MIN-036, MIN-041, MIN-042
    """
    tables, state = play.tables, play.state
    congress = state.congress
    if congress is None or state.phase != "congress":
        what = "No Congress of Europe is in session, so you cannot propose a Treaty to it."
        refuse("no_congress", ("SEQ-020", "CON-013"), what)
    seat = seat_of(tables, state, power)
    if seat not in congress.members:
        refuse("not_a_member", ("CON-013",), f"{power_name(tables, power)} is not a member of this Congress.")
    question = next((c for c in state.choices if isinstance(c.about, Propose) and c.seat == seat), None)
    if congress_step(state, congress) != PROPOSE or question is None:
        refuse(
            "not_now",
            ("CON-013", "CON-027"),
            "The Congress takes no proposals during a vote. Propose again after the count.",
        )
    if not action.clauses:
        refuse("no_clauses", ("CON-014",), "The proposal has no clauses. Add them after the colon.")
    if len(action.name) > MAX_NAME_LENGTH:
        refuse("name", (), f"A name has at most {MAX_NAME_LENGTH} characters.")
    if any(clause.secret for clause in action.clauses):
        refuse(
            "no_secrets",
            ("CON-013", "TRE-011"),
            "A proposal to a Congress of Europe cannot have secret articles: all members read it.",
        )
    check_proposal(play, action.clauses)
    number = len(congress.proposals) + 1
    name = action.name or f"Act of {play.tables.turns[state.turn - 1].year}, {number}"
    proposal = Proposal(f"p{number}", name, power, action.clauses)
    play.emit(events.ChoiceMade(id=question.id, answer=("propose",), rules=("CON-013",)))
    text = "; ".join(stored_clause_text(tables, c) for c in action.clauses)
    note = sentence(f"{the_power(tables, power)} proposes {the_proposal(tables, name)}: {text}")
    update_congress(play, note, ("CON-013",), proposals=(*congress.proposals, proposal))


def check_proposal(play: Transaction, clauses: tuple[Clause, ...]) -> None:
    """Check that a Treaty may be tabled: legal clauses, something settled now, and no illegal marker left.

    Raises: Refusal `left_illegal`, `settles_nothing`, and the obstacles to a clause.
    Rules: CON-011, CON-014 to CON-021, CON-033, MIN-041, MIN-042, TRE-006 (Decision 42)
    """
    tables, state = play.tables, play.state
    concerned = calling.concerned_powers(tables, state, clauses)
    registry.check_clauses(tables, state, concerned, clauses, CONGRESS)
    for number, clause in enumerate(clauses, 1):
        _check_minors(play, clause, number)
    now = tuple(c for c in clauses if is_immediate(c))
    after = calling.state_after_signing(tables, state, now)
    settled = calling.conflicts_settled(tables, state, clauses)
    shared = {c.places[0] for c in now if calling.is_sharing_clause(c)}
    touched = (*(c.places[0] for c in now if c.places), *(f.area for f in settled if f.area))
    for area in dict.fromkeys(touched):
        left = conflicting_controllers(after, area) or (() if area in shared else overruled_influences(after, area))
        if left:
            refuse(
                "left_illegal",
                ("CON-014",),
                f"After this Treaty the markers of {the_powers(tables, tuple(left))} in "
                f"{place_name(tables, area)} would still be illegal. Add a clause for each marker there.",
            )
    if not settled:
        lost = [f.area for f in calling.open_conflicts(state) if f.area in touched and calling.is_defied(state, f)]
        if lost:
            names = join_with_and(tuple(dict.fromkeys(place_name(tables, area) for area in lost)))
            refuse(
                "settles_nothing",
                ("CON-033", "CON-011"),
                f"A party refused to sign a Treaty about {names}, so War or the loss of markers decides "
                "there. This Treaty settles no other dispute of the Congress.",
            )
        refuse(
            "settles_nothing",
            ("CON-011", "CON-014"),
            "The Treaty settles no dispute of this Congress. Promises and other matters can only be added "
            "to a settlement.",
        )


def _check_minors(play: Transaction, clause: Clause, number: int) -> None:
    """Check that clauses about a Minor Power or the Ottoman Empire belong to a dispute before the Congress."""
    tables, state = play.tables, play.state
    causes = [c for c in state.casus_belli if c.id in current_congress(play).causes]
    for minor in (p for p in calling.concerned_powers(tables, state, (clause,)) if p not in state.powers):
        where = {c.area for c in causes if minor in (c.holder, c.against, c.minor) and c.area}
        everywhere = any(c.cause == YELLOW_PRESS and c.against == minor for c in causes)
        places = clause.places[:1] if CLAUSE_KINDS[clause.kind].act else clause.places
        if everywhere or (places and all(p in where for p in places)):
            continue
        named = powers_text(tables, (minor,))
        about = ", ".join(place_name(tables, a) for a in sorted(where)) or "none"
        refuse(
            "minor",
            ("EVT-035", "CON-016") if minor == OTTOMAN_EMPIRE else ("MIN-041", "MIN-042", "CON-016"),
            f"Article {number}: this Congress can decide about {named} only in its own disputes ({about}).",
        )


def offer_ballots(play: Transaction, proposal: Proposal) -> None:
    """Ask each member for a sealed ballot, with its vote and whether it would sign.

    Rules: CON-024, CON-025, BEL-005, MIN-036 (R-CON-13)
    """
    called = the_proposal(play.tables, proposal.name)
    for seat in current_congress(play).members:
        play.offer(
            seat,
            Ballot(proposal.id),
            (*VOTES, *INTENTIONS),
            ("abstain", "sign"),
            "",
            f"Your ballot on {called}: yes, no or abstain, and sign or defy if it is adopted",
            ("CON-024", "CON-025"),
        )


def answer_ballot(play: Transaction, choice: Pending, about: Ballot, words: tuple[str, ...]) -> None:
    """Record a sealed ballot: a vote and a willingness to sign. A single word leaves the other at its default."""
    votes = [w for w in words if w in VOTES]
    signs = [w for w in words if w in INTENTIONS]
    if len(votes) > 1 or len(signs) > 1 or not words:
        refuse("bad_answer", choice.rules, "A ballot has one vote (yes, no or abstain) and one of sign or defy.")
    answer = (votes[0] if votes else "abstain", signs[0] if signs else "sign")
    play.emit(events.BallotCast(seat=choice.seat, answer=answer, rules=("CON-024",)))


def count_ballots(play: Transaction) -> None:
    """Open the ballots: a majority of the votes cast adopts the Treaty, equal numbers are a tie.

    Rules: CON-024, CON-025, CON-026, MIN-036, BEL-005 (R-CON-05)
    """
    congress = current_congress(play)
    proposal = current_proposal(congress)
    ballots = dict(play.state.ballots)
    votes = {seat: ballots.get(seat, ("abstain", "sign"))[0] for seat in congress.members}
    yes, no = (sum(1 for v in votes.values() if v == word) for word in ("yes", "no"))
    counted = f"{yes} yes, {no} no, {len(votes) - yes - no} abstain"
    play.emit(events.BallotsOpened(proposal=proposal.id, votes=votes, rules=("CON-024", "CON-025")))
    breaches.watch_treaties(play)
    proposal = replace(proposal, votes=votes)
    if yes == no and yes:
        who = seat_of(play.tables, play.state, congress.site)
        called = the_proposal(play.tables, proposal.name)
        update_congress(
            play,
            sentence(f"{called}: {counted}; {the_power(play.tables, who)} presides and breaks the tie"),
            ("CON-026",),
            step=TIE,
            proposals=congress.with_proposal(proposal),
        )
        rules = ("CON-026", "CON-040") if play.tables.powers[congress.site].seat else ("CON-026",)
        play.offer(who, Tie(), ("yes", "no"), "no", "", f"A tie over {called}: yes or no", rules)
        return
    _record_result(play, proposal, yes > no, counted)


def answer_tie(play: Transaction, choice: Pending, about: Tie, words: tuple[str, ...]) -> None:
    """Break a tie as the host; in Vienna this is Germany's second vote. Rules: CON-026, CON-040 (R-CON-03)."""
    word = single_answer(choice, words)
    proposal = current_proposal(current_congress(play))
    name = the_power(play.tables, choice.seat)
    _record_result(play, replace(proposal, tie=choice.seat), word == "yes", f"{name} breaks the tie with {word}")


def _record_result(play: Transaction, proposal: Proposal, adopted: bool, how: str) -> None:
    stage = ADOPTED if adopted else DEFEATED
    changed = replace(proposal, stage=stage)
    update_congress(
        play,
        sentence(f"{the_proposal(play.tables, proposal.name)} is {'adopted' if adopted else 'defeated'} ({how})"),
        ("CON-024",) if adopted else ("CON-024", "CON-027"),
        step=SIGN if adopted else PROPOSE,
        proposals=current_congress(play).with_proposal(changed),
    )


def ask_to_sign(play: Transaction) -> None:
    """Sign for the parties as their ballots said, and ask the other Powers that a clause concerns.

    A party to another dispute that would consent to a Codominion also signs by its ballot. A Minor Power and the
    Ottoman Empire always accept. A party without a ballot of its own accepts unless it declines.

    Rules: EVT-035, CON-023, CON-028, CON-029, CON-031, MIN-037, MIN-043 (R-CON-04, R-CON-10, R-CON-13, Decisions 40 and
    41)
    """
    tables, state, congress = play.tables, play.state, current_congress(play)
    proposal = current_proposal(congress)
    obliged = settling_parties(tables, state, proposal)
    bound = calling.concerned_powers(tables, state, proposal.clauses)
    consenting = tuple(p for p in calling.consenting_powers(state, proposal.clauses) if p not in bound)
    defies = [seat for seat, ballot in state.ballots.items() if ballot[1] == "defy"]
    signed, refused = list(proposal.signed), list(proposal.refused)
    for power in (p for p in tables.parties if p in (*obliged, *consenting, *bound)):
        if not seat_of(tables, state, power):
            signed.append(power)
        elif power in congress.members and power in (*obliged, *consenting):
            (refused if power in defies else signed).append(power)
    answered = replace(proposal, signed=tuple(signed), refused=tuple(refused))
    note = _signature_note(play, signed, refused)
    update_congress(play, note, ("CON-028", "CON-029"), proposals=congress.with_proposal(answered))
    if any(power in obliged for power in refused):
        return  # nothing takes effect: no other Power needs to be asked
    called = the_proposal(tables, proposal.name)
    for power in tables.powers:
        if power in (*obliged, *consenting, *bound) and power not in (*signed, *refused):
            must = power in obliged
            play.offer(
                power,
                Signature(),
                (SIGNING, REFUSING),
                SIGNING if must else REFUSING,
                "",
                f"{sentence(f'{called} is adopted')} {power_name(tables, power)}: sign or refuse"
                + ("" if must else "; you are no party to what it settles, and refusing costs nothing"),
                ("CON-028", "CON-029") if must else ("CON-031", "CON-032"),
            )


def settling_parties(tables: Tables, state: State, proposal: Proposal) -> tuple[str, ...]:
    """Return the parties to the disputes that a Treaty settles; they defy it if they do not sign.

    Rules: CON-028, CON-030 (Decision 40)
    """
    named = {p for f in calling.conflicts_settled_if_possible(tables, state, proposal.clauses) for p in f.parties}
    return tuple(p for p in tables.parties if p in named)


def _signature_note(play: Transaction, signed: list[str], refused: list[str]) -> str:
    parts = []
    if signed:
        parts.append(f"{the_powers(play.tables, signed)} will sign")
    if refused:
        parts.append(f"{the_powers(play.tables, refused)} will not")
    return sentence("; ".join(parts))


def answer_sign(play: Transaction, choice: Pending, about: Signature, words: tuple[str, ...]) -> None:
    """Sign the adopted Treaty or refuse. Rules: CON-029, CON-031, CON-032."""
    signs = single_answer(choice, words) == SIGNING
    congress = current_congress(play)
    proposal = current_proposal(congress)
    power = choice.power
    changed = replace(
        proposal,
        signed=(*proposal.signed, power) if signs else proposal.signed,
        refused=proposal.refused if signs else (*proposal.refused, power),
    )
    does = f"{the_power(play.tables, power)} {'signs' if signs else 'refuses to sign'}"
    note = sentence(f"{does} {the_proposal(play.tables, proposal.name)}")
    update_congress(play, note, choice.rules, proposals=congress.with_proposal(changed))
