"""Duties that fall due under a Treaty: each is put before the Power that owes it, which keeps its word or breaks it.

What has a date falls due in the Negotiation Phase, when money and markers change hands. What waits for something falls
due when that happens, in the very Phase, and is asked for in the first Phase in which the rules allow it. Unanswered a
duty is kept if it can be; if it cannot be, that is a breach.

Rules: TRE-004, TRE-007, NEG-014 (Decision 47)
"""

from __future__ import annotations

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.status import seat_of
from paxtui.games.pax.clauses import registry
from paxtui.games.pax.clauses.notation import describe_clause
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
"""Events after which a clause may have what it waits for."""

_OCCASIONS = (events.PositionSet, events.TreatyInForce, events.PhaseBegan, events.ClauseFellDue)
"""Events after which there may be something new to ask for."""


# --- falling due --------------------------------------------------------------------------------------------------


def note_due_clauses(play: Transaction) -> None:
    """Note which clauses have what they wait for: it is looked at after every act and at the end of every Phase.

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
    """Put every duty that is due, and that may be done in this Phase, before the Power that owes it, once.

    Rules: TRE-004 (Decision 47)
    """
    treaties = treaties_in_force(play.state)
    if not treaties or not any(isinstance(event, _OCCASIONS) for event in play.events):
        return
    asked = {(c.about.treaty, c.about.clause) for c in play.state.choices if isinstance(c.about, Duty)}
    for treaty in treaties:
        for n, clause in enumerate(treaty.clauses):
            if (treaty.id, n) not in asked and _is_in_phase(play, clause) and is_owed(play, treaty, n):
                _ask_duty(play, treaty, n)


def _is_in_phase(play: Transaction, clause: Clause) -> bool:
    """Whether what a clause asks for may be done in this Phase; what has a date has to wait for Negotiation.

    Rules: TRE-004 (Decisions 47 and 77)
    """
    if registry.waits_for_war(clause):
        return True
    phase = play.state.phase
    return phase in CLAUSE_KINDS[clause.kind].phases and (clause.upon is not None or phase == "negotiation")


def is_owed(play: Transaction, treaty: Treaty, n: int) -> bool:
    """Whether a clause has something to do that is due, and neither done nor refused.

    Rules: TRE-004, TRE-014, TRE-015
    """
    clause, turn = treaty.clauses[n], play.state.turn
    if CLAUSE_KINDS[clause.kind].act is None or treaty.stage != IN_FORCE or not bound_powers(treaty, clause):
        return False
    refused = any(b.clause == n and (not clause.every_turn or b.turn == turn) for b in treaty.breaches)
    return not refused and not is_done(treaty, n, turn) and is_awake(play.state, treaty, n)


def _ask_duty(play: Transaction, treaty: Treaty, n: int) -> None:
    """A player is asked; a Minor Power, which no player speaks for, keeps its word as soon as it can.

    Rules: TRE-004, MIN-037 (Decisions 46 and 47)
    """
    clause = treaty.clauses[n]
    owes = bound_powers(treaty, clause)[0]
    if not _owing_seat(play, treaty, n):
        _keep_duty(play, treaty, n)
        return
    hindered = duty_obstacle(play, treaty, n)
    warning = f". As things stand it cannot be kept, and then it is broken: {hindered}" if hindered else ""
    play.offer(
        owes,
        Duty(treaty.id, n, owes, treaty.parties),
        (KEEP_WORD, BREAK_WORD),
        KEEP_WORD,
        clause.places[0] if clause.places else "",
        f"{display_name(play.tables, treaty)}, article {n + 1} is due: {describe_clause(play.tables, clause)}{warning}",
        ("TRE-004",),
    )


# --- keeping ------------------------------------------------------------------------------------------------------


def duty_obstacle(play: Transaction, treaty: Treaty, n: int) -> str:
    """Why a duty cannot be kept as things stand, "" where it can."""
    try:
        _check_signers(play, treaty, n)
        settlement.check_settlement(play, (treaty.clauses[n],), treaty.form == CONGRESS, treaty.parties)
    except Refusal as refusal:
        return refusal.message
    return ""


def _check_signers(play: Transaction, treaty: Treaty, n: int) -> None:
    """Raises: Refusal, when somebody would have to agree who is no party."""
    if treaty.form != CONGRESS:
        settlement.check_signers(play, treaty.parties, (treaty.clauses[n],))


def answer_duty(play: Transaction, choice: Pending, duty: Duty, words: tuple[str, ...]) -> None:
    """Keep a duty, which does what the clause says, or break it. To keep what cannot be kept is to break it.

    Raises: Refusal `wrong_phase`; GameOver.
    Rules: TRE-004, TRE-007 (Decision 47)
    """
    word = single_answer(choice, words)
    treaty, n = breaches.treaty_of(play, duty.treaty), duty.clause
    if treaty is None or not is_owed(play, treaty, n):
        return
    if not _is_in_phase(play, treaty.clauses[n]):  # the question has outlived an undo of its Phase
        refuse("wrong_phase", ("SEQ-001",), "That article cannot be carried out in this Phase.", phase=play.state.phase)
    what = _keep_duty(play, treaty, n) if word == KEEP_WORD else "does not do what is due"
    if what:
        breaches.break_clause(play, treaty, n, choice.power, what)


def _keep_duty(play: Transaction, treaty: Treaty, n: int) -> str:
    """Do what a clause asks for; in words what hinders it, and then nothing has happened.

    Raises: GameOver.
    """
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
    """Before a Phase ends: what is still due is kept where it can be, else broken.

    Raises: GameOver.
    Rules: TRE-004, TRE-007 (Decision 47)
    """
    for choice in play.state.choices:
        if isinstance(choice.about, Duty):
            treaty = breaches.treaty_of(play, choice.about.treaty)
            owed = treaty is not None and is_owed(play, treaty, choice.about.clause)
            said = (KEEP_WORD,) if owed else ()
            play.emit(events.ChoiceMade(id=choice.id, answer=said, by_default=owed, void=not owed, rules=choice.rules))
            if owed:
                answer_duty(play, choice, choice.about, said)
    for treaty in treaties_in_force(play.state):
        for n, clause in enumerate(treaty.clauses):
            if _is_in_phase(play, clause) and is_owed(play, treaty, n) and not _owing_seat(play, treaty, n):
                what = _keep_duty(play, treaty, n)
                if what:
                    breaches.break_clause(play, treaty, n, bound_powers(treaty, clause)[0], what)


def _owing_seat(play: Transaction, treaty: Treaty, n: int) -> str:
    """The seat that answers for a clause; "" where a Minor Power owes it."""
    return seat_of(play.tables, play.state, bound_powers(treaty, treaty.clauses[n])[0])
