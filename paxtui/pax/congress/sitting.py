"""The Congress that sits at the moment: what stands before it, and letting it go on."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.congress import CALLED, OVER, Congress, Proposal
from paxtui.pax.state.model import State
from paxtui.pax.state.progress import SITTING


def sitting(play: Play) -> Congress:
    """The Congress of the moment; the Phase is not there without one."""
    found = play.state.congress
    assert found is not None
    return found


def step_of(state: State, congress: Congress) -> str:
    """The step at which a Congress is: CALLED before it sits, OVER when it has an outcome."""
    if congress.outcome:
        return OVER
    return state.top.step if state.top.phase == SITTING else CALLED


def change(play: Play, note: str, rules: tuple[str, ...], step: str = "", **changes: object) -> Congress:
    """Let the Congress go on, to another step if one is named: what has changed, and a sentence for everybody."""
    congress, top = replace(sitting(play), **changes), play.state.top
    at = step or (top.step if top.phase == SITTING else "")
    play.emit(ev.CongressChanged(congress=congress, note=note, step=at, rules=rules))
    return congress


def current(congress: Congress) -> Proposal:
    """The proposal that is voted on, or was adopted."""
    found = congress.proposal(congress.current)
    assert found is not None
    return found
