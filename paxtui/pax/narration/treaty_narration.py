"""What happens to agreements and in a Congress of Europe in plain words, one line an event.

Rules: TRE-002
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.wording import say
from paxtui.pax.history import events as ev
from paxtui.pax.narration.known import Known, title
from paxtui.pax.state.model import SET_ASIDE
from paxtui.pax.state.treaty import IN_FORCE, Treaty
from paxtui.pax.words.spoken import the_power, the_powers

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


def _drafted(t: Tables, e: ev.TreatyDrafted) -> str:
    who, others = the_power(t, e.treaty.drafter), tuple(p for p in e.treaty.parties if p != e.treaty.drafter)
    if e.treaty.stage == IN_FORCE:
        return f"{the_powers(t, e.treaty.parties)} have {title(t, e.treaty)}: {articles_said(t, e.treaty)}"
    offered = f", for {the_powers(t, others)} to sign" if others else ""
    return f"{who} drafts {title(t, e.treaty)}{offered}: {articles_said(t, e.treaty)}"


def _rejected(t: Tables, e: ev.TreatyRejected, known: Known) -> str:
    verb = "takes back" if e.reason == "withdrawn" else "rejects"
    return f"{the_power(t, e.power)} {verb} the draft of {known.treaty(e.id)}"


def _revealed(t: Tables, e: ev.TreatyRevealed) -> str:
    known = [n for n, c in enumerate(e.treaty.clauses) if not c.secret or n in (*e.treaty.shown, *e.articles)]
    said = " ".join(f"{say(t, e.treaty.clauses[n]).removeprefix('(secret) ')}." for n in known)
    return f"{the_power(t, e.power)} reveals {title(t, e.treaty)} of {the_powers(t, e.treaty.parties)}: {said}"


def _released(t: Tables, e: ev.ReleaseAgreed, known: Known) -> str:
    if e.power == e.who:
        return f"{the_power(t, e.power)} asks to be released from {known.treaty(e.id)}"
    return f"{the_power(t, e.power)} agrees that {the_power(t, e.who)} leaves {known.treaty(e.id)}"


def _article(known: Known, e: Any) -> str:
    """The article that an event is about, with its agreement; the agreement alone where it is about all of it."""
    return (f"article {e.clause + 1} of " if e.clause >= 0 else "") + known.treaty(e.id)


def _ended(t: Tables, e: ev.TreatyEnded, known: Known) -> str:
    how = ENDINGS.get(e.reason, "ends")
    return f"what {known.treaty(e.id)} says openly {how}; its secret articles bind on" if e.openly else (
        f"{known.treaty(e.id)} {how}"
    )


def _left(t: Tables, e: ev.SignatoryLeft, known: Known) -> str:
    return f"{the_power(t, e.power)} {LEAVINGS.get(e.reason, 'leaves')} {known.treaty(e.id)}"


def _opened(t: Tables, e: ev.BreachOpened, known: Known) -> str:
    return f"everybody learns that {the_power(t, e.power)} broke {_article(known, e)}"


def _broken(t: Tables, e: ev.TreatyBroken, known: Known) -> str:
    return f"{the_power(t, e.power)} breaks {_article(known, e)}" + (f": {e.what}" if e.what else "")


def _charged(t: Tables, e: ev.BreachCharged, known: Known) -> str:
    who, whom = the_power(t, e.power), the_power(t, e.against)
    judges = "; the other seats judge" if e.referee else ""
    return f"{who} charges {whom} with breaking {_article(known, e)}{judges}"


def _judged(t: Tables, e: ev.BreachJudged, known: Known) -> str:
    verdict = "guilty" if e.guilty else "innocent"
    return f"{the_power(t, e.power)} finds {the_power(t, e.against)} {verdict} of breaking {_article(known, e)}"


def _closed(t: Tables, e: ev.ChargeClosed, known: Known) -> str:
    verdict = "is found guilty" if e.guilty else "is not found guilty"
    return f"{the_power(t, e.against)} {verdict} of breaking {_article(known, e)}"


def _ballots(t: Tables, e: ev.BallotsOpened) -> str:
    said = ", ".join(f"{the_power(t, seat)} {vote}" for seat, vote in e.votes.items())
    return f"The ballots are opened: {said}."


WORDS: dict[type, Callable[[Tables, Any], str]] = {
    ev.TreatyDrafted: _drafted,
    ev.TreatyRevealed: _revealed,
    ev.CongressChanged: lambda t, e: e.note,
    ev.CongressBesideWar: lambda t, e: (
        "The Congress of Europe stays open beside the War." if e.to == SET_ASIDE else ""
    ),
    ev.BallotCast: lambda t, e: f"{the_power(t, e.seat)} casts a ballot",
    ev.BallotsOpened: _ballots,
}
"""A line for each of these events, for `paxtui.pax.narration.narrate`."""

NAMED: dict[type, Callable[[Tables, Any, Known], str]] = {
    ev.TreatySigned: lambda t, e, known: f"{the_power(t, e.power)} signs {known.treaty(e.id)}",
    ev.TreatyRejected: _rejected,
    ev.TreatyInForce: lambda t, e, known: f"{known.treaty(e.id)} is in force",
    ev.TreatyEnded: _ended,
    ev.LapseAgreed: lambda t, e, known: f"{the_power(t, e.power)} agrees that {known.treaty(e.id)} ends",
    ev.ReleaseAgreed: _released,
    ev.SignatoryLeft: _left,
    ev.ClauseDone: lambda t, e, known: f"{_article(known, e)} is carried out",
    ev.ClauseFellDue: lambda t, e, known: f"{_article(known, e)} falls due",
    ev.TreatyBroken: _broken,
    ev.BreachOpened: _opened,
    ev.BreachCharged: _charged,
    ev.BreachJudged: _judged,
    ev.ChargeClosed: _closed,
}
"""A line for each of these, which names what has an id."""
