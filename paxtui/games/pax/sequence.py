"""The Game Turn Sequence: order of the Phases, seats that play waits for, answers, and the arbiter's advance and step.

Each Phase is a `paxtui.games.pax.transaction.Phase` in the module of its rules.

Rules: SEQ-001, SEQ-028, SET-036, SET-003
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.engine.refusal import Refusal
from paxtui.games.pax import transaction
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.combat import colonial_combat, marker_adjustment, results
from paxtui.games.pax.congress import calling, outcome, proposals, session
from paxtui.games.pax.diplomacy import settlement, transfers
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import canals, movement
from paxtui.games.pax.state import questions
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import PHASES
from paxtui.games.pax.state.war import REBELLION
from paxtui.games.pax.transaction import AnswerTexts, Phase, Transaction
from paxtui.games.pax.treaties import breaches, treaty_duties
from paxtui.games.pax.turn import administration, chinese_resentment, minor_powers, negotiation, random_events, victory
from paxtui.games.pax.war import alliances, command, declarations, ottomans, war_sequence
from paxtui.games.pax.war.campaign import battle, maneuver
from paxtui.games.pax.war.command import standing_answer
from paxtui.games.pax.war.outcome import ends, rebellion, resolution, spoils


def _answer_announcement(
    play: Transaction, choice: questions.Pending, about: questions.Announce, answer: AnswerTexts
) -> None:
    """Answer the announcement of the end of a Rebellion or an Ottoman War. Rules: REB-033, OTT-023."""
    war = next(w for w in play.state.wars if w.id == about.war)
    if war.kind == REBELLION:
        rebellion.answer_rebellion_end(play, choice, about, answer)
    else:
        ends.answer_ottoman_end(play, choice, about, answer)


ANSWERED: dict[type[questions.Question], Callable[[Transaction, questions.Pending, Any, AnswerTexts], None]] = {
    # struct of the question -> function for its answer: `(play, choice, question, answer)`
    questions.Deficit: administration.answer_deficit,
    questions.FightOrDecline: colonial_combat.answer_fight,
    questions.Losses: colonial_combat.answer_losses,
    questions.Combine: colonial_combat.answer_combine,
    questions.Retreat: results.answer_retreat,
    questions.MoneyOffer: transfers.answer_money,
    questions.MarkerOffer: transfers.answer_transfer,
    questions.ShareOffer: settlement.answer_codominion,
    questions.CanalOffer: canals.answer_canal,
    questions.Coast: movement.answer_coast,
    questions.Duty: treaty_duties.answer_duty,
    questions.Site: session.answer_site,
    questions.Attend: session.answer_attend,
    questions.Invite: session.answer_invite,
    questions.Agenda: session.answer_agenda,
    questions.Propose: session.answer_propose,
    questions.Ballot: proposals.answer_ballot,
    questions.Tie: proposals.answer_tie,
    questions.Signature: proposals.answer_sign,
    questions.Call: declarations.answer_call,
    questions.Invitation: ottomans.answer_aid_request,
    questions.Command: command.answer_commander,
    questions.DummyCall: declarations.answer_uncalled,
    questions.Defence: declarations.answer_defender,
    questions.Defiance: outcome.answer_declaration,
    questions.CodominionWar: maneuver.answer_entry,
    questions.Spoils: spoils.answer_spoils,
    questions.EndWaiver: ends.answer_waiver,
    questions.Cession: rebellion.answer_cession,
    questions.Cessions: rebellion.answer_cessions,
    questions.Return: resolution.answer_return,
    questions.Announce: _answer_announcement,
    questions.JoinAttack: command.answer_join_order,
    questions.WarLosses: battle.answer_losses,
    questions.WarRetreat: battle.answer_retreat,
}


def take_answer(play: Transaction, choice: questions.Pending, answer: AnswerTexts, by_default: bool = False) -> None:
    """Answer a choice.

    Raises:
        Refusal: the rules forbid the answer.
    """
    transaction.record_choice(play, choice, answer, by_default)
    ANSWERED[type(choice.about)](play, choice, choice.about, answer)


def take_default(play: Transaction, choice: questions.Pending) -> None:
    """Take the default of a choice; for an abandoned Power, the answer of the General Orders.

    Rules: ORD-005, ORD-007 (Decision 60)
    """
    take_answer(play, choice, standing_answer(play.tables, play.state, choice), by_default=True)


MEETING, WAR = session.PHASE.name, war_sequence.PHASE.name

SEQUENCE: dict[str, Phase] = {
    phase.name: phase
    for phase in (
        random_events.PHASE,
        administration.PHASE,
        minor_powers.PHASE,
        movement.PHASE,
        colonial_combat.PHASE,
        marker_adjustment.PHASE,
        negotiation.PHASE,
        session.PHASE,
        chinese_resentment.PHASE,
        war_sequence.PHASE,
        victory.VICTORY_POINT_RECORD,
        victory.FINAL_RECORD,
    )
}
"""The Phases by name, in order."""

OPEN = tuple(name for name, phase in SEQUENCE.items() if phase.open)
"""Phases in which all seats act at once and report that they are ready."""


def current_phase(play: Transaction) -> Phase:
    """Return the Phase in progress, or the Congress of Europe inside it."""
    name = play.state.top.phase
    return session.PROCEDURE if name == session.PROCEDURE.name else SEQUENCE[name]


def continue_phase(play: Transaction) -> None:
    """Offer the choices due now. When a procedure ends, the Phase around it continues."""
    depth = len(play.state.frames)
    current_phase(play).begin(play)
    if len(play.state.frames) < depth:
        continue_phase(play)


def waiting_seats(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the seats that play waits for, in seat order. Rules: SEQ-010."""
    if state.result is not None:
        return ()
    due = {c.seat for c in state.choices if c.about.pressing}
    due.update(SEQUENCE[state.phase].waits(tables, state))
    return tuple(seat for seat in state.players if seat in due)


def enter_phase(play: Transaction, phase: str) -> None:
    """Begin a Phase and offer the choices that need no dice. No dice are rolled."""
    play.emit(events.PhaseBegan(phase=phase, rules=("SEQ-028",)))
    SEQUENCE[phase].begin(play)
    SEQUENCE[phase].enter(play)


def next_phase(state: State) -> str:
    """Return the Phase after the present one. Congress and War take place only when needed.

    A dispute over the spoils of a War brings a Congress, and then the War Phase again.

    Rules: SEQ-020, SEQ-021, SEQ-028, MIN-040, WEN-042, WEN-043
    """
    if state.phase == WAR and calling.has_spoils_quarrel(state):
        return MEETING
    if state.phase == MEETING and state.congress is not None and state.congress.spoils:
        rest = PHASES[PHASES.index(WAR) :]  # this Congress interrupts the War Phase
    else:
        rest = PHASES[PHASES.index(state.phase) + 1 :]
    return next((phase for phase in rest if SEQUENCE[phase].due(state)), PHASES[0])


def finish_phase(play: Transaction) -> None:
    """End the present Phase and begin the next one.

    Nothing follows if the game is over, or while a Congress beside a War is unfinished.

    Rules: SEQ-028, TRE-004, TRE-007, PBM-057 (Decision 47)
    """
    if session.resume_suspended(play):
        return
    treaty_duties.close_duties(play)
    breaches.watch_treaties(play)
    breaches.check_phase_end(play)
    treaty_duties.note_due_clauses(play)
    current_phase(play).close(play)
    if play.state.result is None:
        enter_phase(play, next_phase(play.state))


def recheck_ready(play: Transaction, before: State) -> None:
    """Remove the ready flag of each seat that has a new unmet duty.

    There is no limit on how often this happens: no Phase ends with an unmet duty (Decision 34). Only seats that an
    event has touched are checked.

    Rules: SEQ-010, STA-039, STA-045, STA-046, STA-049, EVT-018, BEL-012
    """
    if play.state.phase != before.phase or not play.state.ready:
        return
    touched = {who for event in play.events for who in (getattr(event, "power", ""), getattr(event, "to", ""))} - {""}
    if not touched:
        return
    for seat in play.state.ready:
        if touched.isdisjoint(powers_of(play.tables, play.state, seat)):
            continue
        try:
            current_phase(play).check_ready(play, seat)
        except Refusal as refusal:
            play.emit(events.SeatReady(seat=seat, ready=False, rules=("SEQ-010", *refusal.rules)))


def resume(play: Transaction) -> None:
    """Continue after an answer or a ready flag. An action of a seat ends at most the Phase in which it happens."""
    state = play.state
    if state.result is not None:
        return
    if state.phase in OPEN:
        if not waiting_seats(play.tables, state):
            treaty_duties.close_duties(play)
            recheck_ready(play, state)
        if not waiting_seats(play.tables, play.state):
            finish_phase(play)
    else:
        continue_phase(play)


def advance(play: Transaction) -> None:
    """Play the automatic parts until play waits for a seat or the game is over."""
    while play.state.result is None and not waiting_seats(play.tables, play.state):
        _run_phase(play)


def _run_phase(play: Transaction) -> None:
    """Run the automatic part of the Phase and end it if play waits for no seat."""
    if play.state.phase not in OPEN:
        current_phase(play).run(play)
    if (
        play.state.result is None
        and not waiting_seats(play.tables, play.state)
        and current_phase(play).over(play.state)
    ):
        finish_phase(play)


def force_defaults(play: Transaction) -> None:
    """Take the default of each pending choice and mark every seat ready; duties to spend are waived."""
    for choice in play.state.choices:
        if any(c.id == choice.id for c in play.state.choices):
            take_default(play, choice)
    if play.state.result is None and play.state.phase in OPEN:
        current_phase(play).force_ready(play)
        if not waiting_seats(play.tables, play.state):
            finish_phase(play)
    elif play.state.result is None:
        all_pass(play)
        continue_phase(play)


def all_pass(play: Transaction) -> None:
    """Mark ready each seat that play waits for without a choice, for the arbiter."""
    for seat in SEQUENCE[play.state.phase].waits(play.tables, play.state):
        play.emit(events.SeatReady(seat=seat, rules=("SEQ-010",)))


def step_phase(play: Transaction) -> None:
    """Take defaults and play to the end of the present Phase; in a War, of the War Sequence's Phase."""
    place = _play_position(play.state)
    while play.state.result is None and _play_position(play.state) == place:
        if waiting_seats(play.tables, play.state) or play.state.choices:
            force_defaults(play)
        else:
            _run_phase(play)


def _play_position(state: State) -> tuple[object, ...]:
    """Return turn, Phase and place in each War, to detect the end of a Phase."""
    return state.turn, state.phase, alliances.war_positions(state) if state.phase == "war" else ()
