"""What no agreement may say, article by article.

Rules: TRE-002, TRE-004, TRE-005, TRE-006, TRE-010, AUS-002, AUS-010, AUS-011, COD-013, CON-040, MIN-036, NEG-012,
NEG-006, SET-030, STA-036
"""

from __future__ import annotations

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.exchanges import LOWER, TRANSFER
from paxtui.pax.clauses.kind import Terms, powers_of
from paxtui.pax.clauses.kinds import KINDS, MOST_CLAUSES
from paxtui.pax.clauses.peace import PEACE
from paxtui.pax.clauses.upon import waits_for_war
from paxtui.pax.state.model import State
from paxtui.pax.state.phases import PHASES
from paxtui.pax.state.pieces import EXPANSION
from paxtui.pax.state.treaty import CONGRESS, Clause


def affected(clause: Clause) -> tuple[str, ...]:
    """Powers that a clause binds or gives to by name; () where it binds all parties alike and names nobody."""
    return powers_of(clause, KINDS[clause.kind].touch)


def check(tables: Tables, state: State, parties: tuple[str, ...], clauses: tuple[Clause, ...], form: str) -> None:
    """Whether the rules of the game allow an agreement of these parties to say this.

    What only the position of the moment forbids is found when it is to be done (`paxtui.pax.diplomacy.settlement`).

    Raises: Refusal with TRE-006, or the rule that a clause contravenes.
    Rules: TRE-006, TRE-002, TRE-010, AUS-002, AUS-010, AUS-011, COD-001, COD-013, CON-040, MIN-036, NEG-006, NEG-012,
    SET-030, STA-036
    """
    if len(clauses) > MOST_CLAUSES:
        raise Refusal("too_many", (), f"An agreement has {MOST_CLAUSES} clauses at most.")
    for number, clause in enumerate(clauses, 1):
        terms = Terms(tables, state, parties, clause, form, number)
        _dates(terms)
        _empire(terms)
        if form != CONGRESS:
            _signers(terms, any(c.kind == PEACE.id for c in clauses))
        KINDS[clause.kind].check(terms)


def _dates(terms: Terms) -> None:
    """Nothing is promised for the past, nor for a Game Turn whose Phase for it is over.

    Rules: TRE-006 (Decisions 47 and 77)
    """
    c, now, phases = terms.clause, terms.state.turn, KINDS[terms.clause.kind].phases
    # what is done needs its Phase still to come in the last Game Turn in which it may be done
    anytime = not phases or waits_for_war(c)
    too_late = not anytime and PHASES.index(terms.state.phase) > PHASES.index(phases[-1])
    if any(0 < date < now or (date == now and too_late) for date in (c.turn, c.until)):
        terms.no("past", ("TRE-006",), "its time is over already; name a later Game Turn.")
    if c.turn and c.until and c.until < c.turn:
        terms.no("past", ("TRE-006",), "it ends before it begins.")


def _empire(terms: Terms) -> None:
    """The Ottoman Empire gives up what a Congress or a peace takes from it, and has no other part in agreements.

    Rules: EVT-035, OTT-013, TRE-002
    """
    c = terms.clause
    hands_over = c.kind == TRANSFER.id and c.to != EXPANSION
    gives = c.power == EXPANSION and (hands_over or (c.kind == LOWER.id and not c.marker))
    if EXPANSION in (c.power, c.to) and not gives:
        terms.no("minor", ("EVT-035", "TRE-002"), "the Ottoman Empire agrees to nothing but to give up what it took.")


def _signers(terms: Terms, peace: bool) -> None:
    """Whoever owes or receives something signs; an Alliance is not aimed at one who signs it.

    A Minor Power at War is bound by the `peace` that its allies sign.

    Rules: TRE-002, TRE-010, WEN-046
    """
    c, kind = terms.clause, KINDS[terms.clause.kind]
    for power in powers_of(c, kind.sign):
        at_war = power not in terms.state.powers and any(war.side_of(power) for war in terms.state.wars)
        if power not in terms.parties and not (peace and at_war):
            name = terms.name(power)
            terms.no(
                "not_a_party",
                ("TRE-002", "TRE-006"),
                f"{name} is no party to it, and nobody can be bound who does not sign.",
            )
    inside = next((p for p in c.against if p in terms.parties), "") if kind.aimed else ""
    if inside:
        name = terms.name(inside)
        terms.no("against_a_party", ("TRE-010", "TRE-006"), f"{name} is to sign it, so it cannot be aimed at {name}.")
