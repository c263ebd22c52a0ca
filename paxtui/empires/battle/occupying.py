"""Cities that nobody holds any more: who stands there may garrison them at once.

Rules: EIA 7.4.5.2, 7.5.1.3
"""

from __future__ import annotations

from paxtui.empires.history.land_events import CorpsStrength, Siege
from paxtui.empires.land.garrisons import CITY, add_garrison
from paxtui.empires.play.factors import minus, only
from paxtui.empires.play.play import Play
from paxtui.empires.play.presence import ARTILLERY, CORPS, city_holders, city_room
from paxtui.empires.state.pieces import Corps
from paxtui.empires.state.questions import Question

OCCUPY = "occupy"
"""What is asked: how many infantry factors of which corps go into a city."""

NOBODY = "nobody"

MOST = 5
"""Factors that are offered of a corps; more are detached in a later movement step (ours)."""


def fallen(play: Play) -> bool:
    """Ask the besieger of a city in which nobody is left; whether somebody is asked now."""
    for area, power in play.state.campaign.sieges.items():
        if not city_holders(play.state, area):
            return ask(play, power, area)
    return False


def ask(play: Play, power: str, area: str) -> bool:
    """Ask a Power whether to garrison a vacant city; whether it can. A siege of it is over."""
    if area in play.state.campaign.sieges:
        play.emit(Siege(area=area, power="", rules=("EIA 7.4.5.2",)))
    choices = [
        f"{corps.id}:{count}"
        for corps in play.state.corps.values()
        if corps.power == power and corps.where == area and not corps.inside
        for count in range(1, 1 + min(MOST, city_room(play.tables, play.state, area), _spare(corps)))
    ]
    if choices:
        play.ask(OCCUPY, power, (NOBODY, *choices), area, rules=("EIA 7.4.5.2", "EIA 7.5.1.3"))
    return bool(choices)


def _spare(corps: Corps) -> int:
    """The infantry that a corps can leave behind: one factor stays in it."""
    if corps.kind not in CORPS or corps.kind == ARTILLERY:
        return 0
    return min(corps.factors.infantry, corps.factors.total - 1)


def answered(play: Play, question: Question, choice: str) -> None:
    """The infantry goes into the city."""
    if choice == NOBODY:
        return
    name, _, count = choice.rpartition(":")
    corps = play.state.corps[name]
    some = only("infantry", int(count))
    play.emit(CorpsStrength(corps=name, factors=minus(corps.factors, some), why="detached", rules=question.rules))
    add_garrison(play, question.power, question.about[0], CITY, some, "occupied")
