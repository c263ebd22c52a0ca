"""The final reckoning, lines 27 to 31: who would stand where if the game ended now, and who where at its last turn.

From it follows what the Great War would do to a seat that is not to blame for it: all others lose the same points, so
it saves the rank of whoever stands better now than he will, and ruins that of whoever is catching up.
"""

from __future__ import annotations

from paxtui.bots.worth import pounds_a_point, years_left
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State
from paxtui.pax.turn.bonuses import current, of_turn, total

SAVED, RUINED = 0.4, 2.0
"""What tension weighs to whose rank the Great War would save, and to whose it would ruin."""
EARLY = 5
"""Game Turn before which nobody's rank is reckoned."""
IN_SIGHT = 50
"""European Tensions from which the Great War is in sight."""


def weight(tables: Tables, state: State, seat: str) -> float:
    """What a point of European Tensions weighs to a seat, 1.0 where the Great War is far or changes nothing."""
    if state.turn < EARLY or state.tension < IN_SIGHT or seat not in state.players:
        return 1.0
    now, later = rank(now_points(tables, state), seat), rank(last_points(tables, state), seat)
    return SAVED if now < later else RUINED if now > later else 1.0


def rank(points: dict[str, float], seat: str) -> int:
    """Rank of a seat, 1 for the first."""
    return 1 + sum(other > points[seat] for other in points.values())


def now_points(tables: Tables, state: State) -> dict[str, float]:
    """Victory Points by seat if the game ended now: lines 27, 28 and 29."""
    found = {}
    for seat in state.players:
        earned = 2.0 * _income(tables, state, seat) / max(1.0, pounds_a_point(tables, seat))
        found[seat] = state.powers[seat].victory_points + total(current(tables, state, seat)) + earned
    return found


def last_points(tables: Tables, state: State) -> dict[str, float]:
    """Victory Points by seat at the last turn, if all went on as they are."""
    years = years_left(tables, state)
    found = now_points(tables, state)
    for seat in found:
        office = tables.colonial_office.get(seat, ())
        net = _income(tables, state, seat) - _upkeep(tables, state, seat) + sum(office) / max(1, len(office))
        found[seat] += years * max(0.0, net) / max(1.0, pounds_a_point(tables, seat))
        found[seat] += years * total(of_turn(tables, state, seat))
    return found


def _income(tables: Tables, state: State, seat: str) -> float:
    """Pounds a turn from the Areas of a seat's Powers."""
    own = powers_of(tables, state, seat)
    return sum(
        tables.areas[area].value * tables.markers[m.marker].multiplier
        for area, here in state.areas.items()
        for m in here.markers
        if m.power in own and m.established
    )


def _upkeep(tables: Tables, state: State, seat: str) -> float:
    """Pounds a turn for the markers and the Units abroad of a seat's Powers."""
    own = powers_of(tables, state, seat)
    markers = (m for here in state.areas.values() for m in here.markers if m.power in own and m.established)
    units = (u for here in state.areas.values() for u in here.units if u.power in own)
    return sum(tables.markers[m.marker].maintenance for m in markers) + sum(u.strength for u in units)
