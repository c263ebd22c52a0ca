"""Treaties whose promises contradict each other: peace with a Power, and War on it.

The rules allow to sign both, but one of them must be broken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paxtui.games.pax.clauses.alliances import DEFENSIVE, NON_AGGRESSION, OFFENSIVE
from paxtui.games.pax.state.diplomacy import IN_FORCE, Clause, Treaty
from paxtui.games.pax.state.model import State

PEACEFUL = (NON_AGGRESSION.id, DEFENSIVE.id)
"""Kinds of articles whose parties keep peace with each other: an ally is not attacked either."""


def offensive_followers(treaties: Sequence[Treaty], turn: int, power: str, foe: str) -> tuple[str, ...]:
    """Return the Powers that Treaties oblige to join a Power in a War that it declares on an enemy.

    `treaties`: the known ones, the implied ones included (`lookup.all_treaties`).
    """
    found: dict[str, None] = {}
    for treaty in treaties:
        if treaty.stage == IN_FORCE and power in treaty.bound and foe not in treaty.bound:
            for clause in treaty.clauses:
                binds = clause.kind == OFFENSIVE.id and (foe in clause.against or not clause.against)
                if binds and not 0 < clause.until < turn:
                    found.update((p, None) for p in treaty.partners(power) if clause.power in ("", p))
    return tuple(found)


def contradicted_treaty(state: State, power: str, parties: Sequence[str], clauses: Sequence[Clause]) -> Treaty | None:
    """Return a Treaty in force whose promises a Power could not keep beside a new agreement; None for none.

    `state`: the position as the Power's seat sees it.
    """
    enemies = set(_enemies(state, power, clauses))
    partners = set(_partners(state, power, parties, clauses))
    for treaty in state.treaties:
        if treaty.stage != IN_FORCE or power not in treaty.bound:
            continue
        if enemies & set(_partners(state, power, treaty.partners(power), treaty.clauses)):
            return treaty
        if partners & set(_enemies(state, power, treaty.clauses)):
            return treaty
    return None


def _enemies(state: State, power: str, clauses: Sequence[Clause]) -> Iterator[str]:
    """Powers against which a Power promises War by articles."""
    for clause in clauses:
        if clause.kind == OFFENSIVE.id and clause.power in ("", power) and _is_binding(state, clause):
            yield from clause.against


def _partners(state: State, power: str, parties: Sequence[str], clauses: Sequence[Clause]) -> Iterator[str]:
    """Parties with which a Power promises peace by articles."""
    for clause in clauses:
        if clause.kind in PEACEFUL and clause.power in ("", power) and _is_binding(state, clause):
            yield from (party for party in parties if party != power)


def _is_binding(state: State, clause: Clause) -> bool:
    return clause.upon is None and not 0 < clause.until < state.turn
