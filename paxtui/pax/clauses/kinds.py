"""All kinds of clause by id, family by family.

Rules: TRE-004, TRE-005, TRE-009, NEG-011 to NEG-014, NEG-018, CON-016 to CON-020
"""

from __future__ import annotations

from paxtui.pax.clauses import alliances, exchanges, limits, peace, promises
from paxtui.pax.clauses.kind import Kind
from paxtui.pax.state.treaty import Clause

_FAMILIES = (alliances.KINDS, limits.KINDS, promises.KINDS, exchanges.KINDS, peace.KINDS)

KINDS: dict[str, Kind] = {kind.id: kind for family in _FAMILIES for kind in family}
"""The kinds by id. Acts stand in the order in which a settlement does them."""

MOST_CLAUSES = 20
"""Clauses of one agreement."""


def at_once(clause: Clause) -> bool:
    """Whether a clause is done the moment the agreement is signed by all."""
    undated = not clause.turn and not clause.every_turn and not clause.upon
    return undated and KINDS[clause.kind].act is not None
