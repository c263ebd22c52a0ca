"""`decide(tables, state, seat, action, dice)`: the events an action has, or a `Refusal`. The door to all rules.

Rules: SEQ-001, SET-002, AUS-001, AUS-007, MIN-002
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.seats import ARBITER
from paxtui.pax import answers, sequence
from paxtui.pax.board.status import powers_of, seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.combat import colonial_combat
from paxtui.pax.congress import calling, proposals, to_arms
from paxtui.pax.diplomacy import acts, codominions, defence, gifts, giving_way, transfers
from paxtui.pax.expansion import canals, garrisons, merchants, status_change, units
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import text_of
from paxtui.pax.play import choices, secrecy
from paxtui.pax.play.play import GameOver, Play, Trial, refuse
from paxtui.pax.position import patches
from paxtui.pax.postal import adjudication
from paxtui.pax.state.model import State
from paxtui.pax.state.phases import PHASES, TRADING
from paxtui.pax.state.treaty import CONGRESS
from paxtui.pax.treaties import charges, drafting, ending, revealing, signing, treaty_duties, treaty_watch
from paxtui.pax.turn import final_record
from paxtui.pax.war import aid, alliances, cycle, declarations
from paxtui.pax.war.campaign import coaling, passages
from paxtui.pax.war.command import abandonment, consents, general_orders
from paxtui.pax.war.outcome import announcement
from paxtui.pax.words.names import own_home
from paxtui.pax.words.spoken import phase_name

MOVEMENT, COMBAT, NEGOTIATION, MEETING, WAR = "movement", "colonial_combat", "negotiation", "congress", "war"

Act = Callable[[Play, str, Any], None]
"""What does an act of a Power: `(play, power, action)`."""


def _draft(play: Play, power: str, action: ac.Draft) -> None:
    """A proposal is tabled before the Congress, any other draft put before its parties."""
    action = replace(action, clauses=acts.written_out(play, action.clauses))
    (proposals.table if action.form == CONGRESS else drafting.draft)(play, power, action)


ACTS: dict[type[ac.Action], dict[str, Act]] = {
    # what a Power does: the Phases in which it may, each with the function that does it
    ac.Place: {MOVEMENT: status_change.place},
    ac.Upgrade: {MOVEMENT: status_change.upgrade},
    ac.Downgrade: {MOVEMENT: status_change.downgrade, NEGOTIATION: giving_way.downgrade},
    ac.Withdraw: {MOVEMENT: status_change.withdraw, NEGOTIATION: giving_way.withdraw},
    ac.Transfer: dict.fromkeys(TRADING, transfers.transfer),
    ac.Build: {MOVEMENT: units.build},
    ac.Move: {MOVEMENT: units.move, WAR: general_orders.move},
    ac.Merchant: {MOVEMENT: merchants.move},
    ac.Canal: {MOVEMENT: canals.build},
    ac.Pay: dict.fromkeys(TRADING, gifts.pay),
    ac.Garrison: {MOVEMENT: garrisons.fix},
    ac.Fight: {COMBAT: colonial_combat.fight},
    ac.Decline: {COMBAT: colonial_combat.decline},
    ac.Codominion: {NEGOTIATION: codominions.codominion},
    ac.Defend: {NEGOTIATION: defence.defend},
    ac.CallCongress: {NEGOTIATION: calling.call},
    # War
    ac.DeclareWar: {NEGOTIATION: declarations.declare, MEETING: to_arms.declare, WAR: declarations.declare},
    ac.JoinWar: {WAR: aid.join},
    ac.InviteAid: {WAR: aid.invite},
    ac.Attack: {WAR: general_orders.attack},
    ac.AnnounceEnd: {WAR: announcement.announce},
    ac.Volunteer: {WAR: coaling.volunteer},
    ac.Deny: {WAR: passages.deny},
    ac.Allow: {WAR: passages.allow},
    # agreements: at any time; what is done at once has its Phase when the last one signs
    ac.Draft: dict.fromkeys(PHASES, _draft),
    ac.Sign: dict.fromkeys(PHASES, signing.sign),
    ac.Reject: dict.fromkeys(PHASES, signing.reject),
    ac.Reveal: dict.fromkeys(PHASES, revealing.reveal),
    ac.Lapse: dict.fromkeys(PHASES, ending.lapse),
    ac.Release: dict.fromkeys(PHASES, ending.release),
    ac.Renounce: dict.fromkeys(PHASES, ending.renounce),
    ac.Charge: dict.fromkeys(PHASES, charges.charge),
    ac.Judge: dict.fromkeys(PHASES, charges.judge),
}

PHASE_RULES = {
    MOVEMENT: ("SEQ-001", "SEQ-011"),
    COMBAT: ("SEQ-001", "SEQ-013"),
    NEGOTIATION: ("SEQ-001",),
    WAR: ("SEQ-001", "SEQ-024"),
}
"""Rules that keep an act to its Phase, by the first of them."""

CLEARS = (ac.Place, ac.Upgrade, ac.Build, ac.Move, ac.Merchant, ac.Garrison)
"""Acts of a rival that take the ready flag away (R-SEQ-01)."""
ON_ACCEPTANCE = (ev.MarkerTransferred, ev.CanalBuilt)
"""What takes it away once it has happened: others may have to agree to it first."""


def decide(tables: Tables, state: State, seat: str, action: ac.Action, dice: Dice) -> list[ev.Event]:
    """What happens when `seat` asks for `action` at `state`.

    Args: the tables; the position; a seat's id or ARBITER; the action; the dice to roll.
    Returns: the events, in order; folding them with `evolve` gives the next position.
    Raises: Refusal, and then nothing has happened.
    """
    return played(tables, state, seat, action, dice).events


def played(tables: Tables, state: State, seat: str, action: ac.Action, dice: Dice) -> Play:
    """The same with the next position beside its events. Args, Raises: as `decide`."""
    play = Play(tables, state, dice)
    try:
        if seat == ARBITER:
            _arbiter(play, action)
        else:
            _seat(play, seat, action)
            sequence.retest(play, state)
        _follow(play)
    except GameOver as end:
        final_record.great_war(play, end.culprits)
    return play


def _follow(play: Play) -> None:
    """What Treaties make of what has happened."""
    treaty_watch.watch(play)
    treaty_duties.fall_due(play)
    treaty_duties.ask(play)


def by_mail(play: Play, seat: str, action: ac.Action) -> None:
    """An order of a form, and what follows from it at once."""
    _seat(play, seat, action)
    if not isinstance(play, Trial):
        _follow(play)


def _arbiter(play: Play, action: ac.Action) -> None:
    """What the arbiter may do: set a position, advance, step, open the forms of a mail game, say that a seat is
    abandoned or has a player again."""
    if isinstance(action, ac.SetPosition):
        patches.set_position(play, action.patch)
        return
    if not isinstance(action, ac.Advance | ac.Step | ac.Abandon | ac.Adjudicate):
        refuse("not_yours", (), "The arbiter advances, steps, sets positions and says who is gone; the seats play.")
    if play.state.result is not None:
        refuse("game_over", ("SET-003",), "The game is over.")
    if isinstance(action, ac.Abandon):
        abandonment.abandon(play, action)
        return
    if isinstance(action, ac.Adjudicate):
        adjudication.adjudicate(play, action, by_mail)
        return
    if isinstance(action, ac.Step):
        sequence.step(play)
        return
    if action.force:
        sequence.force(play)
    sequence.advance(play)


def _seat(play: Play, seat: str, action: ac.Action) -> None:
    """What a seat may do: answer a choice, be ready, waive a Casus Belli, and every act of its Powers."""
    if seat not in play.state.players:
        refuse("unknown_seat", (), f"There is no seat {seat!r}; the seats are {', '.join(play.state.players)}.")
    if play.state.result is not None:
        refuse("game_over", ("SET-003",), "The game is over.")
    if isinstance(action, ac.Choose):
        _choose(play, seat, action)
    elif isinstance(action, ac.Pass) or (isinstance(action, ac.Ready) and play.state.phase == WAR):
        _pass(play, seat)
    elif isinstance(action, ac.Ready | ac.Unready):
        _ready(play, seat, isinstance(action, ac.Ready))
    elif isinstance(action, ac.Waive):
        _in_phase(play, (NEGOTIATION,))
        giving_way.waive(play, seat, action.id)
    else:
        _act(play, seat, action)


def _act(play: Play, seat: str, action: ac.Action) -> None:
    """An act of one of the seat's Powers.

    Raises: Refusal `not_yours`, `wrong_phase`, `not_your_power`, `abandoned`, or as the act.
    Rules: SEQ-001, SET-002, AUS-001, MIN-002, ORD-036
    """
    acts = ACTS.get(type(action))
    if acts is None:
        refuse("not_yours", (), "Only the arbiter can do that.")
    _in_phase(play, tuple(acts))
    power = getattr(action, "power", "") or seat
    if power != seat and power not in powers_of(play.tables, play.state, seat) and not _commands(play, seat, power):
        owner = seat_of(play.tables, play.state, power)
        rules = ("SET-002", "AUS-001") if owner else ("MIN-002",)
        refuse("not_your_power", rules, f"The seat of {seat} does not act for {power}.", power=power)
    asked = replace(action, path=own_home(action.path, power)) if isinstance(action, ac.Move) else action
    act = acts[play.state.phase]
    if isinstance(action, ac.Move | ac.Attack) and play.state.phase == WAR:
        abandonment.check_command(play, seat, power)
    if not _consents(play, seat, power, asked, act):
        return
    act(play, power, asked)
    if isinstance(action, CLEARS) or any(isinstance(e, ON_ACCEPTANCE) for e in play.events):
        clear_flags(play, seat)
    if play.state.phase in (COMBAT, MEETING, WAR):
        sequence.resume(play)


def _consents(play: Play, seat: str, power: str, action: ac.Action, act: Act) -> bool:
    """Whether an order may be carried out now: one for a Power that several command, once all of them have given it.

    Raises: Refusal `consented`, or as the act.
    Rules: WMV-031, WCB-008
    """
    war = cycle.current(play.state) if isinstance(action, ac.Move | ac.Attack) and play.state.phase == WAR else None
    if war is None or power in play.state.powers:
        return True
    trial = Trial(play.tables, play.state)
    act(trial, power, action)
    order = text_of(play.tables, replace(action, power=""))
    moved = next((e for e in trial.events if isinstance(e, ev.UnitsMoved)), None)
    if isinstance(action, ac.Move) and moved:
        order = consents.text_of_move(action.units, action.path[0], action.path[-1], moved.coast)
    return consents.agreed(play, war, seat, power, order)


def _commands(play: Play, seat: str, power: str) -> bool:
    """Whether a seat gives orders to a Power without a player in the War fought now. Rules: WMV-031, WAR-021."""
    war = cycle.current(play.state) if play.state.phase == WAR else None
    return war is not None and power in alliances.commanded(play.tables, play.state, war, seat)


def _in_phase(play: Play, phases: tuple[str, ...]) -> None:
    """Raises: Refusal `wrong_phase`. Rules: SEQ-001, SEQ-011, SEQ-013."""
    if play.state.phase not in phases:
        wanted = " or ".join(phase_name(p) for p in phases)
        refuse(
            "wrong_phase",
            PHASE_RULES[phases[0]],
            f"That belongs to the {wanted} Phase; this is the {phase_name(play.state.phase)} Phase.",
            phase=play.state.phase,
            allowed=list(phases),
        )


def clear_flags(play: Play, seat: str) -> None:
    """Take the ready flags of the other seats, up to three times a Phase, of a War too, for each seat (R-SEQ-01).

    Rules: SEQ-010, STA-002
    """
    others = tuple(s for s in play.state.ready if s != seat)
    if others and play.state.cleared.get(seat, 0) < 3:
        play.emit(ev.ReadyCleared(seats=others, by=seat, rules=("SEQ-010",)))


def _choose(play: Play, seat: str, action: ac.Choose) -> None:
    known = [c for c in play.state.choices if c.id == action.id and seat in secrecy.between(play.tables, play.state, c)]
    choice = next((c for c in known if c.seat == seat), known[0] if known else None)
    if choice is None:
        pending = ", ".join(c.id for c in play.state.choices if c.seat == seat) or "none"
        refuse("no_choice", (), f"There is no choice {action.id} to make; yours are: {pending}.")
    if choice.seat != seat:
        refuse("not_your_choice", (), f"{choice.id} is for {choice.seat} to answer, not for {seat}.")
    if choice.about.phases:  # an offer that outlived an undo of its Phase
        _in_phase(play, choice.about.phases)
    answer = choices.read_answer(choice, action.answer)
    answers.take(play, choice, answer)
    if any(isinstance(e, ON_ACCEPTANCE) for e in play.events):
        clear_flags(play, seat)
    if choice.about.pressing:
        sequence.resume(play)


def _pass(play: Play, seat: str) -> None:
    """Nothing more from this seat in what is played of the War now; the last one ends it.

    Raises: Refusal `wrong_phase`, `not_waited`, `choose_first`, or what the Phase still demands of the seat.
    Rules: WAR-017, WMV-004, WCB-002
    """
    _in_phase(play, (WAR,))
    if any(c.about.pressing for c in play.state.choices):
        refuse("choose_first", ("SEQ-010",), "A choice has to be made first.")
    if seat not in sequence.waiting(play.tables, play.state):
        refuse("not_waited", ("SEQ-010",), "Nobody waits for you now, so there is nothing to pass.")
    sequence.now(play).check_ready(play, seat)
    play.emit(ev.SeatReady(seat=seat, rules=("SEQ-010",)))
    sequence.resume(play)


def _ready(play: Play, seat: str, ready: bool) -> None:
    """Set or take back the seat's ready flag; the last one ends the Phase. Rules: SEQ-010."""
    if play.state.phase not in sequence.OPEN:
        refuse(
            "wrong_phase",
            ("SEQ-001",),
            f"Nobody says ready in the {phase_name(play.state.phase)} Phase: "
            "it goes on by itself when its choices are made.",
            phase=play.state.phase,
            allowed=list(sequence.OPEN),
        )
    if ready == (seat in play.state.ready):
        refuse("already", (), "You are ready already." if ready else "You were not ready.")
    if ready:
        sequence.now(play).check_ready(play, seat)
    play.emit(ev.SeatReady(seat=seat, ready=ready, rules=("SEQ-010",)))
    if ready:
        sequence.resume(play)
