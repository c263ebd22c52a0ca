"""Rule 4 where there is no War: the Power lowers its own Status marker, as far as it must and no farther.

Rules: ORD-011, ORD-048, CON-045 (R-ORD-06)
"""

from __future__ import annotations

from paxtui.bots.caretaker.desk import Desk
from paxtui.pax.board.status import at, established, level
from paxtui.pax.diplomacy.disputes import best_beside, dispute
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.casus_belli import MARKERS
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import LEVEL
from paxtui.pax.words.spoken import place_name


def give_way(desk: Desk) -> None:
    """Lower the Power's marker in every dispute that is still its own to settle.

    What has come before a Congress is left to it.

    Rules: ORD-011, ORD-048, CON-045
    """
    for area in disputed(desk.state, desk.power):
        own = established(desk.state, area, desk.power)
        if own is None or not _still_open(desk.state, area, desk.power):
            continue
        to = best_beside(desk.state, area, desk.power)
        if level(own) <= LEVEL[to]:
            continue
        why = f"Rule 4: no War over {place_name(desk.tables, area)}, its own marker goes down"
        desk.do(ac.Downgrade(to, area) if to else ac.Withdraw(own.marker, area), why)


def disputed(state: State, power: str) -> tuple[str, ...]:
    """Areas over which markers of the Power and of another dispute, in the order of the causes."""
    causes = (c for c in state.casus_belli if c.area and c.cause in MARKERS and power in (c.holder, c.against))
    return tuple(dict.fromkeys(cause.area for cause in causes))


def _still_open(state: State, area: str, power: str) -> bool:
    """Whether the dispute is there, and before no Congress of this turn."""
    found = dispute(state, area)
    if found is None or not any(power in (c.holder, c.against) for c in found.causes):
        return False
    called = state.congress
    before_it = called is not None and called.turn == state.turn and not called.outcome
    return bool(at(state, area).markers) and not before_it
