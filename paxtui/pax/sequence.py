"""The Game Turn Sequence: which Phase follows which, who is waited for, and the arbiter's advance and step.

What a Phase does is its own (`paxtui.pax.play.phase.Phase`).

Rules: SEQ-001, SEQ-028, SET-036, SET-003
"""

from __future__ import annotations

from paxtui.engine.refusal import Refusal
from paxtui.pax import answers
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.combat import colonial_combat, marker_adjustment
from paxtui.pax.congress import beside_war, calling, session
from paxtui.pax.expansion import movement
from paxtui.pax.history import events as ev
from paxtui.pax.play.phase import Phase
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.phases import PHASES
from paxtui.pax.treaties import treaty_duties, treaty_watch
from paxtui.pax.turn import (
    administrative,
    chinese_resentment,
    final_record,
    minor_powers,
    negotiation,
    random_events,
    victory_point_record,
)
from paxtui.pax.war import cycle, war_sequence

MEETING, WAR = session.PHASE.name, war_sequence.PHASE.name

SEQUENCE: dict[str, Phase] = {
    phase.name: phase
    for phase in (
        random_events.PHASE,
        administrative.PHASE,
        minor_powers.PHASE,
        movement.PHASE,
        colonial_combat.PHASE,
        marker_adjustment.PHASE,
        negotiation.PHASE,
        session.PHASE,
        chinese_resentment.PHASE,
        war_sequence.PHASE,
        victory_point_record.PHASE,
        final_record.PHASE,
    )
}
"""The Phases by name, in their order."""

PROCEDURES: dict[str, Phase] = {session.PROCEDURE.name: session.PROCEDURE}
"""What may be in progress inside a Phase, on top of it."""

OPEN = tuple(name for name, phase in SEQUENCE.items() if phase.open)
"""Phases in which all seats act at once and say when they are ready."""


def now(play: Play) -> Phase:
    """What is in progress: the Phase, or the procedure inside it."""
    name = play.state.top.phase
    return SEQUENCE[name] if name in SEQUENCE else PROCEDURES[name]


def go_on(play: Play) -> None:
    """Offer what is to be chosen now; where a procedure ends, what it stood in goes on."""
    depth = len(play.state.frames)
    now(play).begin(play)
    if len(play.state.frames) < depth:
        go_on(play)


def waiting(tables: Tables, state: State) -> tuple[str, ...]:
    """Seats that the game waits for, in the order of the seats.

    Rules: SEQ-010
    """
    if state.result is not None:
        return ()
    due = {c.seat for c in state.choices if c.about.pressing}
    due.update(SEQUENCE[state.phase].waits(tables, state))
    return tuple(seat for seat in state.players if seat in due)


def enter(play: Play, phase: str) -> None:
    """Begin a Phase: nothing is rolled, what can be chosen without dice is offered."""
    play.emit(ev.PhaseBegan(phase=phase, rules=("SEQ-028",)))
    SEQUENCE[phase].begin(play)
    SEQUENCE[phase].enter(play)


def following(state: State) -> str:
    """The Phase after the present one: Congress and War only where they have something to do.

    A quarrel over the spoils of a War brings a Congress, and the War Phase again.

    Rules: SEQ-020, SEQ-021, SEQ-028, MIN-040, WEN-042, WEN-043
    """
    if state.phase == WAR and calling.quarrelled(state):
        return MEETING
    if state.phase == MEETING and state.congress is not None and state.congress.spoils:
        rest = PHASES[PHASES.index(WAR) :]  # it has come out of the War Phase
    else:
        rest = PHASES[PHASES.index(state.phase) + 1 :]
    return next((phase for phase in rest if SEQUENCE[phase].due(state)), PHASES[0])


def finish(play: Play) -> None:
    """End the present Phase and begin the next, unless the game is over, or a Congress beside a War is not.

    Rules: SEQ-028, TRE-004, TRE-007, PBM-057 (Decision 47)
    """
    if beside_war.hold_up_end(play):
        return
    treaty_duties.close(play)
    treaty_watch.watch(play)
    treaty_watch.phase_ends(play)
    treaty_duties.fall_due(play)
    now(play).close(play)
    if play.state.result is None:
        enter(play, following(play.state))


def retest(play: Play, before: State) -> None:
    """Take the ready flag of every seat that has a duty unmet now, by its own act or by what has come to it.

    However often flags have been cleared already: no Phase ends with a duty untested (Decision 34). Only a seat that
    something has happened to can have got one.

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
            now(play).check_ready(play, seat)
        except Refusal as refusal:
            play.emit(ev.SeatReady(seat=seat, ready=False, rules=("SEQ-010", *refusal.rules)))


def resume(play: Play) -> None:
    """After an answer or a ready flag: offer what follows from it; a seat's act ends at most its own Phase."""
    state = play.state
    if state.result is not None:
        return
    if state.phase in OPEN:
        if not waiting(play.tables, state):
            treaty_duties.close(play)
            retest(play, state)
        if not waiting(play.tables, play.state):
            finish(play)
    else:
        go_on(play)


def advance(play: Play) -> None:
    """Play what is automatic until a seat is waited for or the game is over."""
    while play.state.result is None and not waiting(play.tables, play.state):
        _run_phase(play)


def _run_phase(play: Play) -> None:
    """The automatic part of the present Phase, and its end if nobody is waited for."""
    if play.state.phase not in OPEN:
        now(play).run(play)
    if play.state.result is None and not waiting(play.tables, play.state) and now(play).over(play.state):
        finish(play)


def force(play: Play) -> None:
    """Take the default of every choice pending now and mark every seat ready; duties to spend are waived."""
    for choice in play.state.choices:
        if any(c.id == choice.id for c in play.state.choices):
            answers.take_default(play, choice)
    if play.state.result is None and play.state.phase in OPEN:
        now(play).force_ready(play)
        if not waiting(play.tables, play.state):
            finish(play)
    elif play.state.result is None:
        all_pass(play)
        go_on(play)


def all_pass(play: Play) -> None:
    """Mark ready every seat that is waited for without a choice, for the arbiter."""
    for seat in SEQUENCE[play.state.phase].waits(play.tables, play.state):
        play.emit(ev.SeatReady(seat=seat, rules=("SEQ-010",)))


def step(play: Play) -> None:
    """Take defaults and play to the end of the present Phase, no further; in a War to that of the War Sequence."""
    place = _place(play.state)
    while play.state.result is None and _place(play.state) == place:
        if waiting(play.tables, play.state) or play.state.choices:
            force(play)
        else:
            _run_phase(play)


def _place(state: State) -> tuple[object, ...]:
    """Where play is, for telling when a Phase is over: the Phase of the turn, and of the Wars that are fought."""
    return state.turn, state.phase, cycle.mark(state) if state.phase == "war" else ()
