"""Drafts that a bot withdraws: the position has changed since it made them.

Also what a draft costs at once, and whether its immediate articles can be carried out.

Rules: TRE-002, NEG-013, NEG-019
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.status import established
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.alliances import OFFENSIVE
from paxtui.games.pax.clauses.exchanges import GRANT, PAY
from paxtui.games.pax.clauses.registry import is_immediate
from paxtui.games.pax.diplomacy import settlement
from paxtui.games.pax.state.diplomacy import CONGRESS, DRAFT, Clause, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.transaction import find_refusal
from paxtui.games.pax.treaties.conflicts import contradicted_treaty, offensive_followers
from paxtui.games.pax.treaties.lookup import all_treaties
from paxtui.games.pax.war.declarations import GREAT_WAR_POWERS

REJECTED = "rejected"
"""Reason for the end of a draft that another party has turned down."""


def pounds_due_at_once(tables: Tables, state: State, clauses: Iterable[Clause], power: str) -> int:
    """Return the net pounds that a Power pays in this Game Turn if articles come into force now.

    The price of a marker that another Power grants it is included.
    """
    total = 0
    for clause in clauses:
        if clause.kind == PAY.id and power in (clause.power, clause.to) and clause.upon is None:
            if clause.every_turn or clause.turn in (0, state.turn):
                total += clause.amount * (1 if clause.power == power else -1)
        elif clause.kind == GRANT.id and clause.to == power and is_immediate(clause):
            own = established(state, clause.places[0], power)
            total += tables.markers[clause.marker].price - (tables.markers[own.marker].price if own else 0)
    return total


def find_obstacle(tables: Tables, state: State, parties: Sequence[str], clauses: Iterable[Clause]) -> Refusal | None:
    """Return why the immediate articles of a draft cannot be carried out now; None if they can."""
    now = tuple(clause for clause in clauses if is_immediate(clause))
    if not now:
        return None
    return find_refusal(lambda: settlement.settlement_outcome(tables, state, now, False, tuple(parties)))


def would_be_great_war(
    tables: Tables, state: State, parties: Iterable[str], foe: str, treaties: Sequence[Treaty] = ()
) -> bool:
    """Whether a War of these Powers and their followers on an enemy would have enough European Powers."""
    known = treaties or all_treaties(tables, state)
    sides = {foe, *parties}
    sides |= {p for party in tuple(sides - {foe}) for p in offensive_followers(known, state.turn, party, foe)}
    return sum(tables.powers[p].european for p in sides) >= GREAT_WAR_POWERS


def drafts_to_withdraw(tables: Tables, state: State, power: str) -> Iterator[tuple[str, str]]:
    """Yield the id and the reason of each draft that a bot no longer stands by.

    Args:
        tables: the tables of the game.
        state: the position as the Power's seat sees it.
        power: the Power.
    """
    for treaty in state.treaties:
        if treaty.stage == DRAFT and treaty.drafter == power and treaty.form != CONGRESS:
            why = _reason_to_withdraw(tables, state, power, treaty)
            if why:
                yield treaty.id, why


def _reason_to_withdraw(tables: Tables, state: State, power: str, treaty: Treaty) -> str:
    if treaty.drafted < state.turn:
        return "The offer was for the last Game Turn"
    due = pounds_due_at_once(tables, state, treaty.clauses, power)
    if due > max(0, state.powers[power].treasury):
        return f"It can no longer pay the £{due} that are due at once"
    for clause in treaty.clauses:
        for foe in clause.against if clause.kind == OFFENSIVE.id else ():
            if would_be_great_war(tables, state, treaty.parties, foe):
                return f"With its other allies, a War on {power_name(tables, foe)} would be the Great War"
    old = contradicted_treaty(state, power, treaty.parties, treaty.clauses)
    return f"It contradicts a Treaty that it has signed since ({old.name or old.id})" if old is not None else ""
