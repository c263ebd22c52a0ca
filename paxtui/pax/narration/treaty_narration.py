"""What happens to agreements and in a Congress of Europe in plain words, one line an event.

Rules: TRE-002
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.wording import say
from paxtui.pax.history import events as ev
from paxtui.pax.state.treaty import IN_FORCE, SETTLEMENT, TREATY, Treaty
from paxtui.pax.words.spoken import power_name, powers_named

ENDINGS = {
    "lapsed": "lapses by agreement",
    "done": "is done",
    "war": "ends in War",
    "broken": "is at an end: it was broken",
    "superseded": "gives way to another draft",
    "rejected": "is rejected",
    "withdrawn": "is taken back",
}
"""Why an agreement ended, in words."""

LEAVINGS = {
    "released": "is released from",
    "broken": "is bound no longer by",
    "war": "is at War, and so bound no longer by",
}


def articles_said(tables: Tables, treaty: Treaty) -> str:
    """All that an agreement says, its articles numbered."""
    if len(treaty.clauses) == 1:
        return say(tables, treaty.clauses[0]) + "."
    return " ".join(f"({n}) {say(tables, c)}." for n, c in enumerate(treaty.clauses, 1)) or "nothing in writing."


def title(treaty: Treaty) -> str:
    """An agreement by its name and by how orders name it."""
    what = {TREATY: "the Treaty", SETTLEMENT: "the settlement"}.get(treaty.form, "the proposal")
    return f"{what} {treaty.name} ({treaty.id})" if treaty.name else f"{what} {treaty.id}"


def _drafted(t: Tables, e: ev.TreatyDrafted) -> str:
    who, others = power_name(t, e.treaty.drafter), tuple(p for p in e.treaty.parties if p != e.treaty.drafter)
    if e.treaty.stage == IN_FORCE:
        return f"{powers_named(t, e.treaty.parties)} have {title(e.treaty)}: {articles_said(t, e.treaty)}"
    offered = f", for {powers_named(t, others)} to sign" if others else ""
    return f"{who} drafts {title(e.treaty)}{offered}: {articles_said(t, e.treaty)}"


def _rejected(t: Tables, e: ev.TreatyRejected) -> str:
    verb = "takes back" if e.reason == "withdrawn" else "rejects"
    return f"{power_name(t, e.power)} {verb} the draft {e.id}"


def _revealed(t: Tables, e: ev.TreatyRevealed) -> str:
    known = [n for n, c in enumerate(e.treaty.clauses) if not c.secret or n in (*e.treaty.shown, *e.articles)]
    said = " ".join(f"{say(t, e.treaty.clauses[n]).removeprefix('(secret) ')}." for n in known)
    return f"{power_name(t, e.power)} reveals {title(e.treaty)} of {powers_named(t, e.treaty.parties)}: {said}"


def _released(t: Tables, e: ev.ReleaseAgreed) -> str:
    if e.power == e.who:
        return f"{power_name(t, e.power)} asks to be released from {e.id}"
    return f"{power_name(t, e.power)} agrees that {power_name(t, e.who)} leaves {e.id}"


def _article(clause: int) -> str:
    return f"article {clause + 1} of " if clause >= 0 else ""


def _broken(t: Tables, e: ev.TreatyBroken) -> str:
    return f"{power_name(t, e.power)} breaks {_article(e.clause)}{e.id}" + (f": {e.what}" if e.what else "")


def _charged(t: Tables, e: ev.BreachCharged) -> str:
    who, whom = power_name(t, e.power), power_name(t, e.against)
    judges = "; the other seats judge" if e.referee else ""
    return f"{who} charges {whom} with breaking {_article(e.clause)}{e.id}{judges}"


def _judged(t: Tables, e: ev.BreachJudged) -> str:
    verdict = "guilty" if e.guilty else "innocent"
    return f"{power_name(t, e.power)} finds {power_name(t, e.against)} {verdict} of breaking {_article(e.clause)}{e.id}"


def _closed(t: Tables, e: ev.ChargeClosed) -> str:
    verdict = "is found guilty" if e.guilty else "is not found guilty"
    return f"{power_name(t, e.against)} {verdict} of breaking {_article(e.clause)}{e.id}"


def _ballots(t: Tables, e: ev.BallotsOpened) -> str:
    said = ", ".join(f"{power_name(t, seat)} {vote}" for seat, vote in e.votes.items())
    return f"The ballots are opened: {said}."


WORDS: dict[type, Callable[[Tables, Any], str]] = {
    ev.TreatyDrafted: _drafted,
    ev.TreatySigned: lambda t, e: f"{power_name(t, e.power)} signs {e.id}",
    ev.TreatyRejected: _rejected,
    ev.TreatyInForce: lambda t, e: f"{e.id} is in force",
    ev.TreatyEnded: lambda t, e: f"{e.id} {ENDINGS.get(e.reason, 'ends')}",
    ev.TreatyRevealed: _revealed,
    ev.LapseAgreed: lambda t, e: f"{power_name(t, e.power)} agrees that {e.id} ends",
    ev.ReleaseAgreed: _released,
    ev.SignatoryLeft: lambda t, e: f"{power_name(t, e.power)} {LEAVINGS.get(e.reason, 'leaves')} {e.id}",
    ev.ClauseDone: lambda t, e: f"{_article(e.clause).capitalize()}{e.id} is carried out",
    ev.ClauseFellDue: lambda t, e: f"{_article(e.clause).capitalize()}{e.id} falls due",
    ev.TreatyBroken: _broken,
    ev.BreachOpened: lambda t, e: f"Everybody learns that {power_name(t, e.power)} broke {_article(e.clause)}{e.id}",
    ev.BreachCharged: _charged,
    ev.BreachJudged: _judged,
    ev.ChargeClosed: _closed,
    ev.CongressChanged: lambda t, e: e.note,
    ev.BallotCast: lambda t, e: f"{power_name(t, e.seat)} casts a ballot",
    ev.BallotsOpened: _ballots,
}
"""A line for each of these events, for `paxtui.pax.narration.narrate`."""
