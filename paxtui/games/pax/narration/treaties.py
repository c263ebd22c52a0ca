"""Sentences for events of agreements and of a Congress of Europe.

Rules: TRE-002
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.notation import describe_clause
from paxtui.games.pax.events import events
from paxtui.games.pax.narration.labels import NameRegistry, treaty_title
from paxtui.games.pax.state.diplomacy import IN_FORCE, Treaty
from paxtui.games.pax.state.model import SET_ASIDE
from paxtui.games.pax.text.display import the_power, the_powers

ENDINGS = {
    "lapsed": "lapses by agreement",
    "done": "is done",
    "war": "ends in War",
    "broken": "is at an end: it was broken",
    "superseded": "gives way to another draft",
    "rejected": "is rejected",
    "withdrawn": "is taken back",
}
"""Texts of the reasons for the end of an agreement."""

LEAVINGS = {
    "released": "is released from",
    "broken": "is bound no longer by",
    "war": "is at War, and so bound no longer by",
}


def articles_text(tables: Tables, treaty: Treaty) -> str:
    """Format an agreement with numbered clauses."""
    if len(treaty.clauses) == 1:
        return describe_clause(tables, treaty.clauses[0]) + "."
    return (
        " ".join(f"({n}) {describe_clause(tables, c)}." for n, c in enumerate(treaty.clauses, 1))
        or "nothing in writing."
    )


def _drafted(t: Tables, e: events.TreatyDrafted) -> str:
    who, others = the_power(t, e.treaty.drafter), tuple(p for p in e.treaty.parties if p != e.treaty.drafter)
    if e.treaty.stage == IN_FORCE:
        return f"{the_powers(t, e.treaty.parties)} have {treaty_title(t, e.treaty)}: {articles_text(t, e.treaty)}"
    offered = f", for {the_powers(t, others)} to sign" if others else ""
    return f"{who} drafts {treaty_title(t, e.treaty)}{offered}: {articles_text(t, e.treaty)}"


def _rejected(t: Tables, e: events.TreatyRejected, known: NameRegistry) -> str:
    verb = "takes back" if e.reason == "withdrawn" else "rejects"
    return f"{the_power(t, e.power)} {verb} the draft of {known.treaty(e.id)}"


def _revealed(t: Tables, e: events.TreatyRevealed) -> str:
    known = [n for n, c in enumerate(e.treaty.clauses) if not c.secret or n in (*e.treaty.shown, *e.articles)]
    said = " ".join(f"{describe_clause(t, e.treaty.clauses[n]).removeprefix('(secret) ')}." for n in known)
    return f"{the_power(t, e.power)} reveals {treaty_title(t, e.treaty)} of {the_powers(t, e.treaty.parties)}: {said}"


def _released(t: Tables, e: events.ReleaseAgreed, known: NameRegistry) -> str:
    if e.power == e.who:
        return f"{the_power(t, e.power)} asks to be released from {known.treaty(e.id)}"
    return f"{the_power(t, e.power)} agrees that {the_power(t, e.who)} leaves {known.treaty(e.id)}"


def _article(known: NameRegistry, e: Any) -> str:
    """The clause of an event with its agreement; only the agreement if the event concerns all of it."""
    return (f"article {e.clause + 1} of " if e.clause >= 0 else "") + known.treaty(e.id)


def _ended(t: Tables, e: events.TreatyEnded, known: NameRegistry) -> str:
    how = ENDINGS.get(e.reason, "ends")
    return f"what {known.treaty(e.id)} says openly {how}; its secret articles bind on" if e.openly else (
        f"{known.treaty(e.id)} {how}"
    )


def _left(t: Tables, e: events.SignatoryLeft, known: NameRegistry) -> str:
    return f"{the_power(t, e.power)} {LEAVINGS.get(e.reason, 'leaves')} {known.treaty(e.id)}"


def _opened(t: Tables, e: events.BreachOpened, known: NameRegistry) -> str:
    return f"everybody learns that {the_power(t, e.power)} broke {_article(known, e)}"


def _broken(t: Tables, e: events.TreatyBroken, known: NameRegistry) -> str:
    return f"{the_power(t, e.power)} breaks {_article(known, e)}" + (f": {e.what}" if e.what else "")


def _charged(t: Tables, e: events.BreachCharged, known: NameRegistry) -> str:
    who, whom = the_power(t, e.power), the_power(t, e.against)
    judges = "; the other seats judge" if e.referee else ""
    return f"{who} charges {whom} with breaking {_article(known, e)}{judges}"


def _verdict(t: Tables, e: events.BreachJudged, known: NameRegistry) -> str:
    verdict = "guilty" if e.guilty else "innocent"
    return f"{the_power(t, e.power)} finds {the_power(t, e.against)} {verdict} of breaking {_article(known, e)}"


def _closed(t: Tables, e: events.ChargeClosed, known: NameRegistry) -> str:
    verdict = "is found guilty" if e.guilty else "is not found guilty"
    return f"{the_power(t, e.against)} {verdict} of breaking {_article(known, e)}"


def _ballots(t: Tables, e: events.BallotsOpened) -> str:
    said = ", ".join(f"{the_power(t, seat)} {vote}" for seat, vote in e.votes.items())
    return f"The ballots are opened: {said}."


TREATY_TEXTS: dict[type, Callable[[Tables, Any], str]] = {
    events.TreatyDrafted: _drafted,
    events.TreatyRevealed: _revealed,
    events.CongressChanged: lambda t, e: e.note,
    events.CongressBesideWar: lambda t, e: (
        "The Congress of Europe stays open beside the War." if e.to == SET_ASIDE else ""
    ),
    events.BallotCast: lambda t, e: f"{the_power(t, e.seat)} casts a ballot",
    events.BallotsOpened: _ballots,
}
"""Text functions by event type, for `paxtui.games.pax.narration.narrator`."""

TREATY_NAMED_TEXTS: dict[type, Callable[[Tables, Any, NameRegistry], str]] = {
    events.TreatySigned: lambda t, e, known: f"{the_power(t, e.power)} signs {known.treaty(e.id)}",
    events.TreatyRejected: _rejected,
    events.TreatyInForce: lambda t, e, known: f"{known.treaty(e.id)} is in force",
    events.TreatyEnded: _ended,
    events.LapseAgreed: lambda t, e, known: f"{the_power(t, e.power)} agrees that {known.treaty(e.id)} ends",
    events.ReleaseAgreed: _released,
    events.SignatoryLeft: _left,
    events.ClauseDone: lambda t, e, known: f"{_article(known, e)} is carried out",
    events.ClauseFellDue: lambda t, e, known: f"{_article(known, e)} falls due",
    events.TreatyBroken: _broken,
    events.BreachOpened: _opened,
    events.BreachCharged: _charged,
    events.BreachJudged: _verdict,
    events.ChargeClosed: _closed,
}
"""The same for events whose text needs names of ids."""
