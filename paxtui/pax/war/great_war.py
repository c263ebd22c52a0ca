"""When a War becomes the Great War by the number of European Powers in it, and who is to blame.

Rules: GWR-002 to GWR-020, ETI-033, BEL-003 (R-GWR-01 to R-GWR-03, R-GWR-06, Decision 54)
"""

from __future__ import annotations

from paxtui.pax.board.status import seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.play.play import GameOver, Play
from paxtui.pax.state.model import State
from paxtui.pax.state.war import REBELLION, War
from paxtui.pax.war.alliances import linked, unallied_empire

FOUR = 4
"""European Powers that make a War the Great War (GWR-002)."""
FEWEST_SEATS = 4
"""Seats of the game in which the European Great Powers with a player are enough (GWR-008)."""
JOINT = "played_by_germany"
"""Kind of the Power for whose entry as the fourth its seat is not to blame (GWR-007)."""


def overlapping(state: State, war: War) -> tuple[War, ...]:
    """The Wars that count as one with this one: those that a declaration has linked to it, and itself.

    Rules: GWR-013, GWR-014, ETI-033
    """
    found = {war.id}
    for _ in state.wars:
        for one, other in linked(state):
            if one.id in found or other.id in found:
                found |= {one.id, other.id}
    return tuple(w for w in state.wars if w.id in found)


def europeans(tables: Tables, wars: tuple[War, ...]) -> tuple[str, ...]:
    """The European Powers at War in some Wars, those without a player among them, in the order of the powers table.

    Rules: GWR-002, GWR-006, GWR-016, GWR-017, BEL-003
    """
    return tuple(p for p, row in tables.powers.items() if row.european and any(w.side_of(p) for w in wars))


def is_great(tables: Tables, state: State, war: War) -> bool:
    """Whether a War, with those that overlap it, is the Great War.

    Rules: GWR-002, GWR-008, GWR-009, GWR-010, GWR-011, GWR-012, GWR-014
    """
    if war.kind == REBELLION or unallied_empire(state, war):
        return False
    there = europeans(tables, overlapping(state, war))
    if len(there) >= FOUR:
        return True
    leading = [seat for seat in state.players if tables.powers[seat].european]
    return len(state.players) == FEWEST_SEATS and all(seat in there for seat in leading)


def test(play: Play, war: War, before: State, declarer: str, on: tuple[str, ...]) -> None:
    """End the game where the declaration just made has made its War the Great War.

    Args: the War as it is now; `before`: the position before the declaration; who declared, and on whom.
    Raises: GameOver.
    Rules: GWR-002, GWR-004 to GWR-007, GWR-015, GWR-017 to GWR-020, ETI-006 to ETI-008, ETI-042 (R-GWR-02)
    """
    if not is_great(play.tables, play.state, war):
        return
    wars = overlapping(play.state, war)
    powers = [first for w in wars for first in w.declared]
    joint = play.tables.powers[declarer].kind == JOINT
    fought = any(w.side_of(declarer) for w in before.wars if w.id in {x.id for x in wars})
    if not (joint and not fought):
        powers.append(declarer)  # by its own entry, or because its declaration has pulled the last one in
    else:
        powers.extend(on[:1])  # whose declaration has called the Power that came in last
    seats = [seat_of(play.tables, play.state, power) for power in powers]
    raise GameOver(tuple(seat for seat in play.state.players if seat in seats))
