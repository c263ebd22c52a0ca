"""What a seat may know of agreements: the one place that decides it, for views, logs, menus and refusals alike.

Every event says itself who may see it: `sealed` puts that on it when it is emitted, from the position of that
moment, so that a log can be shown to a seat line by line without knowing anything else.

Rules: TRE-011, TRE-012, TRE-013, TRE-019
"""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw
from paxtui.pax.board.status import seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.orders import dispatches, seating
from paxtui.pax.state.model import Background, State
from paxtui.pax.state.questions import Pending
from paxtui.pax.state.treaty import ENDED, Treaty
from paxtui.pax.state.war import Declaration

REVELATIONS: tuple[type[ev.Event], ...] = (ev.TreatyRevealed, ev.BreachOpened, ev.BallotsOpened)
"""Events after which somebody knows what was hidden before: no seat takes that back alone."""

CALLING = ("defensive", "offensive")
"""Kinds of clause that call a signer to War."""

_Seal = tuple[tuple[str, ...], Raw | None]
"""What `sealed` puts on an event: `only` and `others`."""

_OPEN: _Seal = ((), None)

_HIDDEN = ("treaties", "choices")
"""Parts of a position that is set up which a log shows to nobody."""


def _plain(value: Any) -> Any:
    """A value as the log has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


_DEFAULTS: dict[str, Raw] = {
    str(kind.__struct_config__.tag): {
        field.encode_name: _plain(field.default)
        for field in msgspec.structs.fields(kind)
        if field.default is not msgspec.NODEFAULT
    }
    for kind in get_args(ev.AnyEvent)
}
"""For each type of event the values with which a field is left out of the log."""


def private_id(sign: str, *content: object) -> str:
    """A name made of what it names: it tells nothing about how many others there are."""
    said = msgspec.json.encode(content, order="deterministic")
    return sign + b32encode(sha256(b"paxtui/id|" + said).digest())[:5].decode().casefold()


# --- what a seat may know -----------------------------------------------------------------------------------------


def seats_of(tables: Tables, state: State, powers: tuple[str, ...]) -> tuple[str, ...]:
    """The seats that play some Powers, each once, in the order of the seats; Minor Powers have none."""
    found = {seat_of(tables, state, power) for power in powers}
    return tuple(seat for seat in state.players if seat in found)


def between(tables: Tables, state: State, choice: Pending) -> tuple[str, ...]:
    """The seats that may know of a choice; all of them, unless it is a private offer."""
    if not choice.about.private:
        return state.players
    return seats_of(tables, state, (*choice.about.between(), choice.power))


def inside(tables: Tables, state: State, treaty: Treaty, seat: str) -> bool:
    """Whether a seat knows all of an agreement: the seats of its parties, and the arbiter."""
    return seat == ARBITER or seat in seats_of(tables, state, treaty.parties)


def knows(tables: Tables, state: State, treaty: Treaty, seat: str) -> bool:
    """Whether a seat may know that an agreement exists: its parties, and everybody where it is public."""
    return treaty.public or inside(tables, state, treaty, seat)


def from_outside(treaty: Treaty) -> Treaty:
    """A public agreement without what stays between its parties.

    Hidden articles are left out and the rest is numbered without a gap, so that they cannot be counted; where only
    they still bind it has ended. Of what has ended nobody is told who had left it before.

    Rules: TRE-011 (Decision 49)
    """
    number = _numbers(treaty)
    ended = treaty.stage == ENDED or bool(treaty.public_end)
    return replace(
        treaty,
        stage=ENDED if ended else treaty.stage,
        reason=treaty.public_end or treaty.reason,
        left=() if ended else treaty.left,
        public_end="",
        clauses=tuple(treaty.clauses[n] for n in number),
        breaches=tuple(
            replace(b, clause=number.get(b.clause, -1))
            for b in treaty.breaches
            if b.open and (b.clause < 0 or b.clause in number)
        ),
        charges=tuple(
            replace(c, clause=number[c.clause]) for c in treaty.charges if c.referee and c.clause in number
        ),
        lapse=(),
        release={},
        done=(),
        due=(),
        shown=(),
        instead="",
        publish=False,
    )


def as_known(tables: Tables, state: State, treaty: Treaty, seat: str) -> Treaty:
    """The agreement without the articles that stay hidden from a seat that is no party."""
    return treaty if inside(tables, state, treaty, seat) else from_outside(treaty)


def known_treaties(tables: Tables, state: State, seat: str) -> tuple[Treaty, ...]:
    """The agreements a seat may know, each as it may know it."""
    return tuple(as_known(tables, state, t, seat) for t in state.treaties if knows(tables, state, t, seat))


def treaties_seen(tables: Tables, state: State, seat: str) -> list[Raw]:
    """The agreements a seat may know, as builtins with every field."""
    return [_full(t) for t in known_treaties(tables, state, seat)]


def state_seen(tables: Tables, state: State, seat: str) -> State:
    """The position as a seat may know it: what is hidden from it is not there at all."""
    if seat == ARBITER:
        return state
    return replace(
        state,
        treaties=known_treaties(tables, state, seat),
        choices=_choices_seen(tables, state, state.choices, seat),
        ballots={s: b if s == seat else ("", "") for s, b in state.ballots.items()},
        declarations=tuple(d for d in state.declarations if _hidden_from(tables, state, d, seat) is None),
        beside=_background_seen(tables, state, seat),
        asked_unseen=state.declaring,  # who is waited for shows that much to everybody
    )


def _choices_seen(tables: Tables, state: State, choices: tuple[Pending, ...], seat: str) -> tuple[Pending, ...]:
    return tuple(c for c in choices if not c.about.private or seat in between(tables, state, c))


def _background_seen(tables: Tables, state: State, seat: str) -> Background | None:
    """The Congress or War in the background, with the choices that a seat may know."""
    there = state.beside
    return replace(there, choices=_choices_seen(tables, state, there.choices, seat)) if there is not None else None


def _hidden_from(tables: Tables, state: State, declaration: Declaration, seat: str) -> Treaty | None:
    """The Treaty that a seat may not know and that a declaration honours, None where there is none."""
    treaty = _calling(state, declaration.treaty)
    return None if treaty is None or inside(tables, state, treaty, seat) else treaty


def _full(treaty: Treaty) -> Raw:
    raw: Raw = {name: msgspec.to_builtins(getattr(treaty, name)) for name in treaty.__struct_fields__}
    return raw


def _numbers(treaty: Treaty) -> dict[int, int]:
    """The clauses that outsiders know, with the numbers they have for them."""
    shown = (n for n, c in enumerate(treaty.clauses) if not c.secret or n in treaty.shown)
    return {n: i for i, n in enumerate(shown)}


# --- what an event shows ------------------------------------------------------------------------------------------


def sealed(tables: Tables, state: State, event: ev.Event) -> ev.Event:
    """An event with who may see it and what the others see instead; it happens at `state`."""
    find = _SEALS.get(type(event))
    if find is None or event.only:
        return event
    only, others = find(tables, state, event)
    return replace(event, only=only, others=others) if only else event


def by_agreement(tables: Tables, state: State, event: ev.Event, parties: tuple[str, ...]) -> ev.Event:
    """An event that everybody sees, done because of an agreement that only its parties may know of.

    For the others it is as if it had been done without: no rule about Treaties is behind it.
    """
    rules = [rule for rule in event.rules if not rule.startswith("TRE-")]
    if event.only or len(rules) == len(event.rules):
        return event
    return replace(event, only=_seats_or_nobody(tables, state, parties), others={"rules": rules})


def untold(tables: Tables, state: State, event: ev.TreasuryChanged, parties: tuple[str, ...]) -> ev.Event:
    """A payment by a secret article as others see it: a sum, not for what or between whom. Rules: PBM-043."""
    return replace(event, only=_seats_or_nobody(tables, state, parties), others={"reason": ev.UNTOLD, "rules": []})


def between_whom(events: Sequence[Raw]) -> frozenset[str]:
    """The seats that alone know of a line with these raw events; empty where anybody else sees any of it.

    Such lines are carried over when others take something back.
    """
    if not events or any(not _only(raw) or raw.get("others") is not None for raw in events):
        return frozenset()
    return frozenset(seat for raw in events for seat in _only(raw))


def _only(raw: Raw) -> tuple[str, ...]:
    """The seats that see a raw event as it is, () for everybody; a damaged log may hold anything."""
    only = raw.get("only")
    return tuple(str(seat) for seat in only) if isinstance(only, list | tuple) else ()


def visible(raw: Raw, seat: str) -> Raw | None:
    """What `seat` may see of a logged event or note, for `paxtui.engine.log`; None for nothing of it."""
    if raw.get("type") in (dispatches.DISPATCH, dispatches.LETTER):
        return dispatches.visible_note(raw, seat)
    if raw.get("type") == seating.SEATING:
        return seating.visible_seating(raw, seat)
    if raw.get("type") == "position_set" and seat != ARBITER:
        # each seat gets its view of the position anyway, which leaves out what is hidden from it
        shown = raw.get("state")
        return {**raw, "state": {k: v for k, v in shown.items() if k not in _HIDDEN} if isinstance(shown, dict) else {}}
    only = _only(raw)
    if not only or seat in (*only, ARBITER):
        return raw
    others = raw.get("others")
    if not isinstance(others, dict):
        return None
    shown = {**{k: v for k, v in raw.items() if k not in ("only", "others")}, **others}
    defaults = _DEFAULTS.get(str(raw.get("type")), {})
    # an event that hides nothing is written without its default values, and this one must look the same
    return {k: v for k, v in shown.items() if k not in defaults or v != defaults[k]}


def event_seen(event: ev.Event, seat: str) -> ev.Event | None:
    """What `seat` may see of an event; None for nothing of it."""
    if not isinstance(event, ev.PositionSet) and (not event.only or seat in (*event.only, ARBITER)):
        return event
    raw = visible(msgspec.to_builtins(event), seat)
    seen: ev.Event | None = None if raw is None else msgspec.convert(raw, type=type(event))
    return seen


def _offered(tables: Tables, state: State, e: ev.ChoiceOffered) -> _Seal:
    return (between(tables, state, e.choice), None) if e.choice.about.private else _OPEN


def _made(tables: Tables, state: State, e: ev.ChoiceMade) -> _Seal:
    choice = next((c for c in state.choices if c.id == e.id), None)
    if choice is None:
        return _OPEN
    if choice.about.sealed:
        return (choice.seat,), {"answer": [], "by_default": False}
    return (between(tables, state, choice), None) if choice.about.private else _OPEN


def _parties(tables: Tables, state: State, treaty: Treaty | None) -> tuple[str, ...]:
    """Seats of the parties; of an agreement that is not there nobody is told."""
    return _seats_or_nobody(tables, state, treaty.parties if treaty else ())


def _seats_or_nobody(tables: Tables, state: State, powers: tuple[str, ...]) -> tuple[str, ...]:
    """The seats of some Powers; the arbiter alone where there are none, for `only` may not be empty."""
    return seats_of(tables, state, powers) or (ARBITER,)


def _of(state: State, id_: str) -> Treaty | None:
    return next((t for t in state.treaties if t.id == id_), None)


def _drafted(tables: Tables, state: State, e: ev.TreatyDrafted) -> _Seal:
    parties, treaty = _parties(tables, state, e.treaty), e.treaty
    if not treaty.public:
        return parties, None
    outside = from_outside(treaty)
    return _OPEN if outside == treaty else (parties, {"treaty": _plain(outside)})


def _revealed(tables: Tables, state: State, e: ev.TreatyRevealed) -> _Seal:
    shown = tuple(sorted({*e.treaty.shown, *e.articles}))
    ended = "" if e.articles else e.treaty.public_end
    outside = from_outside(replace(e.treaty, public=True, shown=shown, public_end=ended))
    return _parties(tables, state, e.treaty), {"treaty": _plain(outside), "articles": []}


def _with_treaty(tables: Tables, state: State, e: Any) -> _Seal:
    """Known as far as the agreement is."""
    treaty = _of(state, e.id)
    return _OPEN if treaty and treaty.public else (_parties(tables, state, treaty), None)


def _while_it_lasts(tables: Tables, state: State, e: Any) -> _Seal:
    """Known as far as the agreement is, and as long as its open articles last."""
    treaty = _of(state, e.id)
    return (_parties(tables, state, treaty), None) if treaty and treaty.public_end else _with_treaty(tables, state, e)


def _end(tables: Tables, state: State, e: ev.TreatyEnded) -> _Seal:
    """Where only secret articles are left it has ended for all but its parties, and does not end again later."""
    treaty = _of(state, e.id)
    if e.openly and treaty and treaty.public:
        return _parties(tables, state, treaty), {"openly": False}
    return _while_it_lasts(tables, state, e)


def _inner(tables: Tables, state: State, e: Any) -> _Seal:
    """Never known to others than the parties."""
    return _parties(tables, state, _of(state, e.id)), None


def _breach(tables: Tables, state: State, e: Any) -> _Seal:
    """A breach that everybody may know of has the number of its clause as others know it."""
    treaty = _of(state, e.id)
    number = {-1: -1, **(_numbers(treaty) if treaty and treaty.public else {})}
    shut = isinstance(e, ev.TreatyBroken) and not e.open
    if treaty is None or not treaty.public or shut or e.clause not in number:
        return _parties(tables, state, treaty), None
    return _OPEN if number[e.clause] == e.clause else (_parties(tables, state, treaty), {"clause": number[e.clause]})


def _charge(tables: Tables, state: State, e: Any) -> _Seal:
    """A charge that all other seats judge is known to all, as the Treaty is; any other to the parties only."""
    treaty = _of(state, e.id)
    charges = treaty.charges if treaty else ()
    referee = getattr(e, "referee", False) or any(
        c.referee and (c.clause, c.against) == (e.clause, e.against) for c in charges
    )
    return _breach(tables, state, e) if referee else _inner(tables, state, e)


def _queued(tables: Tables, state: State, e: ev.DeclarationQueued | ev.DeclarationDropped) -> _Seal:
    """A declaration that hidden articles call for is nobody else's business until it is made."""
    treaty = _calling(state, e.declaration.treaty)
    return (_parties(tables, state, treaty), None) if treaty else _OPEN


def _declared(tables: Tables, state: State, e: ev.WarDeclared) -> _Seal:
    """A declaration that hidden articles call for looks like any other to those who do not know them."""
    treaty = _calling(state, e.treaty)
    if treaty is None:
        return _OPEN
    return _parties(tables, state, treaty), {"treaty": "", "rules": ["WAR-015", "WAR-062"]}


def _calling(state: State, id_: str) -> Treaty | None:
    """The Treaty of an id that calls its signers, None where everybody knows that it does."""
    treaty = _of(state, id_)
    if treaty is None:
        return None
    shown = [treaty.clauses[n] for n in _numbers(treaty)] if treaty.public else []
    return None if any(clause.kind in CALLING for clause in shown) else treaty


def _ballot(tables: Tables, state: State, e: ev.BallotCast) -> _Seal:
    return (e.seat,), {"answer": ["", ""]}


_SEALS: dict[type, Callable[[Tables, State, Any], _Seal]] = {
    ev.ChoiceOffered: _offered,
    ev.ChoiceMade: _made,
    ev.TreatyDrafted: _drafted,
    ev.TreatySigned: _with_treaty,
    ev.TreatyRejected: _with_treaty,
    ev.TreatyInForce: _with_treaty,
    ev.TreatyEnded: _end,
    ev.TreatyRevealed: _revealed,
    ev.LapseAgreed: _inner,
    ev.ReleaseAgreed: _inner,
    ev.SignatoryLeft: _while_it_lasts,
    ev.ClauseDone: _inner,
    ev.ClauseFellDue: _inner,
    ev.TreatyBroken: _breach,
    ev.BreachOpened: _breach,
    ev.BreachCharged: _charge,
    ev.BreachJudged: _charge,
    ev.ChargeClosed: _charge,
    ev.BallotCast: _ballot,
    ev.DeclarationQueued: _queued,
    ev.DeclarationDropped: _queued,
    ev.WarDeclared: _declared,
}
