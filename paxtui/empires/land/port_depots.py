"""Depots inside port cities: when they come out, and when they are lost.

Rules: EIA 7.4.3.4
"""

from __future__ import annotations

from paxtui.empires.history.land_events import DepotPlaced, DepotRemoved
from paxtui.empires.play.play import Play
from paxtui.empires.play.presence import besieged, city_holders, depot_at
from paxtui.empires.state.pieces import Depot
from paxtui.empires.supply.lines import valid_chain
from paxtui.empires.supply.sea_supply import reached_by_sea


def come_out(play: Play) -> None:
    """After a movement step: depots in port cities come out where the siege is over, and go where the sea is closed.

    Rules: EIA 7.4.3.4.3, 7.4.3.4.4, 7.4.3.4.5
    """
    for one in play.state.depots:
        if not one.inside:
            continue
        area, power = one.where, one.power
        chain = valid_chain(play.tables, play.state, power)
        if power not in city_holders(play.state, area):
            # Whoever holds the city has made an end of it.
            gone = DepotRemoved(where=area, power=power, inside=True, why="city lost", rules=("EIA 7.4.3.4.5",))
            play.emit(gone)
        elif not besieged(play.state, area):
            if power in play.state.cursor.powers:
                _out(play, one)
        elif not reached_by_sea(play.tables, play.state, power, area, chain):
            gone = DepotRemoved(where=area, power=power, inside=True, why="cut off", rules=("EIA 7.4.3.4.4",))
            play.emit(gone)


def _out(play: Play, depot: Depot) -> None:
    """A depot comes out of its city, and destroys an enemy's in the area. Rules: EIA 7.4.3.4.3"""
    rules = ("EIA 7.4.3.4.3",)
    other = depot_at(play.state, depot.where)
    if other is not None:
        play.emit(DepotRemoved(where=depot.where, power=other.power, why="relieved", rules=rules))
    play.emit(DepotRemoved(where=depot.where, power=depot.power, inside=True, why="comes out", rules=rules))
    moved = Depot(where=depot.where, power=depot.power, since=depot.since)
    play.emit(DepotPlaced(depot=moved, rules=rules))
