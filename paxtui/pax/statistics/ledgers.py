"""The figures of a Game Turn: points, money, Areas under Control, the two indexes."""

from __future__ import annotations

from collections.abc import Iterable

from paxtui.pax.board.holdings import holdings
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.statistics.course import TurnFigures


def figures(tables: Tables, state: State, events: Iterable[ev.Event]) -> TurnFigures:
    """The figures of the Game Turn that a position belongs to.

    Args: the tables; the position at the end of the Game Turn, or wherever it stands; what has happened in the turn.
    """
    return TurnFigures(
        turn=state.turn,
        year=tables.turns[state.turn - 1].year,
        points={seat: state.powers[seat].victory_points for seat in state.players},
        money=_most_money(state, events),
        income={power: p.record.get("22") for power, p in state.powers.items()},
        held={power: controlled(state, power) for power in (*state.powers, *state.minors)},
        tension=state.tension,
        resentment=state.resentment,
    )


def _most_money(state: State, events: Iterable[ev.Event]) -> dict[str, int]:
    """The most that lay in each Treasury at once."""
    most = {power: p.treasury for power, p in state.powers.items()}
    for event in events:
        if isinstance(event, ev.TreasuryChanged):
            most[event.power] = max(most.get(event.power, 0), event.total)
    return most


def controlled(state: State, power: str) -> int:
    """Areas under a Power's established Control, Codominions among them."""
    return sum(marker in CONTROL for _, marker in holdings(state, power))
