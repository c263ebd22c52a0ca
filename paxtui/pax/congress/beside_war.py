"""A Congress of Europe that stays open while the War Sequence runs: an option of mail games.

One of the two is in the foreground; the position of the other waits in `State.beside`. The Victory Point Record waits
for both: a War Phase that is over gives way to the Congress, and is taken up again when the Congress is over.

Rules: PBM-057, WAR-046 (R-WAR-17, Decision 66)
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.pax.congress import conflicts
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.congress import ARMS, CLOSING
from paxtui.pax.state.model import JOINED, SET_ASIDE, SWAPPED, State
from paxtui.pax.state.progress import SITTING
from paxtui.pax.state.war import FOUGHT

RULES = ("PBM-057",)
CONGRESS, WAR = "congress", "war"


def may_be_set_aside(state: State) -> bool:
    """Whether War has been declared while the sitting Congress still has disputes that the War will not settle.

    Rules: PBM-057, WAR-046
    """
    congress, top = state.congress, state.top
    if state.beside is not None or congress is None or congress.spoils or not state.wars or state.declaring:
        return False
    sits = top.phase == SITTING and top.step not in (ARMS, CLOSING)
    return sits and bool(conflicts.negotiable(state))


def set_aside(play: Play) -> None:
    """Leave the Congress open and go on with the Game Turn. Rules: PBM-057."""
    play.emit(ev.CongressBesideWar(to=SET_ASIDE, rules=RULES))


def is_aside(state: State) -> bool:
    """Whether a Congress waits in the background of a War Phase."""
    return state.beside is not None and state.phase == WAR


def war_waits(state: State) -> bool:
    """Whether the Congress is in the foreground while a War that is not over waits in the background."""
    beside = state.beside
    if beside is None or state.phase != CONGRESS or beside.frames[0].phase != WAR:
        return False
    return bool(state.wars or beside.choices) or beside.frames[0].step != FOUGHT


def swap(play: Play) -> None:
    """Exchange the Congress and the War: what was in the background is played now. Rules: PBM-057."""
    play.emit(ev.CongressBesideWar(to=SWAPPED, rules=RULES))


def hold_up_end(play: Play) -> bool:
    """When a Phase is about to end: go on with the other one of Congress and War, if it is not over yet.

    Returns: whether the Phase may not end yet.
    Rules: PBM-057 (R-WAR-17)
    """
    state = play.state
    if state.beside is None:
        return False
    if is_aside(state):
        swap(play)
        return True
    if state.phase == CONGRESS and state.beside.frames[0].phase == WAR:
        play.emit(ev.CongressBesideWar(to=JOINED, rules=RULES))
        return True
    return False


def congress_view(state: State) -> State:
    """The position with the Congress in the foreground, where it is in the background."""
    beside = state.beside
    if beside is None or not is_aside(state):
        return state
    return replace(state, frames=beside.frames, choices=beside.choices, ready=beside.ready)
