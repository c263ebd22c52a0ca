"""What a Phase is to the sequence of play: what happens when it is reached, while it lasts, and when it ends.

Each Phase is a `PHASE` of the module of its rules; `paxtui.pax.sequence` strings them together.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State


def nothing(play: Play) -> None:
    """Nothing is to be done."""


def always(state: State) -> bool:
    """It comes in every Game Turn."""
    return True


def nobody(tables: Tables, state: State) -> tuple[str, ...]:
    """It waits for no seat but those that have a choice to make."""
    return ()


def not_ready(tables: Tables, state: State) -> tuple[str, ...]:
    """It waits for every seat that is not ready."""
    return tuple(seat for seat in state.players if seat not in state.ready)


def anybody(play: Play, seat: str) -> None:
    """A seat may be ready whenever it likes."""


def all_ready(play: Play) -> None:
    """Mark every seat ready, for the arbiter.

    Rules: SEQ-010
    """
    for seat in play.state.players:
        if seat not in play.state.ready:
            play.emit(ev.SeatReady(seat=seat, rules=("SEQ-010",)))


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """A Phase of the Game Turn.

    Attributes:
        name: its id, one of `PHASES`.
        due: whether play comes to it in this Game Turn.
        enter: what happens once, when play comes to it; it rolls nothing.
        begin: offers what is to be chosen, at the start and whenever something was answered; it rolls nothing.
        run: what is automatic; it rolls. A Phase has no more of it when its frame's step is "done".
        close: what happens when it ends.
        waits: the seats that it waits for now, besides those that have a choice to make.
        over: whether it may end once nobody is waited for; until then it is run again.
        open: whether all seats act at once in it, and say when they are ready.
        check_ready: whether a seat may be ready; raises a Refusal that says what is missing.
        force_ready: marks every seat ready, for the arbiter, and waives what cannot be mended.
    """

    name: str
    due: Callable[[State], bool] = always
    enter: Callable[[Play], None] = nothing
    begin: Callable[[Play], None] = nothing
    run: Callable[[Play], None] = nothing
    close: Callable[[Play], None] = nothing
    waits: Callable[[Tables, State], tuple[str, ...]] = nobody
    over: Callable[[State], bool] = always
    open: bool = False
    check_ready: Callable[[Play, str], None] = anybody
    force_ready: Callable[[Play], None] = all_ready
