"""When a War becomes the Great War by the number of European Powers in it, and who is to blame.

Rules: GWR-002 to GWR-020, ETI-033, BEL-003 (R-GWR-01 to R-GWR-03, R-GWR-06, Decision 54)
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.pax.board.status import seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import GameOver, Play
from paxtui.pax.state.model import State
from paxtui.pax.state.war import GREAT, REBELLION, Declaration, War
from paxtui.pax.war.alliances import linked, merged, unallied_empire

FOUR = 4
"""European Powers that make a War the Great War (GWR-002)."""
FEWEST_SEATS = 4
"""Seats of the game in which the European Great Powers with a player are enough (GWR-008)."""
JOINT = "played_by_germany"
"""Kind of the Power for whose entry as the fourth its seat is not to blame (GWR-007)."""


def overlapping(state: State, war: War) -> tuple[War, ...]:
    """The Wars that count as one with this one, itself among them: those that a declaration has linked to it, and
    those in which one of its Powers fights too.

    A Rebellion, and a War against an Empire without an ally, counts with no other.

    Rules: GWR-010, GWR-011, GWR-013, GWR-014, ETI-033
    """
    counted = [w for w in state.wars if w.kind != REBELLION and not unallied_empire(state, w)]
    pairs = [(one.id, other.id) for one, other in linked(state)]
    pairs += [(w.id, x.id) for w in counted for x in counted if w is not x and set(w.powers) & set(x.powers)]
    found = {war.id}
    for _ in counted:
        found |= {id_ for pair in pairs for id_ in pair if found & set(pair)}
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


def culprits(tables: Tables, state: State, war: War, before: State, declaration: Declaration) -> tuple[str, ...]:
    """The seats to blame for the Great War that a declaration has brought about, in the order of the seats.

    The first declarer of each War in it, and whoever declared: as the fourth, or because that pulled the fourth in.
    Of a Power that is called by its own seat, and is the fourth, it is the Power whose declaration has called it.

    Args: the War as it is now; `before`: the position before the declaration.
    Rules: GWR-004 to GWR-007, GWR-015, GWR-018, GWR-020, ETI-006 to ETI-008, ETI-042 (R-GWR-02, R-GWR-07)
    """
    wars = overlapping(state, war)
    powers = [first for w in wars for first in w.declared]
    declarer = declaration.power
    fought = any(w.side_of(declarer) for w in before.wars if w.id in {x.id for x in wars})
    joint = declarer in tables.powers and tables.powers[declarer].kind == JOINT
    powers.append(declaration.called_by if joint and not fought else declarer)
    seats = [seat_of(tables, state, power) for power in powers if power]
    return tuple(seat for seat in state.players if seat in seats)


def test(play: Play, war: War, before: State, declaration: Declaration) -> None:
    """End the game where the declaration just made has made its War the Great War.

    Args: as for `culprits`.
    Raises: GameOver.
    Rules: GWR-002, GWR-003, GWR-017, GWR-019
    """
    if is_great(play.tables, play.state, war):
        to_blame = culprits(play.tables, play.state, war, before, declaration)
        _named(play, war)
        raise GameOver(to_blame)


def beside(play: Play, end: GameOver, war: War, before: State, declaration: Declaration) -> GameOver:
    """The end of the game by an Index of 100, with the blame for a Great War that the same declaration makes.

    Rules: ETI-009, ETI-042 (R-ETI-06)
    """
    if not is_great(play.tables, play.state, war):
        return end
    to_blame = {*end.culprits, *culprits(play.tables, play.state, war, before, declaration)}
    _named(play, war)
    return GameOver(tuple(seat for seat in play.state.players if seat in to_blame))


def _named(play: Play, war: War) -> None:
    """The Wars that overlap are one from now on, and that is the Great War.

    Rules: GWR-002, GWR-014
    """
    first, *others = overlapping(play.state, war)
    one = first
    for other in others:
        one = merged(one, other)
    play.emit(
        ev.GreatWarBegan(
            war=replace(one, kind=GREAT), gone=tuple(w.id for w in others), rules=("GWR-002", "GWR-014")
        )
    )
