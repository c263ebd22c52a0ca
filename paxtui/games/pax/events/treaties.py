"""Events of Treaties and of the Congress of Europe, and their evolvers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from paxtui.engine.frames import pop, push, replace_top
from paxtui.games.pax.events import encoding
from paxtui.games.pax.events.encoding import Event
from paxtui.games.pax.state.diplomacy import (
    BALLOT,
    ENDED,
    IN_FORCE,
    OVER,
    SIGN,
    TIE,
    Breach,
    Claim,
    ClauseProgress,
    Congress,
    DueClause,
    Treaty,
)
from paxtui.games.pax.state.model import JOINED, SET_ASIDE, Background, State
from paxtui.games.pax.state.phases import CONGRESS_SESSION, InProgress
from paxtui.games.pax.state.questions import CongressQuestion


class TreatyDrafted(Event, frozen=True):
    """An agreement is drafted and offered to its parties; the draft that it amends (`instead`) ends."""

    treaty: Treaty


class TreatySigned(Event, frozen=True):
    """A party signs a draft."""

    id: str
    power: str


class TreatyRejected(Event, frozen=True):
    """A party rejects a draft, or its drafter withdraws it (`reason`); it ends."""

    id: str
    power: str
    reason: str = "rejected"


class TreatyInForce(Event, frozen=True):
    """All parties have signed; the agreement binds from Game Turn `turn` on."""

    id: str
    turn: int


class TreatyEnded(Event, frozen=True):
    """A Treaty ends: "lapsed", "done", "war", "broken".

    With `openly`, its public articles end and secret ones still bind; only the parties know that.
    """

    id: str
    reason: str
    openly: bool = False


class TreatyRevealed(Event, frozen=True):
    """A Treaty becomes public, as it is in `treaty`; `articles` are the revealed secret ones, from 0."""

    id: str
    power: str
    treaty: Treaty
    articles: tuple[int, ...] = ()


class LapseAgreed(Event, frozen=True):
    """A party agrees to end a Treaty."""

    id: str
    power: str


class ReleaseAgreed(Event, frozen=True):
    """A party agrees that `who` leaves a Treaty."""

    id: str
    power: str
    who: str


class SignatoryLeft(Event, frozen=True):
    """A Treaty no longer binds a party: "released", "broken", "war"."""

    id: str
    power: str
    reason: str


class ClauseDone(Event, frozen=True):
    """A clause (from 0), or a `part` of it as in `ClauseProgress`, is done."""

    id: str
    clause: int
    part: int = 0


class ClauseFellDue(Event, frozen=True):
    """The condition of a clause (from 0) is met in Game Turn `turn`."""

    id: str
    clause: int
    turn: int


class TreatyBroken(Event, frozen=True):
    """A party breaks a clause (from 0; -1 the whole). `open`: whether all seats know it."""

    id: str
    clause: int
    power: str
    turn: int
    what: str = ""
    open: bool = False


class BreachOpened(Event, frozen=True):
    """A secret breach becomes public."""

    id: str
    clause: int
    power: str


class BreachCharged(Event, frozen=True):
    """A party charges another with breaking a clause (from 0). `referee`: all other seats judge the charge."""

    id: str
    clause: int
    power: str
    against: str
    turn: int
    referee: bool = False


class BreachJudged(Event, frozen=True):
    """A seat's verdict on a charge."""

    id: str
    clause: int
    power: str
    against: str
    guilty: bool


class ChargeClosed(Event, frozen=True):
    """A charge is decided or dropped."""

    id: str
    clause: int
    against: str
    guilty: bool


class CongressChanged(Event, frozen=True):
    """New state of a Congress of Europe, with a sentence for all seats ("" for none).

    `step` is the step of its session, which ends with OVER; "" before it has met.
    """

    congress: Congress
    note: str = ""
    step: str = ""


class CongressBesideWar(Event, frozen=True):
    """A Congress stays open beside a War: `to` is SET_ASIDE, SWAPPED (with the War Phase) or JOINED (over)."""

    to: str


class BallotCast(Event, frozen=True):
    """A sealed ballot: vote, and what the seat would do. Other seats see only that it was cast."""

    seat: str
    answer: tuple[str, str] = ("", "")


class BallotsOpened(Event, frozen=True):
    """The votes on a proposal, by seat."""

    proposal: str
    votes: dict[str, str]


TreatyEvent = (
    TreatyDrafted
    | TreatySigned
    | TreatyRejected
    | TreatyInForce
    | TreatyEnded
    | TreatyRevealed
    | LapseAgreed
    | ReleaseAgreed
    | SignatoryLeft
    | ClauseDone
    | ClauseFellDue
    | TreatyBroken
    | BreachOpened
    | BreachCharged
    | BreachJudged
    | ChargeClosed
    | CongressChanged
    | CongressBesideWar
    | BallotCast
    | BallotsOpened
)


def _with_treaty(state: State, id_: str, **changes: Any) -> State:
    """Return the state with one agreement changed; unchanged if the id is unknown."""
    return replace(state, treaties=tuple(replace(t, **changes) if t.id == id_ else t for t in state.treaties))


def _treaty_of(state: State, id_: str) -> Treaty | None:
    return next((t for t in state.treaties if t.id == id_), None)


def _drafted(s: State, e: TreatyDrafted) -> State:
    if e.treaty.instead:
        s = _with_treaty(s, e.treaty.instead, stage=ENDED, reason="superseded")
    return replace(s, treaties=(*(t for t in s.treaties if t.id != e.treaty.id), e.treaty))


def _signed(s: State, e: TreatySigned) -> State:
    t = _treaty_of(s, e.id)
    return _with_treaty(s, e.id, signed=(*t.signed, e.power)) if t and e.power not in t.signed else s


def _rejected(s: State, e: TreatyRejected) -> State:
    return _with_treaty(s, e.id, stage=ENDED, reason=e.reason)


def _in_force(s: State, e: TreatyInForce) -> State:
    return _with_treaty(s, e.id, stage=IN_FORCE, since=e.turn, reason="")


def _ended(s: State, e: TreatyEnded) -> State:
    return (
        _with_treaty(s, e.id, public_end=e.reason) if e.openly else _with_treaty(s, e.id, stage=ENDED, reason=e.reason)
    )


def _revealed(s: State, e: TreatyRevealed) -> State:
    t = _treaty_of(s, e.id)
    if t is None:  # a log that holds only what one seat may see
        return replace(s, treaties=(*s.treaties, replace(e.treaty, public=True)))
    ended = "" if e.articles else t.public_end  # what is shown now may still bind
    return _with_treaty(s, e.id, public=True, shown=tuple(sorted({*t.shown, *e.articles})), public_end=ended)


def _lapse_agreed(s: State, e: LapseAgreed) -> State:
    t = _treaty_of(s, e.id)
    return _with_treaty(s, e.id, lapse=(*t.lapse, e.power)) if t and e.power not in t.lapse else s


def _release_agreed(s: State, e: ReleaseAgreed) -> State:
    t = _treaty_of(s, e.id)
    if t is None:
        return s
    known = t.release.get(e.who, ())
    return _with_treaty(s, e.id, release={**t.release, e.who: (*(p for p in known if p != e.power), e.power)})


def _left(s: State, e: SignatoryLeft) -> State:
    t = _treaty_of(s, e.id)
    return _with_treaty(s, e.id, left=(*t.left, e.power)) if t and e.power not in t.left else s


def _done(s: State, e: ClauseDone) -> State:
    t = _treaty_of(s, e.id)
    return _with_treaty(s, e.id, done=(*t.done, ClauseProgress(e.clause, e.part))) if t else s


def _fell_due(s: State, e: ClauseFellDue) -> State:
    t = _treaty_of(s, e.id)
    return _with_treaty(s, e.id, due=(*t.due, DueClause(e.clause, e.turn))) if t else s


def _broken(s: State, e: TreatyBroken) -> State:
    t = _treaty_of(s, e.id)
    return _with_treaty(s, e.id, breaches=(*t.breaches, Breach(e.clause, e.power, e.turn, e.what, e.open))) if t else s


def _opened(s: State, e: BreachOpened) -> State:
    t = _treaty_of(s, e.id)
    if t is None:
        return s
    mine = (e.clause, e.power)
    return _with_treaty(
        s, e.id, breaches=tuple(replace(b, open=True) if (b.clause, b.power) == mine else b for b in t.breaches)
    )


def _charged(s: State, e: BreachCharged) -> State:
    t = _treaty_of(s, e.id)
    charge = Claim(e.clause, e.power, e.against, e.turn, {e.power: True}, e.referee)
    return _with_treaty(s, e.id, charges=(*t.charges, charge)) if t else s


def _add_verdict(s: State, e: BreachJudged) -> State:
    t = _treaty_of(s, e.id)
    if t is None:
        return s
    charges = tuple(
        replace(c, verdicts={**c.verdicts, e.power: e.guilty}) if (c.clause, c.against) == (e.clause, e.against) else c
        for c in t.charges
    )
    return _with_treaty(s, e.id, charges=charges)


def _closed(s: State, e: ChargeClosed) -> State:
    t = _treaty_of(s, e.id)
    if t is None:
        return s
    return _with_treaty(s, e.id, charges=tuple(c for c in t.charges if (c.clause, c.against) != (e.clause, e.against)))


def _congress_changed(s: State, e: CongressChanged) -> State:
    frames = s.frames
    if e.step:
        sits = s.top.phase == CONGRESS_SESSION
        here = InProgress(CONGRESS_SESSION, e.step)
        if e.step != OVER:
            frames = replace_top(frames, here) if sits else push(frames, here)
        elif sits:
            frames = pop(frames)
    voting = frames[-1].phase == CONGRESS_SESSION and frames[-1].step in (BALLOT, TIE, SIGN)
    return replace(s, congress=e.congress, frames=frames, ballots=s.ballots if voting else {})


def _suspend_congress(s: State, e: CongressBesideWar) -> State:
    if e.to == SET_ASIDE:
        kept = tuple(c for c in s.choices if isinstance(c.about, CongressQuestion))
        others = tuple(c for c in s.choices if not isinstance(c.about, CongressQuestion))
        waiting = Background(s.frames, kept, s.ready)
        return replace(s, frames=s.frames[:1], choices=others, ready=(), beside=waiting)
    there = s.beside
    if there is None:
        return s
    if e.to == JOINED:
        return replace(s, frames=there.frames, choices=(*there.choices, *s.choices), ready=there.ready, beside=None)
    here = Background(s.frames, s.choices, s.ready)
    return replace(s, frames=there.frames, choices=there.choices, ready=there.ready, beside=here)


def _ballot_cast(s: State, e: BallotCast) -> State:
    return replace(s, ballots={**s.ballots, e.seat: e.answer})


def _unchanged(s: State, e: encoding.Event) -> State:
    return s


TREATY_EVOLVERS: dict[type, Callable[[State, Any], State]] = {
    TreatyDrafted: _drafted,
    TreatySigned: _signed,
    TreatyRejected: _rejected,
    TreatyInForce: _in_force,
    TreatyEnded: _ended,
    TreatyRevealed: _revealed,
    LapseAgreed: _lapse_agreed,
    ReleaseAgreed: _release_agreed,
    SignatoryLeft: _left,
    ClauseDone: _done,
    ClauseFellDue: _fell_due,
    TreatyBroken: _broken,
    BreachOpened: _opened,
    BreachCharged: _charged,
    BreachJudged: _add_verdict,
    ChargeClosed: _closed,
    CongressChanged: _congress_changed,
    CongressBesideWar: _suspend_congress,
    BallotCast: _ballot_cast,
    BallotsOpened: _unchanged,
}
