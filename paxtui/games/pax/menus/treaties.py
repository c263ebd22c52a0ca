"""Menu of agreements: sign, reveal, end and judge Treaties, with templates for drafts.

Rules: TRE-002, TRE-011, TRE-014 to TRE-016, TRE-019
"""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.games.pax import visibility
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.exchanges import PEACE
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.congress import calling
from paxtui.games.pax.decide import ACTS
from paxtui.games.pax.diplomacy import settlement
from paxtui.games.pax.state.diplomacy import CONGRESS, DRAFT, IN_FORCE, SETTLEMENT, TREATY, Clause, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.parsing import in_table_order
from paxtui.games.pax.transaction import DryRun, find_refusal
from paxtui.games.pax.treaties import breaches, lifecycle, lookup
from paxtui.games.pax.treaties.lookup import hidden_articles

TEMPLATE_KINDS = tuple(kind.id for kind in CLAUSE_KINDS.values() if kind.is_template)
"""Clause kinds of the draft templates, one for each other Power."""


def congress_calls(tables: Tables, state: State, seat: str) -> Iterator[actions.CallCongress]:
    """Return the orders that call a Congress now, one for each site. Rules: CON-001, CON-005."""
    if calling.can_call(tables, state, seat):
        for site in calling.open_sites(tables, state, state.casus_belli):
            yield actions.CallCongress(site)


def agreement_actions(tables: Tables, state: State, seat: str) -> Iterator[actions.Action]:
    """Return all orders of a seat about agreements, except new drafts."""
    for treaty in lookup.all_treaties(tables, state):
        if not visibility.is_known_to(tables, state, treaty, seat) or treaty.form == CONGRESS:
            continue
        for power in powers_of(tables, state, seat):
            acting = "" if power == seat else power
            if power in treaty.parties:
                yield from _of_party(tables, state, treaty, power, acting)
        yield from _verdicts(tables, state, treaty, seat)


def _of_party(tables: Tables, state: State, treaty: Treaty, power: str, acting: str) -> Iterator[actions.Action]:
    if treaty.stage == DRAFT:
        if power not in treaty.signed and _can_sign(tables, state, power, treaty):
            yield actions.Sign(treaty.id, acting)
        yield actions.Reject(treaty.id, acting)
        return
    secret = hidden_articles(treaty)
    if treaty.since:
        if not treaty.public or secret:
            yield actions.Reveal(treaty.id, 0, acting)
        articles = range(len(treaty.clauses)) if not treaty.public else secret
        yield from (actions.Reveal(treaty.id, n + 1, acting) for n in articles)
    if treaty.stage != IN_FORCE or power not in treaty.bound:
        return
    if not lookup.is_permanent_pact(tables, state, treaty):
        if power not in treaty.lapse:
            yield actions.Lapse(treaty.id, acting)
        for who in treaty.bound:
            if power not in treaty.release.get(who, ()):
                yield actions.Release(treaty.id, who, acting)
    yield actions.Renounce(treaty.id, acting)
    for n, clause in enumerate(treaty.clauses):
        if CLAUSE_KINDS[clause.kind].is_judged:
            for against in treaty.bound:
                action = actions.Charge(treaty.id, n + 1, against, acting)
                if _is_allowed(tables, state, power, action):
                    yield action


def _can_sign(tables: Tables, state: State, power: str, treaty: Treaty) -> bool:
    """Whether the Power can sign now; only the last signature has effects that the rules can forbid."""
    return {*treaty.signed, power} < set(treaty.parties) or _is_allowed(tables, state, power, actions.Sign(treaty.id))


def _is_allowed(tables: Tables, state: State, power: str, action: actions.Action) -> bool:
    trial = DryRun(tables, state)
    return find_refusal(lambda: ACTS[type(action)][state.phase](trial, power, action)) is None


def _verdicts(tables: Tables, state: State, treaty: Treaty, seat: str) -> Iterator[actions.Action]:
    """Verdicts that a seat still owes, with its own numbering of the clauses."""
    inside = visibility.is_insider(tables, state, treaty, seat)
    shown = [n for n, c in enumerate(treaty.clauses) if inside or breaches.is_clause_public(treaty, n)]
    for claim in treaty.charges:
        if claim.clause in shown and breaches.owes_verdict(tables, state, treaty, claim, seat):
            for guilty in (True, False):
                yield actions.Judge(treaty.id, shown.index(claim.clause) + 1, claim.against, guilty)


def peace_offers(tables: Tables, state: State, seat: str) -> Iterator[actions.Draft]:
    """Return the offers of peace allowed now: to all other belligerents with a player, and to the enemies only.

    Empty while an offer of the seat to the same Powers is open.

    Rules: WEN-027, WEN-036, WEN-037
    """
    open_ = [set(t.parties) for t in state.treaties if t.stage == DRAFT and t.drafter in powers_of(tables, state, seat)]
    for war in state.wars:
        voices = settlement.played_belligerents(tables, state, war)
        for power in (p for p in powers_of(tables, state, seat) if p in voices):
            linked = set().union(*(settlement.linked_enemies(tables, state, p) for p in voices))
            everybody = in_table_order(tables.powers, (p for p in {*voices, *linked} if p != power))
            enemies = tuple(p for p in everybody if war.side_of(p) != war.side_of(power))
            for others in dict.fromkeys((everybody, enemies)):
                acting = "" if power == seat else power
                offer = actions.Draft("", others, (Clause(PEACE.id),), SETTLEMENT, power=acting)
                if others and {power, *others} not in open_ and _is_allowed(tables, state, power, offer):
                    yield offer


def treaty_templates(tables: Tables, state: State, seat: str) -> Iterator[actions.Draft]:
    """Return template Treaties: each kind in `TEMPLATE_KINDS` with each other player, with a suggested name.

    A player is skipped while a draft of the seat with that player alone is open. At the limit of drafts there are none.
    """
    mine = [t for t in state.treaties if t.stage == DRAFT and t.drafter == seat]
    if len(mine) >= lifecycle.MOST_DRAFTS:
        return
    for other in state.players:
        if other == seat or any(set(t.parties) == {seat, other} for t in mine):
            continue
        name = lookup.propose_name(tables, state, seat, (seat, other))
        for kind in TEMPLATE_KINDS:
            yield actions.Draft(name, (other,), (Clause(kind),), TREATY)
