"""Stops of a mail game: where the game waits for players, which seats it asks, for how long, and how it plays on.

Rules: PBM-002, PBM-005, PBM-052, PBM-053, PBM-060, PBM-073, PBM-075, PBM-105, PBM-107, PBM-116, PBM-117, PBM-124,
    PBM-126, PBM-128 (R-PBM-10, R-PBM-17, R-PBM-22, R-PBM-32, R-PBM-33, R-PBM-35)
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Literal, NamedTuple

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax import sequence
from paxtui.games.pax.board.status import controllers, seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.congress import calling, session
from paxtui.games.pax.diplomacy.disputes import overruled_influences
from paxtui.games.pax.events import events
from paxtui.games.pax.mail import standing_orders
from paxtui.games.pax.mail.standing_orders import SeatInstructions
from paxtui.games.pax.state import questions
from paxtui.games.pax.state.diplomacy import TABLED
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.war import FOUGHT, MANEUVER, War
from paxtui.games.pax.transaction import Transaction, find_refusal
from paxtui.games.pax.war import alliances
from paxtui.games.pax.war.alliances import commanders

StopKind = Literal["movement", "negotiation", "congress", "vote", "war", "spoils", "call"]
"""Kind of stop: orders; negotiation; meeting and proposals of a Congress; its votes and signatures; orders of an
Alliance in War; division of spoils; urgent choices (a call to War, a defiance, a deficit).
"""


class StopDeadline(NamedTuple):
    """Duration of a kind of stop.

    Attributes:
        days: the default.
        says: text that describes what the game waits for.
    """

    days: int
    says: str


STOP_DEADLINES: dict[StopKind, StopDeadline] = {
    "movement": StopDeadline(28, "orders of the Movement/Status Change Phase"),
    "negotiation": StopDeadline(28, "what is settled in the Negotiation Phase"),
    "congress": StopDeadline(28, "the Congress of Europe"),
    "vote": StopDeadline(14, "votes and signatures"),
    "war": StopDeadline(14, "orders in War"),
    "spoils": StopDeadline(14, "the division of spoils"),
    "call": StopDeadline(3, "an answer at once"),
}
"""Default durations: the longest that the rules for mail recommend, four weeks in peace and two in War."""

PACES: dict[str, dict[StopKind, int]] = {
    "slow": {kind: wait.days for kind, wait in STOP_DEADLINES.items()},
    "weekly": {"movement": 7, "negotiation": 4, "congress": 4, "vote": 3, "war": 4, "spoils": 3, "call": 2},
}
"""Days for each kind of stop, by the name of a pace. At "weekly" a peaceful turn ends within two weeks."""

_VOTES = (questions.Ballot, questions.Signature, questions.Tie)
_SPOILS = (questions.Spoils, questions.Cession, questions.Cessions)


def stop_kind(state: State) -> StopKind:
    open_questions = [choice.about for choice in state.choices if choice.about.pressing]
    if any(isinstance(about, _VOTES) for about in open_questions):
        return "vote"
    if any(isinstance(about, _SPOILS) for about in open_questions):
        return "spoils"
    if open_questions and all(isinstance(about, questions.WarRetreat) for about in open_questions):
        return "war"  # the form with their orders also orders retreats
    if open_questions and not any(
        isinstance(about, questions.CongressQuestion) and not isinstance(about, questions.Defiance)
        for about in open_questions
    ):
        return "call"
    for kind in ("movement", "negotiation", "congress"):
        if state.phase == kind:
            return kind
    return "war"


MAX_STEPS = 10_000
"""Steps after which a game without a stop is a program error."""

AUTOMATIC_QUESTIONS = (
    questions.FightOrDecline,
    questions.Combine,
    questions.Losses,
    questions.Retreat,
    questions.Coast,
    questions.JoinAttack,
    questions.WarLosses,
    questions.WarRetreat,
    questions.EndWaiver,
    questions.Return,
    questions.Site,
)
"""Questions that a mail game does not stop for (R-PBM-22)."""


def try_step(play: Transaction, step: Callable[[Transaction], None]) -> Refusal | None:
    """Do a step atomically; return the Refusal, if any.

    Raises:
        GameOver: the step ends the game.
    """
    trial = Transaction(play.tables, play.state, deepcopy(play.dice))
    refusal = find_refusal(lambda: step(trial))
    if refusal is None:
        step(play)
    return refusal


def should_stop(play: Transaction, instructions: SeatInstructions) -> bool:
    """Whether a mail game waits for its players now. Rules: PBM-117, PBM-128 (R-PBM-22, R-PBM-33)."""
    state = play.state
    open_questions = [choice for choice in state.choices if choice.about.pressing]
    if open_questions:
        return all(is_retreat_deferred(state, choice) for choice in open_questions) or any(
            not isinstance(choice.about, AUTOMATIC_QUESTIONS)
            and not (
                isinstance(choice.about, questions.Deficit)
                and standing_orders.find_answer(state, choice, instructions.get(choice.seat, ())) is not None
            )
            for choice in open_questions
        )
    if state.phase == "movement":
        return True
    if state.phase == "negotiation":
        return has_disputes(play)
    opening = state.phase == "war" and state.top.step != FOUGHT
    return _has_new_casus_belli(play) if opening else state.phase in ("congress", "war")


def has_disputes(play: Transaction) -> bool:
    """Whether there is something to negotiate: a Casus Belli, or new Control over a Minor Power's Influence.

    Rules: PBM-117, MIN-040
    """
    return bool(play.state.casus_belli) or any(
        power in play.state.minors and any(p in play.state.powers for p in controllers(play.state, area))
        for area in play.tables.areas
        for power in overruled_influences(play.state, area)
    )


def _has_new_casus_belli(play: Transaction) -> bool:
    """Whether a Casus Belli has arisen since the last stop and still exists. Rules: PBM-128."""
    there = {cause.id for cause in play.state.casus_belli}
    return any(isinstance(event, events.CasusBelliArose) and event.id in there for event in play.events)


Mover = tuple[str, int, int]
"""A War, its cycle, and the number of the Alliance whose turn it is."""


def movers(state: State) -> tuple[Mover, ...]:
    """The Alliances whose turn it is in War, in all independent Wars; empty outside the War Sequence.

    Rules: PBM-100
    """
    war = alliances.current_war(state) if state.phase == "war" else None
    if war is None or war.stage not in alliances.ALLIANCE_PHASES:
        return ((war.id, war.cycle, war.turn_of),) if war is not None else ()
    turn = war.order.index(war.turn_of)
    return tuple(
        (w.id, w.cycle, w.turn_of)
        for w in alliances.active_wars(state)
        if w.stage in alliances.ALLIANCE_PHASES and w.order.index(w.turn_of) == turn
    )


def pass_turns(play: Transaction, turns: tuple[Mover, ...]) -> None:
    """Pass for all waiting seats until the turns of some Alliances are over; none for a window of the War Phase.

    Rules: PBM-072, PBM-077, PBM-080
    """
    for _ in range(MAX_STEPS):
        war = alliances.current_war(play.state) if play.state.phase == "war" else None
        here = (war.id, war.cycle, war.turn_of) in turns if war is not None else not turns
        if play.state.result is not None or not here or play.state.has_pressing_choice:
            return
        if _pass(play) and not turns:
            return
    raise AssertionError("the turn never ends")


def pass_phase(play: Transaction) -> None:
    """Pass for all waiting seats until the current Phase of the War is over. Rules: PBM-077, PBM-100."""
    war = alliances.current_war(play.state)
    before = (war.id, war.cycle, war.turn_of, war.stage) if war is not None else None
    for _ in range(MAX_STEPS):
        war = alliances.current_war(play.state) if play.state.phase == "war" else None
        here = (war.id, war.cycle, war.turn_of, war.stage) if war is not None else None
        if play.state.result is not None or here != before or play.state.has_pressing_choice:
            return
        _pass(play)
    raise AssertionError("the Phase never ends")


def _pass(play: Transaction) -> bool:
    """Do one step: pass for all waiting seats, or else advance the game. Return whether a seat passed."""
    waited = bool(sequence.waiting_seats(play.tables, play.state))
    if waited:
        sequence.all_pass(play)
        sequence.continue_phase(play)
    else:
        sequence.advance(play)
    return waited


def is_retreat_deferred(state: State, choice: questions.Pending) -> bool:
    """Whether a retreat waits for the orders of its Alliance, which moves later in this cycle.

    Rules: PBM-074, PBM-075, PBM-125 (R-PBM-28, R-PBM-29)
    """
    about = choice.about
    war = state.war(about.war) if isinstance(about, questions.WarRetreat) else None
    if war is None or war.turn_of not in war.order:
        return False
    side = war.side_of(choice.power)
    return side in war.order and war.order.index(side) > war.order.index(war.turn_of)


def play_to_next_stop(play: Transaction, instructions: SeatInstructions) -> None:
    """Play on until the next stop or the end of the game. Standing instructions answer choices on the way.

    Raises: GameOver.
    Rules: PBM-005, PBM-032, PBM-107, PBM-126 (R-PBM-17)
    """
    for _ in range(MAX_STEPS):
        if play.state.result is not None:
            return
        if play.state.options.congress_beside_war and session.can_suspend(play.state):
            session.suspend_congress(play)
            continue
        if not sequence.waiting_seats(play.tables, play.state):
            sequence.advance(play)
            continue
        if session.is_war_suspended(play.state) and not play.state.declaring:
            session.swap_congress_and_war(play)
            continue
        standing_orders.appoint_commanders(play)
        if should_stop(play, instructions):
            return
        pressing = (c for c in play.state.choices if c.about.pressing and not is_retreat_deferred(play.state, c))
        choice = next(pressing, None)
        if choice is None:
            sequence.force_defaults(play)
            continue
        standing_orders.answer_choice(play, choice, instructions, try_step)
        sequence.resume(play)
    raise AssertionError("the game never stops")


def seats_to_ask(tables: Tables, state: State) -> tuple[str, ...]:
    """The seats whose forms a stop waits for: those with choices, else all seats that can act.

    All victors divide spoils at once. A seat that retreats with its orders is asked for those orders, too. A Congress
    asks all who may attend at once, even while a War suspends it.

    Rules: PBM-051, PBM-057, PBM-075, PBM-100, PBM-105, PBM-124
    """
    if session.is_suspended(state):
        both = {*seats_to_ask(tables, replace(state, waiting_phase=None)), *congress_seats(tables, state)}
        return tuple(seat for seat in state.players if seat in both)
    pressing = [choice for choice in state.choices if choice.about.pressing]
    here = tuple(seat for seat in state.players if seat not in state.abandoned)
    if not pressing and state.phase in sequence.OPEN:
        return here
    seats = {choice.seat for choice in pressing} | _concerned_by_congress(tables, state)
    moving = movers(state)
    for choice in pressing:
        about = choice.about
        war = state.war(about.war) if isinstance(about, _IN_WAR) else None
        if war is None:
            continue
        if isinstance(about, questions.Spoils):
            seats.update(ordering_seats(tables, state, war, war.side_of(choice.power)))
        elif is_retreat_deferred(state, choice):
            seats.update(ordering_seats(tables, state, war, alliances.following_turn(war)))
        elif isinstance(about, questions.CodominionWar):
            seats.update(ordering_seats(tables, state, war, war.turn_of))  # their attacks wait, too
    if not pressing:
        seats.update(sequence.waiting_seats(tables, state))
        for war in state.wars:
            if war.stage == MANEUVER and (war.id, war.cycle, war.turn_of) in moving:
                seats.update(ordering_seats(tables, state, war, war.turn_of))
    return tuple(seat for seat in here if seat in seats)


def congress_seats(tables: Tables, state: State) -> tuple[str, ...]:
    """The seats that a suspended Congress asks at a stop of the War. Rules: PBM-057."""
    if not session.is_suspended(state):
        return ()
    return seats_to_ask(tables, replace(session.with_congress_resumed(state), waiting_phase=None))


def _concerned_by_congress(tables: Tables, state: State) -> set[str]:
    """Seats that a stop of the Congress asks in addition to those with a pending choice.

    Seats that may attend propose with the form that accepts. Seats bound by a clause sign with the form of the vote.

    Rules: PBM-051, PBM-053, CON-031
    """
    congress = state.congress
    kinds = {type(choice.about) for choice in state.choices}
    if congress is None:
        return set()
    if kinds & {questions.Attend, questions.Invite}:
        return {*congress.members, *calling.european_seats(tables, state), *calling.overseas_seats(tables, state)}
    if questions.Ballot in kinds:
        tabled = [p for p in congress.proposals if p.stage == TABLED or p.id == congress.current]
        return {seat_of(tables, state, p) for t in tabled for p in calling.concerned_powers(tables, state, t.clauses)}
    return set()


_IN_WAR = (questions.Spoils, questions.WarRetreat, questions.CodominionWar)


def ordering_seats(tables: Tables, state: State, war: War, number: int) -> tuple[str, ...]:
    """The seats that give orders to an Alliance."""
    return tuple(seat for p in war.alliance(number) for seat in commanders(tables, state, war, p))
