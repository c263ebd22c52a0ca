"""What the events of Treaties do to a state: the part of `evolve` for them. No rule here either."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from paxtui.engine.frames import pop, push, replace_top
from paxtui.pax.history import events as ev
from paxtui.pax.state.congress import BALLOT, OVER, SIGN, TIE
from paxtui.pax.state.model import JOINED, SET_ASIDE, Background, State
from paxtui.pax.state.progress import SITTING, InProgress
from paxtui.pax.state.questions import CongressQuestion
from paxtui.pax.state.treaty import ENDED, IN_FORCE, Breach, Claim, Done, FellDue, Treaty


def _with(state: State, id_: str, **changes: Any) -> State:
    """The state with one agreement changed; unchanged where there is none of that id."""
    return replace(state, treaties=tuple(replace(t, **changes) if t.id == id_ else t for t in state.treaties))


def _of(state: State, id_: str) -> Treaty | None:
    return next((t for t in state.treaties if t.id == id_), None)


def _drafted(s: State, e: ev.TreatyDrafted) -> State:
    if e.treaty.instead:
        s = _with(s, e.treaty.instead, stage=ENDED, reason="superseded")
    return replace(s, treaties=(*(t for t in s.treaties if t.id != e.treaty.id), e.treaty))


def _signed(s: State, e: ev.TreatySigned) -> State:
    t = _of(s, e.id)
    return _with(s, e.id, signed=(*t.signed, e.power)) if t and e.power not in t.signed else s


def _rejected(s: State, e: ev.TreatyRejected) -> State:
    return _with(s, e.id, stage=ENDED, reason=e.reason)


def _in_force(s: State, e: ev.TreatyInForce) -> State:
    return _with(s, e.id, stage=IN_FORCE, since=e.turn, reason="")


def _ended(s: State, e: ev.TreatyEnded) -> State:
    return _with(s, e.id, public_end=e.reason) if e.openly else _with(s, e.id, stage=ENDED, reason=e.reason)


def _revealed(s: State, e: ev.TreatyRevealed) -> State:
    t = _of(s, e.id)
    if t is None:  # a log that holds only what one seat may see
        return replace(s, treaties=(*s.treaties, replace(e.treaty, public=True)))
    ended = "" if e.articles else t.public_end  # what is shown now may still bind
    return _with(s, e.id, public=True, shown=tuple(sorted({*t.shown, *e.articles})), public_end=ended)


def _lapse_agreed(s: State, e: ev.LapseAgreed) -> State:
    t = _of(s, e.id)
    return _with(s, e.id, lapse=(*t.lapse, e.power)) if t and e.power not in t.lapse else s


def _release_agreed(s: State, e: ev.ReleaseAgreed) -> State:
    t = _of(s, e.id)
    if t is None:
        return s
    known = t.release.get(e.who, ())
    return _with(s, e.id, release={**t.release, e.who: (*(p for p in known if p != e.power), e.power)})


def _left(s: State, e: ev.SignatoryLeft) -> State:
    t = _of(s, e.id)
    return _with(s, e.id, left=(*t.left, e.power)) if t and e.power not in t.left else s


def _done(s: State, e: ev.ClauseDone) -> State:
    t = _of(s, e.id)
    return _with(s, e.id, done=(*t.done, Done(e.clause, e.part))) if t else s


def _fell_due(s: State, e: ev.ClauseFellDue) -> State:
    t = _of(s, e.id)
    return _with(s, e.id, due=(*t.due, FellDue(e.clause, e.turn))) if t else s


def _broken(s: State, e: ev.TreatyBroken) -> State:
    t = _of(s, e.id)
    return _with(s, e.id, breaches=(*t.breaches, Breach(e.clause, e.power, e.turn, e.what, e.open))) if t else s


def _opened(s: State, e: ev.BreachOpened) -> State:
    t = _of(s, e.id)
    if t is None:
        return s
    mine = (e.clause, e.power)
    return _with(
        s, e.id, breaches=tuple(replace(b, open=True) if (b.clause, b.power) == mine else b for b in t.breaches)
    )


def _charged(s: State, e: ev.BreachCharged) -> State:
    t = _of(s, e.id)
    charge = Claim(e.clause, e.power, e.against, e.turn, {e.power: True}, e.referee)
    return _with(s, e.id, charges=(*t.charges, charge)) if t else s


def _judged(s: State, e: ev.BreachJudged) -> State:
    t = _of(s, e.id)
    if t is None:
        return s
    charges = tuple(
        replace(c, verdicts={**c.verdicts, e.power: e.guilty}) if (c.clause, c.against) == (e.clause, e.against) else c
        for c in t.charges
    )
    return _with(s, e.id, charges=charges)


def _closed(s: State, e: ev.ChargeClosed) -> State:
    t = _of(s, e.id)
    if t is None:
        return s
    return _with(s, e.id, charges=tuple(c for c in t.charges if (c.clause, c.against) != (e.clause, e.against)))


def _congress_changed(s: State, e: ev.CongressChanged) -> State:
    frames = s.frames
    if e.step:
        sits = s.top.phase == SITTING
        here = InProgress(SITTING, e.step)
        if e.step != OVER:
            frames = replace_top(frames, here) if sits else push(frames, here)
        elif sits:
            frames = pop(frames)
    voting = frames[-1].phase == SITTING and frames[-1].step in (BALLOT, TIE, SIGN)
    return replace(s, congress=e.congress, frames=frames, ballots=s.ballots if voting else {})


def _beside_war(s: State, e: ev.CongressBesideWar) -> State:
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


def _ballot_cast(s: State, e: ev.BallotCast) -> State:
    return replace(s, ballots={**s.ballots, e.seat: e.answer})


def _nothing(s: State, e: ev.Event) -> State:
    return s


APPLY: dict[type, Callable[[State, Any], State]] = {
    ev.TreatyDrafted: _drafted,
    ev.TreatySigned: _signed,
    ev.TreatyRejected: _rejected,
    ev.TreatyInForce: _in_force,
    ev.TreatyEnded: _ended,
    ev.TreatyRevealed: _revealed,
    ev.LapseAgreed: _lapse_agreed,
    ev.ReleaseAgreed: _release_agreed,
    ev.SignatoryLeft: _left,
    ev.ClauseDone: _done,
    ev.ClauseFellDue: _fell_due,
    ev.TreatyBroken: _broken,
    ev.BreachOpened: _opened,
    ev.BreachCharged: _charged,
    ev.BreachJudged: _judged,
    ev.ChargeClosed: _closed,
    ev.CongressChanged: _congress_changed,
    ev.CongressBesideWar: _beside_war,
    ev.BallotCast: _ballot_cast,
    ev.BallotsOpened: _nothing,
}
