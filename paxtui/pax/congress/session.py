"""The Congress of Europe Phase: who attends, in which order, round after round of proposals, ballots, signatures.

The Phase rolls no dice. `begin` goes on as far as it can and stops where somebody has to choose; every choice has a
default, so that a Congress ends by itself when nobody cares.

Rules: SEQ-020, SEQ-021, CON-001 to CON-042 (R-CON-06, Decisions 40 to 46)
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.congress import ballots, calling, outcome, signatures, to_arms
from paxtui.pax.congress.proposals import check_proposal
from paxtui.pax.congress.sitting import change, sitting
from paxtui.pax.diplomacy import unsettled
from paxtui.pax.history import events as ev
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.phase import Phase
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.congress import (
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
from paxtui.pax.state.progress import SITTING
from paxtui.pax.state.questions import Agenda, Attend, CongressQuestion, Invite, Pending, Propose, Signature, Site
from paxtui.pax.words.spoken import any_of, place_name, sentence, the_power, the_powers, the_proposal

ATTENDING, AWAY = "attend", "stay_away"
NOBODY, PASS = "nobody", "pass"


def begin(play: Play) -> None:
    """The Congress that was called meets; where a defender has called none yet, or the host has become a party since,
    it is first said where."""
    if calling.quarrelled(play.state):
        calling.over_spoils(play)
    congress = play.state.congress
    if congress is None:
        _ask_for_a_site(play)
    elif not congress.outcome and not _moves(play, congress):
        _convene(play, sitting(play))
        go_on(play)


def go_on(play: Play) -> None:
    """Let the Congress sit until somebody has to choose, or it is over."""
    while play.state.top.phase == SITTING and play.state.result is None:
        if play.state.declaring:
            return
        if play.state.top.step not in (ARMS, CLOSING) and to_arms.decided_by_war(play.state):
            to_arms.void(play)
            outcome.close_session(play, "war")
            return
        if play.state.top.step not in (ARMS, CLOSING) and to_arms.left_to_arms(play.state):
            to_arms.void(play)
            change(play, "", ("CON-033",), step=ARMS)
        to_arms.ask_again(play)
        if any(isinstance(c.about, CongressQuestion) for c in play.state.choices):
            return
        _STEPS[play.state.top.step](play, sitting(play))


def close(play: Play) -> None:
    """What was never put before the Congress is settled by default, unless somebody may declare War over it.

    Rules: SEQ-019, WAR-060 (R-WAR-24)
    """
    unsettled.close_talks(play)


def _ask_for_a_site(play: Play) -> None:
    """A Minor Power is defended, and the defender has called no Congress yet: it names the site.

    Rules: MIN-040, CON-005, SEQ-020
    """
    causes = calling.defenders(play.state)
    if not causes or any(isinstance(c.about, Site) for c in play.state.choices):
        return
    found = calling.sites(play.tables, play.state, play.state.casus_belli)
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


def _moves(play: Play, congress: Congress) -> bool:
    """Whether the site has still to be named anew, because the host is party to what has come before the Congress.

    Rules: CON-007, CON-008 (R-CON-01, Decision 43)
    """
    found = calling.displaced(play.tables, play.state, congress)
    if len(found) == 1:
        _move(play, found[0])
    elif found and not any(isinstance(c.about, Site) for c in play.state.choices):
        prompt = sentence(f"{the_power(play.tables, congress.site)} is a party by now: where does the Congress meet?")
        play.offer(congress.caller, Site(), found, found[0], "", prompt, ("CON-005", "CON-007"))
    return len(found) > 1


def _move(play: Play, site: str) -> None:
    """The Congress that was called meets elsewhere."""
    change(play, f"The Congress of Europe moves to {the_power(play.tables, site)}.", ("CON-007",), site=site)


def answer_site(play: Play, choice: Pending, about: Site, words: tuple[str, ...]) -> None:
    """The defender, or who has called the Congress, names the site. Raises: Refusal `bad_answer`."""
    site = one_of(choice, words)
    if play.state.congress is None:
        calling.open_call(play, choice.power, site)
    else:
        _move(play, site)


# --- who sits -----------------------------------------------------------------------------------------------------


def _convene(play: Play, congress: Congress) -> None:
    """The Congress meets, with every dispute that is open before it: European Powers may attend, and say whom they
    would invite from overseas.

    Rules: CON-002, CON-003, CON-004, CON-010, CON-042 (Decision 43)
    """
    tables, state = play.tables, play.state
    if not state.casus_belli:
        change(play, "Everything was settled before the Congress met.", ("CON-011",), step=OVER, outcome="settled")
        return
    congress = calling.with_what_is_open(tables, state, congress)
    note = (
        f"The Congress of Europe meets in {the_power(tables, congress.site)}; "
        f"{the_powers(tables, congress.members)} sit in it."
    )
    play.emit(ev.CongressChanged(congress=congress, note=note, step=ATTEND, rules=("CON-002", "CON-010")))
    guests = [s for s in calling.overseas(tables, state) if s not in congress.members]
    for seat in calling.european(tables, state):
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


def answer_attend(play: Play, choice: Pending, about: Attend, words: tuple[str, ...]) -> None:
    """A Power attends or stays away. Raises: Refusal `bad_answer`. Rules: CON-003, CON-004."""
    word, congress = one_of(choice, words), sitting(play)
    name = the_power(play.tables, choice.seat)
    if word == AWAY:
        change(play, sentence(f"{name} stays away from the Congress"), ("CON-003",))
        return
    members = tuple(s for s in play.state.players if s in (*congress.members, choice.seat))
    change(play, sentence(f"{name} attends the Congress"), choice.rules, members=members)


def answer_invite(play: Play, choice: Pending, about: Invite, words: tuple[str, ...]) -> None:
    """A European Great Power says whom it would invite. Raises: Refusal `bad_answer`. Rules: CON-004."""
    if not words or (NOBODY in words and len(words) > 1):
        refuse("bad_answer", choice.rules, f"Answer {choice.id} with the Powers to invite, or with {NOBODY}.")
    named = tuple(w for w in words if w != NOBODY)
    congress = sitting(play)
    note = sentence(f"{the_power(play.tables, choice.seat)} would invite {the_powers(play.tables, named)}")
    change(play, note, ("CON-004",), invited={**congress.invited, choice.seat: named})


def _invite(play: Play, congress: Congress) -> None:
    """Whom all European Great Powers invite may attend.

    Rules: CON-004
    """
    tables, state = play.tables, play.state
    asked = calling.european(tables, state)
    change(play, "", ("CON-004",), step=GUESTS)
    for seat in calling.overseas(tables, state):
        if seat not in congress.members and all(seat in congress.invited.get(e, ()) for e in asked):
            prompt = "All European Great Powers invite you: attend?"
            play.offer(seat, Attend(), (ATTENDING, AWAY), AWAY, "", prompt, ("CON-004",))


# --- the order of the disputes ------------------------------------------------------------------------------------


def _ask_for_the_order(play: Play, congress: Congress) -> None:
    """Where there are several disputes the members say which they would take first.

    Rules: CON-011, CON-012
    """
    change(play, "", ("CON-012",), step=AGENDA)
    if len(congress.agenda) < 2:
        return
    for seat in sitting(play).members:
        names = any_of([place_name(play.tables, a) for a in congress.agenda])
        prompt = f"Which dispute comes first: {names}?"
        play.offer(seat, Agenda(), congress.agenda, congress.agenda[0], "", prompt, ("CON-012",))


def answer_agenda(play: Play, choice: Pending, about: Agenda, words: tuple[str, ...]) -> None:
    """A member says which dispute comes first. Raises: Refusal `bad_answer`. Rules: CON-012."""
    area, congress = one_of(choice, words), sitting(play)
    note = sentence(f"{the_power(play.tables, choice.seat)} would take {place_name(play.tables, area)} first")
    change(play, note, ("CON-012",), wishes={**congress.wishes, choice.seat: area})


def _set_the_order(play: Play, congress: Congress) -> None:
    """The dispute that most members want first comes first; where two have as many the caller's order holds.

    Rules: CON-012
    """
    said = list(congress.wishes.values())
    agenda = tuple(sorted(congress.agenda, key=lambda a: -said.count(a)))
    note = f"The Congress takes {', then '.join(place_name(play.tables, a) for a in agenda)}." if said else ""
    change(play, note, ("CON-011", "CON-012"), step=PROPOSE, agenda=agenda)


# --- rounds -------------------------------------------------------------------------------------------------------


def _next_proposal(play: Play, congress: Congress) -> None:
    """The next proposal goes to the vote; where none is left the members may table others, round after round.

    Rules: CON-013, CON-024, CON-027 (R-CON-06)
    """
    open_ = [p for p in congress.proposals if p.stage == TABLED]
    if open_:
        _put_to_the_vote(play, open_[0])
        return
    most = play.state.options.congress_proposals
    if congress.round >= most or len(congress.proposals) == congress.asked:
        change(play, "", ("CON-033",), step=ARMS)
        return
    change(play, "", ("CON-013", "CON-027"), round=congress.round + 1, asked=len(congress.proposals))
    for seat in congress.members:
        ask_for_proposal(play, seat)


def ask_for_proposal(play: Play, seat: str) -> None:
    """Ask a member for one proposal. Rules: CON-013, CON-027."""
    prompt = "Propose a Treaty ('propose NAME: CLAUSES'), or pass"
    play.offer(seat, Propose(), (PASS,), PASS, "", prompt, ("CON-013", "CON-027"))


def _put_to_the_vote(play: Play, proposal: Proposal) -> None:
    """The members vote on a proposal, unless what was adopted before it has made it impossible.

    Rules: CON-011, CON-014, CON-024 (Decision 42)
    """
    called = the_proposal(play.tables, proposal.name)
    try:
        check_proposal(play, proposal.clauses)
    except Refusal as refusal:
        note = sentence(f"{called} is not put to the vote: {refusal.message}")
        left = sitting(play).with_proposal(replace(proposal, stage=REFUSED))
        change(play, note, ("CON-011", "CON-014"), proposals=left)
        return
    change(play, f"The Congress votes on {called}.", ("CON-024",), step=BALLOT, current=proposal.id)
    ballots.offer_ballots(play, proposal)


def answer_propose(play: Play, choice: Pending, about: Propose, words: tuple[str, ...]) -> None:
    """A member has nothing to propose in this round. Raises: Refusal `bad_answer`."""
    one_of(choice, words)


def _count(play: Play, congress: Congress) -> None:
    ballots.count(play)


def _sign(play: Play, congress: Congress) -> None:
    """The disputants sign or not; then the Treaty takes effect, or it was defied.

    Rules: CON-028, CON-029, CON-031
    """
    proposal = congress.proposal(congress.current)
    assert proposal is not None
    if not proposal.signed and not proposal.refused:
        signatures.ask_to_sign(play)
        if any(isinstance(c.about, Signature) for c in play.state.choices):
            return
    outcome.conclude(play)


def _to_arms(play: Play, congress: Congress) -> None:
    """The Congress has failed: whoever holds a Casus Belli says whether he declares War.

    Rules: CON-033, CON-034, CON-035
    """
    change(play, "", ("CON-034",), step=CLOSING)
    to_arms.ask(play)


def _close(play: Play, congress: Congress) -> None:
    """Who wanted War has declared it; the Congress is over.

    Rules: CON-033, CON-035
    """
    outcome.close_session(play, "refused" if congress.refusers else "failed")


_STEPS = {
    ATTEND: _invite,
    GUESTS: _ask_for_the_order,
    AGENDA: _set_the_order,
    PROPOSE: _next_proposal,
    BALLOT: _count,
    SIGN: _sign,
    ARMS: _to_arms,
    CLOSING: _close,
}


PHASE = Phase(name="congress", due=calling.called, begin=begin, close=close)
PROCEDURE = Phase(name=SITTING, begin=go_on)
