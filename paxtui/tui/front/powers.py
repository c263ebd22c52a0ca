"""What each Power begins with and what it may earn beside income, for whoever chooses one."""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.pax.board.holdings import holdings
from paxtui.pax.board.tables import Tables
from paxtui.pax.position.setup import new_game
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY
from paxtui.pax.turn.bonuses import open_to
from paxtui.pax.words.spoken import power_name


def begins_with(tables: Tables, seats: Sequence[str]) -> list[tuple[str, str]]:
    """The Powers of these seats: their names, and a few lines about each."""
    state = new_game(tables, tuple(seats), {})
    return [(power_name(tables, seat), "\n".join(_lines(tables, state, seat))) for seat in seats]


def _lines(tables: Tables, state: State, seat: str) -> list[str]:
    """What a Power begins with, then the bonuses that it alone may get: those of all Powers tell none from another."""
    units = [u for here in state.areas.values() for u in here.units if u.power == seat]
    units += state.homes.get(seat, ())
    armies, fleets = (sum(u.strength for u in units if (u.kind == ARMY) == army) for army in (True, False))
    held = len(holdings(state, seat))
    markers = f"{held} Status marker{'s' * (held != 1)}" if held else "no Status markers"
    own = [(row.points, what) for row, what in open_to(tables, seat) if getattr(row, "power", "") == seat]
    return [
        f"In 1880: {markers}, armies of strength {armies}, fleets of {fleets}.",
        *(f"{points:+d} {what}" for points, what in own),
    ]
