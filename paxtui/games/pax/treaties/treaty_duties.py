"""Duties that fall due under a Treaty: the Power that owes a duty keeps or breaks it.

Dated duties fall due in the Negotiation Phase, when money and markers change hands. Conditional duties fall due when
their condition is met, and are asked in the first Phase in which the rules allow them. Without an answer a duty is kept
if possible; if not, it is a breach.
"""

from __future__ import annotations

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.status import seat_of
from paxtui.games.pax.clauses import registry
from paxtui.games.pax.clauses.notation import stored_clause_text
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.diplomacy import settlement
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import CONGRESS, IN_FORCE, Clause, Treaty
from paxtui.games.pax.state.questions import Duty, Pending
from paxtui.games.pax.transaction import Transaction, refuse, single_answer
from paxtui.games.pax.treaties import breaches
from paxtui.games.pax.treaties.breaches import bound_powers, is_awake, is_done, treaties_in_force
from paxtui.games.pax.treaties.lookup import display_name

KEEP_WORD, BREAK_WORD = "keep", "break"

_HAPPENINGS: tuple[type[events.Event], ...] = (
    events.PositionSet,
    events.TreatyInForce,
    *(event for condition in registry.CONDITIONS.values() for event in condition.events),
)
"""Events that may meet the condition of a clause."""

_OCCASIONS = (events.PositionSet, events.TreatyInForce, events.PhaseBegan, events.ClauseFellDue)
"""Events that may create a new duty."""


def note_due_clauses(play: Transaction) -> None:
    """Record the clauses whose condition is met; called after each act and at the end of each Phase.

    Rules: TRE-004, TRE-005 (Decision 47)
    """
    if not play.state.treaties or not any(isinstance(event, _HAPPENINGS) for event in play.events):
        return
    turn = play.state.turn
    for treaty in treaties_in_force(play.state):
        for n, clause in enumerate(treaty.clauses):
            if CLAUSE_KINDS[clause.kind].act is None or clause.upon is None or 0 < clause.until < turn:
                continue
            known = any(due.clause == n and (not clause.every_turn or due.turn == turn) for due in treaty.due)
            if not known and bound_powers(treaty, clause) and registry.has_happened(play.state, clause.upon):
                play.emit(events.ClauseFellDue(id=treaty.id, clause=n, turn=turn, rules=("TRE-004",)))


def ask_duties(play: Transaction) -> None:
    """Ask each Power once for each duty that is due and possible in this Phase. Rules: TRE-004 (Decision 47)."""
    treaties = treaties_in_force(play.state)
    if not treaties or not any(isinstance(event, _OCCASIONS) for event in play.events):
        return
    open_duties = {(c.about.treaty, c.about.clause) for c in play.state.choices if isinstance(c.about, Duty)}
    for treaty in treaties:
        for n, clause in enumerate(treaty.clauses):
            if (treaty.id, n) not in open_duties and _is_in_phase(play, clause) and is_owed(play, treaty, n):
                _ask_duty(play, treaty, n)


def _is_in_phase(play: Transaction, clause: Clause) -> bool:
    """Return whether the act of a clause is allowed in this Phase; dated acts wait for Negotiation.

    Rules: TRE-004 (Decisions 47 and 77)
    """
    if registry.waits_for_war(clause):
        return True
    phase = play.state.phase
    return phase in CLAUSE_KINDS[clause.kind].phases and (clause.upon is not None or phase == "negotiation")


def is_owed(play: Transaction, treaty: Treaty, n: int) -> bool:
    """Return whether a clause has an act that is due, and neither done nor refused.

    Rules: TRE-004, TRE-014, TRE-015
    """
    clause, turn = treaty.clauses[n], play.state.turn
    if CLAUSE_KINDS[clause.kind].act is None or treaty.stage != IN_FORCE or not bound_powers(treaty, clause):
        return False
    refused = any(b.clause == n and (not clause.every_turn or b.turn == turn) for b in treaty.breaches)
    return not refused and not is_done(treaty, n, turn) and is_awake(play.state, treaty, n)


def _ask_duty(play: Transaction, treaty: Treaty, n: int) -> None:
    """Ask a player; a Minor Power without a player keeps its duty as soon as it can.

    Rules: TRE-004, MIN-037 (Decisions 46 and 47)
    """
    clause = treaty.clauses[n]
    owes = bound_powers(treaty, clause)[0]
    if not _owing_seat(play, treaty, n):
        _keep_duty(play, treaty, n)
        return
    hindered = duty_obstacle(play, treaty, n)
    article = stored_clause_text(play.tables, clause)
    warning = f". As things stand it cannot be kept, and then it is broken: {hindered}" if hindered else ""
    play.offer(
        owes,
        Duty(treaty.id, n, owes, treaty.parties),
        (KEEP_WORD, BREAK_WORD),
        KEEP_WORD,
        clause.places[0] if clause.places else "",
        f"{display_name(play.tables, treaty)}, article {n + 1} is due: {article}{warning}",
        ("TRE-004",),
    )


def duty_obstacle(play: Transaction, treaty: Treaty, n: int) -> str:
    """Return why a duty cannot be kept now, "" if it can."""
    try:
        _check_signers(play, treaty, n)
        settlement.check_settlement(play, (treaty.clauses[n],), treaty.form == CONGRESS, treaty.parties)
    except Refusal as refusal:
        return refusal.message
    return ""


def _check_signers(play: Transaction, treaty: Treaty, n: int) -> None:
    """Raises: Refusal, if an outsider would have to agree."""
    if treaty.form != CONGRESS:
        settlement.check_signers(play, treaty.parties, (treaty.clauses[n],))


def answer_duty(play: Transaction, choice: Pending, duty: Duty, words: tuple[str, ...]) -> None:
    """Keep a duty, which carries out the clause, or break it. An attempt to keep an impossible duty breaks it.

    Raises: Refusal `wrong_phase`; GameOver.
    Rules: TRE-004, TRE-007 (Decision 47)
    """
    word = single_answer(choice, words)
    treaty, n = play.state.treaty(duty.treaty), duty.clause
    if treaty is None or not is_owed(play, treaty, n):
        return
    if not _is_in_phase(play, treaty.clauses[n]):  # the question has outlived an undo of its Phase
        refuse("wrong_phase", ("SEQ-001",), "That article cannot be carried out in this Phase.", phase=play.state.phase)
    what = _keep_duty(play, treaty, n) if word == KEEP_WORD else "does not do what is due"
    if what:
        breaches.break_clause(play, treaty, n, choice.power, what)


def _keep_duty(play: Transaction, treaty: Treaty, n: int) -> str:
    """Carry out a clause; return the obstacle as text if it is impossible, without any change. Raises: GameOver."""
    clause = treaty.clauses[n]
    try:
        _check_signers(play, treaty, n)
        congress, hidden = treaty.form == CONGRESS, not treaty.public
        settlement.carry_out_settlement(play, (clause,), ("TRE-004",), congress, treaty.parties, hidden)
    except Refusal as refusal:
        return f"cannot do what is due ({refusal.message})"
    part = play.state.turn if clause.every_turn else 0
    play.emit(events.ClauseDone(id=treaty.id, clause=n, part=part, rules=("TRE-004",)))
    return ""


def close_duties(play: Transaction) -> None:
    """Keep the duties still due before a Phase ends if possible, else break them.

    Raises: GameOver.
    Rules: TRE-004, TRE-007 (Decision 47)
    """
    for choice in play.state.choices:
        if isinstance(choice.about, Duty):
            treaty = play.state.treaty(choice.about.treaty)
            owed = treaty is not None and is_owed(play, treaty, choice.about.clause)
            answer = (KEEP_WORD,) if owed else ()
            play.emit(
                events.ChoiceMade(id=choice.id, answer=answer, by_default=owed, void=not owed, rules=choice.rules)
            )
            if owed:
                answer_duty(play, choice, choice.about, answer)
    for treaty in treaties_in_force(play.state):
        for n, clause in enumerate(treaty.clauses):
            if _is_in_phase(play, clause) and is_owed(play, treaty, n) and not _owing_seat(play, treaty, n):
                what = _keep_duty(play, treaty, n)
                if what:
                    breaches.break_clause(play, treaty, n, bound_powers(treaty, clause)[0], what)


def _owing_seat(play: Transaction, treaty: Treaty, n: int) -> str:
    """Return the seat that answers for a clause; "" for a Minor Power."""
    return seat_of(play.tables, play.state, bound_powers(treaty, treaty.clauses[n])[0])
