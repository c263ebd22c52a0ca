"""A War played through on paper: what might come of it, with dice that are drawn, all under the General Orders.

Nothing is known of the game's own dice, nor of what others think: each rehearsal draws its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.pax import sequence
from paxtui.pax.board.tables import Tables
from paxtui.pax.decide import played
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import GameOver, Play
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Pending
from paxtui.pax.turn import final_record

TALKS_AND_WARS = ("negotiation", "congress", "chinese_resentment", "war")
"""Phases that are played through."""
MOST_STEPS = 400
"""Steps after which a rehearsal is broken off."""

Speaks = Callable[[State, Pending], ac.Choose | None]
"""What the seat answers to a question, None for what the rules take for granted."""
Until = Callable[[State], bool]
"""Whether a rehearsal has gone far enough."""


def rehearsed(
    tables: Tables,
    state: State,
    seat: str,
    first: Sequence[ac.Action],
    seed: str,
    times: int,
    speaks: Speaks,
    until: Until | None = None,
) -> Iterator[State]:
    """The positions after the Wars of the turn, so many of them, each with dice of its own; none where what comes
    first is refused.

    Args: the tables; the position; the seat that looks ahead; what it would do first; what the dice begin with; how
        often; its answers; what is far enough, None for the end of the Wars.
    """
    for n in range(times):
        dice = Dice(f"{seed}/{state.turn}/{n}")
        start = state
        for n_th, action in enumerate(first):
            try:
                start = played(tables, start, seat, action, dice).state
            except Refusal:
                if not n_th:
                    return
        play = Play(tables, replace(start, abandoned=state.players), dice)
        try:
            _through(play, seat, speaks, until)
        except GameOver as end:
            final_record.great_war(play, end.culprits)
        yield replace(play.state, abandoned=state.abandoned)


def _through(play: Play, seat: str, speaks: Speaks, until: Until | None) -> None:
    """Play to the end of the turn's Wars, or until it is far enough. Raises: GameOver."""
    for _ in range(MOST_STEPS):
        state = play.state
        if state.result is not None or state.phase not in TALKS_AND_WARS or (until and until(state)):
            return
        own = next((choice for choice in state.choices if choice.seat == seat), None)
        said = speaks(state, own) if own is not None else None
        if said is not None and _answered(play, seat, said):
            continue
        if state.choices or sequence.waiting(play.tables, state):
            sequence.force(play)
            continue
        if state.phase not in sequence.OPEN:
            sequence.now(play).run(play)
        done = play.state.result is None and not sequence.waiting(play.tables, play.state)
        if done and sequence.now(play).over(play.state):
            sequence.finish(play)


def _answered(play: Play, seat: str, said: ac.Choose) -> bool:
    """Give an answer; whether it was taken."""
    try:
        play.state = played(play.tables, play.state, seat, said, play.dice).state
    except Refusal:
        return False
    return True
