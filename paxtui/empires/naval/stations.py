"""Waters worth political points to whoever holds them. No rule of the game: the exercise pays them, so that there is
something to sail for.
"""

from __future__ import annotations

from paxtui.empires.naval.stacks import fleets_at, group_of, ships, stack
from paxtui.empires.play.play import Play
from paxtui.empires.play.standing import at_war
from paxtui.empires.state.model import State
from paxtui.empires.tables.exercise import Station

OURS = "ours: stations"
"""What stands for the section where the rule is ours."""


def held(state: State, station: Station) -> bool:
    """Whether a station is held: enough ships in one of its sea areas, and no enemy there."""
    for place in station.where:
        own = stack(state, place, group_of(state, station.power))
        enemies = [fleet for fleet in fleets_at(state, place) if at_war(state, station.power, fleet.power)]
        if ships(own) >= station.ships and not enemies:
            return True
    return False


def pay(play: Play) -> None:
    """The points of every station that is held at the end of the naval phase."""
    for station in play.tables.exercise.stations:
        if held(play.state, station):
            play.points(station.power, station.points, station.why, OURS)
