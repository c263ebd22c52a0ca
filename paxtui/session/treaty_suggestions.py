"""Ready-made Treaties for the seat at the keyboard, and the question what another seat wants."""

from __future__ import annotations

from collections.abc import Collection

from paxtui.bots.pax.profiles import LEVELS
from paxtui.bots.pax.treaty_ideas import TreatyIdea, describe_chance, evaluate_draft, suggest_treaties
from paxtui.games.pax.actions.actions import Draft
from paxtui.games.pax.actions.dispatches import WISH_QUESTION, Dispatch, Letter
from paxtui.games.pax.clauses.notation import describe_clause
from paxtui.games.pax.sequence import OPEN
from paxtui.games.pax.text.display import power_name, sentence
from paxtui.session.player_news import mark_answer_read
from paxtui.session.session import Session


def partners(session: Session) -> tuple[str, ...]:
    """Return the seats with which the acting Power can make a Treaty."""
    return tuple(seat for seat in session.live.players if seat != session.seat)


def treaty_ideas(session: Session, partner: str) -> tuple[TreatyIdea, ...]:
    """Return ready-made Treaties of the seat with another one; none for its other Power or outside of talks."""
    if session.live.phase not in OPEN or session.power != session.seat or partner not in partners(session):
        return ()
    return session.derived(
        f"ideas for {partner}",
        lambda: tuple(suggest_treaties(session.tables, session.live, session.seat, partner)),
    )


def format_points(points: float) -> str:
    """Format expected Victory Points with their sign; small amounts with a decimal."""
    rounded = round(points, 1) + 0.0  # no minus before zero
    return f"{points:+.0f}" if abs(points) >= 10 else f"{rounded:+.1f}"


def describe_idea(session: Session, idea: TreatyIdea) -> str:
    """Return the articles of an idea and what it brings, in sentences."""
    name = power_name(session.tables, idea.draft.parties[0])
    articles = "; ".join(describe_clause(session.tables, clause) for clause in idea.draft.clauses)
    brings = f"Brings you {format_points(idea.gain)} VP, {name} {format_points(idea.partner_gain)}, by what you know"
    return f"{sentence(articles)} {brings}; {name} signs: {describe_chance(idea.chance)}."


def describe_prospects(session: Session, draft: Draft, signed: Collection[str] = ()) -> str:
    """Return what a draft brings the seat and each other signer, and whether they sign; "" if nothing is known.

    Args: the open game; the draft with its other parties; the Powers that have signed it.
    """
    tables = session.tables
    if session.live.phase not in OPEN or session.power != session.seat or not draft.clauses:
        return ""
    ideas = evaluate_draft(tables, session.live, session.seat, draft)
    if not ideas:
        return ""
    others = []
    for partner, idea in zip((p for p in draft.parties if p in partners(session)), ideas, strict=True):
        signs = "" if partner in signed else f" (signs: {describe_chance(idea.chance)})"
        others.append(f"{power_name(tables, partner)} {format_points(idea.partner_gain)} VP{signs}")
    return f"Brings you {format_points(ideas[0].gain)} VP, {', '.join(others)}, by what you know."


def wish_question(partner: str) -> Dispatch:
    """Return the dispatch that asks a seat what it wants."""
    return Dispatch((partner,), WISH_QUESTION)


def wish_answer(session: Session, partner: str) -> str:
    """Return the answer of a seat to the last question what it wants, or why there is none; "" before the question."""
    was_asked, answer = _last_question(session, partner)
    return answer.text if answer is not None else _expected_answer(session, partner) if was_asked else ""


def mark_wish_answer_read(session: Session, partner: str) -> None:
    """Mark the answer of a seat to the last question what it wants as read, because a screen has shown it."""
    _, answer = _last_question(session, partner)
    if answer is not None:
        mark_answer_read(session, answer.line)


def _last_question(session: Session, partner: str) -> tuple[bool, Letter | None]:
    """Return whether a seat was asked what it wants, and its answer to the last question."""
    was_asked = False
    answer: Letter | None = None
    for letter in session.view.dispatches():
        if letter.sender == session.seat and letter.to == (partner,) and letter.text == WISH_QUESTION:
            was_asked, answer = True, None
        elif was_asked and answer is None and letter.sender == partner and session.seat in letter.to:
            answer = letter
    return was_asked, answer


def _expected_answer(session: Session, partner: str) -> str:
    name, occupant = power_name(session.tables, partner), session.seats.occupant(partner)
    if occupant.by == "nobody":
        return f"Nobody plays {name}."
    if not occupant.is_automatic:
        return f"A person plays {name}. Your question is in their dispatches."
    return f"{name} considers its answer." if occupant.level in LEVELS else f"{name} does not answer."
