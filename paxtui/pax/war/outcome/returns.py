"""Units that have to leave an Area when a War is over, and go where their owner sends them.

They follow the rules of Movement; without another way they go to their Home Country.

Rules: REB-050, OTT-018, WEN-034 (R-REB-14, R-WEN-10)
"""

from __future__ import annotations

from paxtui.pax.board.paths import reach as movable
from paxtui.pax.board.paths import way
from paxtui.pax.board.status import controls, seat_of
from paxtui.pax.combat.retreats import harbours, way_home
from paxtui.pax.history import events as ev
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import units_at
from paxtui.pax.state.pieces import ARMY, NAVAL, Unit, home, unit_of
from paxtui.pax.state.questions import Pending, Return
from paxtui.pax.state.war import OTTOMAN, REBELLION, War
from paxtui.pax.words.names import OWN_HOME
from paxtui.pax.words.spoken import place_name

REASON = "home"
RULES = {REBELLION: ("REB-050",), OTTOMAN: ("WEN-034", "OTT-018")}
"""What sends Units away after a War of a kind; after any other it is WEN-034."""


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


def boxes(play: Play, unit: Unit, zone: str) -> dict[str, tuple[tuple[str, ...], str]]:
    """The port boxes that a fleet may go to from a Sea or Cape Zone, the nearest first; for a prisoner, from nowhere
    (""), in the order of the table. `home` where the Home Country has none.

    Rules: WEN-034, WEN-051 (R-WEN-10)
    """
    country = home(unit.power)
    beside = play.tables.capes[zone].adjacent if zone in play.tables.capes else (zone,)
    known = sorted(play.tables.homes[unit.power].boxes, key=lambda box: not set(box).intersection(beside))
    if len(play.tables.homes[unit.power].port_boxes) > 1:
        return {f"{OWN_HOME} {box[0]}": ((zone, country), box[0]) for box in known}
    return {OWN_HOME: ((zone, country), known[0][0] if known else "")}


def leave(play: Play, war: War) -> bool:
    """Ask about the Units of Powers with a player that have to leave; whether nobody is asked.

    They stand where their Power does not Control, or are fleets at sea or in prison whose Home Country has several
    boxes. Who has but one way goes it. Minor Powers' Units go home.

    Rules: REB-050, OTT-018, WEN-034, WEN-051 (R-REB-14, R-WEN-10)
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
                _go(play, war, unit, area, *way_home(ways))
    return not (_fleets(play, war) or asked)


def _fleets(play: Play, war: War) -> bool:
    """Ask about fleets at sea and prisoners whose Home Country has several boxes; whether there are any.

    Rules: WEN-051, SUP-024 (R-WEN-10)
    """
    prisoners = [(Unit(s.power, s.kind, s.strength), "") for s in war.surrendered]
    at_sea = [(unit, zone) for zone, units in play.state.at_sea.items() for unit in units]
    found = [
        (unit, zone)
        for unit, zone in (*at_sea, *prisoners)
        if unit.kind == NAVAL and unit.power in war.powers and seat_of(play.tables, play.state, unit.power)
    ]
    found = [(unit, zone) for unit, zone in found if len(play.tables.homes[unit.power].port_boxes) > 1]
    for unit, zone in found:
        _ask(play, war, unit, zone, tuple(boxes(play, unit, zone)))
    return bool(found)


def _ask(play: Play, war: War, unit: Unit, area: str, options: tuple[str, ...]) -> None:
    """Ask where one Unit goes."""
    play.offer(
        unit.power,
        Return(war=war.id, unit=unit.name, start=area),
        options,
        options[0],
        area,
        f"{unit.name} has to leave {place_name(play.tables, area)}. Where does it go?"
        if area
        else f"{unit.name} is set free. To which box of its Home Country does it go?",
        RULES.get(war.kind, ("WEN-034",)),
    )


def answer(play: Play, choice: Pending, about: Return, words: tuple[str, ...]) -> None:
    """The Unit goes where it is sent.

    Raises: Refusal `bad_answer`.
    Rules: REB-050, WEN-034, WEN-051
    """
    text = one_of(choice, words)
    war = next(w for w in play.state.wars if w.id == about.war)
    if not about.start:
        unit = unit_of(about.unit, choice.power)
        play.emit(
            ev.UnitsReturned(
                war=about.war,
                power=unit.power,
                units=(unit.name,),
                place=home(unit.power),
                coast=boxes(play, unit, "")[text][1],
                rules=("SUP-024", "WEN-051"),
            )
        )
        return
    unit = next(u for u in units_at(play.state, about.start) if (u.power, u.name) == (choice.power, about.unit))
    ways = places(play, unit, about.start) if about.start in play.state.areas else boxes(play, unit, about.start)
    _go(play, war, unit, about.start, *ways[text])


def _go(play: Play, war: War, unit: Unit, area: str, path: tuple[str, ...], coast: str) -> None:
    play.emit(
        ev.UnitsMoved(
            power=unit.power,
            units=(unit.name,),
            path=path,
            coast=coast,
            reason=REASON,
            was_halted=unit.halted,
            start_coast=unit.coast,
            rules=RULES.get(war.kind, ("WEN-034",)),
        )
    )
