"""Orders about agreements that are open to a seat now: what to sign, reveal, end and judge, and a few drafts to begin
with. Clauses are words: no menu can list all drafts.

Rules: TRE-002, TRE-011, TRE-014 to TRE-016, TRE-019
"""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.kinds import KINDS
from paxtui.pax.clauses.peace import PEACE
from paxtui.pax.congress import calling
from paxtui.pax.diplomacy import peace
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import secrecy
from paxtui.pax.play.play import Trial, refusal_of
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import CONGRESS, DRAFT, IN_FORCE, SETTLEMENT, TREATY, Clause, Treaty
from paxtui.pax.treaties import breaches, charges, drafting, permanent, signing, treaty_names
from paxtui.pax.treaties.finding import hidden

TEMPLATES = tuple(kind.id for kind in KINDS.values() if kind.template)
"""Kinds of clause of the drafts that the menu proposes, one with each other Power."""


def congress_calls(tables: Tables, state: State, seat: str) -> Iterator[ac.CallCongress]:
    """The Congress that a seat may call now, a line for each site.

    Rules: CON-001, CON-005
    """
    if calling.who_may_call(tables, state, seat):
        for site in calling.sites(tables, state, state.casus_belli):
            yield ac.CallCongress(site)


def open_actions(tables: Tables, state: State, seat: str) -> Iterator[ac.Action]:
    """Every order about agreements that the seat may give now, save the drafts of its own making."""
    for treaty in permanent.all_treaties(tables, state):
        if not secrecy.knows(tables, state, treaty, seat) or treaty.form == CONGRESS:
            continue
        for power in powers_of(tables, state, seat):
            acting = "" if power == seat else power
            if power in treaty.parties:
                yield from _of_party(tables, state, treaty, power, acting)
        yield from _verdicts(tables, state, treaty, seat)


def _of_party(tables: Tables, state: State, treaty: Treaty, power: str, acting: str) -> Iterator[ac.Action]:
    """What a party may do with an agreement."""
    if treaty.stage == DRAFT:
        if power not in treaty.signed and _signs(tables, state, power, treaty):
            yield ac.Sign(treaty.id, acting)
        yield ac.Reject(treaty.id, acting)
        return
    secret = hidden(treaty)
    if treaty.since:
        if not treaty.public or secret:
            yield ac.Reveal(treaty.id, 0, acting)
        articles = range(len(treaty.clauses)) if not treaty.public else secret
        yield from (ac.Reveal(treaty.id, n + 1, acting) for n in articles)
    if treaty.stage != IN_FORCE or power not in treaty.bound:
        return
    if not permanent.is_pact(tables, state, treaty):
        if power not in treaty.lapse:
            yield ac.Lapse(treaty.id, acting)
        for who in treaty.bound:
            if power not in treaty.release.get(who, ()):
                yield ac.Release(treaty.id, who, acting)
    yield ac.Renounce(treaty.id, acting)
    for n, clause in enumerate(treaty.clauses):
        if KINDS[clause.kind].judged:
            for against in treaty.bound:
                action = ac.Charge(treaty.id, n + 1, against, acting)
                if _allowed(tables, state, power, action):
                    yield action


def _signs(tables: Tables, state: State, power: str, treaty: Treaty) -> bool:
    """Whether the Power may sign now: only the last signature does anything that could be forbidden."""
    if {*treaty.signed, power} < set(treaty.parties):
        return True
    return _allowed(tables, state, power, ac.Sign(treaty.id))


def _allowed(tables: Tables, state: State, power: str, action: ac.Sign | ac.Charge) -> bool:
    trial = Trial(tables, state)
    if isinstance(action, ac.Sign):
        return refusal_of(lambda: signing.sign(trial, power, action)) is None
    return refusal_of(lambda: charges.charge(trial, power, action)) is None


def _verdicts(tables: Tables, state: State, treaty: Treaty, seat: str) -> Iterator[ac.Action]:
    """Verdicts that a seat still owes, the articles numbered as it knows them."""
    inside = secrecy.inside(tables, state, treaty, seat)
    shown = [n for n, c in enumerate(treaty.clauses) if inside or breaches.known_to_all(treaty, n)]
    for claim in treaty.charges:
        if claim.clause in shown and charges.owes_verdict(tables, state, treaty, claim, seat):
            for guilty in (True, False):
                yield ac.Judge(treaty.id, shown.index(claim.clause) + 1, claim.against, guilty)


def peace_offers(tables: Tables, state: State, seat: str) -> Iterator[ac.Draft]:
    """Offers of peace that the rules allow now: to all other belligerents with a player, and to the enemies alone.

    None while an offer of the seat to the same Powers is open.

    Rules: WEN-027, WEN-036, WEN-037
    """
    open_ = [set(t.parties) for t in state.treaties if t.stage == DRAFT and t.drafter in powers_of(tables, state, seat)]
    for war in state.wars:
        voices = peace.with_a_voice(tables, state, war)
        for power in (p for p in powers_of(tables, state, seat) if p in voices):
            everybody = tuple(p for p in voices if p != power)
            enemies = tuple(p for p in everybody if war.side_of(p) != war.side_of(power))
            for others in dict.fromkeys((everybody, enemies)):
                acting = "" if power == seat else power
                offer = ac.Draft("", others, (Clause(PEACE.id),), SETTLEMENT, power=acting)
                if others and {power, *others} not in open_ and _may_offer(tables, state, power, offer):
                    yield offer


def _may_offer(tables: Tables, state: State, power: str, offer: ac.Draft) -> bool:
    trial = Trial(tables, state)
    return refusal_of(lambda: drafting.draft(trial, power, offer)) is None


def templates(tables: Tables, state: State, seat: str) -> Iterator[ac.Draft]:
    """A few Treaties to begin with: each kind of TEMPLATES with each other player, named as is proposed.

    None while a draft of the seat with that player alone is open, or so many are that no more may be.
    """
    mine = [t for t in state.treaties if t.stage == DRAFT and t.drafter == seat]
    if len(mine) >= drafting.MOST_DRAFTS:
        return
    for other in state.players:
        if other == seat or any(set(t.parties) == {seat, other} for t in mine):
            continue
        name = treaty_names.proposed(tables, state, seat, (seat, other))
        for kind in TEMPLATES:
            yield ac.Draft(name, (other,), (Clause(kind),), TREATY)
