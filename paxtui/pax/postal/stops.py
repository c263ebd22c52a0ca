"""Where a mail game stops for its players, and how it goes on until it does.

Rules: PBM-005, PBM-107, PBM-116, PBM-117, PBM-126, PBM-128 (R-PBM-17, R-PBM-22, R-PBM-33)
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

from paxtui.engine.refusal import Refusal
from paxtui.pax import sequence
from paxtui.pax.board.status import controllers
from paxtui.pax.board.tables import Tables
from paxtui.pax.diplomacy.disputes import overruled
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play, refusal_of
from paxtui.pax.postal import standing
from paxtui.pax.postal.standing import Instructions
from paxtui.pax.state import questions as qu
from paxtui.pax.state.model import State
from paxtui.pax.state.war import FOUGHT
from paxtui.pax.war import cycle

MOST_STEPS = 10_000
"""Steps after which a game that never stops would be a mistake of the program."""

UNASKED = (
    qu.FightOrDecline, qu.Combine, qu.Losses, qu.Retreat, qu.Coast, qu.JoinAttack, qu.WarLosses, qu.WarRetreat,
    qu.EndWaiver, qu.Return,
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
        return any(
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


def mover(state: State) -> Mover | None:
    """Whose turn it is in War; None outside the War Sequence."""
    war = cycle.current(state) if state.phase == "war" else None
    return (war.id, war.cycle, war.turn_of) if war is not None else None


def pass_on(play: Play, whose: Mover | None, stage: str = "") -> None:
    """All who are waited for pass, until the turn of an Alliance is over.

    Args: the decision in progress; whose turn it is, None for a window of the War Phase; the Phase of the Alliance
        before which to stop, "" for none.
    Rules: PBM-072, PBM-077, PBM-080
    """
    for _ in range(MOST_STEPS):
        war = cycle.current(play.state) if play.state.phase == "war" else None
        if play.state.result is not None or mover(play.state) != whose or (war and war.stage == stage):
            return
        if any(choice.about.pressing for choice in play.state.choices):
            return
        if sequence.waiting(play.tables, play.state):
            sequence.all_pass(play)
            sequence.go_on(play)
            if whose is None:
                return
        else:
            sequence.advance(play)
    raise AssertionError("the turn never ends")


def go_on(play: Play, instructions: Instructions) -> None:
    """Play on until the players are asked or the game is over; choices on the way follow the standing instructions.

    Raises: GameOver.
    Rules: PBM-005, PBM-032, PBM-107, PBM-126 (R-PBM-17)
    """
    for _ in range(MOST_STEPS):
        if play.state.result is not None:
            return
        if not sequence.waiting(play.tables, play.state):
            sequence.advance(play)
            continue
        if stops_here(play, instructions):
            return
        choice = next((c for c in play.state.choices if c.about.pressing), None)
        if choice is None:
            sequence.force(play)
            continue
        standing.answer(play, choice, instructions, attempt)
        sequence.resume(play)
    raise AssertionError("the game never stops")


def asked(tables: Tables, state: State) -> tuple[str, ...]:
    """The seats whose forms a stop is about: who is asked something, else all where all act at once, else who moves."""
    seats = {choice.seat for choice in state.choices if choice.about.pressing}
    if not seats:
        return state.players if state.phase in sequence.OPEN else sequence.waiting(tables, state)
    return tuple(seat for seat in state.players if seat in seats)
