"""Events on the map (markers, units, fleets, canals, disputes, duties), and their evolvers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from paxtui.games.pax.events.encoding import Event
from paxtui.games.pax.state.diplomacy import CasusBelli
from paxtui.games.pax.state.model import EMPTY_AREA, PowerState, State, units_at, with_area, with_power, with_units
from paxtui.games.pax.state.pieces import (
    ARMY,
    CONTROL,
    NAVAL,
    POSSESSION,
    PROTECTORATE,
    Holding,
    Marker,
    SentArmies,
    Unit,
    unit_from_name,
)

# --- markers ------------------------------------------------------------------------------------------------------


class MarkerPlaced(Event, frozen=True):
    """A Status marker is placed; `replaces` is the Power's own marker of the same standing that it covers."""

    area: str
    power: str
    marker: str
    established: bool
    turn: int
    replaces: str = ""


class MarkerEstablished(Event, frozen=True):
    """An unestablished marker is established and replaces the Power's older established one."""

    area: str
    power: str
    marker: str


class MarkerLowered(Event, frozen=True):
    """A marker is lowered from `marker` to `to` ("" removes it)."""

    area: str
    power: str
    marker: str
    to: str
    reason: str
    established: bool = True
    turn: int = 0


class MarkerTransferred(Event, frozen=True):
    """An established marker changes hands. It replaces the receiver's marker, and the place in a Codominion
    passes on.
    """

    area: str
    power: str
    to: str
    marker: str
    turn: int


class CodominionSet(Event, frozen=True):
    """`powers` share the Area; with none, the Codominion ends."""

    area: str
    powers: tuple[str, ...]


class AreaTypeChanged(Event, frozen=True):
    """The optional Ottoman expansion changes an Area's type."""

    area: str
    to: str


# --- pieces -------------------------------------------------------------------------------------------------------


class UnitsBuilt(Event, frozen=True):
    """Military Units appear at `place` (a Home Country, or the Area of a Minor Power's draw from stock)."""

    power: str
    units: tuple[str, ...]
    place: str
    coast: str = ""


class UnitsMoved(Event, frozen=True):
    """Units of one Power move along `path`. `coast`: where Naval Units end. `halted`: they move no more this Phase."""

    power: str
    units: tuple[str, ...]
    path: tuple[str, ...]
    coast: str = ""
    halted: bool = False
    reason: str = "move"  # move | retreat | fix | minor | transfer
    was_halted: bool = False
    start_coast: str = ""


class UnitsHalted(Event, frozen=True):
    """All Army Units of a Power at a place end their movement for the Phase."""

    power: str
    place: str


class UnitsLost(Event, frozen=True):
    """Units leave the map."""

    power: str
    units: tuple[str, ...]
    place: str
    reason: str


class CoastChosen(Event, frozen=True):
    """A Naval Unit changes to another coast of its Area or another home box."""

    power: str
    unit: str
    place: str
    start: str
    coast: str


class MerchantMoved(Event, frozen=True):
    """A Merchant Fleet moves from a Sea Zone, or from the track ("new"), to a Sea Zone."""

    power: str
    start: str
    to: str


class CanalBuilt(Event, frozen=True):
    """A permanent canal joins the Caribbean Sea and the South Pacific."""

    area: str
    power: str


# --- disputes and duties ------------------------------------------------------------------------------------------


class CasusBelliArose(Event, frozen=True):
    """`holder` gets a Casus Belli against `against`; other fields as in `CasusBelli`."""

    id: str
    holder: str
    against: str
    area: str = ""
    cause: str = ""
    lapses: str = ""
    treaty: str = ""
    minor: str = ""
    demanded: bool = False


class CasusBelliEnded(Event, frozen=True):
    """A Casus Belli ends: "waived", "settled", "lapsed"."""

    id: str
    reason: str


class GarrisonMissing(Event, frozen=True):
    """A Control marker has no Army Unit of its Power at the end of the Movement/Status Change Phase."""

    area: str
    power: str


class DutyWaived(Event, frozen=True):
    """The arbiter ends a Phase although a Power still has pounds to spend on units, or another duty."""

    power: str
    duty: str
    amount: int = 0


class MinorSentArmies(Event, frozen=True):
    """A Minor Power sends units to its Area in Unrest, or (`home`) takes the surplus back."""

    power: str
    area: str
    turn: int
    home: bool = False


class WarDue(Event, frozen=True):
    """A War is due that this version does not play: "chinese_rebellion", "ottoman"."""

    war: str
    power: str = ""
    area: str = ""


MapEvent = (
    MarkerPlaced
    | MarkerEstablished
    | MarkerLowered
    | MarkerTransferred
    | CodominionSet
    | AreaTypeChanged
    | UnitsBuilt
    | UnitsMoved
    | UnitsHalted
    | UnitsLost
    | CoastChosen
    | MerchantMoved
    | CanalBuilt
    | CasusBelliArose
    | CasusBelliEnded
    | GarrisonMissing
    | DutyWaived
    | MinorSentArmies
    | WarDue
)


def take_units(
    units: tuple[Unit, ...], power: str, names: Iterable[str], coast: str, halted: bool
) -> list[Unit]:
    """Return `units` without one unit of `power` for each name, preferring this coast and halt."""
    left = list(units)
    for name in names:
        kind, strength = (ARMY if name[0] == "A" else NAVAL), int(name[1:])
        found = [i for i, u in enumerate(left) if u.power == power and u.kind == kind and u.strength == strength]
        if found:
            best = max(found, key=lambda i: ((left[i].coast == coast) + (left[i].halted == halted), -i))
            del left[best]
    return left


def _marker_placed(s: State, e: MarkerPlaced) -> State:
    gone = [
        m
        for m in s.areas.get(e.area, EMPTY_AREA).markers
        if not (m.power == e.power and m.established == e.established and (not e.replaces or m.marker == e.replaces))
    ]
    power = s.powers.get(e.power)
    s = with_area(s, e.area, markers=(*gone, Marker(e.power, e.marker, e.established, e.turn)))
    if s.handed_over and (handed := Holding(e.power, e.area)) in s.handed_over:
        s = replace(s, handed_over=tuple(h for h in s.handed_over if h != handed))
    if e.established and power and not power.had_control and e.marker in CONTROL:
        s = with_power(s, e.power, had_control=True)
    if power and e.marker in (PROTECTORATE, POSSESSION) and s.phase == "movement":
        s = with_power(s, e.power, bought_control=True)
    return s


def _marker_established(s: State, e: MarkerEstablished) -> State:
    kept = []
    for m in s.areas.get(e.area, EMPTY_AREA).markers:
        if m.power != e.power:
            kept.append(m)
        elif not m.established and m.marker == e.marker:
            kept.append(replace(m, established=True, since=s.turn))
    s = with_area(s, e.area, markers=tuple(kept))
    if e.power in s.powers and e.marker in CONTROL and not s.powers[e.power].had_control:
        s = with_power(s, e.power, had_control=True)
    return s


def _marker_lowered(s: State, e: MarkerLowered) -> State:
    markers = []
    for m in s.areas.get(e.area, EMPTY_AREA).markers:
        if m.power == e.power and m.established == e.established and m.marker == e.marker:
            if e.to:
                markers.append(Marker(e.power, e.to, e.established, e.turn))
        else:
            markers.append(m)
    return with_area(s, e.area, markers=tuple(markers))


def _marker_transferred(s: State, e: MarkerTransferred) -> State:
    area = s.areas.get(e.area, EMPTY_AREA)
    markers = [
        m
        for m in area.markers
        if m.power != e.to and not (m.power == e.power and m.established and m.marker == e.marker)
    ]
    shared = tuple(dict.fromkeys(e.to if p == e.power else p for p in area.codominion))
    codominion = shared if len(shared) > 1 else ()
    s = with_area(s, e.area, markers=(*markers, Marker(e.to, e.marker, True, e.turn)), codominion=codominion)
    s = replace(s, handed_over=(*s.handed_over, Holding(e.to, e.area)))
    if e.to in s.powers and e.marker in CONTROL and not s.powers[e.to].had_control:
        s = with_power(s, e.to, had_control=True)
    return s


def _codominion_set(s: State, e: CodominionSet) -> State:
    return with_area(s, e.area, codominion=e.powers)


def _area_type_changed(s: State, e: AreaTypeChanged) -> State:
    return with_area(s, e.area, type=e.to)


def _units_built(s: State, e: UnitsBuilt) -> State:
    new = [unit_from_name(name, e.power, e.coast if name[0] == "N" else "") for name in e.units]
    return with_units(s, e.place, (*units_at(s, e.place), *new))


def _units_moved(s: State, e: UnitsMoved) -> State:
    start, end = e.path[0], e.path[-1]
    left = take_units(units_at(s, start), e.power, e.units, e.start_coast, e.was_halted)
    if len(left) + len(e.units) != len(units_at(s, start)):
        return s
    s = with_units(s, start, left)
    there = [unit_from_name(name, e.power, e.coast if name[0] == "N" else "", e.halted) for name in e.units]
    return with_units(s, end, (*units_at(s, end), *there))


def _units_halted(s: State, e: UnitsHalted) -> State:
    units = [replace(u, halted=True) if (u.power, u.kind) == (e.power, ARMY) else u for u in units_at(s, e.place)]
    return with_units(s, e.place, units)


def _units_lost(s: State, e: UnitsLost) -> State:
    return with_units(s, e.place, take_units(units_at(s, e.place), e.power, e.units, "", False))


def _coast_chosen(s: State, e: CoastChosen) -> State:
    units = list(units_at(s, e.place))
    wanted = unit_from_name(e.unit, e.power, e.start)
    for i, unit in enumerate(units):
        if replace(unit, halted=False) == wanted:
            units[i] = replace(unit, coast=e.coast)
            break
    return with_units(s, e.place, units)


def _merchant_moved(s: State, e: MerchantMoved) -> State:
    zones = dict(s.sea_zones)
    if e.start != "new":
        zones[e.start] = tuple(p for p in zones.get(e.start, ()) if p != e.power)
    zones[e.to] = (*zones.get(e.to, ()), e.power)
    s = replace(s, sea_zones=zones)
    if e.start == "new":
        p = s.powers.get(e.power, PowerState())
        s = with_power(s, e.power, merchants_due=max(0, p.merchants_due - 1))
    return s


def _canal_built(s: State, e: CanalBuilt) -> State:
    return with_area(s, e.area, canal=True)


def _add_casus_belli(s: State, e: CasusBelliArose) -> State:
    rule = e.rules[0] if e.rules else ""
    cause = CasusBelli(e.id, e.holder, e.against, e.area, rule, e.cause, e.lapses, e.treaty, e.minor, e.demanded)
    return replace(s, casus_belli=(*s.casus_belli, cause), next_cause=s.next_cause + 1)


def _casus_belli_ended(s: State, e: CasusBelliEnded) -> State:
    return replace(s, casus_belli=tuple(c for c in s.casus_belli if c.id != e.id))


def _garrison_missing(s: State, e: GarrisonMissing) -> State:
    return replace(s, ungarrisoned=(*s.ungarrisoned, Holding(e.power, e.area)))


def _minor_sent_armies(s: State, e: MinorSentArmies) -> State:
    rest = tuple(sent for sent in s.moved_minors if (sent.power, sent.area) != (e.power, e.area))
    return replace(s, moved_minors=rest if e.home else (*rest, SentArmies(e.power, e.area, e.turn)))


def _war_due(s: State, e: WarDue) -> State:
    due = Holding(e.power, e.area)
    if e.war == "ottoman":
        return replace(s, ottoman_wars=(*s.ottoman_wars, due))
    return replace(s, ottoman_next=(*s.ottoman_next, due)) if e.war == "ottoman_next" else s


MAP_EVOLVERS: dict[type, Callable[[State, Any], State]] = {
    MarkerPlaced: _marker_placed,
    MarkerEstablished: _marker_established,
    MarkerLowered: _marker_lowered,
    MarkerTransferred: _marker_transferred,
    CodominionSet: _codominion_set,
    AreaTypeChanged: _area_type_changed,
    UnitsBuilt: _units_built,
    UnitsMoved: _units_moved,
    UnitsHalted: _units_halted,
    UnitsLost: _units_lost,
    CoastChosen: _coast_chosen,
    MerchantMoved: _merchant_moved,
    CanalBuilt: _canal_built,
    CasusBelliArose: _add_casus_belli,
    CasusBelliEnded: _casus_belli_ended,
    GarrisonMissing: _garrison_missing,
    MinorSentArmies: _minor_sent_armies,
    WarDue: _war_due,
}
"""The evolvers of these events, by struct."""
