"""Initiative Determination: which Alliance comes first in a cycle of the War Sequence.

Rules: WAR-022, WAR-023, WAR-024, WAR-025, WAR-055 (R-WAR-10, R-WAR-13, R-WAR-27)
"""

from __future__ import annotations

from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.war import War
from paxtui.pax.war.alliances import unallied_empire


def roll(play: Play, war: War) -> None:
    """Each Alliance rolls one die, the tied ones again for their places among each other; the Empires come first.

    Rules: WAR-022, WAR-023, WAR-024, WAR-055 (R-WAR-10, R-WAR-27)
    """
    numbers = tuple(n for n, side in enumerate(war.alliances, start=1) if side)
    empire = unallied_empire(play.state, war)
    if empire:
        first = war.side_of(empire)
        order = (first, *(n for n in numbers if n != first))
        rule = "WAR-022" if war.kind == "rebellion" else "WAR-023"
        play.emit(ev.InitiativeRolled(war=war.id, rolls=(), order=order, rules=(rule,)))
        return
    rolls: list[tuple[int, ...]] = []
    order = _ranked(play, numbers, len(war.alliances), rolls)
    play.emit(ev.InitiativeRolled(war=war.id, rolls=tuple(rolls), order=order, rules=("WAR-024", "WAR-025")))


def _ranked(play: Play, tied: tuple[int, ...], sides: int, rolls: list[tuple[int, ...]]) -> tuple[int, ...]:
    """Alliances in descending order of their dice; `rolls` gets every round, 0 for an Alliance that does not roll."""
    if len(tied) == 1:
        return tied
    dice = {number: play.dice.roll() for number in tied}
    rolls.append(tuple(dice.get(n, 0) for n in range(1, sides + 1)))
    order: tuple[int, ...] = ()
    for result in sorted(set(dice.values()), reverse=True):
        order += _ranked(play, tuple(n for n in tied if dice[n] == result), sides, rolls)
    return order
