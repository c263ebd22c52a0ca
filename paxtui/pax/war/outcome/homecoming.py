"""Where Units go when a War ends: prisoners and those at sea home, the others from where they may not stay.

Rules: WEN-034, WEN-051, SUP-024 (R-WEN-10)
"""

from __future__ import annotations

from paxtui.pax.board.tables import HOME
from paxtui.pax.combat import retreats
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import units_at
from paxtui.pax.state.pieces import CONTROL, NAVAL
from paxtui.pax.state.war import War


def stragglers(play: Play) -> None:
    """The Units of Powers that have left a War in which others fight on come home.

    Rules: WEN-034, WEN-051, SUP-024 (R-WEN-09)
    """
    for war in play.state.wars:
        gone = tuple(p for p in war.left if not any(w.side_of(p) for w in play.state.wars))
        if gone:
            surrendered(play, war, gone)
            from_the_sea(play, war, gone)
            strangers(play, war, gone)
            guests(play, war, gone)


def surrendered(play: Play, war: War, whose: tuple[str, ...] = ()) -> None:
    """Units that have surrendered return to their owner's Home Area; `whose`: of these Powers, of all by default.

    Rules: SUP-024, WEN-051
    """
    for power in dict.fromkeys(s.power for s in war.surrendered):
        if whose and power not in whose:
            continue
        units = tuple(s.name for s in war.surrendered if s.power == power)
        if power not in play.tables.homes:
            continue
        boxes = play.tables.homes[power].boxes
        play.emit(
            ev.UnitsReturned(
                war=war.id,
                power=power,
                units=units,
                place=HOME + power,
                coast=boxes[0][0] if boxes else "",
                rules=("SUP-024", "WEN-051"),
            )
        )


def from_the_sea(play: Play, war: War, whose: tuple[str, ...] = ()) -> None:
    """Units of the War that stand in Sea and Cape Zones go to their owner's Home Area, fleets to the nearest box.

    Rules: WEN-051 (R-WEN-10)
    """
    for zone in tuple(play.state.at_sea):
        for unit in units_at(play.state, zone):
            if unit.power in (whose or war.powers) and unit.power in play.tables.homes:
                coast = _box(play, unit.power, zone) if unit.kind == NAVAL else ""
                play.emit(
                    ev.UnitsMoved(
                        power=unit.power,
                        units=(unit.name,),
                        path=(zone, HOME + unit.power),
                        coast=coast,
                        reason="home",
                        was_halted=unit.halted,
                        rules=("WEN-051",),
                    )
                )


def _box(play: Play, power: str, zone: str) -> str:
    """The home box nearest to a Sea or Cape Zone: the one on it, else the first."""
    boxes = play.tables.homes[power].boxes
    beside = play.tables.capes[zone].adjacent if zone in play.tables.capes else (zone,)
    return next((box[0] for box in boxes if set(box).intersection(beside)), boxes[0][0] if boxes else "")


def guests(play: Play, war: War, whose: tuple[str, ...] = ()) -> None:
    """Armies of the War that stand in the Home Country of the Power that their own seat plays go home.

    Rules: WEN-034, WMV-017
    """
    for country, units in tuple(play.state.homes.items()):
        for unit in units:
            if unit.power != country and unit.power in (whose or war.powers):
                play.emit(
                    ev.UnitsMoved(
                        power=unit.power,
                        units=(unit.name,),
                        path=(HOME + country, HOME + unit.power),
                        reason="home",
                        was_halted=unit.halted,
                        rules=("WEN-034", "WMV-017"),
                    )
                )


def strangers(play: Play, war: War, whose: tuple[str, ...] = ()) -> None:
    """Units of the War in Areas that their owner does not Control go home.

    Rules: WEN-034 (R-WEN-10)
    """
    for area, here in tuple(play.state.areas.items()):
        owners = {m.power for m in here.markers if m.established and m.marker in CONTROL}
        for power in dict.fromkeys(u.power for u in here.units):
            if power in (whose or war.powers) and power not in owners and power in play.tables.homes:
                retreats.send_home(play, power, area, ("WEN-034",))
