"""A Congress of Europe in words: the delegates as they sit, what is disputed, and every proposal with its votes."""

from __future__ import annotations

from rich.text import Text

from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.wording import say
from paxtui.pax.congress.calling import host, seating
from paxtui.pax.congress.sitting import step_of
from paxtui.pax.history import events as ev
from paxtui.pax.state import congress as cm
from paxtui.pax.state.causes import CasusBelli
from paxtui.pax.state.congress import Congress, Proposal
from paxtui.pax.state.questions import CongressQuestion
from paxtui.pax.words.spoken import place_name, power_name
from paxtui.table.session import Session
from paxtui.tui.writing.look import Look

GIVEN_BY = {
    "yellow_press": "an event",
    "congress_treaty_refused": "a Treaty refused",
    "passage_denied": "a passage denied",
    "treaty_grants": "a Treaty that grants it",
}
"""What has given a Casus Belli that is over no Area, by its row in the Casus Belli Summary; else a word was broken."""
STEPS = {
    cm.CALLED: "is called",
    cm.ATTEND: "who attends?",
    cm.GUESTS: "who attends?",
    cm.AGENDA: "which dispute first?",
    cm.PROPOSE: "proposals",
    cm.BALLOT: "the ballots are cast",
    cm.TIE: "a tie",
    cm.SIGN: "who signs?",
    cm.ARMS: "War or peace?",
    cm.CLOSING: "War or peace?",
    cm.OVER: "over",
}
"""What the Congress is about at each step."""
STAGES = {
    cm.TABLED: "tabled",
    cm.DEFEATED: "defeated",
    cm.ADOPTED: "adopted",
    cm.DONE: "in effect",
    cm.REFUSED: "refused",
}
VOTES = {"yes": "✓", "no": "✗", "abstain": "·", "": " "}


def delegates(session: Session, look: Look, congress: Congress) -> Text:
    """Who sits in the Congress, in the order of the French alphabet, and what each has done."""
    tables, state = session.tables, session.state
    presides = host(tables, state, congress.site)
    due = {c.seat for c in state.choices if isinstance(c.about, CongressQuestion)}
    current = congress.proposal(congress.current)
    out = Text("Delegates\n", "bold")
    for seat in seating(tables, congress):
        mine = seat == session.seat
        out.append(look.palette.text("▸" if mine else " "), look.key)
        out.append(*look.power(tables, seat))
        out.append(" presides" if seat == presides else "", look.faint)
        out.append(" party" if seat in congress.disputants else "", look.faint)
        if step_of(state, congress) == cm.BALLOT:
            out.append(
                " has voted" if seat in state.ballots else " votes", look.good if seat in state.ballots else look.key
            )
        elif seat in due:
            out.append(" answers", look.key)
        elif current is not None and current.votes:
            out.append(
                look.palette.text(f" {VOTES[current.votes.get(seat, '')]} {current.votes.get(seat, '')}"), look.faint
            )
        out.append("\n")
    silent = [p for p in congress.disputants if p not in congress.members]
    for power in silent:
        out.append(" ")
        out.append(*look.power(tables, power))
        out.append(" party, without a vote\n", look.faint)
    out.append("\nBefore it\n", "bold")
    for cause in state.casus_belli:
        if cause.id in congress.causes:
            out.append(look.palette.text("⚔ "), look.alarm)
            out.append(*look.power(tables, cause.holder, long=False))
            out.append(look.palette.text(" → "), look.faint)
            out.append(*look.power(tables, cause.against, long=False))
            out.append(f" {disputed(tables, cause)}")
            # what was defied is settled by War, or by the loss of markers, and by no other Treaty
            out.append(" defied\n" if cause.id in congress.defied else "\n", look.alarm)
    if congress.outcome:
        ends = {"settled": "The Congress has settled.\n", "war": "It ends in War.\n"}
        out.append(ends.get(congress.outcome, "It has failed.\n"), "bold")
    return out


def disputed(tables: Tables, cause: CasusBelli) -> str:
    """What a Casus Belli is about, in a few words: an Area, a Minor Power, or what has given it."""
    if cause.area:
        return place_name(tables, cause.area)
    if cause.minor:
        return power_name(tables, cause.minor)
    return GIVEN_BY.get(cause.cause, "a broken word")


def proposal_text(session: Session, look: Look, proposal: Proposal, current: bool) -> Text:
    """A proposal with its articles, votes and signatures."""
    tables = session.tables
    out = Text()
    out.append(look.palette.text("▸ " if current else "  "), look.key)
    out.append(proposal.name, "bold")
    out.append(" of ", look.faint)
    out.append(*look.power(tables, proposal.proposer))
    style = (
        look.good
        if proposal.stage in (cm.DONE, cm.ADOPTED)
        else look.alarm
        if proposal.stage == cm.REFUSED
        else look.faint
    )
    out.append(f"  {STAGES[proposal.stage]}\n", style)
    for n, clause in enumerate(proposal.clauses):
        out.append(f"  {n + 1} ", look.key)
        out.append(look.palette.text(say(tables, clause)))
        out.append(" (binds nobody)" if n in proposal.fallen else "", look.faint)
        out.append("\n")
    if proposal.votes:
        out.append("  ")
        for seat, word in proposal.votes.items():
            out.append(*look.power(tables, seat, long=False))
            out.append(look.palette.text(f" {word}  "), look.faint)
        if proposal.tie:
            out.append(f"tie broken by {power_name(tables, proposal.tie)}", look.key)
        out.append("\n")
    for word, powers in (("signed", proposal.signed), ("refused", proposal.refused)):
        if powers:
            out.append(f"  {word} ", look.faint)
            for power in powers:
                out.append(*look.power(tables, power, long=False))
                out.append(" ")
            out.append("\n")
    return out


SHOWN = 8
"""Sentences of what has happened that stand above the papers, the newest last."""


def so_far(session: Session, look: Look) -> Text:
    """What has happened in the Congress, sentence by sentence."""
    said: list[str] = []
    for act in session.acts_of_turn()[1]:
        for event in act.events:
            if isinstance(event, ev.TurnBegan):
                said = []
            elif isinstance(event, ev.CongressChanged | ev.BallotsOpened):
                text = session.narrator.tell(event)
                said += [text] if text else []
    out = Text()
    if said:
        out.append("What has happened\n", "bold")
        for text in said[-SHOWN:]:
            out.append(look.palette.text(f"{text}\n"))
        out.append("\n")
    return out


def papers(session: Session, look: Look, congress: Congress) -> Text:
    """The proposal in hand, what has happened, and every other proposal, the latest first."""
    out = Text()
    current = congress.proposal(congress.current)
    if current is not None:
        out.append_text(proposal_text(session, look, current, True))
        out.append("\n")
    out.append_text(so_far(session, look))
    others = [p for p in congress.proposals if p is not current]
    if congress.proposals and not others:
        return out
    out.append("Papers\n" if current is None else "Other papers\n", "bold")
    if not congress.proposals:
        out.append("Nothing has been proposed yet.", look.faint)
    for proposal in sorted(others, key=lambda p: -int(p.id[1:])):
        out.append_text(proposal_text(session, look, proposal, False))
        out.append("\n")
    return out
