"""The Congress of Europe Phase: attendance, agenda, and rounds of proposals, ballots and signatures.

The Phase rolls no dice. `begin_phase` continues until a seat has to choose. Each choice has a default, so a Congress
ends without any input.

As an option of mail games, a Congress may stay open while the War Sequence runs. One of the two is in the foreground;
`State.waiting_phase` holds the position of the other. The Victory Point Record waits for both.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.congress import calling, outcome, proposals
from paxtui.games.pax.congress.proposals import check_proposal, current_congress, current_proposal, update_congress
from paxtui.games.pax.diplomacy import disputes
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import (
    AGENDA,
    ARMS,
    ATTEND,
    BALLOT,
    CLOSING,
    GUESTS,
    OVER,
    PROPOSE,
    REFUSED,
    SIGN,
    TABLED,
    Congress,
    Proposal,
)
from paxtui.games.pax.state.model import JOINED, SET_ASIDE, SWAPPED, State
from paxtui.games.pax.state.phases import CONGRESS_SESSION
from paxtui.games.pax.state.questions import Agenda, Attend, CongressQuestion, Invite, Pending, Propose, Signature, Site
from paxtui.games.pax.state.war import FOUGHT
from paxtui.games.pax.text.display import join_with_or, place_name, sentence, the_power, the_powers, the_proposal
from paxtui.games.pax.transaction import Phase, Transaction, refuse, single_answer

ATTENDING, AWAY = "attend", "stay_away"
NOBODY, PASS = "nobody", "pass"
SUSPENSION_RULES = ("PBM-057",)
CONGRESS_NAME, WAR_NAME = "congress", "war"


def begin_phase(play: Transaction) -> None:
    """Begin the called Congress, or first ask for its site.

    The site is open if a defender has called no Congress yet, or if the host has become a party.
    """
    if calling.has_spoils_quarrel(play.state):
        calling.call_over_spoils(play)
    congress = play.state.congress
    if congress is None:
        _ask_for_site(play)
    elif not congress.outcome and not _needs_new_site(play, congress):
        _convene(play, current_congress(play))
        continue_session(play)


def continue_session(play: Transaction) -> None:
    """Continue the Congress until a seat has to choose or it is over."""
    while play.state.top.phase == CONGRESS_SESSION and play.state.result is None:
        if play.state.declaring:
            return
        if play.state.top.step not in (ARMS, CLOSING):
            left = calling.open_conflicts(play.state)
            if play.state.wars and not left:
                outcome.void_questions(play)
                outcome.close_session(play, "war")
                return
            if left and not calling.negotiable_conflicts(play.state):  # a Treaty about each of them was defied
                outcome.void_questions(play)
                update_congress(play, "", ("CON-033",), step=ARMS)
        outcome.renew_declaration_questions(play)
        if any(isinstance(c.about, CongressQuestion) for c in play.state.choices):
            return
        _STEPS[play.state.top.step](play, current_congress(play))


def close_phase(play: Transaction) -> None:
    """Settle by default the disputes that never came before the Congress, unless a Power may declare War over them.

    Rules: SEQ-019, WAR-060 (R-WAR-24)
    """
    disputes.settle_closed_disputes(play)


def _ask_for_site(play: Transaction) -> None:
    """Ask the defender of a Minor Power for the site if it has called no Congress yet.

    Rules: MIN-040, CON-005, SEQ-020
    """
    causes = calling.defence_causes(play.state)
    if not causes or any(isinstance(c.about, Site) for c in play.state.choices):
        return
    found = calling.open_sites(play.tables, play.state, play.state.casus_belli)
    first = causes[0]
    play.offer(
        first.holder,
        Site(),
        found,
        found[0],
        first.area,
        "You defend a Minor Power, so a Congress of Europe meets: where?",
        ("MIN-040", "CON-005"),
    )


def _needs_new_site(play: Transaction, congress: Congress) -> bool:
    """Return whether a new site is needed because the host has become party to a dispute.

    Rules: CON-007, CON-008 (R-CON-01, Decision 43)
    """
    found = calling.replacement_sites(play.tables, play.state, congress)
    if len(found) == 1:
        _move_site(play, found[0])
    elif found and not any(isinstance(c.about, Site) for c in play.state.choices):
        prompt = sentence(f"{the_power(play.tables, congress.site)} is a party by now: where does the Congress meet?")
        play.offer(congress.caller, Site(), found, found[0], "", prompt, ("CON-005", "CON-007"))
    return len(found) > 1


def _move_site(play: Transaction, site: str) -> None:
    update_congress(play, f"The Congress of Europe moves to {the_power(play.tables, site)}.", ("CON-007",), site=site)


def answer_site(play: Transaction, choice: Pending, about: Site, words: tuple[str, ...]) -> None:
    """Name the site, as the defender or as the caller."""
    site = single_answer(choice, words)
    if play.state.congress is None:
        calling.record_call(play, choice.power, site)
    else:
        _move_site(play, site)


def _convene(play: Transaction, congress: Congress) -> None:
    """Convene the Congress with all open disputes; European Powers may attend and name overseas guests.

    Rules: CON-002, CON-003, CON-004, CON-010, CON-042 (Decision 43)
    """
    tables, state = play.tables, play.state
    if not state.casus_belli:
        update_congress(
            play, "Everything was settled before the Congress met.", ("CON-011",), step=OVER, outcome="settled"
        )
        return
    congress = calling.with_open_disputes(tables, state, congress)
    note = (
        f"The Congress of Europe meets in {the_power(tables, congress.site)}; "
        f"{the_powers(tables, congress.members)} sit in it."
    )
    play.emit(events.CongressChanged(congress=congress, note=note, step=ATTEND, rules=("CON-002", "CON-010")))
    guests = [s for s in calling.overseas_seats(tables, state) if s not in congress.members]
    for seat in calling.european_seats(tables, state):
        if seat not in congress.members:
            play.offer(
                seat,
                Attend(),
                (ATTENDING, AWAY),
                AWAY,
                "",
                f"A Congress meets in {the_power(tables, congress.site)}: attend or stay away?",
                ("CON-003",),
            )
        if guests:
            play.offer(
                seat,
                Invite(),
                (*guests, NOBODY),
                NOBODY,
                "",
                f"Whom do you invite? All European Great Powers must: {the_powers(tables, guests)}",
                ("CON-004",),
            )


def answer_attend(play: Transaction, choice: Pending, about: Attend, words: tuple[str, ...]) -> None:
    """Attend or stay away. Rules: CON-003, CON-004."""
    word, congress = single_answer(choice, words), current_congress(play)
    name = the_power(play.tables, choice.seat)
    if word == AWAY:
        update_congress(play, sentence(f"{name} stays away from the Congress"), ("CON-003",))
        return
    members = tuple(s for s in play.state.players if s in (*congress.members, choice.seat))
    update_congress(play, sentence(f"{name} attends the Congress"), choice.rules, members=members)


def answer_invite(play: Transaction, choice: Pending, about: Invite, words: tuple[str, ...]) -> None:
    """Name the overseas guests that a European Great Power invites. Rules: CON-004."""
    if not words or (NOBODY in words and len(words) > 1):
        refuse("bad_answer", choice.rules, f"Answer {choice.id} with the Powers to invite, or with {NOBODY}.")
    named = tuple(w for w in words if w != NOBODY)
    congress = current_congress(play)
    note = sentence(f"{the_power(play.tables, choice.seat)} would invite {the_powers(play.tables, named)}")
    update_congress(play, note, ("CON-004",), invited={**congress.invited, choice.seat: named})


def _admit_invited(play: Transaction, congress: Congress) -> None:
    """Admit the guests that all European Great Powers invite."""
    tables, state = play.tables, play.state
    inviting_seats = calling.european_seats(tables, state)
    update_congress(play, "", ("CON-004",), step=GUESTS)
    for seat in calling.overseas_seats(tables, state):
        if seat not in congress.members and all(seat in congress.invited.get(e, ()) for e in inviting_seats):
            prompt = "All European Great Powers invite you: attend?"
            play.offer(seat, Attend(), (ATTENDING, AWAY), AWAY, "", prompt, ("CON-004",))


def _ask_for_agenda(play: Transaction, congress: Congress) -> None:
    update_congress(play, "", ("CON-012",), step=AGENDA)
    if len(congress.agenda) < 2:
        return
    for seat in current_congress(play).members:
        names = join_with_or([place_name(play.tables, a) for a in congress.agenda])
        prompt = f"Which dispute comes first: {names}?"
        play.offer(seat, Agenda(), congress.agenda, congress.agenda[0], "", prompt, ("CON-012",))


def answer_agenda(play: Transaction, choice: Pending, about: Agenda, words: tuple[str, ...]) -> None:
    """Name the first dispute, as a member. Rules: CON-012."""
    area, congress = single_answer(choice, words), current_congress(play)
    note = sentence(f"{the_power(play.tables, choice.seat)} would take {place_name(play.tables, area)} first")
    update_congress(play, note, ("CON-012",), wishes={**congress.wishes, choice.seat: area})


def _set_agenda(play: Transaction, congress: Congress) -> None:
    """Put the dispute with the most votes first; ties follow the caller's order."""
    wishes = list(congress.wishes.values())
    agenda = tuple(sorted(congress.agenda, key=lambda a: -wishes.count(a)))
    note = f"The Congress takes {', then '.join(place_name(play.tables, a) for a in agenda)}." if wishes else ""
    update_congress(play, note, ("CON-011", "CON-012"), step=PROPOSE, agenda=agenda)


def _next_proposal(play: Transaction, congress: Congress) -> None:
    """Put the next proposal to the vote; if none is left, ask the members for others, round after round.

    Rules: CON-013, CON-024, CON-027 (R-CON-06)
    """
    open_ = [p for p in congress.proposals if p.stage == TABLED]
    if open_:
        _put_to_vote(play, open_[0])
        return
    most = play.state.options.congress_proposals
    if congress.round >= most or len(congress.proposals) == congress.asked:
        update_congress(play, "", ("CON-033",), step=ARMS)
        return
    update_congress(play, "", ("CON-013", "CON-027"), round=congress.round + 1, asked=len(congress.proposals))
    for seat in congress.members:
        ask_for_proposal(play, seat)


def ask_for_proposal(play: Transaction, seat: str) -> None:
    """Ask a member for one proposal. Rules: CON-013, CON-027."""
    prompt = "Propose a Treaty ('propose NAME: CLAUSES'), or pass"
    play.offer(seat, Propose(), (PASS,), PASS, "", prompt, ("CON-013", "CON-027"))


def _put_to_vote(play: Transaction, proposal: Proposal) -> None:
    """Put a proposal to the vote, unless an earlier Treaty has made it impossible.

    Rules: CON-011, CON-014, CON-024 (Decision 42)
    """
    called = the_proposal(play.tables, proposal.name)
    try:
        check_proposal(play, proposal.clauses)
    except Refusal as refusal:
        note = sentence(f"{called} is not put to the vote: {refusal.message}")
        left = current_congress(play).with_proposal(replace(proposal, stage=REFUSED))
        update_congress(play, note, ("CON-011", "CON-014"), proposals=left)
        return
    update_congress(play, f"The Congress votes on {called}.", ("CON-024",), step=BALLOT, current=proposal.id)
    proposals.offer_ballots(play, proposal)


def answer_propose(play: Transaction, choice: Pending, about: Propose, words: tuple[str, ...]) -> None:
    """Pass in this round of proposals."""
    single_answer(choice, words)


def _conclude_signing(play: Transaction, congress: Congress) -> None:
    """Conclude the signing: the Treaty takes effect, or it is defied. Rules: CON-028, CON-029, CON-031."""
    proposal = current_proposal(congress)
    if not proposal.signed and not proposal.refused:
        proposals.ask_to_sign(play)
        if any(isinstance(c.about, Signature) for c in play.state.choices):
            return
    outcome.conclude_proposal(play)


def _ask_for_declarations(play: Transaction, congress: Congress) -> None:
    update_congress(play, "", ("CON-034",), step=CLOSING)
    outcome.ask_for_declarations(play)


def _close_after_war(play: Transaction, congress: Congress) -> None:
    """Close the Congress after the declarations of War. Rules: CON-033, CON-035."""
    outcome.close_session(play, "refused" if congress.refusers else "failed")


_STEPS: dict[str, Callable[[Transaction, Congress], None]] = {
    ATTEND: _admit_invited,
    GUESTS: _ask_for_agenda,
    AGENDA: _set_agenda,
    PROPOSE: _next_proposal,
    BALLOT: lambda play, congress: proposals.count_ballots(play),
    SIGN: _conclude_signing,
    ARMS: _ask_for_declarations,
    CLOSING: _close_after_war,
}


PHASE = Phase(name="congress", due=calling.is_called, begin=begin_phase, close=close_phase)
PROCEDURE = Phase(name=CONGRESS_SESSION, begin=continue_session)


def can_suspend(state: State) -> bool:
    """Return whether War was declared while the Congress still has disputes that the War does not settle.

    Rules: PBM-057, WAR-046
    """
    congress, top = state.congress, state.top
    if state.waiting_phase is not None or congress is None or congress.spoils or not state.wars or state.declaring:
        return False
    sits = top.phase == CONGRESS_SESSION and top.step not in (ARMS, CLOSING)
    return sits and bool(calling.negotiable_conflicts(state))


def suspend_congress(play: Transaction) -> None:
    """Leave the Congress open and continue the Game Turn. Rules: PBM-057."""
    play.emit(events.CongressBesideWar(to=SET_ASIDE, rules=SUSPENSION_RULES))


def is_suspended(state: State) -> bool:
    """Return whether a Congress is in the background of a War Phase."""
    return state.waiting_phase is not None and state.phase == WAR_NAME


def is_war_suspended(state: State) -> bool:
    """Return whether the Congress is in the foreground and an unfinished War in the background."""
    waiting = state.waiting_phase
    if waiting is None or state.phase != CONGRESS_NAME or waiting.frames[0].phase != WAR_NAME:
        return False
    return bool(state.wars or waiting.choices) or waiting.frames[0].step != FOUGHT


def swap_congress_and_war(play: Transaction) -> None:
    """Exchange foreground and background of Congress and War. Rules: PBM-057."""
    play.emit(events.CongressBesideWar(to=SWAPPED, rules=SUSPENSION_RULES))


def resume_suspended(play: Transaction) -> bool:
    """Resume the other one of Congress and War when a Phase is about to end; return whether it may not end yet.

    Rules: PBM-057 (R-WAR-17)
    """
    state = play.state
    if state.waiting_phase is None:
        return False
    if is_suspended(state):
        swap_congress_and_war(play)
        return True
    if state.phase == CONGRESS_NAME and state.waiting_phase.frames[0].phase == WAR_NAME:
        play.emit(events.CongressBesideWar(to=JOINED, rules=SUSPENSION_RULES))
        return True
    return False


def with_congress_resumed(state: State) -> State:
    """Return the position with the Congress moved from the background to the foreground."""
    waiting = state.waiting_phase
    if waiting is None or not is_suspended(state):
        return state
    return replace(state, frames=waiting.frames, choices=waiting.choices, ready=waiting.ready)
