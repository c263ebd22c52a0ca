"""Where a mail game stops for its players, and how it goes on until it does.

Rules: PBM-005, PBM-107, PBM-116, PBM-117, PBM-126, PBM-128 (R-PBM-17, R-PBM-22, R-PBM-33)
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax import sequence
from paxtui.pax.board.status import controllers, seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.congress import beside_war, calling, conflicts
from paxtui.pax.diplomacy.disputes import overruled
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play, refusal_of
from paxtui.pax.postal import in_war, standing
from paxtui.pax.postal.standing import Instructions
from paxtui.pax.state import questions as qu
from paxtui.pax.state.congress import TABLED
from paxtui.pax.state.model import State
from paxtui.pax.state.war import FOUGHT, MANEUVER, War
from paxtui.pax.war import cycle
from paxtui.pax.war.alliances import commanders

MOST_STEPS = 10_000
"""Steps after which a game that never stops would be a mistake of the program."""

UNASKED = (
    qu.FightOrDecline, qu.Combine, qu.Losses, qu.Retreat, qu.Coast, qu.JoinAttack, qu.WarLosses, qu.WarRetreat,
    qu.EndWaiver, qu.Return, qu.Site,
)  # fmt: skip
"""Questions that a mail game does not stop for (R-PBM-22)."""


def attempt(play: Play, step: Callable[[Play], None]) -> Refusal | None:
    """Do a step if it can be done. Returns: what forbids it, and then nothing has happened. Raises: GameOver."""

    def on_trial() -> None:
        trial = Play(play.tables, play.state, deepcopy(play.dice))
        step(trial)

    refusal = refusal_of(on_trial)
    if refusal is None:
        step(play)
    return refusal


def stops_here(play: Play, instructions: Instructions) -> bool:
    """Whether a mail game waits for its players now.

    Args: the decision in progress; the standing instructions by seat.
    Rules: PBM-117, PBM-128 (R-PBM-22, R-PBM-33)
    """
    state = play.state
    asked = [choice for choice in state.choices if choice.about.pressing]
    if asked:
        return all(held_back(state, choice) for choice in asked) or any(
            not isinstance(choice.about, UNASKED)
            and not (isinstance(choice.about, qu.Deficit) and standing.instructed(state, choice, instructions))
            for choice in asked
        )
    if state.phase == "movement":
        return True
    if state.phase == "negotiation":
        return in_dispute(play)
    opening = state.phase == "war" and state.top.step != FOUGHT
    return _arose_since(play) if opening else state.phase in ("congress", "war")


def in_dispute(play: Play) -> bool:
    """Whether there is anything to negotiate: a Casus Belli, or Control newly taken over a Minor Power's Influence.

    Rules: PBM-117, MIN-040
    """
    return bool(play.state.casus_belli) or any(
        power in play.state.minors and any(p in play.state.powers for p in controllers(play.state, area))
        for area in play.tables.areas
        for power in overruled(play.state, area)
    )


def _arose_since(play: Play) -> bool:
    """Whether a Casus Belli has arisen since the players were last asked, and is still there. Rules: PBM-128."""
    there = {cause.id for cause in play.state.casus_belli}
    return any(isinstance(event, ev.CasusBelliArose) and event.id in there for event in play.events)


Mover = tuple[str, int, int]
"""A War, its cycle, and the number of the Alliance whose turn it is."""


def movers(state: State) -> tuple[Mover, ...]:
    """Whose turns it is in War, those of independent Wars at the same time; none outside the War Sequence.

    Rules: PBM-100
    """
    war = cycle.current(state) if state.phase == "war" else None
    if war is None or war.stage not in cycle.TURN:
        return ((war.id, war.cycle, war.turn_of),) if war is not None else ()
    turn = war.order.index(war.turn_of)
    return tuple(
        (w.id, w.cycle, w.turn_of)
        for w in cycle.fought(state)
        if w.stage in cycle.TURN and w.order.index(w.turn_of) == turn
    )


def pass_on(play: Play, whose: tuple[Mover, ...]) -> None:
    """All who are waited for pass, until the turns of some Alliances are over.

    Args: the decision in progress; whose turns it is, none for a window of the War Phase.
    Rules: PBM-072, PBM-077, PBM-080
    """
    for _ in range(MOST_STEPS):
        war = cycle.current(play.state) if play.state.phase == "war" else None
        here = (war.id, war.cycle, war.turn_of) in whose if war is not None else not whose
        if play.state.result is not None or not here or _pressed(play.state):
            return
        if _pass(play) and not whose:
            return
    raise AssertionError("the turn never ends")


def pass_phase(play: Play) -> None:
    """All who are waited for pass, until the Phase of the War that is played now is over. Rules: PBM-077, PBM-100."""
    war = cycle.current(play.state)
    before = (war.id, war.cycle, war.turn_of, war.stage) if war is not None else None
    for _ in range(MOST_STEPS):
        war = cycle.current(play.state) if play.state.phase == "war" else None
        here = (war.id, war.cycle, war.turn_of, war.stage) if war is not None else None
        if play.state.result is not None or here != before or _pressed(play.state):
            return
        _pass(play)
    raise AssertionError("the Phase never ends")


def _pass(play: Play) -> bool:
    """A step: whoever is waited for passes, or the game goes on by itself; whether somebody has passed."""
    waited = bool(sequence.waiting(play.tables, play.state))
    if waited:
        sequence.all_pass(play)
        sequence.go_on(play)
    else:
        sequence.advance(play)
    return waited


def _pressed(state: State) -> bool:
    return any(choice.about.pressing for choice in state.choices)


def held_back(state: State, choice: qu.Pending) -> bool:
    """Whether a retreat waits for the orders of its Alliance, which has still to move in this cycle.

    Rules: PBM-074, PBM-075, PBM-125 (R-PBM-28, R-PBM-29)
    """
    about = choice.about
    war = next((w for w in state.wars if isinstance(about, qu.WarRetreat) and w.id == about.war), None)
    if war is None or war.turn_of not in war.order:
        return False
    side = war.side_of(choice.power)
    return side in war.order and war.order.index(side) > war.order.index(war.turn_of)


def go_on(play: Play, instructions: Instructions) -> None:
    """Play on until the players are asked or the game is over; choices on the way follow the standing instructions.

    Raises: GameOver.
    Rules: PBM-005, PBM-032, PBM-107, PBM-126 (R-PBM-17)
    """
    for _ in range(MOST_STEPS):
        if play.state.result is not None:
            return
        if play.state.options.congress_beside_war and beside_war.may_be_set_aside(play.state):
            beside_war.set_aside(play)
            continue
        if not sequence.waiting(play.tables, play.state):
            sequence.advance(play)
            continue
        if beside_war.war_waits(play.state) and not play.state.declaring:
            beside_war.swap(play)
            continue
        in_war.name_commanders(play)
        if stops_here(play, instructions):
            return
        pressing = (c for c in play.state.choices if c.about.pressing and not held_back(play.state, c))
        choice = next(pressing, None)
        if choice is None:
            sequence.force(play)
            continue
        standing.answer(play, choice, instructions, attempt)
        sequence.resume(play)
    raise AssertionError("the game never stops")


def asked(tables: Tables, state: State) -> tuple[str, ...]:
    """The seats whose forms a stop is about: who is asked something, else all where all act at once, else who moves.

    Where spoils are divided all victors are asked at once; who retreats with his orders is asked for these, too. A
    Congress asks at once all who may sit in it, also where it is beside a War.

    Rules: PBM-051, PBM-057, PBM-075, PBM-100, PBM-105, PBM-124
    """
    if beside_war.is_aside(state):
        both = {*asked(tables, replace(state, beside=None)), *asked_by_congress(tables, state)}
        return tuple(seat for seat in state.players if seat in both)
    pressing = [choice for choice in state.choices if choice.about.pressing]
    here = tuple(seat for seat in state.players if seat not in state.abandoned)
    if not pressing and state.phase in sequence.OPEN:
        return here
    seats = {choice.seat for choice in pressing} | _concerned_by_congress(tables, state)
    moving = movers(state)
    for choice in pressing:
        about = choice.about
        war = next((w for w in state.wars if isinstance(about, _IN_WAR) and w.id == about.war), None)
        if war is None:
            continue
        if isinstance(about, qu.Spoils):
            seats.update(orderers(tables, state, war, war.side_of(choice.power)))
        elif held_back(state, choice):
            seats.update(orderers(tables, state, war, cycle.following_turn(war)))
        elif isinstance(about, qu.CodominionWar):
            seats.update(orderers(tables, state, war, war.turn_of))  # his attacks wait, too
    if not pressing:
        seats.update(sequence.waiting(tables, state))
        for war in state.wars:
            if war.stage == MANEUVER and (war.id, war.cycle, war.turn_of) in moving:
                seats.update(orderers(tables, state, war, war.turn_of))
    return tuple(seat for seat in here if seat in seats)


def asked_by_congress(tables: Tables, state: State) -> tuple[str, ...]:
    """The seats that a Congress beside a War asks at a stop of the War. Rules: PBM-057."""
    if not beside_war.is_aside(state):
        return ()
    return asked(tables, replace(beside_war.congress_view(state), beside=None))


def _concerned_by_congress(tables: Tables, state: State) -> set[str]:
    """Seats that a stop of the Congress asks besides those with a pending choice.

    All who may attend propose with the form that says so; all whom a clause binds sign with the form of the vote.

    Rules: PBM-051, PBM-053, CON-031
    """
    congress = state.congress
    kinds = {type(choice.about) for choice in state.choices}
    if congress is None:
        return set()
    if kinds & {qu.Attend, qu.Invite}:
        return {*congress.members, *calling.european(tables, state), *calling.overseas(tables, state)}
    if qu.Ballot in kinds:
        tabled = [p for p in congress.proposals if p.stage == TABLED or p.id == congress.current]
        return {seat_of(tables, state, p) for t in tabled for p in conflicts.concerned(tables, state, t.clauses)}
    return set()


_IN_WAR = (qu.Spoils, qu.WarRetreat, qu.CodominionWar)


def orderers(tables: Tables, state: State, war: War, number: int) -> tuple[str, ...]:
    """The seats that give orders to an Alliance."""
    return tuple(seat for p in war.alliance(number) for seat in commanders(tables, state, war, p))
