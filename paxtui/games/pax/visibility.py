"""Visibility of Treaties, private offers and other secrets, for views, logs, menus and refusals alike.

`seal_event` stores in each event which seats may see it. A log can then be filtered for a seat line by line.

Rules: TRE-011, TRE-012, TRE-013, TRE-019
"""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from paxtui.engine import seating
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw
from paxtui.games.pax.actions import dispatches
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.status import seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import ENDED, Breach, PartialEnd, Treaty
from paxtui.games.pax.state.model import Background, State
from paxtui.games.pax.state.questions import Pending
from paxtui.games.pax.state.war import Declaration

REVEALING_EVENTS: tuple[type[events.Event], ...] = (events.TreatyRevealed, events.BreachOpened, events.BallotsOpened)
"""Events that reveal hidden information. A seat alone cannot undo them."""

CALLING_CLAUSES = ("defensive", "offensive")
"""Kinds of clause that call a signer to War."""

_Seal = tuple[tuple[str, ...], Raw | None]
"""The fields `only` and `others` of an event."""

_OPEN: _Seal = ((), None)

_HIDDEN = ("treaties", "choices")
"""Fields of a position that no seat's log shows."""


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


_KINDS = {str(kind.__struct_config__.tag): kind for kind in get_args(events.AnyEvent)}
"""The classes of events by type."""


@cache
def _defaults(type_: str) -> Raw:
    """Return the default values of a type of event; the log leaves out fields that have them."""
    kind = _KINDS.get(type_)
    fields = () if kind is None else msgspec.structs.fields(kind)
    return {f.encode_name: _plain(f.default) for f in fields if f.default is not msgspec.NODEFAULT}


def private_id(sign: str, *content: object) -> str:
    """Return an id made from the content. It does not reveal how many other objects exist."""
    encoded = msgspec.json.encode(content, order="deterministic")
    return sign + b32encode(sha256(b"paxtui/id|" + encoded).digest())[:5].decode().casefold()


def seats_of(tables: Tables, state: State, powers: tuple[str, ...]) -> tuple[str, ...]:
    """Return the seats that play some Powers, without duplicates, in seat order. Minor Powers have none."""
    found = {seat_of(tables, state, power) for power in powers}
    return tuple(seat for seat in state.players if seat in found)


def seats_between(tables: Tables, state: State, choice: Pending) -> tuple[str, ...]:
    """Return the seats that may know of a choice: all, unless it is a private offer."""
    if not choice.about.private:
        return state.players
    return seats_of(tables, state, (*choice.about.between(), choice.power))


def is_insider(tables: Tables, state: State, treaty: Treaty, seat: str) -> bool:
    """Return whether a seat knows all of an agreement: a party or the arbiter."""
    if seat not in state.players:
        return seat == ARBITER
    parties = treaty.parties
    return seat in parties or any(p not in state.players and seat_of(tables, state, p) == seat for p in parties)


def is_known_to(tables: Tables, state: State, treaty: Treaty, seat: str) -> bool:
    """Return whether a seat may know that an agreement exists: it is public, or the seat is an insider."""
    return treaty.public or is_insider(tables, state, treaty, seat)


@cached(most=128, by=lambda treaty: ((), (treaty,)))
def public_part(treaty: Treaty) -> Treaty:
    """Return a public agreement without its secret parts.

    The remaining articles are numbered without gaps. If only secret articles still bind, the agreement appears as
    ended.
    An ended agreement does not show which parties had left it.

    Rules: TRE-011 (Decision 49)
    """
    number = _public_numbers(treaty)
    ended = treaty.stage == ENDED or bool(treaty.public_end)
    return replace(
        treaty,
        stage=ENDED if ended else treaty.stage,
        reason=treaty.public_end or treaty.reason,
        left=() if ended else treaty.left,
        partial_ends=() if ended else tuple(_public_partial_end(treaty, end) for end in treaty.partial_ends),
        public_end="",
        clauses=tuple(treaty.clauses[n] for n in number),
        breaches=tuple(
            replace(b, clause=number.get(b.clause, -1)) for b in treaty.breaches if _is_breach_public(treaty, b)
        ),
        charges=tuple(replace(c, clause=number[c.clause]) for c in treaty.charges if c.referee and c.clause in number),
        lapse=(),
        release={},
        done=(),
        due=(),
        shown=(),
        instead="",
        publish=False,
    )


def _is_breach_public(treaty: Treaty, breach: Breach) -> bool:
    return breach.open and (breach.clause < 0 or breach.clause in _public_numbers(treaty))


def _public_partial_end(treaty: Treaty, end: PartialEnd) -> PartialEnd:
    """Return a partial end with the number of breaches that outsiders know."""
    return replace(end, breaches=sum(_is_breach_public(treaty, b) for b in treaty.breaches[: end.breaches]))


@cached(most=32, by=lambda tables, state, seat: (seat, (tables, state.players, state.treaties)))
def visible_treaties(tables: Tables, state: State, seat: str) -> tuple[Treaty, ...]:
    """Return the agreements that a seat may know, without their hidden parts."""
    out = []
    for treaty in state.treaties:
        if is_insider(tables, state, treaty, seat):
            out.append(treaty)
        elif treaty.public:
            out.append(public_part(treaty))
    return tuple(out)


def visible_state(tables: Tables, state: State, seat: str) -> State:
    """Return the position without everything that is hidden from a seat."""
    if seat == ARBITER:
        return state
    return replace(
        state,
        treaties=visible_treaties(tables, state, seat),
        choices=_visible_choices(tables, state, state.choices, seat),
        ballots={s: b if s == seat else ("", "") for s, b in state.ballots.items()},
        declarations=tuple(d for d in state.declarations if _hidden_from(tables, state, d, seat) is None),
        waiting_phase=_visible_background(tables, state, seat),
        asked_unseen=state.declaring,  # the list of waiting seats already shows this
    )


def _visible_choices(tables: Tables, state: State, choices: tuple[Pending, ...], seat: str) -> tuple[Pending, ...]:
    return tuple(c for c in choices if not c.about.private or seat in seats_between(tables, state, c))


def _visible_background(tables: Tables, state: State, seat: str) -> Background | None:
    there = state.waiting_phase
    return replace(there, choices=_visible_choices(tables, state, there.choices, seat)) if there is not None else None


def _hidden_from(tables: Tables, state: State, declaration: Declaration, seat: str) -> Treaty | None:
    """Return the Treaty that a declaration honours and that the seat may not know, or None."""
    treaty = _secretly_calling_treaty(state, declaration.treaty)
    return None if treaty is None or is_insider(tables, state, treaty, seat) else treaty


def _public_numbers(treaty: Treaty) -> dict[int, int]:
    """Map the number of each public clause to its number for outsiders."""
    shown = (n for n, c in enumerate(treaty.clauses) if not c.secret or n in treaty.shown)
    return {n: i for i, n in enumerate(shown)}


def seal_event(tables: Tables, state: State, event: events.Event) -> events.Event:
    """Fill in `only` and `others` of an event that happens at `state`."""
    find = _SEALS.get(type(event))
    if find is None or event.only:
        return event
    only, others = find(tables, state, event)
    return replace(event, only=only, others=others) if only else event


def seal_by_agreement(tables: Tables, state: State, event: events.Event, parties: tuple[str, ...]) -> events.Event:
    """Restrict an event that carries out a secret agreement to the parties.

    Other seats see the event without the agreement and without the rules about Treaties.
    """
    rules = [rule for rule in event.rules if not rule.startswith("TRE-")]
    if event.only or len(rules) == len(event.rules):
        return event
    return replace(event, only=_seats_or_arbiter(tables, state, parties), others={"rules": rules})


def seal_payment(tables: Tables, state: State, event: events.TreasuryChanged, parties: tuple[str, ...]) -> events.Event:
    """Hide the reason and the parties of a payment by a secret article from other seats. Rules: PBM-043."""
    return replace(event, only=_seats_or_arbiter(tables, state, parties), others={"reason": events.UNTOLD, "rules": []})


def private_seats(events: Sequence[Raw]) -> frozenset[str]:
    """Return the seats that alone see a line with these raw events; empty if any other seat sees part of it.

    An undo by another seat keeps such lines.
    """
    if not events or any(not _restricted_seats(raw) or raw.get("others") is not None for raw in events):
        return frozenset()
    return frozenset(seat for raw in events for seat in _restricted_seats(raw))


def _restricted_seats(raw: Raw) -> tuple[str, ...]:
    """Return the seats that see a raw event in full, () for all. A damaged log may hold any value."""
    only = raw.get("only")
    return tuple(str(seat) for seat in only) if isinstance(only, list | tuple) else ()


def visible_raw(raw: Raw, seat: str) -> Raw | None:
    """Return what `seat` may see of a logged event or note, or None."""
    if raw.get("type") in (dispatches.DISPATCH, dispatches.LETTER):
        return dispatches.visible_note(raw, seat)
    if raw.get("type") == seating.SEATING_NOTE:
        return seating.visible_seating(raw, seat)
    if raw.get("type") == "position_set" and seat != ARBITER:
        # seats receive the filtered position separately
        whole = raw.get("state")
        if not isinstance(whole, dict):
            return {**raw, "state": {}}
        treaties = _treaties_set(whole.get("treaties", ()), seat)
        shown = {k: v for k, v in whole.items() if k not in _HIDDEN}
        return {**raw, "state": {**shown, **({"treaties": treaties} if treaties else {})}}
    only = _restricted_seats(raw)
    if not only or seat in (*only, ARBITER):
        return raw
    others = raw.get("others")
    if not isinstance(others, dict):
        return None
    shown = {**{k: v for k, v in raw.items() if k not in ("only", "others")}, **others}
    defaults = _defaults(str(raw.get("type")))
    # leave out default values, so that the event looks like one that hides nothing
    return {k: v for k, v in shown.items() if k not in defaults or v != defaults[k]}


def _treaties_set(treaties: object, seat: str) -> list[Raw]:
    """Return what a seat may know of the Treaties in a position that the arbiter sets: its own and public ones."""
    try:
        known = msgspec.convert(treaties, tuple[Treaty, ...])
    except msgspec.ValidationError:  # a damaged log may hold any value
        return []
    own_or_public = ((t if seat in t.parties else public_part(t)) for t in known if t.public or seat in t.parties)
    return [_plain(treaty) for treaty in own_or_public]


def visible_event(event: events.Event, seat: str) -> events.Event | None:
    """Return what `seat` may see of an event, or None."""
    if not isinstance(event, events.PositionSet) and (not event.only or seat in (*event.only, ARBITER)):
        return event
    raw = visible_raw(msgspec.to_builtins(event), seat)
    seen: events.Event | None = None if raw is None else msgspec.convert(raw, type=type(event))
    return seen


def _seal_offered_choice(tables: Tables, state: State, e: events.ChoiceOffered) -> _Seal:
    return (seats_between(tables, state, e.choice), None) if e.choice.about.private else _OPEN


def _seal_made_choice(tables: Tables, state: State, e: events.ChoiceMade) -> _Seal:
    choice = state.choice(e.id)
    if choice is None:
        return _OPEN
    if choice.about.sealed:
        return (choice.seat,), {"answer": [], "by_default": False}
    return (seats_between(tables, state, choice), None) if choice.about.private else _OPEN


def _parties(tables: Tables, state: State, treaty: Treaty | None) -> tuple[str, ...]:
    """Return the seats of the parties; the arbiter alone if there is no agreement."""
    return _seats_or_arbiter(tables, state, treaty.parties if treaty else ())


def _seats_or_arbiter(tables: Tables, state: State, powers: tuple[str, ...]) -> tuple[str, ...]:
    """Return the seats of some Powers; the arbiter alone if there are none, because `only` may not be empty."""
    return seats_of(tables, state, powers) or (ARBITER,)


def _seal_draft(tables: Tables, state: State, e: events.TreatyDrafted) -> _Seal:
    parties, treaty = _parties(tables, state, e.treaty), e.treaty
    if not treaty.public:
        return parties, None
    outside = public_part(treaty)
    return _OPEN if outside == treaty else (parties, {"treaty": _plain(outside)})


def _seal_revelation(tables: Tables, state: State, e: events.TreatyRevealed) -> _Seal:
    shown = tuple(sorted({*e.treaty.shown, *e.articles}))
    ended = "" if e.articles else e.treaty.public_end
    outside = public_part(replace(e.treaty, public=True, shown=shown, public_end=ended))
    return _parties(tables, state, e.treaty), {"treaty": _plain(outside), "articles": []}


def _seal_with_treaty(tables: Tables, state: State, e: Any) -> _Seal:
    """Visible to the seats that know the agreement."""
    treaty = state.treaty(e.id)
    return _OPEN if treaty and treaty.public else (_parties(tables, state, treaty), None)


def _seal_while_in_force(tables: Tables, state: State, e: Any) -> _Seal:
    """Visible to the seats that know the agreement, and to its parties only after its public end."""
    treaty = state.treaty(e.id)
    return (
        (_parties(tables, state, treaty), None) if treaty and treaty.public_end else _seal_with_treaty(tables, state, e)
    )


def _seal_end(tables: Tables, state: State, e: events.TreatyEnded) -> _Seal:
    """If only secret articles still bind, the agreement ends for outsiders now and not again later."""
    treaty = state.treaty(e.id)
    if e.openly and treaty and treaty.public:
        return _parties(tables, state, treaty), {"openly": False}
    return _seal_while_in_force(tables, state, e)


def _seal_for_parties(tables: Tables, state: State, e: Any) -> _Seal:
    return _parties(tables, state, state.treaty(e.id)), None


def _seal_breach(tables: Tables, state: State, e: Any) -> _Seal:
    """A public breach shows the number that its clause has for outsiders."""
    treaty = state.treaty(e.id)
    number = {-1: -1, **(_public_numbers(treaty) if treaty and treaty.public else {})}
    shut = isinstance(e, events.TreatyBroken) and not e.open
    if treaty is None or not treaty.public or shut or e.clause not in number:
        return _parties(tables, state, treaty), None
    return _OPEN if number[e.clause] == e.clause else (_parties(tables, state, treaty), {"clause": number[e.clause]})


def _seal_charge(tables: Tables, state: State, e: Any) -> _Seal:
    """All seats see a charge that the other seats judge, if they know the Treaty; other charges only the parties."""
    treaty = state.treaty(e.id)
    charges = treaty.charges if treaty else ()
    referee = getattr(e, "referee", False) or any(
        c.referee and (c.clause, c.against) == (e.clause, e.against) for c in charges
    )
    return _seal_breach(tables, state, e) if referee else _seal_for_parties(tables, state, e)


def _seal_queued_declaration(
    tables: Tables, state: State, e: events.DeclarationQueued | events.DeclarationDropped
) -> _Seal:
    """A declaration that a hidden article calls for is known to the parties only until it is made."""
    treaty = _secretly_calling_treaty(state, e.declaration.treaty)
    return (_parties(tables, state, treaty), None) if treaty else _OPEN


def _seal_declaration(tables: Tables, state: State, e: events.WarDeclared) -> _Seal:
    """A declaration that a hidden article calls for looks to outsiders like any other."""
    treaty = _secretly_calling_treaty(state, e.treaty)
    if treaty is None:
        return _OPEN
    return _parties(tables, state, treaty), {"treaty": "", "rules": ["WAR-015", "WAR-062"]}


def _secretly_calling_treaty(state: State, id_: str) -> Treaty | None:
    """Return the Treaty with this id if it calls its signers by an article that is not public, else None."""
    treaty = state.treaty(id_)
    if treaty is None:
        return None
    shown = [treaty.clauses[n] for n in _public_numbers(treaty)] if treaty.public else []
    return None if any(clause.kind in CALLING_CLAUSES for clause in shown) else treaty


def _seal_ballot(tables: Tables, state: State, e: events.BallotCast) -> _Seal:
    return (e.seat,), {"answer": ["", ""]}


_SEALS: dict[type, Callable[[Tables, State, Any], _Seal]] = {
    events.ChoiceOffered: _seal_offered_choice,
    events.ChoiceMade: _seal_made_choice,
    events.TreatyDrafted: _seal_draft,
    events.TreatySigned: _seal_with_treaty,
    events.TreatyRejected: _seal_with_treaty,
    events.TreatyInForce: _seal_with_treaty,
    events.TreatyEnded: _seal_end,
    events.TreatyRevealed: _seal_revelation,
    events.LapseAgreed: _seal_for_parties,
    events.ReleaseAgreed: _seal_for_parties,
    events.SignatoryLeft: _seal_while_in_force,
    events.TreatyEndedBetween: _seal_while_in_force,
    events.ClauseDone: _seal_for_parties,
    events.ClauseFellDue: _seal_for_parties,
    events.TreatyBroken: _seal_breach,
    events.BreachOpened: _seal_breach,
    events.BreachCharged: _seal_charge,
    events.BreachJudged: _seal_charge,
    events.ChargeClosed: _seal_charge,
    events.BallotCast: _seal_ballot,
    events.DeclarationQueued: _seal_queued_declaration,
    events.DeclarationDropped: _seal_queued_declaration,
    events.WarDeclared: _seal_declaration,
}
