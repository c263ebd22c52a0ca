"""The vote of a Congress of Europe: sealed ballots, which are opened together, and ties.

Rules: CON-024 to CON-027, BEL-005 (R-CON-04, R-CON-05)
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.pax.congress.calling import host
from paxtui.pax.congress.sitting import change, sitting
from paxtui.pax.history import events as ev
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.congress import ADOPTED, DEFEATED, PROPOSE, SIGN, TIE, VOTES, Proposal
from paxtui.pax.state.questions import Ballot, Pending, Tie
from paxtui.pax.treaties import treaty_watch
from paxtui.pax.words.spoken import sentence, the_power, the_proposal

INTENTIONS = ("sign", "defy")


def offer_ballots(play: Play, proposal: Proposal) -> None:
    """Every member votes, unseen by the others, and says whether it would sign.

    Rules: CON-024, CON-025, BEL-005, MIN-036 (R-CON-13)
    """
    called = the_proposal(play.tables, proposal.name)
    for seat in sitting(play).members:
        play.offer(
            seat,
            Ballot(proposal.id),
            (*VOTES, *INTENTIONS),
            ("abstain", "sign"),
            "",
            f"Your ballot on {called}: yes, no or abstain, and sign or defy if it is adopted",
            ("CON-024", "CON-025"),
        )


def answer_ballot(play: Play, choice: Pending, about: Ballot, words: tuple[str, ...]) -> None:
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
    treaty_watch.watch(play)
    proposal = replace(proposal, votes=votes)
    if yes == no and yes:
        who = host(play.tables, play.state, congress.site)
        called = the_proposal(play.tables, proposal.name)
        change(
            play,
            sentence(f"{called}: {counted}; {the_power(play.tables, who)} presides and breaks the tie"),
            ("CON-026",),
            step=TIE,
            proposals=congress.with_proposal(proposal),
        )
        rules = ("CON-026", "CON-040") if play.tables.powers[congress.site].seat else ("CON-026",)
        play.offer(who, Tie(), ("yes", "no"), "no", "", f"A tie over {called}: yes or no", rules)
        return
    _counted(play, proposal, yes > no, counted)


def answer_tie(play: Play, choice: Pending, about: Tie, words: tuple[str, ...]) -> None:
    """The host breaks a tie; in Vienna that is Germany's second vote.

    Raises: Refusal `bad_answer`.
    Rules: CON-026, CON-040 (R-CON-03)
    """
    word = one_of(choice, words)
    congress = sitting(play)
    proposal = congress.proposal(congress.current)
    assert proposal is not None
    name = the_power(play.tables, choice.seat)
    _counted(play, replace(proposal, tie=choice.seat), word == "yes", f"{name} breaks the tie with {word}")


def _counted(play: Play, proposal: Proposal, adopted: bool, how: str) -> None:
    """The Treaty is adopted and goes to those who must sign, or it is defeated and the Congress goes on.

    Rules: CON-024, CON-027, CON-028
    """
    stage = ADOPTED if adopted else DEFEATED
    changed = replace(proposal, stage=stage)
    verb = "is adopted" if adopted else "is defeated"
    change(
        play,
        sentence(f"{the_proposal(play.tables, proposal.name)} {verb} ({how})"),
        ("CON-024",) if adopted else ("CON-024", "CON-027"),
        step=SIGN if adopted else PROPOSE,
        proposals=sitting(play).with_proposal(changed),
    )
