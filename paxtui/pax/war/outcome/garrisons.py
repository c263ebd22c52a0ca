"""Where the Units of a victorious Minor Power stand after a War.

Rules: WEN-047, WEN-048, WEN-049, WEN-050 (R-WEN-16, Decision 52)
"""

from __future__ import annotations

from paxtui.pax.board.neighbours import board
from paxtui.pax.board.status import controls
from paxtui.pax.board.tables import HOME
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import units_at
from paxtui.pax.state.pieces import ARMY, NAVAL, Unit, home
from paxtui.pax.state.war import War

REASON = "home"


def post(play: Play, war: War) -> None:
    """The Units of the victorious Minor Powers go to their posts.

    Rules: WEN-047, WEN-048, WEN-049, WEN-050
    """
    for power in war.alliance(war.victor):
        if power in play.state.minors and power in play.tables.homes:
            _armies(play, power)
            _fleets(play, war, power)


def _armies(play: Play, power: str) -> None:
    """One Army (1) in each Area that it Controls, from the box where it has too few; all others go home.

    Rules: WEN-047, WEN-048 (R-WEN-16)
    """
    held = [a for a in play.state.areas if controls(play.state, a, power)]
    for area, here in tuple(play.state.areas.items()):
        spare = [u for u in here.units if u.power == power and u.kind == ARMY]
        kept = next((u for u in spare if u.strength == 1), None) if area in held else None
        if kept:
            spare.remove(kept)
        for unit in spare:
            _move(play, unit, area, home(power), "", ("WEN-047",))
    held.sort(key=lambda a: (-play.tables.areas[a].value, a))
    for area in held:
        if any(u.power == power and u.kind == ARMY for u in units_at(play.state, area)):
            continue
        ready = next((u for u in units_at(play.state, home(power)) if u.kind == ARMY and u.strength == 1), None)
        if ready:
            _move(play, ready, home(power), area, "", ("WEN-047",))
        else:
            play.emit(ev.UnitsBuilt(power=power, units=("A1",), place=area, rules=("WEN-048",)))


def _fleets(play: Play, war: War, power: str) -> None:
    """The strongest fleet goes home, one to each Area where it had fleets, the best of them first, the rest home.

    Rules: WEN-049, WEN-050 (Decision 52)
    """
    places = [home(power), *play.state.areas]
    fleets = [(u, p) for p in places for u in units_at(play.state, p) if u.power == power and u.kind == NAVAL]
    origins = list(dict.fromkeys(f.area for f in war.began if f.power == power))
    origins = [a for a in origins if controls(play.state, a, power)]
    origins.sort(key=lambda a: (-play.tables.areas[a].value, a))
    for post in (home(power), *origins):
        if not fleets:
            return
        strongest = max(u.strength for u, _ in fleets)
        # of like fleets the one that lies there already stays
        unit, place = min((f for f in fleets if f[0].strength == strongest), key=lambda f: f[1] != post)
        fleets.remove((unit, place))
        _move(play, unit, place, post, _coast(play, power, post), ("WEN-049", "WEN-050"))
    for unit, place in fleets:
        _move(play, unit, place, home(power), _coast(play, power, home(power)), ("WEN-049",))


def _coast(play: Play, power: str, place: str) -> str:
    """The home box, or the coast of an Area with several, where a fleet comes to lie: the first."""
    if place.startswith(HOME):
        boxes = play.tables.homes[power].boxes
        return boxes[0][0] if boxes else ""
    return next(iter(board(play.tables, play.state).split_coasts(place)), "")


def _move(play: Play, unit: Unit, place: str, to: str, coast: str, rules: tuple[str, ...]) -> None:
    if place != to:
        play.emit(
            ev.UnitsMoved(
                power=unit.power,
                units=(unit.name,),
                path=(place, to),
                coast=coast,
                reason=REASON,
                was_halted=unit.halted,
                start_coast=unit.coast,
                rules=rules,
            )
        )
