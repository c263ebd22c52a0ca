"""The Alliance Supply Determination Phase: Units and Areas of the phasing Alliance, judged on the board as it begins.

Rules: SUP-001, SUP-002, SUP-019, SUP-021, SUP-025, SUP-026 (R-SUP-01, R-SUP-02)
"""

from __future__ import annotations

from paxtui.pax.board.tables import Tables
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import NAVAL, Unit
from paxtui.pax.state.war import War
from paxtui.pax.war.campaign import coaling
from paxtui.pax.war.campaign.surrender import surrender


def check(play: Play, war: War) -> None:
    """Units of the phasing Alliance that are out of supply surrender, all together.

    Rules: SUP-001, SUP-002, SUP-021, SUP-026 (R-SUP-02)
    """
    tables, before = play.tables, play.state
    lost: dict[tuple[str, str], list[str]] = {}
    for place, units in (*((a, here.units) for a, here in before.areas.items()), *before.at_sea.items()):
        for unit in units:
            if unit.kind == NAVAL and war.side_of(unit.power) == war.turn_of:
                if not coaled(tables, before, war, unit, place):
                    lost.setdefault((unit.power, place), []).append(unit.name)
    for (power, place), names in lost.items():
        surrender(play, war, power, tuple(names), place, "no Coaling Rights", ("SUP-002", "SUP-021"))


def coaled(tables: Tables, state: State, war: War, unit: Unit, place: str) -> bool:
    """Whether a Naval Unit abroad has Coaling Rights where it lies.

    Rules: SUP-019, SUP-025 (R-SUP-01)
    """
    rights = coaling.rights(tables, state, war, unit.power)
    if place not in state.areas:
        return place in rights
    zones = (unit.coast,) if unit.coast else tables.areas[place].sea_zones
    return coaling.gives(state, war, unit.power, place) or any(zone in rights for zone in zones)
