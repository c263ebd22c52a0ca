"""What an agreement would leave on the map: the position once everybody has signed it.

Rules: NEG-002, WEN-028
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import at, seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.decide import played
from paxtui.pax.menus.trial import TRIAL
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import Treaty


def agreed(tables: Tables, state: State, treaty: Treaty) -> State | Refusal:
    """The position after a draft, were it signed by all of its parties now; or what stands in its way.

    Args: the tables; the position as the seat may know it; the draft.
    """
    last = treaty.parties[-1]
    nearly = replace(treaty, signed=tuple(p for p in treaty.parties if p != last))
    there = tuple(nearly if t.id == treaty.id else t for t in state.treaties)
    seat = seat_of(tables, state, last)
    order = ac.Sign(treaty.id, "" if seat == last else last)
    try:
        return played(tables, replace(state, treaties=there), seat, order, Dice(TRIAL)).state
    except Refusal as refusal:
        return refusal


def changed(before: State, after: State) -> tuple[str, ...]:
    """The Areas whose established markers are others after an agreement, in the order of the board."""

    def held(state: State, area: str) -> set[tuple[str, str]]:
        return {(m.power, m.marker) for m in at(state, area).markers if m.established}

    return tuple(area for area in before.areas if held(before, area) != held(after, area))
