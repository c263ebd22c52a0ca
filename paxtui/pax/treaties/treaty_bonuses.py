"""Bonus Victory Points for Treaties: which of those in effect fit a row of the Bonus Summary, and how many count.

Rules: VIC-009, VIC-010 (R-VIC-10)
"""

from __future__ import annotations

from paxtui.pax.board.tables import ANY_KIND, BONUS_KINDS, TreatyTest
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import IN_FORCE, Clause, Treaty


def fitting(state: State, seat: str, test: TreatyTest) -> list[tuple[Treaty, str]]:
    """The Treaties that count for a seat, each with the partner it counts for.

    One Treaty counts once, and one partner counts once, however many Treaties they share.

    Rules: VIC-009, VIC-010
    """
    able = {}
    for treaty in state.treaties:
        partners = tuple(p for p in treaty.bound if p != seat and (not test.partners or p in test.partners))
        if partners and seat in treaty.bound and _fits(state, treaty, test):
            able[treaty.id] = (treaty, partners)
    taken: dict[str, str] = {}  # partner -> Treaty
    for id_ in able:
        _find_partner(able, taken, id_, set())
    found = [(able[id_][0], partner) for partner, id_ in taken.items()]
    return found[: test.at_most] if test.at_most else found


def _find_partner(
    able: dict[str, tuple[Treaty, tuple[str, ...]]], taken: dict[str, str], id_: str, tried: set[str]
) -> bool:
    """Give a Treaty a partner of its own, moving others to another of theirs where that helps."""
    for partner in able[id_][1]:
        if partner not in tried:
            tried.add(partner)
            if partner not in taken or _find_partner(able, taken, taken[partner], tried):
                taken[partner] = id_
                return True
    return False


def _fits(state: State, treaty: Treaty, test: TreatyTest) -> bool:
    """Whether a Treaty is in effect, revealed where that is asked for, and says what the row asks for."""
    if treaty.stage != IN_FORCE or (test.revealed and not treaty.public):
        return False
    if test.against and test.against in treaty.bound:
        return False
    return any(_says(state, treaty, n, clause, test) for n, clause in enumerate(treaty.clauses))


def _says(state: State, treaty: Treaty, n: int, clause: Clause, test: TreatyTest) -> bool:
    """Whether a clause is of the kind, binds now, is no hidden article, and is aimed at the foe or at anybody."""
    fits = test.kind in (clause.kind, ANY_KIND) and clause.kind in BONUS_KINDS
    if not fits or clause.power or clause.upon or 0 < clause.until < state.turn:
        return False
    if test.revealed and clause.secret and n not in treaty.shown:
        return False
    return not test.against or not clause.against or test.against in clause.against
