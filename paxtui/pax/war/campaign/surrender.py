"""Units that surrender: set aside until the War ends.

Rules: SUP-020 to SUP-024, WCB-039, WMV-035 (R-WMV-07, R-WCB-13)
"""

from __future__ import annotations

from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, NAVAL
from paxtui.pax.state.questions import WarLosses, WarRetreat
from paxtui.pax.state.war import War
from paxtui.pax.war.alliances import allies, enemies


def surrender(
    play: Play, war: War, power: str, units: tuple[str, ...], place: str, reason: str, rules: tuple[str, ...]
) -> None:
    """Units of a Power surrender. Rules: SUP-020, SUP-021, SUP-022, SUP-023."""
    if units:
        play.emit(
            ev.UnitsSurrendered(war=war.id, power=power, units=units, place=place, reason=reason, rules=rules)
        )


def after_combat(play: Play, war: War, zone: str) -> None:
    """Surrender the armies that a naval combat leaves without a friendly fleet, once its losses and retreats are over.

    A fleet that retreats into the zone later does not save them.

    Rules: WCB-039 (Decision 61)
    """
    if zone not in play.state.at_sea:
        return
    if any(c.area == zone and isinstance(c.about, WarLosses | WarRetreat) for c in play.state.choices):
        return
    now = next((w for w in play.state.wars if w.id == war.id), None)
    if now and any(clash.place == zone for clash in now.clashes):
        _stranded_in(play, now, zone)


def stranded(play: Play, war: War) -> None:
    """Surrender armies at sea among enemy fleets without a friendly one, at the end of each Attack Phase.

    Rules: WCB-039, WMV-035, SUP-022 (R-WMV-07)
    """
    for zone in tuple(play.state.at_sea):
        _stranded_in(play, war, zone)


def _stranded_in(play: Play, war: War, zone: str) -> None:
    units = play.state.at_sea[zone]
    fleets = {u.power for u in units if u.kind == NAVAL}
    for power in dict.fromkeys(u.power for u in units if u.kind == ARMY):
        if fleets.intersection(enemies(war, power)) and not fleets.intersection(allies(war, power)):
            surrender(
                play, war, power, names(play.state, zone, power, ARMY), zone, "at sea among enemy fleets",
                ("WCB-039", "WMV-035", "SUP-022"),
            )  # fmt: skip


def names(state: State, place: str, power: str, kind: str) -> tuple[str, ...]:
    """Names of a Power's Units of a kind in an Area or at sea, heavy ones first."""
    here = state.areas[place].units if place in state.areas else state.at_sea.get(place, ())
    units = sorted((u for u in here if (u.power, u.kind) == (power, kind)), key=lambda u: -u.strength)
    return tuple(u.name for u in units)
