"""Coaling Rights: the Sea and Cape Zones in which the fleets of a Power can be kept supplied.

Rules: WMV-021 to WMV-026, WMV-028, WMV-029, SUP-007, SUP-019, SUP-025 (R-WMV-04, R-WMV-05, R-SUP-01)
"""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.pax.board.neighbours import board
from paxtui.pax.board.remembered import MadeOf, remembered
from paxtui.pax.board.status import at, controllers, controls
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, INFLUENCE, AreaState, Unit
from paxtui.pax.state.war import War
from paxtui.pax.war import cycle, empire
from paxtui.pax.war.alliances import allies
from paxtui.pax.words.spoken import place_name, power_name


def gives(state: State, war: War, power: str, area: str) -> bool:
    """Whether an Area gives Coaling Rights to the Alliance of a Power.

    A marker of the Alliance that the enemy has not conquered, an Area it has conquered, or one volunteered to it; what
    a neutral holds in a shared Area is not conquered. Or a defeated Area of an Empire that it occupies.

    Rules: WMV-022 to WMV-026, SUP-007, SUP-029, REB-005 (R-WMV-04, R-WMV-05, R-REB-19)
    """
    side = war.side_of(power)
    conqueror = war.conqueror(area)
    if conqueror == side != 0 or (empire.against(war, (power,)) and empire.occupied(state, war, area)):
        return True
    if not conqueror and _marked(at(state, area), allies(war, power)):
        return True
    if not any(c.area == area and c.to == side for c in war.coaling):
        return False
    held = {war.side_of(p) for p in controllers(state, area)}
    return 0 in held or (side in held and not conqueror)  # he may be with the enemy since


def _marked(here: AreaState, powers: tuple[str, ...]) -> bool:
    """Whether one of these Powers has an Influence or Control marker in an Area. Rules: WMV-022, WMV-023."""
    for m in here.markers:
        if m.power in powers and m.established and (m.marker in CONTROL or m.marker == INFLUENCE):
            return True
    return False


def rights(tables: Tables, state: State, war: War, power: str) -> frozenset[str]:
    """The Sea and Cape Zones in which a Power has Coaling Rights.

    Rules: WMV-021 to WMV-026, WMV-028, WMV-029
    """
    found = {*board(tables, state).zones_of.get(HOME + power, ()), *_coaled(tables, state, war, power)}
    found.update(cape.id for cape in tables.capes.values() if found.intersection(cape.adjacent))
    return frozenset(found)


def coaled(tables: Tables, state: State, war: War, unit: Unit, place: str) -> bool:
    """Whether a Naval Unit abroad has Coaling Rights where it lies.

    Rules: SUP-019, SUP-025 (R-SUP-01)
    """
    if place in state.areas and gives(state, war, unit.power, place):
        return True
    zones = (place,) if place not in state.areas else (unit.coast,) if unit.coast else tables.areas[place].sea_zones
    found = rights(tables, state, war, unit.power)
    return any(zone in found for zone in zones)


def _alliance_of(tables: Tables, state: State, war: War, power: str) -> MadeOf:
    return allies(war, power), (tables, state.areas, war, board(tables, state))


@remembered(most=16, by=_alliance_of)
def _coaled(tables: Tables, state: State, war: War, power: str) -> frozenset[str]:
    """The Sea Zones that Areas give to the Alliance of a Power. Rules: WMV-022 to WMV-026, WMV-029."""
    zones_of = board(tables, state).zones_of
    own = allies(war, power)
    told = {c.area for c in war.conquered} | {c.area for c in war.coaling} | set(war.defeated)
    found: set[str] = set()
    for area, here in state.areas.items():
        if gives(state, war, power, area) if area in told else _marked(here, own):
            found.update(zones_of[area])
    return frozenset(found)


def offers(tables: Tables, state: State, war: War, power: str) -> Iterator[tuple[str, int]]:
    """What a neutral may volunteer still: a Coastal Area that it Controls, and the number of an Alliance; an Empire
    that fights alone has no use for it.

    Rules: WMV-024 (R-WMV-05)
    """
    if war.side_of(power):
        return
    for area in tables.areas:
        if board(tables, state).zones_of[area] and controls(state, area, power):
            for side, powers in enumerate(war.alliances, start=1):
                useful = any(p in tables.powers for p in powers)
                if useful and not any((c.area, c.to) == (area, side) for c in war.coaling):
                    yield area, side


def volunteer(play: Play, power: str, action: ac.Volunteer) -> None:
    """A neutral volunteers an Area that it Controls to the Alliance of a Power, for the rest of the War.

    Raises: Refusal `no_belligerent_named`, `no_neutral`, `no_control`, `inland`, `volunteered`.
    Rules: WMV-024, WMV-025 (R-WMV-05)
    """
    tables, state = play.tables, play.state
    war = next((w for w in cycle.fought(state) if w.side_of(action.to)), None)
    name = power_name(tables, action.to)
    if war is None:
        refuse("no_belligerent_named", ("WMV-024",), f"{name} is in no War that is fought now.")
    if war.side_of(power):
        refuse("no_neutral", ("WMV-024",), "You are in this War yourself: your Areas coal your own Alliance.")
    where = place_name(tables, action.area)
    if not controls(state, action.area, power):
        refuse("no_control", ("WMV-024",), f"You have no established Control marker in {where}.")
    if not board(tables, state).zones_of[action.area]:
        refuse("inland", ("WMV-024",), f"{where} borders no Sea Zone, so no fleet can coal from it.")
    side = war.side_of(action.to)
    if any((c.area, c.to) == (action.area, side) for c in war.coaling):
        refuse("volunteered", ("WMV-025",), f"{where} is volunteered to that Alliance already.")
    play.emit(ev.CoalingVolunteered(war=war.id, area=action.area, power=power, to=side, rules=("WMV-024", "WMV-025")))
