"""Conflicts before a Congress of Europe: of which two Powers, over what, and which of them a Treaty settles.

All Casus Belli of two Powers over one Area are one conflict, a mutual one too; without an Area each broken Treaty is
one, and each other cause of its kind.

Rules: CON-002, CON-011, CON-014, CON-028, ETI-016 (Decisions 40 to 44)
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import influence_holders
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.exchanges import WAIVE
from paxtui.pax.clauses.kind import powers_of
from paxtui.pax.clauses.kinds import KINDS, at_once
from paxtui.pax.diplomacy import acts, settlement
from paxtui.pax.play import casus_belli
from paxtui.pax.state.causes import CasusBelli
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import Clause


class Conflict(msgspec.Struct, frozen=True):
    """A conflict of two Powers over an Area ("" for none), and every Casus Belli it gives."""

    pair: frozenset[str]
    area: str
    causes: tuple[CasusBelli, ...]

    @property
    def parties(self) -> frozenset[str]:
        """The two Powers, and the Minor Power that one of them defends."""
        return self.pair | {cause.minor for cause in self.causes if cause.minor}

    @property
    def of_markers(self) -> tuple[CasusBelli, ...]:
        """Its causes that rest on markers which cannot stand together."""
        standing = (*casus_belli.MARKERS, casus_belli.DEFENCE)
        return tuple(c for c in self.causes if c.area and c.cause in standing)


def conflicts(causes: Iterable[CasusBelli]) -> tuple[Conflict, ...]:
    """The conflicts that some Casus Belli come from, each once, in their order.

    Rules: ETI-016 (Decision 44)
    """
    found: dict[tuple[frozenset[str], str, str], list[CasusBelli]] = {}
    for cause in causes:
        pair = frozenset((cause.holder, cause.against))
        about = "" if cause.area else cause.treaty or cause.cause
        found.setdefault((pair, cause.area, about), []).append(cause)
    return tuple(Conflict(pair, area, tuple(there)) for (pair, area, _), there in found.items())


def before_it(state: State) -> tuple[Conflict, ...]:
    """The conflicts before the Congress that are still open. Rules: ETI-016, CON-010."""
    put = state.congress.causes if state.congress else ()
    return conflicts(cause for cause in state.casus_belli if cause.id in put)


def defied(state: State, conflict: Conflict) -> bool:
    """Whether a party has refused to sign what would have settled a conflict: no other Treaty can settle it now.

    Rules: CON-033
    """
    return state.congress is not None and any(c.id in state.congress.defied for c in conflict.causes)


def negotiable(state: State) -> tuple[Conflict, ...]:
    """The conflicts that the Congress may still settle. Rules: CON-011, CON-033 (Decision 41)."""
    return tuple(conflict for conflict in before_it(state) if not defied(state, conflict))


# --- what a Treaty settles ----------------------------------------------------------------------------------------


def settled_by(tables: Tables, state: State, said: Iterable[Clause]) -> tuple[Conflict, ...]:
    """The conflicts before the Congress that are over once all have signed what is said.

    Where markers stand against each other it is the markers that settle it. Any other conflict is settled when the
    Casus Belli is given up, when its ground is gone, or when the Treaty lets something be done at once between the
    two Powers that is not part of another settlement in it.

    Raises: Refusal, when what is to be done at once cannot be.
    Rules: CON-011, CON-014, CON-028, CON-033 (Decisions 41, 42 and 74)
    """
    said = tuple(said)
    now = tuple(c for c in said if at_once(c))
    left = {c.id for c in signed_by_all(tables, state, now).casus_belli}
    found = before_it(state)
    on_the_map = tuple(f for f in found if f.of_markers and all(c.id not in left for c in f.of_markers))
    done = []
    for conflict in found:
        if conflict.of_markers:
            over = conflict in on_the_map
        else:
            over = all(c.id not in left or _made_good(c, now, found, on_the_map) for c in conflict.causes)
            over = over or _promised(conflict, said)
        if over and not defied(state, conflict):
            done.append(conflict)
    return tuple(done)


def _promised(conflict: Conflict, said: tuple[Clause, ...]) -> bool:
    """Whether a promise settles a conflict over nothing but a broken Treaty: there is no marker to settle.

    Rules: CON-014, CON-028 (Decision 74)
    """
    if any(c.area or c.cause != "treaty_broken" for c in conflict.causes):
        return False
    bound = (set(powers_of(c, KINDS[c.kind].touch)) for c in said if not at_once(c))
    return any(not powers or powers & conflict.pair for powers in bound)


def would_settle(tables: Tables, state: State, said: Iterable[Clause]) -> tuple[Conflict, ...]:
    """The same, and nothing where what is said cannot be done."""
    try:
        return settled_by(tables, state, said)
    except Refusal:
        return ()


def signed_by_all(tables: Tables, state: State, now: tuple[Clause, ...]) -> State:
    """The position once these acts are done, signed by all who have to and by those before the Congress that accept
    everything; who need not consent has not.

    Raises: Refusal.
    Rules: CON-023, CON-028, MIN-037
    """
    free = consenting(state, now)
    signers = tuple(p for p in concerned(tables, state, now) if p not in free)
    return settlement.outcome(tables, state, now, True, (*signers, *silent(state)))


def concerned(tables: Tables, state: State, said: Iterable[Clause]) -> tuple[str, ...]:
    """Powers that some clauses bind, give to, or whose agreement they need, in the order of the powers table.

    Rules: CON-022, CON-031
    """
    named: set[str] = set()
    for clause in said:
        named.update(powers_of(clause, KINDS[clause.kind].touch))
        if at_once(clause):
            named.update(acts.must_sign(tables, state, (clause,)))
    return tuple(p for p in tables.parties if p in named)


def silent(state: State) -> tuple[str, ...]:
    """Who is party to something before the Congress and accepts what it decides: Minor Powers, the Ottoman Empire.

    Rules: MIN-037, EVT-035
    """
    congress = state.congress
    return tuple(p for p in congress.disputants if p not in state.powers) if congress else ()


def consenting(state: State, said: Iterable[Clause]) -> tuple[str, ...]:
    """Powers before the Congress that keep an Influence where the Treaty lets others share Control.

    They need not consent; who signs does.

    Rules: CON-023 (Decision 41)
    """
    congress = state.congress
    shared = {c.places[0] for c in said if at_once(c) and shares(c)}
    held = {p for area in shared for p in influence_holders(state, area)}
    return tuple(p for p in congress.disputants if p in held) if congress else ()


def shares(clause: Clause) -> bool:
    """Whether a clause makes an Area one that several share."""
    act = KINDS[clause.kind].act
    return act is not None and act.holders


def _made_good(
    cause: CasusBelli, now: tuple[Clause, ...], found: tuple[Conflict, ...], on_the_map: tuple[Conflict, ...]
) -> bool:
    """Whether something is done at once between the two Powers of a Casus Belli that rests on no markers.

    For one without an Area it may also be a sanction: the Power that it is against lowers a marker. Where the holder
    says what he gives up, that alone is given up.
    """
    if any(c.kind == WAIVE.id and c.power == cause.holder for c in now):
        return False
    return any(_is_for(cause, clause, found, on_the_map) for clause in now if clause.kind != WAIVE.id)


def _is_for(
    cause: CasusBelli, clause: Clause, found: tuple[Conflict, ...], on_the_map: tuple[Conflict, ...]
) -> bool:
    """Whether an act belongs to a Casus Belli, and not to a conflict that is settled on the map."""
    pair, area = {cause.holder, cause.against}, clause.places[0] if clause.places else ""
    powers = set(powers_of(clause, KINDS[clause.kind].sign))
    between = pair <= powers or (powers == {cause.against} and (not cause.area or cause.area == area))
    if not between or (area and area == cause.area):
        return between
    elsewhere = any(f.area == area and f.pair & powers for f in found if f.area)
    return not elsewhere and not any(f.pair == pair for f in on_the_map)
