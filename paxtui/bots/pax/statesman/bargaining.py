"""The prices of a statesman that bargains: a share of what the other side gains, for which it would still sign.

The other side is assumed to be an ordinary player. It keeps the rest of its gain, because the estimate is uncertain and
because a draft that it turns down brings nothing. `Character.bargains` is the share.

Rules: TRE-001, TRE-002, NEG-013
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from paxtui.bots.pax.own_drafts import pounds_due_at_once
from paxtui.bots.pax.statesman.evaluation import PositionValuation
from paxtui.bots.pax.statesman.treaty_values import PowerRelations, treaty_gain
from paxtui.games.pax.clauses.exchanges import PAY
from paxtui.games.pax.state.diplomacy import Clause

ANSWER_FACTOR = 0.5
"""Factor on the share that the other side keeps if the Power answers its draft: it may return to its own terms."""
MIN_KEPT_GAIN = 1.5
"""Minimum gain that the other side keeps, in pounds at the end."""
FREE_MONEY_SHARE = 0.5
"""Share of its other money that the other side is assumed to have free."""
MAX_DEBT = 30
"""Maximum deferred payment asked for, in pounds."""


def dearest_terms(
    relations: PowerRelations,
    valuation: PositionValuation,
    partner: str,
    clauses: tuple[Clause, ...],
    public: bool,
    date: int,
    would_haggle: Callable[[tuple[Clause, ...]], bool] | None = None,
) -> tuple[Clause, ...]:
    """Return the articles with the payment of the other side that brings the Power most; unchanged if none helps.

    Args:
        relations: relations between the Powers.
        valuation: the valuation of the Power.
        partner: the other party.
        clauses: the articles.
        public: whether all players would know of the agreement.
        date: the Game Turn in which a deferred payment of the partner falls due; 0 for none.
        would_haggle: whether the partner would ask for more instead of signing; None if it can only say yes or no.
    """
    parties = (valuation.power, partner)
    theirs = relations.valuation(partner)
    share = (1.0 - valuation.character.bargaining_share) * (ANSWER_FACTOR if would_haggle is None else 1.0)
    least = max(MIN_KEPT_GAIN, share * treaty_gain(relations, theirs, parties, clauses, public))

    def is_signed(terms: tuple[Clause, ...]) -> bool:
        if treaty_gain(relations, theirs, parties, terms, public) < least:
            return False
        return would_haggle is None or not would_haggle(terms)

    found = [clauses]
    for most, turn in _means(relations, partner, clauses, date):
        low, high = 0, most
        while low < high:
            middle = (low + high + 1) // 2
            if is_signed(_with_fee(relations, valuation.power, partner, clauses, middle, turn)):
                low = middle
            else:
                high = middle - 1
        if low:
            found.append(_with_fee(relations, valuation.power, partner, clauses, low, turn))
    return max(found, key=lambda terms: treaty_gain(relations, valuation, parties, terms, public))


def _means(relations: PowerRelations, partner: str, clauses: Sequence[Clause], date: int) -> Iterator[tuple[int, int]]:
    """Yield the most that a Power can pay in addition, and the Game Turn: 0 for at once, then later."""
    purse = relations.state.powers[partner].treasury
    due = pounds_due_at_once(relations.tables, relations.state, clauses, partner)
    free = int(FREE_MONEY_SHARE * (purse - max(0, due))) - min(0, due)
    yield max(0, free), 0
    if date:
        yield MAX_DEBT, date


def _with_fee(
    relations: PowerRelations, power: str, partner: str, clauses: tuple[Clause, ...], pounds: int, turn: int
) -> tuple[Clause, ...]:
    """The articles with a payment of the partner, which reduces or joins payments at the same time."""
    now = (0, relations.state.turn)
    left, owed = list[Clause](), pounds
    for clause in clauses:
        alike = clause.kind == PAY.id and {clause.power, clause.to} == {power, partner} and not clause.every_turn
        same_time = clause.turn == turn or (clause.turn in now and turn in now)
        if alike and clause.upon is None and not clause.secret and same_time:
            owed += clause.amount if clause.power == partner else -clause.amount
        else:
            left.append(clause)
    fee = Clause(PAY.id, power=partner, to=power, amount=owed, turn=turn)
    if owed < 0:
        fee = replace(fee, power=power, to=partner, amount=-owed)
    return (*left, *([fee] if owed else []))
