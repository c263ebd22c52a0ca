"""Entry point of the rules: `decide` turns an action into events, or refuses it.

Rules: SEQ-001, SET-002, AUS-001, AUS-007, MIN-002
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.seats import ARBITER
from paxtui.games.pax import sequence, transaction, visibility
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.board.status import powers_of, seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.combat import colonial_combat
from paxtui.games.pax.congress import calling, outcome, proposals
from paxtui.games.pax.diplomacy import disputes, settlement, transfers
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import canals, garrisons, movement, status_change
from paxtui.games.pax.mail import adjudication
from paxtui.games.pax.position import setup
from paxtui.games.pax.state.diplomacy import CONGRESS
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import PHASES
from paxtui.games.pax.text.display import join_with_or, phase_name
from paxtui.games.pax.text.parsing import expand_home
from paxtui.games.pax.transaction import ActFunction, ActTable, DryRun, GameOver, Transaction, refuse
from paxtui.games.pax.treaties import breaches, lifecycle, treaty_duties
from paxtui.games.pax.turn import victory
from paxtui.games.pax.war import alliances, command, declarations, ottomans
from paxtui.games.pax.war.campaign import supply_lines, war_adjacency
from paxtui.games.pax.war.outcome import ends

MOVEMENT, COMBAT, NEGOTIATION, MEETING, WAR = "movement", "colonial_combat", "negotiation", "congress", "war"


def _draft_treaty(play: Transaction, power: str, action: actions.Draft) -> None:
    action = replace(action, clauses=settlement.expand_short_forms(play, action.clauses))
    (proposals.table_proposal if action.form == CONGRESS else lifecycle.draft_treaty)(play, power, action)


def _merge_acts(*tables: ActTable) -> ActTable:
    found: ActTable = {}
    for table in tables:
        for kind, functions in table.items():
            found.setdefault(kind, {}).update(functions)
    return {kind: {name: phases[name] for name in PHASES if name in phases} for kind, phases in found.items()}


ACTS = _merge_acts(
    {actions.Draft: dict.fromkeys(PHASES, _draft_treaty)},
    *(status_change.ACTS, movement.ACTS, canals.ACTS, garrisons.ACTS, colonial_combat.ACTS),
    *(disputes.ACTS, transfers.ACTS, settlement.ACTS, calling.ACTS, outcome.ACTS, lifecycle.ACTS, breaches.ACTS),
    *(declarations.ACTS, ottomans.ACTS, command.ACTS, ends.ACTS, supply_lines.ACTS, war_adjacency.ACTS),
)
"""Actions of a Power: the Phases in which they are allowed, each with its function. Agreements are allowed at any time;
the Phase of immediate clauses is checked at the last signature.
"""

PHASE_RULES = {
    MOVEMENT: ("SEQ-001", "SEQ-011"),
    COMBAT: ("SEQ-001", "SEQ-013"),
    NEGOTIATION: ("SEQ-001",),
    WAR: ("SEQ-001", "SEQ-024"),
}
"""Rules that restrict an action to its Phase, by the first of them."""

CLEARING_ACTIONS = (actions.Place, actions.Upgrade, actions.Build, actions.Move, actions.Merchant, actions.Garrison)
"""Actions that clear the ready flags of the other seats (R-SEQ-01)."""
CLEARING_EVENTS = (events.MarkerTransferred, events.CanalBuilt)
"""Events that clear ready flags when they happen, because other Powers may have to agree first."""


def decide(tables: Tables, state: State, seat: str, action: actions.Action, dice: Dice) -> Transaction:
    """Return the transaction of `action`: its events in order, and the position after them.

    Args:
        seat: id of a seat, or ARBITER.
        dice: the dice to roll.

    Raises:
        Refusal: nothing has happened.
    """
    play = Transaction(tables, state, dice)
    try:
        if seat == ARBITER:
            _decide_for_arbiter(play, action)
        else:
            _decide_for_seat(play, seat, action)
            sequence.recheck_ready(play, state)
        _apply_treaties(play)
    except GameOver as end:
        victory.end_by_great_war(play, end.culprits)
    return play


def _apply_treaties(play: Transaction) -> None:
    breaches.watch_treaties(play)
    treaty_duties.note_due_clauses(play)
    treaty_duties.ask_duties(play)


def apply_mail_order(play: Transaction, seat: str, action: actions.Action) -> None:
    """Carry out an order of a form and its immediate consequences."""
    _decide_for_seat(play, seat, action)
    if not isinstance(play, DryRun):
        _apply_treaties(play)


def _decide_for_arbiter(play: Transaction, action: actions.Action) -> None:
    if isinstance(action, actions.SetPosition):
        setup.set_position(play, action.patch)
        return
    if not isinstance(action, actions.Advance | actions.Step | actions.Abandon | actions.Adjudicate):
        message = "The arbiter advances, steps, sets positions and marks seats as abandoned. Only seats play."
        refuse("not_yours", (), message)
    if play.state.result is not None:
        refuse("game_over", ("SET-003",), "The game is over.")
    if isinstance(action, actions.Abandon):
        command.set_abandoned(play, action)
        return
    if isinstance(action, actions.Adjudicate):
        adjudication.adjudicate(play, action, apply_mail_order)
        return
    if isinstance(action, actions.Step):
        sequence.step_phase(play)
        return
    if action.force:
        sequence.force_defaults(play)
    sequence.advance(play)


def _decide_for_seat(play: Transaction, seat: str, action: actions.Action) -> None:
    if seat not in play.state.players:
        refuse("unknown_seat", (), f"There is no seat {seat!r}; the seats are {', '.join(play.state.players)}.")
    if play.state.result is not None:
        refuse("game_over", ("SET-003",), "The game is over.")
    if isinstance(action, actions.Choose):
        _choose(play, seat, action)
    elif isinstance(action, actions.Pass) or (isinstance(action, actions.Ready) and play.state.phase == WAR):
        _pass(play, seat)
    elif isinstance(action, actions.Ready | actions.Unready):
        _set_ready(play, seat, isinstance(action, actions.Ready))
    elif isinstance(action, actions.Waive):
        _check_phase(play, (NEGOTIATION,))
        disputes.waive_cause(play, seat, action.id)
    else:
        _act_for_power(play, seat, action)


def _act_for_power(play: Transaction, seat: str, action: actions.Action) -> None:
    """Carry out an action of one of the seat's Powers.

    Raises:
        Refusal: `not_yours`, `wrong_phase`, `not_your_power`, `abandoned`, or as the action.

    Rules: SEQ-001, SET-002, AUS-001, MIN-002, ORD-036
    """
    acts = ACTS.get(type(action))
    if acts is None:
        refuse("not_yours", (), "Only the arbiter can do that.")
    _check_phase(play, tuple(acts))
    power = getattr(action, "power", "") or seat
    if power != seat and power not in powers_of(play.tables, play.state, seat) and not _is_commander(play, seat, power):
        owner = seat_of(play.tables, play.state, power)
        rules = ("SET-002", "AUS-001") if owner else ("MIN-002",)
        refuse("not_your_power", rules, f"The seat of {seat} does not act for {power}.", power=power)
    asked = replace(action, path=expand_home(action.path, power)) if isinstance(action, actions.Move) else action
    act = acts[play.state.phase]
    if isinstance(action, actions.Move | actions.Attack) and play.state.phase == WAR:
        command.check_command(play, seat, power)
    if not _has_consents(play, seat, power, asked, act):
        return
    act(play, power, asked)
    if isinstance(action, CLEARING_ACTIONS) or any(isinstance(e, CLEARING_EVENTS) for e in play.events):
        clear_flags(play, seat)
    if play.state.phase in (COMBAT, MEETING, WAR):
        sequence.resume(play)


def _has_consents(play: Transaction, seat: str, power: str, action: actions.Action, act: ActFunction) -> bool:
    """Return whether an order may be carried out: all seats that command the Power have given it.

    Raises:
        Refusal: `consented`, or as the action.

    Rules: WMV-031, WCB-008
    """
    commands = isinstance(action, actions.Move | actions.Attack) and play.state.phase == WAR
    war = alliances.current_war(play.state) if commands else None
    if war is None or power in play.state.powers:
        return True
    trial = DryRun(play.tables, play.state)
    act(trial, power, action)
    order = format_order(play.tables, replace(action, power=""))
    moved = next((e for e in trial.events if isinstance(e, events.UnitsMoved)), None)
    if isinstance(action, actions.Move) and moved:
        order = command.move_text(action.units, action.path[0], action.path[-1], moved.coast)
    return command.record_consent(play, war, seat, power, order)


def _is_commander(play: Transaction, seat: str, power: str) -> bool:
    """Whether a seat commands a Power without a player in the present War. Rules: WMV-031, WAR-021."""
    war = alliances.current_war(play.state) if play.state.phase == WAR else None
    return war is not None and power in alliances.commanded_powers(play.tables, play.state, war, seat)


def _check_phase(play: Transaction, phases: tuple[str, ...]) -> None:
    """Refuse an action in the wrong Phase.

    Raises:
        Refusal: `wrong_phase`.

    Rules: SEQ-001, SEQ-011, SEQ-013
    """
    if play.state.phase not in phases:
        wanted = join_with_or([phase_name(p) for p in phases])
        refuse(
            "wrong_phase",
            PHASE_RULES[phases[0]],
            f"That is possible only in the {wanted} Phase; this is the {phase_name(play.state.phase)} Phase.",
            phase=play.state.phase,
            allowed=list(phases),
        )


def clear_flags(play: Transaction, seat: str) -> None:
    """Clear the ready flags of the other seats, at most three times a Phase for each seat (R-SEQ-01).

    In a War, a Phase is one of the War Sequence.

    Rules: SEQ-010, STA-002
    """
    others = tuple(s for s in play.state.ready if s != seat)
    if others and play.state.cleared.get(seat, 0) < 3:
        play.emit(events.ReadyCleared(seats=others, by=seat, rules=("SEQ-010",)))


def _choose(play: Transaction, seat: str, action: actions.Choose) -> None:
    known = [
        c
        for c in play.state.choices
        if c.id == action.id and seat in visibility.seats_between(play.tables, play.state, c)
    ]
    choice = next((c for c in known if c.seat == seat), known[0] if known else None)
    if choice is None:
        pending = ", ".join(c.id for c in play.state.choices if c.seat == seat) or "none"
        refuse("no_choice", (), f"There is no open question {action.id}. Yours are: {pending}.")
    if choice.seat != seat:
        refuse("not_your_choice", (), f"{choice.id} is a question to {choice.seat}, not to {seat}.")
    if choice.about.phases:  # an offer that outlived an undo of its Phase
        _check_phase(play, choice.about.phases)
    answer = transaction.parse_answer(choice, action.answer)
    sequence.take_answer(play, choice, answer)
    if any(isinstance(e, CLEARING_EVENTS) for e in play.events):
        clear_flags(play, seat)
    if choice.about.pressing:
        sequence.resume(play)


def _pass(play: Transaction, seat: str) -> None:
    """Pass in the present Phase of the War. The last pass ends the Phase.

    Raises:
        Refusal: `wrong_phase`, `not_waited`, `choose_first`, or a duty that the Phase still demands.

    Rules: WAR-017, WMV-004, WCB-002
    """
    _check_phase(play, (WAR,))
    if play.state.has_pressing_choice:
        refuse("choose_first", ("SEQ-010",), "Answer the open question first.")
    if seat not in sequence.waiting_seats(play.tables, play.state):
        refuse("not_waited", ("SEQ-010",), "The game does not wait for you now, so you cannot pass.")
    sequence.current_phase(play).check_ready(play, seat)
    play.emit(events.SeatReady(seat=seat, rules=("SEQ-010",)))
    sequence.resume(play)


def _set_ready(play: Transaction, seat: str, ready: bool) -> None:
    """Set or clear the seat's ready flag; the last seat ends the Phase. Rules: SEQ-010."""
    if play.state.phase not in sequence.OPEN:
        refuse(
            "wrong_phase",
            ("SEQ-001",),
            f"The {phase_name(play.state.phase)} Phase has no ready. It continues when all questions are answered.",
            phase=play.state.phase,
            allowed=list(sequence.OPEN),
        )
    if ready == (seat in play.state.ready):
        refuse("already", (), "You are already ready." if ready else "You were not ready.")
    if ready:
        sequence.current_phase(play).check_ready(play, seat)
    play.emit(events.SeatReady(seat=seat, ready=ready, rules=("SEQ-010",)))
    if ready:
        sequence.resume(play)
