"""Units that have to leave an Area when a Rebellion is over, and go where their owner sends them.

They follow the rules of Movement; without another way they go to their Home Country.

Rules: REB-050, WEN-034 (R-REB-14)
"""

from __future__ import annotations

from paxtui.pax.board.paths import reach as movable
from paxtui.pax.board.paths import way
from paxtui.pax.board.status import controls, seat_of
from paxtui.pax.combat.retreats import harbours
from paxtui.pax.history import events as ev
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import units_at
from paxtui.pax.state.pieces import ARMY, Unit, home
from paxtui.pax.state.questions import Pending, Return
from paxtui.pax.state.war import War
from paxtui.pax.words.names import OWN_HOME
from paxtui.pax.words.spoken import place_name

REASON = "home"


def places(play: Play, unit: Unit, area: str) -> dict[str, tuple[tuple[str, ...], str]]:
    """Where a Unit may go: each place as it is named in an answer, with the path there and the coast; home first for an
    army, the nearest port for a fleet.

    Rules: REB-050 (R-REB-14)
    """
    tables, state, power = play.tables, play.state, unit.power
    if unit.kind != ARMY:
        return {text: ((area, place), coast) for text, (place, coast) in harbours(tables, state, power, area).items()}
    found = {OWN_HOME: (way(tables, state, power, area, home(power)) or (area, home(power)), "")}
    for place, path in movable(tables, state, power, area).items():
        if controls(state, place, power):
            found[place] = path, ""
    return found


def leave(play: Play, war: War) -> bool:
    """Ask about the Units of Powers with a player that stand where these do not Control; whether nobody is asked.

    Who has but one way goes it. Minor Powers' Units go home.

    Rules: REB-050, WEN-034 (R-REB-14)
    """
    asked = False
    for area in tuple(play.state.areas):
        for unit in units_at(play.state, area):
            if unit.power not in war.powers or unit.power not in play.tables.homes:
                continue
            if controls(play.state, area, unit.power):
                continue
            ways = places(play, unit, area)
            if len(ways) > 1 and seat_of(play.tables, play.state, unit.power):
                _ask(play, war, unit, area, tuple(ways))
                asked = True
            else:
                _go(play, unit, area, *ways[OWN_HOME])
    return not asked


def _ask(play: Play, war: War, unit: Unit, area: str, options: tuple[str, ...]) -> None:
    """Ask where one Unit goes."""
    play.offer(
        unit.power,
        Return(war=war.id, unit=unit.name, start=area),
        options,
        options[0],
        area,
        f"{unit.name} has to leave {place_name(play.tables, area)}. Where does it go?",
        ("REB-050",),
    )


def answer(play: Play, choice: Pending, about: Return, words: tuple[str, ...]) -> None:
    """The Unit goes where it is sent.

    Raises: Refusal `bad_answer`.
    Rules: REB-050
    """
    text = one_of(choice, words)
    unit = next(u for u in units_at(play.state, about.start) if (u.power, u.name) == (choice.power, about.unit))
    _go(play, unit, about.start, *places(play, unit, about.start)[text])


def _go(play: Play, unit: Unit, area: str, path: tuple[str, ...], coast: str) -> None:
    play.emit(
        ev.UnitsMoved(
            power=unit.power,
            units=(unit.name,),
            path=path,
            coast=coast,
            reason=REASON,
            was_halted=unit.halted,
            start_coast=unit.coast,
            rules=("REB-050",),
        )
    )
