"""War End Determination: what ends a War, and for whom.

Rules: WEN-027 to WEN-033, WEN-039 (R-WEN-01, R-WEN-03, R-WEN-11)
"""

from __future__ import annotations

from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.war import War

NO_UNITS, STALEMATE = "no_units", "stalemate"
QUIET = 3
"""Cycles in a row without an attack that make a Stalemate (WEN-032)."""


def test(play: Play, war: War) -> None:
    """Make the end tests of a War, in their order; it is decided, or it goes on.

    Rules: WEN-029, WEN-032, WEN-033, WEN-039 (R-WEN-01, R-WEN-03)
    """
    beaten = [n for n in range(1, len(war.alliances) + 1) if not abroad(play.state, war, n)]
    if beaten:
        left = [n for n in range(1, len(war.alliances) + 1) if n not in beaten]
        _decide(play, war, NO_UNITS if left else STALEMATE, left[0] if len(left) == 1 else 0, ("WEN-029", "WEN-039"))
    elif not war.attacked and war.quiet + 1 >= QUIET:
        _decide(play, war, STALEMATE, 0, ("WEN-032",))


def _decide(play: Play, war: War, test_: str, victor: int, rules: tuple[str, ...]) -> None:
    play.emit(ev.WarDecided(war=war.id, test=test_, victor=victor, rules=rules))


def abroad(state: State, war: War, number: int) -> bool:
    """Whether an Alliance has a Military Unit outside its Home Countries, in an Area or at sea.

    Rules: WEN-029 (R-WEN-01)
    """
    side = war.alliance(number)
    places = (*(here.units for here in state.areas.values()), *state.at_sea.values())
    return any(u.power in side for units in places for u in units)
